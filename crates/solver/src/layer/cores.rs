//! Sets of conjuncts known to contradict each other.
//!
//! The backend says which of the conjuncts it needed for `Unsat`; any later question that contains
//! those is `Unsat` too, whatever else it says.

use dalang_term::TermId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Cores are forgotten all at once when there are this many.
const CAPACITY: usize = 20_000;

/// Contradictory sets, each filed under one of its members.
#[derive(Default)]
pub(crate) struct Cores {
    by_member: FxHashMap<TermId, Vec<Arc<[TermId]>>>,
    count: usize,
}

impl Cores {
    /// Do these conjuncts include a set known to be contradictory?
    pub(crate) fn contradict(&self, conjuncts: &[TermId]) -> bool {
        let mut filed = conjuncts
            .iter()
            .filter_map(|conjunct| self.by_member.get(conjunct))
            .flatten()
            .peekable();
        if filed.peek().is_none() {
            return false;
        }
        let present: FxHashSet<TermId> = conjuncts.iter().copied().collect();
        filed.any(|core| core.iter().all(|member| present.contains(member)))
    }

    /// Remembers a contradictory set.
    pub(crate) fn keep(&mut self, core: Vec<TermId>) {
        // The newest term is the rarest in other questions: filing under it keeps look-ups short.
        let Some(&newest) = core.iter().max() else { return };
        if self.count >= CAPACITY {
            *self = Cores::default();
        }
        self.count += 1;
        self.by_member.entry(newest).or_default().push(core.into());
    }
}

#[cfg(test)]
mod tests {
    use super::Cores;
    use dalang_term::{Pool, Sort};

    #[test]
    fn supersets_of_a_core_contradict_and_others_do_not() {
        let mut pool = Pool::new();
        let [p, q, r, s] = ["p", "q", "r", "s"].map(|name| pool.symbol(name, Sort::Bool));
        let mut cores = Cores::default();
        cores.keep(vec![q, p]);
        assert!(cores.contradict(&[p, q]));
        assert!(cores.contradict(&[s, q, r, p]));
        assert!(!cores.contradict(&[q, r, s]));
        assert!(!cores.contradict(&[p]));
    }
}
