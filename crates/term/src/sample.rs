//! Random well-sorted terms, for tests and fuzzing of whatever consumes terms.
//!
//! The same seed gives the same terms. Constants are drawn from those that break things (zero, one,
//! the extremes, NaNs with payload, subnormals), and subterms are used again, because most
//! rewrite rules are about one term that occurs twice.

mod assignments;
mod idioms;
mod random;

pub use assignments::{assignments, translate};
pub use random::Random;

use crate::{Op, Pool, Rounding, Sort, TermId};

/// What sampled terms are made of.
#[derive(Clone, Copy, Debug)]
pub struct SampleConfig {
    /// Widths of bit-vectors; extensions, extractions and concatenations are between these.
    pub widths: &'static [u8],
    /// Floats, and conversions from and to them.
    pub floats: bool,
    /// Float multiplication, division, remainder, root and fused multiplication, which are slow to
    /// solve.
    pub heavy_floats: bool,
    /// References.
    pub references: bool,
    /// How many symbols there are of each sort.
    pub symbols_per_sort: u8,
}

impl Default for SampleConfig {
    /// Everything, at widths small enough to try all values.
    fn default() -> SampleConfig {
        SampleConfig {
            widths: &[1, 2, 3],
            floats: true,
            heavy_floats: true,
            references: true,
            symbols_per_sort: 2,
        }
    }
}

/// Draws terms.
pub struct Sampler {
    config: SampleConfig,
    random: Random,
    /// Terms built for the current root.
    made: Vec<TermId>,
}

impl Sampler {
    /// A sampler of everything at small widths.
    pub fn new(seed: u64) -> Sampler {
        Sampler::with_config(seed, SampleConfig::default())
    }

    /// A sampler of what the configuration allows.
    pub fn with_config(seed: u64, config: SampleConfig) -> Sampler {
        Sampler { config, random: Random::new(seed), made: Vec::new() }
    }

    /// The source of randomness, for callers that have more to draw.
    pub fn random(&mut self) -> &mut Random {
        &mut self.random
    }

    /// A sort that the configuration allows.
    pub fn sort(&mut self) -> Sort {
        let Sampler { config, random, .. } = self;
        match random.below(8) {
            0 | 1 => Sort::Bool,
            2 if config.references => Sort::Ref,
            3 if config.floats => Sort::F32,
            4 if config.floats => Sort::F64,
            _ => Sort::BitVec(random.pick(config.widths)),
        }
    }

    /// A term of this sort with about `size` operators.
    pub fn term(&mut self, pool: &mut Pool, sort: Sort, size: u32) -> TermId {
        self.made.clear();
        self.grow(pool, sort, size)
    }

    fn grow(&mut self, pool: &mut Pool, sort: Sort, size: u32) -> TermId {
        if let Some(known) = self.known(pool, sort) {
            return known;
        }
        let term = if size == 0 { self.leaf(pool, sort) } else { self.compound(pool, sort, size) };
        self.made.push(term);
        term
    }

    /// A term that was built before, one time in four.
    fn known(&mut self, pool: &Pool, sort: Sort) -> Option<TermId> {
        if self.made.is_empty() || !self.random.one_in(4) {
            return None;
        }
        let candidate = self.random.pick(&self.made);
        (pool.sort(candidate) == sort).then_some(candidate)
    }

    /// A symbol or a constant.
    pub fn leaf(&mut self, pool: &mut Pool, sort: Sort) -> TermId {
        if self.random.one_in(3) {
            let bits = interesting_bits(&mut self.random, sort);
            return pool.constant(sort, bits);
        }
        let number = self.random.below(u64::from(self.config.symbols_per_sort.max(1)));
        pool.symbol(&format!("{sort}_{number}"), sort)
    }

    fn compound(&mut self, pool: &mut Pool, sort: Sort, size: u32) -> TermId {
        if self.random.one_in(6) {
            return self.apply(pool, Op::Ite, sort, &[Sort::Bool, sort, sort], size);
        }
        if self.random.one_in(6) {
            match sort {
                Sort::Bool => return self.truth_idiom(pool, size - 1),
                Sort::BitVec(width) => return self.bitvec_idiom(pool, width, size - 1),
                Sort::F32 | Sort::F64 => return self.float_idiom(pool, sort, size - 1),
                Sort::Ref => {}
            }
        }
        match sort {
            Sort::Bool => self.truth(pool, size),
            Sort::BitVec(width) => self.bitvec(pool, width, size),
            Sort::F32 | Sort::F64 => self.float(pool, sort, size),
            Sort::Ref => self.apply(pool, Op::Ite, sort, &[Sort::Bool, sort, sort], size),
        }
    }

    /// The operator on sampled operands of these sorts.
    fn apply(
        &mut self,
        pool: &mut Pool,
        op: Op,
        sort: Sort,
        operands: &[Sort],
        size: u32,
    ) -> TermId {
        let share = (size - 1) / operands.len() as u32;
        let mut spare = (size - 1) % operands.len() as u32;
        let mut args = Vec::with_capacity(operands.len());
        for &operand in operands {
            // Uneven shares: an operand may take what is to spare.
            let extra = if self.random.one_in(2) { std::mem::take(&mut spare) } else { 0 };
            args.push(self.grow(pool, operand, share + extra));
        }
        pool.apply(op, sort, &args)
    }

    fn truth(&mut self, pool: &mut Pool, size: u32) -> TermId {
        let bool2 = [Sort::Bool, Sort::Bool];
        match self.random.below(10) {
            0 => self.apply(pool, Op::Not, Sort::Bool, &[Sort::Bool], size),
            1..=3 => self.apply(pool, Op::And, Sort::Bool, &bool2, size),
            4 => {
                let (a, b) =
                    (self.grow(pool, Sort::Bool, size / 2), self.grow(pool, Sort::Bool, size / 2));
                pool.or(a, b)
            }
            5 | 6 => {
                let sort = self.sort();
                self.apply(pool, Op::Eq, Sort::Bool, &[sort, sort], size)
            }
            7 if self.config.floats => {
                let op = self.random.pick(&[Op::FLt, Op::FLe, Op::FEq]);
                let sort = self.random.pick(&[Sort::F32, Sort::F64]);
                self.apply(pool, op, Sort::Bool, &[sort, sort], size)
            }
            _ => {
                let op = self.random.pick(&[Op::Slt, Op::Ult]);
                let sort = Sort::BitVec(self.random.pick(self.config.widths));
                self.apply(pool, op, Sort::Bool, &[sort, sort], size)
            }
        }
    }

    fn bitvec(&mut self, pool: &mut Pool, width: u8, size: u32) -> TermId {
        const BINARY: &[Op] = &[
            Op::Add,
            Op::Add,
            Op::Mul,
            Op::UDiv,
            Op::SDiv,
            Op::URem,
            Op::SRem,
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::Shl,
            Op::LShr,
            Op::AShr,
        ];
        let sort = Sort::BitVec(width);
        match self.random.below(8) {
            0 => {
                let op = self.random.pick(&[Op::Neg, Op::BvNot]);
                self.apply(pool, op, sort, &[sort], size)
            }
            1 | 2 => self.resized(pool, width, size),
            3 if self.config.floats && width >= 2 => {
                let float = self.random.pick(&[Sort::F32, Sort::F64]);
                let cast = float.width() == u32::from(width) && self.random.one_in(2);
                let op = if cast { Op::FloatToBits } else { Op::FloatToSigned };
                self.apply(pool, op, sort, &[float], size)
            }
            _ => {
                let op = self.random.pick(BINARY);
                self.apply(pool, op, sort, &[sort, sort], size)
            }
        }
    }

    /// An extension, an extraction or a concatenation; a sum where the widths allow none.
    fn resized(&mut self, pool: &mut Pool, width: u8, size: u32) -> TermId {
        let sort = Sort::BitVec(width);
        let other = self.random.pick(self.config.widths);
        let from = Sort::BitVec(other);
        if other > width || other == width && self.random.one_in(2) {
            let low = self.random.below(u64::from(other - width + 1)) as u8;
            return self.apply(pool, Op::Extract(low), sort, &[from], size);
        }
        if other == width {
            return self.apply(pool, Op::Add, sort, &[sort, sort], size);
        }
        let rest = width - other;
        if self.config.widths.contains(&rest) && self.random.one_in(2) {
            return self.apply(pool, Op::Concat, sort, &[from, Sort::BitVec(rest)], size);
        }
        let op = self.random.pick(&[Op::ZeroExtend, Op::SignExtend]);
        self.apply(pool, op, sort, &[from], size)
    }

    fn float(&mut self, pool: &mut Pool, sort: Sort, size: u32) -> TermId {
        const ROUNDINGS: &[Rounding] =
            &[Rounding::Floor, Rounding::Ceil, Rounding::Nearest, Rounding::Zero];
        let other = if sort == Sort::F32 { Sort::F64 } else { Sort::F32 };
        let bits = Sort::BitVec(sort.width() as u8);
        match self.random.below(14) {
            0 | 1 => self.apply(pool, Op::FNeg, sort, &[sort], size),
            2 => self.apply(pool, Op::FAbs, sort, &[sort], size),
            3 => self.apply(pool, Op::FMin, sort, &[sort, sort], size),
            4 => self.apply(pool, Op::FMax, sort, &[sort, sort], size),
            5 => {
                let op = Op::FRound(self.random.pick(ROUNDINGS));
                self.apply(pool, op, sort, &[sort], size)
            }
            6 | 7 => self.apply(pool, Op::FloatToFloat, sort, &[other], size),
            8 | 9 => {
                let from = Sort::BitVec(self.random.pick(self.config.widths));
                self.apply(pool, Op::SignedToFloat, sort, &[from], size)
            }
            10 => self.apply(pool, Op::BitsToFloat, sort, &[bits], size),
            11 if self.config.heavy_floats => {
                let op = self.random.pick(&[Op::FMul, Op::FDiv, Op::FRem]);
                self.apply(pool, op, sort, &[sort, sort], size)
            }
            12 if self.config.heavy_floats => match self.random.below(2) {
                0 => self.apply(pool, Op::FSqrt, sort, &[sort], size),
                _ => self.apply(pool, Op::FFma, sort, &[sort, sort, sort], size),
            },
            _ => self.apply(pool, Op::FAdd, sort, &[sort, sort], size),
        }
    }
}

/// Values of a sort that are worth trying: all of them when they are few.
pub fn interesting_values(sort: Sort) -> Vec<u64> {
    let mask = sort.mask();
    match sort {
        Sort::Bool => vec![0, 1],
        Sort::BitVec(width) if width <= 3 => (0..=mask).collect(),
        Sort::BitVec(_) => {
            let high = mask >> 1;
            vec![0, 1, 2, 3, 5, mask, mask - 1, high, high - 1, high + 1, high + 2]
        }
        Sort::F32 => FLOATS.iter().map(|&f| u64::from((f as f32).to_bits())).chain(ODD32).collect(),
        Sort::F64 => FLOATS.iter().map(|f| f.to_bits()).chain(ODD64).collect(),
        Sort::Ref => vec![0, 1, 2, u64::from(Pool::FIRST_ANONYMOUS_IDENTITY)],
    }
}

/// Floats by value: zeros, units, ties of rounding, limits of integers, infinities.
const FLOATS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -3.0,
    0.1,
    16_777_216.0,
    2_147_483_647.0,
    -2_147_483_648.0,
    9.3e18,
    1e38,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Bit patterns of binary32: NaNs with payload, the smallest and greatest subnormal and normal.
const ODD32: [u64; 7] =
    [0xffc1_2345, 0x7f80_0001, 0x0000_0001, 0x807f_ffff, 0x0080_0000, 0x7f7f_ffff, 0xff7f_ffff];

/// As [`ODD32`], of binary64.
const ODD64: [u64; 7] = [
    0xfff8_1234_5678_9abc,
    0x7ff0_0000_0000_0001,
    0x0000_0000_0000_0001,
    0x800f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    0xffef_ffff_ffff_ffff,
];

/// Mostly a value worth trying, sometimes any.
fn interesting_bits(random: &mut Random, sort: Sort) -> u64 {
    // An identity that no constant names is not a constant.
    let any = sort != Sort::Ref && random.one_in(8);
    if any {
        return random.next() & sort.mask();
    }
    let values = interesting_values(sort);
    let bits = random.pick(&values);
    if sort == Sort::Ref { bits & 3 } else { bits }
}
