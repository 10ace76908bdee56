//! What one state has found out about its inputs.
//!
//! An input reference begins as anything of its type. Decisions make it null, non-null, an alias of
//! an input object or an input object of its own. A decision is recorded here once and looked up
//! where the reference is used: that is how a symbol is substituted everywhere at the price of one
//! entry. Nothing is decided here; policies propose and whoever explores chooses.

use crate::domain::DomainId;
use crate::input::InputId;
use crate::reference::Reference;
use dalang_classes::FieldId;
use dalang_term::TermId;
use std::rc::Rc;

/// What is known of an input reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// Null, or an object of one of these classes: a *symbolic reference*.
    Maybe(DomainId),
    /// Some object of one of these classes: a *symbolic location*.
    Location(DomainId),
    /// Null.
    Null,
    /// This object.
    Object(Reference),
    /// Null, or an object that has a place of its own here, though it may be the same as others:
    /// the policies that do not divide paths keep a symbolic reference one.
    Bound(Reference),
}

/// An object that was there before the method ran.
#[derive(Clone, Copy, Debug)]
pub struct Symbolic {
    /// The object in the heap.
    pub reference: Reference,
    /// The input that led to it first.
    pub input: InputId,
    /// What its class can be.
    pub domain: DomainId,
    /// When the object was used, by this input: always, or under a condition of a policy that does
    /// not divide paths.
    pub used: TermId,
    /// How many input objects were met before it.
    pub met: u32,
}

/// Input objects, in the order in which they were met.
#[derive(Clone, Debug, Default)]
struct Objects {
    all: Vec<Symbolic>,
    /// Where each is in that list, by place.
    by_place: Vec<(Reference, u32)>,
}

impl Objects {
    fn find(&self, place: Reference) -> Option<usize> {
        let at = self.by_place.binary_search_by_key(&place, |entry| entry.0).ok()?;
        Some(self.by_place[at].1 as usize)
    }

    fn add(&mut self, object: Symbolic) {
        let entry = (object.reference, self.all.len() as u32);
        let at = self.by_place.partition_point(|known| known.0 < object.reference);
        self.by_place.insert(at, entry);
        self.all.push(object);
    }
}

/// An object that a static field which does not change holds, or leads to.
#[derive(Clone, Copy, Debug)]
pub struct HeldObject {
    /// The object, which is no input object.
    pub object: Reference,
    /// The way to it.
    pub input: InputId,
    /// Whether somebody else can have it, so that an input may be it.
    pub escapes: bool,
    /// How many input objects had been met when the class that holds it was initialized: these inputs were
    /// used before, and are taken for other objects.
    pub since: u32,
}

/// What one state has found out about its inputs. Copies share it until one of them learns more.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    references: Rc<Vec<(InputId, Resolution)>>,
    objects: Rc<Objects>,
    /// Pairs of objects of value classes that were found to be the same object, or not to be.
    identities: Rc<Vec<(Reference, Reference, bool)>>,
    /// The same, of pairs of which one is an input object and the other is not.
    kept: Rc<Vec<(Reference, Reference, bool)>>,
    /// Objects that static fields which do not change lead to.
    held: Rc<Vec<HeldObject>>,
    /// Whether there are inputs.
    begun: bool,
    /// What the program has asked for.
    asked: Rc<Vec<InputId>>,
    /// How many requests of the program were met.
    requests: u32,
    /// How often an object or element was initialized.
    pub initialized: u32,
    /// Fields of input objects whose value from before the run was looked at, in that order; the
    /// policies that do not divide paths need it to tell what an object was like.
    fields: Rc<Vec<InputId>>,
    /// Fields of input objects that something was stored in, each with an input that led there.
    writers: Rc<Vec<(FieldId, InputId)>>,
    /// Pairs of inputs that the path has found to be one object.
    twins: Rc<Vec<(InputId, InputId)>>,
    /// Inputs that a bound lets be nothing else than an object which was used before.
    bounded: Rc<Vec<InputId>>,
    /// Comparisons of inputs that are not one object, in order.
    apart: Rc<Vec<TermId>>,
    /// Pairs of inputs whose equality has been made consistent with their types and values.
    tied: Rc<Vec<TermId>>,
    /// Places of input objects of a general type, and those of the arrays that they are if they are
    /// arrays: what was accessed of them as something else is at the former.
    arrays: Rc<Vec<(Reference, Reference)>>,
    /// Locations at which there is nothing: their inputs are older ones.
    vacant: Rc<Vec<Reference>>,
    /// How many settled conditions were looked at to find those.
    seen: usize,
}

impl Knowledge {
    /// Whether there are no inputs, as in every concrete run.
    #[inline]
    pub fn is_blank(&self) -> bool {
        !self.begun
    }

    /// From here on there are inputs.
    pub fn begin(&mut self) {
        self.begun = true;
    }

    /// What is known of an input; none if nothing but its declared type is.
    #[inline]
    pub fn resolution(&self, input: InputId) -> Option<Resolution> {
        // What was found out last is asked for most.
        self.references.iter().rev().find(|entry| entry.0 == input).map(|entry| entry.1)
    }

    /// Records what is known of an input.
    pub fn resolve(&mut self, input: InputId, resolution: Resolution) {
        let references = Rc::make_mut(&mut self.references);
        match references.iter_mut().rev().find(|entry| entry.0 == input) {
            Some(entry) => entry.1 = resolution,
            None => references.push((input, resolution)),
        }
    }

    /// Every input of which something is known, in the order in which it was first found out.
    pub fn resolutions(&self) -> &[(InputId, Resolution)] {
        &self.references
    }

    /// The input objects, in the order in which they were met.
    pub fn objects(&self) -> &[Symbolic] {
        &self.objects.all
    }

    /// The input object at a place of the heap, if it is one.
    pub fn object(&self, reference: Reference) -> Option<&Symbolic> {
        self.objects.find(reference).map(|at| &self.objects.all[at])
    }

    /// Adds the object of an input.
    pub fn add(&mut self, input: InputId, reference: Reference, domain: DomainId, used: TermId) {
        let met = self.objects.all.len() as u32;
        let object = Symbolic { reference, input, domain, used, met };
        Rc::make_mut(&mut self.objects).add(object);
        self.initialized += 1;
    }

    /// Two input objects, the one that was met first in front.
    fn in_order(&self, a: Reference, b: Reference) -> (Reference, Reference) {
        let met = |place| self.object(place).map(|object| object.met);
        if met(a) <= met(b) { (a, b) } else { (b, a) }
    }

    /// The objects that static fields which do not change lead to.
    pub fn held(&self) -> &Rc<Vec<HeldObject>> {
        &self.held
    }

    /// What is known of an object, if a static field that does not change leads to it.
    pub fn holding(&self, object: Reference) -> Option<&HeldObject> {
        self.held.iter().find(|held| held.object == object)
    }

    /// Adds an object that a static field leads to, or another way to it.
    pub fn hold(&mut self, new: HeldObject) {
        let all = Rc::make_mut(&mut self.held);
        match all.iter_mut().find(|held| held.object == new.object) {
            Some(known) if new.escapes && !known.escapes => *known = new,
            Some(_) => {}
            None => all.push(new),
        }
    }

    /// The objects that static fields lead to and that an input may be.
    pub fn candidates(&self, input: InputId) -> impl DoubleEndedIterator<Item = HeldObject> + '_ {
        let met = match self.resolution(input) {
            Some(Resolution::Bound(place)) => self.object(place).map(|object| object.met),
            _ => None,
        };
        let is_one =
            move |held: &HeldObject| held.escapes && met.is_none_or(|met| met >= held.since);
        self.held.iter().copied().filter(is_one)
    }

    /// The places that are known to be one object or another, to be arrays of each other, or to be vacant.
    pub(crate) fn pairs(&self, mut visit: impl FnMut(Reference)) {
        for &(a, b, _) in self.identities.iter().chain(self.kept.iter()) {
            visit(a);
            visit(b);
        }
        for &(object, array) in self.arrays.iter() {
            visit(object);
            visit(array);
        }
        self.vacant.iter().for_each(|&place| visit(place));
        self.held.iter().for_each(|held| visit(held.object));
    }

    /// Equalities that were made consistent.
    pub(crate) fn ties(&self) -> &[TermId] {
        &self.tied
    }

    /// Narrows what the class of an input object can be.
    pub fn narrow(&mut self, reference: Reference, domain: DomainId) {
        if let Some(at) = self.objects.find(reference) {
            Rc::make_mut(&mut self.objects).all[at].domain = domain;
        }
    }

    /// Notes under which condition an input object is used.
    pub fn note_use(&mut self, reference: Reference, used: TermId) {
        if let Some(at) = self.objects.find(reference) {
            Rc::make_mut(&mut self.objects).all[at].used = used;
        }
    }

    /// Notes that there is nothing at a location, because its input is an older one.
    pub fn vacate(&mut self, location: Reference) {
        if !self.is_vacant(location) {
            Rc::make_mut(&mut self.vacant).push(location);
        }
    }

    /// Whether there is nothing at a location.
    pub fn is_vacant(&self, location: Reference) -> bool {
        self.vacant.contains(&location)
    }

    /// How many settled conditions are new, if there are so many.
    pub fn look_at(&mut self, settled: usize) -> usize {
        settled - std::mem::replace(&mut self.seen, settled)
    }

    /// Notes that the value from before the run of a field was looked at.
    pub fn note_field(&mut self, field: InputId) {
        Rc::make_mut(&mut self.fields).push(field);
    }

    /// The fields whose value from before the run was looked at, in that order.
    pub fn fields(&self) -> &[InputId] {
        &self.fields
    }

    /// Notes that something is stored in a field through an input.
    pub(crate) fn note_writer(&mut self, field: FieldId, input: InputId) {
        if !self.writers.contains(&(field, input)) {
            Rc::make_mut(&mut self.writers).push((field, input));
        }
    }

    /// The inputs through which something was stored in a field.
    pub(crate) fn writers(&self, field: FieldId) -> Vec<InputId> {
        self.writers.iter().filter(|writer| writer.0 == field).map(|writer| writer.1).collect()
    }

    /// Notes that two inputs are one object.
    pub(crate) fn note_twins(&mut self, a: InputId, b: InputId) {
        Rc::make_mut(&mut self.twins).push((a, b));
    }

    /// The other inputs that were found to be the same object.
    pub(crate) fn twins(&self, input: InputId) -> Vec<InputId> {
        let mut found = vec![input];
        let mut next = 0;
        while let Some(&one) = found.get(next) {
            next += 1;
            for &(a, b) in self.twins.iter() {
                let other = if a == one {
                    b
                } else if b == one {
                    a
                } else {
                    continue;
                };
                if !found.contains(&other) {
                    found.push(other);
                }
            }
        }
        found.split_off(1)
    }

    /// Notes where the elements of an input object are, if it is an array.
    pub fn note_array(&mut self, object: Reference, array: Reference) {
        Rc::make_mut(&mut self.arrays).push((object, array));
    }

    /// The places of the elements of an input object, one for each kind of elements that it was taken to
    /// have, if they are not at its own.
    pub fn arrays_of(&self, object: Reference) -> impl Iterator<Item = Reference> + '_ {
        self.arrays.iter().filter(move |pair| pair.0 == object).map(|pair| pair.1)
    }

    /// The elements of an input object are at its own place from now on.
    pub fn forget_arrays(&mut self, object: Reference) {
        Rc::make_mut(&mut self.arrays).retain(|pair| pair.0 != object);
    }

    /// The input object whose elements are at a place.
    pub fn array_object(&self, array: Reference) -> Option<&Symbolic> {
        let object = self.arrays.iter().find(|pair| pair.1 == array).map_or(array, |pair| pair.0);
        self.object(object)
    }

    /// Notes that a bound lets an input be an object that was used before, and nothing else.
    pub fn note_bounded(&mut self, input: InputId) {
        if !self.is_bounded(input) {
            Rc::make_mut(&mut self.bounded).push(input);
        }
    }

    /// Whether a bound lets an input be nothing else than an object that was used before.
    pub fn is_bounded(&self, input: InputId) -> bool {
        self.bounded.contains(&input)
    }

    /// Whether the inputs that are compared are known not to be one object.
    pub(crate) fn is_apart(&self, equality: TermId) -> bool {
        self.apart.binary_search(&equality).is_ok()
    }

    /// Notes that the inputs that are compared are not one object.
    pub(crate) fn tell_apart(&mut self, equality: TermId) {
        if let Err(place) = self.apart.binary_search(&equality) {
            Rc::make_mut(&mut self.apart).insert(place, equality);
        }
    }

    /// Whether an equality was made consistent.
    pub fn is_tied(&self, equality: TermId) -> bool {
        self.tied.binary_search(&equality).is_ok()
    }

    /// Whether an equality is new here; from now on it is not.
    pub fn tie(&mut self, equality: TermId) -> bool {
        match self.tied.binary_search(&equality) {
            Ok(_) => false,
            Err(place) => {
                Rc::make_mut(&mut self.tied).insert(place, equality);
                true
            }
        }
    }

    /// Whether two objects of a value class are one, as far as that was decided.
    pub fn identity(&self, a: Reference, b: Reference) -> Option<bool> {
        if self.is_mixed(a, b) {
            let pair = (a.min(b), a.max(b));
            return self.kept.iter().find(|entry| (entry.0, entry.1) == pair).map(|entry| entry.2);
        }
        let (a, b) = (self.representative(a), self.representative(b));
        if a == b {
            return Some(true);
        }
        let pair = self.in_order(a, b);
        let apart = |&&(x, y, same): &&(Reference, Reference, bool)| {
            let (x, y) = (self.representative(x), self.representative(y));
            !same && self.in_order(x, y) == pair
        };
        self.identities.iter().find(apart).map(|_| false)
    }

    /// Records whether two objects of a value class are one.
    pub fn identify(&mut self, a: Reference, b: Reference, same: bool) {
        if self.is_mixed(a, b) {
            return Rc::make_mut(&mut self.kept).push((a.min(b), a.max(b), same));
        }
        let (a, b) = self.in_order(self.representative(a), self.representative(b));
        Rc::make_mut(&mut self.identities).push((a, b, same));
    }

    /// Whether just one of two objects is an input object.
    fn is_mixed(&self, a: Reference, b: Reference) -> bool {
        self.object(a).is_some() != self.object(b).is_some()
    }

    /// Whether an object of a value class was compared with another by reference.
    pub fn is_compared(&self, object: Reference) -> bool {
        let mut pairs = self.identities.iter().chain(self.kept.iter());
        pairs.any(|entry| entry.0 == object || entry.1 == object)
    }

    /// The oldest object that is the same as this one.
    pub fn representative(&self, of: Reference) -> Reference {
        let mut found = of;
        // Each entry leads from the younger to the older object, so this ends.
        while let Some(&(older, _, _)) =
            self.identities.iter().find(|&&(_, younger, same)| same && younger == found)
        {
            found = older;
        }
        found
    }

    /// The number of the next value that the program asks for.
    pub fn next_request(&self) -> u32 {
        self.requests
    }

    /// Counts a request that was met.
    pub fn count_request(&mut self) {
        self.requests += 1;
    }

    /// Notes which input the next request is for. Doing it again changes nothing.
    pub fn note_request(&mut self, input: InputId) {
        let asked = Rc::make_mut(&mut self.asked);
        asked.truncate(self.requests as usize);
        asked.push(input);
    }

    /// What the program has asked for, in order.
    pub fn asked(&self) -> &[InputId] {
        &self.asked
    }
}
