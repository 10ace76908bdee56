//! Bodies in Rust of methods of the JDK: those that are native, and a few that are replaced.
//!
//! The tree mirrors Java's packages: `java/lang/system.rs` has the intrinsics of
//! `java.lang.System`. Each file ends in its table of [`Row`]s; the table of a package lists its
//! classes. Everything else of the JDK is run from its own bytecode.
//!
//! The same tree has the classes by which programs speak to verifiers (`harness.rs`): ours, and those
//! of other tools. They are recognised by name, and no program has to bring them along.

mod dalang;
mod gov;
mod harness;
mod java;
mod jbse;
mod jdk;
mod org;
mod sun;
mod table;
mod tools;

pub use table::{Library, Row};
