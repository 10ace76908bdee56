//! Can these constraints hold together, and with which values?

pub mod backend;
