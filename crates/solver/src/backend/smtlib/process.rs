//! A child process spoken to through pipes, never waited for beyond a deadline.
//!
//! Three threads stand between us and the child: one writes, so that a child that does not read
//! cannot block us; one reads and cuts replies; one keeps what it complains of. They are not joined:
//! each ends when the pipe it holds breaks, which ending the child brings about.
//!
//! Invariant: the child, and whatever it started, does not outlive its [`Process`].

use super::command::{SmtCommand, SmtError};
use super::reply::{Framer, TooLong};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Replies that may wait to be read: we read each before we ask again, so more is a flood.
const WAITING: usize = 16;
/// How much of its complaints is kept.
const COMPLAINTS: usize = 400;

/// How often it is looked whether anybody still waits for a reply.
const LOOK: Duration = Duration::from_millis(20);

/// Until when a reply is waited for: a moment, or that somebody says so.
pub(super) struct Until {
    pub(super) deadline: Instant,
    pub(super) stop: Option<Arc<AtomicBool>>,
}

impl Until {
    fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Acquire))
    }
}

/// Why a child is of no use any more.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error("no answer within the time limit")]
    Silent,
    #[error("it ended without an answer{0}")]
    Dead(String),
    #[error("its reply does not end")]
    Flood,
    #[error("it reported an error: {0}")]
    Complaint(String),
    #[error("it answered nonsense: {0}")]
    Nonsense(String),
    #[error(transparent)]
    NotStarted(#[from] SmtError),
}

pub(super) struct Process {
    child: Child,
    input: Sender<String>,
    output: Receiver<Result<String, TooLong>>,
    complaints: Arc<Mutex<String>>,
}

impl Process {
    pub(super) fn start(command: &SmtCommand) -> Result<Process, SmtError> {
        let failed = |source| SmtError::Start { program: command.to_string(), source };
        let mut starter = Command::new(command.locate()?);
        starter.args(command.arguments());
        starter.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        in_own_group(&mut starter);
        let mut child = starter.spawn().map_err(|source| match source.kind() {
            std::io::ErrorKind::NotFound => command.not_found(),
            _ => failed(source),
        })?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (input, texts) = channel();
        let (replies, output) = sync_channel(WAITING);
        let complaints = Arc::default();
        // From here on dropping ends the child, whatever fails.
        let process = Process { child, input, output, complaints };
        if let (Some(stdin), Some(stdout), Some(stderr)) = pipes {
            let kept = Arc::clone(&process.complaints);
            background("solver input", move || write_all(stdin, &texts)).map_err(failed)?;
            background("solver output", move || read_replies(stdout, &replies)).map_err(failed)?;
            background("solver errors", move || keep_start(stderr, &kept)).map_err(failed)?;
        }
        Ok(process)
    }

    /// Hands over text to be written; never blocks.
    pub(super) fn send(&mut self, text: String) -> Result<(), Fault> {
        match self.input.send(text) {
            Ok(()) => Ok(()),
            Err(_) => Err(self.dead()),
        }
    }

    /// The next reply.
    pub(super) fn receive(&mut self, until: &Until) -> Result<String, Fault> {
        loop {
            let left = until.deadline.saturating_duration_since(Instant::now());
            if until.is_stopped() {
                return Err(Fault::Silent);
            }
            match self.output.recv_timeout(left.min(LOOK)) {
                Ok(Ok(reply)) => return Ok(reply),
                Ok(Err(TooLong)) => return Err(Fault::Flood),
                Err(RecvTimeoutError::Timeout) if left > LOOK => {}
                Err(RecvTimeoutError::Timeout) => return Err(Fault::Silent),
                Err(RecvTimeoutError::Disconnected) => return Err(self.dead()),
            }
        }
    }

    fn dead(&mut self) -> Fault {
        let mut story = match self.child.try_wait() {
            Ok(Some(status)) => format!(" ({status})"),
            _ => String::new(),
        };
        let complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        if !complaints.trim().is_empty() {
            story.push_str(": ");
            story.push_str(complaints.trim());
        }
        Fault::Dead(story)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        end_group(&self.child);
        // It may be dead already; what matters is that it is, and is reaped.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn background(name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).stack_size(1 << 17).spawn(work).map(drop)
}

fn write_all(mut pipe: impl Write, texts: &Receiver<String>) {
    for text in texts {
        if pipe.write_all(text.as_bytes()).and_then(|()| pipe.flush()).is_err() {
            return;
        }
    }
}

fn read_replies(mut pipe: impl Read, replies: &SyncSender<Result<String, TooLong>>) {
    let mut framer = Framer::new();
    let mut portion = vec![0; 1 << 14];
    while let Ok(length @ 1..) = pipe.read(&mut portion) {
        for &byte in &portion[..length] {
            let Some(reply) = framer.take(byte).transpose() else {
                continue;
            };
            let flood = reply.is_err();
            if replies.send(reply).is_err() || flood {
                return;
            }
        }
    }
    if let Some(rest) = framer.finish() {
        // Nobody may be listening any more.
        let _ = replies.send(Ok(rest));
    }
}

/// Keeps the beginning of what is said and drops the rest, so that it can always be said.
fn keep_start(mut pipe: impl Read, kept: &Mutex<String>) {
    let mut portion = [0; 1 << 10];
    while let Ok(length @ 1..) = pipe.read(&mut portion) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        let room = COMPLAINTS.saturating_sub(kept.len()).min(length);
        kept.push_str(&String::from_utf8_lossy(&portion[..room]));
    }
}

/// A wrapper script is ended together with the solver that it started.
#[cfg(unix)]
fn in_own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn in_own_group(_: &mut Command) {}

#[cfg(unix)]
fn end_group(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // The child is not reaped yet, so its number is still its own.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn end_group(_: &Child) {}
