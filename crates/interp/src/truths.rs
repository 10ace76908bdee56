//! Conditions that the path which is being followed has settled.
//!
//! Code over data structures asks the same thing again and again: an invariant before and after an
//! operation, a search and then another. What a path has settled stays settled, so it is looked up
//! here and no question is asked. This is an index of what the way of a path settles, and of no other:
//! turning to another way changes what the two do not share.

use crate::way::{Comparisons, Followed, Way};
use dalang_heap::Settled;
use dalang_term::{Op, Pool, TermId};
use std::rc::Rc;

/// Conditions that the path which is being followed has settled. None of them is a negation.
#[derive(Default)]
pub struct Truths {
    /// By the number of the term.
    known: Vec<Option<bool>>,
    /// What was settled, the newest last, and what was known of it before.
    trail: Vec<(TermId, Option<bool>)>,
    /// The way that has settled this.
    way: Way,
    /// What the comparisons on it tell beyond that.
    comparisons: Option<Rc<dyn Comparisons>>,
}

impl Truths {
    /// Whether a condition holds, if that is settled.
    #[inline]
    pub fn get(&self, condition: TermId) -> Option<bool> {
        self.known.get(condition.index() as usize).copied().flatten()
    }

    /// The path that is being followed, to come back to it.
    pub(crate) fn followed(&self) -> impl Followed + use<> {
        Kept { way: self.way.clone(), comparisons: self.comparisons.clone() }
    }

    /// Whether this is what a way has settled.
    pub fn is_of(&self, way: &Way) -> bool {
        self.way.is(way)
    }

    /// Turns to a path that is to be followed.
    pub(crate) fn follow(&mut self, pool: &Pool, path: &dyn Followed) {
        self.turn_to(pool, path.way());
        self.comparisons = path.comparisons();
    }

    /// Turns to what a way settles, and forgets what only the one before did.
    fn turn_to(&mut self, pool: &Pool, way: &Way) {
        if self.way.is(way) {
            return;
        }
        let mut new = Vec::new();
        let (mut ours, mut theirs) = (self.way.clone(), way.clone());
        while !ours.is(&theirs) {
            if theirs.len() > ours.len() {
                let Some((before, settled)) = theirs.split() else { break };
                new.extend(settled.iter().rev().copied());
                theirs = before.clone();
            } else {
                let Some((before, settled)) = ours.split() else { break };
                for _ in settled {
                    self.unsettle();
                }
                ours = before.clone();
            }
        }
        for (condition, holds) in new.into_iter().rev() {
            let (condition, sign) = unsigned(pool, condition);
            self.settle(condition, holds == sign);
        }
        self.way = way.clone();
    }

    fn settle(&mut self, condition: TermId, holds: bool) {
        let place = condition.index() as usize;
        if self.known.len() <= place {
            self.known.resize(place + 1, None);
        }
        self.trail.push((condition, self.known[place]));
        self.known[place] = Some(holds);
    }

    /// Takes back what was settled last.
    fn unsettle(&mut self) {
        if let Some((condition, before)) = self.trail.pop() {
            self.known[condition.index() as usize] = before;
        }
    }

    /// Whether nothing is settled.
    pub fn is_empty(&self) -> bool {
        self.trail.is_empty()
    }
}

/// A path that was followed.
struct Kept {
    way: Way,
    comparisons: Option<Rc<dyn Comparisons>>,
}

impl Followed for Kept {
    fn way(&self) -> &Way {
        &self.way
    }

    fn comparisons(&self) -> Option<Rc<dyn Comparisons>> {
        self.comparisons.clone()
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

    fn differ(&self, pool: &Pool, a: TermId, b: TermId) -> bool {
        self.comparisons.as_ref().is_some_and(|known| known.differ(pool, a, b))
    }
}

#[cfg(test)]
mod tests {
    use super::Truths;
    use crate::way::{Answer, Way};
    use dalang_term::{Pool, Sort, TermId};

    fn and(way: &Way, settled: &[(TermId, bool)]) -> Way {
        way.clone().and(Answer { choice: 0, divides: true, at: (0, 0) }, settled.into())
    }

    #[test]
    fn each_way_finds_what_it_has_settled_and_nothing_else() {
        let mut pool = Pool::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| pool.symbol(name, Sort::Bool));
        let not_c = pool.not(c);
        let stem = and(&Way::default(), &[(a, true)]);
        let left = and(&and(&stem, &[(b, true), (not_c, true)]), &[(a, true)]);
        let right = and(&stem, &[(b, false)]);
        let mut truths = Truths::default();
        let mut seen = |way: &Way| {
            truths.turn_to(&pool, way);
            [a, b, c].map(|term| truths.get(term))
        };
        for _ in 0..2 {
            assert_eq!(seen(&left), [Some(true), Some(true), Some(false)]);
            assert_eq!(seen(&right), [Some(true), Some(false), None]);
            assert_eq!(seen(&stem), [Some(true), None, None]);
            assert_eq!(seen(&Way::default()), [None; 3]);
            assert_eq!(seen(&right), [Some(true), Some(false), None]);
        }
    }
}
