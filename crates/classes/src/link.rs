//! Linking: classes put in relation to each other (JVMS 5.3 and 5.4), up to initialization.
//!
//! Whatever the specification has a running program notice as a Java error is a [`LinkFailure`]
//! here: a value that names the error, for whoever runs the program to throw. Whether code can be run
//! at all is checked when it is decoded, when a method is first needed; classes that are not of the
//! library are verified as a whole before that (`verify`).

mod access;
mod arrays;
mod class;
mod dispatch;
mod failure;
mod load;
mod lookup;
mod member;
mod program;
mod resolve;
mod spelling;
mod standin;
mod verify;

pub use access::FieldUse;
pub use class::{Class, Shape};
pub use failure::{JavaError, LinkFailure};
pub use member::{Dispatch, Field, Method, Parameter};
pub use program::Program;
pub use resolve::InvokeKind;
pub use standin::Outline;
pub use verify::Verified;
