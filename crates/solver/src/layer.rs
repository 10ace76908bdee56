//! The layers of the chain, cheapest first.
//!
//! A layer decides a question about one slice or passes it on. It may offer values that turn out
//! wrong (the chain evaluates them and goes on); it may not guess `Unsat`.

pub(crate) mod constant;
pub(crate) mod cores;
pub(crate) mod guide;
pub(crate) mod inequalities;
pub(crate) mod order;
pub(crate) mod reuse;
