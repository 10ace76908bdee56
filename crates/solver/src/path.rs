//! Path conditions: what holds on a path, as a persistent conjunction.
//!
//! Extending costs what the new conjunct touches, not what the path is long; an older path
//! condition stays as it was, so backtracking is forgetting. Siblings share their common prefix and
//! all that was found out about it. No solving happens here.
//!
//! Invariant: the assignment satisfies every slice that is not listed as open.

mod slice;

pub(crate) use slice::Slice;

use dalang_term::{Assignment, Op, Pool, TermId};
use rustc_hash::FxHashSet;
use slice::Slices;
use std::sync::Arc;

/// A conjunction that grows at one end and shares its past.
#[derive(Clone, Default)]
pub struct PathCondition {
    tip: Option<Arc<Link>>,
    slices: Slices,
    assignment: Assignment,
    /// A conjunct of each slice that the assignment is not known to satisfy.
    open: Vec<TermId>,
    contradictory: bool,
}

struct Link {
    conjunct: TermId,
    depth: usize,
    parent: Option<Arc<Link>>,
}

impl Drop for Link {
    fn drop(&mut self) {
        // The default would recurse once per conjunct.
        let mut next = self.parent.take();
        while let Some(mut link) = next.and_then(Arc::into_inner) {
            next = link.parent.take();
        }
    }
}

impl PathCondition {
    /// Nothing is constrained.
    pub fn new() -> PathCondition {
        PathCondition::default()
    }

    /// How many conjuncts there are.
    pub fn len(&self) -> usize {
        self.tip.as_ref().map_or(0, |tip| tip.depth)
    }

    /// Is nothing constrained?
    pub fn is_empty(&self) -> bool {
        self.tip.is_none() && !self.contradictory
    }

    /// The conjuncts, newest first.
    pub fn newest_first(&self) -> impl Iterator<Item = TermId> + '_ {
        let mut next = self.tip.as_deref();
        std::iter::from_fn(move || {
            let link = next?;
            next = link.parent.as_deref();
            Some(link.conjunct)
        })
    }

    /// The conjuncts, oldest first.
    pub fn conjuncts(&self) -> Vec<TermId> {
        let mut conjuncts: Vec<TermId> = self.newest_first().collect();
        conjuncts.reverse();
        conjuncts
    }

    /// This path and one more constraint, without asking whether they can hold together.
    #[must_use]
    pub fn and(&self, pool: &Pool, constraint: TermId) -> PathCondition {
        let mut longer = self.clone();
        longer.assume(pool, constraint);
        longer
    }

    /// Whether a term is true, or false, wherever this path condition holds, as far as comparisons
    /// alone tell; `None` means that a solver has to be asked. The path condition must be
    /// satisfiable: what contradicts itself implies everything.
    pub fn implies(&self, pool: &Pool, term: TermId) -> Option<bool> {
        let symbols = pool.symbols_of(term);
        let slice = self.slices.of(*symbols.first()?)?;
        slice.order.implied(pool, term)
    }

    /// Whether two terms have different values wherever this path condition holds, as far as comparisons
    /// alone tell.
    pub fn differ(&self, pool: &Pool, a: TermId, b: TermId) -> bool {
        let slice_of = |term| pool.symbols_of(term).first().and_then(|&one| self.slices.of(one));
        match (slice_of(a), slice_of(b)) {
            (Some(x), Some(y)) if Arc::ptr_eq(x, y) => x.order.differ(pool, a, b),
            (Some(x), Some(y)) => match (x.order.range(a), y.order.range(b)) {
                (Some((signed, x)), Some((same, y))) if signed == same => {
                    x.end() < y.start() || y.end() < x.start()
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Is a conjunct false whatever the symbols are?
    pub(crate) fn contradictory(&self) -> bool {
        self.contradictory
    }

    /// Values that satisfy every slice that is not open.
    pub(crate) fn assignment(&self) -> &Assignment {
        &self.assignment
    }

    /// Does the assignment satisfy the whole path?
    pub(crate) fn is_satisfied(&self) -> bool {
        self.open.is_empty() && !self.contradictory
    }

    /// Takes values that satisfy the whole path.
    pub(crate) fn satisfy(&mut self, assignment: Assignment) {
        self.assignment = assignment;
        self.open.clear();
    }

    /// The slices that the assignment is not known to satisfy, each once.
    pub(crate) fn open_slices(&self, pool: &Pool) -> Vec<Arc<Slice>> {
        let mut slices: Vec<Arc<Slice>> = Vec::with_capacity(self.open.len());
        for &conjunct in &self.open {
            let slice =
                pool.symbols_of(conjunct).first().and_then(|&symbol| self.slices.of(symbol));
            slices.extend(
                slice
                    .filter(|slice| !slices.iter().any(|known| Arc::ptr_eq(known, slice)))
                    .cloned(),
            );
        }
        slices
    }

    fn assume(&mut self, pool: &Pool, constraint: TermId) {
        let mut waiting = vec![constraint];
        // A conjunction may share its parts: each is taken once.
        let mut seen = FxHashSet::default();
        while let Some(term) = waiting.pop() {
            let node = pool.node(term);
            match node.op {
                Op::And => {
                    let parts = [node.arg(1), node.arg(0)];
                    waiting.extend(parts.into_iter().filter(|&part| seen.insert(part)));
                }
                // A pool that does not rewrite has such terms beside true and false.
                _ if pool.symbols_of(term).is_empty() => {
                    self.contradictory |= pool.evaluate(term, &Assignment::new()) == 0;
                }
                _ => self.push(pool, term),
            }
        }
    }

    fn push(&mut self, pool: &Pool, conjunct: TermId) {
        let parent = self.tip.take();
        let depth = parent.as_ref().map_or(0, |link| link.depth) + 1;
        self.tip = Some(Arc::new(Link { conjunct, depth, parent }));
        self.slices.join(pool, conjunct);
        self.open.push(conjunct);
    }
}

#[cfg(test)]
mod tests {
    use super::PathCondition;
    use dalang_term::{Pool, Sort};

    #[test]
    fn extending_leaves_the_shorter_path_alone() {
        let mut pool = Pool::new();
        let [p, q, r] = ["p", "q", "r"].map(|name| pool.symbol(name, Sort::Bool));
        let both = pool.and(q, r);
        let short = PathCondition::new().and(&pool, p);
        let long = short.and(&pool, both);
        assert_eq!(short.conjuncts(), [p]);
        assert_eq!(long.conjuncts(), [p, q, r]);
        assert_eq!(long.len(), 3);
    }

    /// Written out, this conjunction of 200 nodes has more conjuncts than there are atoms.
    #[test]
    fn shared_conjunctions_are_not_expanded() {
        let mut pool = Pool::new();
        let mut term = pool.symbol("start", Sort::Bool);
        for level in 0..60 {
            let mut side = |name: &str| {
                let [p, q] = [0, 1].map(|k| pool.symbol(&format!("{name}{level}{k}"), Sort::Bool));
                let inner = pool.and(term, p);
                pool.and(inner, q)
            };
            let (left, right) = (side("l"), side("r"));
            term = pool.and(left, right);
        }
        assert_eq!(PathCondition::new().and(&pool, term).len(), 1 + 4 * 60);
    }

    #[test]
    fn a_path_of_a_million_conjuncts_is_dropped_without_recursion() {
        let mut pool = Pool::new();
        let p = pool.symbol("p", Sort::BitVec(32));
        let mut path = PathCondition::new();
        for number in 0..1_000_000 {
            let constant = pool.int(number);
            let different = pool.symbol(&format!("s{}", number % 50_000), Sort::BitVec(32));
            let conjunct = pool.ne(different, constant);
            if number < 50_000 {
                path = path.and(&pool, conjunct);
            }
        }
        let conjunct = pool.eq(p, p);
        assert_eq!(path.and(&pool, conjunct).len(), 50_000);
        drop(path);
    }
}
