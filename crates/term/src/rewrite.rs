//! Rewriting at construction: the rules that make terms canonical.
//!
//! One file per theory, one function per rule, each documented as `match:` / `result:` /
//! `side condition:` and listed in its file's tables. A rule sees one node whose operands are
//! canonical already and either passes or gives an equal term. Rules are tried in table order and
//! the first that fires wins; what a rule builds goes through the pool again.
//!
//! A rule never follows a chain without a bound ([`Pool::ITE_DEPTH`]) and never copies a subterm
//! that it does not shrink. Every rule is proved by the solver at small widths in
//! `solver/tests/rewrites.rs`, which also fails for a rule that it never saw fire.

mod bitvector;
mod boolean;
mod comparison;
mod conversion;
mod equality;
mod float;
mod ite;
mod pattern;
mod polynomial;
mod relation;

use crate::{Node, Op, Pool, Rounding, TermId, semantics};

/// One rewrite rule.
pub struct Rule {
    /// `theory/what-it-does`.
    pub name: &'static str,
    /// Gives an equal term, or passes.
    pub apply: fn(&mut Pool, Node) -> Option<TermId>,
}

/// The rules for nodes with this operator, in the order they are tried.
pub fn rules(op: Op) -> &'static [Rule] {
    match op {
        Op::Const | Op::Symbol => &[],
        Op::Eq => equality::EQ,
        Op::Ite => ite::ITE,
        Op::Not => boolean::NOT,
        Op::And => boolean::AND,
        Op::Add => bitvector::ADD,
        Op::Mul => bitvector::MUL,
        Op::Neg => bitvector::NEG,
        Op::UDiv => bitvector::UDIV,
        Op::SDiv => bitvector::SDIV,
        Op::URem => bitvector::UREM,
        Op::SRem => bitvector::SREM,
        Op::BvNot => bitvector::NOT,
        Op::BvAnd => bitvector::AND,
        Op::BvOr => bitvector::OR,
        Op::BvXor => bitvector::XOR,
        Op::Shl => bitvector::SHL,
        Op::LShr => bitvector::LSHR,
        Op::AShr => bitvector::ASHR,
        Op::Ult | Op::Slt => comparison::ORDER,
        Op::Extract(_) => conversion::EXTRACT,
        Op::Concat => conversion::CONCAT,
        Op::ZeroExtend => conversion::ZERO_EXTEND,
        Op::SignExtend => conversion::SIGN_EXTEND,
        Op::FAdd => float::FADD,
        Op::FMul | Op::FDiv => float::FMUL,
        Op::FRem => float::FREM,
        Op::FSqrt => float::FSQRT,
        Op::FFma => float::FFMA,
        Op::FNeg => float::FNEG,
        Op::FAbs => float::FABS,
        Op::FMin | Op::FMax => float::EXTREME,
        Op::FRound(_) => float::FROUND,
        Op::FLt => float::FLT,
        Op::FLe => float::FLE,
        Op::FEq => float::FEQ,
        Op::SignedToFloat => float::SIGNED_TO_FLOAT,
        Op::FloatToSigned => float::FLOAT_TO_SIGNED,
        Op::FloatToFloat => float::FLOAT_TO_FLOAT,
        Op::BitsToFloat => conversion::BITS_TO_FLOAT,
        Op::FloatToBits => conversion::FLOAT_TO_BITS,
    }
}

/// Every operator with operands, each position of `Extract` once; for tests that go through all
/// rules.
pub fn all_ops() -> impl Iterator<Item = Op> {
    let roundings = [Rounding::Floor, Rounding::Ceil, Rounding::Nearest, Rounding::Zero];
    let plain = [
        Op::Eq,
        Op::Ite,
        Op::Not,
        Op::And,
        Op::Add,
        Op::Mul,
        Op::Neg,
        Op::UDiv,
        Op::SDiv,
        Op::URem,
        Op::SRem,
        Op::BvNot,
        Op::BvAnd,
        Op::BvOr,
        Op::BvXor,
        Op::Shl,
        Op::LShr,
        Op::AShr,
        Op::Ult,
        Op::Slt,
        Op::Concat,
        Op::ZeroExtend,
        Op::SignExtend,
        Op::FAdd,
        Op::FMul,
        Op::FDiv,
        Op::FRem,
        Op::FSqrt,
        Op::FFma,
        Op::FNeg,
        Op::FAbs,
        Op::FMin,
        Op::FMax,
        Op::FLt,
        Op::FLe,
        Op::FEq,
        Op::SignedToFloat,
        Op::FloatToSigned,
        Op::FloatToFloat,
        Op::BitsToFloat,
        Op::FloatToBits,
    ];
    let extracts = (0..64).map(Op::Extract);
    plain.into_iter().chain(extracts).chain(roundings.map(Op::FRound))
}

/// Every operator on constants is a constant: point 2 of the canonical form.
pub(crate) fn fold_constants(pool: &mut Pool, node: Node) -> Option<TermId> {
    let mut operands = [0; 3];
    let mut last = None;
    for (slot, operand) in operands.iter_mut().zip(node.args()) {
        *slot = pool.bits(operand)?;
        last = Some(operand);
    }
    let operand_sort = pool.sort(last?);
    let value = semantics::apply(node.op, node.sort, operand_sort, operands);
    Some(pool.constant(node.sort, value))
}
