//! Values, and the objects and arrays that references lead to; what is unknown about them, and the
//! policies that find it out.
//!
//! A [`Value`] is a constant or a term; a [`Heap`] holds objects and arrays of them and is cheap to
//! copy, because copies share what neither of them has changed. Values that are given from outside
//! are [`Inputs`]; what a state has found out about them is its [`Knowledge`]; a [`Policy`] proposes
//! how to find out more. What bytecode does with all of them is not here.

mod apply;
mod array;
mod domain;
mod input;
#[cfg(debug_assertions)]
mod journal;
mod knowledge;
mod object;
mod patched;
mod patience;
mod places;
pub mod policy;
mod reference;
mod roots;
mod rules;
mod store;
mod text;
mod universe;
mod value;

pub use apply::{Change, Facts};
pub use array::{Copied, Elements, Held, Layer, Origin};
pub use domain::{DomainId, Domains, Reliance};
pub use input::{Input, InputId, Inputs, Request, Step};
pub use knowledge::{HeldObject, Knowledge, Resolution, Symbolic};
pub use object::{Accessed, Body, Object};
pub use patched::Patched;
pub use patience::Patience;
pub use places::Named;
pub use policy::guarded::{Guarded, Leaf, Settled};
pub use policy::{Alternative, Bound, Bounds, Effect, Need, Policy, Unknowns};
pub use reference::Reference;
pub use roots::Roots;
pub use rules::Rules;
pub use store::Heap;
pub use text::{Layout, Text};
pub use universe::{Fate, Nothing, StandIn, Surroundings, Universe};
pub use value::Value;
