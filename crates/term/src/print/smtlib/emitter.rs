//! Text in portions, for a solver that keeps what it was told.
//!
//! A term is defined by `define-fun`, with `let`s inside for what it shares with itself. What a
//! later term shares with it is then defined, too, at its largest, so that the portions stay small;
//! but not every node is: z3 4.8 walks everything below a definition each time it is mentioned, and
//! a chain of definitions takes it quadratic time.
//!
//! The solver must keep definitions across `pop`: set `:global-declarations`. Asserting is the
//! caller's business: it knows the scope.
//!
//! Invariant: one emitter serves one pool and one solver process.

use super::expand::{Expansion, Piece, expand};
use super::script::declaration;
use super::sharing::{Sharing, Within};
use super::walk::walk;
use super::{Key, View, push};
use crate::{Pool, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Remembers what a solver process was told of a pool's terms.
#[derive(Default)]
pub struct SmtEmitter {
    /// Every text that was part of a portion, and whether a side condition is below it.
    seen: FxHashMap<Key, bool>,
    /// Those that have a name.
    defined: FxHashSet<Key>,
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

    /// Does what was defined need the theory of floats, beyond that of bit-vectors?
    pub fn uses_floats(&self) -> bool {
        self.floats
    }

    /// Appends the declarations and definitions that a Boolean term still lacks.
    pub fn define(&mut self, pool: &Pool, term: TermId, text: &mut String) -> SmtRoot {
        let root = Key::value(term);
        let mut new = Vec::new();
        let skip = |key| self.seen.contains_key(&key);
        walk(|key| expand(pool, key), [root], skip, |key, it| new.push((key, it)));
        let fresh = new.iter().filter(|(_, expansion)| expansion.side.is_some());
        let fresh: Vec<Key> = fresh.map(|&(key, _)| key).collect();
        let wanted = self.wanted(pool, root, &new, &fresh);
        for (key, expansion) in new {
            let below = expansion.operands().any(|operand| self.has_sides(operand));
            self.seen.insert(key, below || expansion.side.is_some());
            self.floats |= key.is_float_value(pool);
            text.push_str(&declaration(pool, key, expansion.side.is_some()));
        }
        for key in wanted {
            self.write_definition(pool, key, text);
            self.defined.insert(key);
        }
        for bits in fresh {
            write_side(pool, bits, text);
        }
        SmtRoot { name: mention(pool, root), sides: self.sides(pool, root) }
    }

    /// What is to be defined, operands first: the root, what earlier portions had inside them, and
    /// the values whose bits got a fresh constant.
    fn wanted(&self, pool: &Pool, root: Key, new: &[(Key, Expansion)], fresh: &[Key]) -> Vec<Key> {
        let operands = new.iter().flat_map(|(_, expansion)| expansion.operands());
        let old = operands.filter(|operand| self.seen.contains_key(operand));
        let values = fresh.iter().map(|bits| Key::value(bits.term));
        let wanted = old.chain(values).chain([root]);
        let mut wanted: Vec<Key> =
            wanted.filter(|&key| !self.defined.contains(&key) && !expand(pool, key).atom).collect();
        sort(&mut wanted);
        wanted.extend(self.overlaps(pool, &wanted));
        sort(&mut wanted);
        wanted
    }

    /// What the definitions of these have in common, at its largest.
    fn overlaps(&self, pool: &Pool, wanted: &[Key]) -> Vec<Key> {
        let mut owners: FxHashMap<Key, usize> = FxHashMap::default();
        let mut common = Vec::new();
        for (owner, &key) in wanted.iter().enumerate() {
            let mut entered = Vec::new();
            let skip = |key| self.defined.contains(&key) || owners.contains_key(&key);
            walk(|key| expand(pool, key), [key], skip, |key, it| entered.push((key, it)));
            owners.extend(entered.iter().map(|&(key, _)| (key, owner)));
            let operands = entered.iter().flat_map(|(_, expansion)| expansion.operands());
            let other = |key: &Key| owners.get(key).is_some_and(|&other| other != owner);
            common.extend(operands.filter(|key| other(key) && !expand(pool, *key).atom));
        }
        common
    }

    fn write_definition(&self, pool: &Pool, key: Key, text: &mut String) {
        let named = |operand| self.defined.contains(&operand);
        let within = Within { pool, named: &named, sides: false };
        let sharing = Sharing::new(within, &[key], |_, _| ());
        push(text, format_args!("(define-fun {} () {} ", key.name(), key.sort(pool)));
        let written = sharing.write(text, vec![vec![Piece::Operand(key)]]);
        debug_assert!(written.is_ok());
        text.push_str(")\n");
    }

    fn has_sides(&self, key: Key) -> bool {
        self.seen.get(&key).copied().unwrap_or(false)
    }

    /// The side conditions below a text; what has none is not entered.
    fn sides(&self, pool: &Pool, root: Key) -> Vec<String> {
        let mut names = Vec::new();
        let skip = |key| !self.has_sides(key);
        walk(
            |key| expand(pool, key),
            [root],
            skip,
            |key, expansion| {
                names.extend(expansion.side.map(|_| key.side_name()));
            },
        );
        names
    }
}

/// Operands before what uses them, because they have smaller numbers; each once.
fn sort(keys: &mut Vec<Key>) {
    keys.sort_unstable_by_key(|key| (key.term, key.view == View::Bits));
    keys.dedup();
}

/// Appends the definition of the side condition of a fresh constant, whose value is defined.
fn write_side(pool: &Pool, bits: Key, text: &mut String) {
    push(text, format_args!("(define-fun {} () Bool ", bits.side_name()));
    for piece in expand(pool, bits).side.unwrap_or_default() {
        match piece {
            Piece::Text(word) => text.push_str(&word),
            Piece::Operand(value) => text.push_str(&value.name()),
        }
    }
    text.push_str(")\n");
}

/// An atom itself, the name of any other text.
fn mention(pool: &Pool, key: Key) -> String {
    let expansion = expand(pool, key);
    match expansion.pieces.into_iter().next() {
        Some(Piece::Text(word)) if expansion.atom => word.into_owned(),
        _ => key.name(),
    }
}
