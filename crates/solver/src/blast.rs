//! From terms to clauses.

pub mod gates;
pub mod word;
