//! What finally decides a query: one file per solver.
//!
//! A backend answers for a list of conjuncts and nothing else; caching, slicing and choosing among
//! backends is the business of the layers above.

pub mod smtlib;
