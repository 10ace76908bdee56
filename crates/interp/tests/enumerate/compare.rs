//! Whether a path ends as the concrete runs of its heaps do.
//!
//! What a state says is read with the values that a heap gives to inputs. A place stands for the object
//! that its input leads to; objects that the two runs have made are paired as the results and fields
//! lead to them. Every object of the heap is compared, with whatever the state holds of it: fields that it
//! holds nothing of must be what they were.

use super::concrete::{self, Ending};
use super::graphs::{Datum, Reading, numbered};
use super::symbolic::Path;
use dalang_heap::{Body, Policy, Reference, Unknowns, Value};
use dalang_interp::Machine;
use dalang_term::{Pool, Sort};
use std::collections::BTreeMap;

/// What a value is, whatever it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Number(i32),
    Null,
    /// An object of the heap.
    Given(usize),
    /// An object that the run has made.
    Made(Reference),
}

/// A path and one of its heaps.
pub struct Comparison<'a, 'b, 'p> {
    pool: &'a Pool,
    unknowns: &'a Unknowns,
    path: &'a Path<'p>,
    run: &'a concrete::Run,
    reading: &'a mut Reading<'b>,
    /// Objects that both runs have made: the symbolic one's by the concrete one's.
    pairs: BTreeMap<Reference, Reference>,
}

impl<'a, 'b, 'p> Comparison<'a, 'b, 'p> {
    pub fn new(
        machine: &'a Machine<'p>,
        path: &'a Path<'p>,
        run: &'a concrete::Run,
        reading: &'a mut Reading<'b>,
    ) -> Self {
        let Machine { pool, unknowns, .. } = machine;
        Self { pool, unknowns, path, run, reading, pairs: BTreeMap::new() }
    }

    /// What is wrong, if something is.
    pub fn differences(mut self) -> Vec<String> {
        let mut wrong = Vec::new();
        if self.path.state.track.trace != self.run.trace {
            wrong.push("the way is another".to_owned());
        }
        match (self.run.ending, self.path.ending) {
            (Ending::Returned(concrete), Ending::Returned(symbolic)) => {
                self.compare("the result", concrete, symbolic, &mut wrong);
            }
            (concrete, symbolic) if concrete == symbolic => {}
            (concrete, symbolic) => wrong.push(format!("{symbolic:?} instead of {concrete:?}")),
        }
        for object in 0..self.run.places.len() {
            self.compare_given(object, &mut wrong);
        }
        wrong
    }

    /// The values of an object of the heap, each as what the state holds of it.
    fn compare_given(&mut self, object: usize, wrong: &mut Vec<String>) {
        let locations = self.locations(object);
        if self.unknowns.policy != Policy::Pose && locations.len() > 1 {
            wrong.push(format!("object {object} is at {locations:?}"));
        }
        let before = self.reading.graph.objects[object].fields.clone();
        for (slot, &initial) in before.iter().enumerate() {
            let what = format!("field {slot} of object {object}");
            let after = self.run.heap.get(self.run.places[object], slot).unwrap();
            let stored =
                locations.iter().filter_map(|&place| self.path.state.heap.get(place, slot));
            let stored: Vec<Value> = stored.collect();
            if stored.is_empty() && self.concrete(after) != meaning(initial) {
                wrong.push(format!("{what} became {:?}", self.concrete(after)));
            }
            for value in stored {
                self.compare(&what, after, value, wrong);
            }
        }
    }

    /// The places of a state that stand for an object of the heap.
    fn locations(&self, object: usize) -> Vec<Reference> {
        let objects = self.path.state.knowledge.objects().iter();
        let is_it = |input| self.reading.object(&self.unknowns.inputs, input) == Some(object);
        let places = objects.filter(|known| is_it(known.input)).map(|known| known.reference);
        // An object of a summary is at the location of the input that was used first; at others that
        // lead to it there is nothing.
        let most = if self.unknowns.policy == Policy::Summary { 1 } else { usize::MAX };
        places.take(most).collect()
    }

    fn compare(&mut self, what: &str, concrete: Value, symbolic: Value, wrong: &mut Vec<String>) {
        let (expected, found) = (self.concrete(concrete), self.symbolic(symbolic));
        let (Meaning::Made(own), Some(Meaning::Made(other))) = (expected, found) else {
            if found != Some(expected) {
                wrong.push(format!("{what} is {found:?} instead of {expected:?}"));
            }
            return;
        };
        if let Some(&paired) = self.pairs.get(&own) {
            if paired != other {
                wrong.push(format!("{what} is another object that was made"));
            }
            return;
        }
        if self.pairs.values().any(|&paired| paired == other) {
            wrong.push(format!("{what} is one object that was made, and should be two"));
        }
        self.pairs.insert(own, other);
        let bodies = (&self.run.heap.object(own).body, &self.path.state.heap.object(other).body);
        let (Body::Fields(own), Body::Fields(other)) = bodies else {
            return wrong.push(format!("{what} is no plain object"));
        };
        for (slot, (&own, &other)) in own.iter().zip(other.iter()).enumerate() {
            self.compare(&format!("field {slot} of {what}"), own, other, wrong);
        }
    }

    fn concrete(&self, value: Value) -> Meaning {
        match value {
            Value::Int(number) => Meaning::Number(number),
            Value::Reference(place) if place.is_null() => Meaning::Null,
            Value::Reference(place) => {
                self.run.object(place).map_or(Meaning::Made(place), Meaning::Given)
            }
            value => panic!("no program here has a {value:?}"),
        }
    }

    /// What a value of the state is on this heap; none for a location at which there is nothing.
    fn symbolic(&mut self, value: Value) -> Option<Meaning> {
        let place = match value {
            Value::Int(number) => return Some(Meaning::Number(number)),
            Value::Reference(place) => place,
            Value::Term(term) => {
                let bits = self.reading.value(self.pool, &self.unknowns.inputs, term);
                if self.pool.sort(term) != Sort::Ref {
                    return Some(Meaning::Number(bits as i32));
                }
                if let Some(object) = numbered(bits) {
                    return Some(Meaning::Given(object));
                }
                Reference::new(bits as u32)
            }
            value => panic!("no program here has a {value:?}"),
        };
        if place.is_null() {
            return Some(Meaning::Null);
        }
        let Some(known) = self.path.state.knowledge.object(place) else {
            return Some(Meaning::Made(place));
        };
        let object = self.reading.object(&self.unknowns.inputs, known.input)?;
        self.locations(object).contains(&place).then_some(Meaning::Given(object))
    }
}

fn meaning(datum: Datum) -> Meaning {
    match datum {
        Datum::Truth(truth) => Meaning::Number(truth.into()),
        Datum::Null => Meaning::Null,
        Datum::Object(object) => Meaning::Given(object),
    }
}
