//! Values of a witness as people write them.
//!
//! Strings, boxes, constants of enums and small arrays of numbers are written where they are used,
//! like a number, unless they are used in several places: then it may matter that they are one
//! object, and they are named like all others.

use dalang_classes::{is_hidden, one_line};
use dalang_explore::{Witness, WitnessBody, WitnessObject, WitnessValue};
use std::fmt::Write;

/// Arrays with more elements than this are objects of their own in a drawing.
const SHORT: u32 = 8;

/// The most characters of a string that are shown.
const MOST: usize = 60;

/// A witness, and how often each of its objects is used.
pub struct Values<'w> {
    pub witness: &'w Witness,
    /// All inputs by name.
    pub named: Vec<(String, WitnessValue)>,
    uses: Vec<u32>,
}

impl<'w> Values<'w> {
    pub fn new(witness: &'w Witness) -> Self {
        let mut uses = vec![0; witness.objects.len()];
        let named = witness.named();
        let inputs = named.iter().map(|(_, value)| value);
        let held = witness.objects.iter().flat_map(references);
        for value in inputs.chain(held) {
            if let WitnessValue::Object(number) = value
                && let Some(count) = uses.get_mut((*number as usize).wrapping_sub(1))
            {
                *count += 1;
            }
        }
        Self { witness, named, uses }
    }

    /// The object with this number, if there is one.
    pub fn object(&self, number: u32) -> Option<&'w WitnessObject> {
        self.witness.objects.get((number as usize).wrapping_sub(1))
    }

    /// The object that a value stands for and that has to be drawn by itself.
    pub fn drawn(&self, value: &WitnessValue) -> Option<u32> {
        let WitnessValue::Object(number) = *value else { return None };
        let object = self.object(number)?;
        let once = self.uses[number as usize - 1] <= 1;
        (!once || literal(object).is_none()).then_some(number)
    }

    /// Whether any object has to be drawn.
    pub fn has_drawn(&self) -> bool {
        self.named.iter().any(|(_, value)| self.drawn(value).is_some())
    }

    /// A value as it is written in a line.
    pub fn text(&self, value: &WitnessValue) -> String {
        match *value {
            WitnessValue::Object(number) if self.drawn(value).is_some() => format!("#{number}"),
            WitnessValue::Object(number) => {
                let literal = self.object(number).and_then(literal);
                literal.unwrap_or_else(|| format!("#{number}"))
            }
            _ => scalar(value),
        }
    }

    /// All inputs: `this = #1, x = 4`.
    pub fn inputs(&self) -> String {
        let input = |(name, value): &(String, WitnessValue)| {
            format!("{} = {}", one_line(name), self.text(value))
        };
        let stdin = self.witness.stdin.iter().map(|bytes| {
            let text: Vec<u16> = bytes.iter().map(|&byte| byte.into()).collect();
            format!("standard input = {}", quoted(&text))
        });
        self.named.iter().map(input).chain(stdin).collect::<Vec<String>>().join(", ")
    }
}

fn references(object: &WitnessObject) -> Box<dyn Iterator<Item = &WitnessValue> + '_> {
    match &object.body {
        WitnessBody::Fields(fields) => Box::new(fields.iter().map(|(_, value)| value)),
        WitnessBody::Array(_, elements) => Box::new(elements.values()),
        WitnessBody::Boxed(value) | WitnessBody::Cached(value) => Box::new(std::iter::once(value)),
        WitnessBody::Text(_)
        | WitnessBody::Interned(_)
        | WitnessBody::Constant(_)
        | WitnessBody::Static(_) => Box::new(std::iter::empty()),
    }
}

/// An object that can be written like a number.
pub fn literal(object: &WitnessObject) -> Option<String> {
    match &object.body {
        WitnessBody::Text(text) => Some(quoted(text)),
        WitnessBody::Interned(text) => Some(format!("{} (interned)", quoted(text))),
        WitnessBody::Boxed(value) => Some(scalar(value)),
        WitnessBody::Cached(value) => Some(format!("{} (cached)", scalar(value))),
        WitnessBody::Constant(name) => Some(format!(
            "{}.{}",
            crate::signature::short(&one_line(&object.class)),
            one_line(name)
        )),
        WitnessBody::Static(global) => Some(one_line(&global.to_string()).into_owned()),
        WitnessBody::Array(length, elements) if *length <= SHORT => {
            let zero = zero(&object.class)?;
            let element = |index| elements.get(&index).map_or_else(|| zero.to_owned(), scalar);
            let all: Vec<String> = (0..*length).map(element).collect();
            Some(format!("{{{}}}", all.join(", ")))
        }
        WitnessBody::Array(..) | WitnessBody::Fields(_) => None,
    }
}

/// What the elements of a new array of primitive values are; none for other arrays.
pub fn zero(class: &str) -> Option<&'static str> {
    Some(match class {
        "boolean[]" => "false",
        "char[]" => "'\\0'",
        "float[]" | "double[]" => "0.0",
        "byte[]" | "short[]" | "int[]" | "long[]" => "0",
        _ => return None,
    })
}

fn scalar(value: &WitnessValue) -> String {
    match *value {
        WitnessValue::Null => "null".to_owned(),
        WitnessValue::Boolean(value) => value.to_string(),
        WitnessValue::Integer(value) => value.to_string(),
        WitnessValue::Char(unit) => format!("'{}'", unit_text(unit, '\'')),
        WitnessValue::Float(value) => decimal(f64::from(value), format!("{value:?}")),
        WitnessValue::Double(value) => decimal(value, format!("{value:?}")),
        WitnessValue::Object(number) => format!("#{number}"),
    }
}

fn decimal(value: f64, finite: String) -> String {
    let infinite = if value > 0.0 { "Infinity" } else { "-Infinity" };
    if value.is_infinite() { infinite.to_owned() } else { finite }
}

/// A string as Java source has it, without its end if it is long.
fn quoted(units: &[u16]) -> String {
    let mut text = String::from("\"");
    for decoded in char::decode_utf16(units.iter().copied().take(MOST)) {
        match decoded {
            Ok(character) => text.push_str(&escaped(character, '"')),
            Err(lone) => drop(write!(text, "\\u{:04x}", lone.unpaired_surrogate())),
        }
    }
    text.push('"');
    if units.len() > MOST {
        // Writing to a string cannot fail.
        let _ = write!(text, "... ({} characters)", units.len());
    }
    text
}

fn unit_text(unit: u16, quote: char) -> String {
    char::from_u32(u32::from(unit))
        .map_or_else(|| format!("\\u{unit:04x}"), |character| escaped(character, quote))
}

fn escaped(character: char, quote: char) -> String {
    match character {
        '\0' => "\\0".to_owned(),
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        '\r' => "\\r".to_owned(),
        '\\' => "\\\\".to_owned(),
        _ if character == quote => format!("\\{quote}"),
        // What leaves no mark on a page is written by number.
        _ if character != ' ' && (character.is_whitespace() || is_invisible(character)) => {
            character.encode_utf16(&mut [0; 2]).iter().fold(String::new(), |mut text, unit| {
                // Writing to a string cannot fail.
                let _ = write!(text, "\\u{unit:04x}");
                text
            })
        }
        _ => character.to_string(),
    }
}

/// Characters that hide, and those that are none.
fn is_invisible(character: char) -> bool {
    is_hidden(character) || matches!(character, '\u{fffc}'..='\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::{Values, quoted, scalar};
    use dalang_explore::{Witness, WitnessBody, WitnessObject, WitnessValue};
    use std::collections::BTreeMap;

    #[test]
    fn numbers_are_written_as_java_writes_them() {
        let of = |value| scalar(&value);
        assert_eq!(of(WitnessValue::Double(f64::NAN)), "NaN");
        assert_eq!(of(WitnessValue::Float(f32::NEG_INFINITY)), "-Infinity");
        assert_eq!(of(WitnessValue::Float(0.1)), "0.1");
        assert_eq!(of(WitnessValue::Double(-0.0)), "-0.0");
        assert_eq!(of(WitnessValue::Char(0x27)), "'\\''");
        assert_eq!(of(WitnessValue::Char(0xd800)), "'\\ud800'");
        assert_eq!(of(WitnessValue::Integer(i64::MIN)), "-9223372036854775808");
    }

    #[test]
    fn strings_are_quoted_and_cut() {
        let units: Vec<u16> = "a\"\n\u{202e}𝄞".encode_utf16().chain([0xdc00]).collect();
        assert_eq!(quoted(&units), "\"a\\\"\\n\\u202e𝄞\\udc00\"");
        assert_eq!(quoted(&[0x61; 100]), format!("\"{}\"... (100 characters)", "a".repeat(60)));
    }

    #[test]
    fn what_is_used_twice_is_named() {
        let text = |units: &str| WitnessObject {
            class: "java.lang.String".to_owned(),
            body: WitnessBody::Text(units.encode_utf16().collect()),
        };
        let array = WitnessObject {
            class: "int[]".to_owned(),
            body: WitnessBody::Array(3, BTreeMap::from([(1, WitnessValue::Integer(7))])),
        };
        let input = |name: &str, number| (name.to_owned(), WitnessValue::Object(number));
        let mut witness = Witness {
            inputs: vec![input("s", 1), input("a", 2)],
            objects: vec![text("x"), array],
            ..Witness::default()
        };
        assert_eq!(Values::new(&witness).inputs(), "s = \"x\", a = {0, 7, 0}");
        assert!(!Values::new(&witness).has_drawn());
        witness.inputs.push(input("t", 1));
        assert_eq!(Values::new(&witness).inputs(), "s = #1, a = {0, 7, 0}, t = #1");
        // What the library keeps is another object than one of the same value.
        witness.objects[0].body = WitnessBody::Interned(vec![0x78]);
        witness.objects[1].body = WitnessBody::Cached(WitnessValue::Integer(7));
        witness.inputs.pop();
        assert_eq!(Values::new(&witness).inputs(), "s = \"x\" (interned), a = 7 (cached)");
        // A number that stands for nothing is shown and not followed.
        witness.inputs = vec![input("o", 9), input("z", 0)];
        assert_eq!(Values::new(&witness).inputs(), "o = #9, z = #0");
    }
}
