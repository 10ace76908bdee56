//! Rules for `Concat`, the two extensions and the bit casts; `Extract` has a file of its own.

mod extract;

pub(super) use extract::EXTRACT;

use super::Rule;
use super::ite::LIFT_CONSTANTS;
use super::pattern::{operand, operands, width, with_constant};
use crate::{Node, Op, Pool, TermId};

pub(super) const CONCAT: &[Rule] = &[
    Rule { name: "conversion/concat-zero-high", apply: concat_zero_high },
    Rule { name: "conversion/concat-constants-low", apply: concat_constants_low },
    Rule { name: "conversion/concat-constants-high", apply: concat_constants_high },
    Rule { name: "conversion/concat-adjacent", apply: concat_adjacent },
    Rule { name: "conversion/concat-adjacent-nested", apply: concat_adjacent_nested },
    Rule { name: "conversion/concat-extension", apply: concat_extension },
    LIFT_CONSTANTS,
];

pub(super) const ZERO_EXTEND: &[Rule] =
    &[Rule { name: "conversion/zero-extend-twice", apply: zero_extend_twice }, LIFT_CONSTANTS];

pub(super) const SIGN_EXTEND: &[Rule] = &[
    Rule { name: "conversion/sign-extend-twice", apply: sign_extend_twice },
    Rule { name: "conversion/sign-extend-zero-extended", apply: sign_extend_zero_extended },
    LIFT_CONSTANTS,
];

pub(super) const BITS_TO_FLOAT: &[Rule] =
    &[Rule { name: "conversion/bits-to-float-back", apply: bits_to_float_back }, LIFT_CONSTANTS];

pub(super) const FLOAT_TO_BITS: &[Rule] =
    &[Rule { name: "conversion/float-to-bits-back", apply: float_to_bits_back }, LIFT_CONSTANTS];

/// match: `concat(0, x)`
/// result: `zero_extend(x)`
/// side condition: none
fn concat_zero_high(pool: &mut Pool, node: Node) -> Option<TermId> {
    let high = pool.bits(node.arg(0))?;
    (high == 0).then(|| pool.zero_extend(node.arg(1), node.sort.width() as u8))
}

/// match: `concat(concat(x, c), d)`
/// result: `concat(x, concat(c, d))`
/// side condition: `c` and `d` are constants
fn concat_constants_low(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, _) = with_constant(pool, node.arg(0), Op::Concat)?;
    pool.bits(node.arg(1))?;
    let [_, c] = operands(pool, node.arg(0), Op::Concat)?;
    let low = pool.concat(c, node.arg(1));
    Some(pool.concat(x, low))
}

/// match: `concat(c, concat(d, x))`
/// result: `concat(concat(c, d), x)`
/// side condition: `c` and `d` are constants
fn concat_constants_high(pool: &mut Pool, node: Node) -> Option<TermId> {
    pool.bits(node.arg(0))?;
    let [d, x] = operands(pool, node.arg(1), Op::Concat)?;
    pool.bits(d)?;
    let high = pool.concat(node.arg(0), d);
    Some(pool.concat(high, x))
}

/// An extraction: the term, its lowest bit and how many bits.
fn extraction(pool: &Pool, term: TermId) -> Option<(TermId, u8, u8)> {
    let node = pool.node(term);
    match node.op {
        Op::Extract(low) => Some((node.arg(0), low, width(pool, term))),
        _ => None,
    }
}

/// Two extractions as one, when they are of one term and the first is just above the second.
fn joined(pool: &mut Pool, high: TermId, low: TermId) -> Option<TermId> {
    let (x, from, above) = extraction(pool, high)?;
    let (y, start, below) = extraction(pool, low)?;
    (x == y && from == start + below).then(|| pool.extract(x, from + above - 1, start))
}

/// match: `concat(x[h..m], x[m-1..l])`
/// result: `x[h..l]`
/// side condition: none
fn concat_adjacent(pool: &mut Pool, node: Node) -> Option<TermId> {
    joined(pool, node.arg(0), node.arg(1))
}

/// match: `concat(concat(y, x[h..m]), x[m-1..l])`, `concat(x[h..m], concat(x[m-1..l], y))`
/// result: `concat(y, x[h..l])`, `concat(x[h..l], y)`
/// side condition: none
fn concat_adjacent_nested(pool: &mut Pool, node: Node) -> Option<TermId> {
    if let Some([y, high]) = operands(pool, node.arg(0), Op::Concat)
        && let Some(whole) = joined(pool, high, node.arg(1))
    {
        return Some(pool.concat(y, whole));
    }
    let [low, y] = operands(pool, node.arg(1), Op::Concat)?;
    let whole = joined(pool, node.arg(0), low)?;
    Some(pool.concat(whole, y))
}

/// match: `concat(zero_extend(x), y)`
/// result: `zero_extend(concat(x, y))`
/// side condition: none
fn concat_extension(pool: &mut Pool, node: Node) -> Option<TermId> {
    let x = operand(pool, node.arg(0), Op::ZeroExtend)?;
    let narrow = pool.concat(x, node.arg(1));
    Some(pool.zero_extend(narrow, node.sort.width() as u8))
}

/// match: `zero_extend(zero_extend(x))`
/// result: `zero_extend(x)`
/// side condition: none
fn zero_extend_twice(pool: &mut Pool, node: Node) -> Option<TermId> {
    let x = operand(pool, node.arg(0), Op::ZeroExtend)?;
    Some(pool.zero_extend(x, node.sort.width() as u8))
}

/// match: `sign_extend(sign_extend(x))`
/// result: `sign_extend(x)`
/// side condition: none
fn sign_extend_twice(pool: &mut Pool, node: Node) -> Option<TermId> {
    let x = operand(pool, node.arg(0), Op::SignExtend)?;
    Some(pool.sign_extend(x, node.sort.width() as u8))
}

/// match: `sign_extend(zero_extend(x))`
/// result: `zero_extend(x)`
/// side condition: none (an extension adds at least one bit, so the sign is zero)
fn sign_extend_zero_extended(pool: &mut Pool, node: Node) -> Option<TermId> {
    let x = operand(pool, node.arg(0), Op::ZeroExtend)?;
    Some(pool.zero_extend(x, node.sort.width() as u8))
}

/// match: `bits_to_float(float_to_bits(x))`
/// result: `x`
/// side condition: none
fn bits_to_float_back(pool: &mut Pool, node: Node) -> Option<TermId> {
    operand(pool, node.arg(0), Op::FloatToBits)
}

/// match: `float_to_bits(bits_to_float(x))`
/// result: `x`
/// side condition: none
fn float_to_bits_back(pool: &mut Pool, node: Node) -> Option<TermId> {
    operand(pool, node.arg(0), Op::BitsToFloat)
}
