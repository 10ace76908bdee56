//! The operators of terms, and the node that one operator application is.
//!
//! The list is what is left after canonical form: `a - b`, `a || b`, `a <= b` are built from these
//! by the builders and shown again by the printers. A new operator is added here, in
//! `semantics.rs`, in the printers and in the bit-blaster, and nowhere else.

use crate::{Sort, TermId};

/// How `FRound` rounds to an integral value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rounding {
    /// Towards negative infinity, `Math.floor`.
    Floor,
    /// Towards positive infinity, `Math.ceil`.
    Ceil,
    /// To the nearest, ties to even, `Math.rint`.
    Nearest,
    /// Towards zero.
    Zero,
}

/// An operator of the term language.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Op {
    /// A literal value, its bits in the node.
    Const,
    /// A free symbol, its number in the node.
    Symbol,

    /// Equality of two values of one sort, bit by bit (for floats see `FEq`).
    Eq,
    /// `if a then b else c`, of any sort.
    Ite,

    /// Logical negation.
    Not,
    /// Logical conjunction.
    And,

    /// Addition modulo 2^w.
    Add,
    /// Multiplication modulo 2^w.
    Mul,
    /// Two's complement negation.
    Neg,
    /// Unsigned quotient; all ones when the divisor is zero.
    UDiv,
    /// Signed quotient, truncating; 1 or -1 by the dividend's sign when the divisor is zero.
    SDiv,
    /// Unsigned remainder; the dividend when the divisor is zero.
    URem,
    /// Signed remainder with the dividend's sign; the dividend when the divisor is zero.
    SRem,
    /// Complement of every bit.
    BvNot,
    /// Bitwise and.
    BvAnd,
    /// Bitwise or.
    BvOr,
    /// Bitwise exclusive or.
    BvXor,
    /// Shift left; zero when the distance is the width or more.
    Shl,
    /// Logical shift right; zero when the distance is the width or more.
    LShr,
    /// Arithmetic shift right; the sign everywhere when the distance is the width or more.
    AShr,
    /// Unsigned less-than.
    Ult,
    /// Signed less-than.
    Slt,
    /// The bits from this position up, as many as the node's sort has.
    Extract(u8),
    /// The first operand above the second.
    Concat,
    /// Zeros above, up to the node's sort.
    ZeroExtend,
    /// Copies of the sign above, up to the node's sort.
    SignExtend,

    /// IEEE addition, to nearest even.
    FAdd,
    /// IEEE multiplication, to nearest even.
    FMul,
    /// IEEE division, to nearest even.
    FDiv,
    /// Java's `%`: exact remainder of the truncated quotient, the dividend's sign.
    FRem,
    /// IEEE square root, to nearest even.
    FSqrt,
    /// `a * b + c` rounded once, `Math.fma`.
    FFma,
    /// The sign bit flipped, NaN included.
    FNeg,
    /// The sign bit cleared, NaN included.
    FAbs,
    /// `Math.min`: NaN if either is, and -0 below +0.
    FMin,
    /// `Math.max`: NaN if either is, and +0 above -0.
    FMax,
    /// Rounding to an integral value of the same sort.
    FRound(Rounding),
    /// IEEE less-than; false when either is NaN.
    FLt,
    /// IEEE less-or-equal; false when either is NaN.
    FLe,
    /// IEEE equality: NaN equals nothing, -0 equals +0.
    FEq,

    /// Signed integer to float, to nearest even.
    SignedToFloat,
    /// Float to signed integer: towards zero, saturating, NaN to 0.
    FloatToSigned,
    /// Between the two float sorts, to nearest even.
    FloatToFloat,
    /// A bit pattern read as a float.
    BitsToFloat,
    /// A float read as its bit pattern, NaN payload kept.
    FloatToBits,
}

impl Op {
    /// How many operands the operator has.
    pub const fn arity(self) -> usize {
        match self {
            Op::Const | Op::Symbol => 0,
            Op::Not
            | Op::Neg
            | Op::BvNot
            | Op::Extract(_)
            | Op::ZeroExtend
            | Op::SignExtend
            | Op::FSqrt
            | Op::FNeg
            | Op::FAbs
            | Op::FRound(_)
            | Op::SignedToFloat
            | Op::FloatToSigned
            | Op::FloatToFloat
            | Op::BitsToFloat
            | Op::FloatToBits => 1,
            Op::Ite | Op::FFma => 3,
            _ => 2,
        }
    }

    /// Do the first two operands commute, whatever their values?
    pub const fn commutes(self) -> bool {
        matches!(
            self,
            Op::Eq
                | Op::And
                | Op::Add
                | Op::Mul
                | Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::FAdd
                | Op::FMul
                | Op::FFma
                | Op::FMin
                | Op::FMax
                | Op::FEq
        )
    }

    /// Do rules for comparisons see through this operator to the ites below it?
    ///
    /// They then recurse into those, so such an operator must not hide how deep they are nested.
    pub(crate) const fn is_transparent(self) -> bool {
        matches!(
            self,
            Op::Add
                | Op::Mul
                | Op::Neg
                | Op::BvNot
                | Op::BvXor
                | Op::Concat
                | Op::ZeroExtend
                | Op::SignExtend
                | Op::FNeg
                | Op::FloatToFloat
                | Op::SignedToFloat
                | Op::BitsToFloat
                | Op::FloatToBits
        )
    }
}

/// One application of an operator: what the pool stores and shares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    /// The operator.
    pub op: Op,
    /// The sort of the result.
    pub sort: Sort,
    /// Operands; for `Const` the low and high word, for `Symbol` its number.
    pub(crate) words: [u32; 3],
}

impl Node {
    /// A node from up to three operands.
    pub fn new(op: Op, sort: Sort, args: &[TermId]) -> Node {
        debug_assert_eq!(args.len(), op.arity());
        let mut words = [0; 3];
        for (word, arg) in words.iter_mut().zip(args) {
            *word = arg.index();
        }
        Node { op, sort, words }
    }

    pub(crate) fn constant(sort: Sort, bits: u64) -> Node {
        Node { op: Op::Const, sort, words: [bits as u32, (bits >> 32) as u32, 0] }
    }

    pub(crate) fn symbol(sort: Sort, symbol: u32) -> Node {
        Node { op: Op::Symbol, sort, words: [symbol, 0, 0] }
    }

    /// The operand at this position.
    ///
    /// The position must be below the operator's arity.
    #[inline]
    pub fn arg(&self, position: usize) -> TermId {
        debug_assert!(position < self.op.arity());
        TermId::from_index(self.words[position])
    }

    /// All operands, in order.
    pub fn args(&self) -> impl DoubleEndedIterator<Item = TermId> + use<> {
        let words = self.words;
        (0..self.op.arity()).map(move |position| TermId::from_index(words[position]))
    }

    /// The bits of a `Const` node.
    #[inline]
    pub(crate) fn bits(&self) -> u64 {
        u64::from(self.words[0]) | u64::from(self.words[1]) << 32
    }
}

#[cfg(test)]
mod tests {
    use super::Node;

    #[test]
    fn a_node_is_sixteen_bytes() {
        assert_eq!(size_of::<Node>(), 16);
    }
}
