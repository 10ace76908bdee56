//! The express lane: register code for methods that are executed often.
//!
//! A method that has become hot is translated once, block by block, to operations whose operands
//! are slots of its frame: `iload a; iload b; iadd; istore c` is one of them. They do what is common
//! (constants instead of terms, resolved references, initialized classes, no exception); in every
//! other case an operation has no effect at all, the frame is put back into the form that bytecode
//! expects, and the instruction is executed by [`ops`](crate::ops) like any other. So the lane
//! decides nothing about what Java means: it is left wherever there is anything to decide.
//! Where a state explores, terms are moved like constants, what is known of them is looked up, and
//! the way is recorded as it is outside; loops close outside.
//!
//! Arithmetic on constants is the same code in both places. A test runs programs with and without
//! the lane and compares them down to the number of instructions.

mod block;
mod follow;
mod heat;
mod lane;
mod op;
mod prepared;
mod stack;
mod translate;

pub(crate) use heat::Lane;
