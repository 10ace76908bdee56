//! Witnesses under a real JVM: a Java program builds each and calls the method.

use dalang_explore::{Witness, WitnessBody, WitnessObject, WitnessValue};
use std::fmt::Write;

/// The source of a class `Driver` that runs `run` on each witness and prints a line for each: what
/// it returned, or the class of what it threw.
pub fn driver(witnesses: &[&Witness]) -> String {
    let mut text = String::from("@SuppressWarnings(\"removal\")\npublic class Driver {\n");
    for (number, witness) in witnesses.iter().enumerate() {
        case(&mut text, number, witness);
    }
    text.push_str("    public static void main(String[] arguments) {\n");
    for number in 0..witnesses.len() {
        let _ = writeln!(
            text,
            "        try {{ System.out.println(case{number}()); }} catch (Throwable e) {{ \
             System.out.println(e.getClass().getName()); }}"
        );
    }
    text.push_str("    }\n}\n");
    text
}

fn case(text: &mut String, number: usize, witness: &Witness) {
    let _ = writeln!(text, "    static int case{number}() {{");
    for (number, object) in (1..).zip(&witness.objects) {
        let _ = writeln!(text, "        {} o{number} = {};", object.class, creation(object));
    }
    for (number, object) in (1..).zip(&witness.objects) {
        fill(text, number, object);
    }
    let values: Vec<String> = witness.inputs.iter().map(|(_, value)| spelled(value)).collect();
    let _ = writeln!(text, "        return {}.run({});", values[0], values[1..].join(", "));
    text.push_str("    }\n");
}

fn creation(object: &WitnessObject) -> String {
    match &object.body {
        // The length goes into the first of the brackets.
        WitnessBody::Array(length, _) => {
            format!("new {}", object.class.replacen("[]", &format!("[{length}]"), 1))
        }
        WitnessBody::Fields(_) => format!("new {}()", object.class),
        WitnessBody::Boxed(value) => format!("new {}({})", object.class, spelled(value)),
        WitnessBody::Cached(value) => format!("{}.valueOf({})", object.class, spelled(value)),
        WitnessBody::Text(text) => string(text),
        WitnessBody::Interned(text) => format!("{}.intern()", string(text)),
        WitnessBody::Constant(name) => panic!("these programs have no {name}"),
        WitnessBody::Static(global) => panic!("these programs have no {global}"),
    }
}

fn string(text: &[u16]) -> String {
    let units: Vec<String> = text.iter().map(|unit| format!("(char) {unit}")).collect();
    format!("new String(new char[] {{ {} }})", units.join(", "))
}

fn fill(text: &mut String, number: usize, object: &WitnessObject) {
    match &object.body {
        WitnessBody::Array(_, values) => {
            for (index, value) in values {
                let _ = writeln!(text, "        o{number}[{index}] = {};", spelled(value));
            }
        }
        WitnessBody::Fields(fields) => {
            for (name, value) in fields {
                let _ = writeln!(text, "        o{number}.{name} = {};", spelled(value));
            }
        }
        _ => {}
    }
}

fn spelled(value: &WitnessValue) -> String {
    match value {
        WitnessValue::Null => "null".to_owned(),
        WitnessValue::Boolean(value) => value.to_string(),
        WitnessValue::Integer(value) => value.to_string(),
        WitnessValue::Object(number) => format!("o{number}"),
        other => panic!("these programs have no {other:?}"),
    }
}
