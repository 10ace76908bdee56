//! Answers that need no values at all.

use crate::answer::Answer;
use crate::query::Query;
use dalang_term::Pool;

/// Decides a query whose path or constraint is plainly false, or whose constraint is plainly true on
/// a path with known values.
pub(crate) fn decide(query: &Query) -> Option<Answer> {
    if query.contradictory() {
        return Some(Answer::Unsat);
    }
    let trivial = query.extra() == Pool::TRUE && query.path().is_satisfied();
    trivial.then(|| Answer::Sat(query.path().assignment().clone()))
}
