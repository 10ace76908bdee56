//! What a program asks a verifier for: values that stand for all values of their type.
//!
//! The n-th request of a path is an input of its own, named after what was asked for and that number
//! (`anyInt#1`). A request is counted when it has been met and not before, so an intrinsic that
//! breaks off and starts again asks for the same input. Where values are [given](State::given), as
//! when a path is run again on constants, those are taken.

use crate::flow::{Flow, Interrupt, Question, bug, unsupported};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, Kind, Primitive, ValueType};
use dalang_heap::policy::typing;
use dalang_heap::{DomainId, InputId, Resolution, Value};
use dalang_term::Pool;

impl<'p> Machine<'p> {
    /// A value that the program asks for; a reference may be null.
    pub fn ask_input(
        &mut self,
        state: &mut State<'p>,
        label: &str,
        value: ValueType,
    ) -> Flow<Value> {
        let value = self.next_input(state, label, value)?;
        state.knowledge.count_request();
        Flow::Continue(value)
    }

    /// The value that the program asks for next. The caller counts it, once nothing can break off
    /// any more.
    pub fn next_input(
        &mut self,
        state: &mut State<'p>,
        label: &str,
        value: ValueType,
    ) -> Flow<Value> {
        if let Some(given) = given(state, label)? {
            return Flow::Continue(as_asked(given, value));
        }
        let input = self.requested(state, label, value)?;
        self.read(state, Value::Term(self.unknowns.inputs.get(input).term))
    }

    /// A primitive value that the program asks for.
    pub fn ask_primitive(
        &mut self,
        state: &mut State<'p>,
        label: &str,
        primitive: Primitive,
    ) -> Flow<Value> {
        self.ask_input(state, label, ValueType::Primitive(primitive))
    }

    /// A reference that the program asks for, which is of this type or null.
    pub fn ask_reference(
        &mut self,
        state: &mut State<'p>,
        label: &str,
        class: ClassId,
    ) -> Flow<Value> {
        let value = self.reference_type(class)?;
        self.ask_input(state, label, value)
    }

    /// An object that the program asks for: as a reference, except that it is not null.
    pub fn ask_object(
        &mut self,
        state: &mut State<'p>,
        label: &str,
        class: ClassId,
    ) -> Flow<Value> {
        let value = self.reference_type(class)?;
        if state.given.is_none() {
            let input = self.requested(state, label, value)?;
            if !self.rule_out_null(state, input) {
                let question = Question::Choice(vec![typing::missing(class)].into());
                return Flow::Break(Interrupt::Ask(question));
            }
        }
        self.ask_input(state, label, value)
    }

    fn requested(&mut self, state: &mut State<'p>, label: &str, value: ValueType) -> Flow<InputId> {
        state.knowledge.begin();
        let number = state.knowledge.next_request();
        let name = format!("{label}#{}", number + 1);
        let input = self.unknowns.inputs.asked(self.program, &mut self.pool, number, &name, value);
        match input {
            Some(input) => {
                state.knowledge.note_request(input);
                Flow::Continue(input)
            }
            None => bug(format!("the type of {name} cannot be found")),
        }
    }

    /// Says that an input is not null, unless there is no class for it to be of: then it says no. Doing
    /// it again changes nothing, so it may be done before something breaks off.
    pub fn rule_out_null(&mut self, state: &mut State<'p>, input: InputId) -> bool {
        let known = self.unknowns.resolution(self.program, &state.knowledge, input);
        let Resolution::Maybe(domain) = known else { return true };
        if domain != DomainId::EMPTY {
            state.knowledge.resolve(input, Resolution::Location(domain));
            // Where references stay unresolved, they are what a solver's values say.
            if self.unknowns.policy.keeps_references() {
                let null = self.pool.eq(self.unknowns.inputs.get(input).term, Pool::NULL);
                let some = self.pool.not(null);
                state.facts.holds.push(some);
            }
        }
        domain != DomainId::EMPTY
    }

    fn reference_type(&self, class: ClassId) -> Flow<ValueType> {
        let spelling = || self.program.class_spelling(class);
        if !self.program.is_reference_class(class) {
            return unsupported(format!("asking for an object of type {}", spelling()));
        }
        let name = self.program.class(class).name;
        match self.program.load_name(name) {
            Ok(found) if found == class => Flow::Continue(ValueType::Reference(name)),
            _ => unsupported(format!("asking for an object of the hidden class {}", spelling())),
        }
    }
}

/// A witness tells integers apart by their values only.
fn as_asked(given: Value, value: ValueType) -> Value {
    match given {
        Value::Long(number) if value.kind() == Kind::Int => Value::Int(number as i32),
        _ => given,
    }
}

/// The value that a state is given for its next request, if it is given values.
fn given(state: &State<'_>, label: &str) -> Flow<Option<Value>> {
    let Some(given) = &state.given else { return Flow::Continue(None) };
    match given.get(state.knowledge.next_request() as usize) {
        Some(&value) => Flow::Continue(Some(value)),
        None => bug(format!("no value was given for {label}")),
    }
}
