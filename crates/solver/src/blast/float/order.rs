//! Comparisons, minimum and maximum.
//!
//! Magnitudes of floats are ordered as unsigned integers, infinity above all numbers and NaN above
//! infinity; signs then decide. IEEE comparisons take NaN out and make the zeros equal; minimum
//! and maximum keep -0 below +0, as Java does.

use super::{fraction_width, magnitude};
use crate::blast::gates::{Gates, Lit};
use crate::blast::word::{Word, constant, sign};
use dalang_term::FloatFormat;

impl Gates {
    /// `a < b`; false of NaN.
    pub fn float_less(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Lit {
        let ordered = self.ordered(format, a, b);
        let below = self.below(a, b);
        let zeros = self.both_zero(a, b);
        self.all([ordered, below, !zeros])
    }

    /// `a <= b`; false of NaN.
    pub fn float_less_equal(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Lit {
        let ordered = self.ordered(format, a, b);
        let above = self.below(b, a);
        let zeros = self.both_zero(a, b);
        let not_above = self.or(!above, zeros);
        self.and(ordered, not_above)
    }

    /// `a == b`; false of NaN, true of any two zeros.
    pub fn float_equal(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Lit {
        let same = self.equal(a, b);
        let nan = self.is_nan(format, a);
        let number = self.and(same, !nan);
        let zeros = self.both_zero(a, b);
        self.or(number, zeros)
    }

    /// The smaller of two; NaN if either is, -0 below +0.
    pub fn float_min(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Word {
        let below = self.not_above(a, b);
        let least = self.ite_word(below, a, b);
        self.unless_nan(format, a, b, &least)
    }

    /// The larger of two; NaN if either is, +0 above -0.
    pub fn float_max(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Word {
        let below = self.not_above(a, b);
        let greatest = self.ite_word(below, b, a);
        self.unless_nan(format, a, b, &greatest)
    }

    /// Is this a NaN?
    pub fn is_nan(&mut self, format: FloatFormat, a: &[Lit]) -> Lit {
        let (fraction, exponent) = magnitude(a).split_at(fraction_width(format));
        let no_fraction = self.is_zero(fraction);
        self.all(exponent.iter().copied().chain([!no_fraction]))
    }

    fn ordered(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit]) -> Lit {
        let (a, b) = (self.is_nan(format, a), self.is_nan(format, b));
        self.and(!a, !b)
    }

    fn both_zero(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let bits = magnitude(a).iter().chain(magnitude(b));
        self.all(bits.map(|&bit| !bit))
    }

    /// Is `a` below `b`, as sign and magnitude?
    fn below(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let rising = self.unsigned_less(magnitude(a), magnitude(b));
        let falling = self.unsigned_less(magnitude(b), magnitude(a));
        let if_negative = self.or(!sign(b), falling);
        let if_positive = self.and(!sign(b), rising);
        self.ite(sign(a), if_negative, if_positive)
    }

    /// As `below`, but true of equal negative numbers: a choice between the two is the same then,
    /// and half of the comparison is saved.
    fn not_above(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let rising = self.unsigned_less(magnitude(a), magnitude(b));
        let same_sign = self.same(sign(a), sign(b));
        let by_magnitude = self.xor(rising, sign(a));
        self.ite(same_sign, by_magnitude, sign(a))
    }

    fn unless_nan(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit], chosen: &[Lit]) -> Word {
        let ordered = self.ordered(format, a, b);
        let nan = constant(chosen.len(), format.canonical_nan());
        self.ite_word(ordered, chosen, &nan)
    }
}

#[cfg(test)]
mod tests {
    use crate::blast::float::oracle::{Operator, SMALL, SORTS, TINY};
    use dalang_term::Op;

    const OPERATORS: [Operator; 5] = [
        Operator {
            op: Op::FLt,
            circuit: |gates, format, words| vec![gates.float_less(format, &words[0], &words[1])],
        },
        Operator {
            op: Op::FLe,
            circuit: |gates, format, words| {
                vec![gates.float_less_equal(format, &words[0], &words[1])]
            },
        },
        Operator {
            op: Op::FEq,
            circuit: |gates, format, words| vec![gates.float_equal(format, &words[0], &words[1])],
        },
        Operator {
            op: Op::FMin,
            circuit: |gates, format, words| gates.float_min(format, &words[0], &words[1]),
        },
        Operator {
            op: Op::FMax,
            circuit: |gates, format, words| gates.float_max(format, &words[0], &words[1]),
        },
    ];

    #[test]
    fn order_agrees_with_the_hardware() {
        for operator in &OPERATORS {
            for sort in SORTS {
                operator.agrees_on_specials(sort, 1);
                operator.agrees_on_random(sort, 20_000);
                operator.agrees_symbolically(sort, 60);
            }
        }
    }

    #[test]
    fn order_of_tiny_floats_is_all_right() {
        for operator in &OPERATORS {
            operator.agrees_on_all(SMALL);
            operator.agrees_on_all_symbolically(TINY);
        }
    }
}
