//! Multiplication, and the exact product that the fused operation shares.
//!
//! Operands are normalised first, so that the product of significands lies in [1, 4) and one
//! conditional shift normalises it.

use super::pack::{Special, Unrounded};
use super::{Unpacked, exponent_width, precision};
use crate::blast::gates::{Gates, Lit};
use crate::blast::word::{Word, sign};
use dalang_term::FloatFormat;

/// `a * b` before rounding.
pub(super) struct Product {
    pub(super) sign: Lit,
    /// Biased, less one, signed; for the significand shifted so that its top bit is set.
    pub(super) exponent: Word,
    /// All bits of the product; either of the top two is set unless it is zero.
    pub(super) significand: Word,
    pub(super) nan: Lit,
    pub(super) infinite: Lit,
    pub(super) zero: Lit,
}

impl Gates {
    /// `a * b`
    pub fn float_multiply(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Word {
        let product = self.product(format, a, b);
        // One bit more than is rounded, for the shift; what is below only matters as a whole.
        let (low, high) = product.significand.split_at(precision(format) - 2);
        let sticky = self.any(low.iter().copied());
        let value = Unrounded {
            sign: product.sign,
            exponent: product.exponent,
            significand: self.lead(high),
            sticky,
        };
        let special = Special { nan: product.nan, infinite: product.infinite };
        self.round(format, value, &special)
    }

    pub(super) fn product(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Product {
        let (a, b) = (self.unpack_normal(format, a), self.unpack_normal(format, b));
        let significand = self.multiply_wide(&a.significand, &b.significand);
        let exponent = self.product_exponent(format, &a, &b, sign(&significand));
        let zero = self.or(a.zero, b.zero);
        let infinite = self.or(a.infinite, b.infinite);
        let undefined = self.and(zero, infinite);
        Product {
            sign: self.xor(a.sign, b.sign),
            exponent,
            significand,
            nan: self.any([a.nan, b.nan, undefined]),
            infinite,
            zero,
        }
    }

    /// The sum of exponents without one bias and one, and with one if the product is 2 or more.
    fn product_exponent(
        &mut self,
        format: FloatFormat,
        a: &Unpacked,
        b: &Unpacked,
        two: Lit,
    ) -> Word {
        let width = exponent_width(format) + 2;
        // The bias and one are a power of two: only the upper bits change.
        let unbiased = self.offset(&a.exponent, -1 << (format.exponent - 1), width);
        self.add_with_carry(&unbiased, &b.exponent, two).0
    }
}

#[cfg(test)]
mod tests {
    use crate::blast::float::oracle::{Operator, SMALL, SORTS, TINY};
    use dalang_term::Op;

    const MULTIPLY: Operator = Operator {
        op: Op::FMul,
        circuit: |gates, format, words| gates.float_multiply(format, &words[0], &words[1]),
    };

    #[test]
    fn products_agree_with_the_hardware() {
        for sort in SORTS {
            MULTIPLY.agrees_on_specials(sort, 1);
            MULTIPLY.agrees_on_random(sort, 10_000);
            MULTIPLY.agrees_symbolically(sort, 60);
        }
    }

    #[test]
    fn products_of_tiny_floats_are_all_right() {
        MULTIPLY.agrees_on_all(SMALL);
        MULTIPLY.agrees_on_all_symbolically(TINY);
    }
}
