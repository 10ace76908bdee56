//! Terms as text: SMT-LIB 2 for solvers, infix for people.

mod infix;
mod smtlib;

pub use infix::Infix;
pub(crate) use infix::literal;
pub use smtlib::{SmtEmitter, SmtRoot, SmtScript, smt_name, smt_sort};
