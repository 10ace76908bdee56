//! A complete script for some Boolean terms, shared texts bound by nested `let`s.
//!
//! All terms are in one assertion, because a `let` ends with its assertion and the terms share. The
//! `let`s are nested by level, not by text: a level binds every shared text that needs only the
//! levels around it, so that parsers that recurse have as little to recurse into as possible.

use super::expand::{Piece, expand};
use super::walk::walk;
use super::{Key, smt_name, smt_sort};
use crate::{Pool, TermId};
use rustc_hash::FxHashMap;
use std::fmt;

/// Boolean terms as a complete SMT-LIB 2 script; its text is its `Display`.
pub struct SmtScript<'a> {
    pool: &'a Pool,
    roots: Vec<TermId>,
}

impl Pool {
    /// A script that asks whether these Boolean terms hold together.
    pub fn smtlib(&self, roots: &[TermId]) -> SmtScript<'_> {
        SmtScript { pool: self, roots: roots.to_vec() }
    }
}

impl fmt::Display for SmtScript<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plan = Plan::new(self.pool, &self.roots);
        writeln!(f, "(set-logic {})", if plan.floats { "QF_BVFP" } else { "QF_BV" })?;
        for (name, sort) in &plan.constants {
            writeln!(f, "(declare-const {name} {sort})")?;
        }
        f.write_str("(assert ")?;
        for level in &plan.levels {
            f.write_str("(let (")?;
            for &key in level {
                write!(f, "({} ", key.name())?;
                plan.write(f, expand(self.pool, key).pieces)?;
                f.write_str(")")?;
            }
            f.write_str(")\n")?;
        }
        plan.write_conjunction(f, &self.roots)?;
        writeln!(f, "{})", ")".repeat(plan.levels.len()))?;
        f.write_str("(check-sat)\n")
    }
}

/// What is shared, what is declared, and in which order.
struct Plan<'a> {
    pool: &'a Pool,
    /// A float is used as a value somewhere.
    floats: bool,
    constants: Vec<(String, String)>,
    /// The fresh constants, whose side conditions are asserted too.
    sides: Vec<Key>,
    /// How deep each shared text is, from 1; what is not shared has the depth of its operands.
    depth: FxHashMap<Key, usize>,
    uses: FxHashMap<Key, u32>,
    levels: Vec<Vec<Key>>,
}

impl<'a> Plan<'a> {
    fn new(pool: &'a Pool, roots: &[TermId]) -> Plan<'a> {
        let mut plan = Plan {
            pool,
            floats: false,
            constants: Vec::new(),
            sides: Vec::new(),
            depth: FxHashMap::default(),
            uses: FxHashMap::default(),
            levels: Vec::new(),
        };
        let mut order = Vec::new();
        walk(
            pool,
            roots.iter().copied().map(Key::value),
            |_| false,
            |key, expansion| {
                plan.declare(key, expansion.side.is_some());
                for operand in expansion.operands() {
                    *plan.uses.entry(operand).or_default() += 1;
                }
                if !expansion.atom {
                    order.push(key);
                }
            },
        );
        for &root in roots {
            *plan.uses.entry(Key::value(root)).or_default() += 1;
        }
        for key in order {
            plan.place(key);
        }
        plan
    }

    fn declare(&mut self, key: Key, fresh: bool) {
        let sort = self.pool.sort(key.term);
        let is_value = key.is_float_value(self.pool);
        self.floats |= is_value;
        if fresh {
            self.constants.push((key.name(), smt_sort(sort)));
            self.sides.push(key);
        } else if let Some(symbol) = self.pool.as_symbol(key.term)
            && !is_value
        {
            self.constants.push((smt_name(self.pool, symbol), smt_sort(sort)));
        }
    }

    /// Gives a text its level, after its operands got theirs.
    fn place(&mut self, key: Key) {
        let depth = |operand| self.depth.get(&operand).copied().unwrap_or(0);
        let mut level = expand(self.pool, key).operands().map(depth).max().unwrap_or(0);
        if self.is_shared(key) {
            if self.levels.len() == level {
                self.levels.push(Vec::new());
            }
            self.levels[level].push(key);
            level += 1;
        }
        self.depth.insert(key, level);
    }

    fn is_shared(&self, key: Key) -> bool {
        self.uses.get(&key).is_some_and(|&uses| uses > 1)
    }

    fn write_conjunction(&self, f: &mut fmt::Formatter<'_>, roots: &[TermId]) -> fmt::Result {
        let roots = roots.iter().map(|&root| vec![Piece::Operand(Key::value(root))]);
        let sides = self.sides.iter().filter_map(|&key| expand(self.pool, key).side);
        let conjuncts: Vec<_> = roots.chain(sides).collect();
        let (open, close) = match conjuncts.len() {
            0 => ("true", ""),
            1 => ("", ""),
            _ => ("(and", ")"),
        };
        f.write_str(open)?;
        for conjunct in conjuncts {
            f.write_str(if close.is_empty() { "" } else { "\n " })?;
            self.write(f, conjunct)?;
        }
        f.write_str(close)
    }

    /// Writes a text, the shared ones below it by name.
    fn write(&self, f: &mut fmt::Formatter<'_>, mut pieces: Vec<Piece>) -> fmt::Result {
        pieces.reverse();
        while let Some(piece) = pieces.pop() {
            match piece {
                Piece::Text(text) => f.write_str(&text)?,
                Piece::Operand(key) => {
                    let inner = expand(self.pool, key);
                    if !inner.atom && self.is_shared(key) {
                        f.write_str(&key.name())?;
                    } else {
                        pieces.extend(inner.pieces.into_iter().rev());
                    }
                }
            }
        }
        Ok(())
    }
}
