//! Text with nested `let`s for what it uses more than once.
//!
//! The `let`s are nested by level, not by text: a level binds every shared text that needs only the
//! levels around it, so that parsers that recurse have as little to recurse into as possible.
//!
//! Names from outside may be used, too. One that is used more than once is bound to itself: a name
//! in a text costs z3 4.8 a walk over everything that it stands for, a bound one costs nothing.

use super::Key;
use super::expand::{Expansion, Piece, expand};
use super::walk::walk;
use crate::Pool;
use rustc_hash::FxHashMap;
use std::fmt;

/// Where a text will stand.
#[derive(Clone, Copy)]
pub(super) struct Within<'a> {
    pub(super) pool: &'a Pool,
    /// Does this text have a name there?
    pub(super) named: &'a dyn Fn(Key) -> bool,
    /// Side conditions are part of the text.
    pub(super) sides: bool,
}

impl Within<'_> {
    /// As [`expand`], but what has a name is that name.
    fn expand(&self, key: Key) -> Expansion {
        if (self.named)(key) {
            let name = Piece::Text(key.name().into());
            return Expansion { pieces: vec![name], atom: false, side: None };
        }
        let mut expansion = expand(self.pool, key);
        if !self.sides {
            expansion.side = None;
        }
        expansion
    }
}

/// What a text shares with itself.
pub(super) struct Sharing<'a> {
    within: Within<'a>,
    uses: FxHashMap<Key, u32>,
    /// How many levels a text needs around it.
    depth: FxHashMap<Key, usize>,
    levels: Vec<Vec<Key>>,
}

impl<'a> Sharing<'a> {
    /// Plans the text of these roots together; `visit` sees all it is made of, operands first.
    pub(super) fn new(
        within: Within<'a>,
        roots: &[Key],
        mut visit: impl FnMut(Key, &Expansion),
    ) -> Sharing<'a> {
        let mut sharing = Sharing {
            within,
            uses: FxHashMap::default(),
            depth: FxHashMap::default(),
            levels: Vec::new(),
        };
        let mut order = Vec::new();
        let enter = |key| within.expand(key);
        walk(
            enter,
            roots.iter().copied(),
            |_| false,
            |key, expansion| {
                visit(key, &expansion);
                for operand in expansion.operands() {
                    *sharing.uses.entry(operand).or_default() += 1;
                }
                if !expansion.atom {
                    order.push(key);
                }
            },
        );
        for &root in roots {
            *sharing.uses.entry(root).or_default() += 1;
        }
        for key in order {
            sharing.place(key);
        }
        sharing
    }

    /// Gives a text its level, after its operands got theirs.
    fn place(&mut self, key: Key) {
        let depth = |operand| self.depth.get(&operand).copied().unwrap_or(0);
        let expansion = self.within.expand(key);
        let mut level = expansion.operands().map(depth).max().unwrap_or(0);
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

    /// Writes the conjunction of texts, or the text itself if it is one, inside the `let`s.
    pub(super) fn write(&self, out: &mut dyn fmt::Write, texts: Vec<Vec<Piece>>) -> fmt::Result {
        for level in &self.levels {
            out.write_str("(let (")?;
            for &key in level {
                write!(out, "({} ", key.name())?;
                self.write_pieces(out, self.within.expand(key).pieces)?;
                out.write_str(")")?;
            }
            out.write_str(")\n")?;
        }
        let (open, before, close) = match texts.len() {
            0 => ("true", "", ""),
            1 => ("", "", ""),
            _ => ("(and", "\n ", ")"),
        };
        out.write_str(open)?;
        for text in texts {
            out.write_str(before)?;
            self.write_pieces(out, text)?;
        }
        write!(out, "{close}{}", ")".repeat(self.levels.len()))
    }

    /// Writes a text, the shared ones below it by name.
    fn write_pieces(&self, out: &mut dyn fmt::Write, mut pieces: Vec<Piece>) -> fmt::Result {
        pieces.reverse();
        while let Some(piece) = pieces.pop() {
            match piece {
                Piece::Text(text) => out.write_str(&text)?,
                Piece::Operand(key) => {
                    let inner = self.within.expand(key);
                    if !inner.atom && self.is_shared(key) {
                        out.write_str(&key.name())?;
                    } else {
                        pieces.extend(inner.pieces.into_iter().rev());
                    }
                }
            }
        }
        Ok(())
    }
}
