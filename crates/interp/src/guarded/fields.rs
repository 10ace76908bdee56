//! Fields of references that stay unresolved.

use crate::flow::{Flow, raise_bare};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, FieldId};
use dalang_heap::policy::guarded::Classed;
use dalang_heap::{Leaf, Reference, Value};
use dalang_term::{Pool, TermId};
use std::rc::Rc;

/// Fields that a name can mean, each with the condition; none where no field has the name.
type Meanings = Vec<(Option<FieldId>, TermId)>;

impl<'p> Machine<'p> {
    /// Rule `jvms/getfield` on a reference that stays unresolved.
    #[cold]
    pub(crate) fn guarded_get(
        &mut self,
        state: &mut State<'p>,
        value: Value,
        field: FieldId,
    ) -> Flow<Value> {
        if self.is_of_string(field) {
            let string = self.settled_string(state, value)?;
            return self.read_slot(state, string, field);
        }
        let reference = self.used(state, value)?;
        match self.guarded(state).get_field(reference, field) {
            Some(value) => Flow::Continue(value),
            None => self.no_such_field(field),
        }
    }

    /// Rule `jvms/putfield` on a reference that stays unresolved.
    #[cold]
    pub(crate) fn guarded_put(
        &mut self,
        state: &mut State<'p>,
        object: Value,
        field: FieldId,
        value: Value,
    ) -> Flow {
        if self.is_of_string(field) {
            let string = self.settled_string(state, object)?;
            let slot = self.program.field(field).slot as usize;
            if state.heap.set(string, slot, value) {
                return Flow::Continue(());
            }
            return self.no_such_field(field);
        }
        let reference = self.used(state, object)?;
        if self.guarded(state).put_field(reference, field, value) {
            return Flow::Continue(());
        }
        self.no_such_field(field)
    }

    /// Whether a field is one of those in which a string keeps its characters. What they are is known
    /// of a string as a whole, not field by field.
    fn is_of_string(&self, field: FieldId) -> bool {
        self.program.field(field).class == self.known.string
    }

    /// The string that a reference of a general type has turned out to be.
    fn settled_string(&mut self, state: &mut State<'p>, value: Value) -> Flow<Reference> {
        match self.settled_reference(state, value)? {
            Value::Reference(string) if !string.is_null() => Flow::Continue(string),
            _ => raise_bare("java/lang/NullPointerException"),
        }
    }

    /// The instance field of this name of a reference's object, which is not null. Which object it
    /// is stays open; only if objects that it can be have different fields of the name, it is
    /// decided which field is meant.
    pub(crate) fn guarded_field_named(
        &mut self,
        state: &mut State<'p>,
        value: Value,
        name: &str,
    ) -> Flow<Option<FieldId>> {
        let reference = self.not_null(state, value)?;
        let mut meanings: Meanings = Vec::new();
        for (condition, leaf) in self.guarded(state).classed_leaves(reference) {
            for (field, holds) in self.leaf_fields(state, leaf, name) {
                let both = self.pool.and(condition, holds);
                match meanings.iter_mut().find(|known| known.0 == field) {
                    Some(known) => known.1 = self.pool.or(known.1, both),
                    None => meanings.push((field, both)),
                }
            }
        }
        let Some((last, others)) = meanings.split_last() else { return Flow::Continue(None) };
        for &(field, condition) in others {
            if self.decide(state, condition)? {
                return Flow::Continue(field);
            }
        }
        Flow::Continue(last.0)
    }

    fn leaf_fields(&mut self, state: &mut State<'p>, leaf: Leaf, name: &str) -> Meanings {
        let input = match self.guarded(state).classed(leaf) {
            None => return Vec::new(),
            Some(Classed::Exactly(class)) => return vec![(self.lowest(class, name), Pool::TRUE)],
            Some(Classed::Input(input)) => input,
        };
        let domain = self.guarded(state).domain(input);
        let mut groups: Vec<(Option<FieldId>, Vec<ClassId>)> = Vec::new();
        for &class in Rc::clone(self.unknowns.domains.classes(domain)).iter() {
            let field = self.lowest(class, name);
            match groups.iter_mut().find(|(known, _)| *known == field) {
                Some((_, classes)) => classes.push(class),
                None => groups.push((field, vec![class])),
            }
        }
        let mut meanings = Vec::with_capacity(groups.len());
        for (field, classes) in groups {
            let group = self.unknowns.domains.of(&classes);
            meanings.push((field, self.guarded(state).is_among(input, group)));
        }
        meanings
    }
}
