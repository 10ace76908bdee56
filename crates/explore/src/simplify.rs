//! Conditions, made smaller by what a path knows.
//!
//! Policies that do not divide paths put aliases into ites: `x < (a == b ? y : z)`. On a path that
//! knows that `x < y` cannot be, that is `a != b && x < z`: what was one opaque condition is a
//! comparison that needs no SAT, and an alias that is settled and vanishes from all later ites.
//! No solver is asked here; comparisons are looked up in the order that the path has.

use dalang_term::{Op, Pool, Sort, TermId};
use rustc_hash::FxHashMap;

/// Larger conditions are left as they are from here on.
const MOST: usize = 4_000;
/// Deeper parts are left as they are.
const DEEPEST: u32 = 300;

/// A path under which conditions are made smaller.
pub(crate) struct Under<'a> {
    pub(crate) pool: &'a mut Pool,
    /// What the path knows of a condition.
    pub(crate) known: &'a dyn Fn(&Pool, TermId) -> Option<bool>,
}

impl Under<'_> {
    /// An equal condition, as far as the path is concerned.
    pub(crate) fn simplify(&mut self, condition: TermId) -> TermId {
        let mut work = Work { under: self, known: FxHashMap::default(), steps: 0 };
        work.condition(condition, 0)
    }
}

impl Under<'_> {
    /// The same, for a condition that is itself known to hold: what is left of it, and how many parts
    /// were looked at.
    pub(crate) fn reduce(&mut self, condition: TermId) -> (TermId, usize) {
        let node = self.pool.node(condition);
        let mut work = Work { under: self, known: FxHashMap::default(), steps: 1 };
        if node.op == Op::Not {
            let left = work.parts(node.arg(0), 1);
            let steps = work.steps;
            return (self.pool.not(left), steps);
        }
        let left = work.parts(condition, 1);
        (left, work.steps)
    }
}

/// Whether a condition can hold in several ways, so that more may follow from it later.
pub(crate) fn is_open(pool: &Pool, condition: TermId) -> bool {
    let mut node = pool.node(condition);
    if node.op == Op::Not {
        node = pool.node(node.arg(0));
    }
    match node.op {
        Op::And | Op::Ite => true,
        Op::Eq | Op::Slt | Op::Ult => node.args().any(|arg| pool.node(arg).op == Op::Ite),
        _ => false,
    }
}

struct Work<'w, 'a> {
    under: &'w mut Under<'a>,
    known: FxHashMap<TermId, TermId>,
    steps: usize,
}

impl Work<'_, '_> {
    fn condition(&mut self, term: TermId, depth: u32) -> TermId {
        if self.under.pool.bits(term).is_some() || depth > DEEPEST || self.steps > MOST {
            return term;
        }
        if let Some(&known) = self.known.get(&term) {
            return known;
        }
        self.steps += 1;
        let result = match self.decided(term) {
            Some(holds) => self.under.pool.boolean(holds),
            None => self.parts(term, depth + 1),
        };
        self.known.insert(term, result);
        result
    }

    /// Whether a condition holds wherever the path goes, as far as can be looked up.
    fn decided(&self, term: TermId) -> Option<bool> {
        (self.under.known)(self.under.pool, term)
    }

    fn parts(&mut self, term: TermId, depth: u32) -> TermId {
        let node = self.under.pool.node(term);
        // What has not changed need not be brought into canonical form again.
        match node.op {
            Op::Not => {
                let inner = self.condition(node.arg(0), depth);
                if inner == node.arg(0) { term } else { self.under.pool.not(inner) }
            }
            Op::And => {
                let a = self.condition(node.arg(0), depth);
                if a == Pool::FALSE {
                    return a;
                }
                let b = self.condition(node.arg(1), depth);
                if [a, b] == [node.arg(0), node.arg(1)] {
                    return term;
                }
                self.under.pool.and(a, b)
            }
            Op::Ite => {
                let test = self.condition(node.arg(0), depth);
                match test {
                    Pool::TRUE => self.condition(node.arg(1), depth),
                    Pool::FALSE => self.condition(node.arg(2), depth),
                    _ => {
                        let then = self.condition(node.arg(1), depth);
                        let otherwise = self.condition(node.arg(2), depth);
                        if [test, then, otherwise] == [node.arg(0), node.arg(1), node.arg(2)] {
                            return term;
                        }
                        self.under.pool.ite(test, then, otherwise)
                    }
                }
            }
            Op::Eq | Op::Slt | Op::Ult => self.compare(node.op, [node.arg(0), node.arg(1)], depth),
            _ => term,
        }
    }

    /// A comparison, with ites among its operands taken apart where that decides a side.
    fn compare(&mut self, op: Op, operands: [TermId; 2], depth: u32) -> TermId {
        let whole = self.under.pool.apply(op, Sort::Bool, &operands);
        if self.under.pool.bits(whole).is_some() || depth > DEEPEST || self.steps > MOST {
            return whole;
        }
        self.steps += 1;
        if let Some(holds) = self.decided(whole) {
            return self.under.pool.boolean(holds);
        }
        for side in 0..2 {
            let node = self.under.pool.node(operands[side]);
            if node.op != Op::Ite {
                continue;
            }
            let with = |branch: TermId| {
                let mut changed = operands;
                changed[side] = branch;
                changed
            };
            let (then, otherwise) = (with(node.arg(1)), with(node.arg(2)));
            return match self.condition(node.arg(0), depth) {
                Pool::TRUE => self.compare(op, then, depth + 1),
                Pool::FALSE => self.compare(op, otherwise, depth + 1),
                test => {
                    let then = self.compare(op, then, depth + 1);
                    let otherwise = self.compare(op, otherwise, depth + 1);
                    let decided = [then, otherwise].map(|term| self.under.pool.bits(term));
                    // Where neither side is decided, two comparisons are not better than one.
                    if decided == [None, None] && then != otherwise {
                        whole
                    } else {
                        self.under.pool.ite(test, then, otherwise)
                    }
                }
            };
        }
        whole
    }
}

/// The parts of a conjunction, each once; few, because they are kept.
pub(crate) fn conjuncts(pool: &Pool, condition: TermId) -> Vec<TermId> {
    const KEPT: usize = 64;
    let mut waiting = vec![condition];
    let mut parts: Vec<TermId> = Vec::new();
    while let Some(term) = waiting.pop() {
        let node = pool.node(term);
        if node.op == Op::And {
            waiting.extend([node.arg(1), node.arg(0)]);
        } else if !parts.contains(&term) {
            parts.push(term);
        }
        if parts.len() >= KEPT {
            break;
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::{Under, conjuncts, is_open};
    use dalang_solver::PathCondition;
    use dalang_term::{Pool, Sort};

    #[test]
    fn an_alias_that_order_excludes_is_settled() {
        let mut pool = Pool::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::BitVec(32)));
        let [a, b] = ["a", "b"].map(|name| pool.symbol(name, Sort::Ref));
        let below = pool.slt(y, x);
        let path = PathCondition::new().and(&pool, below);
        let same = pool.eq(a, b);
        let either = pool.ite(same, y, z);
        let condition = pool.slt(x, either);
        let mut under = Under { pool: &mut pool, known: &|pool, term| path.implies(pool, term) };
        let simple = under.simplify(condition);
        let (different, left) = (pool.not(same), pool.slt(x, z));
        let mut parts = conjuncts(&pool, simple);
        let mut expected = vec![different, left];
        parts.sort_unstable();
        expected.sort_unstable();
        assert_eq!(parts, expected);
    }

    #[test]
    fn what_is_left_of_a_choice_follows_when_the_other_way_is_excluded() {
        let mut pool = Pool::new();
        let [p, q] = ["p", "q"].map(|name| pool.symbol(name, Sort::Bool));
        let either = pool.or(p, q);
        assert!(is_open(&pool, either) && !is_open(&pool, p));
        let settled =
            move |_: &Pool, term| (term == p).then_some(false).or((term == either).then_some(true));
        let mut under = Under { pool: &mut pool, known: &settled };
        assert_eq!(under.reduce(either).0, q);
    }

    #[test]
    fn what_is_settled_disappears() {
        let mut pool = Pool::new();
        let [p, q] = ["p", "q"].map(|name| pool.symbol(name, Sort::Bool));
        let both = pool.and(p, q);
        let settled = move |_: &Pool, term| (term == p).then_some(true);
        let mut under = Under { pool: &mut pool, known: &settled };
        assert_eq!(under.simplify(both), q);
    }
}
