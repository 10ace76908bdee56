//! The rounder: from an unbounded exponent and a long significand to a bit pattern.
//!
//! Every rounded result goes through here, so that range, ties and special values are decided in
//! one place. The stages: bits below the guard bit join the sticky bit; a negative exponent is
//! made zero by shifting right, which is what a subnormal number is; the guard bit rounds up when
//! it is above one half or at a tie to odd; the sum of exponent, significand and that bit is the
//! magnitude. Overflow is seen before rounding, and a carry into the highest exponent leaves a
//! zero fraction behind: it is infinity already.

use super::{exponent_width, fraction_width, precision};
use crate::blast::gates::{Gates, Lit};
use crate::blast::word::{Word, resize, sign};
use dalang_term::FloatFormat;

/// A result before rounding.
pub(super) struct Unrounded {
    pub(super) sign: Lit,
    /// The biased exponent of the significand's top bit, less one.
    pub(super) exponent: Word,
    /// With its top bit set; a zero significand makes a zero, whatever the exponent.
    pub(super) significand: Word,
    /// Is there a one anywhere below the significand?
    pub(super) sticky: Lit,
}

/// Results that override the rounded one; NaN overrides infinity.
pub(super) struct Special {
    pub(super) nan: Lit,
    pub(super) infinite: Lit,
}

impl Gates {
    /// Rounds a value whose exponent is signed.
    pub(super) fn round(
        &mut self,
        format: FloatFormat,
        value: Unrounded,
        special: &Special,
    ) -> Word {
        let value = self.narrow(precision(format) + 1, value);
        let negative = sign(&value.exponent);
        let distance: Word =
            self.negate(&value.exponent).iter().map(|&bit| self.and(bit, negative)).collect();
        let (significand, lost) = self.shift_away(&value.significand, &distance);
        let sticky = self.or(value.sticky, lost);
        let value = Unrounded { significand, sticky, ..value };
        self.pack(format, value, special)
    }

    /// Rounds a value whose exponent is unsigned. The top bit of the significand may be clear if
    /// the exponent is zero (a subnormal number) or to be read as zero.
    pub(super) fn pack(
        &mut self,
        format: FloatFormat,
        value: Unrounded,
        special: &Special,
    ) -> Word {
        let Unrounded { sign, exponent, significand, sticky } =
            self.narrow(precision(format) + 1, value);
        let (guard, significand) = (significand[0], &significand[1..]);
        let hidden = significand[fraction_width(format)];
        let exponent: Word = exponent.iter().map(|&bit| self.and(bit, hidden)).collect();
        let overflow = self.overflows(format, &exponent);
        let above_half = self.or(sticky, significand[0]);
        let up = self.and(guard, above_half);
        let magnitude = self.assemble(format, &exponent, significand, up);
        let infinite = self.or(special.infinite, overflow);
        self.finish(format, sign, &magnitude, special.nan, infinite)
    }

    /// Makes the significand this wide, with bits below it joining the sticky bit.
    fn narrow(&mut self, width: usize, value: Unrounded) -> Unrounded {
        let Unrounded { mut significand, sticky, .. } = value;
        let spare = significand.len().saturating_sub(width);
        let lost = self.any(significand.drain(..spare).chain([sticky]));
        let missing = width - significand.len();
        significand.splice(0..0, std::iter::repeat_n(Lit::FALSE, missing));
        Unrounded { significand, sticky: lost, ..value }
    }

    /// Is the exponent less one at least that of infinity less one?
    fn overflows(&mut self, format: FloatFormat, exponent: &[Lit]) -> Lit {
        let (low, high) = exponent.split_at(exponent_width(format));
        let highest = self.all(low[1..].iter().copied());
        self.any(high.iter().copied().chain([highest]))
    }

    /// `exponent * 2^fraction + significand + up`; the hidden bit and a carry out of the fraction
    /// both count one in the exponent.
    fn assemble(
        &mut self,
        format: FloatFormat,
        exponent: &[Lit],
        significand: &[Lit],
        up: Lit,
    ) -> Word {
        let zeros = vec![Lit::FALSE; fraction_width(format)];
        let (mut magnitude, carry) =
            self.add_with_carry(&significand[..fraction_width(format)], &zeros, up);
        let hidden = resize(&significand[fraction_width(format)..], exponent_width(format));
        let (high, _) = self.add_with_carry(&exponent[..exponent_width(format)], &hidden, carry);
        magnitude.extend(high);
        magnitude
    }

    /// Overrides a magnitude by infinity or NaN and puts the sign on top.
    fn finish(
        &mut self,
        format: FloatFormat,
        sign: Lit,
        magnitude: &[Lit],
        nan: Lit,
        infinite: Lit,
    ) -> Word {
        let special = self.or(nan, infinite);
        let (fraction, exponent) = magnitude.split_at(fraction_width(format));
        let mut bits: Word = fraction.iter().map(|&bit| self.and(bit, !special)).collect();
        let quiet = fraction_width(format) - 1;
        bits[quiet] = self.or(bits[quiet], nan);
        bits.extend(exponent.iter().map(|&bit| self.or(bit, special)));
        bits.push(self.and(sign, !nan));
        bits
    }
}
