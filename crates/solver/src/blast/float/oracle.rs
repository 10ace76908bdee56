//! What the circuits are tested against: the hardware, through `dalang_term::semantics`.
//!
//! Circuits are looked at in three ways. On constants they must fold to a constant without a single
//! variable, so that full-width cases are cheap. In a tiny format all operands are tried; its
//! reference computes in binary64, which is exact or precise enough that rounding again is
//! harmless, and rounds by searching the list of all values. On fresh literals, fixing the inputs
//! must propagate to the outputs, which is the same circuit without its constants.

use crate::blast::gates::{Gates, Lit};
use crate::blast::word::{Word, constant, known};
use dalang_term::{FloatFormat, Op, Sort, semantics};

pub(super) const SORTS: [Sort; 2] = [Sort::F32, Sort::F64];
pub(super) const TINY: FloatFormat = FloatFormat { exponent: 3, fraction: 2 };
pub(super) const SMALL: FloatFormat = FloatFormat { exponent: 4, fraction: 3 };

/// Xorshift: the same operands on every run.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(super) fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 8) % limit
    }

    /// Fractions that tie, carry and cancel more often than random bits do.
    fn fraction(&mut self, format: FloatFormat) -> u64 {
        let bits = u64::from(format.fraction);
        let sparse = 1 << self.below(bits) | 1 << self.below(bits);
        let value = match self.below(6) {
            0 => 0,
            1 => sparse,
            2 => !sparse,
            3 => u64::MAX << self.below(bits),
            4 => !(u64::MAX << self.below(bits)),
            _ => self.next(),
        };
        value & ((1 << bits) - 1)
    }

    fn float(&mut self, format: FloatFormat) -> u64 {
        let highest = (1 << format.exponent) - 1;
        let exponent = match self.below(8) {
            0 => self.below(3),
            1 => highest - self.below(3),
            2 => highest / 2 - 4 + self.below(8),
            3 => highest / 2 + self.below(u64::from(format.fraction) + 4),
            _ => self.below(highest + 1),
        };
        self.with_exponent(format, exponent)
    }

    fn with_exponent(&mut self, format: FloatFormat, exponent: u64) -> u64 {
        let sign = self.below(2) << (format.width() - 1);
        sign | exponent << format.fraction | self.fraction(format)
    }

    /// A second operand whose exponent makes something happen with the first: alignment,
    /// cancellation, a product or quotient at either end of the range.
    fn partner(&mut self, format: FloatFormat, a: u64) -> u64 {
        let highest = (1_i64 << format.exponent) - 1;
        let bias = highest / 2;
        let exponent = (a >> format.fraction) as i64 & highest;
        let reach = u64::from(format.fraction) + 4;
        let delta = self.below(2 * reach) as i64 - reach as i64;
        let near = match self.below(8) {
            0 => return a ^ format.sign_bit() ^ self.below(4),
            1 => return self.float(format),
            2 => bias - exponent + delta,
            3 => 3 * bias - exponent + delta.signum(),
            4 => exponent + bias + delta,
            5 => exponent - bias + delta.signum(),
            6 => exponent + delta.signum(),
            _ => exponent + delta,
        };
        self.with_exponent(format, near.clamp(0, highest) as u64)
    }

    /// Operands for an operator of up to three; the third is near the product of the others.
    pub(super) fn operands(&mut self, sort: Sort) -> [u64; 3] {
        let format = format_of(sort);
        if self.below(8) == 0 {
            return [0; 3].map(|_| self.next() & sort.mask());
        }
        let a = self.float(format);
        let b = self.partner(format, a);
        let product = semantics::apply(Op::FMul, sort, sort, [a, b, 0]);
        [a, b, self.partner(format, product)]
    }
}

pub(super) fn format_of(sort: Sort) -> FloatFormat {
    sort.float_format().expect("a float sort")
}

/// Values at which some case of some circuit begins or ends.
pub(super) fn specials(sort: Sort) -> Vec<u64> {
    let format = format_of(sort);
    let fraction = u64::from(format.fraction);
    let (normal, half) = (1 << fraction, 1 << (fraction - 1));
    let infinity = ((1 << format.exponent) - 1) << fraction;
    let one = ((1_u64 << (format.exponent - 1)) - 1) << fraction;
    let odd = one + 2 * normal + half;
    let positive = [
        0,
        1,
        2,
        3,
        half,
        normal - 1,
        normal,
        normal + 1,
        2 * normal,
        one - normal,
        one - normal + 1,
        one - 2 * normal,
        one - 1,
        one,
        one + 1,
        one + half,
        one + half + 1,
        one + normal,
        odd,
        one + normal / 10 * 6,
        one - 4 * normal + 0x3333 % normal,
        one - fraction * normal,
        one + (fraction - 1) * normal + 1,
        one + fraction * normal + 1,
        one + (fraction + 1) * normal + 1,
        one + 62 * normal,
        one + 63 * normal,
        one / 2,
        infinity - normal,
        infinity - half,
        infinity - 1,
        infinity,
        infinity + half,
        infinity + half / 4 + 5,
    ];
    let negative = positive.map(|bits| bits | format.sign_bit());
    positive.into_iter().chain(negative).collect()
}

/// Builds a circuit from operand words.
pub(super) type Circuit<'a> = &'a dyn Fn(&mut Gates, &[Word]) -> Word;

/// The value that a circuit folds to on constants.
pub(super) fn fold(circuit: Circuit<'_>, operands: &[(usize, u64)]) -> u64 {
    let mut gates = Gates::new(1);
    let words: Vec<Word> = operands.iter().map(|&(width, bits)| constant(width, bits)).collect();
    let out = circuit(&mut gates, &words);
    assert!(!gates.exhausted(), "a constant needs no variable");
    known(&out).expect("constants fold to a constant") as u64
}

/// A circuit on fresh literals.
pub(super) struct Symbolic {
    pub(super) variables: usize,
    clauses: Vec<i32>,
    inputs: Vec<Word>,
    output: Word,
}

impl Symbolic {
    /// `None` for a width makes a fresh operand, a value makes a constant one.
    pub(super) fn new(circuit: Circuit<'_>, operands: &[(usize, Option<u64>)]) -> Symbolic {
        let mut gates = Gates::new(usize::MAX);
        let inputs: Vec<Word> = operands
            .iter()
            .map(|&(width, bits)| match bits {
                Some(bits) => constant(width, bits),
                None => (0..width).map(|_| gates.fresh()).collect(),
            })
            .collect();
        let output = circuit(&mut gates, &inputs);
        Symbolic {
            variables: gates.variables(),
            clauses: gates.take_clauses().collect(),
            inputs,
            output,
        }
    }

    /// The output that these inputs propagate to. Gates are made after their inputs, so that one
    /// pass over the clauses is enough.
    pub(super) fn run(&self, operands: &[u64]) -> u64 {
        let mut value = vec![0_i8; self.variables + 1];
        value[1] = 1;
        for (word, bits) in self.inputs.iter().zip(operands) {
            for (position, bit) in word.iter().enumerate() {
                assign(&mut value, bit.number(), bits >> position & 1 == 1);
            }
        }
        self.propagate(&mut value);
        let read = |bit: &Lit| {
            let known = value[bit.number().unsigned_abs() as usize];
            assert_ne!(known, 0, "the inputs decide the output");
            (known > 0) == (bit.number() > 0)
        };
        self.output.iter().rev().fold(0, |bits, bit| bits << 1 | u64::from(read(bit)))
    }

    fn propagate(&self, value: &mut [i8]) {
        for clause in self.clauses.split(|&number| number == 0) {
            let state =
                |number: i32| i32::from(value[number.unsigned_abs() as usize]) * number.signum();
            if clause.is_empty() || clause.iter().any(|&number| state(number) > 0) {
                continue;
            }
            let mut open = clause.iter().filter(|&&number| state(number) == 0);
            let unit = *open.next().expect("no clause is false");
            if open.next().is_none() {
                assign(value, unit, true);
            }
        }
    }
}

fn assign(value: &mut [i8], number: i32, holds: bool) {
    value[number.unsigned_abs() as usize] = if (number > 0) == holds { 1 } else { -1 };
}

/// An operator with float operands of one format, and its circuit.
pub(super) struct Operator {
    pub(super) op: Op,
    pub(super) circuit: fn(&mut Gates, FloatFormat, &[Word]) -> Word,
}

impl Operator {
    fn compare(&self, sort: Sort, operands: [u64; 3], actual: u64) {
        let result = if matches!(self.op, Op::FLt | Op::FLe | Op::FEq) { Sort::Bool } else { sort };
        let expected = semantics::apply(self.op, result, sort, operands);
        assert_eq!(
            actual, expected,
            "{:?} {sort} {operands:x?}: {actual:x} for {expected:x}",
            self.op
        );
    }

    fn fold(&self, sort: Sort, operands: [u64; 3]) {
        let widths = operands.map(|bits| (sort.width() as usize, bits));
        let circuit =
            |gates: &mut Gates, words: &[Word]| (self.circuit)(gates, format_of(sort), words);
        let actual = fold(&circuit, &widths[..self.op.arity()]);
        self.compare(sort, operands, actual);
    }

    /// All special values with all others, folded; every `stride`th of them.
    pub(super) fn agrees_on_specials(&self, sort: Sort, stride: usize) {
        let values = specials(sort);
        let count = values.len().pow(self.op.arity() as u32);
        for case in (0..count).step_by(stride) {
            let pick = |place: u32| values[case / values.len().pow(place) % values.len()];
            self.fold(sort, [pick(0), pick(1), pick(2)]);
        }
    }

    /// Random operands, folded.
    pub(super) fn agrees_on_random(&self, sort: Sort, count: usize) {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        for _ in 0..count {
            let operands = random.operands(sort);
            self.fold(sort, operands);
        }
    }

    /// Random operands and pairs of special values, propagated through clauses.
    pub(super) fn agrees_symbolically(&self, sort: Sort, count: usize) {
        let symbolic = self.symbolic(format_of(sort), &vec![None; self.op.arity()]);
        println!("{:?} {sort}: {} variables", self.op, symbolic.variables);
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        let values = specials(sort);
        for case in 0..count {
            let mut operands = random.operands(sort);
            if case % 2 == 0 {
                operands = operands.map(|_| values[random.below(values.len() as u64) as usize]);
            }
            self.compare(sort, operands, symbolic.run(&operands[..self.op.arity()]));
        }
    }

    /// Random first operands, propagated, with a circuit of at most so many variables.
    pub(super) fn agrees_with_constant_divisor(
        &self,
        sort: Sort,
        divisor: u64,
        limit: usize,
        count: usize,
    ) {
        let symbolic = self.symbolic(format_of(sort), &[None, Some(divisor)]);
        println!("{:?} {sort} {divisor:x}: {} variables", self.op, symbolic.variables);
        assert!(symbolic.variables <= limit, "{}", symbolic.variables);
        let mut random = Random(0x0123_4567_89ab_cdef);
        for _ in 0..count {
            let a = random.operands(sort)[0];
            self.compare(sort, [a, divisor, 0], symbolic.run(&[a, divisor]));
        }
    }

    fn symbolic(&self, format: FloatFormat, operands: &[Option<u64>]) -> Symbolic {
        let widths: Vec<(usize, Option<u64>)> =
            operands.iter().map(|&bits| (format.width() as usize, bits)).collect();
        let circuit = |gates: &mut Gates, words: &[Word]| (self.circuit)(gates, format, words);
        Symbolic::new(&circuit, &widths)
    }

    /// All operands of a tiny format, folded.
    pub(super) fn agrees_on_all(&self, format: FloatFormat) {
        let width = format.width() as usize;
        let reference = Reference::new(format);
        for case in 0..1_u64 << (width * self.op.arity()) {
            let operands = [0, 1, 2].map(|place| case >> (place * width) & ((1 << width) - 1));
            let widths = operands.map(|bits| (width, bits));
            let circuit = |gates: &mut Gates, words: &[Word]| (self.circuit)(gates, format, words);
            let actual = fold(&circuit, &widths[..self.op.arity()]);
            self.compare_tiny(&reference, operands, actual);
        }
    }

    /// All operands of a tiny format, propagated: all symbolic, and each operand constant.
    pub(super) fn agrees_on_all_symbolically(&self, format: FloatFormat) {
        let reference = Reference::new(format);
        let arity = self.op.arity();
        let count = 1_u64 << format.width();
        let all = self.symbolic(format, &vec![None; arity]);
        for a in 0..count {
            let right = self.symbolic(format, &[vec![None; arity - 1], vec![Some(a)]].concat());
            let left = self.symbolic(format, &[vec![Some(a)], vec![None; arity - 1]].concat());
            for b in 0..count {
                for (symbolic, operands) in [(&all, [a, b, a]), (&left, [a, b, b])] {
                    let actual = symbolic.run(&operands[..arity]);
                    self.compare_tiny(&reference, operands, actual);
                }
                let mut operands = [b; 3];
                operands[arity - 1] = a;
                self.compare_tiny(&reference, operands, right.run(&operands[..arity]));
            }
        }
    }

    fn compare_tiny(&self, reference: &Reference, operands: [u64; 3], actual: u64) {
        let wide = operands.map(|bits| reference.decode(bits).to_bits());
        let expected = match self.op {
            Op::FLt | Op::FLe | Op::FEq => semantics::apply(self.op, Sort::Bool, Sort::F64, wide),
            op => {
                reference.encode(f64::from_bits(semantics::apply(op, Sort::F64, Sort::F64, wide)))
            }
        };
        assert_eq!(actual, expected, "{:?} {operands:x?}: {actual:x} for {expected:b}", self.op);
    }
}

/// A tiny format as the list of its values.
pub(super) struct Reference {
    format: FloatFormat,
    /// Magnitudes by bit pattern; for infinity the number that would be next.
    magnitudes: Vec<f64>,
}

impl Reference {
    pub(super) fn new(format: FloatFormat) -> Reference {
        let bias = (1 << (format.exponent - 1)) - 1;
        let infinity = ((1 << format.exponent) - 1) << format.fraction;
        let magnitude = |bits: i32| {
            let (exponent, fraction) = (bits >> format.fraction, bits % (1 << format.fraction));
            let hidden = i32::from(exponent > 0) << format.fraction;
            let scale = exponent.max(1) - bias - format.fraction as i32;
            f64::from(fraction + hidden) * f64::from(scale).exp2()
        };
        Reference { format, magnitudes: (0..=infinity).map(magnitude).collect() }
    }

    pub(super) fn decode(&self, bits: u64) -> f64 {
        let magnitude = (bits & (self.format.sign_bit() - 1)) as usize;
        let value = match magnitude.cmp(&(self.magnitudes.len() - 1)) {
            std::cmp::Ordering::Less => self.magnitudes[magnitude],
            std::cmp::Ordering::Equal => f64::INFINITY,
            std::cmp::Ordering::Greater => return f64::NAN,
        };
        if bits & self.format.sign_bit() == 0 { value } else { -value }
    }

    /// The nearest value in the list, of two the one with the even pattern.
    pub(super) fn encode(&self, value: f64) -> u64 {
        if value.is_nan() {
            return self.format.canonical_nan();
        }
        let size = value.abs().min(self.magnitudes[self.magnitudes.len() - 1]);
        let above = self.magnitudes.partition_point(|&other| other < size);
        let below = above.saturating_sub(1);
        let (up, down) = (self.magnitudes[above] - size, size - self.magnitudes[below]);
        let nearest = if up < down || up == down && above % 2 == 0 { above } else { below };
        let sign = if value.is_sign_negative() { self.format.sign_bit() } else { 0 };
        nearest as u64 | sign
    }
}
