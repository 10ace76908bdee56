//! Order and equality behind ites, guided by known values.
//!
//! A value read through references that may alias is an ite over their equalities, and a merged
//! value is an ite over a branch. Under an assignment each ite takes one branch: assuming that it
//! still does, its condition and its branch are plain comparisons, which the order layer solves. The
//! values found are evaluated by the chain; when there are none, nothing follows, because another
//! way through the ites may exist.

use super::order::{Literal, Order};
use crate::path::Slice;
use dalang_term::{Assignment, Evaluation, Op, Pool, TermId};
use rustc_hash::FxHashSet;

/// Slices that need more comparisons than this are left to the backend.
const LITERALS: usize = 2_000;

/// The comparisons of a slice along the branches that the assignment takes; `None` when some part
/// of it is no comparison.
pub(crate) fn follow(pool: &Pool, slice: &Slice, assignment: &Assignment) -> Option<Order> {
    let mut walk = Walk {
        pool,
        values: Evaluation::new(assignment.clone()),
        waiting: slice.conjuncts.iter().map(|&conjunct| (conjunct, true)).collect(),
        wanted: FxHashSet::default(),
        literals: Vec::new(),
    };
    while let Some((term, holds)) = walk.waiting.pop() {
        if walk.wanted.insert((term, holds)) {
            walk.visit(term, holds)?;
        }
        if walk.literals.len() > LITERALS {
            return None;
        }
    }
    Some(Order::of_literals(pool, walk.literals.into_iter()))
}

struct Walk<'a> {
    pool: &'a Pool,
    values: Evaluation,
    /// Boolean terms, and whether they shall hold.
    waiting: Vec<(TermId, bool)>,
    wanted: FxHashSet<(TermId, bool)>,
    literals: Vec<Literal>,
}

impl Walk<'_> {
    fn visit(&mut self, term: TermId, holds: bool) -> Option<()> {
        let node = self.pool.node(term);
        match node.op {
            // An ite whose branch is a constant may ask for what cannot be.
            Op::Const => return (self.pool.boolean(holds) == term).then_some(()),
            Op::Symbol => {
                self.literals.push(Literal::Equal(term, self.pool.boolean(holds)));
            }
            Op::Not => self.waiting.push((node.arg(0), !holds)),
            Op::And if holds => self.waiting.extend([(node.arg(0), true), (node.arg(1), true)]),
            Op::And => {
                let fails = !self.values.holds(self.pool, node.arg(1));
                self.waiting.push((node.arg(usize::from(fails)), false));
            }
            Op::Ite => {
                let branch = self.branch(term);
                self.waiting.push((branch, holds));
            }
            Op::Eq | Op::Slt | Op::Ult => {
                let (a, b) = (self.leaf(node.arg(0)), self.leaf(node.arg(1)));
                match (self.pool.bits(a), self.pool.bits(b)) {
                    (Some(_), Some(_)) => return self.constants_compare(node.op, a, b, holds),
                    _ => self.literals.push(Literal::compare(node.op, a, b, holds)?),
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// The branch that an ite takes; its condition is wanted as it is.
    fn branch(&mut self, ite: TermId) -> TermId {
        let node = self.pool.node(ite);
        let taken = self.values.holds(self.pool, node.arg(0));
        self.waiting.push((node.arg(0), taken));
        node.arg(if taken { 1 } else { 2 })
    }

    /// What is left of a term behind all ites.
    fn leaf(&mut self, mut term: TermId) -> TermId {
        while self.pool.node(term).op == Op::Ite {
            term = self.branch(term);
        }
        term
    }

    fn constants_compare(&mut self, op: Op, a: TermId, b: TermId, holds: bool) -> Option<()> {
        let sort = self.pool.sort(a);
        let bits = [self.pool.bits(a)?, self.pool.bits(b)?, 0];
        let result = dalang_term::semantics::apply(op, dalang_term::Sort::Bool, sort, bits);
        ((result == 1) == holds).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Answer, LayerName, PathCondition, Query, Solver};
    use dalang_term::{Pool, Sort};

    /// A read through a reference that may alias two others is decided without the backend while the values' branch will do.
    #[test]
    fn an_aliased_read_needs_no_sat() {
        let mut pool = Pool::new();
        let [r, s, t] = ["r", "s", "t"].map(|name| pool.symbol(name, Sort::Ref));
        let [u, v, w] = ["u", "v", "w"].map(|name| pool.symbol(name, Sort::BitVec(32)));
        let (is_s, is_t) = (pool.eq(r, s), pool.eq(r, t));
        let inner = pool.ite(is_t, v, w);
        let read = pool.ite(is_s, u, inner);
        let ten = pool.int(10);
        let mut solver = Solver::default();
        let mut path = PathCondition::new();
        for condition in [pool.slt(ten, read), pool.slt(read, u), pool.slt(w, read)] {
            let query = Query::new(&pool, &path, condition);
            assert!(matches!(solver.check(&pool, &query), Answer::Sat(_)));
            path = query.into_path();
        }
        let statistics = solver.statistics();
        // The second needs another branch than the values take: that is for the backend.
        assert_eq!(statistics.decided_by(LayerName::Guide), 1, "{statistics:?}");
        assert_eq!(statistics.decided_by(LayerName::Backend), 1, "{statistics:?}");
    }
}
