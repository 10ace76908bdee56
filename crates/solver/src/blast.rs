//! From terms to clauses.

pub mod float;
pub mod gates;
pub mod word;
