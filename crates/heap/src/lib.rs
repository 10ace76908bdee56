//! Values, and the objects and arrays that references lead to.
//!
//! A [`Value`] is a constant or a term; a [`Heap`] holds objects and arrays of them and is cheap to
//! copy, because copies share what neither of them has changed. What bytecode does with them is not
//! here.

mod object;
mod reference;
mod store;
mod value;

pub use object::{Body, Object};
pub use reference::Reference;
pub use store::Heap;
pub use value::Value;
