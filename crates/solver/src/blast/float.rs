//! Float circuits: exact IEEE 754 on bit patterns, rounding to nearest even.
//!
//! A float is the word of its bit pattern. Meanings are those of `dalang_term::semantics`, NaN
//! included: one that an operation computes is the canonical one. Every circuit is generic in the
//! format; tests use tiny formats exhaustively. A format must be wide enough in its exponent for
//! its precision (`2^exponent >= 2 * fraction + 4`), as all of practice are.
//!
//! An operator takes operands apart ([`Unpacked`]), computes as if the exponent were unbounded and
//! leaves range, rounding and the special results to the one rounder in `pack`. In between, an
//! exponent is carried biased and *less one*: the packed result is then
//! `exponent * 2^fraction + significand`, for normal and subnormal numbers alike, and a carry out
//! of rounding needs no case of its own.

mod convert;
mod fused;
mod integral;
mod order;
mod pack;
mod product;
mod quotient;
mod remainder;
mod root;
mod sum;

#[cfg(test)]
mod oracle;

use super::gates::{Gates, Lit};
use super::word::{Word, resize, sign, sign_resize};
use dalang_term::FloatFormat;

/// A float taken apart. Exponent and significand of NaN and infinity mean nothing.
struct Unpacked {
    sign: Lit,
    /// Biased; of a subnormal number that of the smallest normal one.
    exponent: Word,
    /// The fraction with the hidden bit on top.
    significand: Word,
    nan: Lit,
    infinite: Lit,
    zero: Lit,
}

fn exponent_width(format: FloatFormat) -> usize {
    format.exponent as usize
}

fn fraction_width(format: FloatFormat) -> usize {
    format.fraction as usize
}

/// Bits of a significand, the hidden one included.
fn precision(format: FloatFormat) -> usize {
    fraction_width(format) + 1
}

fn bias(format: FloatFormat) -> u64 {
    (1 << (format.exponent - 1)) - 1
}

/// The bits below the sign.
fn magnitude(bits: &[Lit]) -> &[Lit] {
    &bits[..bits.len() - 1]
}

/// The bits of an unsigned distance that matter to a shifter of this many positions: distances
/// beyond are all the same to it, so that their bits are one.
fn shift_stages(width: usize) -> usize {
    (usize::BITS - width.leading_zeros()) as usize
}

/// `-a`, a NaN's sign included.
pub fn float_negate(a: &[Lit]) -> Word {
    let mut bits = magnitude(a).to_vec();
    bits.push(!sign(a));
    bits
}

/// `|a|`, a NaN's sign included.
pub fn float_abs(a: &[Lit]) -> Word {
    resize(magnitude(a), a.len())
}

impl Gates {
    fn unpack(&mut self, format: FloatFormat, bits: &[Lit]) -> Unpacked {
        debug_assert_eq!(bits.len(), format.width() as usize);
        let (fraction, exponent) = magnitude(bits).split_at(fraction_width(format));
        let lowest = self.is_zero(exponent);
        let highest = self.all(exponent.iter().copied());
        let no_fraction = self.is_zero(fraction);
        let mut significand = fraction.to_vec();
        significand.push(!lowest);
        let mut exponent = exponent.to_vec();
        exponent[0] = self.or(exponent[0], lowest);
        Unpacked {
            sign: sign(bits),
            exponent,
            significand,
            nan: self.and(highest, !no_fraction),
            infinite: self.and(highest, no_fraction),
            zero: self.and(lowest, no_fraction),
        }
    }

    /// As `unpack`, with the significand's top bit set unless the value is zero. The exponent is
    /// signed and two bits wider, so that the sum of two still fits.
    fn unpack_normal(&mut self, format: FloatFormat, bits: &[Lit]) -> Unpacked {
        let raw = self.unpack(format, bits);
        let width = exponent_width(format) + 2;
        let (significand, count) = self.normalize(&raw.significand);
        let exponent = self.sub(&resize(&raw.exponent, width), &resize(&count, width));
        Unpacked { exponent, significand, ..raw }
    }

    /// `a >> distance` and whether a one was lost, for any distance, at the price of a small one.
    fn shift_away(&mut self, a: &[Lit], distance: &[Lit]) -> (Word, Lit) {
        let stages = shift_stages(a.len()).min(distance.len());
        let mut clamped = distance[..stages].to_vec();
        clamped.push(self.any(distance[stages..].iter().copied()));
        self.shift_right_sticky(a, &clamped)
    }

    /// `a` shifted left until its top bit is set, but by at most `limit`; and what is left of the
    /// limit. This is how an exact result finds its exponent, subnormal or not.
    fn normalize_within(&mut self, a: &[Lit], limit: &[Lit]) -> (Word, Word) {
        let width = a.len();
        let mut shifted = a.to_vec();
        let mut left = limit.to_vec();
        for stage in (0..shift_stages(width - 1).min(left.len())).rev() {
            let step = 1 << stage;
            let empty = self.is_zero(&shifted[width - step..]);
            let room = self.any(left[stage..].iter().copied());
            let taken = self.and(empty, room);
            shifted = (0..width)
                .map(|position| {
                    let from = position.checked_sub(step).map(|from| shifted[from]);
                    self.ite(taken, from.unwrap_or(Lit::FALSE), shifted[position])
                })
                .collect();
            let lowered = self.decrement_if(&left[stage..], taken);
            left.splice(stage.., lowered);
        }
        (shifted, left)
    }

    /// `a` shifted left by one unless its top bit is set.
    fn lead(&mut self, a: &[Lit]) -> Word {
        let top = sign(a);
        let mut below = Lit::FALSE;
        a.iter().map(|&bit| self.ite(top, bit, std::mem::replace(&mut below, bit))).collect()
    }

    fn decrement_if(&mut self, a: &[Lit], bit: Lit) -> Word {
        let mut borrow = bit;
        a.iter()
            .map(|&bit| {
                let out = self.xor(bit, borrow);
                borrow = self.and(!bit, borrow);
                out
            })
            .collect()
    }

    /// `a + value`, both signed, modulo `width` bits.
    fn offset(&mut self, a: &[Lit], value: i64, width: usize) -> Word {
        let constant = super::word::constant(width, value as u64);
        self.add(&sign_resize(a, width), &constant)
    }
}

#[cfg(test)]
mod tests {
    use super::oracle::{SORTS, fold, specials};
    use super::{float_abs, float_negate};
    use dalang_term::{Op, semantics};

    #[test]
    fn signs_change_and_payloads_stay() {
        for sort in SORTS {
            for bits in specials(sort) {
                let expected = |op| semantics::apply(op, sort, sort, [bits, 0, 0]);
                let operand = [(sort.width() as usize, bits)];
                let negated = fold(&|_, a| float_negate(&a[0]), &operand);
                assert_eq!(negated, expected(Op::FNeg));
                let absolute = fold(&|_, a| float_abs(&a[0]), &operand);
                assert_eq!(absolute, expected(Op::FAbs));
            }
        }
    }
}
