//! Remainder of the truncated quotient: C's `fmod`, Java's `%`. It is exact.
//!
//! The significand of `a` is reduced modulo that of `b`, then doubled and reduced once for every
//! step between their exponents: up to 253 times in binary32 and 2,045 times in binary64. The
//! number of steps is data, so that they are grouped: for each bit of the difference a block of a
//! power of two steps, taken or passed by as a whole. Steps inside a block are then unconditional,
//! which is half the price. A block that is passed by starts from zero and stays there, so that
//! deciding the bit silences it; a block that the constant bits of the exponents rule out is not
//! built.

use super::pack::{Special, Unrounded};
use super::{Unpacked, exponent_width, fraction_width};
use crate::blast::gates::{Gates, Lit};
use crate::blast::word::{Word, resize, sign};
use dalang_term::FloatFormat;

impl Gates {
    /// `a % b`, with the sign of `a`.
    pub fn float_remainder(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Word {
        let (x, y) = (self.unpack(format, a), self.unpack(format, b));
        let (blocks, smaller) = self.remainder_blocks(format, &x, &y);
        let mut remainder = self.reduce(&x.significand, &y.significand);
        for (stage, &taken) in blocks.iter().enumerate().rev() {
            remainder = self.reduction_block(&remainder, &y.significand, 1 << stage, taken);
        }
        let nan = self.any([x.nan, y.nan, x.infinite, y.zero]);
        let packed = self.pack_exact(format, x.sign, &y.exponent, &remainder, nan);
        // A divisor of larger exponent, infinity included, leaves the dividend as it is.
        let unchanged = self.and(smaller, !nan);
        self.ite_word(unchanged, a, &packed)
    }

    /// Which blocks of steps are taken, and whether `a` has the smaller exponent.
    fn remainder_blocks(&mut self, format: FloatFormat, a: &Unpacked, b: &Unpacked) -> (Word, Lit) {
        let width = exponent_width(format) + 1;
        let gap = self.sub(&resize(&a.exponent, width), &resize(&b.exponent, width));
        let smaller = sign(&gap);
        let finite = (1 << format.exponent) - 2;
        let most = bound(&a.exponent, Lit::TRUE).min(finite);
        let widest = most.saturating_sub(bound(&b.exponent, Lit::FALSE).max(1));
        let blocks = (0..width - 1)
            .take_while(|&stage| 1 << stage <= widest)
            .map(|stage| self.and(gap[stage], !smaller))
            .collect();
        (blocks, smaller)
    }

    /// `a mod b`, for significands with any number of leading zeros.
    fn reduce(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        // Are the bits of b from here up all zero? Only then a shorter remainder may reach it.
        let mut empty = vec![Lit::TRUE; b.len() + 1];
        for position in (0..b.len()).rev() {
            empty[position] = self.and(empty[position + 1], !b[position]);
        }
        let mut remainder = Vec::with_capacity(b.len() + 1);
        for &bit in a.iter().rev() {
            remainder.insert(0, bit);
            let width = remainder.len().min(b.len());
            remainder = self.subtract_if_fits(&remainder, &b[..width], empty[width]).0;
        }
        remainder
    }

    /// `taken ? remainder * 2^steps mod divisor : remainder`
    fn reduction_block(
        &mut self,
        remainder: &[Lit],
        divisor: &[Lit],
        steps: usize,
        taken: Lit,
    ) -> Word {
        if taken == Lit::FALSE {
            return remainder.to_vec();
        }
        let mut stepped: Word = remainder.iter().map(|&bit| self.and(bit, taken)).collect();
        for _ in 0..steps {
            stepped.insert(0, Lit::FALSE);
            stepped = self.subtract_if_fits(&stepped, divisor, Lit::TRUE).0;
        }
        self.ite_word(taken, &stepped, remainder)
    }

    /// A significand at an exponent, which needs no rounding.
    fn pack_exact(
        &mut self,
        format: FloatFormat,
        sign: Lit,
        exponent: &[Lit],
        significand: &[Lit],
        nan: Lit,
    ) -> Word {
        debug_assert_eq!(significand.len(), fraction_width(format) + 1);
        let less_one = self.decrement_if(exponent, Lit::TRUE);
        let (significand, exponent) = self.normalize_within(significand, &less_one);
        let value = Unrounded { sign, exponent, significand, sticky: Lit::FALSE };
        let infinite = Lit::FALSE;
        self.pack(format, value, &Special { nan, infinite })
    }
}

/// The value of a word with every unknown bit read as this.
fn bound(word: &[Lit], unknown: Lit) -> u64 {
    word.iter().rev().fold(0, |value, bit| {
        let bit = bit.known().unwrap_or(unknown == Lit::TRUE);
        value << 1 | u64::from(bit)
    })
}

#[cfg(test)]
mod tests {
    use crate::blast::float::oracle::{Operator, SMALL, TINY};
    use dalang_term::{Op, Sort};

    const REMAINDER: Operator = Operator {
        op: Op::FRem,
        circuit: |gates, format, words| gates.float_remainder(format, &words[0], &words[1]),
    };

    #[test]
    fn remainders_agree_with_the_hardware() {
        REMAINDER.agrees_on_specials(Sort::F32, 1);
        REMAINDER.agrees_on_random(Sort::F32, 20_000);
        REMAINDER.agrees_symbolically(Sort::F32, 60);
    }

    #[test]
    fn long_remainders_agree_with_the_hardware() {
        REMAINDER.agrees_on_specials(Sort::F64, 3);
        REMAINDER.agrees_on_random(Sort::F64, 2000);
        REMAINDER.agrees_symbolically(Sort::F64, 4);
    }

    /// Reducing to an angle or to parity is what programs do; it must not cost two thousand steps of
    /// full width.
    #[test]
    fn a_constant_divisor_makes_a_small_circuit() {
        for (divisor, limit) in [(2.0_f64, 2_000), (360.0, 25_000), (1e300, 12_000)] {
            let bits = divisor.to_bits();
            REMAINDER.agrees_with_constant_divisor(Sort::F64, bits, limit, 8);
        }
    }

    #[test]
    fn remainders_of_tiny_floats_are_all_right() {
        REMAINDER.agrees_on_all(SMALL);
        REMAINDER.agrees_on_all_symbolically(TINY);
    }
}
