//! What becomes of a class whose initialization failed: later uses throw a `NoClassDefFoundError`,
//! whose cause tells of the exception that was thrown back then.

use crate::flow::{Argument, Flow, Interrupt, Raise, raise};
use crate::machine::Machine;
use crate::state::{Initialization, State};
use dalang_classes::ClassId;
use dalang_heap::{Body, Reference, Value};
use std::rc::Rc;

const ERROR: &str = "java/lang/ExceptionInInitializerError";

impl<'p> Machine<'p> {
    /// The error of whoever uses a class that could not be initialized.
    #[cold]
    pub(super) fn unusable<T>(&self, class: ClassId, cause: Reference) -> Flow<T> {
        let message = self.unusable_message(class);
        let class = "java/lang/NoClassDefFoundError";
        if cause.is_null() {
            return raise(class, message);
        }
        let argument = Argument::Both(message.into(), cause);
        Flow::Break(Interrupt::Raise(Box::new(Raise { class, argument })))
    }

    fn unusable_message(&self, class: ClassId) -> String {
        format!("Could not initialize class {}", self.program.java_name(class))
    }

    /// The initializer of a class has thrown. What is thrown further is an error.
    pub(crate) fn initialization_failed(
        &mut self,
        state: &mut State<'p>,
        chain: &Rc<[ClassId]>,
        at: usize,
        exception: Reference,
    ) -> Flow<bool> {
        // An input of the class would have been there before: so there is none. But whoever wants to
        // call a static method of its class, or to make an object, gets to see what its initializer does.
        if let Some(class) = chain.last().filter(|class| state.raised.contains(class))
            && !self.is_own_class(state, chain[at])
        {
            return Flow::Break(Interrupt::Stop(Box::new(self.unfit_for_inputs(*class))));
        }
        // Had it been used before the method ran, its error would be another one from the start.
        if !self.settings.competition {
            let class = self.program.class_spelling(chain[at]);
            self.assume(state, &format!("{class} was not used before: its initializer fails"));
        }
        let (name, message) = self.description(state, exception);
        let told = self.tell(state, &name, message.as_deref(), exception);
        state.class_entry_mut(chain[at]).initialization = Initialization::Failed(told);
        let error = self.class("java/lang/Error")?;
        if self.program.is_subtype(state.heap.class(exception), error) {
            self.fail(state, &chain[at + 1..], told);
            return Flow::Continue(true);
        }
        // Those below see the error, not the exception, and it is made by the frame below.
        let below = self.tell(state, &ERROR.replace('/', "."), None, exception);
        self.shorten_trace(state, below);
        self.fail(state, &chain[at + 1..], below);
        let raise = Raise { class: ERROR, argument: Argument::Cause(exception) };
        self.make_exception(state, &raise)?;
        Flow::Continue(false)
    }

    /// Whether a class must be initialized before the method that is called from outside can run. A
    /// method that is called on an object is not called if there is none.
    fn is_own_class(&self, state: &State<'p>, class: ClassId) -> bool {
        let method = state.frame().method;
        state.is_about_to_begin()
            && !self.needs_receiver(method)
            && self.program.is_subtype(self.program.method(method).class, class)
    }

    /// A class cannot be initialized because one above it has failed before.
    pub(super) fn superclass_failed<T>(
        &mut self,
        state: &mut State<'p>,
        chain: &[ClassId],
        superclass: ClassId,
        cause: Reference,
    ) -> Flow<T> {
        let message = self.unusable_message(superclass);
        let name = "java.lang.NoClassDefFoundError";
        let told = self.tell(state, name, Some(&message), cause);
        self.fail(state, chain, told);
        self.unusable(superclass, cause)
    }

    /// Marks classes that were to be initialized after the one that failed. Interfaces do not
    /// depend on it.
    fn fail(&self, state: &mut State<'p>, chain: &[ClassId], cause: Reference) {
        for &class in chain {
            if !self.program.class(class).is_interface() {
                state.class_entry_mut(class).initialization = Initialization::Failed(cause);
            }
        }
    }

    /// The name of an exception's class, and its message.
    fn description(&self, state: &State<'p>, exception: Reference) -> (String, Option<String>) {
        let name = self.program.java_name(state.heap.class(exception));
        let message = match self.field(state, exception, "detailMessage") {
            Flow::Continue(Value::Reference(message)) if !message.is_null() => {
                match self.text(state, message) {
                    Flow::Continue(text) => Some(text),
                    // A text that is not known is not told.
                    Flow::Break(_) => None,
                }
            }
            _ => None,
        };
        (name, message)
    }

    /// An error that tells of an exception and has its stack trace, since Java 17. The library's
    /// own constructors are not called, because the exception is on its way already.
    fn tell(
        &mut self,
        state: &mut State<'p>,
        name: &str,
        message: Option<&str>,
        origin: Reference,
    ) -> Reference {
        if self.settings.feature < 17 {
            return Reference::NULL;
        }
        match self.try_to_tell(state, name, message, origin) {
            Flow::Continue(error) => {
                state.track.blame(error, origin);
                error
            }
            // There is no room for it.
            Flow::Break(_) => Reference::NULL,
        }
    }

    /// Leaves only those frames in a recorded stack trace that are still there.
    fn shorten_trace(&mut self, state: &mut State<'p>, error: Reference) {
        if error.is_null() {
            return;
        }
        let left = state.frames().iter().filter(|frame| !frame.is_hidden()).count();
        let Flow::Continue(Value::Reference(trace)) = self.field(state, error, "backtrace") else {
            return;
        };
        let Some(Body::Longs(frames)) = state.heap.find(trace).map(|object| object.body.clone())
        else {
            return;
        };
        if left < frames.len() {
            let class = state.heap.class(trace);
            let rest = Body::Longs(frames[frames.len() - left..].into());
            let trace = state.heap.allocate(class, rest);
            // Both fields are there: the trace was found in the first, and its length is recorded.
            let _ = self.set_field(state, error, "backtrace", trace);
            let _ = self.set_field(state, error, "depth", left as i32);
        }
    }

    fn try_to_tell(
        &mut self,
        state: &mut State<'p>,
        name: &str,
        message: Option<&str>,
        origin: Reference,
    ) -> Flow<Reference> {
        let text = match message {
            Some(message) => format!("Exception {name}: {message} [in thread \"main\"]"),
            None => format!("Exception {name} [in thread \"main\"]"),
        };
        let text = self.new_string(state, &text)?;
        let class = self.class(ERROR)?;
        let error = self.allocate(state, class, 0)?;
        self.set_field(state, error, "detailMessage", text)?;
        for field in ["backtrace", "depth", "stackTrace"] {
            if !origin.is_null() {
                let value = self.field(state, origin, field)?;
                self.set_field(state, error, field, value)?;
            }
        }
        let none = self.static_field(self.known.throwable, "SUPPRESSED_SENTINEL")?;
        let none = self.get_static(state, none)?;
        self.set_field(state, error, "suppressedExceptions", none)?;
        Flow::Continue(error)
    }
}
