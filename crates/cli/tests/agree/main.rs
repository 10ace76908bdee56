//! Policies, concrete runs and a real JVM agree on random programs.
//!
//! A JDK is required. Without one these tests fail, because skipping them would look like passing.

#![allow(clippy::unwrap_used, reason = "this is a test, helpers outside of its functions included")]

mod agreement;
mod bounded;
mod generate;
mod inputs;
mod javalite;
mod jvm;
#[path = "../../../../tests/support/random.rs"]
mod random;
mod relation;
mod values;
#[path = "../../../../tests/support/ways.rs"]
mod ways;
