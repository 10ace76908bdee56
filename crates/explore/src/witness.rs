//! Concrete inputs on which the program goes a given way.

use std::collections::BTreeMap;

/// A concrete value. Objects are named `#1`, `#2`, ... in the order in which they are reached.
#[derive(Clone, Debug, PartialEq)]
pub enum WitnessValue {
    /// `null`.
    Null,
    /// A `boolean`.
    Boolean(bool),
    /// A `byte`, `short`, `int` or `long`.
    Integer(i64),
    /// A `char`, as UTF-16.
    Char(u16),
    /// A `float`.
    Float(f32),
    /// A `double`.
    Double(f64),
    /// An object of the witness, by number.
    Object(u32),
}

/// What an object holds.
#[derive(Clone, Debug, PartialEq)]
pub enum WitnessBody {
    /// Fields by name; those that a class hides of its superclass are named `Class.field`. Fields
    /// that do not matter are left out: they are zero or null.
    Fields(Vec<(String, WitnessValue)>),
    /// An array: its length and the elements that matter by index. All others are zero or null.
    Array(u32, BTreeMap<u32, WitnessValue>),
    /// A string.
    Text(Vec<u16>),
    /// A box of a primitive value.
    Boxed(WitnessValue),
    /// A constant of an enum.
    Constant(String),
}

/// An object that is there before the method runs.
#[derive(Clone, Debug, PartialEq)]
pub struct WitnessObject {
    /// Its class, as Java spells it.
    pub class: String,
    /// What it holds.
    pub body: WitnessBody,
}

/// Concrete inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Witness {
    /// The parameters by name, the receiver first as `this`; then what the program asked for, in
    /// order.
    pub inputs: Vec<(String, WitnessValue)>,
    /// The objects; `#1` is the first.
    pub objects: Vec<WitnessObject>,
}
