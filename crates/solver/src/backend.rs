//! What decides a conjunction in the end: the built-in SAT solver, or another solver's process.
//!
//! A backend answers for a list of conjuncts and nothing else; caching, slicing and checking its
//! answers is the business of the chain above.

pub(crate) mod sat;
pub mod smtlib;

use crate::answer::Reason;
use crate::limits::Limits;
use dalang_term::{Pool, SymbolId, TermId};

/// A decision procedure for conjunctions of terms. It may remember terms, but has to notice when
/// it is asked about another pool's.
pub(crate) trait Backend {
    /// Can the conjuncts, whose symbols are given, hold together?
    fn decide(
        &mut self,
        pool: &Pool,
        conjuncts: &[TermId],
        symbols: &[SymbolId],
        limits: &Limits,
    ) -> Verdict;

    /// The same, if hardly any search is needed to find out.
    fn glance(
        &mut self,
        _pool: &Pool,
        _conjuncts: &[TermId],
        _symbols: &[SymbolId],
        _limits: &Limits,
    ) -> Option<Verdict> {
        None
    }
}

/// What a backend found.
pub(crate) enum Verdict {
    /// They hold under these values (a symbol that is not listed may have any).
    Sat(Vec<(SymbolId, u64)>),
    /// They contradict each other, and these alone do already.
    Unsat(Vec<TermId>),
    /// It was not found out.
    Unknown(Reason),
}
