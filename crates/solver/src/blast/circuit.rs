//! Which circuit each operator is: one line per operator, no logic.

use super::float::{float_abs, float_negate};
use super::gates::{Gates, Lit};
use super::word::{self, Word};
use dalang_term::{FloatFormat, Op, Sort};

/// The circuit of an operator on words; `sort` is the result's, `operand` the last operand's.
pub fn build(gates: &mut Gates, op: Op, sort: Sort, operand: Sort, words: &[&[Lit]]) -> Word {
    let operand_at = |position| words.get(position).copied().unwrap_or_default();
    let (a, b, c) = (operand_at(0), operand_at(1), operand_at(2));
    let width = sort.width() as usize;
    match op {
        Op::Const | Op::Symbol => unreachable!("a leaf has no circuit"),
        Op::Eq => vec![gates.equal(a, b)],
        Op::Ite => gates.ite_word(a[0], b, c),
        Op::Not | Op::BvNot => word::not(a),
        Op::And | Op::BvAnd => gates.zip(a, b, Gates::and),
        Op::BvOr => gates.zip(a, b, Gates::or),
        Op::BvXor => gates.zip(a, b, Gates::xor),
        Op::Add => gates.add(a, b),
        Op::Mul => gates.multiply_tied(a, b),
        Op::Neg => gates.negate(a),
        Op::UDiv => gates.divide(a, b, false).0,
        Op::URem => gates.divide(a, b, false).1,
        Op::SDiv => gates.divide(a, b, true).0,
        Op::SRem => gates.divide(a, b, true).1,
        Op::Shl => gates.shift_left(a, b),
        Op::LShr => gates.shift_right(a, b, Lit::FALSE),
        Op::AShr => gates.shift_right(a, b, word::sign(a)),
        Op::Ult => vec![gates.unsigned_less(a, b)],
        Op::Slt => vec![gates.signed_less(a, b)],
        Op::Extract(low) => a[low as usize..low as usize + width].to_vec(),
        Op::Concat => [b, a].concat(),
        Op::ZeroExtend => word::resize(a, width),
        Op::SignExtend => word::sign_resize(a, width),
        Op::BitsToFloat | Op::FloatToBits => a.to_vec(),
        Op::FNeg => float_negate(a),
        Op::FAbs => float_abs(a),
        Op::FAdd => gates.float_add(format(sort), a, b),
        Op::FMul => gates.float_multiply(format(sort), a, b),
        Op::FDiv => gates.float_divide(format(sort), a, b),
        Op::FRem => gates.float_remainder(format(sort), a, b),
        Op::FSqrt => gates.float_sqrt(format(sort), a),
        Op::FFma => gates.float_fma(format(sort), a, b, c),
        Op::FMin => gates.float_min(format(sort), a, b),
        Op::FMax => gates.float_max(format(sort), a, b),
        Op::FRound(rounding) => gates.float_round(format(sort), rounding, a),
        Op::FLt => vec![gates.float_less(format(operand), a, b)],
        Op::FLe => vec![gates.float_less_equal(format(operand), a, b)],
        Op::FEq => vec![gates.float_equal(format(operand), a, b)],
        Op::SignedToFloat => gates.signed_to_float(format(sort), a),
        Op::FloatToSigned => gates.float_to_signed(format(operand), a, width),
        Op::FloatToFloat => gates.float_to_float(format(operand), format(sort), a),
    }
}

/// The layout of a sort that the builders have checked to be a float's.
fn format(sort: Sort) -> FloatFormat {
    sort.float_format().unwrap_or_else(|| unreachable!("a float operator on {sort}"))
}
