//! Symbolic indexes of arrays that are plainly stored: every element is a candidate.

use crate::flow::{Flow, bug, unsupported};
use crate::machine::Machine;
use crate::state::State;
use dalang_heap::{Body, Reference, Value};
use dalang_term::TermId;

/// More elements than these are not put into one term: the solver would not come to an end.
const MOST: usize = 4096;

impl<'p> Machine<'p> {
    /// All elements of an array that is plainly stored, with what is known of references.
    fn candidates(&self, state: &State<'p>, body: &Body) -> Flow<Vec<Value>> {
        if body.len() > MOST {
            return unsupported(format!(
                "a symbolic index of an array of more than {MOST} elements"
            ));
        }
        if !body.is_array() || matches!(body, Body::Elements(_)) {
            return bug("elements are selected of something that does not list them");
        }
        let all = (0..body.len()).filter_map(|index| body.get(index));
        Flow::Continue(all.map(|value| self.known_value(state, value)).collect())
    }

    /// The element at a symbolic index within bounds.
    pub(crate) fn select(
        &mut self,
        state: &mut State<'p>,
        array: Reference,
        index: TermId,
    ) -> Flow<Value> {
        let object = state.heap.object(array);
        let (class, body) = (object.class, object.body.clone());
        if body.is_empty() {
            return bug("an index is within an empty array");
        }
        if self.merges(self.element_type(class)) {
            return self.select_merged(state, &body, index);
        }
        self.select_decided(state, &body, index)
    }

    /// The element at a symbolic index of what an array holds, as an ite; anything if it is not within.
    pub(crate) fn select_merged(
        &mut self,
        state: &State<'p>,
        body: &Body,
        index: TermId,
    ) -> Flow<Value> {
        let all = self.candidates(state, body)?;
        let runs = runs(&all);
        let term = self.tree(&runs, index);
        Flow::Continue(self.value(term))
    }

    /// The reference at a symbolic index within what an array holds: it is decided which.
    pub(crate) fn select_decided(
        &mut self,
        state: &mut State<'p>,
        body: &Body,
        index: TermId,
    ) -> Flow<Value> {
        let all = self.candidates(state, body)?;
        self.select_reference(state, &all, index)
    }

    /// An ite over runs of equal elements, as deep as the logarithm of their number.
    fn tree(&mut self, runs: &[(usize, Value)], index: TermId) -> TermId {
        if let [(_, value)] = runs {
            return self.term(*value);
        }
        let (low, high) = runs.split_at(runs.len() / 2);
        let border = self.pool.int(high[0].0 as i32);
        let below = self.pool.ult(index, border);
        let (low, high) = (self.tree(low, index), self.tree(high, index));
        self.pool.ite(below, low, high)
    }

    /// The same over terms, one for each place.
    pub(crate) fn tree_of(&mut self, all: &[TermId], index: TermId) -> TermId {
        if all.is_empty() {
            return self.pool.bitvec(16, 0);
        }
        let all: Vec<Value> = all.iter().map(|&term| Value::Term(term)).collect();
        self.tree(&runs(&all), index)
    }

    /// Decides which reference is meant: one question for each that is there, wherever it is.
    fn select_reference(
        &mut self,
        state: &mut State<'p>,
        all: &[Value],
        index: TermId,
    ) -> Flow<Value> {
        let mut groups: Vec<(Value, Vec<usize>)> = Vec::new();
        for (place, &value) in all.iter().enumerate() {
            match groups.iter_mut().find(|group| group.0 == value) {
                Some(group) => group.1.push(place),
                None => groups.push((value, vec![place])),
            }
        }
        let Some((last, others)) = groups.split_last() else {
            return bug("an index is within an empty array");
        };
        for (value, places) in others {
            let mut hits = Vec::with_capacity(places.len());
            for &place in places {
                let place = self.pool.int(place as i32);
                hits.push(self.pool.eq(index, place));
            }
            let hit = self.pool.or_all(hits);
            if self.decide(state, hit)? {
                return Flow::Continue(*value);
            }
        }
        Flow::Continue(last.0)
    }

    /// Stores a value at a symbolic index within bounds.
    pub(crate) fn update(
        &mut self,
        state: &mut State<'p>,
        array: Reference,
        index: TermId,
        value: Value,
    ) -> Flow {
        let object = state.heap.object(array);
        let all = self.candidates(state, &object.body)?;
        if !self.merges(self.element_type(object.class)) {
            let place = self.pinned(state, index, all.len())?;
            state.heap.set(array, place, value);
            return Flow::Continue(());
        }
        for (place, &old) in all.iter().enumerate() {
            self.breathe_at(place)?;
            let at = self.pool.int(place as i32);
            let hit = self.pool.eq(index, at);
            let new = self.either(hit, value, old);
            if new != old {
                state.heap.set(array, place, new);
            }
        }
        Flow::Continue(())
    }

    /// Decides which of the numbers below a limit a term is, by halves.
    pub fn pinned(&mut self, state: &mut State<'p>, term: TermId, limit: usize) -> Flow<usize> {
        if let Some(bits) = self.pool.bits(term) {
            return Flow::Continue(bits as usize);
        }
        let (mut low, mut high) = (0, limit);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            let border = self.pool.int(middle as i32);
            let below = self.pool.ult(term, border);
            if self.decide(state, below)? {
                high = middle;
            } else {
                low = middle;
            }
        }
        Flow::Continue(low)
    }
}

/// Where each run of equal values begins.
fn runs(all: &[Value]) -> Vec<(usize, Value)> {
    let mut runs: Vec<(usize, Value)> = Vec::new();
    for (place, &value) in all.iter().enumerate() {
        if runs.last().is_none_or(|run| run.1 != value) {
            runs.push((place, value));
        }
    }
    runs
}
