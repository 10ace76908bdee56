//! Text of strangers, made fit for a message: one line of bearable length, in which nothing hides.
//!
//! Names in class files and jars may have 65,535 bytes and any characters in them: line breaks, the
//! escape codes of terminals, characters that turn the direction of writing round, characters that
//! nobody sees. Names that people choose stay as they are.

use std::borrow::Cow;
use std::fmt::{self, Write};

/// The most characters of a message that a Java program gets to see. The JVM itself cuts most of
/// its own after 1024 bytes; signatures of real methods can be longer.
pub(crate) const MESSAGE: usize = 2000;

/// The most characters of one part of an error that people get to see.
const PART: usize = 400;

/// The text without characters that hide, and without its middle if it is too long: the beginning
/// says what it is about, the end what is wrong with it.
pub(crate) fn line(text: &str, most: usize) -> Cow<'_, str> {
    // No character has less than a byte: most texts are seen to be short without counting.
    let long = text.len() > most && text.chars().count() > most;
    if !long && !text.contains(is_hidden) {
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

/// Text of several lines that may have come from anywhere, with everything spelled out that a
/// terminal would obey or a reader would not see. Line breaks and tabs stay.
///
/// The spelling is that of Java and of JSON, so JSON stays the same JSON.
pub fn visible(text: &str) -> Cow<'_, str> {
    let hides = |character: char| is_hidden(character) && !matches!(character, '\n' | '\t');
    if !text.contains(hides) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if hides(character) { shown.extend(escape(character)) } else { shown.push(character) }
    }
    Cow::Owned(shown)
}

const GAP: &str = " [...] ";

/// Characters outside of ASCII that break lines, turn the direction of writing round, or show
/// nothing: Unicode's separators of lines, its format characters and its ignorable ones.
const HIDDEN: [(char, char); 26] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{2800}', '\u{2800}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{1345f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// Whether a terminal would obey a character, or a reader would not see it or be misled by it.
pub fn is_hidden(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control();
    }
    character.is_control()
        || HIDDEN.iter().any(|&(first, last)| (first..=last).contains(&character))
}

/// The character, or how Java source and JSON would write it.
fn escape(character: char) -> impl Iterator<Item = char> {
    let mut text = String::new();
    if is_hidden(character) {
        for unit in character.encode_utf16(&mut [0; 2]) {
            // Writing to a string cannot fail.
            let _ = write!(text, "\\u{unit:04x}");
        }
    } else {
        text.push(character);
    }
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
    use super::{line, visible};
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
    fn what_turns_or_hides_text_is_written_out() {
        assert_eq!(line("safe\u{202e}x\u{200b}y\u{feff}", 100), "safe\\u202ex\\u200by\\ufeff");
        assert_eq!(line("\u{e0041}\u{3164}\u{85}", 100), "\\udb40\\udc41\\u3164\\u0085");
        assert!(matches!(line("שלום e\u{301} 你好 \u{1f600}", 100), Cow::Borrowed(_)));
    }

    #[test]
    fn several_lines_stay_several() {
        assert!(matches!(visible("a\n\tb\n"), Cow::Borrowed(_)));
        assert_eq!(visible("a\n\u{1b}[31mb\r\u{2067}\n"), "a\n\\u001b[31mb\\u000d\\u2067\n");
    }

    #[test]
    fn long_text_loses_its_middle() {
        let text = format!("begin{}end", "\n".repeat(70_000));
        let cut = line(&text, 50);
        assert!(cut.chars().count() <= 50, "{cut}");
        assert!(cut.starts_with("begin\\u000a") && cut.ends_with("end"), "{cut}");
    }
}
