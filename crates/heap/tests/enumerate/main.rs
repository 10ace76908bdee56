//! The rules of the policies, held against all small concrete heaps.
//!
//! Rules are applied directly to a heap and to what is known of it, as the machine applies them, but without
//! programs and their machine. What comes of them is read with the values that each concrete heap gives to
//! inputs. No solver takes part.

#![allow(clippy::unwrap_used, reason = "this is a test, helpers outside of its functions included")]

#[allow(dead_code, reason = "whoever includes this file takes what it needs")]
#[path = "../../../../tests/support/graphs.rs"]
mod graphs;
#[allow(dead_code, reason = "whoever includes this file takes what it needs")]
#[path = "../../../../tests/support/random.rs"]
mod random;

mod arrays;
mod bounded;
mod choices;
mod fields;
mod world;
