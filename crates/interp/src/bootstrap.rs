//! Bootstrap methods that are done natively.
