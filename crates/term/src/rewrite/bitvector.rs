//! Rules for bit-vector operators, one file per family.
//!
//! Sums keep their constant outermost, products by a power of two are shifts, and a mask of low bits
//! is an extraction that is extended again, so that `x & 0xff`, `(byte) x` and `(char) x` speak one
//! language.

mod arithmetic;
mod bitwise;
mod division;
mod shift;

pub(super) use arithmetic::{ADD, MUL, NEG};
pub(super) use bitwise::{AND, NOT, OR, XOR};
pub(super) use division::{SDIV, SREM, UDIV, UREM};
pub(super) use shift::{ASHR, LSHR, SHL};
