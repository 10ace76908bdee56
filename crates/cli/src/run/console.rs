//! The terminal that a program writes to and reads from.

use crate::code::UNREAD;
use crate::scratch;
use crate::streams::{self, Lost};
use dalang_interp::{Console, Stream};
use std::io::{self, Read, Write};
use std::process;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

/// Standard output is gathered, and written when there is much of it, when something else is
/// written or read, and at the end, even where a signal brings it about.
#[derive(Default)]
pub struct Terminal {
    out: Held,
}

/// What a program has written and nobody has seen yet.
#[derive(Clone, Default)]
pub struct Held(Arc<Mutex<Vec<u8>>>);

const MUCH: usize = 1 << 13;

impl Terminal {
    /// What is held back now and later.
    pub fn held(&self) -> Held {
        self.out.clone()
    }
}

impl Held {
    /// Writes what is held back, unless it is just being written and that takes long.
    pub fn release(&self) {
        const TRIES: u32 = 20;
        for _ in 0..TRIES {
            match self.0.try_lock() {
                Ok(mut bytes) => return write(&mut bytes),
                Err(TryLockError::Poisoned(poisoned)) => return write(&mut poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(10)),
            }
        }
    }
}

/// Writes to standard output. When nobody reads any more, nothing that the program does can be seen,
/// so that is its end. When there is no room, the program goes on, as with Java, and it is said at
/// its end.
fn write(bytes: &mut Vec<u8>) {
    let mut out = io::stdout().lock();
    let written = out.write_all(bytes).and_then(|()| out.flush()).map_err(Lost::from);
    drop(out);
    bytes.clear();
    match streams::open().and(written) {
        Ok(()) => {}
        Err(Lost::Unread) => {
            scratch::clear();
            process::exit(UNREAD.into());
        }
        Err(lost) => drop(LOST.set(lost)),
    }
}

static LOST: OnceLock<Lost> = OnceLock::new();

/// Why something of the output is lost, if it is.
pub fn lost() -> Option<&'static Lost> {
    LOST.get()
}

impl Console for Terminal {
    fn write(&mut self, stream: Stream, bytes: &[u8]) {
        let mut out = self.out.0.lock().unwrap_or_else(PoisonError::into_inner);
        match stream {
            Stream::Out => {
                out.extend_from_slice(bytes);
                if out.len() >= MUCH {
                    write(&mut out);
                }
            }
            Stream::Err => {
                write(&mut out);
                let _ = io::stderr().write_all(bytes);
            }
        }
    }

    fn read(&mut self, most: usize) -> Option<Vec<u8>> {
        self.flush();
        let mut bytes = vec![0; most];
        let count = io::stdin().read(&mut bytes).unwrap_or(0);
        bytes.truncate(count);
        Some(bytes)
    }

    fn flush(&mut self) {
        write(&mut self.out.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
