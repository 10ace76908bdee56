//! Rounding to an integral value.
//!
//! From 1 up, the fraction of a number is its bits below a position that the exponent tells: a mask
//! of low ones. Adding the right amount to the bit pattern and clearing the mask rounds, and a
//! carry goes into the exponent as it must: nothing is shifted. Below 1 the result is 0 or 1. The
//! sign is kept, that of a zero too.

use super::{exponent_width, fraction_width, magnitude, shift_stages};
use crate::blast::gates::{Gates, Lit};
use crate::blast::word::{Word, constant, sign};
use dalang_term::{FloatFormat, Rounding};

impl Gates {
    /// `a` rounded to an integral value.
    pub fn float_round(&mut self, format: FloatFormat, rounding: Rounding, a: &[Lit]) -> Word {
        let nan = self.is_nan(format, a);
        let (fraction, exponent) = magnitude(a).split_at(fraction_width(format));
        let mask = self.fraction_mask(format, exponent);
        let (mut addend, carry) = self.rounding_addend(rounding, &mask, fraction, sign(a));
        addend.resize(magnitude(a).len(), Lit::FALSE);
        let (mut large, _) = self.add_with_carry(magnitude(a), &addend, carry);
        for (bit, &masked) in large.iter_mut().zip(&mask) {
            *bit = self.and(*bit, !masked);
        }
        let (below_one, up) = self.small(format, rounding, a);
        let one = one_if(format, up);
        let mut rounded = self.ite_word(below_one, &one, &large);
        rounded.push(sign(a));
        let canonical = constant(rounded.len(), format.canonical_nan());
        self.ite_word(nan, &canonical, &rounded)
    }

    /// Which bits of the fraction count less than one; all of them for numbers below 2.
    fn fraction_mask(&mut self, format: FloatFormat, exponent: &[Lit]) -> Word {
        let width = fraction_width(format);
        // The exponent of 2 is a power of two: below it is the distance from there.
        let top = sign(exponent);
        let low = shift_stages(width).min(exponent.len() - 1);
        let near = self.is_zero(&exponent[low..exponent.len() - 1]);
        (0..width)
            .map(|position| {
                let whole = constant(low, (width - 1 - position) as u64);
                let below = self.unsigned_less(&exponent[..low], &whole);
                let below = self.and(near, below);
                self.or(!top, below)
            })
            .collect()
    }

    /// What to add to the fraction before clearing the mask, and a carry.
    fn rounding_addend(
        &mut self,
        rounding: Rounding,
        mask: &[Lit],
        fraction: &[Lit],
        negative: Lit,
    ) -> (Word, Lit) {
        let away = match rounding {
            Rounding::Zero => Lit::FALSE,
            Rounding::Floor => negative,
            Rounding::Ceil => !negative,
            Rounding::Nearest => {
                // Less than one half; with the last bit's carry a tie goes up from odd only.
                let odd = self.odd(mask, fraction);
                return (mask[1..].to_vec(), odd);
            }
        };
        let addend = mask.iter().map(|&bit| self.and(bit, away)).collect();
        (addend, Lit::FALSE)
    }

    /// Is the last bit above the mask set? False if the mask is empty.
    fn odd(&mut self, mask: &[Lit], fraction: &[Lit]) -> Lit {
        let last = mask.len() - 1;
        // Above a full mask is the hidden bit.
        let mut candidates = vec![mask[last]];
        for position in 0..last {
            let unit = self.and(mask[position], !mask[position + 1]);
            candidates.push(self.and(unit, fraction[position + 1]));
        }
        self.any(candidates)
    }

    /// Is `a` below 1 in magnitude, and does it round to 1 then?
    fn small(&mut self, format: FloatFormat, rounding: Rounding, a: &[Lit]) -> (Lit, Lit) {
        let (fraction, exponent) = magnitude(a).split_at(fraction_width(format));
        let low = &exponent[..exponent.len() - 1];
        let one = self.all(low.iter().copied());
        let below_one = self.and(!sign(exponent), !one);
        let nonzero = self.any(magnitude(a).iter().copied());
        let up = match rounding {
            Rounding::Zero => Lit::FALSE,
            Rounding::Floor => self.and(sign(a), nonzero),
            Rounding::Ceil => self.and(!sign(a), nonzero),
            Rounding::Nearest => {
                let half = self.all(low[1..].iter().copied().chain([!low[0]]));
                let above = self.any(fraction.iter().copied());
                self.and(half, above)
            }
        };
        (below_one, up)
    }
}

/// The magnitude of 1 or 0.
fn one_if(format: FloatFormat, one: Lit) -> Word {
    let mut bits = vec![Lit::FALSE; fraction_width(format)];
    bits.resize(bits.len() + exponent_width(format) - 1, one);
    bits.push(Lit::FALSE);
    bits
}

#[cfg(test)]
mod tests {
    use crate::blast::float::oracle::{Operator, SMALL, SORTS, TINY};
    use dalang_term::{Op, Rounding};

    const ROUNDINGS: [Operator; 4] = [
        Operator {
            op: Op::FRound(Rounding::Floor),
            circuit: |gates, format, words| gates.float_round(format, Rounding::Floor, &words[0]),
        },
        Operator {
            op: Op::FRound(Rounding::Ceil),
            circuit: |gates, format, words| gates.float_round(format, Rounding::Ceil, &words[0]),
        },
        Operator {
            op: Op::FRound(Rounding::Nearest),
            circuit: |gates, format, words| gates.float_round(format, Rounding::Nearest, &words[0]),
        },
        Operator {
            op: Op::FRound(Rounding::Zero),
            circuit: |gates, format, words| gates.float_round(format, Rounding::Zero, &words[0]),
        },
    ];

    #[test]
    fn integral_values_agree_with_the_hardware() {
        for operator in &ROUNDINGS {
            for sort in SORTS {
                operator.agrees_on_specials(sort, 1);
                operator.agrees_on_random(sort, 20_000);
                operator.agrees_symbolically(sort, 60);
            }
        }
    }

    #[test]
    fn integral_values_of_tiny_floats_are_all_right() {
        for operator in &ROUNDINGS {
            operator.agrees_on_all(SMALL);
            operator.agrees_on_all_symbolically(TINY);
        }
    }
}
