//! Infix text for people.

use crate::{Pool, Sort, TermId};
use std::fmt;

/// A term shown in infix notation.
pub struct Infix<'a> {
    pool: &'a Pool,
    term: TermId,
}

impl Pool {
    /// The term in infix notation, for people.
    pub fn infix(&self, term: TermId) -> Infix<'_> {
        Infix { pool: self, term }
    }
}

impl fmt::Display for Infix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.pool.node(self.term))
    }
}

/// A value as Java would write it.
pub(crate) fn literal(_sort: Sort, bits: u64) -> String {
    format!("{bits}")
}
