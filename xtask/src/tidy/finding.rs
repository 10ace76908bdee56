//! One thing to put right: where, what, and what to do about it.

use std::fmt;

/// Ordered by place, so that a report reads like a walk through the tree.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Finding {
    /// Relative to the root, with forward slashes.
    path: String,
    /// From 1; a finding about a whole file or folder is on line 1.
    line: usize,
    /// What is wrong.
    what: String,
    /// What to do, as an order.
    remedy: String,
}

impl Finding {
    pub(super) fn new(
        path: &str,
        line: usize,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Finding {
        Finding { path: path.to_owned(), line, what: what.into(), remedy: remedy.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}; {}", self.path, self.line, self.what, self.remedy)
    }
}
