//! Notes what answers of instructions rest on that no class is there but those in view: the other
//! half of this is in `heap`, where sets of classes are.

use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, MethodId};
use dalang_heap::policy::typing::Subject;
use dalang_heap::{InputId, Reference, Value};

impl<'p> Machine<'p> {
    fn input_of(state: &State<'p>, object: Reference) -> Option<InputId> {
        state.knowledge.object(object).map(|symbolic| symbolic.input)
    }

    /// The input whose type is uncertain.
    pub(crate) fn input_behind(state: &State<'p>, subject: Subject) -> Option<InputId> {
        match subject {
            Subject::Maybe(input) | Subject::Location(input) => Some(input),
            Subject::Object(object) => Self::input_of(state, object),
        }
    }

    /// A set of classes answers whether something is of a type.
    pub(crate) fn note_test(&mut self, state: &State<'p>, subject: Subject, class: ClassId) {
        if let Some(input) = Self::input_behind(state, subject) {
            self.unknowns.rely_on_test(input, class);
        }
    }

    /// A set of classes answers which methods a call can run.
    pub(crate) fn note_dispatch(
        &mut self,
        state: &State<'p>,
        subject: Subject,
        resolved: MethodId,
    ) {
        if let Some(input) = Self::input_behind(state, subject) {
            self.unknowns.rely_on_dispatch(self.program, input, resolved);
        }
    }

    /// Something depends on the very class of an object.
    pub(crate) fn note_class(&mut self, state: &State<'p>, object: Reference) {
        if let Some(input) = Self::input_of(state, object) {
            self.unknowns.rely_on_all(input);
        }
    }

    /// A reference of which the class is known is tested for a type.
    pub(crate) fn note_known_test(&mut self, state: &State<'p>, value: Value, class: ClassId) {
        if let Value::Reference(object) = self.known_value(state, value)
            && !object.is_null()
            && self.unknowns.domains.is_sole(state.heap.class(object))
        {
            self.note_sole_test(state, object, class);
        }
    }

    /// An object that may be of its class because no other is in view is tested for a type.
    #[cold]
    pub(crate) fn note_sole_test(&mut self, state: &State<'p>, object: Reference, class: ClassId) {
        if let Some(input) = Self::input_of(state, object) {
            self.unknowns.rely_on_test(input, class);
        }
    }

    /// A method is called on such an object.
    #[cold]
    pub(crate) fn note_sole_dispatch(
        &mut self,
        state: &State<'p>,
        object: Reference,
        resolved: MethodId,
    ) {
        if let Some(input) = Self::input_of(state, object) {
            self.unknowns.rely_on_dispatch(self.program, input, resolved);
        }
    }
}
