//! What the machine takes for granted about the world outside of a program, while it explores one.
//!
//! The result of an exploration shows it: other worlds may give other paths.

use crate::machine::Machine;
use crate::state::State;

impl<'p> Machine<'p> {
    /// Notes an assumption that a state which explores has made use of.
    pub fn assume(&mut self, state: &State<'p>, what: &str) {
        if !state.knowledge.is_blank() && !self.assumed.contains(what) {
            self.assumed.insert(what.to_owned());
        }
    }

    /// What was assumed since this was last asked, in order.
    pub fn take_assumed(&mut self) -> Vec<String> {
        std::mem::take(&mut self.assumed).into_iter().collect()
    }

    /// Whether the method on top was called by code that is not the library's.
    pub fn is_called_by_program(&self, state: &State<'p>) -> bool {
        self.is_called_through(state, &[])
    }

    /// The same, if nothing but these classes of the library, in internal form, with those inside them,
    /// is in between: they only pass on what the program asks for.
    pub fn is_called_through(&self, state: &State<'p>, between: &[&str]) -> bool {
        let callers = state.frames().iter().rev().skip(1).filter(|frame| !frame.is_hidden());
        let is_between = |class| {
            let name = self.program.names().text(self.program.class(class).name);
            between.contains(&name.split('$').next().unwrap_or(name))
        };
        let mut callers = callers.filter(|caller| !is_between(caller.class));
        callers.next().is_some_and(|caller| self.module(caller.class).is_none())
    }
}
