//! A path condition cut into slices that share no symbol.
//!
//! Conjuncts in different slices cannot influence each other, so a query needs only the slices of
//! its own symbols. A new conjunct joins the slices it touches; the rest stays shared.

use crate::layer::order::Order;
use dalang_term::{Pool, SymbolId, TermId};
use imbl::OrdMap;
use std::sync::Arc;

/// Conjuncts connected through their symbols.
#[derive(Clone)]
pub(crate) struct Slice {
    /// Oldest first within what was one slice.
    pub(crate) conjuncts: Vec<TermId>,
    pub(crate) symbols: Vec<SymbolId>,
    /// What the order layer has read of the conjuncts.
    pub(crate) order: Order,
}

/// Which slice each symbol is in.
#[derive(Clone, Default)]
pub(super) struct Slices {
    /// The name of the slice of a symbol: some symbol of it.
    names: OrdMap<SymbolId, SymbolId>,
    by_name: OrdMap<SymbolId, Arc<Slice>>,
}

impl Slices {
    pub(super) fn of(&self, symbol: SymbolId) -> Option<&Arc<Slice>> {
        self.by_name.get(self.names.get(&symbol)?)
    }

    /// Puts a conjunct into the slice that its symbols connect.
    pub(super) fn join(&mut self, pool: &Pool, conjunct: TermId) {
        let symbols = pool.symbols_of(conjunct);
        let mut names: Vec<SymbolId> = Vec::with_capacity(symbols.len());
        for symbol in symbols.iter() {
            if let Some(&name) = self.names.get(symbol)
                && !names.contains(&name)
            {
                names.push(name);
            }
        }
        // The largest keeps its name, so that fewer symbols are renamed.
        names.sort_by_key(|name| {
            std::cmp::Reverse(self.by_name.get(name).map_or(0, |slice| slice.symbols.len()))
        });
        let Some(&name) = names.first().or(symbols.first()) else { return };
        let parts: Vec<Arc<Slice>> =
            names.iter().filter_map(|name| self.by_name.remove(name)).collect();
        let order = Order::joined(parts.iter().map(|part| &part.order), pool, conjunct);
        let mut joined = Slice {
            conjuncts: Vec::with_capacity(
                parts.iter().map(|part| part.conjuncts.len()).sum::<usize>() + 1,
            ),
            symbols: Vec::with_capacity(
                parts.iter().map(|part| part.symbols.len()).sum::<usize>() + symbols.len(),
            ),
            order,
        };
        for (index, part) in parts.iter().enumerate() {
            joined.conjuncts.extend_from_slice(&part.conjuncts);
            joined.symbols.extend_from_slice(&part.symbols);
            if index > 0 {
                part.symbols.iter().for_each(|&symbol| {
                    self.names.insert(symbol, name);
                });
            }
        }
        joined.conjuncts.push(conjunct);
        for &symbol in symbols.iter() {
            if !self.names.contains_key(&symbol) {
                self.names.insert(symbol, name);
                joined.symbols.push(symbol);
            }
        }
        let was_mixed = parts.iter().any(|part| part.order.mixed());
        if joined.order.mixed() && !was_mixed {
            joined.order = Order::of(pool, &joined.conjuncts);
        }
        self.by_name.insert(name, Arc::new(joined));
    }
}
