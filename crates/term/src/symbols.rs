//! Names of free symbols.
//!
//! A symbol is a name and a sort; asking for the same pair again gives the same symbol. Names are
//! access paths (`this.root.left.key`) chosen above; nothing here gives them meaning.

use crate::walk::Met;
use crate::{Pool, Sort, TermId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The number of a symbol within its pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SymbolId(u32);

impl SymbolId {
    /// The dense number.
    #[inline]
    pub const fn index(self) -> u32 {
        self.0
    }

    pub(crate) const fn from_index(index: u32) -> SymbolId {
        SymbolId(index)
    }
}

#[derive(Default)]
pub(crate) struct Symbols {
    known: Vec<(Arc<str>, Sort)>,
    pub(crate) terms: Vec<TermId>,
    by_name: FxHashMap<(Arc<str>, Sort), SymbolId>,
}

impl Symbols {
    pub(crate) fn intern(&mut self, name: &str, sort: Sort) -> SymbolId {
        let key = (Arc::from(name), sort);
        if let Some(&known) = self.by_name.get(&key) {
            return known;
        }
        let id = SymbolId(self.known.len() as u32);
        self.known.push(key.clone());
        self.by_name.insert(key, id);
        id
    }

    pub(crate) fn name(&self, id: SymbolId) -> &str {
        &self.known[id.0 as usize].0
    }

    pub(crate) fn sort(&self, id: SymbolId) -> Sort {
        self.known[id.0 as usize].1
    }

    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }
}

/// The symbols of the terms that were asked about: conjuncts, not every node below them.
#[derive(Default)]
pub(crate) struct SymbolSets {
    known: FxHashMap<TermId, Arc<[SymbolId]>>,
}

impl SymbolSets {
    pub(crate) fn of(&mut self, pool: &Pool, term: TermId) -> Arc<[SymbolId]> {
        if let Some(known) = self.known.get(&term) {
            return known.clone();
        }
        let mut found = Vec::new();
        let mut entered = Met::default();
        let mut stack = vec![term];
        while let Some(next) = stack.pop() {
            if let Some(symbol) = pool.as_symbol(next) {
                found.push(symbol);
            } else if let Some(known) = self.known.get(&next) {
                found.extend_from_slice(known);
            } else if pool.bits(next).is_none() && entered.insert(next) {
                stack.extend(pool.node(next).args());
            }
        }
        found.sort_unstable();
        found.dedup();
        let set: Arc<[SymbolId]> = found.into();
        self.known.insert(term, set.clone());
        set
    }
}

#[cfg(test)]
mod tests {
    use crate::{Pool, Sort};

    #[test]
    fn symbols_are_found_once_and_in_order() {
        let mut pool = Pool::new();
        let y = pool.symbol("y", Sort::BitVec(8));
        let x = pool.symbol("x", Sort::BitVec(8));
        let sum = pool.add(x, y);
        let product = pool.mul(sum, x);
        let [first, second] = [y, x].map(|term| pool.as_symbol(term).unwrap());
        assert_eq!(pool.symbols_of(product)[..], [first, second]);
        assert_eq!(pool.symbols_of(sum)[..], [first, second]);
        assert!(pool.symbols_of(Pool::TRUE).is_empty());
    }
}
