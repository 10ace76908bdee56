//! What the machine and every policy make of small programs, held against all small concrete heaps.
//!
//! A program in Javalite is run on each heap with constants, and under each policy on all of them with
//! inputs. On every heap, the one path that agrees with it must end as the run with constants does, by
//! the same branches, with the same result and the same heap; with bounds, it must be left out if it is
//! beyond them, and only then. No solver takes part.

#![allow(clippy::unwrap_used, reason = "this is a test, helpers outside of its functions included")]

#[path = "../../../../tests/support/graphs.rs"]
mod graphs;

mod bounded;
mod compare;
mod concrete;
mod ends;
mod programs;
mod symbolic;
mod world;
