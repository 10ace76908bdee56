//! Rules for `Not` and `And`.
//!
//! Conjunctions are neither flattened nor reordered beyond the order of two operands: path
//! conditions share their prefixes and must go on doing so. A rule sees the two conjuncts and, one
//! level down, theirs.

use super::Rule;
use super::pattern::{both_ways, literal, operand, operands, opposite};
use super::relation::{decides, intersect_outcomes, intersect_values};
use crate::{Node, Op, Pool, TermId};

pub(super) const NOT: &[Rule] = &[Rule { name: "boolean/not-not", apply: not_not }];

pub(super) const AND: &[Rule] = &[
    Rule { name: "boolean/and-unit", apply: and_unit },
    Rule { name: "boolean/and-zero", apply: and_zero },
    Rule { name: "boolean/and-same", apply: and_same },
    Rule { name: "boolean/and-opposite", apply: and_opposite },
    Rule { name: "boolean/and-implied", apply: and_implied },
    Rule { name: "boolean/and-refuted", apply: and_refuted },
    Rule { name: "boolean/and-drop-implied", apply: and_drop_implied },
    Rule { name: "boolean/and-cases", apply: and_cases },
    Rule { name: "boolean/and-one-comparison", apply: and_one_comparison },
    Rule { name: "boolean/and-one-bound", apply: and_one_bound },
];

/// match: `!!a`
/// result: `a`
/// side condition: none
fn not_not(pool: &mut Pool, node: Node) -> Option<TermId> {
    operand(pool, node.arg(0), Op::Not)
}

/// match: `a && true`
/// result: `a`
/// side condition: none
fn and_unit(_: &mut Pool, node: Node) -> Option<TermId> {
    (node.arg(1) == Pool::TRUE).then(|| node.arg(0))
}

/// match: `a && false`
/// result: `false`
/// side condition: none
fn and_zero(_: &mut Pool, node: Node) -> Option<TermId> {
    (node.arg(1) == Pool::FALSE).then_some(Pool::FALSE)
}

/// match: `a && a`
/// result: `a`
/// side condition: none
fn and_same(_: &mut Pool, node: Node) -> Option<TermId> {
    (node.arg(0) == node.arg(1)).then(|| node.arg(0))
}

/// match: `a && !a`
/// result: `false`
/// side condition: none
fn and_opposite(pool: &mut Pool, node: Node) -> Option<TermId> {
    opposite(pool, node.arg(0), node.arg(1)).then_some(Pool::FALSE)
}

/// match: `a && b`
/// result: `a`
/// side condition: `a` implies `b` at a glance: `b` is a conjunct of `a`, or `!(!a && c)`, or both
/// compare the same terms (`a < b` and `!(a == b)`, `x < 5` and `x < 7`, `x == 3` and `x < 7`)
fn and_implied(pool: &mut Pool, node: Node) -> Option<TermId> {
    let implied = |&(a, b): &(TermId, TermId)| decides(pool, a, b) == Some(true);
    both_ways(node).into_iter().find(implied).map(|(a, _)| a)
}

/// match: `a && b`
/// result: `false`
/// side condition: `a` implies `!b` at a glance: `!a` is a conjunct of `b`, or both compare the same
/// terms (`a < b` and `b < a`, `x == 3` and `x == 4`, `x < 5` and `!(x < 7)`)
fn and_refuted(pool: &mut Pool, node: Node) -> Option<TermId> {
    let refuted = |(a, b)| decides(pool, a, b) == Some(false);
    both_ways(node).into_iter().any(refuted).then_some(Pool::FALSE)
}

/// match: `a && (b && c)`, `a && !(b && c)`
/// result: `a && c`, `a && !c`
/// side condition: `a` implies `b` at a glance; repeated down conjunctions and negations
fn and_drop_implied(pool: &mut Pool, node: Node) -> Option<TermId> {
    both_ways(node).into_iter().find_map(|(a, b)| {
        let rest = without_implied(pool, a, b)?;
        Some(pool.and(a, rest))
    })
}

/// match: `!(a && b) && !(a && !b)`
/// result: `!a`
/// side condition: none
fn and_cases(pool: &mut Pool, node: Node) -> Option<TermId> {
    let first = operands(pool, operand(pool, node.arg(0), Op::Not)?, Op::And)?;
    let second = operands(pool, operand(pool, node.arg(1), Op::Not)?, Op::And)?;
    for (a, b) in [(first[0], first[1]), (first[1], first[0])] {
        for (c, d) in [(second[0], second[1]), (second[1], second[0])] {
            if a == c && opposite(pool, b, d) {
                return Some(pool.not(a));
            }
        }
    }
    None
}

/// match: `p && q`, comparisons of the same two terms
/// result: the one comparison they amount to: `!(a < b) && !(a == b)` is `b < a`
/// side condition: the outcomes common to both are those of one comparison or of its negation
fn and_one_comparison(pool: &mut Pool, node: Node) -> Option<TermId> {
    intersect_outcomes(pool, node.arg(0), node.arg(1))
}

/// match: `p && q`, comparisons of one term with constants
/// result: the one comparison they amount to: `x < 5 && !(x == 4)` is `x < 4`
/// side condition: the values common to both are those of one comparison or of its negation
fn and_one_bound(pool: &mut Pool, node: Node) -> Option<TermId> {
    intersect_values(pool, node.arg(0), node.arg(1))
}

/// What is left of `whole` without the conjuncts that `fact` implies, if any is, looking through
/// negations: where `fact` holds they are true, however deep.
///
/// A loop and not a recursion of rules: conditions of nested branches get a million deep.
fn without_implied(pool: &mut Pool, fact: TermId, whole: TermId) -> Option<TermId> {
    let implied = |pool: &Pool, part| decides(pool, fact, part) == Some(true);
    let (mut rest, mut holds) = literal(pool, whole);
    let mut dropped = false;
    while let Some([p, q]) = operands(pool, rest, Op::And) {
        let left = match (implied(pool, p), implied(pool, q)) {
            (true, _) => q,
            (_, true) => p,
            _ => break,
        };
        dropped = true;
        let (base, positive) = literal(pool, left);
        (rest, holds) = (base, holds == positive);
    }
    let left = if holds { rest } else { pool.not(rest) };
    // A conjunction that only lost what it shares with `fact` is built anew as itself.
    (dropped && rest != whole).then_some(left)
}
