//! The worker.

/// A worker.
pub struct Explorer;
