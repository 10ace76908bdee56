//! Conditions that the path which is being followed has settled.
//!
//! Code over data structures asks the same thing again and again: an invariant before and after an
//! operation, a search and then another. What a path has settled stays settled, so it is looked up
//! here and no question is asked. Whoever explores says what the path has settled, and takes it back
//! when it turns to another path.

use dalang_heap::Settled;
use dalang_term::{Op, Pool, TermId};

/// Conditions that the path which is being followed has settled. None of them is a negation.
#[derive(Default)]
pub struct Truths {
    /// By the number of the term.
    known: Vec<Option<bool>>,
    /// What was settled, the newest last, and what was known of it before.
    trail: Vec<(TermId, Option<bool>)>,
}

impl Truths {
    /// Whether a condition holds, if that is settled.
    #[inline]
    pub fn get(&self, condition: TermId) -> Option<bool> {
        self.known.get(condition.index() as usize).copied().flatten()
    }

    /// Settles a condition.
    pub fn settle(&mut self, condition: TermId, holds: bool) {
        let place = condition.index() as usize;
        if self.known.len() <= place {
            self.known.resize(place + 1, None);
        }
        self.trail.push((condition, self.known[place]));
        self.known[place] = Some(holds);
    }

    /// Takes back what was settled last.
    pub fn unsettle(&mut self) {
        if let Some((condition, before)) = self.trail.pop() {
            self.known[condition.index() as usize] = before;
        }
    }

    /// Whether nothing is settled.
    pub fn is_empty(&self) -> bool {
        self.trail.is_empty()
    }
}

/// A condition without its negation, and whether there was none.
pub(crate) fn unsigned(pool: &Pool, condition: TermId) -> (TermId, bool) {
    let node = pool.node(condition);
    if node.op == Op::Not { (node.arg(0), false) } else { (condition, true) }
}

impl Settled for Truths {
    fn holds(&self, pool: &Pool, condition: TermId) -> Option<bool> {
        let (condition, sign) = unsigned(pool, condition);
        self.get(condition).map(|holds| holds == sign)
    }

    fn conditions(&self) -> Box<dyn DoubleEndedIterator<Item = TermId> + '_> {
        Box::new(self.trail.iter().map(|entry| entry.0))
    }

    fn count(&self) -> usize {
        self.trail.len()
    }
}

#[cfg(test)]
mod tests {
    use super::Truths;
    use dalang_term::TermId;

    #[test]
    fn what_is_taken_back_is_as_it_was() {
        let [a, b] = [3, 7].map(TermId::from_index);
        let mut truths = Truths::default();
        assert_eq!((truths.get(a), truths.get(b)), (None, None));
        truths.settle(a, true);
        truths.settle(b, false);
        truths.settle(a, true);
        assert_eq!((truths.get(a), truths.get(b)), (Some(true), Some(false)));
        truths.unsettle();
        assert_eq!(truths.get(a), Some(true));
        truths.unsettle();
        assert_eq!((truths.get(a), truths.get(b)), (Some(true), None));
        truths.unsettle();
        assert!(truths.is_empty());
        truths.unsettle();
        assert_eq!(truths.get(a), None);
    }
}
