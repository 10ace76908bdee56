//! `a * b + c` with one rounding.
//!
//! The exact product, twice as wide as an operand, is added to `c` padded to that width. As in
//! `sum`, the smaller magnitude is shifted to the larger one; a single sticky bit below is enough,
//! because cancellation of more than one bit needs exponents so close that at most one bit was
//! shifted out, and the sticky bit is then that bit. Unlike a sum, the result may be subnormal and
//! inexact, so that it goes through the whole rounder.

use super::pack::{Special, Unrounded};
use super::product::Product;
use super::{Unpacked, exponent_width, precision};
use crate::blast::gates::{Gates, Lit};
use crate::blast::word::{Word, resize};
use dalang_term::FloatFormat;

/// A summand: a nonzero significand has its top bit set; the exponent is biased and signed.
struct Summand {
    sign: Lit,
    exponent: Word,
    significand: Word,
}

impl Gates {
    /// `a * b + c`, rounded once.
    pub fn float_fma(&mut self, format: FloatFormat, a: &[Lit], b: &[Lit], c: &[Lit]) -> Word {
        let product = self.product(format, a, b);
        let c = self.unpack_normal(format, c);
        let differ = self.xor(product.sign, c.sign);
        let (large, small) = self.by_magnitude(format, &product, &c);
        let sum = self.aligned_wide_sum(&large, &small, differ);
        let cancelled = self.is_zero(&sum);
        let cancelled = self.and(cancelled, differ);
        let by_sum = self.and(large.sign, !cancelled);
        let (significand, count) = self.normalize(&sum);
        let count = resize(&count, large.exponent.len());
        let value = Unrounded {
            sign: self.fused_sign(&product, &c, by_sum),
            // The sum's top bit is the carry, one exponent up: that is its exponent less one.
            exponent: self.sub(&large.exponent, &count),
            significand,
            sticky: Lit::FALSE,
        };
        let opposed = self.all([product.infinite, c.infinite, differ]);
        let special = Special {
            nan: self.any([product.nan, c.nan, opposed]),
            infinite: self.or(product.infinite, c.infinite),
        };
        self.round(format, value, &special)
    }

    /// The larger and the smaller summand; a zero is the smaller one, whatever its exponent says.
    fn by_magnitude(
        &mut self,
        format: FloatFormat,
        product: &Product,
        c: &Unpacked,
    ) -> (Summand, Summand) {
        let product_significand = self.lead(&product.significand);
        let product_exponent = self.offset(&product.exponent, 1, exponent_width(format) + 2);
        let padding = vec![Lit::FALSE; precision(format)];
        let significand = [&padding, &c.significand[..]].concat();
        let below = {
            let ours = [&product_significand[..], &product_exponent].concat();
            let other = [&significand[..], &c.exponent].concat();
            self.signed_less(&ours, &other)
        };
        let swap = self.or(product.zero, below);
        let swap = self.and(swap, !c.zero);
        let ours = Summand {
            sign: product.sign,
            exponent: product_exponent,
            significand: product_significand,
        };
        let other = Summand { sign: c.sign, exponent: c.exponent.clone(), significand };
        (self.choose(swap, &other, &ours), self.choose(swap, &ours, &other))
    }

    fn choose(&mut self, condition: Lit, a: &Summand, b: &Summand) -> Summand {
        Summand {
            sign: self.ite(condition, a.sign, b.sign),
            exponent: self.ite_word(condition, &a.exponent, &b.exponent),
            significand: self.ite_word(condition, &a.significand, &b.significand),
        }
    }

    fn aligned_wide_sum(&mut self, large: &Summand, small: &Summand, differ: Lit) -> Word {
        let distance = self.sub(&large.exponent, &small.exponent);
        let (mut lower, sticky) = self.shift_away(&small.significand, &distance);
        lower.insert(0, sticky);
        let upper = [&[Lit::FALSE], &large.significand[..]].concat();
        self.add_or_subtract(&upper, &lower, differ)
    }

    /// An infinite operand decides the sign; its exponent did not take part in the comparison.
    fn fused_sign(&mut self, product: &Product, c: &Unpacked, by_sum: Lit) -> Lit {
        let by_sum = self.ite(c.infinite, c.sign, by_sum);
        self.ite(product.infinite, product.sign, by_sum)
    }
}

#[cfg(test)]
mod tests {
    use crate::blast::float::oracle::{Operator, SORTS, TINY};
    use dalang_term::Op;

    const FMA: Operator = Operator {
        op: Op::FFma,
        circuit: |gates, format, words| gates.float_fma(format, &words[0], &words[1], &words[2]),
    };

    #[test]
    fn fused_sums_agree_with_the_hardware() {
        for sort in SORTS {
            FMA.agrees_on_specials(sort, 73);
            FMA.agrees_on_random(sort, 10_000);
            FMA.agrees_symbolically(sort, 60);
        }
    }

    #[test]
    fn fused_sums_of_tiny_floats_are_all_right() {
        FMA.agrees_on_all(TINY);
        FMA.agrees_on_all_symbolically(TINY);
    }
}
