//! Static fields as inputs ([Kiasan] 3.1): those of the target that can change after their class was
//! initialized hold anything when the method begins.
//!
//! Which ones these are the classes in view say ([`Universe::changing`](dalang_heap::Universe)). A
//! class is initialized as ever, when it is first used (JVMS 5.5), and then such fields get symbols:
//! that is a state in which the class was initialized before the method ran and anything was stored
//! since, what the initializer left included. If the initializer touches more than its own class, it
//! may make a difference when it ran; then an assumption says so. Where values are
//! [given](State::preset), as when a path is run again on constants, those are taken.

use crate::frame::Frame;
use crate::machine::Machine;
use crate::state::{Initialization, State};
use dalang_classes::{ClassId, FieldId};
use dalang_heap::Value;
use std::rc::Rc;
use std::sync::Arc;

/// Where static fields get their values from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Globals {
    /// From initializers, because the program has just been started.
    #[default]
    Fresh,
    /// From initializers, which is an assumption.
    Initialized,
    /// From whoever could have changed them: they are inputs.
    Inputs,
}

impl<'p> Machine<'p> {
    /// A class was initialized, so from now on its static fields hold what the method finds there.
    pub(crate) fn expose(&mut self, state: &mut State<'p>, class: ClassId) {
        if self.settings.globals == Globals::Fresh || !self.is_begun(state) {
            return;
        }
        let fields = self.unknowns.domains.changing(self.program, class);
        if self.settings.globals == Globals::Initialized {
            self.assume_initialized(state, &fields);
            return;
        }
        let early = self.is_before_method(state);
        if !fields.is_empty() && !state.exposed.contains(&class) {
            Rc::make_mut(&mut state.exposed).push(class);
        }
        self.note_first_use(state, class, early);
        if !early {
            return self.give_inputs(state, &fields);
        }
        // Whatever initializers have stored elsewhere was overwritten, or could have been.
        for class in Rc::clone(&state.exposed).iter() {
            let fields = self.unknowns.domains.changing(self.program, *class);
            self.give_inputs(state, &fields);
        }
    }

    /// Whether the state explores a method, or runs one again.
    fn is_begun(&self, state: &State<'p>) -> bool {
        !state.knowledge.is_blank() || state.preset.is_some()
    }

    /// Whether the method that is explored has not begun.
    fn is_before_method(&self, state: &State<'p>) -> bool {
        let frames = state.frames();
        frames.len() <= state.track.base + 1 && frames.last().is_none_or(Frame::is_hidden)
    }

    fn assume_initialized(&mut self, state: &State<'p>, fields: &Arc<[FieldId]>) {
        if !fields.is_empty() {
            self.assume(
                state,
                "static fields: the target's hold what their initializers gave them \
                 (--statics initialized)",
            );
        }
    }

    fn give_inputs(&mut self, state: &mut State<'p>, fields: &[FieldId]) {
        for &field in fields {
            let value = match &state.preset {
                Some(preset) => preset.iter().find(|given| given.0 == field).map(|given| given.1),
                None => {
                    let (inputs, pool) = (&mut self.unknowns.inputs, &mut self.pool);
                    let input = inputs.global(self.program, pool, field);
                    input.map(|input| Value::Term(self.unknowns.inputs.get(input).term))
                }
            };
            let statics = self.statics(state, self.program.field(field).class);
            let slot = self.program.field(field).slot as usize;
            if let Some(value) = value {
                state.heap.set(statics, slot, value);
            }
        }
    }

    /// Says what static fields hold when the method begins. Those of classes that are initialized hold
    /// it at once, the others as soon as theirs is.
    pub fn preset(&mut self, state: &mut State<'p>, values: Vec<(FieldId, Value)>) {
        let values: Rc<[(FieldId, Value)]> = values.into();
        state.preset = Some(Rc::clone(&values));
        for &(field, _) in values.iter() {
            let class = self.program.field(field).class;
            if state.initialization(class) == Initialization::Done {
                self.expose(state, class);
            }
        }
    }

    /// The static fields that hold inputs in a state, in the order in which they came to.
    pub fn exposed(&self, state: &State<'p>) -> Vec<FieldId> {
        let fields = |&class| self.unknowns.domains.changing(self.program, class).to_vec();
        state.exposed.iter().flat_map(fields).collect()
    }
}
