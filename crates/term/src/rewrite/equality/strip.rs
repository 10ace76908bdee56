//! Taking operators off the two sides of an equality.
//!
//! A step takes one operator off and gives a pair that is equal exactly when the pair before was.
//! Steps are repeated in a loop until none fits; two sides that can never be equal become `true` and
//! `false`. Every step leaves smaller terms, so the loop ends.

use crate::rewrite::pattern::{beside, operand, operands, width, with_constant};
use crate::{Node, Op, Pool, Sort, TermId, semantics};

type Sides = (TermId, TermId);
type Step = fn(&mut Pool, TermId, TermId) -> Option<Sides>;

/// Two sides that are never equal.
const NEVER: Sides = (Pool::TRUE, Pool::FALSE);

const STEPS: &[Step] = &[
    sum_constant,
    sum_constants,
    shared_addend,
    addend_alone,
    difference_zero,
    negation_constant,
    negations,
    complement_constant,
    complements,
    xor_constant,
    shared_xor,
    xor_alone,
    xor_zero,
    odd_product_constant,
    extension_constant,
    extensions,
    cast_constant,
    casts,
    float_negation,
];

/// The equality after this step and all that fit after it; `None` when this step does not fit.
pub(super) fn strip(pool: &mut Pool, node: Node, first: Step) -> Option<TermId> {
    let (mut a, mut b) = first(pool, node.arg(0), node.arg(1))?;
    while let Some(sides) = STEPS.iter().find_map(|step| step(pool, a, b)) {
        (a, b) = sides;
    }
    Some(pool.eq(a, b))
}

/// `x` and the constant that `f(x) == k` demands of it, on one sort.
fn demand(pool: &mut Pool, b: TermId, x: TermId, invert: impl FnOnce(u64) -> u64) -> Option<Sides> {
    let k = pool.bits(b)?;
    let sort = pool.sort(b);
    Some((x, pool.constant(sort, invert(k))))
}

/// Bit-vector sides with the constant, if there is one, second.
fn constant_last(pool: &Pool, a: TermId, b: TermId) -> Sides {
    if pool.bits(a).is_some() { (b, a) } else { (a, b) }
}

pub(super) fn sum_constant(pool: &mut Pool, a: TermId, b: TermId) -> Option<Sides> {
    let (a, b) = constant_last(pool, a, b);
    let (x, c) = with_constant(pool, a, Op::Add)?;
    demand(pool, b, x, |k| k.wrapping_sub(c))
}

pub(super) fn sum_constants(pool: &mut Pool, a: TermId, b: TermId) -> Option<Sides> {
    let (x, c) = with_constant(pool, a, Op::Add)?;
    let (y, d) = with_constant(pool, b, Op::Add)?;
    let difference = pool.constant(pool.sort(x), c.wrapping_sub(d));
    Some((pool.add(x, difference), y))
}

pub(super) fn shared_addend(pool: &mut Pool, a: TermId, b: TermId) -> Option<Sides> {
    shared(pool, Op::Add, a, b)
}

pub(super) fn addend_alone(pool: &mut Pool, a: TermId, b: TermId) -> Option<Sides> {
    alone(pool, Op::Add, a, b)
}

pub(super) fn difference_zero(pool: &mut Pool, a: TermId, b: TermId) -> Option<Sides> {
    let (a, b) = constant_last(pool, a, b);
    let [x, y] = operands(pool, a, Op::Add)?;
    if pool.bits(b)? != 0 {
        return None;
    }
    let opposite = |x, y| operand(pool, y, Op::Neg).map(|inner| (x, inner));
    opposite(x, y).or_else(|| opposite(y, x))
}

pub(super) fn negation_constant(pool: &mut Pool, a: TermId, b: TermId) -> Option<Sides> {
    let (a, b) = constant_last(pool, a, b);
    let x = operand(pool, a, Op::Neg)?;
    demand(pool, b, x, u64::wrapping_neg)
}

pub(super) fn negations(pool: &mut Pool, a: TermId, b: TermId) -> Option<Sides> {
    Some((operand(pool, a, Op::Neg)?, operand(pool, b, Op::Neg)?))
}

pub(super) fn complement_constant(pool: &mut Pool, a: TermId, b: TermId) -> Option<Sides> {
    let (a, b) = constant_last(pool, a, b);
    let x = operand(pool, a, Op::BvNot)?;
    demand(pool, b, x, |k| !k)
}

pub(super) fn complements(pool: &mut Pool, a: TermId, b: TermId) -> Option<Sides> {
    Some((operand(pool, a, Op::BvNot)?, operand(pool, b, Op::BvNot)?))
}

pub(super) fn xor_constant(pool: &mut Pool, a: TermId, b: TermId) -> Option<Sides> {
    let (a, b) = constant_last(pool, a, b);
    let (x, c) = with_constant(pool, a, Op::BvXor)?;
    demand(pool, b, x, |k| k ^ c)
}

pub(super) fn shared_xor(pool: &mut Pool, a: TermId, b: TermId) -> Option<Sides> {
    shared(pool, Op::BvXor, a, b)
}

pub(super) fn xor_alone(pool: &mut Pool, a: TermId, b: TermId) -> Option<Sides> {
    alone(pool, Op::BvXor, a, b)
}

pub(super) fn xor_zero(pool: &mut Pool, a: TermId, b: TermId) -> Option<Sides> {
    let (a, b) = constant_last(pool, a, b);
    let [x, y] = operands(pool, a, Op::BvXor)?;
    (pool.bits(b)? == 0).then_some((x, y))
}

pub(super) fn odd_product_constant(pool: &mut Pool, a: TermId, b: TermId) -> Option<Sides> {
    let (a, b) = constant_last(pool, a, b);
    let (x, c) = with_constant(pool, a, Op::Mul).filter(|&(_, c)| c % 2 == 1)?;
    demand(pool, b, x, |k| k.wrapping_mul(inverse(c)))
}

/// The inverse of an odd number modulo 2^64, and so modulo every smaller power of two.
///
/// Newton's iteration doubles the number of right bits; the number itself is right in three.
fn inverse(odd: u64) -> u64 {
    (0..5).fold(odd, |guess, _| guess.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(guess))))
}

pub(super) fn extension_constant(pool: &mut Pool, a: TermId, b: TermId) -> Option<Sides> {
    let (a, b) = constant_last(pool, a, b);
    let node = pool.node(a);
    if !matches!(node.op, Op::ZeroExtend | Op::SignExtend) {
        return None;
    }
    let k = pool.bits(b)?;
    let x = node.arg(0);
    let narrow = pool.sort(x);
    let low = k & narrow.mask();
    if semantics::apply(node.op, node.sort, narrow, [low, 0, 0]) != k {
        return Some(NEVER);
    }
    Some((x, pool.constant(narrow, low)))
}

pub(super) fn extensions(pool: &mut Pool, a: TermId, b: TermId) -> Option<Sides> {
    let (first, second) = (pool.node(a), pool.node(b));
    if first.op != second.op || !matches!(first.op, Op::ZeroExtend | Op::SignExtend) {
        return None;
    }
    let (x, y) = (first.arg(0), second.arg(0));
    let wider = width(pool, x).max(width(pool, y));
    Some(match first.op {
        Op::ZeroExtend => (pool.zero_extend(x, wider), pool.zero_extend(y, wider)),
        _ => (pool.sign_extend(x, wider), pool.sign_extend(y, wider)),
    })
}

pub(super) fn cast_constant(pool: &mut Pool, a: TermId, b: TermId) -> Option<Sides> {
    let (a, b) = constant_last(pool, a, b);
    let node = pool.node(a);
    if !matches!(node.op, Op::BitsToFloat | Op::FloatToBits) {
        return None;
    }
    let k = pool.bits(b)?;
    let x = node.arg(0);
    let sort: Sort = pool.sort(x);
    Some((x, pool.constant(sort, k)))
}

pub(super) fn casts(pool: &mut Pool, a: TermId, b: TermId) -> Option<Sides> {
    let both = |op| Some((operand(pool, a, op)?, operand(pool, b, op)?));
    both(Op::BitsToFloat).or_else(|| both(Op::FloatToBits))
}

pub(super) fn float_negation(pool: &mut Pool, a: TermId, b: TermId) -> Option<Sides> {
    let (a, b) = constant_last(pool, a, b);
    let x = operand(pool, a, Op::FNeg)?;
    if let Some(y) = operand(pool, b, Op::FNeg) {
        return Some((x, y));
    }
    let sign = 1 << (pool.sort(a).width() - 1);
    demand(pool, b, x, |k| k ^ sign)
}

/// `x . y == x . z` becomes `y == z`, for an operator that can be undone.
fn shared(pool: &Pool, op: Op, a: TermId, b: TermId) -> Option<Sides> {
    let [x, y] = operands(pool, a, op)?;
    let left = beside(pool, b, op, x).map(|z| (y, z));
    left.or_else(|| beside(pool, b, op, y).map(|z| (x, z)))
}

/// `x . y == x` becomes `y == 0`, for an operator that can be undone and whose unit is zero.
fn alone(pool: &mut Pool, op: Op, a: TermId, b: TermId) -> Option<Sides> {
    let y = beside(pool, a, op, b).or_else(|| beside(pool, b, op, a))?;
    Some((y, pool.constant(pool.sort(a), 0)))
}
