//! The bootstrap methods that `javac` uses, done natively.

pub(crate) mod concat;
mod constants;
pub(crate) mod lambda;
pub(crate) mod records;
pub(crate) mod switches;
