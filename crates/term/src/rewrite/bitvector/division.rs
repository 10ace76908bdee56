//! Rules for `UDiv`, `URem`, `SDiv` and `SRem`, whose meaning for a zero divisor is SMT-LIB's.

use crate::rewrite::Rule;
use crate::rewrite::ite::LIFT_CONSTANTS;
use crate::rewrite::pattern::{operand, right_constant};
use crate::{Node, Op, Pool, TermId, semantics};

pub(in crate::rewrite) const UDIV: &[Rule] = &[
    Rule { name: "bitvector/udiv-zero", apply: udiv_zero },
    Rule { name: "bitvector/udiv-power-of-two", apply: udiv_power_of_two },
    LIFT_CONSTANTS,
];

pub(in crate::rewrite) const UREM: &[Rule] = &[
    Rule { name: "bitvector/rem-by-zero", apply: rem_by_zero },
    Rule { name: "bitvector/rem-of-zero", apply: rem_of_zero },
    Rule { name: "bitvector/rem-same", apply: rem_same },
    Rule { name: "bitvector/urem-power-of-two", apply: urem_power_of_two },
    LIFT_CONSTANTS,
];

pub(in crate::rewrite) const SDIV: &[Rule] = &[
    Rule { name: "bitvector/sdiv-one", apply: sdiv_one },
    Rule { name: "bitvector/sdiv-minus-one", apply: sdiv_minus_one },
    Rule { name: "bitvector/sdiv-not-negative", apply: sdiv_not_negative },
    LIFT_CONSTANTS,
];

pub(in crate::rewrite) const SREM: &[Rule] = &[
    Rule { name: "bitvector/rem-by-zero", apply: rem_by_zero },
    Rule { name: "bitvector/rem-of-zero", apply: rem_of_zero },
    Rule { name: "bitvector/rem-same", apply: rem_same },
    Rule { name: "bitvector/srem-one", apply: srem_one },
    Rule { name: "bitvector/srem-not-negative", apply: srem_not_negative },
    LIFT_CONSTANTS,
];

/// match: `x /u 0`
/// result: `-1`
/// side condition: none
fn udiv_zero(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (_, c) = right_constant(pool, node)?;
    (c == 0).then(|| pool.constant(node.sort, u64::MAX))
}

/// match: `x /u 2^n`
/// result: `x >>> n`
/// side condition: none
fn udiv_power_of_two(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, c) = right_constant(pool, node).filter(|(_, c)| c.is_power_of_two())?;
    let distance = pool.constant(node.sort, u64::from(c.trailing_zeros()));
    Some(pool.lshr(x, distance))
}

/// match: `x % 0`, signed or unsigned
/// result: `x`
/// side condition: none
fn rem_by_zero(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, c) = right_constant(pool, node)?;
    (c == 0).then_some(x)
}

/// match: `0 % x`, signed or unsigned
/// result: `0`
/// side condition: none
fn rem_of_zero(pool: &mut Pool, node: Node) -> Option<TermId> {
    (pool.bits(node.arg(0))? == 0).then(|| node.arg(0))
}

/// match: `x % x`, signed or unsigned
/// result: `0`
/// side condition: none (zero modulo zero is zero)
fn rem_same(pool: &mut Pool, node: Node) -> Option<TermId> {
    (node.arg(0) == node.arg(1)).then(|| pool.constant(node.sort, 0))
}

/// match: `x %u 2^n`
/// result: `x & (2^n - 1)`
/// side condition: none
fn urem_power_of_two(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, c) = right_constant(pool, node).filter(|(_, c)| c.is_power_of_two())?;
    let mask = pool.constant(node.sort, c - 1);
    Some(pool.bv_and(x, mask))
}

/// match: `x / 1`
/// result: `x`
/// side condition: none
fn sdiv_one(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, c) = right_constant(pool, node)?;
    (c == 1).then_some(x)
}

/// match: `x / -1`
/// result: `-x`
/// side condition: none
fn sdiv_minus_one(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, c) = right_constant(pool, node)?;
    (c == node.sort.mask()).then(|| pool.neg(x))
}

/// match: `zero_extend(x) / c`
/// result: `zero_extend(x) /u c`
/// side condition: `c` is a positive constant
fn sdiv_not_negative(pool: &mut Pool, node: Node) -> Option<TermId> {
    divides_not_negative(pool, node).then(|| pool.udiv(node.arg(0), node.arg(1)))
}

/// match: `x % 1`, `x % -1`
/// result: `0`
/// side condition: none
fn srem_one(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (_, c) = right_constant(pool, node)?;
    (c == 1 || c == node.sort.mask()).then(|| pool.constant(node.sort, 0))
}

/// match: `zero_extend(x) % c`
/// result: `zero_extend(x) %u c`
/// side condition: `c` is a positive constant
fn srem_not_negative(pool: &mut Pool, node: Node) -> Option<TermId> {
    divides_not_negative(pool, node).then(|| pool.urem(node.arg(0), node.arg(1)))
}

fn divides_not_negative(pool: &Pool, node: Node) -> bool {
    operand(pool, node.arg(0), Op::ZeroExtend).is_some()
        && pool.bits(node.arg(1)).is_some_and(|c| semantics::signed(node.sort, c) > 0)
}
