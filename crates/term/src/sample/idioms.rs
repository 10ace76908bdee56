//! Shapes that programs and compilers make and that chance rarely does: subtractions, flags,
//! three-way comparisons, pairs of shifts, words put together from pieces.

use super::Sampler;
use crate::{Op, Pool, Sort, TermId};

impl Sampler {
    /// A truth value of a common shape.
    pub(super) fn truth_idiom(&mut self, pool: &mut Pool, size: u32) -> TermId {
        let sort = Sort::BitVec(self.random.pick(self.config.widths));
        let (a, b) = self.two(pool, sort, size);
        match self.random.below(10) {
            9 => self.multiplied_out(pool, a, b),
            0 => {
                let difference = pool.sub(a, b);
                let zero = pool.constant(sort, 0);
                pool.eq(difference, zero)
            }
            1 => {
                let (p, q) = self.two(pool, Sort::Bool, size);
                let (forward, backward) = (pool.implies(p, q), pool.not(q));
                let otherwise = pool.implies(p, backward);
                pool.and(forward, otherwise)
            }
            2 => pool.sle(a, b),
            3 => pool.ule(a, b),
            4 | 5 => self.two_comparisons(pool, a, b),
            6 => {
                let op = self.random.pick(&[Op::Add, Op::BvXor]);
                let shared = self.leaf(pool, sort);
                let (left, right) = ([a, shared], [shared, b]);
                let (left, right) = (pool.apply(op, sort, &left), pool.apply(op, sort, &right));
                pool.eq(left, right)
            }
            7 if self.config.floats => {
                let float = self.random.pick(&[Sort::F32, Sort::F64]);
                let (x, y) = self.two(pool, float, size);
                let bits = Sort::BitVec(float.width() as u8);
                let [x, y] = [x, y].map(|x| pool.apply(Op::FloatToBits, bits, &[x]));
                pool.eq(x, y)
            }
            _ => {
                let order = three_way(pool, a, b);
                let bound = self.leaf(pool, sort);
                let op = self.random.pick(&[Op::Slt, Op::Eq]);
                pool.apply(op, Sort::Bool, &[order, bound])
            }
        }
    }

    /// A bit-vector of a common shape.
    pub(super) fn bitvec_idiom(&mut self, pool: &mut Pool, width: u8, size: u32) -> TermId {
        let sort = Sort::BitVec(width);
        let (a, b) = self.two(pool, sort, size);
        match self.random.below(10) {
            9 => self.division(pool, a, b),
            0 | 1 => pool.sub(a, b),
            2 => self.flag(pool, sort, size),
            3 => {
                let (p, q) = (self.flag(pool, sort, size / 2), self.flag(pool, sort, size / 2));
                let op = self.random.pick(&[Op::BvAnd, Op::BvOr, Op::BvXor]);
                pool.apply(op, sort, &[p, q])
            }
            4 => {
                let distance = self.random.below(u64::from(width));
                let distance = pool.constant(sort, distance);
                let (first, second) = self.random.pick(&[
                    (Op::Shl, Op::LShr),
                    (Op::Shl, Op::AShr),
                    (Op::AShr, Op::AShr),
                    (Op::LShr, Op::Shl),
                ]);
                let once = pool.apply(first, sort, &[a, distance]);
                pool.apply(second, sort, &[once, distance])
            }
            5 => three_way(pool, a, b),
            6 if width > 2 => {
                let low = pool.extract(a, width - 2, 0);
                let positive = pool.zero_extend(low, width);
                let divisor = self.leaf(pool, sort);
                let op = self.random.pick(&[Op::SDiv, Op::SRem, Op::AShr]);
                pool.apply(op, sort, &[positive, divisor])
            }
            _ => self.pieces(pool, a, b),
        }
    }

    /// A float of a common shape.
    pub(super) fn float_idiom(&mut self, pool: &mut Pool, sort: Sort, size: u32) -> TermId {
        let x = self.grow(pool, sort, size);
        let bits = |value: f64| match sort {
            Sort::F32 => u64::from((value as f32).to_bits()),
            _ => value.to_bits(),
        };
        match self.random.below(if self.config.heavy_floats { 3 } else { 1 }) {
            0 => {
                let zero = pool.constant(sort, bits(-0.0));
                pool.fadd(x, zero)
            }
            1 => {
                let one = pool.constant(sort, bits(1.0));
                pool.fmul(x, one)
            }
            _ => {
                let one = pool.constant(sort, bits(1.0));
                pool.fdiv(x, one)
            }
        }
    }

    /// Two comparisons of one pair, or of one term with two constants.
    fn two_comparisons(&mut self, pool: &mut Pool, a: TermId, b: TermId) -> TermId {
        let sort = pool.sort(a);
        let bounds = self.random.one_in(2).then(|| [0; 2].map(|_: u8| self.leaf(pool, sort)));
        let orders: &[Op] = self.random.pick(&[&[Op::Slt, Op::Eq], &[Op::Ult, Op::Eq]]);
        let both = [0, 1].map(|turn| {
            let op = self.random.pick(orders);
            let (x, y) = match bounds {
                Some(bounds) => (a, bounds[turn]),
                None if self.random.one_in(2) => (b, a),
                None => (a, b),
            };
            let comparison = pool.apply(op, Sort::Bool, &[x, y]);
            if self.random.one_in(2) { pool.not(comparison) } else { comparison }
        });
        pool.and(both[0], both[1])
    }

    fn two(&mut self, pool: &mut Pool, sort: Sort, size: u32) -> (TermId, TermId) {
        (self.grow(pool, sort, size / 2), self.grow(pool, sort, size / 2))
    }

    /// Quotients and remainders of one division, put together.
    fn division(&mut self, pool: &mut Pool, a: TermId, b: TermId) -> TermId {
        let sort = pool.sort(a);
        let [div, rem] = self.random.pick(&[[Op::SDiv, Op::SRem], [Op::UDiv, Op::URem]]);
        let b = if self.random.one_in(2) { self.leaf(pool, sort) } else { b };
        let quotient = pool.apply(div, sort, &[a, b]);
        let remainder = pool.apply(rem, sort, &[a, b]);
        let product = pool.mul(quotient, b);
        match self.random.below(8) {
            6 | 7 if sort.width() <= 32 => {
                let wide = 2 * sort.width() as u8;
                let [a, b] = [a, b].map(|term| pool.zero_extend(term, wide));
                let op = self.random.pick(&[Op::UDiv, Op::URem]);
                let divided = pool.apply(op, Sort::BitVec(wide), &[a, b]);
                pool.extract(divided, sort.width() as u8 - 1, 0)
            }
            0 => pool.add(product, remainder),
            1 => {
                let negated = pool.neg(product);
                pool.add(a, negated)
            }
            2 => pool.apply(rem, sort, &[remainder, b]),
            3 => pool.apply(rem, sort, &[product, b]),
            // Small enough that their product fits a few bits.
            4 if sort.width() > 2 => {
                let [c, d] = [0; 2].map(|_: u8| 2 + self.random.below(2));
                let [c, d] = [c, d].map(|bits| pool.constant(sort, bits));
                let once = pool.apply(div, sort, &[a, c]);
                pool.apply(div, sort, &[once, d])
            }
            _ => {
                let negated = pool.neg(b);
                pool.apply(rem, sort, &[a, negated])
            }
        }
    }

    /// An equality that holds, or that a constant keeps from holding, whatever the values are.
    fn multiplied_out(&mut self, pool: &mut Pool, a: TermId, b: TermId) -> TermId {
        let sort = pool.sort(a);
        let c = self.leaf(pool, sort);
        let sum = pool.add(b, c);
        let left = pool.mul(a, sum);
        let (ab, ac) = (pool.mul(a, b), pool.mul(a, c));
        let right = pool.add(ab, ac);
        let right = if self.random.one_in(3) {
            let one = pool.constant(sort, 1);
            pool.add(right, one)
        } else {
            right
        };
        pool.eq(left, right)
    }

    /// A Boolean kept as a number.
    fn flag(&mut self, pool: &mut Pool, sort: Sort, size: u32) -> TermId {
        let condition = self.grow(pool, Sort::Bool, size);
        let (one, zero) = (pool.constant(sort, 1), pool.constant(sort, 0));
        pool.ite(condition, one, zero)
    }

    /// Two or three pieces of terms of one width, put together to that width.
    fn pieces(&mut self, pool: &mut Pool, a: TermId, b: TermId) -> TermId {
        let width = pool.sort(a).width() as u8;
        if width < 3 {
            return a;
        }
        let low = 1 + self.random.below(u64::from(width - 2)) as u8;
        let middle = low + 1 + self.random.below(u64::from(width - low - 1)) as u8;
        let mut piece = |pool: &mut Pool, from: u8, to: u8| match self.random.below(4) {
            0 => pool.bitvec(to - from, u64::from(from & 3)),
            1 => pool.extract(b, to - 1, from),
            _ => pool.extract(a, to - 1, from),
        };
        let bottom = piece(pool, 0, low);
        let centre = piece(pool, low, middle);
        let top = (middle < width).then(|| piece(pool, middle, width));
        match (top, self.random.one_in(2)) {
            (None, _) => pool.concat(centre, bottom),
            (Some(top), true) => {
                let high = pool.concat(top, centre);
                pool.concat(high, bottom)
            }
            (Some(top), false) => {
                let rest = pool.concat(centre, bottom);
                pool.concat(top, rest)
            }
        }
    }
}

/// -1, 0 or 1 as `lcmp` gives it.
fn three_way(pool: &mut Pool, a: TermId, b: TermId) -> TermId {
    let sort = pool.sort(a);
    let [minus, zero, one] = [u64::MAX, 0, 1].map(|bits| pool.constant(sort, bits));
    let (less, equal) = (pool.slt(a, b), pool.eq(a, b));
    let rest = pool.ite(equal, zero, one);
    pool.ite(less, minus, rest)
}
