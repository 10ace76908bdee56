//! Walking a DAG bottom-up without recursion.
//!
//! Terms get a million nodes deep; nothing in this crate or the solver may recurse on them.

use crate::{Pool, TermId};
use rustc_hash::FxHashSet;

/// Every term reachable from some roots, operands before their users, each once.
pub struct PostOrder<'a> {
    pool: &'a Pool,
    stack: Vec<(TermId, bool)>,
    entered: FxHashSet<TermId>,
}

impl<'a> PostOrder<'a> {
    /// Walks what is reachable from `roots`.
    pub fn new(pool: &'a Pool, roots: impl IntoIterator<Item = TermId>) -> PostOrder<'a> {
        let mut stack: Vec<_> = roots.into_iter().map(|root| (root, false)).collect();
        stack.reverse();
        PostOrder { pool, stack, entered: FxHashSet::default() }
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
    use super::PostOrder;
    use crate::{Pool, Sort};

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
