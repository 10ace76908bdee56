//! Packages below `tools.aqua`.

pub(crate) mod concolic;
