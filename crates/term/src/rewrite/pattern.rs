//! What rules look for in their operands: small questions about a term's top.
//!
//! Invariant: nothing here looks deeper than one operator, so that matching costs the same whatever
//! hangs below. Constants are looked for last, where canonical order puts them.

use crate::{Node, Op, Pool, TermId};

/// The operands of a term with this operator and two operands.
pub(super) fn operands(pool: &Pool, term: TermId, op: Op) -> Option<[TermId; 2]> {
    let node = pool.node(term);
    (node.op == op).then(|| [node.arg(0), node.arg(1)])
}

/// The operand of a term with this operator and one operand.
pub(super) fn operand(pool: &Pool, term: TermId, op: Op) -> Option<TermId> {
    let node = pool.node(term);
    (node.op == op).then(|| node.arg(0))
}

/// What is beside `known` under a commutative operator.
pub(super) fn beside(pool: &Pool, term: TermId, op: Op, known: TermId) -> Option<TermId> {
    match operands(pool, term, op)? {
        [a, rest] | [rest, a] if a == known => Some(rest),
        _ => None,
    }
}

/// The first operand and the constant that is the second.
pub(super) fn right_constant(pool: &Pool, node: Node) -> Option<(TermId, u64)> {
    Some((node.arg(0), pool.bits(node.arg(1))?))
}

/// As [`right_constant`], of a term with this operator.
pub(super) fn with_constant(pool: &Pool, term: TermId, op: Op) -> Option<(TermId, u64)> {
    let [a, b] = operands(pool, term, op)?;
    Some((a, pool.bits(b)?))
}

/// Condition and branches of an ite.
pub(super) fn branches(pool: &Pool, term: TermId) -> Option<[TermId; 3]> {
    let node = pool.node(term);
    (node.op == Op::Ite).then(|| [node.arg(0), node.arg(1), node.arg(2)])
}

/// A truth value without its negation, and whether it was not negated.
pub(super) fn literal(pool: &Pool, term: TermId) -> (TermId, bool) {
    match operand(pool, term, Op::Not) {
        Some(inner) => (inner, false),
        None => (term, true),
    }
}

/// Is one the negation of the other, on truth values?
pub(super) fn opposite(pool: &Pool, a: TermId, b: TermId) -> bool {
    operand(pool, a, Op::Not) == Some(b) || operand(pool, b, Op::Not) == Some(a)
}

/// Is one the complement of the other, on bit-vectors?
pub(super) fn complement(pool: &Pool, a: TermId, b: TermId) -> bool {
    operand(pool, a, Op::BvNot) == Some(b) || operand(pool, b, Op::BvNot) == Some(a)
}

/// The two operands in both orders, for rules of commutative operators.
pub(super) fn both_ways(node: Node) -> [(TermId, TermId); 2] {
    let (a, b) = (node.arg(0), node.arg(1));
    [(a, b), (b, a)]
}

/// Bits of a bit-vector term.
pub(super) fn width(pool: &Pool, term: TermId) -> u8 {
    pool.sort(term).width() as u8
}

/// An ite chain that rules may follow: not too deep to recurse on.
pub(super) fn followable(pool: &Pool, term: TermId) -> bool {
    pool.ite_depth(term) <= Pool::ITE_DEPTH
}
