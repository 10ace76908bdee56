//! Division: restoring long division of normalised significands.
//!
//! The quotient lies in (1/2, 2): one bit before the point and enough after it that a normalised
//! significand and its guard bit are there in either case; the last remainder is the sticky bit.

use super::pack::{Special, Unrounded};
use super::{Unpacked, bias, exponent_width, precision};
use crate::blast::gates::{Gates, Lit};
use crate::blast::word::{Word, not, sign};
use dalang_term::FloatFormat;

impl Gates {
    /// `a / b`
    pub fn float_divide(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Word {
        let (a, b) = (self.unpack_normal(format, a), self.unpack_normal(format, b));
        let (quotient, remainder) =
            self.long_divide(&a.significand, &b.significand, precision(format) + 2);
        let exponent = self.quotient_exponent(format, &a, &b, sign(&quotient));
        let value = Unrounded {
            sign: self.xor(a.sign, b.sign),
            exponent,
            significand: self.lead(&quotient),
            sticky: self.any(remainder),
        };
        let zeros = self.and(a.zero, b.zero);
        let infinities = self.and(a.infinite, b.infinite);
        let special = Special {
            nan: self.any([a.nan, b.nan, zeros, infinities]),
            infinite: self.or(a.infinite, b.zero),
        };
        self.round(format, value, &special)
    }

    /// This many bits of `a / b`, the first of them before the point, and what remains; for
    /// `a < 2 * b`.
    fn long_divide(&mut self, a: &[Lit], b: &[Lit], bits: usize) -> (Word, Word) {
        let mut remainder = a.to_vec();
        let mut quotient = Vec::with_capacity(bits);
        for _ in 0..bits {
            let (rest, fits) = self.subtract_if_fits(&remainder, b, Lit::TRUE);
            quotient.push(fits);
            remainder = rest;
            remainder.insert(0, Lit::FALSE);
        }
        quotient.reverse();
        (quotient, remainder)
    }

    /// The difference of exponents with one bias, less one, and less another one if the quotient
    /// is below 1.
    fn quotient_exponent(
        &mut self,
        format: FloatFormat,
        a: &Unpacked,
        b: &Unpacked,
        one: Lit,
    ) -> Word {
        let width = exponent_width(format) + 2;
        let mut divisor = b.exponent.clone();
        // Dividing by infinity makes zero: an exponent beyond all others shifts everything out.
        divisor[width - 2] = self.or(divisor[width - 2], b.infinite);
        let biased = self.offset(&a.exponent, bias(format) as i64 - 1, width);
        // Without a carry, adding the complement subtracts one too many: that is the quotient
        // below 1.
        self.add_with_carry(&biased, &not(&divisor), one).0
    }
}

#[cfg(test)]
mod tests {
    use crate::blast::float::oracle::{Operator, SMALL, SORTS, TINY};
    use dalang_term::Op;

    const DIVIDE: Operator = Operator {
        op: Op::FDiv,
        circuit: |gates, format, words| gates.float_divide(format, &words[0], &words[1]),
    };

    #[test]
    fn quotients_agree_with_the_hardware() {
        for sort in SORTS {
            DIVIDE.agrees_on_specials(sort, 1);
            DIVIDE.agrees_on_random(sort, 10_000);
            DIVIDE.agrees_symbolically(sort, 60);
        }
    }

    #[test]
    fn quotients_of_tiny_floats_are_all_right() {
        DIVIDE.agrees_on_all(SMALL);
        DIVIDE.agrees_on_all_symbolically(TINY);
    }
}
