//! Which classes there are for inputs to be of.

/// Which classes there are for inputs to be of.
pub struct View;
