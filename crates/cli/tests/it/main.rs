//! The program `dalang` beside `java`: the same output, the same exit code.
//!
//! JDKs are required. Without one these tests fail, because skipping them would look like passing.

#![allow(clippy::unwrap_used, reason = "this is a test, helpers outside of its functions included")]

#[path = "../../../../tests/support/account.rs"]
mod account;
mod bounds;
mod checks;
mod clocks;
mod closed;
mod collections;
mod commands;
mod copies;
mod counts;
mod covers;
mod desk;
#[path = "../../../../tests/support/directives.rs"]
mod directives;
mod elements;
mod entries;
mod express;
mod failing;
mod fair;
mod garbage;
mod getclass;
mod hostile;
mod identities;
mod jars;
mod javalite;
mod limits;
mod linking;
mod loops;
mod machines;
mod nulls;
mod optimal;
mod oracle;
mod outside;
#[path = "../../../../tests/support/packages.rs"]
mod packages;
mod process;
mod programs;
mod receivers;
mod replacements;
mod resources;
#[path = "../../../../tests/support/shapes.rs"]
mod shapes;
mod signals;
mod states;
mod statics;
mod sweeps;
mod unsafes;
mod verdict;
mod verifier;
#[path = "../../../../tests/support/ways.rs"]
mod ways;
mod worlds;
