//! Running a program to its end, but not for ever, and not more at once than there are cores.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Condvar, Mutex, mpsc};
use std::thread;
use std::time::Duration;

/// What a program that ended has left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    pub out: Vec<u8>,
    pub err: Vec<u8>,
    /// None if a signal ended it.
    pub code: Option<i32>,
}

/// Longer than any program of ours takes, even unoptimised and on a busy machine: one that is still
/// running hangs.
pub const LIMIT: Duration = Duration::from_secs(30);

/// Runs a command, with the input on its standard input. None if it had to be killed.
///
/// The environment is the same for everyone, as far as programs look at it.
pub fn run(command: &mut Command, input: &[u8]) -> Option<Ended> {
    run_within(LIMIT, command, input)
}

fn run_within(limit: Duration, command: &mut Command, input: &[u8]) -> Option<Ended> {
    let _slot = Slot::take();
    for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"] {
        command.env_remove(variable);
    }
    command.env("LC_ALL", "C.UTF-8").env("TZ", "UTC");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    // A program need not read what it is given. It is little, so that writing does not block.
    let _ = child.stdin.take().unwrap().write_all(input);
    let ended = gather(limit, &mut child);
    if ended.is_none() {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    ended
}

fn gather(limit: Duration, child: &mut Child) -> Option<Ended> {
    let out = drain(child.stdout.take().unwrap());
    let err = drain(child.stderr.take().unwrap());
    // Both streams end when the program does.
    let out = out.recv_timeout(limit).ok()?;
    let err = err.recv_timeout(limit).ok()?;
    Some(Ended { out, err, code: child.wait().unwrap().code() })
}

/// Reads a stream to its end on a thread of its own, which ends with the program.
fn drain(mut stream: impl Read + Send + 'static) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        // Nobody listens any more when the time was up.
        let _ = sender.send(bytes);
    });
    receiver
}

/// One of as many places as there are cores. Tests run side by side, and each has many programs to
/// run; without this they would take each other's time and run into the limit.
struct Slot;

static TAKEN: Mutex<usize> = Mutex::new(0);
static FREED: Condvar = Condvar::new();

impl Slot {
    fn take() -> Self {
        let taken = TAKEN.lock().unwrap();
        let mut taken = FREED.wait_while(taken, |taken| *taken >= cores()).unwrap();
        *taken += 1;
        Self
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        *TAKEN.lock().unwrap() -= 1;
        FREED.notify_one();
    }
}

/// How many programs are worth running at once.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

#[test]
fn streams_and_codes_are_kept_apart() {
    let ended = run(Command::new("sh").args(["-c", "cat; echo no >&2; exit 7"]), b"yes\n");
    assert_eq!(ended, Some(Ended { out: b"yes\n".into(), err: b"no\n".into(), code: Some(7) }));
}

#[test]
fn a_program_that_hangs_is_killed() {
    let ended = run_within(Duration::from_millis(50), Command::new("sleep").arg("1000"), b"");
    assert_eq!(ended, None);
}
