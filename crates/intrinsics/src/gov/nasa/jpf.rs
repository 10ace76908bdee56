//! Packages below `gov.nasa.jpf`: how programs speak to Java Pathfinder.

pub(crate) mod symbc;
pub(crate) mod vm;
