//! What bytecode does to one state.
//!
//! A [`Machine`] is what all states of one worker share: the program, the terms, caches. A
//! [`State`] is one situation of a running program: frames, values, heap, initialized classes.
//! [`Machine::run`] takes a state forward until it ends or something symbolic must be decided. One
//! interpreter serves concrete and symbolic execution: a value is a constant or a term.
//!
//! Which way a symbolic decision goes is not decided here, and no solver is asked. Bodies of native
//! methods are not here either: they come through [`Intrinsics`].

mod adapt;
mod alarm;
mod assumed;
mod attempt;
mod bootstrap;
mod boxes;
mod call;
mod closed;
mod collect;
mod console;
mod coverage;
mod decimals;
mod dispatch;
mod dynamic;
mod elements;
mod exceptions;
mod express;
mod flow;
mod frame;
mod getclass;
mod globals;
mod guarded;
mod handle;
mod identity;
mod initialize;
mod inspect;
mod invoke;
mod keepers;
mod known;
mod layers;
mod lengths;
mod lookup;
mod loops;
mod machine;
mod mirrors;
mod ops;
mod polymorphic;
mod range;
mod request;
mod select;
mod state;
mod steps;
mod stores;
mod strings;
mod supply;
mod symbolic;
mod texts;
mod track;
mod truths;
mod turns;
mod uninhabited;
mod upbringing;
mod way;
mod zeros;

pub use adapt::{Conversion, Converted, Step as ConversionStep, widens, wrapped, wrapper};
pub use alarm::{Alarm, Turn};
pub use call::{Call, Intrinsic, Intrinsics, Native, Precision, Resume, Role, Takes, pass_on};
pub use collect::Collection;
pub use console::{Console, Silence, Stream};
pub use coverage::Covered;
pub use decimals::{Phrase, raise_text};
pub use flow::{
    Argument, Cut, Flow, Interrupt, Outcome, Question, Raise, Step, Stop, bug, linked, malformed,
    raise, raise_bare, unsupported, violation,
};
pub use frame::{Body, Frame};
pub use globals::{Globals, Hop, Preset};
pub use handle::{Handle, Member};
pub use known::Known;
pub use layers::Range;
pub use machine::{Machine, Settings};
pub use polymorphic::{Action, Behavior, Form, Mode, Variable};
pub use state::{Initialization, State};
pub use steps::returned;
pub use supply::Supply;
pub use track::{Origin, Track};
pub use truths::Truths;
pub use way::{Answer, Comparisons, Followed, Way};
