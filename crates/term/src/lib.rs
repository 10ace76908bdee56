//! Hash-consed, sorted terms: the language in which everything symbolic is said.
//!
//! A [`Pool`] owns the terms, a [`TermId`] names one. Building a term rewrites it to canonical form;
//! equal terms have equal ids. This crate knows no JVM and no solver.

mod assignment;
mod build;
mod eval;
mod op;
mod pool;
mod print;
pub mod rewrite;
#[cfg(feature = "sample")]
pub mod sample;
pub mod semantics;
mod sort;
mod symbols;
mod walk;

pub use assignment::Assignment;
pub use build::NanBits;
pub use eval::Evaluation;
pub use op::{Node, Op, Rounding};
pub use pool::{Pool, PoolId, TermId};
pub use print::{Infix, SmtEmitter, SmtRoot, SmtScript, smt_name, smt_sort};
pub use sort::{FloatFormat, Sort};
pub use symbols::SymbolId;
pub use walk::PostOrder;
