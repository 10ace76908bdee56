//! How an instruction or an intrinsic leaves the straight way, and how a run ends.
//!
//! Everything that executes returns a [`Flow`]: it goes on with a result, or it breaks off with an
//! [`Interrupt`] that the run loop deals with. A Java exception is such an interrupt and not a Rust
//! error; a limit of ours is a [`Stop`] and not a Java exception.

use dalang_classes::{ClassId, JavaError, LinkFailure, one_line};
use dalang_heap::{Alternative, Reference, Text, Value};
use dalang_term::TermId;
use std::ops::ControlFlow;
use std::rc::Rc;

/// The result of executing something.
pub type Flow<T = ()> = ControlFlow<Interrupt, T>;

/// Why execution does not simply go on.
#[derive(Clone, Debug)]
pub enum Interrupt {
    /// A method was entered, or left: the frame on top is another one now.
    Entered,
    /// An exception that exists already is thrown.
    Throw(Reference),
    /// The virtual machine throws an exception that it has yet to make.
    Raise(Box<Raise>),
    /// A class, method or field is not there, or does not fit. Java throws an error for it; where a
    /// program is explored, nothing is known of what it would do with all its classes.
    Unlinked(Box<LinkFailure>),
    /// A class must be initialized; what was executing starts again after that, so it must not
    /// have had an effect yet.
    Initialize(ClassId),
    /// Something symbolic must be decided; what was executing starts again with the answer.
    Ask(Question),
    /// The method that was started from outside has ended.
    End(Outcome),
    /// The program ends.
    Exit(i32),
    /// Something does not hold that the program assumes: this path is none.
    Assumed,
    /// Something does not hold that the program demands: what it says of it.
    Violation(Box<str>),
    /// The state has come back to a situation that it was in before, and will do so for ever.
    Diverge,
    /// We give up on this state.
    Stop(Box<Stop>),
}

/// An exception to be made and thrown.
#[derive(Clone, Debug)]
pub struct Raise {
    /// Its class, in internal form.
    pub class: &'static str,
    /// What its constructor is given.
    pub argument: Argument,
}

impl Raise {
    /// Whether it only tells what an initializer of a class has failed with.
    pub(crate) fn tells_of_initializer(&self) -> bool {
        matches!(
            self.class,
            "java/lang/ExceptionInInitializerError" | "java/lang/NoClassDefFoundError"
        )
    }
}

/// The argument of an exception's constructor.
#[derive(Clone, Debug)]
pub enum Argument {
    /// None.
    Nothing,
    /// A message.
    Message(Box<str>),
    /// A message that holds terms.
    Text(Rc<Text>),
    /// A cause.
    Cause(Reference),
    /// A message and a cause.
    Both(Box<str>, Reference),
}

/// What a state cannot decide by itself.
#[derive(Clone, Debug)]
pub enum Question {
    /// Is this true or false? The term is of sort `Bool` and is no constant. Answer it with
    /// [`State::answer`](crate::State::answer) or [`Machine::settle`](crate::Machine::settle).
    Condition(TermId),
    /// Which of these is it? Each is a possibility of its own. Answer it with
    /// [`Machine::choose`](crate::Machine::choose).
    Choice(Rc<[Alternative]>),
}

/// Why we gave up on a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Something that we do not do: the method or the feature.
    Unsupported(Box<str>),
    /// An intrinsic was given a symbolic value that it cannot handle: the method.
    Symbolic(Box<str>),
    /// A limit of the run was reached: which.
    Limit(Box<str>),
    /// A class, method or field is not there, or does not fit: what, and what to do about it.
    Missing(Box<str>),
    /// The memory does not suffice: for what.
    Memory(Box<str>),
    /// The run was told to end while it was at something long.
    Alarm,
    /// What the next step asks for takes longer than there is time.
    Late,
    /// The class files contradict themselves in a way that only running them shows.
    Malformed(Box<str>),
    /// A bound of the exploration was reached.
    Cut(Cut),
    /// A defect of ours.
    Bug(Box<str>),
}

/// A bound on the way that a state can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The iterations of a loop.
    Loop,
    /// The depth of the call stack.
    Calls,
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // What it is about may have been named by a hostile class file.
        match self {
            Self::Unsupported(what) => write!(f, "{} is not supported", one_line(what)),
            Self::Symbolic(what) => {
                write!(f, "{} cannot handle a symbolic argument", one_line(what))
            }
            Self::Limit(what) => write!(f, "the limit of {} was reached", one_line(what)),
            Self::Missing(what) => write!(f, "something is missing: {}", one_line(what)),
            Self::Memory(what) => write!(f, "the memory does not suffice: {}", one_line(what)),
            Self::Alarm => f.write_str("the run was told to end"),
            Self::Late => f.write_str("there is no time for what comes next"),
            Self::Malformed(what) => {
                write!(f, "the class files are not consistent: {}", one_line(what))
            }
            Self::Cut(Cut::Loop) => f.write_str("the bound on iterations of a loop was reached"),
            Self::Cut(Cut::Calls) => f.write_str("the bound on the depth of calls was reached"),
            Self::Bug(what) => write!(f, "a defect of dalang: {}", one_line(what)),
        }
    }
}

/// How a call ended that Rust code waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Normally; a `void` method returns nothing.
    Returned(Option<Value>),
    /// With an exception.
    Threw(Reference),
}

/// Why [`Machine::run`](crate::Machine::run) came back.
#[derive(Clone, Debug)]
pub enum Step {
    /// The method that was started has ended.
    Ended(Outcome),
    /// The program asked to end, with this code.
    Exited(i32),
    /// The state needs an answer; give it and go on.
    Asked(Question),
    /// The program assumes something that does not hold on this path.
    Assumed,
    /// The program demands something that does not hold: what it says of it. The frame on top is
    /// that of the demand.
    Violated(Box<str>),
    /// It has come back to a situation that it was in before, and will do so for ever.
    Diverged,
    /// We gave up on it.
    Stopped(Stop),
    /// The instructions that were granted are used up; running on is possible.
    Paused,
}

/// An exception of the virtual machine, with a message.
pub fn raise<T>(class: &'static str, message: impl Into<Box<str>>) -> Flow<T> {
    let argument = Argument::Message(message.into());
    Flow::Break(Interrupt::Raise(Box::new(Raise { class, argument })))
}

/// An exception of the virtual machine, without a message.
pub fn raise_bare<T>(class: &'static str) -> Flow<T> {
    Flow::Break(Interrupt::Raise(Box::new(Raise { class, argument: Argument::Nothing })))
}

/// A demand of the program that does not hold.
pub fn violation<T>(message: impl Into<Box<str>>) -> Flow<T> {
    Flow::Break(Interrupt::Violation(message.into()))
}

/// A stop because of something that we do not do.
pub fn unsupported<T>(what: impl Into<Box<str>>) -> Flow<T> {
    Flow::Break(Interrupt::Stop(Box::new(Stop::Unsupported(what.into()))))
}

/// A stop because class files contradict themselves.
pub fn malformed<T>(what: impl Into<Box<str>>) -> Flow<T> {
    Flow::Break(Interrupt::Stop(Box::new(Stop::Malformed(what.into()))))
}

/// A stop because of a defect of ours.
pub fn bug<T>(what: impl Into<Box<str>>) -> Flow<T> {
    Flow::Break(Interrupt::Stop(Box::new(Stop::Bug(what.into()))))
}

/// A class or member that is not there, or does not fit.
pub fn unlinked<T>(error: JavaError, message: impl AsRef<str>) -> Flow<T> {
    Flow::Break(Interrupt::Unlinked(Box::new(LinkFailure::new(error, message))))
}

/// What linking found, or why it found nothing.
pub fn linked<T>(result: Result<T, impl AsRef<LinkFailure>>) -> Flow<T> {
    match result {
        Ok(value) => Flow::Continue(value),
        Err(failure) => Flow::Break(Interrupt::Unlinked(Box::new(failure.as_ref().clone()))),
    }
}

impl From<&LinkFailure> for Raise {
    /// The error that Java throws for what cannot be linked.
    fn from(failure: &LinkFailure) -> Self {
        let argument = Argument::Message((&*failure.message).into());
        Self { class: failure.error.class_name(), argument }
    }
}
