//! Which location of a summary stands for which object of a lazy state: the `h` of Def. 14, on
//! objects that were there before the run, and the condition that makes it one.
//!
//! Both machines name an object after the input that led to it first, but they meet inputs in different
//! orders, and a summary has locations for aliases that a lazy state has not chosen. So an object of
//! the lazy state is found by the way to it: parameters are given, and a field of a location that stands
//! for an object is that field of the object. The location of an input is its own where it is the same
//! as no older one; what leads there is the *representative* of the object.

use super::snapshot::{Known, Location, Place, Snapshot};
use dalang_classes::ClassId;
use dalang_heap::policy::guarded::class_number;
use dalang_heap::{InputId, Step};
use dalang_term::{Assignment, Op, Pool, PostOrder, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// What a reference of a summary is, under an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    Null,
    /// An object of the heap.
    Place(Place),
    /// An object that the summary has no location for: inputs with this value lead to it.
    Nowhere(u64),
}

impl Key {
    /// What tells objects apart: values mean nothing where types differ.
    pub fn told_by(self, class: ClassId) -> (Self, Option<ClassId>) {
        (self, matches!(self, Self::Nowhere(_)).then_some(class))
    }
}

/// A lazy state and a summary, with the representatives of the lazy state's input objects.
pub struct Bridge<'a> {
    pub lazy: &'a Snapshot,
    pub summary: &'a Snapshot,
    /// By the lazy state's place, an input of the summary.
    pub representatives: BTreeMap<Place, InputId>,
}

impl<'a> Bridge<'a> {
    /// The bridge on which no input that the lazy state leaves open comes before a representative.
    pub fn first(lazy: &'a Snapshot, summary: &'a Snapshot) -> Self {
        let mut bridge = Self { lazy, summary, representatives: BTreeMap::new() };
        let locations = summary.locations.iter().map(|location| location.input);
        // Inputs without a location are aliases, unless their object has no location at all.
        for input in locations.chain(summary.references().map(|(input, _)| input)) {
            if let Some(Known::Object(place)) = bridge.label(input) {
                bridge.representatives.entry(place).or_insert(input);
            }
        }
        bridge
    }

    /// The bridge that an assignment of the summary gives; none if it is a heap that the lazy state
    /// does not describe.
    pub fn under(
        lazy: &'a Snapshot,
        summary: &'a Snapshot,
        pool: &Pool,
        values: &Assignment,
    ) -> Option<Self> {
        let mut bridge = Self { lazy, summary, representatives: BTreeMap::new() };
        let mut keys: BTreeMap<Place, Key> = BTreeMap::new();
        // Each round may find a representative, whose fields get labels by it.
        loop {
            let before = bridge.representatives.len();
            for (input, _) in summary.references() {
                let Some(label) = bridge.label(input) else { continue };
                let key = bridge.key_of_input(pool, values, input);
                let Known::Object(place) = label else {
                    if key == Key::Null {
                        continue;
                    }
                    return None;
                };
                if key == Key::Null || keys.get(&place).is_some_and(|&known| known != key) {
                    return None;
                }
                keys.insert(place, key);
                let own = match key {
                    Key::Place(own) => summary.location(own).map(|location| location.input),
                    _ => None,
                };
                bridge.representatives.entry(place).or_insert(own.unwrap_or(input));
            }
            if bridge.representatives.len() == before {
                break;
            }
        }
        let mut taken = BTreeSet::new();
        let is_one_to_one =
            keys.iter().all(|(&place, &key)| taken.insert(key.told_by(lazy.objects[&place].class)));
        is_one_to_one.then_some(bridge)
    }

    /// What the lazy state knows of an input of the summary; nothing if it leaves it open, or if it
    /// is a field of no object.
    pub fn label(&self, input: InputId) -> Option<Known> {
        let same = match self.summary.inputs[&input].step {
            Step::Field(owner, field) => {
                let object = self.representatives.iter().find(|entry| *entry.1 == owner)?.0;
                let owner = self.lazy.location(*object)?.input;
                self.lazy.find(Step::Field(owner, field))?
            }
            step => self.lazy.find(step)?,
        };
        self.lazy.known.get(&same).copied()
    }

    /// The input of the summary for an input of the lazy state, if the summary has it.
    pub fn counterpart(&self, input: InputId) -> Option<InputId> {
        match self.lazy.inputs[&input].step {
            Step::Field(owner, field) => {
                let owner = self.representatives.get(&self.lazy.place_of(owner)?)?;
                self.summary.find(Step::Field(*owner, field))
            }
            step => self.summary.find(step),
        }
    }

    /// A term of the lazy state over the summary's inputs. An input that the summary has not met is a
    /// symbol of its own.
    pub fn translate(&self, from: &Pool, pool: &mut Pool, term: TermId) -> TermId {
        let mut copies: BTreeMap<TermId, TermId> = BTreeMap::new();
        for id in PostOrder::new(from, [term]) {
            let node = from.node(id);
            let copy = match node.op {
                Op::Const => pool.import(from, id),
                Op::Symbol => {
                    let input = self.lazy.of_symbol(from, id).expect("a symbol is an input");
                    match self.counterpart(input) {
                        Some(input) => self.summary.inputs[&input].symbol,
                        None => {
                            let name = format!("lazy {}", self.lazy.inputs[&input].name);
                            pool.symbol(&name, node.sort)
                        }
                    }
                }
                _ => {
                    let operands: Vec<TermId> =
                        node.args().map(|operand| copies[&operand]).collect();
                    pool.apply(node.op, node.sort, &operands)
                }
            };
            copies.insert(id, copy);
        }
        copies[&term]
    }

    /// The condition under which the summary's input heap is the lazy state's, with these
    /// representatives: what is null is, what is an object is the same as its representative, and
    /// that is the same as no older location; classes fit; and what the lazy state's path requires holds.
    pub fn condition(&self, from: &Pool, pool: &mut Pool) -> Vec<TermId> {
        let mut all = Vec::new();
        for (id, input) in self.summary.references() {
            let Some(label) = self.label(id) else { continue };
            let Known::Object(place) = label else {
                all.push(pool.eq(input.symbol, Pool::NULL));
                continue;
            };
            let same_as = self.representatives[&place];
            all.push(pool.eq(input.symbol, self.symbol(same_as)));
            // Its location is the first that it equals, and it may be compared with more of them.
            let before = self.summary.met_before(self.summary.place_of(same_as));
            let is_before = |older: &&Location| before.iter().any(|it| it.place == older.place);
            for older in self.summary.older(id).iter().filter(is_before) {
                all.push(pool.ne(input.symbol, self.symbol(older.input)));
            }
        }
        for &input in self.representatives.values() {
            let symbol = self.symbol(input);
            all.push(pool.ne(symbol, Pool::NULL));
            for older in self.summary.older(input) {
                all.push(pool.ne(symbol, self.symbol(older.input)));
            }
            if self.summary.place_of(input).is_none() {
                let others = self.representatives.values().copied();
                let others = others.filter(|&other| other < input);
                for other in others.filter(|&other| self.summary.can_be_one(other, input)) {
                    all.push(pool.ne(symbol, self.symbol(other)));
                }
            }
        }
        all.extend(self.classes(pool));
        all.extend(self.lazy.condition.iter().map(|&term| self.translate(from, pool, term)));
        all
    }

    /// An object has one class, of those that the lazy state has left to it, whichever input leads to it.
    fn classes(&self, pool: &mut Pool) -> Vec<TermId> {
        let mut all = Vec::new();
        let mut known: BTreeMap<Place, TermId> = BTreeMap::new();
        for (id, _) in self.summary.references() {
            let Some(Known::Object(place)) = self.label(id) else { continue };
            let Some(class) = self.summary.class_symbol(id) else { continue };
            let first = *known.entry(place).or_insert(class);
            all.push(pool.eq(class, first));
            let classes = &self.lazy.location(place).expect("an input object").classes;
            all.push(is_among(pool, class, classes.iter().copied()));
        }
        all
    }

    fn symbol(&self, input: InputId) -> TermId {
        self.summary.inputs[&input].symbol
    }

    /// The location of an input under an assignment.
    pub fn key_of_input(&self, pool: &Pool, values: &Assignment, input: InputId) -> Key {
        let value = |input| pool.evaluate(self.symbol(input), values);
        let own = value(input);
        if own == 0 {
            return Key::Null;
        }
        if let Some(first) = self.summary.older(input).iter().find(|l| value(l.input) == own) {
            return Key::Place(first.place);
        }
        self.summary.place_of(input).map_or(Key::Nowhere(own), Key::Place)
    }

    /// When there is an object at an input's own location.
    pub fn exists(&self, pool: &mut Pool, input: InputId) -> TermId {
        let symbol = self.symbol(input);
        let mut all = vec![pool.ne(symbol, Pool::NULL)];
        for older in self.summary.older(input) {
            all.push(pool.ne(symbol, self.symbol(older.input)));
        }
        if let Step::Field(owner, _) = self.summary.inputs[&input].step {
            all.push(self.exists(pool, owner));
        }
        pool.and_all(all)
    }

    /// The set of an input's locations, as rule `summary/summarize` defines it.
    pub fn set_of(&self, pool: &mut Pool, input: InputId) -> TermId {
        let symbol = self.symbol(input);
        let mut set = match self.summary.place_of(input) {
            Some(place) => pool.identity(place),
            None => symbol,
        };
        for alias in self.summary.older(input).into_iter().rev() {
            let same = pool.eq(symbol, self.symbol(alias.input));
            let place = pool.identity(alias.place);
            set = pool.ite(same, place, set);
        }
        let null = pool.eq(symbol, Pool::NULL);
        pool.ite(null, Pool::NULL, set)
    }

    /// A reference of the summary with every input in it put as the set of its locations.
    pub fn places(&self, pool: &mut Pool, reference: TermId) -> TermId {
        let node = pool.node(reference);
        if node.op == Op::Ite {
            let [then, otherwise] = [1, 2].map(|part| self.places(pool, node.arg(part)));
            return pool.ite(node.arg(0), then, otherwise);
        }
        match self.summary.of_symbol(pool, reference) {
            Some(input) => self.set_of(pool, input),
            None => reference,
        }
    }

    /// What a reference of the summary is under an assignment.
    pub fn key_of(&self, pool: &Pool, values: &Assignment, reference: TermId) -> Key {
        let mut part = reference;
        while pool.node(part).op == Op::Ite {
            let node = pool.node(part);
            let holds = pool.evaluate(node.arg(0), values) == 1;
            part = node.arg(if holds { 1 } else { 2 });
        }
        match (pool.bits(part), self.summary.of_symbol(pool, part)) {
            (Some(0), _) => Key::Null,
            (Some(place), _) => Key::Place(place as Place),
            (None, Some(input)) => self.key_of_input(pool, values, input),
            (None, None) => panic!("{} is no reference", pool.infix(part)),
        }
    }
}

/// When a class is one of several.
pub fn is_among(pool: &mut Pool, class: TermId, classes: impl Iterator<Item = ClassId>) -> TermId {
    let mut among = Pool::FALSE;
    for one in classes {
        let number = class_number(pool, one);
        let is_one = pool.eq(class, number);
        among = pool.or(among, is_one);
    }
    among
}
