//! Whether the end of a lazy state is that of a summary, under an assignment of the summary's symbols
//! and beyond it.
//!
//! Both heaps are walked at once, from the input objects and the result. What is compared on the way
//! becomes a *claim*, a condition over the summary's symbols that says the same of every assignment.

use super::bridge::{Bridge, Key};
use super::snapshot::{Known, Place};
use dalang_classes::{ClassId, FieldId};
use dalang_heap::{InputId, Step};
use dalang_term::{Assignment, Pool, Sort, TermId};
use std::collections::BTreeMap;

pub struct Comparison<'a> {
    pub bridge: &'a Bridge<'a>,
    /// The pool of the lazy state.
    pub from: &'a Pool,
    /// The pool of the summary.
    pub pool: &'a mut Pool,
    pub values: &'a Assignment,
    pairs: BTreeMap<Place, Key>,
    back: BTreeMap<(Key, Option<ClassId>), Place>,
    waiting: Vec<(Place, Key)>,
    claims: Vec<TermId>,
}

impl<'a> Comparison<'a> {
    pub fn new(
        bridge: &'a Bridge<'a>,
        from: &'a Pool,
        pool: &'a mut Pool,
        values: &'a Assignment,
    ) -> Self {
        let (pairs, back) = (BTreeMap::new(), BTreeMap::new());
        Self { bridge, from, pool, values, pairs, back, waiting: Vec::new(), claims: Vec::new() }
    }

    /// The claims, which hold under the assignment; or how the two ends differ.
    pub fn run(mut self) -> Result<Vec<TermId>, String> {
        let (lazy, summary) = (self.bridge.lazy, self.bridge.summary);
        for (&object, &input) in &self.bridge.representatives {
            let key = self.bridge.key_of_input(self.pool, self.values, input);
            self.pair(object, key)?;
        }
        match (lazy.result, summary.result) {
            (Some(expected), Some(given)) => {
                self.value(expected, given).map_err(|why| format!("the result: {why}"))?;
            }
            (None, None) => {}
            _ => return Err("one of them has a result".to_owned()),
        }
        while let Some((object, key)) = self.waiting.pop() {
            self.object(object, key)?;
        }
        self.rest()?;
        Ok(self.claims)
    }

    /// An object of the lazy state is one of the summary, and no other is.
    fn pair(&mut self, object: Place, key: Key) -> Result<(), String> {
        if key == Key::Null {
            return Err(format!("#{object} is null"));
        }
        let class = self.bridge.lazy.objects[&object].class;
        let known = *self.pairs.entry(object).or_insert(key);
        if known != key {
            return Err(format!("#{object} is {known:?} and {key:?}"));
        }
        match self.back.insert(key.told_by(class), object) {
            None => self.waiting.push((object, key)),
            Some(other) if other == object => {}
            Some(other) => return Err(format!("#{object} and #{other} are {key:?}")),
        }
        Ok(())
    }

    fn object(&mut self, place: Place, key: Key) -> Result<(), String> {
        let (lazy, summary) = (self.bridge.lazy, self.bridge.summary);
        let object = &lazy.objects[&place];
        let found = match key {
            Key::Place(found) => Some(&summary.objects[&found]),
            _ => None,
        };
        // Classes of input objects are part of the condition.
        let is_new = lazy.location(place).is_none();
        if is_new && found.is_none_or(|found| found.class != object.class) {
            return Err(format!("#{place} and {key:?} are of different classes"));
        }
        let location = match key {
            Key::Place(found) => summary.location(found),
            _ => None,
        };
        if let (Some(found), Some(location)) = (found, location) {
            // As far as the lazy state knows, no object of the class has such a field.
            for (&field, &given) in &found.fields {
                if !object.fields.contains_key(&field) {
                    self.untouched(location.input, Pool::TRUE, field, given)?;
                }
            }
        }
        for (&field, &expected) in &object.fields {
            let given = found.and_then(|found| found.fields.get(&field));
            let compared = match given {
                Some(&given) => self.value(expected, given),
                None if self.initial(place, field) == Some(expected) => Ok(()),
                None => Err(format!("{} there, untouched here", self.from.infix(expected))),
            };
            compared.map_err(|why| format!("#{place}.{field:?}: {why}"))?;
        }
        Ok(())
    }

    /// The value that a field of an object of the lazy state had before the run.
    fn initial(&self, place: Place, field: FieldId) -> Option<TermId> {
        let lazy = self.bridge.lazy;
        let input = lazy.find(Step::Field(lazy.location(place)?.input, field))?;
        Some(lazy.inputs[&input].term)
    }

    fn value(&mut self, expected: TermId, given: TermId) -> Result<(), String> {
        if self.from.sort(expected) != Sort::Ref {
            let expected = self.bridge.translate(self.from, self.pool, expected);
            return self.claim(given, expected);
        }
        let known =
            match (self.from.bits(expected), self.bridge.lazy.of_symbol(self.from, expected)) {
                (Some(0), _) => Known::Null,
                (Some(place), _) => Known::Object(place as Place),
                (None, Some(input)) => match self.bridge.lazy.known.get(&input) {
                    Some(&known) => known,
                    None => return self.open(input, given),
                },
                (None, None) => panic!("lazily, {} is undecided", self.from.infix(expected)),
            };
        let key = self.bridge.key_of(self.pool, self.values, given);
        let places = self.bridge.places(self.pool, given);
        match known {
            Known::Null if key == Key::Null => self.claim(places, Pool::NULL),
            Known::Null => Err(format!("null there, {key:?} here")),
            Known::Object(object) => {
                let term = self.pool.infix(given).to_string();
                self.pair(object, key).map_err(|why| format!("{why}, by {term}"))?;
                let Key::Place(place) = key else { return Ok(()) };
                let place = self.pool.identity(place);
                self.claim(places, place)
            }
        }
    }

    /// A reference that the lazy state leaves open is the same input here, and any of its locations.
    fn open(&mut self, input: InputId, given: TermId) -> Result<(), String> {
        let name = &self.bridge.lazy.inputs[&input].name;
        let same = self.bridge.counterpart(input);
        let same = same.ok_or_else(|| format!("{name} there, no such input here"))?;
        let set = self.bridge.set_of(self.pool, same);
        let places = self.bridge.places(self.pool, given);
        self.claim(places, set)
    }

    /// Locations that stand for no object of the lazy state hold what they held before the run, where
    /// there is an object at all: there is none where their input is null, an older location, or a field
    /// of no object.
    fn rest(&mut self) -> Result<(), String> {
        let summary = self.bridge.summary;
        for location in &summary.locations {
            if !self.back.contains_key(&(Key::Place(location.place), None)) {
                let exists = self.bridge.exists(self.pool, location.input);
                for (&field, &given) in &summary.objects[&location.place].fields {
                    self.untouched(location.input, exists, field, given)?;
                }
            }
        }
        Ok(())
    }

    /// A field of a location of the summary holds what it held before the run, under a condition.
    fn untouched(
        &mut self,
        owner: InputId,
        exists: TermId,
        field: FieldId,
        given: TermId,
    ) -> Result<(), String> {
        let summary = self.bridge.summary;
        let equal = match summary.find(Step::Field(owner, field)) {
            Some(input) if self.pool.sort(given) == Sort::Ref => {
                let set = self.bridge.set_of(self.pool, input);
                let places = self.bridge.places(self.pool, given);
                self.pool.eq(places, set)
            }
            Some(input) => self.pool.eq(given, summary.inputs[&input].term),
            // It was written without having been read.
            None => Pool::FALSE,
        };
        let claim = self.pool.implies(exists, equal);
        let name = &summary.inputs[&owner].name;
        let given = self.pool.infix(given).to_string();
        self.hold(claim).then_some(()).ok_or_else(|| format!("{name} was written: {given}"))
    }

    /// Two terms are equal, under the assignment and, by the claim, under others.
    fn claim(&mut self, given: TermId, expected: TermId) -> Result<(), String> {
        let equal = self.pool.eq(given, expected);
        self.hold(equal).then_some(()).ok_or_else(|| {
            let (expected, given) = (self.pool.infix(expected), self.pool.infix(given));
            format!("{expected} there, {given} here")
        })
    }

    /// Whether a condition holds under the assignment; it becomes a claim then.
    fn hold(&mut self, claim: TermId) -> bool {
        let holds = self.pool.evaluate(claim, self.values) == 1;
        if holds && claim != Pool::TRUE {
            self.claims.push(claim);
        }
        holds
    }
}
