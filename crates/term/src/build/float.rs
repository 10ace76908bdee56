//! Builders of floats, and of conversions from and to them.
//!
//! Arithmetic rounds to nearest even, the only mode Java has.

use crate::{Op, Pool, Rounding, Sort, TermId};

/// What the bits of a NaN are when a float is read as bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NanBits {
    /// The payload that the NaN has: `floatToRawIntBits`.
    Raw,
    /// One pattern for every NaN: `floatToIntBits`.
    Canonical,
}

impl Pool {
    /// A Java `float`.
    pub fn f32(&mut self, value: f32) -> TermId {
        self.constant(Sort::F32, u64::from(value.to_bits()))
    }

    /// A Java `double`.
    pub fn f64(&mut self, value: f64) -> TermId {
        self.constant(Sort::F64, value.to_bits())
    }

    fn float_binary(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        self.expect_float(op, a);
        self.same_sort(op, a, b)
    }

    fn float_unary(&mut self, op: Op, a: TermId) -> TermId {
        let sort = self.expect_float(op, a);
        self.apply(op, sort, &[a])
    }

    fn float_comparison(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        self.expect_float(op, a);
        self.comparison(op, a, b)
    }

    /// `a + b`
    pub fn fadd(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_binary(Op::FAdd, a, b)
    }

    /// `a - b`, which IEEE 754 defines as `a + (-b)`.
    pub fn fsub(&mut self, a: TermId, b: TermId) -> TermId {
        let negated = self.fneg(b);
        self.fadd(a, negated)
    }

    /// `a * b`
    pub fn fmul(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_binary(Op::FMul, a, b)
    }

    /// `a / b`
    pub fn fdiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_binary(Op::FDiv, a, b)
    }

    /// Java's `a % b`
    pub fn frem(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_binary(Op::FRem, a, b)
    }

    /// `Math.sqrt(a)`
    pub fn fsqrt(&mut self, a: TermId) -> TermId {
        self.float_unary(Op::FSqrt, a)
    }

    /// `Math.fma(a, b, c)`
    pub fn ffma(&mut self, a: TermId, b: TermId, c: TermId) -> TermId {
        let sort = self.expect_float(Op::FFma, a);
        self.expect_same(Op::FFma, a, b);
        self.expect_same(Op::FFma, a, c);
        self.apply(Op::FFma, sort, &[a, b, c])
    }

    /// `-a`
    pub fn fneg(&mut self, a: TermId) -> TermId {
        self.float_unary(Op::FNeg, a)
    }

    /// `Math.abs(a)`
    pub fn fabs(&mut self, a: TermId) -> TermId {
        self.float_unary(Op::FAbs, a)
    }

    /// `Math.min(a, b)`
    pub fn fmin(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_binary(Op::FMin, a, b)
    }

    /// `Math.max(a, b)`
    pub fn fmax(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_binary(Op::FMax, a, b)
    }

    /// `a` rounded to an integral value: `Math.floor`, `ceil`, `rint`, or towards zero.
    pub fn fround(&mut self, rounding: Rounding, a: TermId) -> TermId {
        self.float_unary(Op::FRound(rounding), a)
    }

    /// `a < b`, false on NaN.
    pub fn flt(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_comparison(Op::FLt, a, b)
    }

    /// `a <= b`, false on NaN.
    pub fn fle(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_comparison(Op::FLe, a, b)
    }

    /// `a > b`, false on NaN.
    pub fn fgt(&mut self, a: TermId, b: TermId) -> TermId {
        self.flt(b, a)
    }

    /// `a >= b`, false on NaN.
    pub fn fge(&mut self, a: TermId, b: TermId) -> TermId {
        self.fle(b, a)
    }

    /// Java's `a == b`: false on NaN, true of the two zeros.
    pub fn feq(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_comparison(Op::FEq, a, b)
    }

    /// `a != a`
    pub fn is_nan(&mut self, a: TermId) -> TermId {
        let itself = self.feq(a, a);
        self.not(itself)
    }

    /// A signed integer as a float, to nearest even.
    pub fn signed_to_float(&mut self, a: TermId, to: Sort) -> TermId {
        self.expect_bitvec(Op::SignedToFloat, a);
        assert!(to.is_float(), "a conversion to float gives {to}");
        self.apply(Op::SignedToFloat, to, &[a])
    }

    /// A float as a signed integer: towards zero, saturating, NaN to 0.
    pub fn float_to_signed(&mut self, a: TermId, width: u8) -> TermId {
        self.expect_float(Op::FloatToSigned, a);
        assert!((2..=64).contains(&width), "a conversion of a float to {width} bits");
        self.apply(Op::FloatToSigned, Sort::BitVec(width), &[a])
    }

    /// A float in the other float sort; itself when it has that sort.
    pub fn float_to_float(&mut self, a: TermId, to: Sort) -> TermId {
        let from = self.expect_float(Op::FloatToFloat, a);
        assert!(to.is_float(), "a conversion to float gives {to}");
        if from == to { a } else { self.apply(Op::FloatToFloat, to, &[a]) }
    }

    /// 32 or 64 bits read as a float: `intBitsToFloat`, `longBitsToDouble`.
    pub fn bits_to_float(&mut self, a: TermId) -> TermId {
        let sort = match self.expect_bitvec(Op::BitsToFloat, a) {
            32 => Sort::F32,
            64 => Sort::F64,
            width => panic!("{width} bits read as a float"),
        };
        self.apply(Op::BitsToFloat, sort, &[a])
    }

    /// A float read as its bits.
    pub fn float_to_bits(&mut self, a: TermId, nan: NanBits) -> TermId {
        let sort = self.expect_float(Op::FloatToBits, a);
        let width = sort.width() as u8;
        let raw = self.apply(Op::FloatToBits, Sort::BitVec(width), &[a]);
        match (nan, sort.float_format()) {
            (NanBits::Canonical, Some(format)) => {
                let canonical = self.bitvec(width, format.canonical_nan());
                let is_nan = self.is_nan(a);
                self.ite(is_nan, canonical, raw)
            }
            _ => raw,
        }
    }
}
