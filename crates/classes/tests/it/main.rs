//! What the crate does with real class files: those of JDKs, of javac, and damaged ones.
//!
//! A JDK is required. Without one these tests fail, because skipping them would look like passing.

#![allow(clippy::unwrap_used, reason = "this is a test, helpers outside of its functions included")]

mod archives;
mod decoding;
#[path = "../../../../tests/support/directives.rs"]
mod directives;
mod failures;
mod fixtures;
mod jars;
mod javalite;
#[path = "../../../../tests/support/judge.rs"]
mod judge;
mod libraries;
mod linking;
mod mutations;
#[path = "../../../../tests/support/packages.rs"]
mod packages;
mod parameters;
mod verification;
mod workshop;
