//! Values for symbols.
//!
//! What a solver gives is an *assignment*. It is persistent: a clone is cheap, and an assignment that
//! differs in a few symbols shares the rest, because those of one path do. A symbol without a value
//! reads as zero (false, +0.0, null), so that every assignment is total.

use crate::{Pool, SymbolId};
use imbl::OrdMap;

/// A value for every symbol, as bits in the symbol's sort.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Assignment {
    values: OrdMap<SymbolId, u64>,
}

impl Assignment {
    /// Zero for every symbol.
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// The bits of a symbol's value.
    pub fn get(&self, symbol: SymbolId) -> u64 {
        self.values.get(&symbol).copied().unwrap_or(0)
    }

    /// The bits of a symbol's value, if it was given one.
    pub fn find(&self, symbol: SymbolId) -> Option<u64> {
        self.values.get(&symbol).copied()
    }

    /// Gives a symbol a value.
    pub fn set(&mut self, symbol: SymbolId, bits: u64) {
        if self.values.get(&symbol) != Some(&bits) {
            self.values.insert(symbol, bits);
        }
    }

    /// The symbols that were given a value, by number.
    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, u64)> {
        self.values.iter().map(|(&symbol, &bits)| (symbol, bits))
    }

    /// How many symbols were given a value.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Was no symbol given a value?
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// `name = value` for each symbol that was given a value, for people.
    pub fn describe(&self, pool: &Pool) -> String {
        let show = |(symbol, bits)| {
            let value = crate::print::literal(pool.symbol_sort(symbol), bits);
            format!("{} = {value}", pool.symbol_name(symbol))
        };
        self.iter().map(show).collect::<Vec<_>>().join(", ")
    }
}

impl FromIterator<(SymbolId, u64)> for Assignment {
    fn from_iter<I: IntoIterator<Item = (SymbolId, u64)>>(pairs: I) -> Assignment {
        Assignment { values: pairs.into_iter().collect() }
    }
}
