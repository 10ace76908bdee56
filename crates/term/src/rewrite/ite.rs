//! Rules for `Ite` of every sort, and the one rule that moves an operator into an ite.
//!
//! Ites are what merging and POSE produce in bulk. Rules here merge, drop and swap branches; none
//! copies a branch. Where a chain of decided branches is dropped it is dropped in a loop.

use super::Rule;
use super::pattern::{branches, operand, operands, opposite};
use super::relation::{decides, refuted_decides};
use crate::{Node, Op, Pool, Sort, TermId};

pub(super) const ITE: &[Rule] = &[
    Rule { name: "ite/decided", apply: decided },
    Rule { name: "ite/same-branches", apply: same_branches },
    Rule { name: "ite/negated-condition", apply: negated_condition },
    Rule { name: "ite/then-true", apply: then_true },
    Rule { name: "ite/then-false", apply: then_false },
    Rule { name: "ite/else-true", apply: else_true },
    Rule { name: "ite/else-false", apply: else_false },
    Rule { name: "ite/condition-as-then", apply: condition_as_then },
    Rule { name: "ite/condition-as-else", apply: condition_as_else },
    Rule { name: "ite/opposite-branches", apply: opposite_branches },
    Rule { name: "ite/negated-branches", apply: negated_branches },
    Rule { name: "ite/equal-branches", apply: equal_branches },
    Rule { name: "ite/known-constant", apply: known_constant },
    Rule { name: "ite/decided-branches", apply: decided_branches },
    Rule { name: "ite/merge-else-then", apply: merge_else_then },
    Rule { name: "ite/merge-else-else", apply: merge_else_else },
    Rule { name: "ite/merge-then-else", apply: merge_then_else },
    Rule { name: "ite/merge-then-then", apply: merge_then_then },
];

/// In the table of every operator that has no better rule for an ite of constants.
pub(super) const LIFT_CONSTANTS: Rule = Rule { name: "ite/lift-constants", apply: lift_constants };

/// match: `c ? a : b`
/// result: `a` or `b`
/// side condition: `c` is a constant
fn decided(pool: &mut Pool, node: Node) -> Option<TermId> {
    let condition = pool.bits(node.arg(0))?;
    Some(node.arg(if condition == 1 { 1 } else { 2 }))
}

/// match: `c ? a : a`
/// result: `a`
/// side condition: none
fn same_branches(_: &mut Pool, node: Node) -> Option<TermId> {
    (node.arg(1) == node.arg(2)).then(|| node.arg(1))
}

/// match: `!c ? a : b`
/// result: `c ? b : a`
/// side condition: none
fn negated_condition(pool: &mut Pool, node: Node) -> Option<TermId> {
    let condition = operand(pool, node.arg(0), Op::Not)?;
    Some(pool.ite(condition, node.arg(2), node.arg(1)))
}

/// match: `c ? true : b`
/// result: `c || b`
/// side condition: none
fn then_true(pool: &mut Pool, node: Node) -> Option<TermId> {
    (node.arg(1) == Pool::TRUE).then(|| pool.or(node.arg(0), node.arg(2)))
}

/// match: `c ? false : b`
/// result: `!c && b`
/// side condition: none
fn then_false(pool: &mut Pool, node: Node) -> Option<TermId> {
    (node.arg(1) == Pool::FALSE).then(|| {
        let not_condition = pool.not(node.arg(0));
        pool.and(not_condition, node.arg(2))
    })
}

/// match: `c ? a : true`
/// result: `!c || a`
/// side condition: none
fn else_true(pool: &mut Pool, node: Node) -> Option<TermId> {
    (node.arg(2) == Pool::TRUE).then(|| pool.implies(node.arg(0), node.arg(1)))
}

/// match: `c ? a : false`
/// result: `c && a`
/// side condition: none
fn else_false(pool: &mut Pool, node: Node) -> Option<TermId> {
    (node.arg(2) == Pool::FALSE).then(|| pool.and(node.arg(0), node.arg(1)))
}

/// match: `c ? c : b`, `c ? !c : b`
/// result: `c || b`, `!c && b`
/// side condition: none
fn condition_as_then(pool: &mut Pool, node: Node) -> Option<TermId> {
    let [c, a, b] = [node.arg(0), node.arg(1), node.arg(2)];
    if a == c {
        return Some(pool.or(c, b));
    }
    (operand(pool, a, Op::Not)? == c).then(|| pool.and(a, b))
}

/// match: `c ? a : c`, `c ? a : !c`
/// result: `c && a`, `!c || a`
/// side condition: none
fn condition_as_else(pool: &mut Pool, node: Node) -> Option<TermId> {
    let [c, a, b] = [node.arg(0), node.arg(1), node.arg(2)];
    if b == c {
        return Some(pool.and(c, a));
    }
    (operand(pool, b, Op::Not)? == c).then(|| pool.implies(c, a))
}

/// match: `c ? a : !a`
/// result: `c == a`
/// side condition: none
fn opposite_branches(pool: &mut Pool, node: Node) -> Option<TermId> {
    opposite(pool, node.arg(1), node.arg(2)).then(|| pool.eq(node.arg(0), node.arg(1)))
}

/// match: `c ? !a : !b`
/// result: `!(c ? a : b)`
/// side condition: none
fn negated_branches(pool: &mut Pool, node: Node) -> Option<TermId> {
    let a = operand(pool, node.arg(1), Op::Not)?;
    let b = operand(pool, node.arg(2), Op::Not)?;
    let either = pool.ite(node.arg(0), a, b);
    Some(pool.not(either))
}

/// match: `a == b ? a : b`, `a == b ? b : a`
/// result: `b`, `a`
/// side condition: none (equality is of bits, so this holds of floats too)
fn equal_branches(pool: &mut Pool, node: Node) -> Option<TermId> {
    let [x, y] = operands(pool, node.arg(0), Op::Eq)?;
    let (a, b) = (node.arg(1), node.arg(2));
    ((a, b) == (x, y) || (b, a) == (x, y)).then_some(b)
}

/// match: `x == k ? x : b`
/// result: `x == k ? k : b`
/// side condition: `k` is a constant, `x` is not
fn known_constant(pool: &mut Pool, node: Node) -> Option<TermId> {
    let [x, k] = operands(pool, node.arg(0), Op::Eq)?;
    let applies = x == node.arg(1) && pool.bits(k).is_some() && pool.bits(x).is_none();
    applies.then(|| pool.ite(node.arg(0), k, node.arg(2)))
}

/// match: `c ? (d ? a : b) : e`, `c ? e : (d ? a : b)`
/// result: `c ? a : e` or `c ? b : e`; `c ? e : a` or `c ? e : b`
/// side condition: `c` (in the else branch: `!c`) decides `d` at a glance; repeated down the chain
fn decided_branches(pool: &mut Pool, node: Node) -> Option<TermId> {
    let [c, a, b] = [node.arg(0), node.arg(1), node.arg(2)];
    let then = skip_decided(pool, a, |pool, d| decides(pool, c, d));
    let otherwise = skip_decided(pool, b, |pool, d| refuted_decides(pool, c, d));
    ((then, otherwise) != (a, b)).then(|| pool.ite(c, then, otherwise))
}

/// The branch that is left when conditions are decided from outside.
fn skip_decided(
    pool: &Pool,
    mut branch: TermId,
    decide: impl Fn(&Pool, TermId) -> Option<bool>,
) -> TermId {
    while let Some([d, a, b]) = branches(pool, branch) {
        match decide(pool, d) {
            Some(true) => branch = a,
            Some(false) => branch = b,
            None => break,
        }
    }
    branch
}

/// match: `c ? a : (d ? a : b)`
/// result: `!c && !d ? b : a`
/// side condition: none
fn merge_else_then(pool: &mut Pool, node: Node) -> Option<TermId> {
    let [c, a] = [node.arg(0), node.arg(1)];
    let [d, _, b] = branches(pool, node.arg(2)).filter(|inner| inner[1] == a)?;
    let either = pool.or(c, d);
    Some(pool.ite(either, a, b))
}

/// match: `c ? a : (d ? b : a)`
/// result: `!c && d ? b : a`
/// side condition: none
fn merge_else_else(pool: &mut Pool, node: Node) -> Option<TermId> {
    let [c, a] = [node.arg(0), node.arg(1)];
    let [d, b, _] = branches(pool, node.arg(2)).filter(|inner| inner[2] == a)?;
    let not_c = pool.not(c);
    let second = pool.and(not_c, d);
    Some(pool.ite(second, b, a))
}

/// match: `c ? (d ? a : b) : b`
/// result: `c && d ? a : b`
/// side condition: none
fn merge_then_else(pool: &mut Pool, node: Node) -> Option<TermId> {
    let [c, b] = [node.arg(0), node.arg(2)];
    let [d, a, _] = branches(pool, node.arg(1)).filter(|inner| inner[2] == b)?;
    let both = pool.and(c, d);
    Some(pool.ite(both, a, b))
}

/// match: `c ? (d ? b : a) : b`
/// result: `c && !d ? a : b`
/// side condition: none
fn merge_then_then(pool: &mut Pool, node: Node) -> Option<TermId> {
    let [c, b] = [node.arg(0), node.arg(2)];
    let [d, _, a] = branches(pool, node.arg(1)).filter(|inner| inner[1] == b)?;
    let not_d = pool.not(d);
    let first = pool.and(c, not_d);
    Some(pool.ite(first, a, b))
}

/// match: `f(c ? k1 : k2)`, `f(c ? k1 : k2, k)`, `f(k, c ? k1 : k2)`
/// result: `c ? f(k1) : f(k2)` and so on, the applications folded
/// side condition: `k`, `k1`, `k2` are constants
fn lift_constants(pool: &mut Pool, node: Node) -> Option<TermId> {
    let mut variable = None;
    for (position, operand) in node.args().enumerate() {
        if pool.bits(operand).is_none() && variable.replace(position).is_some() {
            return None;
        }
    }
    let position = variable?;
    let [c, a, b] = branches(pool, node.arg(position))?;
    if pool.bits(a).is_none() || pool.bits(b).is_none() {
        return None;
    }
    let (then, otherwise) = (with(pool, node, position, a), with(pool, node, position, b));
    Some(pool.ite(c, then, otherwise))
}

/// The node with one operand replaced.
fn with(pool: &mut Pool, node: Node, position: usize, operand: TermId) -> TermId {
    let mut args: [TermId; 3] = [operand; 3];
    for (slot, arg) in args.iter_mut().zip(node.args()) {
        *slot = arg;
    }
    args[position] = operand;
    pool.apply(node.op, node.sort, &args[..node.op.arity()])
}

/// A term that is `k` where a condition holds and zero where it does not: the condition and `k`.
pub(super) fn as_flag(pool: &mut Pool, term: TermId) -> Option<(TermId, TermId)> {
    if !matches!(pool.sort(term), Sort::BitVec(_)) {
        return None;
    }
    let [c, a, b] = branches(pool, term)?;
    match (pool.bits(a)?, pool.bits(b)?) {
        (_, 0) => Some((c, a)),
        (0, _) => {
            let not_c = pool.not(c);
            Some((not_c, b))
        }
        _ => None,
    }
}
