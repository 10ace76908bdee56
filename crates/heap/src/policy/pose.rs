//! Path-optimal symbolic execution: an input reference stays a symbol, and what aliases do to a field
//! is an ite in the field.
//!
//! # Source
//! [POSE] section III and its appendix, Figs. 4, 5 and 7 to 12.
//!
//! # Guarantee
//! A path is divided only where the program decides something: a branch, a null dereference, an
//! index, a cast, a store, which method a call runs. So there is one path for each feasible path of
//! the program, within the bounds and over the classes in view.
//!
//! # Not covered
//! As for [`lazy`](super::lazy).
//!
//! # Invariant
//! If two inputs are the same object on a path, every field that both of their objects have a value
//! for has the same value in both.
//!
//! # Deviations
//! - D1. [POSE] evaluates `ite(c, a, b).f` twice and merges the heaps (`mergeHGf`, `mergeHPf`,
//!   `mergePC`, `mergeClauses`). Here a read visits each leaf once and a write changes each object
//!   once, under the condition that it is meant; the heaps that come out are the same, and none is
//!   copied.
//! - D2. That a dereferenced reference is not null is one decision for the whole reference, not one
//!   for each of its symbols.
//! - D3. `Invoke (c3)` and `(c4)` divide a path by which object a receiver is. Here it is divided by
//!   which method runs, however many objects run it.
//! - D4. A class is a symbol of the input, and equal inputs have equal classes; [POSE] writes
//!   `Y <: c`. What an object can be is known from the start: the classes in view.
//! - D5. Arrays, which [POSE] leaves out: of several inputs that are the same array, the one that was
//!   used first owns the elements ([`Guarded::owners`]). An access at an index that is a term is an
//!   ite over the elements.
//! - D6. Boxes, strings and constants of enums as in [`lazy`](super::lazy) D2 and D3. An input of an
//!   enum is an ite over null and its constants, and divides nothing. A comparison with what is known
//!   to be a box or a string is one of identities, for which the two objects are decided first.
//! - D7. The k- and n-bounds are on objects that are used, or compared with another input: a symbolic
//!   object counts where it is and is not the same as one that was used before. So the bounds mean
//!   what they mean for the lazy family ([`bounds`](super::bounds)).
//! - D8. A method that is native needs to know its objects: which object a reference is, is decided
//!   then, as the lazy family does.
//! - D9. [POSE] makes a field of an input, when it is first read, an ite over the same field of all
//!   inputs that it may be an alias of. Here it is a symbol of its own, whatever was used before: that
//!   equal inputs have equal fields is added to a path when values that a solver gives break it. An ite
//!   comes of a store alone, over the inputs that something was stored through.
//! - D10. A field of one object that is compared with itself, by way of two inputs of which it is open
//!   whether they are that object, counts towards the bounds as two fields do.

use crate::apply::{Change, value_type};
use crate::domain::DomainId;
use crate::input::{InputId, Step};
use crate::object::Body;
use crate::places::Named;
use crate::policy::guarded::{Guarded, Leaf};
use crate::policy::{Policy, Unknowns};
use crate::reference::Reference;
use crate::value::Value;
use dalang_classes::{ClassId, FieldId, Shape, ValueType};
use dalang_term::{Op, Pool, TermId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

impl Guarded<'_> {
    /// The object of an input, which is given one if it has none.
    ///
    /// Rule `pose/bind` - [POSE, Fig. 12, Getfield (r1), Putfield (r1)]. Deviation: D2.
    pub fn open(&mut self, input: InputId) -> Reference {
        if let Some(bound) = self.bound(input) {
            return bound.reference;
        }
        self.discover("pose/bind");
        let body = self.blank(input);
        self.place(input, body)
    }

    /// What an object holds that nobody has looked at; none if that is nothing.
    pub(crate) fn blank(&mut self, input: InputId) -> Option<Body> {
        let domain = self.domain(input);
        let class = self.unknowns.domains.upper(self.program, domain);
        let is_array = matches!(self.program.class(class).shape, Shape::Array { .. });
        // Boxes of several types have no fields in common: what they have is known once it is looked at.
        if !is_array && !self.unknowns.values.contains(&class) {
            return None;
        }
        Some(self.body(input, class))
    }

    /// What an object of a class holds that nobody has looked at.
    pub fn body(&mut self, input: InputId, class: ClassId) -> Body {
        let mut change = Change {
            program: self.program,
            pool: self.pool,
            unknowns: self.unknowns,
            heap: self.heap,
            knowledge: self.knowledge,
        };
        let mut body = change.body(input, class, self.facts);
        if self.unknowns.policy == Policy::Pose {
            self.share_length(input, &mut body);
        }
        body
    }

    /// The object of an input of a general type turns out to be an array.
    pub fn become_array(&mut self, input: InputId, object: Reference, class: ClassId) {
        let body = self.body(input, class);
        let array = self.heap.allocate_as(Named::Elements(input, class), class, body);
        self.knowledge.note_array(object, array);
    }

    /// Rule `pose/array-length`: an array that is the same as another is as long. Deviation: D5.
    fn share_length(&mut self, input: InputId, body: &mut Body) {
        let Body::Elements(array) = body else { return };
        let mut length = array.length;
        self.discover("pose/array-length");
        for other in self.others(input) {
            let Some(other_array) = self.elements_of(other.reference, &|_| true) else { continue };
            let Body::Elements(elements) = &self.heap.object(other_array).body else {
                continue;
            };
            let theirs = elements.length;
            let same = self.same_inputs(input, other.input);
            length = self.pool.ite(same, theirs, length);
        }
        Rc::make_mut(array).length = length;
    }

    /// The value of a field of an object, if it has one.
    pub(crate) fn stored(&self, object: Reference, field: FieldId) -> Option<Value> {
        let found = self.heap.object(object);
        match &found.body {
            Body::Accessed(fields) => fields.get(self.program, found.class, field),
            Body::Fields(values) => {
                let declared = self.program.field(field);
                let has = self.program.is_subtype(found.class, declared.class);
                values.get(declared.slot as usize).copied().filter(|_| has)
            }
            _ => None,
        }
    }

    /// Whether an object has turned out to be of a class that has other fields. The input may still be
    /// taken for one that has this field where a reference has other leaves; what is at its slot is
    /// another field.
    pub(crate) fn lacks(&self, object: Reference, field: FieldId) -> bool {
        let found = self.heap.object(object);
        matches!(found.body, Body::Fields(_) | Body::Accessed(_))
            && !found.inexact
            && !self.program.is_subtype(found.class, self.program.field(field).class)
    }

    /// Gives a field of an object a value.
    pub(crate) fn store(&mut self, object: Reference, field: FieldId, value: Value) {
        let found = self.heap.object_mut(object);
        let class = found.class;
        match &mut found.body {
            Body::Accessed(fields) => Rc::make_mut(fields).set(self.program, class, field, value),
            body => {
                body.set_field(self.program.field(field).slot as usize, value);
            }
        }
    }

    /// What a field of an input object was before the run; none if no class that the object can be
    /// of has the field.
    pub(crate) fn initial(&mut self, input: InputId, field: FieldId) -> Option<Value> {
        let owner = self.program.field(field).class;
        let domain = self.domain(input);
        if self.unknowns.domains.cut(self.program, domain, owner, true) == DomainId::EMPTY {
            self.unknowns.rely_on_test(input, owner);
            return None;
        }
        let value = self.unknowns.inputs.field(self.program, self.pool, input, field);
        if let Some(id) = self.unknowns.inputs.find(Step::Field(input, field)) {
            self.knowledge.note_field(id);
        }
        Some(value)
    }

    /// The value of a field of the object of an input.
    ///
    /// Rule `pose/getfield-known` - [POSE, Fig. 10, Getfield (c1)].
    fn field_of(&mut self, input: InputId, field: FieldId) -> Option<Value> {
        let object = self.open(input);
        match self.stored(object, field) {
            Some(value) => {
                self.apply("pose/getfield-known");
                Some(value)
            }
            None if self.lacks(object, field) => None,
            None => self.assume(input, object, field),
        }
    }

    /// Rule `pose/getfield-assume` - [POSE, Fig. 12, Getfield (r1.b) and (r2), `assume`]. Deviation: D9.
    fn assume(&mut self, input: InputId, object: Reference, field: FieldId) -> Option<Value> {
        self.discover("pose/getfield-assume");
        let value = match self.twin_value(input, field) {
            Some(value) => value,
            None => self.written_value(input, field)?,
        };
        self.store(object, field, value);
        Some(value)
    }

    /// What a field of an input that the path has found to be the same object holds, if that is known.
    fn twin_value(&mut self, input: InputId, field: FieldId) -> Option<Value> {
        self.notice_twins();
        let twins = self.knowledge.twins(input);
        twins.into_iter().find_map(|twin| {
            let bound = self.bound(twin)?;
            self.stored(bound.reference, field)
        })
    }

    /// Notes which inputs are the same object, now that the path has settled more.
    fn notice_twins(&mut self) {
        let new = self.knowledge.look_at(self.settled.count());
        let conditions: Vec<TermId> = self.settled.conditions().rev().take(new).collect();
        for condition in conditions {
            let node = self.pool.node(condition);
            if node.op != Op::Eq || self.settled.holds(self.pool, condition) != Some(true) {
                continue;
            }
            let [a, b] = [node.arg(0), node.arg(1)]
                .map(|side| self.unknowns.inputs.of_term(self.pool, side));
            if let (Some(a), Some(b)) = (a, b) {
                self.knowledge.note_twins(a, b);
            }
        }
    }

    /// What a field of an input was before the run, or what was stored in it through an input that is
    /// the same object.
    fn written_value(&mut self, input: InputId, field: FieldId) -> Option<Value> {
        let initial = self.initial(input, field)?;
        let sources = if !self.knowledge.is_bounded(input) {
            self.knowledge.writers(field)
        } else if matches!(self.program.field(field).value, ValueType::Primitive(_)) {
            // It is one of these, so that a comparison with it is one with them, which order decides.
            self.others(input).iter().map(|other| other.input).collect()
        } else {
            self.tie_bounded(input, field);
            self.knowledge.writers(field)
        };
        let mut value = initial;
        for source in sources {
            let Some(bound) = self.bound(source) else { continue };
            let Some(theirs) = self.stored(bound.reference, field) else { continue };
            match self.same_inputs(input, source) {
                Pool::TRUE => return Some(theirs),
                same => value = self.either(same, theirs, value),
            }
        }
        Some(value)
    }

    /// An input that a bound lets be nothing else than an older object has the references that are in it:
    /// what is said elsewhere once values of a solver break it is said here at once.
    fn tie_bounded(&mut self, input: InputId, field: FieldId) {
        let Some(own) = self.unknowns.inputs.find(Step::Field(input, field)) else { return };
        for other in self.others(input) {
            let theirs = self.unknowns.inputs.find(Step::Field(other.input, field));
            let Some(theirs) = theirs.filter(|id| self.knowledge.fields().contains(id)) else {
                continue;
            };
            let same = self.same_inputs(input, other.input);
            let equal = self.same_inputs(own, theirs);
            let fact = self.pool.implies(same, equal);
            if fact != Pool::TRUE {
                self.facts.holds.push(fact);
            }
        }
    }

    /// What is read of a field of a reference that is not null; none if nothing that it can be has
    /// the field.
    ///
    /// Rule `pose/getfield-ite` - [POSE, Fig. 10, Getfield (c2) to (c5), `mergeHGf`, `mergePC`].
    /// Deviation: D1.
    pub fn get_field(&mut self, reference: TermId, field: FieldId) -> Option<Value> {
        let mut known = FxHashMap::default();
        self.get_part(reference, field, &mut known)
    }

    fn get_part(
        &mut self,
        reference: TermId,
        field: FieldId,
        known: &mut FxHashMap<TermId, Option<Value>>,
    ) -> Option<Value> {
        if let Some(&value) = known.get(&reference) {
            return value;
        }
        let value = match self.branches(reference) {
            None => self.get_leaf(reference, field),
            Some([test, then, otherwise]) => match self.settle(test) {
                Pool::TRUE => self.get_part(then, field, known),
                Pool::FALSE => self.get_part(otherwise, field, known),
                test => {
                    if self.unknowns.policy == Policy::Pose {
                        self.apply("pose/getfield-ite");
                    }
                    let then = self.get_part(then, field, known);
                    let otherwise = self.get_part(otherwise, field, known);
                    match (then, otherwise) {
                        (Some(then), Some(otherwise)) => Some(self.either(test, then, otherwise)),
                        (one, other) => one.or(other),
                    }
                }
            },
        };
        known.insert(reference, value);
        value
    }

    fn get_leaf(&mut self, leaf: TermId, field: FieldId) -> Option<Value> {
        match self.leaf(leaf) {
            Leaf::Null => None,
            Leaf::Symbol(input) => self.field_of(input, field),
            Leaf::Object(object) => match self.knowledge.object(object).copied() {
                Some(location) => self.summarized(location, field),
                None => self.stored(object, field),
            },
        }
    }

    /// Stores a value in a field of a reference that is not null; false if nothing that it can be has
    /// the field.
    ///
    /// Rule `pose/putfield` - [POSE, Fig. 10, Putfield (c1), (c5), `update`; Fig. 12, Putfield
    /// (r1.b)], and rule `pose/putfield-ite` - [POSE, Fig. 10, Putfield (c2) to (c4), `mergeHPf`, `mergeClauses`;
    /// Fig. 12, Putfield (r1.b)]. Deviation: D1. Rule `summary/field-write` - [Summaries, Fig. 9,
    /// FIELD WRITE, Def. 2]. Deviation: D1 of summaries.
    pub fn put_field(&mut self, reference: TermId, field: FieldId, value: Value) -> bool {
        let leaves = self.leaves(reference);
        let single = leaves.len() == 1;
        self.apply(match self.unknowns.policy {
            Policy::Summary => "summary/field-write",
            _ if single => "pose/putfield",
            _ => "pose/putfield-ite",
        });
        let mut changes: Vec<(Reference, Value)> = Vec::new();
        let mut meant: Vec<InputId> = Vec::new();
        for (condition, leaf) in leaves {
            match self.leaf(leaf) {
                Leaf::Null => {}
                Leaf::Symbol(input) => {
                    let owner = self.program.field(field).class;
                    let domain = self.domain(input);
                    let fits = self.unknowns.domains.cut(self.program, domain, owner, true);
                    if fits == DomainId::EMPTY {
                        self.unknowns.rely_on_test(input, owner);
                    } else {
                        self.open(input);
                        self.knowledge.note_writer(field, input);
                        meant.push(input);
                    }
                }
                Leaf::Object(object) => {
                    let old = match self.knowledge.object(object).copied() {
                        // The old value matters only where another object is meant.
                        Some(_) if condition == Pool::TRUE => Some(value),
                        Some(location) => self.summarized(location, field),
                        None => self.stored(object, field),
                    };
                    if let Some(old) = old {
                        let new = self.either(condition, value, old);
                        changes.push((object, new));
                    }
                }
            }
        }
        self.update(reference, field, value, &meant, &mut changes);
        for &(object, new) in &changes {
            self.store(object, field, new);
        }
        !changes.is_empty()
    }

    /// What a store does to every object that the reference can be.
    fn update(
        &mut self,
        reference: TermId,
        field: FieldId,
        value: Value,
        meant: &[InputId],
        changes: &mut Vec<(Reference, Value)>,
    ) {
        if meant.is_empty() {
            return;
        }
        for object in self.knowledge.objects().to_vec() {
            if self.lacks(object.reference, field) {
                continue;
            }
            let is_meant = meant.contains(&object.input);
            let old = self.stored(object.reference, field);
            if !is_meant && (old.is_none() || self.unknowns.is_value(object.domain)) {
                continue;
            }
            let new = match self.same(reference, self.symbol(object.input)) {
                Pool::FALSE => continue,
                Pool::TRUE => value,
                same => {
                    let old = old.or_else(|| self.field_of(object.input, field));
                    let Some(old) = old else { continue };
                    self.either(same, value, old)
                }
            };
            changes.push((object.reference, new));
        }
    }

    /// The arrays that a reference can be, each with the condition: no two conditions hold at once,
    /// and one does, if the reference is not null. An array that several inputs lead to is that of
    /// the input that was used first. What is no array is left out.
    ///
    /// Rule `pose/array-owner`. Deviation: D5.
    pub fn owners(
        &mut self,
        reference: TermId,
        wanted: &dyn Fn(ValueType) -> bool,
    ) -> Vec<(TermId, Reference)> {
        self.apply("pose/array-owner");
        let mut owners: Vec<(TermId, Reference)> = Vec::new();
        for (condition, leaf) in self.leaves(reference) {
            match self.leaf(leaf) {
                Leaf::Null => {}
                Leaf::Object(object) => self.add_owner(&mut owners, condition, object, wanted),
                Leaf::Symbol(input) => {
                    let own = self.open(input);
                    let met = self.knowledge.object(own).map(|own| own.met);
                    let mut rest = condition;
                    for other in self.others(input) {
                        if Some(other.met) >= met {
                            break;
                        }
                        // Both may be null as far as the path knows, but then neither is used.
                        if self.elements_of(other.reference, wanted).is_none() {
                            continue;
                        }
                        let same = self.same_inputs(input, other.input);
                        let owned = self.pool.and(rest, same);
                        self.add_owner(&mut owners, owned, other.reference, wanted);
                        let different = self.pool.not(same);
                        rest = self.pool.and(rest, different);
                    }
                    self.add_owner(&mut owners, rest, own, wanted);
                }
            }
        }
        owners
    }

    /// Where the elements of an object are, if it is an array of such elements.
    pub fn elements_of(
        &self,
        object: Reference,
        wanted: &dyn Fn(ValueType) -> bool,
    ) -> Option<Reference> {
        let mut places = self.knowledge.arrays_of(object).chain([object]);
        places.find(|&place| self.element(place).is_some_and(wanted))
    }

    /// The type of an array's elements; none if it is no array.
    fn element(&self, array: Reference) -> Option<ValueType> {
        let found = self.heap.object(array);
        match (&found.body, &self.program.class(found.class).shape) {
            (Body::Elements(elements), _) => Some(elements.element),
            (body, &Shape::Array { component, .. }) if body.is_array() => {
                Some(value_type(self.program, component))
            }
            _ => None,
        }
    }

    fn add_owner(
        &mut self,
        owners: &mut Vec<(TermId, Reference)>,
        condition: TermId,
        object: Reference,
        wanted: &dyn Fn(ValueType) -> bool,
    ) {
        let Some(array) = self.elements_of(object, wanted) else { return };
        if condition == Pool::FALSE {
            return;
        }
        match owners.iter_mut().find(|owner| owner.1 == array) {
            Some(owner) => owner.0 = self.pool.or(owner.0, condition),
            None => owners.push((condition, array)),
        }
    }

    /// `condition ? then : otherwise`
    pub fn either(&mut self, condition: TermId, then: Value, otherwise: Value) -> Value {
        match condition {
            Pool::TRUE => then,
            Pool::FALSE => otherwise,
            _ if then == otherwise => then,
            _ => {
                let (then, otherwise) = (self.term(then), self.term(otherwise));
                let either = self.pool.ite(condition, then, otherwise);
                Value::of(self.pool, either)
            }
        }
    }

    /// The term of a value; that of an input object is its input's.
    pub fn term(&mut self, value: Value) -> TermId {
        if let (Value::Reference(object), Policy::Pose) = (value, self.unknowns.policy)
            && let Some(symbolic) = self.knowledge.object(object)
        {
            return self.unknowns.inputs.get(symbolic.input).term;
        }
        value.term(self.pool)
    }
}

impl Unknowns {
    /// How often each rule of the policies that do not divide paths was applied, in order.
    pub fn applied(&mut self) -> Vec<(&'static str, u64)> {
        let mut applied = self.rules.applied();
        let rule = match self.policy {
            Policy::Summary => "summary/field-access",
            _ => "pose/getfield-known",
        };
        match applied.iter_mut().find(|entry| entry.0 == rule) {
            Some(entry) => entry.1 += self.reads_by_slot,
            None if self.reads_by_slot > 0 => applied.push((rule, self.reads_by_slot)),
            None => {}
        }
        applied.sort_unstable();
        applied
    }
}
