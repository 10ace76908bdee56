//! Classes without instances, because their initializers always fail.
//!
//! An object can be made only once its class is initialized (JVMS 5.5). If an initializer touches nothing
//! but its own class and what it makes, it does the same whenever it runs: one that fails once has always
//! failed, and no input is an object of its class or of one below it. The initializer runs for that on a
//! state that is thrown away. One that takes long, or fails for want of memory, of stack or of another
//! class, says nothing.

use crate::flow::{Flow, Outcome, Step};
use crate::machine::Machine;
use crate::state::State;
use crate::upbringing::Upbringing;
use crate::way::Way;
use dalang_classes::{ClassId, MethodId};
use dalang_heap::{Reference, Value};

/// An initializer that takes more instructions is not looked at.
const LONGEST: u64 = 100_000;

/// Failures that depend on where a program runs.
const CIRCUMSTANCES: [&str; 2] = ["java/lang/VirtualMachineError", "java/lang/LinkageError"];

impl<'p> Machine<'p> {
    /// Whether the initializer of a class always fails, or one above it that runs before. The state is one
    /// in which the library is ready and nothing of the program has run.
    pub fn always_fails(&mut self, ready: &State<'p>, class: ClassId) -> bool {
        if self.initializer(class).is_none()
            || self.module(class).is_some()
            || self.is_refused(class)
            || self.upbringing(class) != Upbringing::Alone
        {
            return false;
        }
        let mut state = ready.clone();
        if !self.start_class(&mut state, class) {
            return false;
        }
        let followed = self.truths.followed();
        let step = self.run(&mut state, &Way::default(), LONGEST);
        self.turn_to(&followed);
        match step {
            Step::Ended(Outcome::Threw(error)) => self.is_lasting(&state, error),
            _ => false,
        }
    }

    /// Whether an initializer fails with this everywhere, and nobody gets at an object through it: an
    /// exception of the program's own may keep one.
    fn is_lasting(&self, state: &State<'p>, error: Reference) -> bool {
        let program = self.program;
        let name = |object| program.names().text(program.class(state.heap.class(object)).name);
        let mut thrown = error;
        if name(error) == "java/lang/ExceptionInInitializerError" {
            // The field is called differently in older libraries.
            let causes = ["exception", "cause"].map(|field| self.field(state, error, field));
            let cause = causes.into_iter().find_map(|cause| match cause {
                Flow::Continue(Value::Reference(cause)) if !cause.is_null() => Some(cause),
                _ => None,
            });
            let Some(cause) = cause else { return false };
            thrown = cause;
        }
        let class = state.heap.class(thrown);
        let is_circumstance = |name: &&str| {
            program.loaded(name).is_some_and(|above| program.is_subtype(class, above))
        };
        self.module(class).is_some() && !CIRCUMSTANCES.iter().any(is_circumstance)
    }

    /// Whether a method is called on an object that was there before.
    pub fn needs_receiver(&self, method: MethodId) -> bool {
        let method = self.program.method(method);
        !method.flags.is_static() && self.program.names().text(method.name) != "<init>"
    }
}
