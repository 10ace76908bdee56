//! A complete script for some Boolean terms.
//!
//! All terms are in one assertion, because a `let` ends with its assertion and the terms share.

use super::expand::{Piece, expand};
use super::sharing::{Sharing, Within};
use super::{Key, smt_name, smt_sort};
use crate::{Pool, TermId};
use std::fmt;

/// Boolean terms as a complete SMT-LIB 2 script; its text is its `Display`.
pub struct SmtScript<'a> {
    pool: &'a Pool,
    roots: Vec<Key>,
}

impl Pool {
    /// A script that asks whether these Boolean terms hold together.
    pub fn smtlib(&self, roots: &[TermId]) -> SmtScript<'_> {
        SmtScript { pool: self, roots: roots.iter().copied().map(Key::value).collect() }
    }
}

impl fmt::Display for SmtScript<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let within = Within { pool: self.pool, named: &|_| false, sides: true };
        let mut constants = String::new();
        let mut sides = Vec::new();
        let mut floats = false;
        let sharing = Sharing::new(within, &self.roots, |key, expansion| {
            floats |= key.is_float_value(self.pool);
            constants.push_str(&declaration(self.pool, key, expansion.side.is_some()));
            sides.extend(expansion.side.is_some().then_some(key));
        });
        writeln!(f, "(set-logic {})", if floats { "QF_BVFP" } else { "QF_BV" })?;
        f.write_str(&constants)?;
        let roots = self.roots.iter().map(|&root| vec![Piece::Operand(root)]);
        let sides = sides.into_iter().filter_map(|key| expand(self.pool, key).side);
        f.write_str("(assert ")?;
        sharing.write(f, roots.chain(sides).collect())?;
        f.write_str(")\n(check-sat)\n")
    }
}

/// The declaration of the constant that this text is; nothing if it is none.
pub(super) fn declaration(pool: &Pool, key: Key, fresh: bool) -> String {
    let name = match pool.as_symbol(key.term) {
        _ if fresh => key.name(),
        Some(symbol) if !key.is_float_value(pool) => smt_name(pool, symbol),
        _ => return String::new(),
    };
    format!("(declare-const {name} {})\n", smt_sort(pool.sort(key.term)))
}
