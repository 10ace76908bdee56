//! Infix text for people, in Java's syntax where Java has one.
//!
//! Here is the walk: which subterms are named, in which order text comes out. What one node looks
//! like is `infix/shape.rs`, what a value looks like is `infix/literal.rs`. Nothing reads this text
//! back.
//!
//! A subterm that is used more than once and is not small is written once, in a tail:
//! `t1 && x < t2 where t1 = ..., t2 = ...`, so the text is linear in the DAG.
//!
//! Invariant: no recursion; a term of any depth is shown on any stack.

mod literal;
mod shape;

pub(crate) use literal::literal;

use crate::{Pool, PostOrder, TermId};
use rustc_hash::FxHashMap;
use shape::{Piece, Shape, Use, shape};
use std::collections::VecDeque;
use std::fmt;

/// Shared terms with at most this many nodes are written out at each use: a name would be longer.
const SMALL: u32 = 5;

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
        let mut names = Names::new(self.pool, self.term);
        let root = Use::of(self.pool, self.term);
        write_shape(f, &mut names, shape(self.pool, root))?;
        let mut joint = " where ";
        while let Some((name, definition)) = names.waiting.pop_front() {
            write!(f, "{joint}{}{name} = ", names.prefix)?;
            write_shape(f, &mut names, shape(self.pool, definition))?;
            joint = ", ";
        }
        Ok(())
    }
}

/// Writes one expression; the named terms it meets are put on the waiting list.
fn write_shape(f: &mut fmt::Formatter<'_>, names: &mut Names<'_>, whole: Shape) -> fmt::Result {
    let mut pieces = whole.pieces;
    pieces.reverse();
    while let Some(piece) = pieces.pop() {
        match piece {
            Piece::Text(text) => f.write_str(text)?,
            Piece::Word(word) => f.write_str(&word)?,
            Piece::Operand(operand, least) => match names.mention(operand) {
                Some(name) if name.negated => write!(f, "!{}{}", names.prefix, name.number)?,
                Some(name) => write!(f, "{}{}", names.prefix, name.number)?,
                None => {
                    let inner = shape(names.pool, operand);
                    let parentheses = inner.precedence < least;
                    if parentheses {
                        f.write_str("(")?;
                        pieces.push(Piece::Text(")"));
                    }
                    pieces.extend(inner.pieces.into_iter().rev());
                }
            },
        }
    }
    Ok(())
}

/// A term that gets a name.
struct Named {
    /// The name stands for the negation, because every use is negated.
    negated: bool,
    /// Numbers are given in the order in which the text mentions the names.
    number: Option<usize>,
}

/// A name in the text.
struct Mention {
    number: usize,
    negated: bool,
}

/// Which terms are named, and which of the names still lack their definition.
struct Names<'a> {
    pool: &'a Pool,
    /// Begins every name and no symbol.
    prefix: String,
    named: FxHashMap<TermId, Named>,
    given: usize,
    waiting: VecDeque<(usize, Use)>,
}

impl<'a> Names<'a> {
    fn new(pool: &'a Pool, root: TermId) -> Names<'a> {
        let mut sizes: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut symbols = Vec::new();
        for term in PostOrder::new(pool, [root]) {
            let below = pool.node(term).args().fold(1_u32, |sum, operand| {
                sum.saturating_add(sizes.get(&operand).copied().unwrap_or(0))
            });
            sizes.insert(term, below);
            symbols.extend(pool.as_symbol(term));
        }
        let mut prefix = String::from("t");
        let taken = |prefix: &str| {
            symbols.iter().any(|&symbol| is_numbered(pool.symbol_name(symbol), prefix))
        };
        while taken(&prefix) {
            prefix.push('_');
        }
        let named = count_uses(pool, root)
            .into_iter()
            .filter(|(term, uses)| uses.plain + uses.negated > 1 && sizes[term] > SMALL)
            .map(|(term, uses)| (term, Named { negated: uses.plain == 0, number: None }))
            .collect();
        Names { pool, prefix, named, given: 0, waiting: VecDeque::new() }
    }

    /// The name of a term, if it has one.
    fn mention(&mut self, operand: Use) -> Option<Mention> {
        let named = self.named.get_mut(&operand.term)?;
        let number = *named.number.get_or_insert_with(|| {
            self.given += 1;
            self.waiting.push_back((self.given, Use { negated: named.negated, ..operand }));
            self.given
        });
        Some(Mention { number, negated: named.negated != operand.negated })
    }
}

/// Is this `t12`, for the prefix `t`?
fn is_numbered(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix)
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

#[derive(Default)]
struct Uses {
    plain: u32,
    negated: u32,
}

/// How often each term is an operand in the text, written out once each.
fn count_uses(pool: &Pool, root: TermId) -> FxHashMap<TermId, Uses> {
    let mut uses: FxHashMap<TermId, Uses> = FxHashMap::default();
    let mut stack = vec![Use::of(pool, root)];
    while let Some(next) = stack.pop() {
        for piece in shape(pool, next).pieces {
            let Piece::Operand(operand, _) = piece else {
                continue;
            };
            let seen = uses.entry(operand.term).or_insert_with(|| {
                stack.push(operand);
                Uses::default()
            });
            let count = if operand.negated { &mut seen.negated } else { &mut seen.plain };
            *count = count.saturating_add(1);
        }
    }
    uses
}

#[cfg(test)]
mod tests;
