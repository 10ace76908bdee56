//! Fields of objects by name alone, as an invariant reads them that is written outside of a class.
//!
//! The field is the one that is declared lowest in the object's class. If that class is uncertain, as
//! much of it is asked for as decides which field is meant.

use crate::flow::{Flow, Interrupt, Question, bug};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, FieldId};
use dalang_heap::policy::typing::{self, Subject};
use dalang_heap::{Need, Reference, Value};
use std::rc::Rc;

impl<'p> Machine<'p> {
    /// The object that a value refers to, whose class may be uncertain; throws a
    /// `NullPointerException` if it is null.
    pub fn object_of(&mut self, state: &mut State<'p>, value: Value) -> Flow<Reference> {
        self.located(state, value)
    }

    /// A reference of which it is known to what object it leads, if any, but not of which class.
    pub fn resolved(&mut self, state: &mut State<'p>, value: Value) -> Flow<Value> {
        self.needed(state, value, Need::Object)
    }

    /// A reference of which it is known to what object it leads, if any, and of which class that is.
    pub fn settled(&mut self, state: &mut State<'p>, value: Value) -> Flow<Value> {
        let value = self.needed(state, value, Need::Object)?;
        if let Value::Reference(object) = value
            && !object.is_null()
        {
            self.class_of_object(state, object)?;
        }
        Flow::Continue(value)
    }

    /// Whether two references are the same.
    pub fn same_references(&mut self, state: &mut State<'p>, a: Value, b: Value) -> Flow<bool> {
        match (a, b) {
            (Value::Reference(a), Value::Reference(b)) => self.same_objects(state, a, b),
            (a, b) => self.symbolic_same(state, a, b),
        }
    }

    /// The instance field of this name that the object of a reference has; none if it has none.
    /// Throws a `NullPointerException` if the reference is null.
    pub fn field_named(
        &mut self,
        state: &mut State<'p>,
        value: Value,
        name: &str,
    ) -> Flow<Option<FieldId>> {
        if self.is_guarded(state, value) {
            return self.guarded_field_named(state, value, name);
        }
        let object = self.object_of(state, value)?;
        let found = state.heap.object(object);
        if found.body.is_array() {
            return Flow::Continue(None);
        }
        if !found.inexact {
            return Flow::Continue(self.lowest(found.class, name));
        }
        let Some(symbolic) = state.knowledge.object(object) else {
            return bug("an object of uncertain class is no input");
        };
        let mut groups: Vec<(Option<FieldId>, Vec<ClassId>)> = Vec::new();
        for &class in Rc::clone(self.unknowns.domains.classes(symbolic.domain)).iter() {
            let field = self.lowest(class, name);
            match groups.iter_mut().find(|(known, _)| *known == field) {
                Some((_, classes)) => classes.push(class),
                None => groups.push((field, vec![class])),
            }
        }
        if let [(field, _)] = groups.as_slice() {
            return Flow::Continue(*field);
        }
        let groups: Vec<_> =
            groups.iter().map(|(_, classes)| self.unknowns.domains.of(classes)).collect();
        let question = Question::Choice(typing::field(Subject::Object(object), &groups).into());
        Flow::Break(Interrupt::Ask(question))
    }

    /// What is in a field of the object of a reference, as `getfield` would read it.
    pub fn read_field(
        &mut self,
        state: &mut State<'p>,
        value: Value,
        field: FieldId,
    ) -> Flow<Value> {
        if self.is_guarded(state, value) {
            return self.guarded_get(state, value, field);
        }
        let object = self.object_of(state, value)?;
        self.read_slot(state, object, field)
    }

    /// The same, of an object that has all its fields.
    pub(crate) fn read_slot(
        &mut self,
        state: &mut State<'p>,
        object: Reference,
        field: FieldId,
    ) -> Flow<Value> {
        match state.heap.get(object, self.program.field(field).slot as usize) {
            Some(value) => self.read(state, value),
            None => bug(format!("{} is not in its object", self.program.field_spelling(field))),
        }
    }

    /// The field of a class that has this name, the one declared lowest.
    pub(crate) fn lowest(&self, class: ClassId, name: &str) -> Option<FieldId> {
        let slot = self.slot(class, name)?;
        self.program.class(class).instance_fields.get(slot).copied()
    }
}
