//! Which state runs next, which alternative is feasible, and how each path of a method ends.
//!
//! An [`Explorer`] takes a method, gives it inputs that stand for all values and heap shapes, and
//! follows every feasible path within the bounds of its [`Config`]. What comes back is an
//! [`Exploration`]: how many paths there are and how they end, a witness for each, what was stopped
//! and why, what was covered. Nothing is printed or serialised here.

mod budget;
mod closed;
mod concrete;
mod config;
mod congruence;
mod coverage;
mod divide;
mod end;
mod entry;
mod explorer;
mod finish;
mod labels;
mod ledger;
mod nullcheck;
mod outcome;
mod path;
mod replay;
mod search;
mod sentinel;
mod simplify;
mod spell;
mod start;
mod team;
mod tree;
mod values;
mod view;
mod witness;

pub use budget::Watch;
pub use config::{Config, Kinds, MADE, Search, SolverChoice, Statics};
pub use end::End;
pub use entry::Entry;
pub use explorer::Explorer;
pub use outcome::{
    Coverage, Exploration, Location, Outcome, OutcomeKind, PathCounts, Replay, Statistics,
    StopCount, StopKind, Verdict, Violation, ViolationKind,
};
pub use replay::ConcreteRun;
pub use start::Failure;
pub use tree::{Leaf, Tree, TreeNode};
pub use view::View;
pub use witness::{Global, GlobalStep, Witness, WitnessBody, WitnessObject, WitnessValue};
