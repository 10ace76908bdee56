//! Random concrete inputs for a generated program.

use crate::generate::{Generated, Kind};
use crate::random::Random;
use dalang_explore::{Witness, WitnessBody, WitnessObject, WitnessValue};
use std::collections::BTreeMap;

/// The longest array, as the exploration has it.
pub const LONGEST: u32 = 3;

/// Some heap with a receiver and arguments in it.
pub fn inputs(program: &Generated, random: &mut Random) -> Witness {
    let nodes = 1 + random.below(4) as u32;
    // A plain object, an array of numbers and an array of nodes come after the nodes.
    let last = nodes + 3;
    let mut making = Making { program, random, nodes, last };
    let mut objects: Vec<WitnessObject> = (0..nodes).map(|_| making.node()).collect();
    objects.push(WitnessObject {
        class: "java.lang.Object".to_owned(),
        body: WitnessBody::Fields(Vec::new()),
    });
    objects.push(making.array("int[]".to_owned(), Kind::Int));
    let (class, subclass) = (program.class.clone(), program.subclass());
    let element = if making.random.below(4) == 0 { subclass } else { class };
    objects.push(making.array(format!("{element}[]"), Kind::Node));
    repair(&mut objects, &program.subclass());
    objects.extend(values());
    let receiver = WitnessValue::Object(1 + making.random.below(nodes as usize) as u32);
    let mut inputs = vec![("this".to_owned(), receiver)];
    for (name, kind) in &program.parameters {
        inputs.push((name.clone(), making.value(*kind)));
    }
    Witness { inputs, objects, ..Witness::default() }
}

/// Boxes and strings: those of small numbers and all strings may be what the library keeps.
fn values() -> Vec<WitnessObject> {
    let boxed = |body: fn(WitnessValue) -> WitnessBody, value| WitnessObject {
        class: "java.lang.Integer".to_owned(),
        body: body(WitnessValue::Integer(value)),
    };
    let text = |body: fn(Vec<u16>) -> WitnessBody, text: &str| WitnessObject {
        class: "java.lang.String".to_owned(),
        body: body(text.encode_utf16().collect()),
    };
    vec![
        boxed(WitnessBody::Boxed, 5),
        boxed(WitnessBody::Cached, 5),
        boxed(WitnessBody::Boxed, 128),
        boxed(WitnessBody::Cached, 127),
        text(WitnessBody::Text, "a"),
        text(WitnessBody::Interned, "a"),
        text(WitnessBody::Interned, ""),
        text(WitnessBody::Text, "b"),
    ]
}

/// An array of subclass instances has no others in it.
fn repair(objects: &mut [WitnessObject], subclass: &str) {
    let classes: Vec<String> = objects.iter().map(|object| object.class.clone()).collect();
    let Some(array) = objects.last_mut() else { return };
    if !array.class.starts_with(subclass) {
        return;
    }
    if let WitnessBody::Array(_, values) = &mut array.body {
        values.retain(|_, value| match value {
            WitnessValue::Object(number) => classes[*number as usize - 1] == subclass,
            _ => true,
        });
    }
}

struct Making<'a> {
    program: &'a Generated,
    random: &'a mut Random,
    nodes: u32,
    last: u32,
}

impl Making<'_> {
    fn node(&mut self) -> WitnessObject {
        let fields = self.program.fields.iter();
        let mut values: Vec<(String, WitnessValue)> =
            fields.map(|(name, kind)| (name.clone(), self.value(*kind))).collect();
        let class = if self.random.below(3) == 0 {
            values.push(("extra".to_owned(), self.value(Kind::Int)));
            self.program.subclass()
        } else {
            self.program.class.clone()
        };
        WitnessObject { class, body: WitnessBody::Fields(values) }
    }

    fn array(&mut self, class: String, kind: Kind) -> WitnessObject {
        let length = self.random.below(LONGEST as usize + 1) as u32;
        let values: BTreeMap<u32, WitnessValue> =
            (0..length).map(|index| (index, self.value(kind))).collect();
        WitnessObject { class, body: WitnessBody::Array(length, values) }
    }

    fn value(&mut self, kind: Kind) -> WitnessValue {
        match kind {
            Kind::Int => WitnessValue::Integer(match self.random.below(12) {
                0 => i64::from(i32::MIN),
                1 => i64::from(i32::MAX),
                number => number as i64 - 5,
            }),
            Kind::Boolean => WitnessValue::Boolean(self.random.below(2) == 0),
            _ if self.random.below(4) == 0 => WitnessValue::Null,
            Kind::Node => WitnessValue::Object(1 + self.random.below(self.nodes as usize) as u32),
            Kind::Object => {
                let values = if self.program.has_values() { 8 } else { 0 };
                WitnessValue::Object(1 + self.random.below(self.last as usize + values) as u32)
            }
            Kind::Box => WitnessValue::Object(self.last + 1 + self.random.below(4) as u32),
            Kind::Text => WitnessValue::Object(self.last + 5 + self.random.below(4) as u32),
            Kind::Ints => WitnessValue::Object(self.last - 1),
            Kind::Nodes => WitnessValue::Object(self.last),
        }
    }
}
