//! Ctrl-C: once to end soon and see what was found so far, twice to end at once.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The exit code of a program that Ctrl-C has ended.
const ENDED: i32 = 130;

/// Listens from now on. Where that is not possible, Ctrl-C does what it always does.
pub fn listen() {
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            process::exit(ENDED);
        }
        eprintln!("dalang: stopping; what was found so far follows. Ctrl-C again ends at once.");
    });
}

/// Whether Ctrl-C was pressed.
pub fn is_pressed() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}
