//! The content of an input array: the indexes that were accessed, and what is there now.
//!
//! Source: [Kiasan] section 3.1, "Handling arrays": an array is an accumulator. An element that
//! nobody has accessed is not represented at all, so arrays of any length cost what is done to
//! them. Invariant: two entries whose indexes can be equal hold equal values wherever the indexes
//! are equal.

use crate::input::InputId;
use crate::value::Value;
use dalang_classes::ValueType;
use dalang_term::TermId;

/// The content of an array whose length or elements are inputs.
#[derive(Clone, Debug)]
pub struct Elements {
    /// The input that leads to the array.
    pub input: InputId,
    /// Its length, of sort 32-bit vector.
    pub length: TermId,
    /// The type of its elements.
    pub element: ValueType,
    /// Indexes that were accessed, each an `int` or a term, with what is there now.
    pub known: Vec<(Value, Value)>,
    /// Elements that were read before anything was stored there.
    pub read: Vec<InputId>,
}
