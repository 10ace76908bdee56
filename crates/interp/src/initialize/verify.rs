//! Verification before initialization: a class that a virtual machine refuses is not initialized.
//!
//! Java throws an error then. Where a program is explored, that is not what the program does, but a
//! sign that its class files are not those that run elsewhere: the path stops.

use crate::flow::{Flow, Interrupt, Stop, linked};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, JavaError, LinkFailure, Verified};

impl<'p> Machine<'p> {
    /// Goes on if a class, and all that are above it, can be used.
    pub(super) fn check_verified(&self, state: &State<'p>, class: ClassId) -> Flow {
        let explores = !state.knowledge.is_blank();
        let failure = match self.program.verify(class) {
            Verified::Fine => return Flow::Continue(()),
            // Whether that handler is needed turns out when something is thrown. A witness that is
            // executed again goes the way that was explored.
            Verified::ButForHandlers(_) if self.settings.harness => return Flow::Continue(()),
            Verified::ButForHandlers(failure) | Verified::Refused(failure) => failure,
        };
        if !explores {
            return linked(Err(failure));
        }
        let stop = Stop::Missing(self.refusal(class, failure).into());
        Flow::Break(Interrupt::Stop(Box::new(stop)))
    }

    /// Whether a class is refused, so that there are no objects of it.
    pub(crate) fn is_refused(&self, class: ClassId) -> bool {
        matches!(self.program.verify(class), Verified::Refused(_))
    }

    fn refusal(&self, class: ClassId, failure: &LinkFailure) -> String {
        let class = self.program.class_spelling(class);
        let remedy = failure.remedy();
        match failure.error {
            JavaError::VerifyError | JavaError::ClassFormatError => {
                format!("class {class} would be rejected by the JVM's verifier: {remedy}")
            }
            _ => format!("class {class} cannot be verified: {remedy}"),
        }
    }
}
