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
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

/// What a run is told from outside while it goes on.
#[derive(Clone, Debug)]
pub struct Alarm {
    /// Set when the run has to end.
    pub bell: Arc<AtomicBool>,
    /// When it will be set.
    pub deadline: Option<Instant>,
    /// The most memory that the process may have, in bytes.
    pub most: u64,
    /// How much of it the process has now.
    pub used: fn() -> u64,
}

impl Default for Alarm {
    fn default() -> Self {
        Self { bell: Arc::default(), deadline: None, most: u64::MAX, used: || 0 }
    }
}

impl Alarm {
    /// Whether the run has to end.
    #[inline]
    pub fn rings(&self) -> bool {
        self.bell.load(Ordering::Acquire)
    }

    /// Whether the process may have so many bytes more.
    fn has_room(&self, bytes: u64) -> bool {
        (self.used)().saturating_add(bytes) <= self.most
    }

    /// Whether so many bytes are written before the run has to end, or little later.
    fn has_time(&self, bytes: u64) -> bool {
        let end = Instant::now() + Duration::from_millis(bytes / PACE);
        self.deadline.is_none_or(|deadline| end <= deadline + LITTLE)
    }

    /// Waits until nobody else takes much; none if the run has to end meanwhile.
    fn turn(&self) -> Option<Turn> {
        loop {
            match TURN.try_lock() {
                Ok(turn) => return Some(Turn { _held: Some(turn) }),
                // There is nothing behind it that a panic could have left in disorder.
                Err(TryLockError::Poisoned(turn)) => {
                    return Some(Turn { _held: Some(turn.into_inner()) });
                }
                Err(TryLockError::WouldBlock) if self.rings() => return None,
                Err(TryLockError::WouldBlock) => thread::sleep(WAIT),
            }
        }
    }
}

/// Memory is the process's, and workers share it: whether there is room for much at once is looked at,
/// and the room taken, by one after the other.
static TURN: Mutex<()> = Mutex::new(());

/// How long a worker waits before it looks again whether it is its turn.
const WAIT: Duration = Duration::from_millis(1);

/// How many bytes are written in a millisecond, at the least: memory that was never written to is slow.
const PACE: u64 = 500_000;

/// How much later than the deadline nobody minds.
const LITTLE: Duration = Duration::from_millis(100);

/// The turn to take what was asked for. It is held until that is done, and nothing else that may be
/// large is asked for meanwhile.
#[must_use = "another worker may take the same room as soon as it is dropped"]
#[derive(Default)]
pub struct Turn {
    /// None if what is asked for is small, or memory is not limited.
    _held: Option<MutexGuard<'static, ()>>,
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
    pub fn claim_store(&self, state: &State<'_>, array: Reference, of_terms: bool) -> Flow<Turn> {
        self.claim(state.heap.object(array).body.growth(of_terms))
    }

    /// Keeps no array only because another of its size may be made.
    pub fn forget_zeros(&self) {
        self.zeros.forget();
    }

    /// Stops if so many bytes at once are more than the process may still have.
    #[inline]
    pub fn claim(&self, bytes: u64) -> Flow<Turn> {
        if bytes >= LARGE { self.claim_much(bytes) } else { Flow::Continue(Turn::default()) }
    }

    #[cold]
    fn claim_much(&self, bytes: u64) -> Flow<Turn> {
        self.breathe()?;
        let turn = self.room_for(bytes)?;
        // What has no room needs none of the time, so that the reason is not a matter of the clock.
        if !self.alarm.has_time(bytes) {
            return Flow::Break(Interrupt::Stop(Box::new(Stop::Late)));
        }
        Flow::Continue(turn)
    }

    fn room_for(&self, bytes: u64) -> Flow<Turn> {
        if self.alarm.most == u64::MAX {
            return Flow::Continue(Turn::default());
        }
        let Some(turn) = self.alarm.turn() else {
            return Flow::Break(Interrupt::Stop(Box::new(Stop::Alarm)));
        };
        if !self.alarm.has_room(bytes) {
            self.forget_zeros();
        }
        if !self.alarm.has_room(bytes) {
            let what = format!("{} MiB are asked for at once", bytes.div_ceil(1 << 20));
            return Flow::Break(Interrupt::Stop(Box::new(Stop::Memory(what.into()))));
        }
        Flow::Continue(turn)
    }
}

#[cfg(test)]
mod tests {
    use super::{Alarm, Duration, Instant, LITTLE, PACE, TURN};
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::thread;

    static TAKEN: AtomicU64 = AtomicU64::new(0);

    #[test]
    fn workers_do_not_take_the_same_room() {
        let take = || {
            let used = || TAKEN.load(Ordering::Relaxed);
            let alarm = Alarm { most: 100, used, ..Alarm::default() };
            let turn = alarm.turn().unwrap();
            assert!(TURN.try_lock().is_err());
            if alarm.has_room(30) {
                thread::yield_now();
                TAKEN.fetch_add(30, Ordering::Relaxed);
            }
            drop(turn);
        };
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(take);
            }
        });
        assert_eq!(TAKEN.load(Ordering::Relaxed), 90);
    }

    #[test]
    fn much_is_not_begun_shortly_before_the_deadline() {
        let mut alarm = Alarm::default();
        let second = PACE * 1000;
        assert!(alarm.has_time(1000 * second), "there is no deadline");
        alarm.deadline = Some(Instant::now() + Duration::from_secs(5));
        assert!(alarm.has_time(4 * second) && !alarm.has_time(6 * second));
        alarm.deadline = Some(Instant::now());
        assert!(alarm.has_time(0) && !alarm.has_time(PACE * 2 * LITTLE.as_millis() as u64));
    }

    #[test]
    fn nobody_waits_for_a_turn_after_the_bell() {
        let alarm = Alarm::default();
        let turn = alarm.turn();
        assert!(turn.is_some());
        alarm.bell.store(true, Ordering::Release);
        assert!(alarm.turn().is_none());
    }
}
