//! One run of a program: how it ended, how long it took, and how much memory it had at most.

use anyhow::Context;
use std::fs;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often the memory of a program is read. The system keeps its peak, so that only what is gained in
/// the last moment is not seen.
const TICK: Duration = Duration::from_millis(5);

/// How a run went.
pub struct Ended {
    /// None if a signal ended it, or it had to be killed.
    pub code: Option<i32>,
    pub out: Vec<u8>,
    pub err: Vec<u8>,
    pub wall: Duration,
    /// The most resident memory, in bytes; none where the system does not tell.
    pub peak: Option<u64>,
    /// Whether it was killed because it did not end.
    pub killed: bool,
}

/// Runs a command to its end, or to this moment.
pub fn run(command: &mut Command, longest: Duration) -> anyhow::Result<Ended> {
    let start = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().context("dalang cannot be run")?;
    let out = drain(child.stdout.take());
    let err = drain(child.stderr.take());
    let (mut peak, mut killed) = (None, false);
    let status = loop {
        peak = peak_of(&child).max(peak);
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if !killed && start.elapsed() >= longest {
            child.kill().context("a child cannot be killed")?;
            killed = true;
        }
        thread::sleep(TICK);
    };
    let wall = start.elapsed();
    let read = |thread: thread::JoinHandle<Vec<u8>>| thread.join().unwrap_or_default();
    Ok(Ended { code: status.code(), out: read(out), err: read(err), wall, peak, killed })
}

fn drain(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            // What was read until then counts.
            let _ = stream.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// The most resident memory of a program so far.
fn peak_of(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}
