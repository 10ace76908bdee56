//! Standard output, with colours or without.

use crate::flags::Color;
use anstream::{AutoStream, ColorChoice};
use std::io::{self, Write};

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

    /// Prints a text. When nobody reads any more, there is nobody to tell either.
    pub fn print(self, text: &str) {
        let mut out = AutoStream::new(io::stdout().lock(), self.choice);
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }
}
