//! Rules for `Shl`, `LShr` and `AShr`.

use crate::rewrite::Rule;
use crate::rewrite::ite::LIFT_CONSTANTS;
use crate::rewrite::pattern::{operand, right_constant, width, with_constant};
use crate::{Node, Op, Pool, TermId};

pub(in crate::rewrite) const SHL: &[Rule] = &[
    Rule { name: "bitvector/shift-by-zero", apply: shift_by_zero },
    Rule { name: "bitvector/shift-of-zero", apply: shift_of_zero },
    Rule { name: "bitvector/shift-out", apply: shift_out },
    Rule { name: "bitvector/shift-shift", apply: shift_shift },
    Rule { name: "bitvector/shl-product", apply: shl_product },
    Rule { name: "bitvector/shl-shr", apply: shl_shr },
    LIFT_CONSTANTS,
];

pub(in crate::rewrite) const LSHR: &[Rule] = &[
    Rule { name: "bitvector/shift-by-zero", apply: shift_by_zero },
    Rule { name: "bitvector/shift-of-zero", apply: shift_of_zero },
    Rule { name: "bitvector/shift-out", apply: shift_out },
    Rule { name: "bitvector/shift-shift", apply: shift_shift },
    Rule { name: "bitvector/lshr-shl", apply: lshr_shl },
    LIFT_CONSTANTS,
];

pub(in crate::rewrite) const ASHR: &[Rule] = &[
    Rule { name: "bitvector/shift-by-zero", apply: shift_by_zero },
    Rule { name: "bitvector/shift-of-zero", apply: shift_of_zero },
    Rule { name: "bitvector/ashr-of-ones", apply: ashr_of_ones },
    Rule { name: "bitvector/ashr-out", apply: ashr_out },
    Rule { name: "bitvector/ashr-ashr", apply: ashr_ashr },
    Rule { name: "bitvector/ashr-not-negative", apply: ashr_not_negative },
    Rule { name: "bitvector/ashr-shl", apply: ashr_shl },
    LIFT_CONSTANTS,
];

/// match: `x << 0`, `x >>> 0`, `x >> 0`
/// result: `x`
/// side condition: none
fn shift_by_zero(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, n) = right_constant(pool, node)?;
    (n == 0).then_some(x)
}

/// match: `0 << x`, `0 >>> x`, `0 >> x`
/// result: `0`
/// side condition: none
fn shift_of_zero(pool: &mut Pool, node: Node) -> Option<TermId> {
    (pool.bits(node.arg(0))? == 0).then(|| node.arg(0))
}

/// match: `x << n`, `x >>> n`
/// result: `0`
/// side condition: `n` is a constant and not below the width
fn shift_out(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (_, n) = right_constant(pool, node)?;
    (n >= u64::from(node.sort.width())).then(|| pool.constant(node.sort, 0))
}

/// match: `(x << m) << n`, `(x >>> m) >>> n`
/// result: `x << (m + n)`, `x >>> (m + n)`, or `0` when that is the width or more
/// side condition: `m` and `n` are constants
fn shift_shift(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (inner, n) = right_constant(pool, node)?;
    let (x, m) = with_constant(pool, inner, node.op)?;
    // The sum of two distances need not fit the width of the distance.
    let sum = m.saturating_add(n);
    let inside = sum < u64::from(node.sort.width());
    let distance = pool.constant(node.sort, sum);
    Some(match node.op {
        _ if !inside => pool.constant(node.sort, 0),
        Op::Shl => pool.shl(x, distance),
        _ => pool.lshr(x, distance),
    })
}

/// match: `(x * c) << n`, `-x << n`
/// result: `x * (c * 2^n)`, `x * -2^n`
/// side condition: `c` and `n` are constants
fn shl_product(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (a, n) = right_constant(pool, node).filter(|&(_, n)| n < 64)?;
    let (x, c) = match operand(pool, a, Op::Neg) {
        Some(x) => (x, u64::MAX),
        None => with_constant(pool, a, Op::Mul)?,
    };
    let factor = pool.constant(node.sort, c << n);
    Some(pool.mul(x, factor))
}

/// match: `(x >>> n) << n`, `(x >> n) << n`
/// result: `x & (-1 << n)`
/// side condition: `n` is a constant below the width
fn shl_shr(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (a, n) = right_constant(pool, node)?;
    let (x, m) = with_constant(pool, a, Op::LShr).or_else(|| with_constant(pool, a, Op::AShr))?;
    if m != n || n >= u64::from(node.sort.width()) {
        return None;
    }
    let mask = pool.constant(node.sort, u64::MAX << n);
    Some(pool.bv_and(x, mask))
}

/// The low bits of `x` that survive `(x << n) >> n`.
fn surviving(pool: &mut Pool, (a, n): (TermId, u64)) -> Option<TermId> {
    let (x, m) = with_constant(pool, a, Op::Shl)?;
    let width = width(pool, x);
    (m == n && n > 0 && n < u64::from(width)).then(|| pool.extract(x, width - 1 - n as u8, 0))
}

/// match: `(x << n) >>> n`
/// result: `x` without its `n` high bits, zero-extended
/// side condition: `n` is a constant below the width
fn lshr_shl(pool: &mut Pool, node: Node) -> Option<TermId> {
    let shifted = right_constant(pool, node)?;
    let low = surviving(pool, shifted)?;
    Some(pool.zero_extend(low, node.sort.width() as u8))
}

/// match: `(x << n) >> n`
/// result: `x` without its `n` high bits, sign-extended
/// side condition: `n` is a constant below the width
fn ashr_shl(pool: &mut Pool, node: Node) -> Option<TermId> {
    let shifted = right_constant(pool, node)?;
    let low = surviving(pool, shifted)?;
    Some(pool.sign_extend(low, node.sort.width() as u8))
}

/// match: `-1 >> x`
/// result: `-1`
/// side condition: none
fn ashr_of_ones(pool: &mut Pool, node: Node) -> Option<TermId> {
    (pool.bits(node.arg(0))? == node.sort.mask()).then(|| node.arg(0))
}

/// match: `x >> n`
/// result: `x >> (w - 1)`
/// side condition: `n` is a constant and not below the width `w`
fn ashr_out(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, n) = right_constant(pool, node)?;
    let width = u64::from(node.sort.width());
    if n < width {
        return None;
    }
    let distance = pool.constant(node.sort, width - 1);
    Some(pool.ashr(x, distance))
}

/// match: `(x >> m) >> n`
/// result: `x >> (m + n)`, or `x >> (w - 1)` when that is the width `w` or more
/// side condition: `m` and `n` are constants
fn ashr_ashr(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (inner, n) = right_constant(pool, node)?;
    let (x, m) = with_constant(pool, inner, Op::AShr)?;
    let sum = m.saturating_add(n).min(u64::from(node.sort.width()) - 1);
    let distance = pool.constant(node.sort, sum);
    Some(pool.ashr(x, distance))
}

/// match: `zero_extend(x) >> y`
/// result: `zero_extend(x) >>> y`
/// side condition: none
fn ashr_not_negative(pool: &mut Pool, node: Node) -> Option<TermId> {
    operand(pool, node.arg(0), Op::ZeroExtend)?;
    Some(pool.lshr(node.arg(0), node.arg(1)))
}
