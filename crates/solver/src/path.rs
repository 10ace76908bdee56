//! Path conditions: what holds on a path, as a persistent conjunction.
//!
//! Extending costs what the new conjunct touches, not what the path is long; an older path
//! condition stays as it was, so backtracking is forgetting. Siblings share their common prefix and
//! all that was found out about it. No solving happens here.
//!
//! Each conjunct has a label that says why it is here. What is only assumed is part of what is asked
//! about, and of no knowledge: questions can leave it out, and nothing follows from it.
//!
//! Invariant: the assignment satisfies every slice that is not listed as open, what is assumed included.

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
    /// Whether something that holds is false whatever the symbols are.
    contradictory: bool,
    /// Whether something that is assumed is.
    untenable: bool,
}

/// Why a conjunct is on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// It was decided.
    Decided,
    /// It holds without having been decided.
    Fact,
    /// A fact that was looked for because of the values that a solver happened to find: another run may
    /// do without it.
    Lemma,
    /// It is assumed by questions, and need not hold.
    Assumed,
}

struct Link {
    conjunct: TermId,
    label: Label,
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
        self.tip.is_none() && !self.contradictory && !self.untenable
    }

    /// The conjuncts, oldest first.
    pub fn conjuncts(&self) -> Vec<TermId> {
        self.labelled(|_| true)
    }

    /// The conjuncts whose label is one of those looked for, oldest first.
    pub fn labelled(&self, mut is_sought: impl FnMut(Label) -> bool) -> Vec<TermId> {
        let links = std::iter::successors(self.tip.as_deref(), |link| link.parent.as_deref());
        let sought = links.filter(|link| is_sought(link.label));
        let mut conjuncts: Vec<TermId> = sought.map(|link| link.conjunct).collect();
        conjuncts.reverse();
        conjuncts
    }

    /// This path and one more constraint that was decided, without asking whether they can hold together.
    #[must_use]
    pub fn and(&self, pool: &Pool, constraint: TermId) -> PathCondition {
        let mut longer = self.clone();
        longer.add(pool, constraint, Label::Decided);
        longer
    }

    /// Adds a constraint, without asking whether it can hold.
    pub fn add(&mut self, pool: &Pool, constraint: TermId, label: Label) {
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
                    let is_false = pool.evaluate(term, &Assignment::new()) == 0;
                    match label {
                        Label::Assumed => self.untenable |= is_false,
                        _ => self.contradictory |= is_false,
                    }
                }
                _ => self.push(pool, term, label),
            }
        }
    }

    /// Whether a term is true, or false, wherever this path condition holds, as far as comparisons
    /// alone tell and whether or not what is assumed does; `None` means that a solver has to be asked. The
    /// path condition must be satisfiable: what contradicts itself implies everything.
    pub fn implies(&self, pool: &Pool, term: TermId) -> Option<bool> {
        let symbols = pool.symbols_of(term);
        let slice = self.slices.of(*symbols.first()?)?;
        slice.known().implied(pool, term)
    }

    /// Whether two terms have different values wherever this path condition holds, as far as comparisons
    /// alone tell and whether or not what is assumed does.
    pub fn differ(&self, pool: &Pool, a: TermId, b: TermId) -> bool {
        let slice_of = |term| pool.symbols_of(term).first().and_then(|&one| self.slices.of(one));
        match (slice_of(a), slice_of(b)) {
            (Some(x), Some(y)) if Arc::ptr_eq(x, y) => x.known().differ(pool, a, b),
            (Some(x), Some(y)) => match (x.known().range(a), y.known().range(b)) {
                (Some((signed, x)), Some((same, y))) if signed == same => {
                    x.end() < y.start() || y.end() < x.start()
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Is a conjunct false whatever the symbols are? One that is assumed counts where that is.
    pub(crate) fn contradictory(&self, assuming: bool) -> bool {
        self.contradictory || (assuming && self.untenable)
    }

    /// Values that satisfy every slice that is not open.
    pub(crate) fn assignment(&self) -> &Assignment {
        &self.assignment
    }

    /// Does the assignment satisfy the whole path?
    pub(crate) fn is_satisfied(&self) -> bool {
        self.open.is_empty() && !self.contradictory(true)
    }

    /// Takes values that satisfy the whole path.
    pub(crate) fn satisfy(&mut self, assignment: Assignment) {
        self.assignment = assignment;
        self.open.clear();
    }

    /// Whether what is assumed can be why this path condition cannot hold.
    pub(crate) fn rests_on_assumptions(&self, pool: &Pool) -> bool {
        self.untenable || self.open_slices(pool).iter().any(|slice| slice.assumes())
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

    fn push(&mut self, pool: &Pool, conjunct: TermId, label: Label) {
        let parent = self.tip.take();
        let depth = parent.as_ref().map_or(0, |link| link.depth) + 1;
        self.tip = Some(Arc::new(Link { conjunct, label, depth, parent }));
        self.slices.join(pool, conjunct, label == Label::Assumed);
        self.open.push(conjunct);
    }
}

#[cfg(test)]
mod tests {
    use super::{Label, PathCondition};
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

    #[test]
    fn each_part_of_a_conjunction_has_its_label() {
        let mut pool = Pool::new();
        let [p, q, r, s] = ["p", "q", "r", "s"].map(|name| pool.symbol(name, Sort::Bool));
        let (fact, bound) = (pool.and(p, q), pool.and(r, s));
        let mut path = PathCondition::new();
        path.add(&pool, fact, Label::Fact);
        path.add(&pool, bound, Label::Assumed);
        let path = path.and(&pool, p);
        let labelled = |sought| path.labelled(|label| label == sought);
        assert_eq!(labelled(Label::Fact), [p, q]);
        assert_eq!(labelled(Label::Assumed), [r, s]);
        assert_eq!(labelled(Label::Decided), [p]);
        assert_eq!(path.conjuncts(), [p, q, r, s, p]);
    }

    #[test]
    fn nothing_follows_from_what_is_assumed() {
        let mut pool = Pool::new();
        let length = pool.symbol("length", Sort::BitVec(32));
        let [three, five, nine] = [3, 5, 9].map(|number| pool.int(number));
        let mut path = PathCondition::new();
        let (bound, below) = (pool.sle(length, five), pool.slt(length, nine));
        path.add(&pool, bound, Label::Assumed);
        assert_eq!(path.implies(&pool, below), None);
        assert!(!path.differ(&pool, length, nine));
        let path = path.and(&pool, below);
        assert_eq!(path.implies(&pool, below), Some(true));
        let above = pool.sgt(length, three);
        assert_eq!(path.implies(&pool, above), None);
        // Beyond what is assumed, something is known all the same.
        let six = pool.int(6);
        let above = pool.sgt(length, six);
        let path = path.and(&pool, above);
        assert!(path.slices.of(pool.symbols_of(length)[0]).unwrap().order.infeasible());
        let above = pool.sgt(length, three);
        assert_eq!(path.implies(&pool, above), Some(true));
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
