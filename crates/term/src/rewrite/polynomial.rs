//! Comparisons of sums and products, decided by multiplying out.
//!
//! Both sides become sums of products with constant factors, modulo the width. If everything cancels but
//! a constant, they differ by it for all values. What is not arithmetic is taken as it is,
//! except a remainder, which is what division leaves: so quotients and remainders of one division meet.

use crate::{Node, Op, Pool, Sort, TermId};
use std::collections::BTreeMap;

/// Operators that are taken apart; larger equalities are left alone.
const MOST_STEPS: usize = 48;
/// Products of a sum.
const MOST_PRODUCTS: usize = 24;
/// Factors of a product.
const MOST_FACTORS: usize = 4;
/// How deep a product is looked for before anything is taken apart: most equalities have none.
const GLANCE: u32 = 4;

/// Products of terms, in order, each with its constant factor, which is not zero.
type Sum = BTreeMap<Vec<TermId>, u64>;

/// match: `p == q`
/// result: `true` or `false`
/// side condition: `p - q` is a constant when multiplied out, where `a % b` is `a - (a / b) * b` and
/// `a & (2^n - 1)` is `a - ((a >>> n) << n)`; `p` or `q` has a product, a multiple of a sum or a remainder
/// near its top
pub(super) fn equal(pool: &mut Pool, node: Node) -> Option<TermId> {
    let difference = difference(pool, node)?;
    Some(if difference == 0 { Pool::TRUE } else { Pool::FALSE })
}

/// match: `p < q`, signed or unsigned
/// result: `false`
/// side condition: `p - q` is zero when multiplied out, as for equality
pub(super) fn less(pool: &mut Pool, node: Node) -> Option<TermId> {
    (difference(pool, node)? == 0).then_some(Pool::FALSE)
}

/// The difference of the operands, if it is a constant.
fn difference(pool: &mut Pool, node: Node) -> Option<u64> {
    let (p, q) = (node.arg(0), node.arg(1));
    if !pool.sort(p).is_bitvec() || !(is_product(pool, p, GLANCE) || is_product(pool, q, GLANCE)) {
        return None;
    }
    let mut expansion = Expansion { sort: pool.sort(p), steps: MOST_STEPS };
    let mut difference = expansion.expand(pool, p)?;
    let other = expansion.expand(pool, q)?;
    expansion.add(&mut difference, &other, u64::MAX)?;
    let constant = difference.remove(&Vec::new()).unwrap_or(0);
    difference.is_empty().then_some(constant)
}

/// Whether there is a product of two terms, a multiple of a sum, or a remainder in a sum.
fn is_product(pool: &Pool, term: TermId, depth: u32) -> bool {
    let node = pool.node(term);
    match node.op {
        Op::URem | Op::SRem => true,
        Op::Mul if pool.bits(node.arg(1)).is_none() || is_sum(pool, node.arg(0)) => true,
        Op::Add if depth > 0 => {
            is_product(pool, node.arg(0), depth - 1) || is_product(pool, node.arg(1), depth - 1)
        }
        Op::Neg | Op::Mul | Op::BvNot if depth > 0 => is_product(pool, node.arg(0), depth - 1),
        _ => false,
    }
}

/// Whether a constant factor can be multiplied into a term.
fn is_sum(pool: &Pool, term: TermId) -> bool {
    matches!(pool.node(term).op, Op::Add | Op::Neg | Op::BvNot)
}

/// Terms being taken apart, as far as the steps go.
struct Expansion {
    sort: Sort,
    steps: usize,
}

impl Expansion {
    fn expand(&mut self, pool: &mut Pool, term: TermId) -> Option<Sum> {
        self.steps = self.steps.checked_sub(1)?;
        if let Some(bits) = pool.bits(term) {
            return self.scaled(&BTreeMap::from([(Vec::new(), 1)]), bits);
        }
        let node = pool.node(term);
        match node.op {
            Op::Add => {
                let mut sum = self.expand(pool, node.arg(0))?;
                let other = self.expand(pool, node.arg(1))?;
                self.add(&mut sum, &other, 1)?;
                Some(sum)
            }
            Op::Neg => {
                let sum = self.expand(pool, node.arg(0))?;
                self.scaled(&sum, u64::MAX)
            }
            Op::BvNot => {
                let sum = self.expand(pool, node.arg(0))?;
                let mut complement = self.scaled(&sum, u64::MAX)?;
                self.add(&mut complement, &BTreeMap::from([(Vec::new(), 1)]), u64::MAX)?;
                Some(complement)
            }
            Op::Mul => {
                let a = self.expand(pool, node.arg(0))?;
                let b = self.expand(pool, node.arg(1))?;
                self.product(&a, &b)
            }
            Op::Shl => match pool.bits(node.arg(1)) {
                Some(distance) if distance < 64 => {
                    let sum = self.expand(pool, node.arg(0))?;
                    self.scaled(&sum, 1 << distance)
                }
                _ => Some(atom(term)),
            },
            Op::URem | Op::SRem => {
                let (a, b) = (node.arg(0), node.arg(1));
                let quotient = if node.op == Op::URem { pool.udiv(a, b) } else { pool.sdiv(a, b) };
                self.remainder(pool, a, quotient, b)
            }
            Op::BvAnd => match pool.bits(node.arg(1)).map(|mask| mask.wrapping_add(1)) {
                Some(power) if power.is_power_of_two() && power & self.sort.mask() != 0 => {
                    let distance = pool.constant(self.sort, u64::from(power.trailing_zeros()));
                    let quotient = pool.lshr(node.arg(0), distance);
                    let power = pool.constant(self.sort, power);
                    self.remainder(pool, node.arg(0), quotient, power)
                }
                _ => Some(atom(term)),
            },
            _ => Some(atom(term)),
        }
    }

    /// `a - quotient * b`
    fn remainder(
        &mut self,
        pool: &mut Pool,
        a: TermId,
        quotient: TermId,
        b: TermId,
    ) -> Option<Sum> {
        let mut sum = self.expand(pool, a)?;
        let (quotient, b) = (self.expand(pool, quotient)?, self.expand(pool, b)?);
        let product = self.product(&quotient, &b)?;
        self.add(&mut sum, &product, u64::MAX)?;
        Some(sum)
    }

    /// Adds a multiple of another sum.
    fn add(&self, sum: &mut Sum, other: &Sum, factor: u64) -> Option<()> {
        for (product, &count) in other {
            let added = count.wrapping_mul(factor);
            let total = sum.get(product).copied().unwrap_or(0).wrapping_add(added);
            if total & self.sort.mask() == 0 {
                sum.remove(product);
            } else {
                sum.insert(product.clone(), total & self.sort.mask());
            }
        }
        (sum.len() <= MOST_PRODUCTS).then_some(())
    }

    fn scaled(&self, sum: &Sum, factor: u64) -> Option<Sum> {
        let mut scaled = Sum::new();
        self.add(&mut scaled, sum, factor)?;
        Some(scaled)
    }

    fn product(&self, a: &Sum, b: &Sum) -> Option<Sum> {
        let mut result = Sum::new();
        for (left, &factor) in a {
            let mut row = Sum::new();
            for (right, &count) in b {
                let mut product = [&left[..], right].concat();
                if product.len() > MOST_FACTORS {
                    return None;
                }
                product.sort_unstable();
                row.insert(product, count);
            }
            self.add(&mut result, &row, factor)?;
        }
        Some(result)
    }
}

/// A term that is not taken apart.
fn atom(term: TermId) -> Sum {
    BTreeMap::from([(vec![term], 1)])
}
