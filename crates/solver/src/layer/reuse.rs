//! Assignments found before.
//!
//! On a branch one of the two sides holds under the values the path has already. For the other side,
//! and for sibling paths, values that satisfied something similar lately are tried.

use crate::limits::Limits;
use crate::path::Slice;
use crate::query::Query;
use dalang_term::{Assignment, Evaluation, Pool, TermId};
use std::collections::VecDeque;

/// How many assignments of other paths are kept.
const RECENT: usize = 8;

/// Assignments that satisfied recent questions, newest first.
#[derive(Default)]
pub(crate) struct Recent {
    assignments: VecDeque<Assignment>,
}

/// The values of the path itself, if they satisfy the new constraint too.
pub(crate) fn own(pool: &Pool, query: &Query, limits: &Limits) -> Option<Assignment> {
    let path = query.path();
    if !path.is_satisfied() {
        return None;
    }
    let mut evaluation = Evaluation::new(path.assignment().clone());
    let value = evaluation.value_while(pool, query.extra(), || !limits.is_stopped());
    (value == Some(1)).then(|| evaluation.into_assignment())
}

impl Recent {
    /// Values found for another question that satisfy this slice.
    pub(crate) fn find(&self, pool: &Pool, slice: &Slice, limits: &Limits) -> Option<&Assignment> {
        // The newest conjunct is the one that most likely fails: ask it first.
        let satisfies = |assignment: &&Assignment| {
            let mut evaluation = Evaluation::new(Assignment::clone(assignment));
            let mut holds = |&conjunct: &TermId| {
                evaluation.value_while(pool, conjunct, || !limits.is_stopped()) == Some(1)
            };
            slice.conjuncts.iter().rev().all(&mut holds)
        };
        self.assignments.iter().take_while(|_| !limits.is_stopped()).find(satisfies)
    }

    /// Keeps values for later questions.
    pub(crate) fn keep(&mut self, assignment: Assignment) {
        self.assignments.truncate(RECENT - 1);
        self.assignments.push_front(assignment);
    }
}
