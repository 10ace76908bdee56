//! The arena of terms: hash-consing, canonical order, the entry to rewriting.
//!
//! Invariant: a node's operands have smaller ids than the node, so walking ids upward is walking
//! bottom-up. Building is the only mutation; nothing is ever removed but the whole pool.

use crate::op::Node;
use crate::symbols::{SymbolSets, Symbols};
use crate::{Op, Sort, SymbolId, rewrite};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{self, AtomicU64};

/// The number of a term within its pool. Equal terms have equal numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(u32);

impl TermId {
    /// The dense number.
    #[inline]
    pub const fn index(self) -> u32 {
        self.0
    }

    /// The term with this dense number; the caller got the number from [`TermId::index`].
    #[inline]
    pub const fn from_index(index: u32) -> TermId {
        TermId(index)
    }
}

/// How many nodes are remembered together with the term that they became.
const REBUILT: usize = 1 << 10;

/// Tells pools apart: a term's id means something in its own pool only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PoolId(u64);

/// What the pool remembers of a node beside the node itself.
#[derive(Clone, Copy)]
struct Meta {
    /// Hash of the whole structure below, symbols by name: the same in every pool.
    shape: u32,
    /// Nested ites from here down through branches and transparent operators, saturating.
    ite_depth: u8,
}

/// Owns terms and shares equal ones.
///
/// # Canonical form
///
/// 1. Equal terms have equal ids, and every node's operands are canonical themselves.
/// 2. An operator on constants is a constant.
/// 3. Subtraction, disjunction, implication, `<=`, `>`, `>=` and `!=` are spelled with addition and
///    negation, conjunction and not, and the strict comparisons; the infix printer spells them back.
/// 4. Operands of commutative operators are ordered: symbols first, by name; then compound terms, by
///    structural hash; constants last. The order does not depend on the order of construction, so
///    that two pools fed by different threads agree.
/// 5. Constants in sums, in products and under one bitwise operator are gathered into one, outermost
///    and last. Multiples of one term are added up; a product by a power of two is a shift.
/// 6. A comparison with a constant has it on the right: `c < x` is `!(x < c + 1)`, and a comparison
///    that one value passes or fails is an equality.
/// 7. The condition of an ite is not negated; an ite directly within another is neither decided by
///    the outer condition nor shares a branch with it, and an ite of truth values has no constant
///    branch.
/// 8. A comparison of an ite that has a constant branch against a constant is a Boolean combination
///    of the condition and of the comparison of the other branch (up to [`Pool::ITE_DEPTH`] nested
///    ites: building must neither recurse nor copy without bound).
/// 9. Equalities and comparisons of two extensions, or of an extension and a constant, are made on
///    the narrow operands; an equality with a constant has no invertible operator on the other side.
/// 10. A mask of low bits is an extraction that is zero-extended; an extraction is of the term that
///     its bits come from, as far as concatenations, extensions and constant shifts tell.
/// 11. A bit cast directly on its inverse is gone.
/// 12. Of two conjuncts neither implies the other or its negation at a glance, and two comparisons
///     of the same terms that amount to one are one. Conjunctions are not flattened: path
///     conditions share their prefixes.
///
/// # Panics
///
/// Builders panic when an operand has the wrong sort: that is a bug of the caller, never of input.
pub struct Pool {
    id: PoolId,
    nodes: Vec<Node>,
    metas: Vec<Meta>,
    table: HashTable<TermId>,
    symbols: Symbols,
    symbol_sets: RefCell<SymbolSets>,
    /// What was rebuilt lately, by the hash of the node: programs build the same terms again.
    rebuilt: Vec<Option<(Node, TermId)>>,
    rewriting: bool,
}

impl Default for Pool {
    fn default() -> Self {
        Self::new()
    }
}

impl Pool {
    /// Ite chains deeper than this are left as they are by rules that follow a chain.
    pub const ITE_DEPTH: u8 = 64;
    /// Identities from here up are never used by [`Pool::identity`]: solvers use them for objects
    /// that no constant names.
    pub const FIRST_ANONYMOUS_IDENTITY: u32 = 1 << 31;

    /// The term `true`, in every pool.
    pub const TRUE: TermId = TermId(0);
    /// The term `false`, in every pool.
    pub const FALSE: TermId = TermId(1);
    /// The null reference, in every pool.
    pub const NULL: TermId = TermId(2);

    /// An empty pool that rewrites what it builds.
    pub fn new() -> Pool {
        Pool::with_rewriting(true)
    }

    /// A pool that shares but does not rewrite, for comparing rewritten with unrewritten terms.
    pub fn raw() -> Pool {
        Pool::with_rewriting(false)
    }

    fn with_rewriting(rewriting: bool) -> Pool {
        static POOLS: AtomicU64 = AtomicU64::new(0);
        let mut pool = Pool {
            id: PoolId(POOLS.fetch_add(1, atomic::Ordering::Relaxed)),
            nodes: Vec::new(),
            metas: Vec::new(),
            table: HashTable::new(),
            symbols: Symbols::default(),
            symbol_sets: RefCell::default(),
            rebuilt: vec![None; if rewriting { REBUILT } else { 0 }],
            rewriting,
        };
        pool.intern(Node::constant(Sort::Bool, 1));
        pool.intern(Node::constant(Sort::Bool, 0));
        pool.intern(Node::constant(Sort::Ref, 0));
        pool
    }

    /// Which pool this is, among all of the process.
    pub fn id(&self) -> PoolId {
        self.id
    }

    /// The node that a term is.
    #[inline]
    pub fn node(&self, term: TermId) -> Node {
        self.nodes[term.0 as usize]
    }

    /// The sort of a term.
    #[inline]
    pub fn sort(&self, term: TermId) -> Sort {
        self.nodes[term.0 as usize].sort
    }

    /// The bits of a constant; `None` of any other term.
    #[inline]
    pub fn bits(&self, term: TermId) -> Option<u64> {
        let node = &self.nodes[term.0 as usize];
        (node.op == Op::Const).then(|| node.bits())
    }

    /// The symbol a term is; `None` of any other term.
    #[inline]
    pub fn as_symbol(&self, term: TermId) -> Option<SymbolId> {
        let node = &self.nodes[term.0 as usize];
        (node.op == Op::Symbol).then(|| SymbolId::from_index(node.words[0]))
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: three constants are always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// How many symbols there are; they are numbered from zero.
    pub fn symbol_count(&self) -> usize {
        self.symbols.len()
    }

    /// The name a symbol was given.
    pub fn symbol_name(&self, symbol: SymbolId) -> &str {
        self.symbols.name(symbol)
    }

    /// The sort of a symbol's values.
    pub fn symbol_sort(&self, symbol: SymbolId) -> Sort {
        self.symbols.sort(symbol)
    }

    /// The term that a symbol is.
    pub fn symbol_term(&self, symbol: SymbolId) -> TermId {
        self.symbols.terms[symbol.index() as usize]
    }

    /// The symbols that occur in a term, by number. Remembered: asking again is a look-up.
    pub fn symbols_of(&self, term: TermId) -> Arc<[SymbolId]> {
        self.symbol_sets.borrow_mut().of(self, term)
    }

    /// The symbol with this name and sort.
    pub fn symbol(&mut self, name: &str, sort: Sort) -> TermId {
        check_sort(sort);
        let symbol = self.symbols.intern(name, sort);
        let term = self.intern(Node::symbol(sort, symbol.index()));
        if self.symbols.terms.len() < self.symbols.len() {
            self.symbols.terms.push(term);
        }
        term
    }

    /// The constant of this sort with these bits; bits above the width are dropped.
    pub fn constant(&mut self, sort: Sort, bits: u64) -> TermId {
        check_sort(sort);
        self.intern(Node::constant(sort, bits & sort.mask()))
    }

    /// Builds a node from operands of fitting sorts, in canonical form.
    ///
    /// The builders check sorts and call this; it is public for those who rebuild terms.
    pub fn apply(&mut self, op: Op, sort: Sort, args: &[TermId]) -> TermId {
        self.rebuild(Node::new(op, sort, args))
    }

    /// As [`Pool::apply`], for a node whose operands are terms of this pool.
    pub(crate) fn rebuild(&mut self, node: Node) -> TermId {
        if !self.rewriting {
            return self.intern(node);
        }
        let place = mix(hash_node(&node)) as usize % REBUILT;
        match self.rebuilt[place] {
            Some((known, term)) if known == node => term,
            _ => {
                let term = self.rewrite(node);
                self.rebuilt[place] = Some((node, term));
                term
            }
        }
    }

    fn rewrite(&mut self, mut node: Node) -> TermId {
        if node.op.commutes() && self.canonical_order(node.arg(0), node.arg(1)).is_gt() {
            node.words.swap(0, 1);
        }
        if let Some(folded) = rewrite::fold_constants(self, node) {
            return folded;
        }
        for rule in rewrite::rules(node.op) {
            if let Some(result) = (rule.apply)(self, node) {
                return result;
            }
        }
        self.intern(node)
    }

    /// Copies a term of another pool into this one, in this pool's form.
    pub fn import(&mut self, from: &Pool, term: TermId) -> TermId {
        let mut copies = rustc_hash::FxHashMap::default();
        for id in crate::PostOrder::new(from, [term]) {
            let node = from.node(id);
            let copy = match node.op {
                Op::Const => self.constant(node.sort, node.bits()),
                Op::Symbol => {
                    let name = from.symbol_name(SymbolId::from_index(node.words[0]));
                    self.symbol(name, node.sort)
                }
                _ => {
                    let mut moved = node;
                    for position in 0..node.op.arity() {
                        let copied: TermId = copies[&node.arg(position)];
                        moved.words[position] = copied.0;
                    }
                    self.rebuild(moved)
                }
            };
            copies.insert(id, copy);
        }
        copies[&term]
    }

    /// Ites nested in the branches of this term, saturating; transparent operators do not interrupt
    /// the nesting.
    pub(crate) fn ite_depth(&self, term: TermId) -> u8 {
        self.metas[term.0 as usize].ite_depth
    }

    /// The order of commutative operands: point 4 of the canonical form.
    pub(crate) fn canonical_order(&self, a: TermId, b: TermId) -> Ordering {
        let class = |term: TermId| match self.node(term).op {
            Op::Symbol => 0,
            Op::Const => 2,
            _ => 1,
        };
        let shape = |term: TermId| self.metas[term.0 as usize].shape;
        class(a).cmp(&class(b)).then_with(|| {
            if let (Some(x), Some(y)) = (self.as_symbol(a), self.as_symbol(b)) {
                self.symbol_name(x).cmp(self.symbol_name(y))
            } else if let (Some(x), Some(y)) = (self.bits(a), self.bits(b)) {
                x.cmp(&y)
            } else {
                // Two different shapes with one hash fall back on ids: a matter of looks only.
                shape(a).cmp(&shape(b)).then(a.cmp(&b))
            }
        })
    }

    fn intern(&mut self, node: Node) -> TermId {
        let hash = hash_node(&node);
        let nodes = &self.nodes;
        if let Some(&known) = self.table.find(hash, |id| nodes[id.0 as usize] == node) {
            return known;
        }
        assert!(self.nodes.len() < u32::MAX as usize, "the term pool is full");
        let id = TermId(self.nodes.len() as u32);
        let meta = self.describe(&node);
        self.nodes.push(node);
        self.metas.push(meta);
        let nodes = &self.nodes;
        self.table.insert_unique(hash, id, |id| hash_node(&nodes[id.0 as usize]));
        id
    }

    fn describe(&self, node: &Node) -> Meta {
        let mut hasher = FxHasher::default();
        (node.op, node.sort).hash(&mut hasher);
        match node.op {
            Op::Const => node.bits().hash(&mut hasher),
            Op::Symbol => self.symbols.name(SymbolId::from_index(node.words[0])).hash(&mut hasher),
            _ => {
                for arg in node.args() {
                    self.metas[arg.0 as usize].shape.hash(&mut hasher);
                }
            }
        }
        let deepest =
            |from| node.args().skip(from).map(|arg| self.ite_depth(arg)).max().unwrap_or(0);
        let ite_depth = match node.op {
            Op::Ite => deepest(1).saturating_add(1),
            op if op.is_transparent() => deepest(0),
            _ => 0,
        };
        Meta { shape: mix(hasher.finish()), ite_depth }
    }
}

fn check_sort(sort: Sort) {
    assert!(
        !matches!(sort, Sort::BitVec(width) if width == 0 || width > 64),
        "bit-vectors have 1 to 64 bits, not {}",
        sort.width()
    );
}

/// Half of a hash, every bit of it dependent on all bits of the whole.
///
/// The hasher only multiplies: the bits of a double with a short fraction would otherwise all be in
/// the half that is dropped, and different shapes would fall back on the order of construction.
fn mix(hash: u64) -> u32 {
    let folded = (hash ^ hash >> 32).wrapping_mul(0xff51_afd7_ed55_8ccd);
    (folded ^ folded >> 33) as u32
}

fn hash_node(node: &Node) -> u64 {
    let mut hasher = FxHasher::default();
    node.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::Pool;
    use crate::Sort;

    #[test]
    fn equal_terms_have_equal_ids() {
        let mut pool = Pool::new();
        let x = pool.symbol("x", Sort::BitVec(32));
        let y = pool.symbol("y", Sort::BitVec(32));
        let left = pool.add(x, y);
        assert_eq!(left, pool.add(y, x));
        assert_eq!(x, pool.symbol("x", Sort::BitVec(32)));
        assert_ne!(x, pool.symbol("x", Sort::BitVec(16)));
    }

    #[test]
    fn commutative_order_does_not_depend_on_construction() {
        let build = |swap: bool| {
            let mut pool = Pool::new();
            let names = if swap { ["b", "a"] } else { ["a", "b"] };
            for name in names {
                let symbol = pool.symbol(name, Sort::BitVec(8));
                pool.bv_not(symbol);
            }
            let (a, b) = (pool.symbol("a", Sort::BitVec(8)), pool.symbol("b", Sort::BitVec(8)));
            let (p, q) = (pool.bv_not(a), pool.bv_not(b));
            let sum = pool.mul(p, q);
            pool.infix(sum).to_string()
        };
        assert_eq!(build(false), build(true));
    }

    #[test]
    fn order_tells_short_doubles_apart() {
        let build = |first: f64, second: f64| {
            let mut pool = Pool::new();
            let x = pool.symbol("x", Sort::F64);
            let mut sum = |value| {
                let value = pool.f64(value);
                pool.fadd(x, value)
            };
            let (a, b) = (sum(first), sum(second));
            let least = pool.fmin(a, b);
            let first_operand = pool.node(least).arg(0);
            let constant = pool.node(first_operand).arg(1);
            pool.bits(constant)
        };
        for value in [1.0, 2.0, 4.0, -0.25, 0.5] {
            assert_eq!(build(-0.5, value), build(value, -0.5));
        }
    }

    #[test]
    fn import_rebuilds_in_the_form_of_the_pool() {
        let mut raw = Pool::raw();
        let x = raw.symbol("x", Sort::BitVec(8));
        let zero = raw.constant(Sort::BitVec(8), 0);
        let sum = raw.add(x, zero);
        assert_ne!(sum, x);
        let mut pool = Pool::new();
        let imported = pool.import(&raw, sum);
        assert_eq!(imported, pool.symbol("x", Sort::BitVec(8)));
    }
}
