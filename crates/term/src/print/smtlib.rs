//! SMT-LIB 2 text.
use crate::Sort;
/// A script.
pub struct SmtScript;
/// Name.
pub fn smt_name() {}
/// Sort.
pub fn smt_sort(_: Sort) {}
