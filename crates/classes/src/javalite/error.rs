//! What can be wrong with a program, and where.

use crate::line::Shown;
use std::fmt;

/// A place in a text: line and column, both from one, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) line: u32,
    pub(super) column: u32,
}

/// A mistake in a Javalite program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JavaliteError {
    /// The line, from one.
    pub line: u32,
    /// The column, from one, in characters.
    pub column: u32,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub remedy: String,
}

impl JavaliteError {
    pub(super) fn new(place: Place, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        let Place { line, column } = place;
        Self { line, column, what: what.into(), remedy: remedy.into() }
    }
}

impl fmt::Display for JavaliteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, what, remedy } = self;
        write!(f, "{line}:{column}: {}; {}", Shown(what), Shown(remedy))
    }
}

impl std::error::Error for JavaliteError {}
