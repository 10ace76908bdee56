//! Concrete inputs on which the program goes a given way.

use dalang_classes::Primitive;
use std::collections::BTreeMap;

/// A concrete value. Objects are named `#1`, `#2`, ... in the order in which they are reached.
#[derive(Clone, Debug, PartialEq)]
pub enum WitnessValue {
    /// `null`.
    Null,
    /// A `boolean`.
    Boolean(bool),
    /// A `byte`, `short`, `int` or `long`.
    Integer(i64),
    /// A `char`, as UTF-16.
    Char(u16),
    /// A `float`.
    Float(f32),
    /// A `double`.
    Double(f64),
    /// An object of the witness, by number.
    Object(u32),
}

/// What an object holds.
#[derive(Clone, Debug, PartialEq)]
pub enum WitnessBody {
    /// Fields by name; those that a class hides of its superclass are named `Class.field`. Fields
    /// that do not matter are left out: they are zero or null.
    Fields(Vec<(String, WitnessValue)>),
    /// An array: its length and the elements that matter by index. All others are zero or null.
    Array(u32, BTreeMap<u32, WitnessValue>),
    /// A string.
    Text(Vec<u16>),
    /// A box of a primitive value.
    Boxed(WitnessValue),
    /// A string that is the interned one of its text.
    Interned(Vec<u16>),
    /// A box that is the one in the library's cache: what `valueOf` gives.
    Cached(WitnessValue),
    /// A constant of an enum.
    Constant(String),
    /// The very object that a static field which does not change holds, or leads to.
    Static(Global),
}

/// An object that is there before the method runs.
#[derive(Clone, Debug, PartialEq)]
pub struct WitnessObject {
    /// Its class, as Java spells it.
    pub class: String,
    /// What it holds.
    pub body: WitnessBody,
}

/// A static field of a witness, or what one leads to that keeps its object: `p.C.table[3]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// The class that declares the static field, as Java spells it.
    pub class: String,
    /// Its name.
    pub field: String,
    /// The way from there.
    pub way: Vec<GlobalStep>,
}

/// A step from what a static field holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GlobalStep {
    /// To a field: the class that declares it, as Java spells it, and its name.
    Field(String, String),
    /// To an element, and of which primitive type that is, if it is of one: the type of what holds the
    /// array may be a general one.
    Element(u32, Option<Primitive>),
}

impl std::fmt::Display for Global {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.class, self.field)?;
        for step in &self.way {
            match step {
                GlobalStep::Field(_, field) => write!(f, ".{field}")?,
                GlobalStep::Element(index, _) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// Concrete inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Witness {
    /// The parameters by name, the receiver first as `this`; then what the program asked for, in
    /// order.
    pub inputs: Vec<(String, WitnessValue)>,
    /// Static fields that matter and what they hold when the method begins. All others hold what
    /// initializers give them.
    pub statics: Vec<(Global, WitnessValue)>,
    /// Standard input, if the program reads it.
    pub stdin: Option<Vec<u8>>,
    /// The objects; `#1` is the first.
    pub objects: Vec<WitnessObject>,
}

impl Witness {
    /// All inputs by name: those that are given, then static fields.
    pub fn named(&self) -> Vec<(String, WitnessValue)> {
        let statics = self.statics.iter().map(|(field, value)| (field.to_string(), value.clone()));
        self.inputs.iter().cloned().chain(statics).collect()
    }

    /// Gives the arguments of a program texts where it does not matter which: none of them is null.
    pub(crate) fn fill_arguments(&mut self) {
        let Some(&(_, WitnessValue::Object(number))) = self.inputs.first() else { return };
        let next = self.objects.len() as u32 + 1;
        let array = (number as usize).checked_sub(1).and_then(|at| self.objects.get_mut(at));
        let Some(WitnessObject { body: WitnessBody::Array(length, elements), .. }) = array else {
            return;
        };
        let open: Vec<u32> = (0..*length).filter(|index| !elements.contains_key(index)).collect();
        for (&index, number) in open.iter().zip(next..) {
            elements.insert(index, WitnessValue::Object(number));
        }
        let class = "java.lang.String".to_owned();
        let empty = WitnessObject { class, body: WitnessBody::Text(Vec::new()) };
        self.objects.extend(open.iter().map(|_| empty.clone()));
    }

    /// How large it is: objects, then elements and characters, then the magnitude of numbers.
    pub fn size(&self) -> (usize, usize, u64) {
        let magnitude = |value: &WitnessValue| match value {
            WitnessValue::Boolean(value) => u64::from(*value),
            WitnessValue::Integer(value) => value.unsigned_abs(),
            WitnessValue::Char(value) => u64::from(*value),
            WitnessValue::Float(value) => value.abs().min(1e9) as u64,
            WitnessValue::Double(value) => value.abs().min(1e18) as u64,
            WitnessValue::Null | WitnessValue::Object(_) => 0,
        };
        let mut elements = self.stdin.as_ref().map_or(0, Vec::len);
        let mut numbers: u64 =
            self.named().iter().map(|(_, value)| magnitude(value)).fold(0, u64::saturating_add);
        for object in &self.objects {
            match &object.body {
                WitnessBody::Fields(fields) => {
                    for (_, value) in fields {
                        numbers = numbers.saturating_add(magnitude(value));
                    }
                }
                WitnessBody::Array(length, values) => {
                    elements += *length as usize;
                    for value in values.values() {
                        numbers = numbers.saturating_add(magnitude(value));
                    }
                }
                WitnessBody::Text(text) | WitnessBody::Interned(text) => elements += text.len(),
                WitnessBody::Boxed(value) | WitnessBody::Cached(value) => {
                    numbers = numbers.saturating_add(magnitude(value));
                }
                WitnessBody::Constant(_) | WitnessBody::Static(_) => {}
            }
        }
        (self.objects.len(), elements, numbers)
    }
}
