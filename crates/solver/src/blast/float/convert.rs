//! Conversions between integers and floats, and between float formats.
//!
//! Integers become sign and magnitude, are normalised and rounded. Floats become integers by
//! shifting the significand down to its place below the sign, which truncates; a number whose
//! exponent has no such place saturates. A format change only moves the exponent to the other
//! bias and rounds again.

use super::pack::{Special, Unrounded};
use super::{Unpacked, bias, exponent_width, fraction_width, precision, shift_stages};
use crate::blast::gates::{Gates, Lit};
use crate::blast::word::{Word, constant, resize, sign};
use dalang_term::FloatFormat;

impl Gates {
    /// The float nearest to a signed integer of any width.
    pub fn signed_to_float(&mut self, format: FloatFormat, a: &[Lit]) -> Word {
        let negative = sign(a);
        let magnitude = self.negate_if(a, negative);
        let (significand, count) = self.normalize(&magnitude);
        let highest = bias(format) + a.len() as u64 - 2;
        let width = exponent_width(format).max(shift_stages(highest as usize));
        let exponent = self.sub(&constant(width, highest), &resize(&count, width));
        let value = Unrounded { sign: negative, exponent, significand, sticky: Lit::FALSE };
        let special = Special { nan: Lit::FALSE, infinite: Lit::FALSE };
        self.pack(format, value, &special)
    }

    /// The signed integer of this width (at least 2) towards zero, saturating; NaN is 0.
    pub fn float_to_signed(&mut self, format: FloatFormat, a: &[Lit], width: usize) -> Word {
        let a = self.unpack(format, a);
        let (mut integer, too_large) = self.integer_part(format, &a, width - 1);
        integer.push(Lit::FALSE);
        let integer = self.negate_if(&integer, a.sign);
        let low = self.and(!a.sign, !a.nan);
        let mut limit = vec![low; width - 1];
        limit.push(self.and(a.sign, !a.nan));
        self.ite_word(too_large, &limit, &integer)
    }

    /// The magnitude without its fraction in this many bits, and whether it does not fit or is no
    /// number at all.
    fn integer_part(&mut self, format: FloatFormat, a: &Unpacked, width: usize) -> (Word, Lit) {
        // Whatever has an integer part is normal: the hidden bit is set.
        let mut top = a.significand[..fraction_width(format)].to_vec();
        top.push(Lit::TRUE);
        let spare = top.len().saturating_sub(width);
        top.drain(..spare);
        top.splice(0..0, vec![Lit::FALSE; width - top.len()]);
        let highest = bias(format) + width as u64 - 1;
        let span = exponent_width(format).max(shift_stages(highest as usize)) + 1;
        let distance = self.sub(&constant(span, highest), &resize(&a.exponent, span));
        let beyond = sign(&distance);
        let integer = self.shift_right(&top, &distance[..span - 1], Lit::FALSE);
        let infinity = (1 << format.exponent) - 1;
        if highest < infinity {
            return (integer, beyond);
        }
        (integer, self.any([beyond, a.nan, a.infinite]))
    }

    /// The float of format `to` nearest to one of format `from`.
    pub fn float_to_float(&mut self, from: FloatFormat, to: FloatFormat, a: &[Lit]) -> Word {
        let shift = bias(to) as i64 - bias(from) as i64;
        let a = if -shift > precision(to) as i64 {
            // All subnormal numbers round to zero, with any significand.
            let mut a = self.unpack(from, a);
            a.significand[fraction_width(from)] = Lit::TRUE;
            a.exponent.push(Lit::FALSE);
            a
        } else {
            self.unpack_normal(from, a)
        };
        let width = exponent_width(from).max(exponent_width(to)) + 2;
        let value = Unrounded {
            sign: a.sign,
            exponent: self.offset(&a.exponent, shift - 1, width),
            significand: a.significand,
            sticky: Lit::FALSE,
        };
        let special = Special { nan: a.nan, infinite: a.infinite };
        if shift > i64::from(from.fraction) {
            self.pack(to, value, &special)
        } else {
            self.round(to, value, &special)
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::blast::float::oracle::{
        Circuit, Random, Reference, SMALL, SORTS, Symbolic, TINY, fold, format_of, specials,
    };
    use crate::blast::gates::Gates;
    use crate::blast::word::Word;
    use dalang_term::{FloatFormat, Op, Sort, semantics};

    const SIZES: [u8; 9] = [2, 3, 8, 16, 23, 24, 32, 53, 64];

    /// Compares on these values, all folded and some of them propagated.
    fn agrees(op: Op, result: Sort, operand: Sort, circuit: Circuit<'_>, values: &[u64]) {
        let width = operand.width() as usize;
        let symbolic = Symbolic::new(circuit, &[(width, None)]);
        println!("{op:?} {operand} {result}: {} variables", symbolic.variables);
        for (case, &bits) in values.iter().enumerate() {
            let expected = semantics::apply(op, result, operand, [bits, 0, 0]);
            let actual = fold(circuit, &[(width, bits)]);
            assert_eq!(actual, expected, "{op:?} {operand} {bits:x} {result}");
            if case % 16 == 0 {
                assert_eq!(symbolic.run(&[bits]), expected, "{op:?} {bits:x}");
            }
        }
    }

    fn floats(sort: Sort, count: usize) -> Vec<u64> {
        let mut random = Random(0x1234_5678_9abc_def1);
        let mut values = specials(sort);
        values.extend((0..count).map(|_| random.operands(sort)[0]));
        values
    }

    fn integers(sort: Sort, count: usize) -> Vec<u64> {
        let mut random = Random(0x1234_5678_9abc_def1);
        let limits = [0, 1, 2, u64::MAX, 1 << (sort.width() - 1)];
        let near = limits.into_iter().flat_map(|bits| [bits, bits.wrapping_sub(1)]);
        let mut values: Vec<u64> = near.collect();
        for _ in 0..count {
            let bits = random.next() >> random.below(64);
            let ties = bits | 1 << random.below(64);
            values.extend([bits, bits.wrapping_neg(), ties & u64::MAX << random.below(64)]);
        }
        values.iter().map(|bits| bits & sort.mask()).collect()
    }

    #[test]
    fn integers_become_floats() {
        for sort in SORTS {
            for width in [1].into_iter().chain(SIZES) {
                let circuit = |gates: &mut Gates, words: &[Word]| {
                    gates.signed_to_float(format_of(sort), &words[0])
                };
                let operand = Sort::BitVec(width);
                agrees(Op::SignedToFloat, sort, operand, &circuit, &integers(operand, 2000));
            }
        }
    }

    #[test]
    fn floats_become_integers() {
        for sort in SORTS {
            for width in SIZES {
                let circuit = |gates: &mut Gates, words: &[Word]| {
                    gates.float_to_signed(format_of(sort), &words[0], width.into())
                };
                let result = Sort::BitVec(width);
                agrees(Op::FloatToSigned, result, sort, &circuit, &floats(sort, 6000));
            }
        }
    }

    #[test]
    fn formats_change() {
        let [single, double] = SORTS;
        for (from, to) in [(single, double), (double, single)] {
            let circuit = |gates: &mut Gates, words: &[Word]| {
                gates.float_to_float(format_of(from), format_of(to), &words[0])
            };
            let mut values = floats(from, 20_000);
            if from == double {
                // Most doubles are no floats: move exponents into the range that is.
                let near = |bits: u64| (bits & !(7 << 60)) | ((bits >> 62 & 1) * 8 + 7) << 59;
                values.extend(values.clone().into_iter().map(near));
            }
            agrees(Op::FloatToFloat, to, from, &circuit, &values);
        }
    }

    #[test]
    fn tiny_formats_change_both_ways() {
        let wide = FloatFormat { exponent: 5, fraction: 2 };
        for (from, to) in [(TINY, SMALL), (SMALL, TINY), (wide, TINY), (TINY, wide), (TINY, TINY)] {
            let (source, target) = (Reference::new(from), Reference::new(to));
            for bits in 0..1 << from.width() {
                let circuit =
                    |gates: &mut Gates, words: &[Word]| gates.float_to_float(from, to, &words[0]);
                let actual = fold(&circuit, &[(from.width() as usize, bits)]);
                assert_eq!(actual, target.encode(source.decode(bits)), "{from:?} {to:?} {bits:b}");
            }
        }
    }

    #[test]
    fn tiny_floats_and_integers() {
        for format in [TINY, SMALL] {
            let reference = Reference::new(format);
            for width in 2..=8_u8 {
                let to = |gates: &mut Gates, words: &[Word]| {
                    gates.float_to_signed(format, &words[0], width.into())
                };
                let from =
                    |gates: &mut Gates, words: &[Word]| gates.signed_to_float(format, &words[0]);
                let sort = Sort::BitVec(width);
                for bits in 0..1 << format.width() {
                    let value = [reference.decode(bits).to_bits(), 0, 0];
                    let expected = semantics::apply(Op::FloatToSigned, sort, Sort::F64, value);
                    let actual = fold(&to, &[(format.width() as usize, bits)]);
                    assert_eq!(actual, expected, "{format:?} {bits:b} to {width}");
                }
                for bits in 0..1 << width {
                    let expected = reference.encode(semantics::signed(sort, bits) as f64);
                    let actual = fold(&from, &[(width.into(), bits)]);
                    assert_eq!(actual, expected, "{bits:b} of {width} to {format:?}");
                }
            }
        }
    }
}
