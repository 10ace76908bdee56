//! What exploring does with real classes: those of a JDK, and small ones that javac makes for a
//! test.
//!
//! A JDK is required. Without one these tests fail, because skipping them would look like passing.

#![allow(clippy::unwrap_used, reason = "this is a test, helpers outside of its functions included")]

mod domains;
mod views;
mod workshop;
