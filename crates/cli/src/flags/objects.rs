//! How many input objects of a class there can be, as it is typed: `4`, or `Node=4,Object=1`, or both.

use serde::{Deserialize, Deserializer, de};
use std::str::FromStr;

/// How many input objects of a class there can be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Objects {
    /// Of each class that has no number of its own.
    pub each: Option<u32>,
    /// Of single classes, by the name that was typed.
    pub of: Vec<(String, u32)>,
}

impl FromStr for Objects {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut objects = Self::default();
        for part in text.split(',').map(str::trim) {
            let (name, number) = match part.split_once('=') {
                Some((name, number)) => (Some(name.trim()), number.trim()),
                None => (None, part),
            };
            let number: u32 = number.parse().map_err(|_| {
                format!("`{number}` is no number of objects; write `4` or `Node=4,Object=1`")
            })?;
            if number == 0 {
                return Err("0 leaves no input object, not even `this`; give at least 1".to_owned());
            }
            match name {
                Some("") => return Err(format!("`{part}` names no class; write `Node=4`")),
                Some(name) if objects.of.iter().any(|known| known.0 == name) => {
                    return Err(format!("{name} has two numbers; give it one"));
                }
                Some(name) => objects.of.push((name.to_owned(), number)),
                None if objects.each.is_some() => {
                    return Err("there are two numbers for all classes; give one".to_owned());
                }
                None => objects.each = Some(number),
            }
        }
        Ok(objects)
    }
}

/// A number, or a text as it is typed.
impl<'de> Deserialize<'de> for Objects {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            Number(u32),
            Text(String),
        }
        let text = match Either::deserialize(deserializer)? {
            Either::Number(number) => number.to_string(),
            Either::Text(text) => text,
        };
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::Objects;

    #[test]
    fn classes_have_numbers_of_their_own() {
        let parsed: Objects = "2, Node=4,a.B.C=1".parse().unwrap();
        assert_eq!(parsed.each, Some(2));
        assert_eq!(parsed.of, [("Node".to_owned(), 4), ("a.B.C".to_owned(), 1)]);
        for wrong in ["", "x", "Node", "Node=", "=3", "0", "Node=0", "1,2", "A=1,A=2", "-1"] {
            assert!(wrong.parse::<Objects>().is_err(), "{wrong}");
        }
    }
}
