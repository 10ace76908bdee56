//! Walking a DAG bottom-up without recursion.
//!
//! Terms get a million nodes deep; nothing in this crate or the solver may recurse on them.

use crate::{Pool, TermId};
use rustc_hash::FxHashSet;

/// Terms that a walk has met. Those of a vast walk are bits in the order of their numbers, which takes a
/// fraction of the time that hashing them takes.
#[derive(Default)]
pub(crate) struct Met {
    few: FxHashSet<TermId>,
    many: Vec<u64>,
}

/// From how many terms on a walk is vast: the bits of all numbers below take less room then.
const VAST: usize = 1 << 14;

impl Met {
    /// Takes a term in; false if it is there already.
    pub(crate) fn insert(&mut self, term: TermId) -> bool {
        if !self.many.is_empty() {
            return self.mark(term);
        }
        let is_new = self.few.insert(term);
        if self.few.len() == VAST {
            for term in std::mem::take(&mut self.few) {
                self.mark(term);
            }
        }
        is_new
    }

    fn mark(&mut self, term: TermId) -> bool {
        let (word, bit) = (term.index() as usize / 64, 1 << (term.index() % 64));
        if word >= self.many.len() {
            self.many.resize((word + 1).next_power_of_two(), 0);
        }
        let is_new = self.many[word] & bit == 0;
        self.many[word] |= bit;
        is_new
    }
}

/// Every term reachable from some roots, operands before their users, each once.
pub struct PostOrder<'a> {
    pool: &'a Pool,
    stack: Vec<(TermId, bool)>,
    entered: Met,
}

impl<'a> PostOrder<'a> {
    /// Walks what is reachable from `roots`.
    pub fn new(pool: &'a Pool, roots: impl IntoIterator<Item = TermId>) -> PostOrder<'a> {
        let mut stack: Vec<_> = roots.into_iter().map(|root| (root, false)).collect();
        stack.reverse();
        PostOrder { pool, stack, entered: Met::default() }
    }
}

impl Iterator for PostOrder<'_> {
    type Item = TermId;

    fn next(&mut self) -> Option<TermId> {
        while let Some((term, operands_done)) = self.stack.pop() {
            if operands_done {
                return Some(term);
            }
            if !self.entered.insert(term) {
                continue;
            }
            self.stack.push((term, true));
            let operands = self.pool.node(term).args().rev().map(|operand| (operand, false));
            self.stack.extend(operands);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Met, PostOrder, VAST};
    use crate::{Pool, Sort, TermId};

    #[test]
    fn every_term_is_met_once_in_small_walks_and_vast_ones() {
        let mut met = Met::default();
        let terms = || (0..3 * VAST as u32).rev().map(|number| TermId::from_index(number * 5));
        assert!(terms().all(|term| met.insert(term)));
        assert!(!terms().any(|term| met.insert(term)));
        assert!(terms().all(|term| met.insert(TermId::from_index(term.index() + 1))));
    }

    #[test]
    fn operands_come_before_users_and_once() {
        let mut pool = Pool::new();
        let x = pool.symbol("x", Sort::BitVec(8));
        let y = pool.symbol("y", Sort::BitVec(8));
        let sum = pool.add(x, y);
        let product = pool.mul(sum, sum);
        let order: Vec<_> = PostOrder::new(&pool, [product, sum]).collect();
        assert_eq!(order, [x, y, sum, product]);
    }
}
