//! Large plain arrays with a few terms in them: what is plain stays stored as such, and the terms are kept
//! beside it, so that storing one takes neither time nor memory for all other elements.
//!
//! Invariant: what is beside has an index within the array, and what is plain is no array of this kind.

use crate::object::Body;
use crate::value::Value;
use std::collections::BTreeMap;
use std::ops::Range;

/// From how many elements on an array keeps its terms beside it.
pub(crate) const LONG: usize = 1 << 16;

/// About how many bytes of the host a term takes that is kept beside.
const BESIDE: u64 = 32;

/// A plain array and the terms that were stored in it.
#[derive(Clone, Debug)]
pub struct Patched {
    plain: Body,
    terms: BTreeMap<u32, Value>,
}

impl Patched {
    /// An array without terms so far.
    pub(crate) const fn new(plain: Body) -> Self {
        Self { plain, terms: BTreeMap::new() }
    }

    pub(crate) const fn plain(&self) -> &Body {
        &self.plain
    }

    /// Everything that is beside, in order.
    pub(crate) fn terms(&self) -> impl Iterator<Item = Value> {
        self.terms.values().copied()
    }

    /// Whether a range has a term.
    pub(crate) fn has_terms(&self, range: Range<usize>) -> bool {
        self.terms.range(places(range)).next().is_some()
    }

    /// Whether another holds the same.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.terms == other.terms && self.plain.is_same(&other.plain)
    }

    /// How many bytes of the host a copy takes that is stored to.
    pub(crate) fn copied_bytes(&self) -> u64 {
        BESIDE * self.terms.len() as u64
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<Value> {
        match u32::try_from(index).ok().and_then(|place| self.terms.get(&place)) {
            Some(&term) => Some(term),
            None => self.plain.get(index),
        }
    }

    pub(crate) fn set(&mut self, index: usize, value: Value) -> bool {
        let Some(place) = u32::try_from(index).ok().filter(|_| index < self.plain.len()) else {
            return false;
        };
        if let Value::Term(_) = value {
            self.terms.insert(place, value);
            return true;
        }
        let fits = self.plain.set(index, value);
        if fits {
            self.terms.remove(&place);
        }
        fits
    }

    /// Copies elements of a plain array, or of one like this.
    pub(crate) fn copy(&mut self, to: usize, source: &Body, from: usize, count: usize) -> bool {
        let (plain, moved) = match source {
            Body::Patched(source) => (&source.plain, source.moved(to, from, count)),
            plain => (plain, Vec::new()),
        };
        let fits = self.plain.copy(to, plain, from, count);
        if fits {
            self.replace(to, count, moved);
        }
        fits
    }

    /// Moves elements within the array.
    pub(crate) fn shift(&mut self, to: usize, from: usize, count: usize) -> bool {
        let fits = self.plain.shift(to, from, count);
        if fits {
            let moved = self.moved(to, from, count);
            self.replace(to, count, moved);
        }
        fits
    }

    /// The terms of a range, with the places that they have in a copy of it.
    fn moved(&self, to: usize, from: usize, count: usize) -> Vec<(u32, Value)> {
        let terms = self.terms.range(places(from..from.saturating_add(count)));
        terms.map(|(&place, &term)| ((place as usize - from + to) as u32, term)).collect()
    }

    fn replace(&mut self, to: usize, count: usize, moved: Vec<(u32, Value)>) {
        let old: Vec<u32> = self.terms.range(places(to..to + count)).map(|(&at, _)| at).collect();
        for place in old {
            self.terms.remove(&place);
        }
        self.terms.extend(moved);
    }
}

/// The places of a range of indexes: no array has more elements than there are.
fn places(range: Range<usize>) -> Range<u32> {
    let place = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    place(range.start)..place(range.end).max(place(range.start))
}

#[cfg(test)]
mod tests {
    use super::LONG;
    use crate::object::Body;
    use crate::value::Value;
    use dalang_classes::Primitive;
    use dalang_term::TermId;

    fn term(number: u32) -> Value {
        Value::Term(TermId::from_index(number))
    }

    fn long() -> Body {
        let mut array = Body::primitives(Primitive::Byte, LONG);
        assert!(array.set(5, term(7)));
        array
    }

    #[test]
    fn a_term_in_a_long_array_takes_little() {
        let mut array = Body::primitives(Primitive::Byte, LONG);
        assert!(array.growth(true) < 100);
        assert!(array.set(5, term(7)));
        assert_eq!((array.len(), array.java_bytes()), (LONG, 16 + LONG as u64));
        let copy = array.clone();
        assert!(array.growth(true) < 100);
        assert!(array.growth(false) >= LONG as u64);
        assert!(array.set(6, term(8)));
        assert_eq!((copy.get(5), copy.get(6)), (Some(term(7)), Some(Value::Int(0))));
        assert_eq!((array.get(5), array.get(6)), (Some(term(7)), Some(term(8))));
        assert!(!array.set(LONG, term(8)) && array.get(LONG).is_none());
    }

    #[test]
    fn a_constant_takes_the_place_of_a_term() {
        let mut array = long();
        assert!(!array.set(5, Value::Long(1)));
        assert_eq!(array.get(5), Some(term(7)));
        assert!(array.set(5, Value::Int(300)));
        assert_eq!(array.get(5), Some(Value::Int(44)));
        assert!(!array.is_same(&long()) && long().is_same(&long()));
    }

    #[test]
    fn terms_are_copied_and_moved() {
        let (mut array, mut other) = (long(), Body::primitives(Primitive::Byte, LONG));
        assert!(other.copy(10, &array, 3, 4));
        assert_eq!((other.get(12), other.get(5)), (Some(term(7)), Some(Value::Int(0))));
        assert!(array.shift(6, 4, 3));
        assert_eq!(
            [5, 6, 7].map(|at| array.get(at)),
            [Some(term(7)), Some(Value::Int(0)), Some(term(7))]
        );
        // What is copied over a term replaces it.
        assert!(array.copy(0, &Body::primitives(Primitive::Byte, 8), 0, 8));
        assert_eq!((array.get(5), array.get(7)), (Some(Value::Int(0)), Some(Value::Int(0))));
        assert!(!array.copy(LONG - 1, &other, 0, 2) && !array.shift(LONG - 1, 0, 2));
    }

    #[test]
    fn short_arrays_take_terms_from_long_ones() {
        let (mut plain, source) = (Body::primitives(Primitive::Byte, 4), long());
        assert!(plain.copy(0, &source, 6, 4));
        assert!(matches!(plain, Body::Bytes(_)));
        assert!(plain.copy(0, &source, 3, 4));
        assert_eq!((plain.get(2), plain.get(0)), (Some(term(7)), Some(Value::Int(0))));
        let mut back = Body::primitives(Primitive::Byte, LONG);
        assert!(back.copy(100, &plain, 1, 3));
        assert_eq!((back.get(101), back.get(100)), (Some(term(7)), Some(Value::Int(0))));
        assert!(!back.copy(0, &plain, 2, 3));
    }
}
