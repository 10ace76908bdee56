//! A path condition cut into slices that share no symbol.
//!
//! Conjuncts in different slices cannot influence each other, so a query needs only the slices of
//! its own symbols. A new conjunct joins the slices it touches; the rest stays shared.
//!
//! What the order layer has read is one value that satisfies all of it, and of no use once that is not
//! possible. So where a slice assumes something that the layer reads, what is known without that is kept
//! beside it.

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
    /// Places of the conjuncts that are only assumed, in order.
    assumed: Vec<u32>,
    /// What the order layer has read of the others, if that is not the same.
    known: Option<Order>,
}

impl Slice {
    /// Conjuncts that all hold.
    pub(crate) fn new(conjuncts: Vec<TermId>, symbols: Vec<SymbolId>, order: Order) -> Slice {
        Slice { conjuncts, symbols, order, assumed: Vec::new(), known: None }
    }

    /// What the order layer has read of the conjuncts that are not just assumed.
    pub(crate) fn known(&self) -> &Order {
        self.known.as_ref().unwrap_or(&self.order)
    }

    /// Whether some of it is only assumed.
    pub(crate) fn assumes(&self) -> bool {
        !self.assumed.is_empty()
    }

    /// The slice without what is only assumed.
    pub(crate) fn without_assumptions(&self) -> Slice {
        Slice::new(self.held(), self.symbols.clone(), self.known().clone())
    }

    /// The conjuncts that are not just assumed.
    fn held(&self) -> Vec<TermId> {
        let mut assumed = self.assumed.iter().peekable();
        let conjuncts = self.conjuncts.iter().enumerate();
        let held = conjuncts
            .filter(|(place, _)| assumed.next_if(|next| **next as usize == *place).is_none());
        held.map(|(_, &conjunct)| conjunct).collect()
    }

    /// The conjuncts and symbols of slices, the first of which is as it was, one after the other.
    fn joined(parts: &[Arc<Slice>]) -> Slice {
        let conjuncts = parts.iter().map(|part| part.conjuncts.len()).sum::<usize>() + 1;
        let symbols = parts.iter().map(|part| part.symbols.len()).sum::<usize>() + 1;
        let (conjuncts, symbols) = (Vec::with_capacity(conjuncts), Vec::with_capacity(symbols));
        let mut joined = Slice::new(conjuncts, symbols, Order::default());
        for part in parts {
            let before = joined.conjuncts.len() as u32;
            joined.assumed.extend(part.assumed.iter().map(|place| before + place));
            joined.conjuncts.extend_from_slice(&part.conjuncts);
            joined.symbols.extend_from_slice(&part.symbols);
        }
        joined
    }

    /// Reads a conjunct, which is the newest one, beside what the parts have read.
    fn read(&mut self, pool: &Pool, parts: &[Arc<Slice>], conjunct: TermId, is_assumed: bool) {
        let was_apart = parts.iter().any(|part| part.known.is_some());
        if was_apart || (is_assumed && Order::reads(pool, conjunct)) {
            let mut known = Order::joined(parts.iter().map(|part| part.known()));
            if !is_assumed {
                known.add(pool, conjunct);
            }
            let was_mixed = parts.iter().any(|part| part.known().mixed());
            if known.mixed() && !was_mixed {
                known = Order::of(pool, &self.held());
            }
            self.known = Some(known);
        }
        self.order = Order::joined(parts.iter().map(|part| &part.order));
        self.order.add(pool, conjunct);
        let was_mixed = parts.iter().any(|part| part.order.mixed());
        if self.order.mixed() && !was_mixed {
            self.order = Order::of(pool, &self.conjuncts);
        }
    }
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

    /// Puts a conjunct into the slice that its symbols connect; it may be only assumed.
    pub(super) fn join(&mut self, pool: &Pool, conjunct: TermId, is_assumed: bool) {
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
        for symbol in parts.iter().skip(1).flat_map(|part| &part.symbols) {
            self.names.insert(*symbol, name);
        }
        let mut joined = Slice::joined(&parts);
        if is_assumed {
            joined.assumed.push(joined.conjuncts.len() as u32);
        }
        joined.conjuncts.push(conjunct);
        for &symbol in symbols.iter() {
            if !self.names.contains_key(&symbol) {
                self.names.insert(symbol, name);
                joined.symbols.push(symbol);
            }
        }
        joined.read(pool, &parts, conjunct, is_assumed);
        self.by_name.insert(name, Arc::new(joined));
    }
}
