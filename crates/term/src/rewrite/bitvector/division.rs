//! Rules for `UDiv`, `URem`, `SDiv` and `SRem`, whose meaning for a zero divisor is SMT-LIB's.

use crate::rewrite::Rule;
use crate::rewrite::ite::LIFT_CONSTANTS;
use crate::rewrite::pattern::{beside, operand, right_constant, with_constant};
use crate::{Node, Op, Pool, TermId, semantics};

pub(in crate::rewrite) const UDIV: &[Rule] = &[
    Rule { name: "bitvector/udiv-zero", apply: udiv_zero },
    Rule { name: "bitvector/udiv-power-of-two", apply: udiv_power_of_two },
    Rule { name: "bitvector/div-again", apply: div_again },
    LIFT_CONSTANTS,
];

pub(in crate::rewrite) const UREM: &[Rule] = &[
    Rule { name: "bitvector/rem-by-zero", apply: rem_by_zero },
    Rule { name: "bitvector/rem-of-zero", apply: rem_of_zero },
    Rule { name: "bitvector/rem-same", apply: rem_same },
    Rule { name: "bitvector/urem-power-of-two", apply: urem_power_of_two },
    Rule { name: "bitvector/rem-again", apply: rem_again },
    Rule { name: "bitvector/rem-of-multiple", apply: rem_of_multiple },
    LIFT_CONSTANTS,
];

pub(in crate::rewrite) const SDIV: &[Rule] = &[
    Rule { name: "bitvector/sdiv-one", apply: sdiv_one },
    Rule { name: "bitvector/sdiv-minus-one", apply: sdiv_minus_one },
    Rule { name: "bitvector/sdiv-not-negative", apply: sdiv_not_negative },
    Rule { name: "bitvector/div-again", apply: div_again },
    LIFT_CONSTANTS,
];

pub(in crate::rewrite) const SREM: &[Rule] = &[
    Rule { name: "bitvector/rem-by-zero", apply: rem_by_zero },
    Rule { name: "bitvector/rem-of-zero", apply: rem_of_zero },
    Rule { name: "bitvector/rem-same", apply: rem_same },
    Rule { name: "bitvector/srem-one", apply: srem_one },
    Rule { name: "bitvector/srem-negative-divisor", apply: srem_negative_divisor },
    Rule { name: "bitvector/srem-not-negative", apply: srem_not_negative },
    Rule { name: "bitvector/rem-again", apply: rem_again },
    Rule { name: "bitvector/rem-of-multiple", apply: rem_of_multiple },
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

/// match: `(x / c) / d`, both signed or both unsigned
/// result: `x / (c * d)`
/// side condition: `c` and `d` are constants greater than one, and `c * d` is not too large
fn div_again(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (quotient, d) = right_constant(pool, node)?;
    let (x, c) = with_constant(pool, quotient, node.op)?;
    let largest = if node.op == Op::SDiv { node.sort.mask() >> 1 } else { node.sort.mask() };
    let product = c.checked_mul(d).filter(|&product| product <= largest)?;
    if c <= 1 || d <= 1 || c > largest || d > largest {
        return None;
    }
    let divisor = pool.constant(node.sort, product);
    Some(if node.op == Op::SDiv { pool.sdiv(x, divisor) } else { pool.udiv(x, divisor) })
}

/// match: `(x % y) % y`, both signed or both unsigned
/// result: `x % y`
/// side condition: none
fn rem_again(pool: &mut Pool, node: Node) -> Option<TermId> {
    let inner = pool.node(node.arg(0));
    (inner.op == node.op && inner.arg(1) == node.arg(1)).then(|| node.arg(0))
}

/// match: `((x / y) * y) % y`, both signed or both unsigned
/// result: `0`
/// side condition: none (a zero divisor makes the product zero)
fn rem_of_multiple(pool: &mut Pool, node: Node) -> Option<TermId> {
    let quotient = beside(pool, node.arg(0), Op::Mul, node.arg(1))?;
    let quotient = pool.node(quotient);
    let op = if node.op == Op::SRem { Op::SDiv } else { Op::UDiv };
    let found = quotient.op == op && quotient.arg(1) == node.arg(1);
    found.then(|| pool.constant(node.sort, 0))
}

/// match: `x % -y`
/// result: `x % y`
/// side condition: none; a negative constant is a negation, but for the smallest one
fn srem_negative_divisor(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, divisor) = (node.arg(0), node.arg(1));
    let y = match pool.bits(divisor) {
        Some(c) => {
            let positive = c.wrapping_neg() & node.sort.mask();
            let is_negative = semantics::signed(node.sort, c) < 0;
            if !is_negative || semantics::signed(node.sort, positive) < 0 {
                return None;
            }
            pool.constant(node.sort, positive)
        }
        None => operand(pool, divisor, Op::Neg)?,
    };
    Some(pool.srem(x, y))
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
/// side condition: `c` is a positive constant or a zero extension, too
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
/// side condition: `c` is a positive constant or a zero extension, too
fn srem_not_negative(pool: &mut Pool, node: Node) -> Option<TermId> {
    divides_not_negative(pool, node).then(|| pool.urem(node.arg(0), node.arg(1)))
}

fn divides_not_negative(pool: &Pool, node: Node) -> bool {
    let extended = |term: TermId| operand(pool, term, Op::ZeroExtend).is_some();
    let positive = |c| semantics::signed(node.sort, c) > 0;
    extended(node.arg(0)) && pool.bits(node.arg(1)).map_or(extended(node.arg(1)), positive)
}
