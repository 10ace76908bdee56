//! Rules for `Slt` and `Ult`: one table for both, the operator says which order is meant.
//!
//! A comparison with a constant has it on the right: `c < x` is `!(x < c + 1)`. So the two ways to
//! write one bound are one term, and a bound and its opposite are seen to be opposite.

use super::Rule;
use super::ite::LIFT_CONSTANTS;
use super::pattern::{branches, followable, operand, right_constant, width, with_constant};
use super::polynomial::less;
use crate::{Node, Op, Pool, Sort, TermId, semantics};

pub(super) const ORDER: &[Rule] = &[
    Rule { name: "comparison/same", apply: same },
    Rule { name: "comparison/constant-left", apply: constant_left },
    Rule { name: "comparison/least", apply: least },
    Rule { name: "comparison/above-least", apply: above_least },
    Rule { name: "comparison/greatest", apply: greatest },
    LIFT_CONSTANTS,
    Rule { name: "comparison/sign-extension-constant", apply: sign_extension_constant },
    Rule { name: "comparison/zero-extension-constant", apply: zero_extension_constant },
    Rule { name: "comparison/sign-extensions", apply: sign_extensions },
    Rule { name: "comparison/zero-extensions", apply: zero_extensions },
    Rule { name: "comparison/in-range", apply: in_range },
    Rule { name: "comparison/ite-constant", apply: ite_constant },
    Rule { name: "comparison/ite-branch", apply: ite_branch },
    Rule { name: "comparison/polynomial", apply: less },
];

/// The bits of a value, moved so that the node's order is the order of unsigned numbers.
fn position(op: Op, sort: Sort, bits: u64) -> u64 {
    if op == Op::Slt { bits ^ 1 << (sort.width() - 1) } else { bits }
}

fn compare(pool: &mut Pool, op: Op, a: TermId, b: TermId) -> TermId {
    if op == Op::Slt { pool.slt(a, b) } else { pool.ult(a, b) }
}

/// match: `a < a`
/// result: `false`
/// side condition: none
fn same(_: &mut Pool, node: Node) -> Option<TermId> {
    (node.arg(0) == node.arg(1)).then_some(Pool::FALSE)
}

/// match: `c < x`
/// result: `!(x < c + 1)`, or `false` when `c` is the greatest value
/// side condition: `c` is a constant
fn constant_left(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, c) = (node.arg(1), pool.bits(node.arg(0))?);
    let sort = pool.sort(x);
    if position(node.op, sort, c) == sort.mask() {
        return Some(Pool::FALSE);
    }
    let above = pool.constant(sort, c.wrapping_add(1));
    let below = compare(pool, node.op, x, above);
    Some(pool.not(below))
}

/// match: `x < c`
/// result: `false`
/// side condition: `c` is the least value
fn least(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, c) = right_constant(pool, node)?;
    (position(node.op, pool.sort(x), c) == 0).then_some(Pool::FALSE)
}

/// match: `x < c`
/// result: `x == c - 1`
/// side condition: `c - 1` is the least value
fn above_least(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, c) = right_constant(pool, node)?;
    let sort = pool.sort(x);
    if position(node.op, sort, c) != 1 {
        return None;
    }
    let least = pool.constant(sort, c.wrapping_sub(1));
    Some(pool.eq(x, least))
}

/// match: `x < c`
/// result: `!(x == c)`
/// side condition: `c` is the greatest value
fn greatest(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, c) = right_constant(pool, node)?;
    let sort = pool.sort(x);
    (position(node.op, sort, c) == sort.mask()).then(|| pool.ne(x, node.arg(1)))
}

/// match: `sign_extend(x) < k`
/// result: `x <` the least value whose extension is not below `k`, or `true` when there is none
/// side condition: `k` is a constant
fn sign_extension_constant(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (a, k) = right_constant(pool, node)?;
    let x = operand(pool, a, Op::SignExtend)?;
    let (narrow, wide) = (pool.sort(x), pool.sort(a));
    let below = |bits: u64| {
        let extended = semantics::apply(Op::SignExtend, wide, narrow, [bits, 0, 0]);
        position(node.op, wide, extended) < position(node.op, wide, k)
    };
    let greatest = position(node.op, narrow, narrow.mask());
    if below(greatest) {
        return Some(Pool::TRUE);
    }
    // Extension keeps both orders, so the bound is `k` itself or, where `k` is in no extension's
    // reach, the edge of the reach that it lies at.
    let low = k & narrow.mask();
    let reached = semantics::apply(Op::SignExtend, wide, narrow, [low, 0, 0]) == k;
    let bound = match node.op {
        _ if reached => low,
        Op::Slt => return Some(Pool::FALSE),
        _ => 1 << (narrow.width() - 1),
    };
    let bound = pool.constant(narrow, bound);
    Some(compare(pool, node.op, x, bound))
}

/// match: `zero_extend(x) < k`
/// result: unsigned `x < k`, or `true` or `false` when `k` is beyond the values of `x`
/// side condition: `k` is a constant
fn zero_extension_constant(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (a, k) = right_constant(pool, node)?;
    let x = operand(pool, a, Op::ZeroExtend)?;
    let (narrow, wide) = (pool.sort(x), pool.sort(a));
    if node.op == Op::Slt && semantics::signed(wide, k) <= 0 {
        return Some(Pool::FALSE);
    }
    if k > narrow.mask() {
        return Some(Pool::TRUE);
    }
    let bound = pool.constant(narrow, k);
    Some(pool.ult(x, bound))
}

/// match: `sign_extend(x) < sign_extend(y)`
/// result: `x < y` in the same order, the narrower extended to the width of the wider
/// side condition: none
fn sign_extensions(pool: &mut Pool, node: Node) -> Option<TermId> {
    let x = operand(pool, node.arg(0), Op::SignExtend)?;
    let y = operand(pool, node.arg(1), Op::SignExtend)?;
    let wider = width(pool, x).max(width(pool, y));
    let (x, y) = (pool.sign_extend(x, wider), pool.sign_extend(y, wider));
    Some(compare(pool, node.op, x, y))
}

/// match: `zero_extend(x) < zero_extend(y)`
/// result: unsigned `x < y`, the narrower extended to the width of the wider
/// side condition: none
fn zero_extensions(pool: &mut Pool, node: Node) -> Option<TermId> {
    let x = operand(pool, node.arg(0), Op::ZeroExtend)?;
    let y = operand(pool, node.arg(1), Op::ZeroExtend)?;
    let wider = width(pool, x).max(width(pool, y));
    let (x, y) = (pool.zero_extend(x, wider), pool.zero_extend(y, wider));
    Some(pool.ult(x, y))
}

/// match: `x < k`
/// result: `true`, or `false` for a signed `k` that is not positive
/// side condition: `k` is a constant beyond what the top operator of `x` can give (a mask, a logical
/// shift, an unsigned remainder), which for the signed order is not negative
fn in_range(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, k) = right_constant(pool, node)?;
    let sort = pool.sort(x);
    let highest = highest(pool, x)?;
    if node.op == Op::Ult {
        return (highest < k).then_some(Pool::TRUE);
    }
    if highest > sort.mask() >> 1 {
        return None;
    }
    let signed = semantics::signed(sort, k);
    if signed <= 0 {
        return Some(Pool::FALSE);
    }
    (highest < k).then_some(Pool::TRUE)
}

/// The greatest unsigned value that the top operator lets a term have, when it bounds it.
pub(super) fn highest(pool: &Pool, term: TermId) -> Option<u64> {
    let mask = pool.sort(term).mask();
    if let Some((_, c)) = with_constant(pool, term, Op::BvAnd) {
        Some(c)
    } else if let Some((_, n)) = with_constant(pool, term, Op::LShr) {
        Some(if n < 64 { mask >> n } else { 0 })
    } else if let Some((_, c)) = with_constant(pool, term, Op::URem) {
        c.checked_sub(1)
    } else {
        None
    }
}

/// match: `(c ? j : b) < k`, `(c ? a : j) < k`
/// result: `c || b < k` when `j < k`, else `!c && b < k`; `!c || a < k`, `c && a < k`
/// side condition: `j` and `k` are constants, the chain is not deeper than `Pool::ITE_DEPTH`
fn ite_constant(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (chain, k) = (node.arg(0), node.arg(1));
    pool.bits(k)?;
    let [c, a, b] = branches(pool, chain).filter(|_| followable(pool, chain))?;
    if pool.bits(a).is_none() && pool.bits(b).is_none() {
        return None;
    }
    let then = compare(pool, node.op, a, k);
    let otherwise = compare(pool, node.op, b, k);
    Some(pool.ite(c, then, otherwise))
}

/// match: `(c ? a : b) < a`, `(c ? a : b) < b`, `a < (c ? a : b)`, `b < (c ? a : b)`
/// result: `!c && b < a`, `c && a < b`, `!c && a < b`, `c && b < a`
/// side condition: the chain is not deeper than `Pool::ITE_DEPTH`
fn ite_branch(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (first, second) = (node.arg(0), node.arg(1));
    let (chain, other) =
        if branches(pool, first).is_some_and(|[_, a, b]| second == a || second == b) {
            (first, second)
        } else {
            (second, first)
        };
    let [c, a, b] = branches(pool, chain).filter(|_| followable(pool, chain))?;
    if other != a && other != b {
        return None;
    }
    let mut against = |branch| {
        let (a, b) = if chain == first { (branch, other) } else { (other, branch) };
        compare(pool, node.op, a, b)
    };
    let (then, otherwise) = (against(a), against(b));
    Some(pool.ite(c, then, otherwise))
}
