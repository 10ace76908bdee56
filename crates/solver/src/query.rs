//! Questions to a solver: a path condition, one more constraint, and whether what the path assumes is
//! assumed.
//!
//! A query holds the longer path that it asks about. When the answer is `Sat`, the caller goes on
//! with [`Query::into_path`], which keeps what was learnt while answering. When it is `Unsat`,
//! [`Query::without_assumptions`] is the question whether that is so because of what is assumed.

use crate::path::{Label, PathCondition, Slice};
use dalang_term::{Assignment, Pool, TermId};
use std::cell::OnceCell;
use std::sync::Arc;

/// Can this path condition hold together with this constraint?
pub struct Query {
    path: PathCondition,
    extra: TermId,
    longer: PathCondition,
    /// Whether what the path assumes is to hold as well.
    assuming: bool,
    pub(crate) assignment: OnceCell<Assignment>,
}

impl Query {
    /// The question whether `path` and `extra` can hold together, and with them what `path` assumes.
    pub fn new(pool: &Pool, path: &PathCondition, extra: TermId) -> Query {
        Query::over(pool, path.clone(), extra, true)
    }

    fn over(pool: &Pool, path: PathCondition, extra: TermId, assuming: bool) -> Query {
        let longer = path.and(pool, extra);
        Query { path, extra, longer, assuming, assignment: OnceCell::new() }
    }

    /// The same question with nothing assumed; none if nothing that is assumed is about what is asked, so
    /// that the answer is the same.
    pub fn without_assumptions(self, pool: &Pool) -> Option<Query> {
        let rests = self.assuming && self.longer.rests_on_assumptions(pool);
        rests.then(|| Query { assuming: false, assignment: OnceCell::new(), ..self })
    }

    /// The same question where more is known.
    #[must_use]
    pub fn with_lemmas(self, pool: &Pool, lemmas: &[TermId]) -> Query {
        let mut path = self.path;
        for &lemma in lemmas {
            path.add(pool, lemma, Label::Lemma);
        }
        Query::over(pool, path, self.extra, self.assuming)
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
        // Values that were found without what is assumed need not satisfy that.
        if let Some(assignment) = self.assignment.into_inner().filter(|_| self.assuming) {
            longer.satisfy(assignment);
        }
        longer
    }

    /// Is something that is asked about false whatever the symbols are?
    pub(crate) fn contradictory(&self) -> bool {
        self.longer.contradictory(self.assuming)
    }

    /// What has to be decided: slices that the values known are not known to satisfy.
    pub(crate) fn slices(&self, pool: &Pool) -> Vec<Arc<Slice>> {
        let mut slices = self.longer.open_slices(pool);
        for slice in slices.iter_mut().filter(|slice| !self.assuming && slice.assumes()) {
            *slice = Arc::new(slice.without_assumptions());
        }
        slices
    }

    /// All that is asked about, the oldest first.
    pub(crate) fn conjuncts(&self) -> Vec<TermId> {
        self.longer.labelled(|label| self.assuming || label != Label::Assumed)
    }
}
