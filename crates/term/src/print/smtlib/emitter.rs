//! Text in portions, for a solver that keeps what it was told.
//!
//! Every text is defined once, by `define-fun`, and referred to by name ever after; nesting never
//! exceeds one operator. The solver must keep definitions across `pop`: set `:global-declarations`.
//! Asserting is the caller's business: it knows the scope.
//!
//! Invariant: one emitter serves one pool and one solver process.

use super::expand::{Expansion, Piece, expand};
use super::walk::walk;
use super::{Key, push, smt_sort};
use crate::{Op, Pool, TermId};
use rustc_hash::FxHashMap;

/// Remembers what a solver process was told of a pool's terms.
#[derive(Default)]
pub struct SmtEmitter {
    /// What was defined, and whether a side condition is below it.
    defined: FxHashMap<Key, bool>,
    floats: bool,
}

/// How to assert a term that an [`SmtEmitter`] has defined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SmtRoot {
    /// The term.
    pub name: String,
    /// What must be asserted in the same scope.
    pub sides: Vec<String>,
}

impl SmtEmitter {
    /// Nothing defined yet.
    pub fn new() -> SmtEmitter {
        SmtEmitter::default()
    }

    /// Appends the declarations and definitions that a Boolean term still lacks.
    pub fn define(&mut self, pool: &Pool, term: TermId, text: &mut String) -> SmtRoot {
        let root = Key::value(term);
        let mut fresh = Vec::new();
        walk(pool, [root], |key| self.defined.contains_key(&key), |key, it| fresh.push((key, it)));
        for (key, expansion) in fresh {
            let below = expansion.operands().any(|operand| self.has_sides(operand));
            self.defined.insert(key, below || expansion.side.is_some());
            self.floats |= key.is_float_value(pool);
            emit(pool, key, expansion, text);
        }
        SmtRoot { name: mention(pool, root), sides: self.sides(pool, root) }
    }

    fn has_sides(&self, key: Key) -> bool {
        self.defined.get(&key).copied().unwrap_or(false)
    }

    /// The side conditions below a text; what has none is not entered.
    fn sides(&self, pool: &Pool, root: Key) -> Vec<String> {
        let mut names = Vec::new();
        walk(
            pool,
            [root],
            |key| !self.has_sides(key),
            |key, expansion| {
                names.extend(expansion.side.map(|_| key.side_name()));
            },
        );
        names
    }

    /// Does what was defined need the theory of floats, beyond that of bit-vectors?
    pub fn uses_floats(&self) -> bool {
        self.floats
    }
}

/// Appends the declaration or definition of one text.
fn emit(pool: &Pool, key: Key, expansion: Expansion, text: &mut String) {
    let sort = pool.sort(key.term);
    if let Some(side) = expansion.side {
        push(text, format_args!("(declare-const {} {})\n", key.name(), smt_sort(sort)));
        push(text, format_args!("(define-fun {} () Bool ", key.side_name()));
        write_pieces(pool, side, text);
        text.push_str(")\n");
    } else if !expansion.atom {
        push(text, format_args!("(define-fun {} () {} ", key.name(), key.sort(pool)));
        write_pieces(pool, expansion.pieces, text);
        text.push_str(")\n");
    } else if pool.as_symbol(key.term).is_some() {
        push(text, format_args!("(declare-const {} {})\n", mention(pool, key), smt_sort(sort)));
    }
}

fn write_pieces(pool: &Pool, pieces: Vec<Piece>, text: &mut String) {
    for piece in pieces {
        match piece {
            Piece::Text(word) => text.push_str(&word),
            Piece::Operand(key) => text.push_str(&mention(pool, key)),
        }
    }
}

/// An atom itself, the name of any other text.
fn mention(pool: &Pool, key: Key) -> String {
    let is_leaf = matches!(pool.node(key.term).op, Op::Const | Op::Symbol);
    if !is_leaf || key.is_float_value(pool) {
        return key.name();
    }
    let mut text = String::new();
    for piece in expand(pool, key).pieces {
        if let Piece::Text(word) = piece {
            text.push_str(&word);
        }
    }
    text
}
