//! Can these constraints hold together, and with which values?
//!
//! A [`Query`] is a [`PathCondition`] and one more constraint; a [`Solver`] answers it through a
//! chain of layers, the cheapest first, over a backend that decides everything else.

mod answer;
pub mod backend;
mod blast;
mod chain;
mod layer;
mod limits;
mod path;
mod query;
mod statistics;

pub use answer::{Answer, Reason};
pub use backend::smtlib::{SmtCommand, SmtError};
pub use chain::{Layers, Solver};
pub use limits::Limits;
pub use path::PathCondition;
pub use query::Query;
pub use statistics::{LayerName, Statistics};
