//! Standard output and standard error: what is printed on them, and what becomes of it when nobody
//! reads.
//!
//! Nothing that a terminal would obey or a reader would not see gets through, whoever wrote it; the
//! only escape codes are those of our own colours. Standard error is for remarks: when it cannot be
//! written, there is nobody to tell, and work goes on. Results that cannot be written are an error.

use crate::flags::Color;
use anstream::{AutoStream, ColorChoice};
use dalang_classes::{is_hidden, visible};
use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind, Write};

/// Says something to whoever watches.
pub fn complain(text: &str) {
    remark(&format!("dalang: {text}"));
}

/// The same, without saying who speaks.
pub fn remark(text: &str) {
    let _ = writeln!(io::stderr(), "{}", visible(text));
}

/// Why results are lost.
#[derive(Debug)]
pub enum Lost {
    /// Whoever read them has gone away, and does not want the rest.
    Unread,
    /// They cannot be written.
    Unwritten(io::Error),
    /// Standard output was closed before the program began.
    Closed,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unread => f.write_str("nobody reads standard output"),
            Self::Unwritten(error) => write!(f, "standard output cannot be written: {error}"),
            Self::Closed => {
                f.write_str("standard output is closed, so there is no place for results")
            }
        }
    }
}

impl Error for Lost {}

impl From<io::Error> for Lost {
    fn from(error: io::Error) -> Self {
        if error.kind() == ErrorKind::BrokenPipe { Self::Unread } else { Self::Unwritten(error) }
    }
}

/// Whether there is a standard output.
///
/// # Errors
/// It was closed from the start.
pub fn open() -> Result<(), Lost> {
    if inherited::is_closed() { Err(Lost::Closed) } else { Ok(()) }
}

/// What the program was started with. Rust's runtime opens `/dev/null` in place of a closed descriptor before
/// `main`, and nobody can tell it from one that was handed over, so this is looked at earlier.
#[cfg(unix)]
mod inherited {
    use std::sync::atomic::{AtomicBool, Ordering};

    static CLOSED: AtomicBool = AtomicBool::new(false);

    #[ctor::ctor(unsafe)]
    fn look() {
        let closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err();
        CLOSED.store(closed, Ordering::Relaxed);
    }

    pub fn is_closed() -> bool {
        CLOSED.load(Ordering::Relaxed)
    }
}

/// Elsewhere, writing says so.
#[cfg(not(unix))]
mod inherited {
    pub const fn is_closed() -> bool {
        false
    }
}

/// Standard output, with colours or without.
#[derive(Clone, Copy)]
pub struct Printer {
    choice: ColorChoice,
}

impl Printer {
    pub const fn new(color: Color) -> Self {
        let choice = match color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        Self { choice }
    }

    /// Prints a text.
    ///
    /// # Errors
    /// It cannot be written, or nobody reads it.
    pub fn print(self, text: &str) -> Result<(), Lost> {
        open()?;
        let mut out = AutoStream::new(io::stdout().lock(), self.choice);
        out.write_all(tame(text).as_bytes())?;
        Ok(out.flush()?)
    }
}

/// The text without anything that hides, colours excepted. Texts of ours have nothing of the kind;
/// this is for what was forgotten.
fn tame(text: &str) -> Cow<'_, str> {
    let wild = |character: char| is_hidden(character) && !matches!(character, '\n' | '\t');
    if !text.contains(wild) {
        return Cow::Borrowed(text);
    }
    let mut tamed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(place) = rest.find(wild) {
        let (plain, found) = rest.split_at(place);
        tamed.push_str(plain);
        let length = colour(found).unwrap_or_else(|| {
            let length = found.chars().next().map_or(0, char::len_utf8);
            tamed.push_str(&visible(&found[..length]));
            length
        });
        if colour(found).is_some() {
            tamed.push_str(&found[..length]);
        }
        rest = &found[length..];
    }
    tamed.push_str(rest);
    Cow::Owned(tamed)
}

/// The length of the escape code that sets a colour, if the text begins with one.
fn colour(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let end = parameters.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    parameters[end..].starts_with('m').then_some(2 + end + 1)
}

#[cfg(test)]
mod tests {
    use super::tame;
    use std::borrow::Cow;

    #[test]
    fn colours_stay_and_nothing_else_does() {
        let colours = "\u{1b}[1;31munsafe\u{1b}[0m C.m()\n";
        assert_eq!(tame(colours), colours);
        assert!(matches!(tame("plain\n\ttext"), Cow::Borrowed(_)));
        let wild = "\u{1b}]0;title\u{7} \u{1b}[2J\u{1b}[31mx\u{202e}\u{1b}";
        assert_eq!(tame(wild), "\\u001b]0;title\\u0007 \\u001b[2J\u{1b}[31mx\\u202e\\u001b");
    }
}
