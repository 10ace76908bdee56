//! Packages below `gov.nasa`.

pub(crate) mod jpf;
