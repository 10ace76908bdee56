//! One activation of a method.

use crate::call::{Native, Resume};
use crate::flow::Outcome;
use dalang_classes::code::Code;
use dalang_classes::{ClassId, MethodId};
use dalang_heap::{Reference, Value};
use std::rc::Rc;

/// What a frame executes.
#[derive(Clone, Copy)]
pub enum Body<'p> {
    /// Bytecode.
    Code(&'p Code),
    /// An intrinsic.
    Native(Native),
}

/// Where an intrinsic is.
#[derive(Clone, Copy)]
pub(crate) enum Stage {
    /// At its beginning.
    Start,
    /// Waiting for a method that it called.
    Waiting(Resume),
    /// Going on with what that method gave.
    Resumed(Resume, Outcome),
}

/// What happens when a frame is left.
#[derive(Clone)]
pub(crate) enum Then {
    /// The frame below gets the result and goes on behind its call.
    Deliver,
    /// The frame below starts its instruction again.
    Retry,
    /// The class has been initialized; the frame below starts its instruction again, once the
    /// remaining classes of the chain are initialized as well.
    Initialized(Rc<[ClassId]>, usize),
    /// The constructor of an exception has ended: throw the exception.
    Throw(Reference),
    /// The run ends.
    Finish,
}

/// One activation of a method: its place in the stack of values, and where it is.
#[derive(Clone)]
pub struct Frame<'p> {
    /// The method.
    pub method: MethodId,
    /// The class that declares it.
    pub class: ClassId,
    /// What is executed.
    pub body: Body<'p>,
    /// The instruction that is being executed; if a frame is above, the call.
    pub pc: u16,
    /// Where its local variables begin, among all values.
    pub(crate) locals: u32,
    /// Where its operands begin.
    pub(crate) floor: u32,
    pub(crate) stage: Stage,
    pub(crate) then: Then,
    /// Whether it stands for no method of the program, and stack traces leave it out.
    pub(crate) hidden: bool,
    /// How many instructions were executed before it was entered.
    pub(crate) since: u64,
    /// The object whose monitor a synchronized method has entered, or `null`.
    pub(crate) monitor: Reference,
}

impl Frame<'_> {
    /// Whether it stands for no method of the program.
    pub fn is_hidden(&self) -> bool {
        self.hidden
    }
}

impl Stage {
    /// What an intrinsic is about to be given.
    pub(crate) fn value(&self) -> Option<Value> {
        match *self {
            Self::Resumed(_, Outcome::Threw(exception)) => Some(Value::Reference(exception)),
            Self::Resumed(_, Outcome::Returned(value)) => value,
            _ => None,
        }
    }
}
