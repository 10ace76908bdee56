//! Rules for float operators and for conversions between integers and floats.
//!
//! A NaN that an operation computes is the canonical one, so `x * 1.0` is `x` only where `x` is known
//! not to carry another NaN. Rules that would need algebra of rounding are not here: there is
//! none.

use super::Rule;
use super::ite::LIFT_CONSTANTS;
use super::pattern::{operand, right_constant, width};
use crate::{Node, Op, Pool, Rounding, Sort, TermId};

const NAN_OPERAND: Rule = Rule { name: "float/nan-operand", apply: nan_operand };

pub(super) const FADD: &[Rule] = &[
    NAN_OPERAND,
    Rule { name: "float/add-negative-zero", apply: add_negative_zero },
    LIFT_CONSTANTS,
];

pub(super) const FMUL: &[Rule] =
    &[NAN_OPERAND, Rule { name: "float/times-one", apply: times_one }, LIFT_CONSTANTS];

pub(super) const FREM: &[Rule] = &[NAN_OPERAND, LIFT_CONSTANTS];

pub(super) const FFMA: &[Rule] = &[NAN_OPERAND, LIFT_CONSTANTS];

pub(super) const FSQRT: &[Rule] = &[LIFT_CONSTANTS];

pub(super) const EXTREME: &[Rule] =
    &[NAN_OPERAND, Rule { name: "float/extreme-same", apply: extreme_same }, LIFT_CONSTANTS];

pub(super) const FNEG: &[Rule] = &[Rule { name: "float/neg-neg", apply: neg_neg }, LIFT_CONSTANTS];

pub(super) const FABS: &[Rule] = &[
    Rule { name: "float/abs-abs", apply: abs_abs },
    Rule { name: "float/abs-neg", apply: abs_neg },
    LIFT_CONSTANTS,
];

pub(super) const FROUND: &[Rule] =
    &[Rule { name: "float/round-integral", apply: round_integral }, LIFT_CONSTANTS];

const NAN_COMPARED: Rule = Rule { name: "float/nan-compared", apply: nan_compared };
const NEGATIVE_ZERO: Rule = Rule { name: "float/negative-zero-compared", apply: negative_zero };
const NEGATED: Rule = Rule { name: "float/negated-compared", apply: negated };
const WIDENED: Rule = Rule { name: "float/widened-compared", apply: widened };
const INTEGERS: Rule = Rule { name: "float/integers-compared", apply: integers };

pub(super) const FLT: &[Rule] = &[
    Rule { name: "float/less-same", apply: less_same },
    NAN_COMPARED,
    Rule { name: "float/beyond-infinity", apply: beyond_infinity },
    NEGATIVE_ZERO,
    NEGATED,
    WIDENED,
    INTEGERS,
    LIFT_CONSTANTS,
];

pub(super) const FLE: &[Rule] = &[
    Rule { name: "float/at-most-same", apply: at_most_same },
    NAN_COMPARED,
    NEGATIVE_ZERO,
    NEGATED,
    WIDENED,
    INTEGERS,
    LIFT_CONSTANTS,
];

pub(super) const FEQ: &[Rule] = &[
    NAN_COMPARED,
    Rule { name: "float/equals-constant", apply: equals_constant },
    NEGATIVE_ZERO,
    NEGATED,
    WIDENED,
    INTEGERS,
    LIFT_CONSTANTS,
];

pub(super) const FLOAT_TO_FLOAT: &[Rule] = &[
    Rule { name: "float/widened-back", apply: widened_back },
    Rule { name: "float/integer-in-other-sort", apply: integer_in_other_sort },
    LIFT_CONSTANTS,
];

pub(super) const SIGNED_TO_FLOAT: &[Rule] =
    &[Rule { name: "float/from-sign-extension", apply: from_sign_extension }, LIFT_CONSTANTS];

pub(super) const FLOAT_TO_SIGNED: &[Rule] = &[
    Rule { name: "float/integer-back", apply: integer_back },
    Rule { name: "float/truncated-twice", apply: truncated_twice },
    Rule { name: "float/widened-to-integer", apply: widened_to_integer },
    LIFT_CONSTANTS,
];

/// Can this term be no NaN but the canonical one?
fn has_canonical_nan(pool: &Pool, term: TermId) -> bool {
    match pool.node(term).op {
        Op::FAdd
        | Op::FMul
        | Op::FDiv
        | Op::FRem
        | Op::FSqrt
        | Op::FFma
        | Op::FMin
        | Op::FMax
        | Op::FRound(_)
        | Op::SignedToFloat
        | Op::FloatToFloat => true,
        Op::Const => !is_nan(pool, term) || pool.bits(term) == canonical_nan(pool.sort(term)),
        _ => false,
    }
}

fn canonical_nan(sort: Sort) -> Option<u64> {
    Some(sort.float_format()?.canonical_nan())
}

fn is_nan(pool: &Pool, term: TermId) -> bool {
    match (pool.sort(term).float_format(), pool.bits(term)) {
        (Some(format), Some(bits)) => format.is_nan(bits),
        _ => false,
    }
}

/// The value of a float constant.
fn value(pool: &Pool, term: TermId) -> Option<f64> {
    let bits = pool.bits(term)?;
    match pool.sort(term) {
        Sort::F32 => Some(f64::from(f32::from_bits(bits as u32))),
        Sort::F64 => Some(f64::from_bits(bits)),
        _ => None,
    }
}

/// The bits of the `float` that is this `double` exactly; none of a NaN.
pub(super) fn exact_narrowing(double: u64) -> Option<u64> {
    let single = f64::from_bits(double) as f32;
    let exact = !single.is_nan() && f64::from(single).to_bits() == double;
    exact.then(|| u64::from(single.to_bits()))
}

/// An integer that was converted to a float without loss.
fn exact_integer(pool: &Pool, term: TermId) -> Option<TermId> {
    let x = operand(pool, term, Op::SignedToFloat)?;
    let precision = pool.sort(term).float_format()?.fraction + 1;
    // The lowest value needs no more bits than the others: it is a power of two.
    (pool.sort(x).width() <= precision + 1).then_some(x)
}

/// match: an arithmetic operator with a NaN
/// result: the canonical NaN
/// side condition: the NaN is a constant
fn nan_operand(pool: &mut Pool, node: Node) -> Option<TermId> {
    let nan = canonical_nan(node.sort)?;
    let found = node.args().any(|operand| is_nan(pool, operand));
    found.then(|| pool.constant(node.sort, nan))
}

/// match: `x + -0.0`
/// result: `x`
/// side condition: `x` is no NaN but the canonical one
fn add_negative_zero(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, c) = right_constant(pool, node)?;
    let negative_zero = c == node.sort.float_format()?.sign_bit();
    (negative_zero && has_canonical_nan(pool, x)).then_some(x)
}

/// match: `x * 1.0`, `x / 1.0`
/// result: `x`
/// side condition: `x` is no NaN but the canonical one
fn times_one(pool: &mut Pool, node: Node) -> Option<TermId> {
    let one = value(pool, node.arg(1))? == 1.0;
    (one && has_canonical_nan(pool, node.arg(0))).then(|| node.arg(0))
}

/// match: `min(x, x)`, `max(x, x)`
/// result: `x`
/// side condition: `x` is no NaN but the canonical one
fn extreme_same(pool: &mut Pool, node: Node) -> Option<TermId> {
    let same = node.arg(0) == node.arg(1);
    (same && has_canonical_nan(pool, node.arg(0))).then(|| node.arg(0))
}

/// match: `--x`
/// result: `x`
/// side condition: none
fn neg_neg(pool: &mut Pool, node: Node) -> Option<TermId> {
    operand(pool, node.arg(0), Op::FNeg)
}

/// match: `abs(abs(x))`
/// result: `abs(x)`
/// side condition: none
fn abs_abs(pool: &mut Pool, node: Node) -> Option<TermId> {
    operand(pool, node.arg(0), Op::FAbs).map(|_| node.arg(0))
}

/// match: `abs(-x)`
/// result: `abs(x)`
/// side condition: none
fn abs_neg(pool: &mut Pool, node: Node) -> Option<TermId> {
    let x = operand(pool, node.arg(0), Op::FNeg)?;
    Some(pool.fabs(x))
}

/// match: `round(x)` in any mode
/// result: `x`
/// side condition: `x` was rounded, in any mode, or is a converted integer
fn round_integral(pool: &mut Pool, node: Node) -> Option<TermId> {
    let inner = pool.node(node.arg(0)).op;
    matches!(inner, Op::FRound(_) | Op::SignedToFloat).then(|| node.arg(0))
}

/// match: `x < x`
/// result: `false`
/// side condition: none
fn less_same(_: &mut Pool, node: Node) -> Option<TermId> {
    (node.arg(0) == node.arg(1)).then_some(Pool::FALSE)
}

/// match: `x <= x`
/// result: `x == x` (`FEq`: `x` is no NaN)
/// side condition: none
fn at_most_same(pool: &mut Pool, node: Node) -> Option<TermId> {
    (node.arg(0) == node.arg(1)).then(|| pool.feq(node.arg(0), node.arg(0)))
}

/// match: a comparison with a NaN
/// result: `false`
/// side condition: the NaN is a constant
fn nan_compared(pool: &mut Pool, node: Node) -> Option<TermId> {
    node.args().any(|operand| is_nan(pool, operand)).then_some(Pool::FALSE)
}

/// match: `x < -infinity`, `infinity < x`
/// result: `false`
/// side condition: none
fn beyond_infinity(pool: &mut Pool, node: Node) -> Option<TermId> {
    let beyond = value(pool, node.arg(1)) == Some(f64::NEG_INFINITY)
        || value(pool, node.arg(0)) == Some(f64::INFINITY);
    beyond.then_some(Pool::FALSE)
}

/// match: a comparison with `-0.0`
/// result: the comparison with `0.0`
/// side condition: none
fn negative_zero(pool: &mut Pool, node: Node) -> Option<TermId> {
    let sort = pool.sort(node.arg(0));
    let negative = sort.float_format()?.sign_bit();
    let zero = |pool: &mut Pool, operand: TermId| {
        let found = pool.bits(operand) == Some(negative);
        if found { pool.constant(sort, 0) } else { operand }
    };
    let (a, b) = (zero(pool, node.arg(0)), zero(pool, node.arg(1)));
    ((a, b) != (node.arg(0), node.arg(1))).then(|| pool.apply(node.op, Sort::Bool, &[a, b]))
}

/// match: `-x . -y`, `-x . k`, `k . -y`, one operator of `<`, `<=`, `==`
/// result: `y . x`, `-k . x`, `y . -k`
/// side condition: `k` is a constant
fn negated(pool: &mut Pool, node: Node) -> Option<TermId> {
    let opposite = |pool: &mut Pool, operand: TermId| match pool.node(operand).op {
        Op::FNeg | Op::Const => Some(pool.fneg(operand)),
        _ => None,
    };
    let any = node.args().any(|operand| pool.node(operand).op == Op::FNeg);
    let (a, b) = (node.arg(0), node.arg(1));
    if !any || opposite(pool, a).is_none() || opposite(pool, b).is_none() {
        return None;
    }
    let (a, b) = (opposite(pool, a)?, opposite(pool, b)?);
    Some(pool.apply(node.op, Sort::Bool, &[b, a]))
}

/// match: `(double) x . (double) y`, `(double) x . k`, `k . (double) y`, one of `<`, `<=`, `==`
/// result: `x . y`, `x . (float) k`, `(float) k . y`
/// side condition: `k` is a constant that some `float` is exactly
fn widened(pool: &mut Pool, node: Node) -> Option<TermId> {
    if pool.sort(node.arg(0)) != Sort::F64 || node.args().all(|a| pool.bits(a).is_some()) {
        return None;
    }
    let narrow = |pool: &mut Pool, term: TermId| match pool.bits(term) {
        Some(bits) => exact_narrowing(bits).map(|bits| pool.constant(Sort::F32, bits)),
        None => operand(pool, term, Op::FloatToFloat),
    };
    let a = narrow(pool, node.arg(0))?;
    let b = narrow(pool, node.arg(1))?;
    Some(pool.apply(node.op, Sort::Bool, &[a, b]))
}

/// match: `(float) x . (float) y`, integers, one operator of `<`, `<=`, `==`
/// result: `x < y`, `!(y < x)`, `x == y`, the narrower extended to the width of the wider
/// side condition: the conversions lose nothing
fn integers(pool: &mut Pool, node: Node) -> Option<TermId> {
    let x = exact_integer(pool, node.arg(0))?;
    let y = exact_integer(pool, node.arg(1))?;
    let wider = width(pool, x).max(width(pool, y));
    let (x, y) = (pool.sign_extend(x, wider), pool.sign_extend(y, wider));
    Some(match node.op {
        Op::FLt => pool.slt(x, y),
        Op::FLe => pool.sle(x, y),
        _ => pool.eq(x, y),
    })
}

/// match: `x == k` (`FEq`)
/// result: `x == k` (`Eq`: the bits of `k`)
/// side condition: `k` is a constant, no NaN and no zero, so that only one pattern equals it
fn equals_constant(pool: &mut Pool, node: Node) -> Option<TermId> {
    let k = value(pool, node.arg(1))?;
    (k != 0.0 && !k.is_nan()).then(|| pool.eq(node.arg(0), node.arg(1)))
}

/// match: `(float) (double) x`
/// result: `x`
/// side condition: `x` is no NaN but the canonical one
fn widened_back(pool: &mut Pool, node: Node) -> Option<TermId> {
    let x = operand(pool, node.arg(0), Op::FloatToFloat)?;
    let widened = node.sort == Sort::F32 && pool.sort(x) == Sort::F32;
    (widened && has_canonical_nan(pool, x)).then_some(x)
}

/// match: `(double) (float) x`, `(float) (double) x`, `x` an integer
/// result: `(double) x`, `(float) x`
/// side condition: the inner conversion loses nothing
fn integer_in_other_sort(pool: &mut Pool, node: Node) -> Option<TermId> {
    let x = exact_integer(pool, node.arg(0))?;
    Some(pool.signed_to_float(x, node.sort))
}

/// match: `(float) sign_extend(x)`
/// result: `(float) x`
/// side condition: none
fn from_sign_extension(pool: &mut Pool, node: Node) -> Option<TermId> {
    let x = operand(pool, node.arg(0), Op::SignExtend)?;
    Some(pool.signed_to_float(x, node.sort))
}

/// match: `(int) (float) x`, `x` an integer
/// result: `x`, sign-extended
/// side condition: the inner conversion loses nothing and the result is not narrower than `x`
fn integer_back(pool: &mut Pool, node: Node) -> Option<TermId> {
    let x = exact_integer(pool, node.arg(0))?;
    let to = node.sort.width() as u8;
    (width(pool, x) <= to).then(|| pool.sign_extend(x, to))
}

/// match: `(int) truncate(x)`
/// result: `(int) x`
/// side condition: none
fn truncated_twice(pool: &mut Pool, node: Node) -> Option<TermId> {
    let x = operand(pool, node.arg(0), Op::FRound(Rounding::Zero))?;
    Some(pool.apply(node.op, node.sort, &[x]))
}

/// match: `(int) (double) x`, `x` a `float`
/// result: `(int) x`
/// side condition: none
fn widened_to_integer(pool: &mut Pool, node: Node) -> Option<TermId> {
    let x = operand(pool, node.arg(0), Op::FloatToFloat)?;
    (pool.sort(x) == Sort::F32).then(|| pool.apply(node.op, node.sort, &[x]))
}
