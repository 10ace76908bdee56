//! Questions to a solver: a path condition and one more constraint.
//!
//! A query holds the longer path that it asks about. When the answer is `Sat`, the caller goes on
//! with [`Query::into_path`], which keeps what was learnt while answering.

use crate::path::PathCondition;
use dalang_term::{Assignment, Pool, TermId};
use std::cell::OnceCell;

/// Can this path condition hold together with this constraint?
pub struct Query {
    path: PathCondition,
    extra: TermId,
    longer: PathCondition,
    pub(crate) assignment: OnceCell<Assignment>,
}

impl Query {
    /// The question whether `path` and `extra` can hold together.
    pub fn new(pool: &Pool, path: &PathCondition, extra: TermId) -> Query {
        Query {
            path: path.clone(),
            extra,
            longer: path.and(pool, extra),
            assignment: OnceCell::new(),
        }
    }

    /// The path condition, without the constraint in question.
    pub fn path(&self) -> &PathCondition {
        &self.path
    }

    /// The constraint in question.
    pub fn extra(&self) -> TermId {
        self.extra
    }

    /// The path condition with the constraint.
    pub fn longer(&self) -> &PathCondition {
        &self.longer
    }

    /// The path condition with the constraint, and the values found for it.
    pub fn into_path(self) -> PathCondition {
        let mut longer = self.longer;
        if let Some(assignment) = self.assignment.into_inner() {
            longer.satisfy(assignment);
        }
        longer
    }
}
