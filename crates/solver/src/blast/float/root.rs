//! Square root, digit by digit.
//!
//! With an even exponent the root of a significand in [1, 4) is in [1, 2), so that it is
//! normalised, and its exponent is half of the operand's: neither subnormal nor infinite. Bringing
//! down two bits of the radicand, the next digit is one if `4 * root + 1` fits into the remainder.
//! A root is never halfway between two floats; what remains is the sticky bit.

use super::pack::{Special, Unrounded};
use super::{exponent_width, precision};
use crate::blast::gates::{Gates, Lit};
use crate::blast::word::{Word, constant};
use dalang_term::FloatFormat;

impl Gates {
    /// The square root of `a`.
    pub fn float_sqrt(&mut self, format: FloatFormat, a: &[Lit]) -> Word {
        let a = self.unpack_normal(format, a);
        // The bias is odd: a biased exponent that is odd stands for an even one.
        let even = a.exponent[0];
        let radicand = self.radicand(&a.significand, even);
        let (root, remainder) = self.root_digits(&radicand, precision(format) + 1);
        let half = &a.exponent[1..=exponent_width(format)];
        let rebias = constant(half.len(), (1_u64 << (format.exponent - 2)).wrapping_sub(2));
        let negative = self.and(a.sign, !a.zero);
        let value = Unrounded {
            sign: a.sign,
            exponent: self.add_with_carry(half, &rebias, even).0,
            significand: root,
            sticky: self.any(remainder),
        };
        let special = Special { nan: self.or(a.nan, negative), infinite: a.infinite };
        self.pack(format, value, &special)
    }

    /// The significand with two bits before the point, doubled if the exponent is odd.
    fn radicand(&mut self, significand: &[Lit], even: Lit) -> Word {
        let once = [significand, &[Lit::FALSE]].concat();
        let doubled = [&[Lit::FALSE], significand].concat();
        self.ite_word(even, &once, &doubled)
    }

    /// This many digits of the root of a fixed-point number with two bits before the point, and
    /// what remains.
    fn root_digits(&mut self, radicand: &[Lit], digits: usize) -> (Word, Word) {
        let mut bits = radicand.iter().rev().copied();
        let mut root = Vec::with_capacity(digits);
        let mut remainder = Vec::new();
        for _ in 0..digits {
            for _ in 0..2 {
                remainder.insert(0, bits.next().unwrap_or(Lit::FALSE));
            }
            let trial = [&[Lit::TRUE, Lit::FALSE], &root[..]].concat();
            let (rest, fits) = self.subtract_if_fits(&remainder, &trial, Lit::TRUE);
            root.insert(0, fits);
            remainder = rest;
        }
        (root, remainder)
    }
}

#[cfg(test)]
mod tests {
    use crate::blast::float::oracle::{Operator, SMALL, SORTS, TINY};
    use dalang_term::Op;

    const SQRT: Operator = Operator {
        op: Op::FSqrt,
        circuit: |gates, format, words| gates.float_sqrt(format, &words[0]),
    };

    #[test]
    fn roots_agree_with_the_hardware() {
        for sort in SORTS {
            SQRT.agrees_on_specials(sort, 1);
            SQRT.agrees_on_random(sort, 10_000);
            SQRT.agrees_symbolically(sort, 60);
        }
    }

    #[test]
    fn roots_of_tiny_floats_are_all_right() {
        SQRT.agrees_on_all(SMALL);
        SQRT.agrees_on_all_symbolically(TINY);
    }
}
