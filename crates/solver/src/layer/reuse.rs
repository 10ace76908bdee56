//! Assignments found before.
//!
//! On a branch one of the two sides holds under the values the path has already. For the other side,
//! and for sibling paths, values that satisfied something similar lately are tried.

use crate::limits::Limits;
use crate::path::Slice;
use crate::query::Query;
use dalang_term::{Assignment, Evaluation, Pool};
use std::collections::VecDeque;

/// How many assignments of other paths are kept.
const RECENT: usize = 8;

/// Assignments that satisfied recent questions, newest first.
#[derive(Default)]
pub(crate) struct Recent {
    assignments: VecDeque<Assignment>,
}

/// The values of the path itself, if they satisfy the new constraint too.
pub(crate) fn own(pool: &Pool, query: &Query) -> Option<Assignment> {
    let path = query.path();
    let fits = path.is_satisfied() && pool.evaluate(query.extra(), path.assignment()) == 1;
    fits.then(|| path.assignment().clone())
}

impl Recent {
    /// Values found for another question that satisfy this slice.
    pub(crate) fn find(&self, pool: &Pool, slice: &Slice, limits: &Limits) -> Option<&Assignment> {
        // The newest conjunct is the one that most likely fails: ask it first.
        let satisfies = |assignment: &&Assignment| {
            let mut evaluation = Evaluation::new(Assignment::clone(assignment));
            slice.conjuncts.iter().rev().all(|&conjunct| evaluation.holds(pool, conjunct))
        };
        self.assignments.iter().take_while(|_| !limits.is_stopped()).find(satisfies)
    }

    /// Keeps values for later questions.
    pub(crate) fn keep(&mut self, assignment: Assignment) {
        self.assignments.truncate(RECENT - 1);
        self.assignments.push_front(assignment);
    }
}
