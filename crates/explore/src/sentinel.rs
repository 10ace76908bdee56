//! The thread that watches over a worker: it looks at the clock, at the memory of the process and at the
//! outside's wish to end, and rings the bell that long instructions and queries look at.
//!
//! Between instructions a worker looks at its limits by itself; the sentinel is for what takes long in
//! between. It decides nothing but that the work has to end, and it says why.

use crate::budget::used_memory;
use crate::outcome::StopKind;
use dalang_interp::Alarm;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often the limits are looked at.
const TICK: Duration = Duration::from_millis(10);

/// What a sentinel can have seen, in the order of the numbers by which it says so, from 1 on.
const REASONS: [StopKind; 3] = [StopKind::Interrupted, StopKind::Time, StopKind::Memory];

/// What a worker must not exceed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Orders {
    pub(crate) deadline: Option<Instant>,
    /// The most memory of the process, in bytes.
    pub(crate) memory: Option<u64>,
    pub(crate) interrupted: Arc<AtomicBool>,
}

impl Orders {
    /// What is exceeded, if the process has so much memory.
    fn exceeded(&self, used: u64) -> Option<StopKind> {
        if self.interrupted.load(Ordering::Relaxed) {
            Some(StopKind::Interrupted)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(StopKind::Time)
        } else if self.memory.is_some_and(|most| used > most) {
            Some(StopKind::Memory)
        } else {
            None
        }
    }
}

/// Watches over one worker.
pub(crate) struct Sentinel {
    post: Arc<Post>,
    /// None where the host has no thread to spare: then limits are looked at between instructions only.
    thread: Option<JoinHandle<()>>,
}

struct Post {
    bell: Arc<AtomicBool>,
    reason: AtomicU8,
    /// The most memory that was seen, in bytes.
    peak: AtomicU64,
    duty: Mutex<Duty>,
    changed: Condvar,
}

enum Duty {
    /// Nothing is explored.
    Rest,
    Watch(Orders),
    /// The worker is gone.
    End,
}

impl Sentinel {
    /// A sentinel that rings this alarm.
    pub(crate) fn new(alarm: &Alarm) -> Self {
        let post = Arc::new(Post {
            bell: Arc::clone(&alarm.bell),
            reason: AtomicU8::new(0),
            peak: AtomicU64::new(0),
            duty: Mutex::new(Duty::Rest),
            changed: Condvar::new(),
        });
        let own = Arc::clone(&post);
        let thread = thread::Builder::new().name("sentinel".to_owned()).spawn(move || own.stand());
        Self { post, thread: thread.ok() }
    }

    /// Watches from now on. What was seen before is forgotten.
    pub(crate) fn begin(&self, orders: Orders) {
        self.relieve();
        self.post.peak.store(0, Ordering::Relaxed);
        *self.post.lock() = Duty::Watch(orders);
        self.post.changed.notify_one();
    }

    /// Nothing is watched from now on.
    pub(crate) fn relieve(&self) {
        *self.post.lock() = Duty::Rest;
        self.post.reason.store(0, Ordering::Relaxed);
        self.post.bell.store(false, Ordering::Relaxed);
    }

    /// The most memory that the process had while this watched, in bytes.
    pub(crate) fn peak(&self) -> u64 {
        self.post.peak.load(Ordering::Relaxed)
    }

    /// Why the bell has rung, if it has.
    pub(crate) fn reason(&self) -> Option<StopKind> {
        let number = self.post.reason.load(Ordering::Acquire);
        usize::from(number).checked_sub(1).map(|place| REASONS[place])
    }
}

impl Drop for Sentinel {
    fn drop(&mut self) {
        *self.post.lock() = Duty::End;
        self.post.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // It has nothing to say.
            let _ = thread.join();
        }
    }
}

impl Post {
    fn lock(&self) -> MutexGuard<'_, Duty> {
        self.duty.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stand(&self) {
        let mut duty = self.lock();
        loop {
            let seen = match &*duty {
                Duty::End => return,
                Duty::Rest => {
                    duty = self.changed.wait(duty).unwrap_or_else(PoisonError::into_inner);
                    continue;
                }
                Duty::Watch(orders) => orders.exceeded(self.look_at_memory()),
            };
            if let Some(kind) = seen {
                self.ring(kind);
                *duty = Duty::Rest;
                continue;
            }
            let waited = self.changed.wait_timeout(duty, TICK);
            duty = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn look_at_memory(&self) -> u64 {
        let used = used_memory();
        self.peak.fetch_max(used, Ordering::Relaxed);
        used
    }

    fn ring(&self, kind: StopKind) {
        let place = REASONS.iter().position(|&one| one == kind).unwrap_or_default();
        self.reason.store(place as u8 + 1, Ordering::Release);
        // Whoever hears the bell finds the reason.
        self.bell.store(true, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::{Alarm, Orders, Sentinel, StopKind};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;

    /// Waits for the bell, which surely rings.
    fn heard(alarm: &Alarm, sentinel: &Sentinel) -> Option<StopKind> {
        while !alarm.rings() {
            std::thread::yield_now();
        }
        sentinel.reason()
    }

    #[test]
    fn the_bell_rings_for_every_limit() {
        let alarm = Alarm::default();
        let sentinel = Sentinel::new(&alarm);
        sentinel.begin(Orders { deadline: Some(Instant::now()), ..Orders::default() });
        assert_eq!(heard(&alarm, &sentinel), Some(StopKind::Time));
        sentinel.begin(Orders { memory: Some(1), ..Orders::default() });
        assert_eq!(heard(&alarm, &sentinel), Some(StopKind::Memory));
        let interrupted = Arc::new(AtomicBool::new(true));
        sentinel.begin(Orders { interrupted, memory: Some(1), ..Orders::default() });
        assert_eq!(heard(&alarm, &sentinel), Some(StopKind::Interrupted));
        assert!(sentinel.peak() > 0);
        sentinel.relieve();
        assert!(!alarm.rings() && sentinel.reason().is_none());
    }
}
