//! Fuzzing: random input for one part of the house, judged by something that cannot be wrong the
//! same way. One file per part; each has a chore of its own.

pub mod classes;
pub mod solver;
pub mod truth;
pub mod verifier;
