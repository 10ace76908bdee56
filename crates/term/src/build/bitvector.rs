//! Builders of bit-vectors.
//!
//! Division and shifts are SMT-LIB's total ones: Java's zero check and distance mask are made by the
//! caller.

use crate::{Op, Pool, Sort, TermId};

impl Pool {
    /// A bit-vector constant.
    pub fn bitvec(&mut self, width: u8, bits: u64) -> TermId {
        self.constant(Sort::BitVec(width), bits)
    }

    /// A Java `int`.
    pub fn int(&mut self, value: i32) -> TermId {
        self.bitvec(32, value as u64)
    }

    /// A Java `long`.
    pub fn long(&mut self, value: i64) -> TermId {
        self.bitvec(64, value as u64)
    }

    fn bitvec_binary(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        self.expect_bitvec(op, a);
        self.same_sort(op, a, b)
    }

    fn bitvec_unary(&mut self, op: Op, a: TermId) -> TermId {
        let width = self.expect_bitvec(op, a);
        self.apply(op, Sort::BitVec(width), &[a])
    }

    fn bitvec_comparison(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        self.expect_bitvec(op, a);
        self.comparison(op, a, b)
    }

    /// `a + b`
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.bitvec_binary(Op::Add, a, b)
    }

    /// `a - b`
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        let negated = self.neg(b);
        self.add(a, negated)
    }

    /// `a * b`
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.bitvec_binary(Op::Mul, a, b)
    }

    /// `-a`
    pub fn neg(&mut self, a: TermId) -> TermId {
        self.bitvec_unary(Op::Neg, a)
    }

    /// Unsigned quotient; all ones on a zero divisor.
    pub fn udiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.bitvec_binary(Op::UDiv, a, b)
    }

    /// Signed quotient; 1 or -1 on a zero divisor.
    pub fn sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.bitvec_binary(Op::SDiv, a, b)
    }

    /// Unsigned remainder; the dividend on a zero divisor.
    pub fn urem(&mut self, a: TermId, b: TermId) -> TermId {
        self.bitvec_binary(Op::URem, a, b)
    }

    /// Signed remainder; the dividend on a zero divisor.
    pub fn srem(&mut self, a: TermId, b: TermId) -> TermId {
        self.bitvec_binary(Op::SRem, a, b)
    }

    /// `~a`
    pub fn bv_not(&mut self, a: TermId) -> TermId {
        self.bitvec_unary(Op::BvNot, a)
    }

    /// `a & b`
    pub fn bv_and(&mut self, a: TermId, b: TermId) -> TermId {
        self.bitvec_binary(Op::BvAnd, a, b)
    }

    /// `a | b`
    pub fn bv_or(&mut self, a: TermId, b: TermId) -> TermId {
        self.bitvec_binary(Op::BvOr, a, b)
    }

    /// `a ^ b`
    pub fn bv_xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.bitvec_binary(Op::BvXor, a, b)
    }

    /// `a << b`, zero when `b` is the width or more.
    pub fn shl(&mut self, a: TermId, b: TermId) -> TermId {
        self.bitvec_binary(Op::Shl, a, b)
    }

    /// `a >>> b`, zero when `b` is the width or more.
    pub fn lshr(&mut self, a: TermId, b: TermId) -> TermId {
        self.bitvec_binary(Op::LShr, a, b)
    }

    /// `a >> b`, the sign everywhere when `b` is the width or more.
    pub fn ashr(&mut self, a: TermId, b: TermId) -> TermId {
        self.bitvec_binary(Op::AShr, a, b)
    }

    /// Signed `a < b`
    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        self.bitvec_comparison(Op::Slt, a, b)
    }

    /// Signed `a <= b`
    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        let above = self.slt(b, a);
        self.not(above)
    }

    /// Signed `a > b`
    pub fn sgt(&mut self, a: TermId, b: TermId) -> TermId {
        self.slt(b, a)
    }

    /// Signed `a >= b`
    pub fn sge(&mut self, a: TermId, b: TermId) -> TermId {
        self.sle(b, a)
    }

    /// Unsigned `a < b`
    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        self.bitvec_comparison(Op::Ult, a, b)
    }

    /// Unsigned `a <= b`
    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        let above = self.ult(b, a);
        self.not(above)
    }

    /// Unsigned `a > b`
    pub fn ugt(&mut self, a: TermId, b: TermId) -> TermId {
        self.ult(b, a)
    }

    /// Unsigned `a >= b`
    pub fn uge(&mut self, a: TermId, b: TermId) -> TermId {
        self.ule(b, a)
    }

    /// The bits `low..=high` of `a`.
    pub fn extract(&mut self, a: TermId, high: u8, low: u8) -> TermId {
        let width = self.expect_bitvec(Op::Extract(low), a);
        assert!(low <= high && high < width, "bits {low} to {high} of {width}");
        self.apply(Op::Extract(low), Sort::BitVec(high - low + 1), &[a])
    }

    /// `high` above `low`; together at most 64 bits.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        let width = self.expect_bitvec(Op::Concat, high) + self.expect_bitvec(Op::Concat, low);
        assert!(width <= 64, "a concatenation of {width} bits");
        self.apply(Op::Concat, Sort::BitVec(width), &[high, low])
    }

    /// Zeros above `a`, up to `width`; `a` itself when it has that width.
    pub fn zero_extend(&mut self, a: TermId, width: u8) -> TermId {
        self.extend(Op::ZeroExtend, a, width)
    }

    /// The sign of `a` repeated above it, up to `width`; `a` itself when it has that width.
    pub fn sign_extend(&mut self, a: TermId, width: u8) -> TermId {
        self.extend(Op::SignExtend, a, width)
    }

    fn extend(&mut self, op: Op, a: TermId, width: u8) -> TermId {
        let from = self.expect_bitvec(op, a);
        assert!(from <= width && width <= 64, "an extension from {from} to {width} bits");
        if from == width { a } else { self.apply(op, Sort::BitVec(width), &[a]) }
    }
}
