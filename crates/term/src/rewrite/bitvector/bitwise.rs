//! Rules for `BvNot`, `BvAnd`, `BvOr` and `BvXor`.

use crate::rewrite::Rule;
use crate::rewrite::ite::{LIFT_CONSTANTS, as_flag};
use crate::rewrite::pattern::{
    beside, both_ways, complement, operand, operands, right_constant, width, with_constant,
};
use crate::{Node, Op, Pool, TermId, semantics};

pub(in crate::rewrite) const NOT: &[Rule] = &[
    Rule { name: "bitvector/not-not", apply: not_not },
    Rule { name: "bitvector/not-negation", apply: not_negation },
    Rule { name: "bitvector/not-sum-constant", apply: not_sum_constant },
    Rule { name: "bitvector/not-xor-constant", apply: not_xor_constant },
    LIFT_CONSTANTS,
];

pub(in crate::rewrite) const AND: &[Rule] = &[
    Rule { name: "bitvector/and-zero", apply: and_zero },
    Rule { name: "bitvector/and-ones", apply: and_ones },
    Rule { name: "bitvector/and-same", apply: lattice_same },
    Rule { name: "bitvector/and-complement", apply: and_complement },
    Rule { name: "bitvector/gather-constants", apply: gather_constants },
    Rule { name: "bitvector/absorb-repeated", apply: absorb_repeated },
    Rule { name: "bitvector/absorb-dual", apply: absorb_dual },
    Rule { name: "bitvector/and-extension", apply: and_extension },
    Rule { name: "bitvector/and-low-mask", apply: and_low_mask },
    Rule { name: "bitvector/extensions", apply: extensions },
    Rule { name: "bitvector/constant-outermost", apply: constant_outermost },
    Rule { name: "bitvector/flags", apply: flags },
    LIFT_CONSTANTS,
];

pub(in crate::rewrite) const OR: &[Rule] = &[
    Rule { name: "bitvector/or-zero", apply: or_zero },
    Rule { name: "bitvector/or-ones", apply: or_ones },
    Rule { name: "bitvector/or-same", apply: lattice_same },
    Rule { name: "bitvector/or-complement", apply: or_complement },
    Rule { name: "bitvector/gather-constants", apply: gather_constants },
    Rule { name: "bitvector/absorb-repeated", apply: absorb_repeated },
    Rule { name: "bitvector/absorb-dual", apply: absorb_dual },
    Rule { name: "bitvector/extensions", apply: extensions },
    Rule { name: "bitvector/constant-outermost", apply: constant_outermost },
    Rule { name: "bitvector/flags", apply: flags },
    LIFT_CONSTANTS,
];

pub(in crate::rewrite) const XOR: &[Rule] = &[
    Rule { name: "bitvector/xor-zero", apply: or_zero },
    Rule { name: "bitvector/xor-ones", apply: xor_ones },
    Rule { name: "bitvector/xor-same", apply: xor_same },
    Rule { name: "bitvector/xor-complement", apply: or_complement },
    Rule { name: "bitvector/gather-constants", apply: gather_constants },
    Rule { name: "bitvector/xor-cancel", apply: xor_cancel },
    Rule { name: "bitvector/xor-not-constant", apply: xor_not_constant },
    Rule { name: "bitvector/xor-not", apply: xor_not },
    Rule { name: "bitvector/extensions", apply: extensions },
    Rule { name: "bitvector/constant-outermost", apply: constant_outermost },
    Rule { name: "bitvector/flags", apply: flags },
    LIFT_CONSTANTS,
];

/// match: `~~x`
/// result: `x`
/// side condition: none
fn not_not(pool: &mut Pool, node: Node) -> Option<TermId> {
    operand(pool, node.arg(0), Op::BvNot)
}

/// match: `~-x`
/// result: `x + -1`
/// side condition: none
fn not_negation(pool: &mut Pool, node: Node) -> Option<TermId> {
    let x = operand(pool, node.arg(0), Op::Neg)?;
    let minus_one = pool.constant(node.sort, u64::MAX);
    Some(pool.add(x, minus_one))
}

/// match: `~(x + c)`
/// result: `-x + ~c`
/// side condition: `c` is a constant
fn not_sum_constant(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, c) = with_constant(pool, node.arg(0), Op::Add)?;
    let (negated, c) = (pool.neg(x), pool.constant(node.sort, !c));
    Some(pool.add(negated, c))
}

/// match: `~(x ^ c)`
/// result: `x ^ ~c`
/// side condition: `c` is a constant
fn not_xor_constant(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, c) = with_constant(pool, node.arg(0), Op::BvXor)?;
    let c = pool.constant(node.sort, !c);
    Some(pool.bv_xor(x, c))
}

/// match: `x & 0`
/// result: `0`
/// side condition: none
fn and_zero(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (_, c) = right_constant(pool, node)?;
    (c == 0).then(|| node.arg(1))
}

/// match: `x & -1`
/// result: `x`
/// side condition: none
fn and_ones(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, c) = right_constant(pool, node)?;
    (c == node.sort.mask()).then_some(x)
}

/// match: `x & x`, `x | x`
/// result: `x`
/// side condition: none
fn lattice_same(_: &mut Pool, node: Node) -> Option<TermId> {
    (node.arg(0) == node.arg(1)).then(|| node.arg(0))
}

/// match: `x & ~x`
/// result: `0`
/// side condition: none
fn and_complement(pool: &mut Pool, node: Node) -> Option<TermId> {
    complement(pool, node.arg(0), node.arg(1)).then(|| pool.constant(node.sort, 0))
}

/// match: `(x . c) . d`, one operator of `&`, `|`, `^`
/// result: `x . (c . d)`
/// side condition: `c` and `d` are constants
fn gather_constants(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (inner, d) = right_constant(pool, node)?;
    let (x, c) = with_constant(pool, inner, node.op)?;
    let both = semantics::apply(node.op, node.sort, node.sort, [c, d, 0]);
    let both = pool.constant(node.sort, both);
    Some(pool.apply(node.op, node.sort, &[x, both]))
}

/// match: `x & (x & y)`, `x | (x | y)`
/// result: `x & y`, `x | y`
/// side condition: none
fn absorb_repeated(pool: &mut Pool, node: Node) -> Option<TermId> {
    let repeated = |&(x, inner): &(TermId, TermId)| beside(pool, inner, node.op, x).is_some();
    both_ways(node).into_iter().find(repeated).map(|(_, inner)| inner)
}

/// match: `x & (x | y)`, `x | (x & y)`
/// result: `x`
/// side condition: none
fn absorb_dual(pool: &mut Pool, node: Node) -> Option<TermId> {
    let dual = if node.op == Op::BvAnd { Op::BvOr } else { Op::BvAnd };
    let absorbs = |&(x, inner): &(TermId, TermId)| beside(pool, inner, dual, x).is_some();
    both_ways(node).into_iter().find(absorbs).map(|(x, _)| x)
}

/// match: `zero_extend(x) & c`
/// result: `zero_extend(x & c)`
/// side condition: `c` is a constant
fn and_extension(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (a, c) = right_constant(pool, node)?;
    let x = operand(pool, a, Op::ZeroExtend)?;
    let c = pool.constant(pool.sort(x), c);
    let narrow = pool.bv_and(x, c);
    Some(pool.zero_extend(narrow, node.sort.width() as u8))
}

/// match: `x & (2^n - 1)`
/// result: `zero_extend(` the low `n` bits of `x` `)`
/// side condition: `n` is not 0 and below the width
fn and_low_mask(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, c) = right_constant(pool, node)?;
    let ones = c.trailing_ones();
    if ones == 0 || ones >= node.sort.width() || c >> ones != 0 {
        return None;
    }
    let low = pool.extract(x, ones as u8 - 1, 0);
    Some(pool.zero_extend(low, node.sort.width() as u8))
}

/// match: `zero_extend(x) . zero_extend(y)`, one operator of `&`, `|`, `^`
/// result: `zero_extend(x . y)`
/// side condition: `x` and `y` have one width
fn extensions(pool: &mut Pool, node: Node) -> Option<TermId> {
    let x = operand(pool, node.arg(0), Op::ZeroExtend)?;
    let y = operand(pool, node.arg(1), Op::ZeroExtend)?;
    if width(pool, x) != width(pool, y) {
        return None;
    }
    let narrow = pool.apply(node.op, pool.sort(x), &[x, y]);
    Some(pool.zero_extend(narrow, node.sort.width() as u8))
}

/// match: `(x . c) . y`, one operator of `&`, `|`, `^`
/// result: `(x . y) . c`
/// side condition: `c` is a constant, `y` is not
fn constant_outermost(pool: &mut Pool, node: Node) -> Option<TermId> {
    both_ways(node).into_iter().find_map(|(inner, y)| {
        let [x, c] = operands(pool, inner, node.op)?;
        pool.bits(c)?;
        if pool.bits(y).is_some() {
            return None;
        }
        let variable = pool.apply(node.op, node.sort, &[x, y]);
        Some(pool.apply(node.op, node.sort, &[variable, c]))
    })
}

/// match: `(p ? k : 0) . (q ? k : 0)`, one operator of `&`, `|`, `^`
/// result: `p && q ? k : 0`, `p || q ? k : 0`, `p != q ? k : 0`
/// side condition: `k` is a constant; `p ? 0 : k` counts as `!p ? k : 0`
fn flags(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (p, k) = as_flag(pool, node.arg(0))?;
    let (q, l) = as_flag(pool, node.arg(1))?;
    if k != l {
        return None;
    }
    let condition = match node.op {
        Op::BvAnd => pool.and(p, q),
        Op::BvOr => pool.or(p, q),
        _ => pool.xor(p, q),
    };
    let zero = pool.constant(node.sort, 0);
    Some(pool.ite(condition, k, zero))
}

/// match: `x | 0`, `x ^ 0`
/// result: `x`
/// side condition: none
fn or_zero(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, c) = right_constant(pool, node)?;
    (c == 0).then_some(x)
}

/// match: `x | -1`
/// result: `-1`
/// side condition: none
fn or_ones(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (_, c) = right_constant(pool, node)?;
    (c == node.sort.mask()).then(|| node.arg(1))
}

/// match: `x | ~x`, `x ^ ~x`
/// result: `-1`
/// side condition: none
fn or_complement(pool: &mut Pool, node: Node) -> Option<TermId> {
    complement(pool, node.arg(0), node.arg(1)).then(|| pool.constant(node.sort, u64::MAX))
}

/// match: `x ^ -1`
/// result: `~x`
/// side condition: none
fn xor_ones(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, c) = right_constant(pool, node)?;
    (c == node.sort.mask()).then(|| pool.bv_not(x))
}

/// match: `x ^ x`
/// result: `0`
/// side condition: none
fn xor_same(pool: &mut Pool, node: Node) -> Option<TermId> {
    (node.arg(0) == node.arg(1)).then(|| pool.constant(node.sort, 0))
}

/// match: `x ^ (x ^ y)`
/// result: `y`
/// side condition: none
fn xor_cancel(pool: &mut Pool, node: Node) -> Option<TermId> {
    both_ways(node).into_iter().find_map(|(x, inner)| beside(pool, inner, Op::BvXor, x))
}

/// match: `~x ^ c`
/// result: `x ^ ~c`
/// side condition: `c` is a constant
fn xor_not_constant(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (a, c) = right_constant(pool, node)?;
    let x = operand(pool, a, Op::BvNot)?;
    let c = pool.constant(node.sort, !c);
    Some(pool.bv_xor(x, c))
}

/// match: `~x ^ y`
/// result: `~(x ^ y)`
/// side condition: none
fn xor_not(pool: &mut Pool, node: Node) -> Option<TermId> {
    both_ways(node).into_iter().find_map(|(a, y)| {
        let x = operand(pool, a, Op::BvNot)?;
        let inner = pool.bv_xor(x, y);
        Some(pool.bv_not(inner))
    })
}
