//! Names of free symbols.
//!
//! A symbol is a name and a sort; asking for the same pair again gives the same symbol. Names are
//! access paths (`this.root.left.key`) chosen above; nothing here gives them meaning.

use crate::Sort;
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
