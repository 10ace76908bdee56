//! Strings as class files spell them, in modified UTF-8 (JVMS 4.4.7).
//!
//! The bytes were validated when the class file was read. Nothing here fails: Java's strings may
//! hold lone surrogates, which UTF-16 can say and Rust's strings cannot.

use std::borrow::Cow;
use std::fmt::{self, Write};

/// A string constant of a class file.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Text<'a>(&'a [u8]);

impl<'a> Text<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The bytes, in modified UTF-8.
    pub fn bytes(self) -> &'a [u8] {
        self.0
    }

    /// The string as Java sees it, one unit for each `char`.
    pub fn to_utf16(self) -> Vec<u16> {
        let mut units = Vec::with_capacity(self.0.len());
        let mut rest = self.0;
        while let Some((unit, tail)) = unit(rest) {
            units.push(unit);
            rest = tail;
        }
        units
    }

    /// The string as Rust can say it. A lone surrogate becomes U+FFFD and its four hexadecimal
    /// digits, so that different names stay different.
    pub fn to_str(self) -> Cow<'a, str> {
        match std::str::from_utf8(self.0) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(self.to_string_slowly()),
        }
    }

    fn to_string_slowly(self) -> String {
        let mut text = String::with_capacity(self.0.len());
        for unit in char::decode_utf16(self.to_utf16()) {
            match unit {
                Ok(character) => text.push(character),
                Err(lone) => {
                    text.push(char::REPLACEMENT_CHARACTER);
                    // Writing to a string cannot fail.
                    let _ = write!(text, "{:04X}", lone.unpaired_surrogate());
                }
            }
        }
        text
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_str())
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_str())
    }
}

/// The first `char` of these bytes and what follows it; a cut-off sequence ends the string.
fn unit(bytes: &[u8]) -> Option<(u16, &[u8])> {
    let low = |byte: u8| u16::from(byte & 0x3F);
    match *bytes {
        [first, second, ref tail @ ..] if first & 0xE0 == 0xC0 => {
            Some((u16::from(first & 0x1F) << 6 | low(second), tail))
        }
        [first, second, third, ref tail @ ..] if first & 0xF0 == 0xE0 => {
            Some((u16::from(first & 0x0F) << 12 | low(second) << 6 | low(third), tail))
        }
        [first, ref tail @ ..] if first < 0x80 => Some((first.into(), tail)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn plain_text_is_borrowed() {
        assert!(matches!(Text::new(b"abc").to_str(), std::borrow::Cow::Borrowed("abc")));
        assert_eq!(Text::new("\u{e9}\u{4e2d}".as_bytes()).to_utf16(), [0xE9, 0x4E2D]);
    }

    #[test]
    fn zero_pairs_and_lone_surrogates() {
        assert_eq!(Text::new(&[0xC0, 0x80]).to_utf16(), [0]);
        let pair = [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x83];
        assert_eq!(Text::new(&pair).to_str(), "\u{1F603}");
        assert_eq!(Text::new(&pair).to_utf16(), [0xD83D, 0xDE03]);
        assert_eq!(Text::new(&pair[..3]).to_str(), "\u{FFFD}D83D");
        assert_eq!(Text::new(&pair[..2]).to_utf16(), [0_u16; 0]);
    }
}
