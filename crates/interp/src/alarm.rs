//! What a run is told from outside while it goes on: that it has to end soon, and that memory is short.
//!
//! A single instruction or intrinsic can take long. Those that do look here as they go, and end with a
//! stop when the bell has rung. Who rings it, and why, is known to whoever explores. Nothing that a
//! program can observe depends on it.

use crate::collect::LARGE;
use crate::flow::{Flow, Interrupt, Stop};
use crate::machine::Machine;
use crate::state::State;
use dalang_heap::Reference;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a run is told from outside while it goes on.
#[derive(Clone, Debug)]
pub struct Alarm {
    /// Set when the run has to end.
    pub bell: Arc<AtomicBool>,
    /// The most memory that the process may have, in bytes.
    pub most: u64,
    /// How much of it the process has now.
    pub used: fn() -> u64,
}

impl Default for Alarm {
    fn default() -> Self {
        Self { bell: Arc::default(), most: u64::MAX, used: || 0 }
    }
}

impl Alarm {
    /// Whether the run has to end.
    #[inline]
    pub fn rings(&self) -> bool {
        self.bell.load(Ordering::Acquire)
    }
}

/// How many steps of a long loop go by between two looks at the bell: few enough to take no time that
/// anybody notices, and enough that looking costs nothing.
const STEPS: usize = 256;

impl Machine<'_> {
    /// Ends a long instruction or intrinsic if the run has to end. What it has changed by then does not
    /// matter: nobody goes on with the state.
    #[inline]
    pub fn breathe(&self) -> Flow {
        if self.alarm.rings() {
            Flow::Break(Interrupt::Stop(Box::new(Stop::Alarm)))
        } else {
            Flow::Continue(())
        }
    }

    /// The same, for a loop that is at this step.
    #[inline]
    pub fn breathe_at(&self, step: usize) -> Flow {
        if step.is_multiple_of(STEPS) { self.breathe() } else { Flow::Continue(()) }
    }

    /// Stops if storing something in an array would take more than the process may still have.
    #[inline]
    pub fn claim_store(&self, state: &State<'_>, array: Reference, of_terms: bool) -> Flow {
        let bytes = state.heap.object(array).body.growth(of_terms);
        if bytes >= LARGE { self.claim(bytes) } else { Flow::Continue(()) }
    }

    /// Keeps no array only because another of its size may be made.
    pub fn forget_zeros(&self) {
        self.zeros.forget();
    }

    /// Stops if so many bytes at once are more than the process may still have.
    #[cold]
    pub fn claim(&self, bytes: u64) -> Flow {
        self.breathe()?;
        let (most, used) = (self.alarm.most, self.alarm.used);
        let is_short = || most != u64::MAX && used().saturating_add(bytes) > most;
        if is_short() {
            self.forget_zeros();
        }
        if is_short() {
            let what = format!("{} MiB are asked for at once", bytes.div_ceil(1 << 20));
            return Flow::Break(Interrupt::Stop(Box::new(Stop::Memory(what.into()))));
        }
        Flow::Continue(())
    }
}
