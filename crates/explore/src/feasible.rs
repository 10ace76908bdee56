//! Whether a path can go on in a given way.

use crate::path::{Holds, Node};
use dalang_heap::Bound;
use dalang_solver::{Answer, PathCondition, Query, Reason, Solver};
use dalang_term::{Evaluation, Pool, TermId};

/// Whether a path can go on in a given way.
pub(crate) enum Feasibility {
    /// It can; what holds then.
    Yes(Holds),
    /// It cannot.
    No,
    /// It can only beyond a bound.
    Beyond(Bound),
    /// It was not found out: why.
    Unknown(Reason),
}

impl Node<'_> {
    /// What holds without bounds, and one more constraint.
    pub(crate) fn free_and(&self, pool: &Pool, extra: TermId) -> Option<PathCondition> {
        self.free.as_ref().map(|free| free.and(pool, extra))
    }
}

/// Whether a condition can hold on a path.
pub(crate) fn feasible(
    pool: &Pool,
    solver: &mut Solver,
    node: &Node<'_>,
    condition: TermId,
) -> Feasibility {
    let query = Query::new(pool, &node.condition, condition);
    match solver.check(pool, &query) {
        Answer::Sat(_) => {
            let free = node.free_and(pool, condition);
            Feasibility::Yes(Holds { condition: query.into_path(), free })
        }
        Answer::Unsat => beyond(pool, solver, node, condition),
        Answer::Unknown(reason) => Feasibility::Unknown(reason),
    }
}

/// What the bounds exclude is not impossible.
fn beyond(pool: &Pool, solver: &mut Solver, node: &Node<'_>, condition: TermId) -> Feasibility {
    let Some(free) = &node.free else { return Feasibility::No };
    match solver.check(pool, &Query::new(pool, free, condition)) {
        Answer::Unsat => Feasibility::No,
        Answer::Unknown(reason) => Feasibility::Unknown(reason),
        Answer::Sat(assignment) => {
            let mut evaluation = Evaluation::new(assignment);
            let broken = node.bounds.iter().find(|(_, term)| !evaluation.holds(pool, *term));
            Feasibility::Beyond(broken.map_or(Bound::Array, |&(bound, _)| bound))
        }
    }
}
