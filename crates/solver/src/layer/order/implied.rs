//! What the comparisons that were read say about one more, without adding it.
//!
//! Most conditions of data-structure code are decided by what the path knows already. Finding that
//! out on the order as it is saves the copy that a query would make. The potential tells which way
//! to look: where it makes the comparison false, only the negation can be implied.

use super::{Apart, Literal, Operand, Order, State, ZERO, value_of};
use dalang_term::{Pool, TermId};
use std::ops::RangeInclusive;

impl Order {
    /// Whether a term holds, or does not, whenever all that was read holds; `None` if that is not
    /// seen here.
    pub fn implied(&self, pool: &Pool, term: TermId) -> Option<bool> {
        if self.state == State::Infeasible {
            return None;
        }
        match Literal::of(pool, term)? {
            Literal::Below { a, b, strict, signed } => {
                let (a, b) = (self.find(pool, a, signed)?, self.find(pool, b, signed)?);
                self.is_below(a, b, i128::from(strict))
            }
            Literal::Equal(a, b) => self.are_equal(pool, a, b),
            Literal::Apart(a, b) => self.are_equal(pool, a, b).map(|equal| !equal),
        }
    }

    /// Whether two terms have different values whenever all that was read holds, as far as that is seen
    /// here.
    pub fn differ(&self, pool: &Pool, a: TermId, b: TermId) -> bool {
        self.state != State::Infeasible && self.are_equal(pool, a, b) == Some(false)
    }

    /// The values that a term can have as far as constants alone tell, and whether they are signed.
    pub fn range(&self, term: TermId) -> Option<(bool, RangeInclusive<i128>)> {
        let node = self.nodes.iter().find(|node| node.term == term)?;
        Some((node.signed, node.low..=node.high))
    }

    /// The place of an operand that has one.
    fn find(&self, pool: &Pool, term: TermId, signed: bool) -> Option<Operand> {
        if let Some(bits) = pool.bits(term) {
            return Some(Operand::Constant(value_of(pool.sort(term), bits, signed)));
        }
        let index = self.nodes.iter().position(|node| node.term == term)?;
        (self.nodes[index].signed == signed).then_some(Operand::Node(index as u32 + 1))
    }

    /// Whether `a + weight <= b`.
    fn is_below(&self, a: Operand, b: Operand, weight: i128) -> Option<bool> {
        let ((a, offset_a), (b, offset_b)) = (a.place(), b.place());
        // a + offset_a + weight <= b + offset_b
        let needed = offset_a + weight - offset_b;
        let gap = self.potential[b as usize] - self.potential[a as usize];
        if gap >= needed {
            return self.is_at_least(a, b, needed).then_some(true);
        }
        // The negation: b + offset_b + 1 <= a + offset_a + weight.
        self.is_at_least(b, a, 1 - needed).then_some(false)
    }

    fn are_equal(&self, pool: &Pool, a: TermId, b: TermId) -> Option<bool> {
        let signed = self.signedness(pool, [a, b]);
        let ((a, offset_a), (b, offset_b)) =
            (self.find(pool, a, signed)?.place(), self.find(pool, b, signed)?.place());
        let offset = offset_a - offset_b;
        let gap = self.potential[b as usize] - self.potential[a as usize];
        if gap == offset {
            let equal = self.is_at_least(a, b, offset) && self.is_at_least(b, a, -offset);
            return equal.then_some(true);
        }
        let stated = |apart: &Apart| {
            let is = |left, right, offset| {
                (apart.left, apart.right, apart.offset) == (left, right, offset)
            };
            is(a, b, -offset) || is(b, a, offset)
        };
        let apart = if gap > offset {
            self.is_at_least(a, b, offset + 1)
        } else {
            self.is_at_least(b, a, 1 - offset)
        };
        (apart || self.apart.iter().any(stated)).then_some(false)
    }

    /// Whether `to >= from + distance` follows: a path of edges at least that long.
    fn is_at_least(&self, from: u32, to: u32, distance: i128) -> bool {
        if from == to {
            return distance <= 0;
        }
        let mut best: Vec<Option<i128>> = vec![None; self.potential.len()];
        best[from as usize] = Some(0);
        let mut open = vec![from];
        // No cycle has positive weight, so every node is improved finitely often.
        while let Some(node) = open.pop() {
            let Some(so_far) = best[node as usize] else { continue };
            let mut reach = |next: u32, length: i128| {
                let place = &mut best[next as usize];
                if place.is_none_or(|known| known < length) {
                    *place = Some(length);
                    open.push(next);
                }
            };
            let mut next_edge = self.edges.newest_from(node);
            while let Some(index) = next_edge {
                let (edge, before) = self.edges.get(index);
                reach(edge.to, so_far + edge.weight);
                next_edge = before;
            }
            if node == ZERO {
                for (index, bounds) in self.nodes.iter().enumerate() {
                    reach(index as u32 + 1, so_far + bounds.low);
                }
            } else {
                reach(ZERO, so_far - self.nodes[node as usize - 1].high);
            }
            if best[to as usize].is_some_and(|found| found >= distance) {
                return true;
            }
        }
        false
    }
}

impl Operand {
    /// A node and what to add to its value: a constant is zero's node and itself.
    fn place(self) -> (u32, i128) {
        match self {
            Operand::Node(node) => (node, 0),
            Operand::Constant(value) => (ZERO, value),
        }
    }
}
