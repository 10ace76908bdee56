//! Text of strangers, made fit for a message: one line of bearable length.
//!
//! Names in class files and jars may have 65,535 bytes and any characters in them, line breaks and
//! the escape codes of terminals included. Nothing that Java compilers write is changed here.

use std::borrow::Cow;
use std::fmt::{self, Write};

/// The most characters of a message that a Java program gets to see. The JVM itself cuts most of
/// its own after 1024 bytes; signatures of real methods can be longer.
pub(crate) const MESSAGE: usize = 2000;

/// The most characters of one part of an error that people get to see.
const PART: usize = 400;

/// The text without control characters, and without its middle if it is too long: the beginning
/// says what it is about, the end what is wrong with it.
pub(crate) fn line(text: &str, most: usize) -> Cow<'_, str> {
    // No character has less than a byte: most texts are seen to be short without counting.
    let long = text.len() > most && text.chars().count() > most;
    if !long && !text.contains(is_disturbing) {
        return Cow::Borrowed(text);
    }
    let escaped: Vec<char> = text.chars().flat_map(escape).collect();
    if escaped.len() <= most {
        return Cow::Owned(escaped.into_iter().collect());
    }
    let half = (most - GAP.len()) / 2;
    let (start, end) = (&escaped[..half], &escaped[escaped.len() - half..]);
    Cow::Owned(start.iter().copied().chain(GAP.chars()).chain(end.iter().copied()).collect())
}

/// Text that may have come from a class file, fit for a message.
pub fn one_line(text: &str) -> Cow<'_, str> {
    line(text, MESSAGE)
}

const GAP: &str = " [...] ";

/// Control characters, and the two of Unicode that break lines without being any.
fn is_disturbing(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
}

/// The character, or how Java source would write it.
fn escape(character: char) -> impl Iterator<Item = char> {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = if is_disturbing(character) {
        write!(text, "\\u{:04x}", u32::from(character))
    } else {
        text.write_char(character)
    };
    text.chars().collect::<Vec<char>>().into_iter()
}

/// Part of an error as people get to see it.
pub(crate) struct Shown<T>(pub(crate) T);

impl<T: fmt::Display> fmt::Display for Shown<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&line(&self.0.to_string(), PART))
    }
}

#[cfg(test)]
mod tests {
    use super::line;
    use std::borrow::Cow;

    #[test]
    fn ordinary_text_stays_as_it_is() {
        assert!(matches!(line("java/lang/Größe$1", 17), Cow::Borrowed("java/lang/Größe$1")));
    }

    #[test]
    fn control_characters_are_written_out() {
        assert_eq!(line("A\nB\u{1b}[2J\u{2028}", 100), "A\\u000aB\\u001b[2J\\u2028");
    }

    #[test]
    fn long_text_loses_its_middle() {
        let text = format!("begin{}end", "\n".repeat(70_000));
        let cut = line(&text, 50);
        assert!(cut.chars().count() <= 50, "{cut}");
        assert!(cut.starts_with("begin\\u000a") && cut.ends_with("end"), "{cut}");
    }
}
