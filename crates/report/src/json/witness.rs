//! Witnesses: inputs by name, objects by number, in order.
//!
//! An object is `"#1"` wherever it is used. A `char` is a string of one character, so that the two
//! are never confused. Numbers that JSON does not have (`NaN`, `Infinity`, `-Infinity`) are strings.
//! Half of a surrogate pair is spelled `\ud800`, with the backslash as a character.

use dalang_explore::{Witness, WitnessBody, WitnessObject, WitnessValue};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

pub struct Input<'a>(pub &'a Witness);

impl Serialize for Input<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("inputs", &Named(&self.0.named()))?;
        map.serialize_entry("objects", &Objects(&self.0.objects))?;
        if let Some(bytes) = &self.0.stdin {
            // What is no text is a list of bytes.
            match std::str::from_utf8(bytes) {
                Ok(text) => map.serialize_entry("stdin", text)?,
                Err(_) => map.serialize_entry("stdin", bytes)?,
            }
        }
        map.end()
    }
}

/// Values by name, in order. A name that is there already gets a number: keys are unique.
struct Named<'a>(&'a [(String, WitnessValue)]);

impl Serialize for Named<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        let mut taken = BTreeSet::new();
        for (name, value) in self.0 {
            let mut key = name.clone();
            let mut number = 2;
            while !taken.insert(key.clone()) {
                key = format!("{name}@{number}");
                number += 1;
            }
            map.serialize_entry(&key, &Value(value))?;
        }
        map.end()
    }
}

struct Objects<'a>(&'a [WitnessObject]);

impl Serialize for Objects<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (object, number) in self.0.iter().zip(1..) {
            map.serialize_entry(&format!("#{number}"), &Object(object))?;
        }
        map.end()
    }
}

struct Object<'a>(&'a WitnessObject);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("class", &self.0.class)?;
        match &self.0.body {
            WitnessBody::Fields(fields) => map.serialize_entry("fields", &Named(fields))?,
            WitnessBody::Array(length, elements) => {
                map.serialize_entry("length", length)?;
                map.serialize_entry("elements", &Elements(elements))?;
            }
            WitnessBody::Text(units) | WitnessBody::Interned(units) => {
                map.serialize_entry("text", &text(units))?;
                // Text cannot have half of a pair; who needs it exactly has it in units.
                if String::from_utf16(units).is_err() {
                    map.serialize_entry("utf16", units)?;
                }
            }
            WitnessBody::Boxed(value) | WitnessBody::Cached(value) => {
                map.serialize_entry("value", &Value(value))?;
            }
            WitnessBody::Constant(name) => map.serialize_entry("constant", name)?,
            WitnessBody::Static(global) => map.serialize_entry("static", &global.to_string())?,
        }
        match &self.0.body {
            WitnessBody::Interned(_) => map.serialize_entry("interned", &true)?,
            WitnessBody::Cached(_) => map.serialize_entry("cached", &true)?,
            _ => {}
        }
        map.end()
    }
}

/// The elements that matter, by index; all others are zero or null.
struct Elements<'a>(&'a BTreeMap<u32, WitnessValue>);

impl Serialize for Elements<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer
            .collect_map(self.0.iter().map(|(index, value)| (index.to_string(), Value(value))))
    }
}

struct Value<'a>(&'a WitnessValue);

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self.0 {
            WitnessValue::Null => serializer.serialize_unit(),
            WitnessValue::Boolean(value) => serializer.serialize_bool(value),
            WitnessValue::Integer(value) => serializer.serialize_i64(value),
            WitnessValue::Char(unit) => serializer.serialize_str(&text(&[unit])),
            WitnessValue::Float(value) if value.is_finite() => serializer.serialize_f32(value),
            WitnessValue::Float(value) => serializer.serialize_str(odd(f64::from(value))),
            WitnessValue::Double(value) if value.is_finite() => serializer.serialize_f64(value),
            WitnessValue::Double(value) => serializer.serialize_str(odd(value)),
            WitnessValue::Object(number) => serializer.collect_str(&format_args!("#{number}")),
        }
    }
}

/// A number that JSON does not have.
fn odd(value: f64) -> &'static str {
    if value.is_nan() {
        "NaN"
    } else if value > 0.0 {
        "Infinity"
    } else {
        "-Infinity"
    }
}

fn text(units: &[u16]) -> String {
    let mut text = String::new();
    for decoded in char::decode_utf16(units.iter().copied()) {
        match decoded {
            Ok(character) => text.push(character),
            // Writing to a string cannot fail.
            Err(lone) => drop(write!(text, "\\u{:04x}", lone.unpaired_surrogate())),
        }
    }
    text
}
