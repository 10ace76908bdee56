//! Addition.
//!
//! The operand of smaller magnitude is shifted right to the exponent of the larger one, three bits
//! below it being enough (guard, round, sticky): if more than one bit cancels, the exponents
//! differ by at most one and nothing was lost. The sum is shifted back up, but not below the
//! smallest exponent; a subnormal sum is exact, so that no second shift is needed.

use super::pack::{Special, Unrounded};
use super::{Unpacked, magnitude};
use crate::blast::gates::{Gates, Lit};
use crate::blast::word::Word;
use dalang_term::FloatFormat;

impl Gates {
    /// `a + b`
    pub fn float_add(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Word {
        let swap = self.unsigned_less(magnitude(a), magnitude(b));
        let (large, small) = (self.ite_word(swap, b, a), self.ite_word(swap, a, b));
        let (large, small) = (self.unpack(format, &large), self.unpack(format, &small));
        let differ = self.xor(large.sign, small.sign);
        let sum = self.aligned_sum(&large, &small, differ);
        let cancelled = self.is_zero(&sum);
        let cancelled = self.and(cancelled, differ);
        let sign = self.and(large.sign, !cancelled);
        // The sum's top bit is the carry, one exponent up: that is its exponent less one.
        let (significand, exponent) = self.normalize_within(&sum, &large.exponent);
        let both_infinite = self.all([large.infinite, small.infinite, differ]);
        let special = Special {
            // A NaN has the larger magnitude, whatever the other operand is.
            nan: self.or(large.nan, both_infinite),
            infinite: large.infinite,
        };
        let value = Unrounded { sign, exponent, significand, sticky: Lit::FALSE };
        self.pack(format, value, &special)
    }

    /// The sum or difference of the significands with three bits below and a carry above.
    fn aligned_sum(&mut self, large: &Unpacked, small: &Unpacked, differ: Lit) -> Word {
        let distance = self.sub(&large.exponent, &small.exponent);
        let low = [Lit::FALSE; 3];
        let upper = [&low, &large.significand[..]].concat();
        let lower = [&low[1..], &small.significand[..]].concat();
        let (mut lower, sticky) = self.shift_away(&lower, &distance);
        lower.insert(0, sticky);
        self.add_or_subtract(&upper, &lower, differ)
    }

    /// `subtract ? a - b : a + b` with a carry on top, for `a >= b`.
    pub(super) fn add_or_subtract(&mut self, a: &[Lit], b: &[Lit], subtract: Lit) -> Word {
        let b: Word = b.iter().map(|&bit| self.xor(bit, subtract)).collect();
        let (mut sum, carry) = self.add_with_carry(a, &b, subtract);
        sum.push(self.and(carry, !subtract));
        sum
    }
}

#[cfg(test)]
mod tests {
    use crate::blast::float::oracle::{Operator, SMALL, SORTS, TINY};
    use dalang_term::Op;

    const ADD: Operator = Operator {
        op: Op::FAdd,
        circuit: |gates, format, words| gates.float_add(format, &words[0], &words[1]),
    };

    #[test]
    fn sums_agree_with_the_hardware() {
        for sort in SORTS {
            ADD.agrees_on_specials(sort, 1);
            ADD.agrees_on_random(sort, 20_000);
            ADD.agrees_symbolically(sort, 60);
        }
    }

    #[test]
    fn sums_of_tiny_floats_are_all_right() {
        ADD.agrees_on_all(SMALL);
        ADD.agrees_on_all_symbolically(TINY);
    }
}
