//! What every operator means on concrete bits.
//!
//! One definition serves constant folding and evaluation, so that the two cannot drift apart; the
//! bit-blaster is tested against it. Integers follow SMT-LIB's total division and shifts (Java's
//! checks and masks are the caller's), floats follow IEEE 754 through the hardware, with Java's
//! saturating conversions. A NaN that an operation *computes* is the canonical one; negation, abs,
//! ite and the bit casts move the payload they are given.

use crate::{FloatFormat, Op, Rounding, Sort};

/// The value of `op` on operand bits `a`, `b`, `c` (those beyond the arity are ignored).
///
/// `result` is the node's sort, `operand` the sort of its last operand: together they fix every
/// width an operator needs. Bits above a sort's width are zero, in and out.
pub fn apply(op: Op, result: Sort, operand: Sort, [a, b, c]: [u64; 3]) -> u64 {
    let value = match op {
        Op::Const | Op::Symbol => unreachable!("a leaf is not applied"),
        Op::Eq => u64::from(a == b),
        Op::Ite => {
            if a == 1 {
                b
            } else {
                c
            }
        }
        Op::Not => a ^ 1,
        Op::And | Op::BvAnd => a & b,
        Op::Add => a.wrapping_add(b),
        Op::Mul => a.wrapping_mul(b),
        Op::Neg => a.wrapping_neg(),
        Op::UDiv => a.checked_div(b).unwrap_or(u64::MAX),
        Op::URem => a.checked_rem(b).unwrap_or(a),
        Op::SDiv => signed_div(signed(operand, a), signed(operand, b)) as u64,
        Op::SRem => signed_rem(signed(operand, a), signed(operand, b)) as u64,
        Op::BvNot => !a,
        Op::BvOr => a | b,
        Op::BvXor => a ^ b,
        Op::Shl => shift(operand, b, |distance| a << distance).unwrap_or(0),
        Op::LShr => shift(operand, b, |distance| a >> distance).unwrap_or(0),
        Op::AShr => {
            let wide = signed(operand, a);
            shift(operand, b, |distance| (wide >> distance) as u64).unwrap_or((wide >> 63) as u64)
        }
        Op::Ult => u64::from(a < b),
        Op::Slt => u64::from(signed(operand, a) < signed(operand, b)),
        Op::Extract(low) => a >> low,
        Op::Concat => a << operand.width() | b,
        Op::ZeroExtend | Op::BitsToFloat | Op::FloatToBits => a,
        Op::SignExtend => signed(operand, a) as u64,
        Op::FNeg => a ^ sign_bit(operand),
        Op::FAbs => a & !sign_bit(operand),
        Op::SignedToFloat if result == Sort::F32 => single(signed(operand, a) as f32),
        Op::SignedToFloat => double(signed(operand, a) as f64),
        Op::FloatToFloat if operand == Sort::F32 => double(f64::from(f32_of(a))),
        Op::FloatToFloat => single(f64_of(a) as f32),
        _ if operand == Sort::F32 => binary32(op, result, [a, b, c].map(f32_of)),
        _ => binary64(op, result, [a, b, c].map(f64_of)),
    };
    value & result.mask()
}

/// The value of the low bits of a sort, sign-extended.
pub fn signed(sort: Sort, bits: u64) -> i64 {
    let unused = 64 - sort.width();
    (bits << unused) as i64 >> unused
}

fn shift(sort: Sort, distance: u64, by: impl FnOnce(u64) -> u64) -> Option<u64> {
    (distance < u64::from(sort.width())).then(|| by(distance))
}

fn signed_div(a: i64, b: i64) -> i64 {
    match b {
        0 if a < 0 => 1,
        0 => -1,
        _ => a.wrapping_div(b),
    }
}

fn signed_rem(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { a.wrapping_rem(b) }
}

fn sign_bit(sort: Sort) -> u64 {
    1 << (sort.width() - 1)
}

fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn f64_of(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// The bits of a computed float, its NaN made canonical (the hardware's choice of NaN varies).
///
/// The test is made on the bits: of `if value.is_nan() { f32::NAN } else { value }` the optimiser
/// makes `value`, because to it one NaN is as good as another.
fn single(value: f32) -> u64 {
    canonical(FloatFormat::BINARY32, u64::from(value.to_bits()))
}

/// As [`single`], for binary64.
fn double(value: f64) -> u64 {
    canonical(FloatFormat::BINARY64, value.to_bits())
}

fn canonical(format: FloatFormat, bits: u64) -> u64 {
    if format.is_nan(bits) { format.canonical_nan() } else { bits }
}

/// Saturates a truncated float to a signed integer of the result's width.
fn saturate(value: f64, result: Sort) -> u64 {
    let highest = i64::MAX >> (64 - result.width());
    (value as i64).clamp(-highest - 1, highest) as u64
}

macro_rules! float_operators {
    ($name:ident, $float:ty, $bits:path) => {
        fn $name(op: Op, result: Sort, [a, b, c]: [$float; 3]) -> u64 {
            match op {
                Op::FAdd => $bits(a + b),
                Op::FMul => $bits(a * b),
                Op::FDiv => $bits(a / b),
                Op::FRem => $bits(a % b),
                Op::FSqrt => $bits(a.sqrt()),
                Op::FFma => $bits(a.mul_add(b, c)),
                Op::FMin | Op::FMax if a.is_nan() || b.is_nan() => $bits(<$float>::NAN),
                Op::FMin if a == b => $bits(if a.is_sign_negative() { a } else { b }),
                Op::FMax if a == b => $bits(if a.is_sign_positive() { a } else { b }),
                Op::FMin => $bits(if a < b { a } else { b }),
                Op::FMax => $bits(if a > b { a } else { b }),
                Op::FRound(Rounding::Floor) => $bits(a.floor()),
                Op::FRound(Rounding::Ceil) => $bits(a.ceil()),
                Op::FRound(Rounding::Nearest) => $bits(a.round_ties_even()),
                Op::FRound(Rounding::Zero) => $bits(a.trunc()),
                Op::FLt => u64::from(a < b),
                Op::FLe => u64::from(a <= b),
                Op::FEq => u64::from(a == b),
                Op::FloatToSigned => saturate(f64::from(a), result),
                _ => unreachable!("{op:?} is not a float operator"),
            }
        }
    };
}

float_operators!(binary32, f32, single);
float_operators!(binary64, f64, double);

#[cfg(test)]
mod tests {
    use super::apply;
    use crate::{Op, Sort};

    const INT: Sort = Sort::BitVec(32);

    fn int(op: Op, a: i32, b: i32) -> i32 {
        apply(op, INT, INT, [u64::from(a as u32), u64::from(b as u32), 0]) as u32 as i32
    }

    #[test]
    fn integer_corner_cases() {
        assert_eq!(int(Op::SDiv, i32::MIN, -1), i32::MIN);
        assert_eq!(int(Op::SRem, i32::MIN, -1), 0);
        assert_eq!(int(Op::SDiv, -7, 2), -3);
        assert_eq!(int(Op::SRem, -7, 2), -1);
        assert_eq!(int(Op::SDiv, -7, 0), 1);
        assert_eq!(int(Op::SDiv, 7, 0), -1);
        assert_eq!(int(Op::SRem, -7, 0), -7);
        assert_eq!(int(Op::UDiv, 7, 0), -1);
        assert_eq!(int(Op::AShr, -8, 40), -1);
        assert_eq!(int(Op::Shl, 1, 32), 0);
        assert_eq!(int(Op::LShr, -1, 31), 1);
    }

    #[test]
    fn minimum_and_maximum_order_the_zeros() {
        let double = |op, a: f64, b: f64| {
            f64::from_bits(apply(op, Sort::F64, Sort::F64, [a.to_bits(), b.to_bits(), 0]))
        };
        for (a, b) in [(0.0, -0.0), (-0.0, 0.0)] {
            assert!(double(Op::FMin, a, b).is_sign_negative());
            assert!(double(Op::FMax, a, b).is_sign_positive());
        }
        assert!(double(Op::FMin, f64::NAN, 1.0).is_nan());
        assert!(double(Op::FMax, 1.0, f64::NAN).is_nan());
        assert_eq!(double(Op::FMin, 1.0, 2.0), 1.0);
        assert_eq!(double(Op::FMax, 1.0, 2.0), 2.0);
    }

    #[test]
    fn conversions_saturate_as_java_does() {
        let to =
            |sort, value: f64| apply(Op::FloatToSigned, sort, Sort::F64, [value.to_bits(), 0, 0]);
        assert_eq!(to(INT, 1e300) as u32 as i32, i32::MAX);
        assert_eq!(to(INT, f64::NEG_INFINITY) as u32 as i32, i32::MIN);
        assert_eq!(to(INT, f64::NAN), 0);
        assert_eq!(to(INT, -3.99) as u32 as i32, -3);
        assert_eq!(to(Sort::BitVec(64), 1e300) as i64, i64::MAX);
    }

    #[test]
    fn computed_nan_is_canonical_and_moved_nan_is_kept() {
        let payload = 0xffc1_2345_u64;
        for operand in [payload, 0xc020_0000] {
            assert_eq!(apply(Op::FSqrt, Sort::F32, Sort::F32, [operand, 0, 0]), 0x7fc0_0000);
        }
        assert_eq!(apply(Op::FAdd, Sort::F32, Sort::F32, [payload, 0, 0]), 0x7fc0_0000);
        let canonical = 0x7ff8 << 48;
        for op in [Op::FAdd, Op::FMul, Op::FDiv, Op::FRem, Op::FSqrt, Op::FFma, Op::FMin] {
            let value = apply(op, Sort::F64, Sort::F64, [0xfff8_1234_5678_9abc; 3]);
            assert_eq!(value, canonical, "{op:?}");
        }
        assert_eq!(apply(Op::FAbs, Sort::F32, Sort::F32, [payload, 0, 0]), 0x7fc1_2345);
        assert_eq!(apply(Op::FNeg, Sort::F32, Sort::F32, [payload, 0, 0]), 0x7fc1_2345);
    }
}
