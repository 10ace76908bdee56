//! Whether anybody waits for what is being made.
//!
//! Some of what rules make is as large as a bound of the user allows. Who has to end meanwhile says so
//! here; what is made then is not whole, and whoever has said so goes on with nothing of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether anybody waits for what is being made. The default waits for ever.
#[derive(Clone, Debug, Default)]
pub struct Patience(Option<Arc<AtomicBool>>);

impl Patience {
    /// Patience until this is set.
    pub fn until(bell: Arc<AtomicBool>) -> Self {
        Self(Some(bell))
    }

    /// Whether it is over, for a loop that is at this step: it is not looked each time.
    #[inline]
    pub fn is_over_at(&self, step: usize) -> bool {
        const STEPS: usize = 256;
        step.is_multiple_of(STEPS)
            && self.0.as_ref().is_some_and(|bell| bell.load(Ordering::Acquire))
    }
}
