//! What each instruction does, by family. Checks are made in the order of JVMS 6.5, and nothing is
//! changed before the last one.

mod arithmetic;
mod arrays;
mod branches;
mod comparisons;
mod constants;
mod conversions;
mod exceptions;
mod fields;
mod invoke;
mod monitors;
mod objects;
mod operands;
mod returns;

pub(crate) use arithmetic::{double, double_binary, float_binary, int_binary, long_binary};
pub(crate) use branches::holds;
pub(crate) use comparisons::{for_nan, int_of};
pub(crate) use conversions::{converted, narrowing};
