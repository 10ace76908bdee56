//! A child process that is waited for, but neither for ever nor against the user's will.

use std::io::{self, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// How a child ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum End {
    /// By itself: whether it succeeded, and what it printed, complaints first.
    Finished(bool, String),
    /// It took too long and was killed.
    Late,
    /// The caller did not want to go on, so it was killed.
    Unwanted,
}

/// The most of each stream that is kept. More is read and dropped, so that the child can end.
const MOST_TEXT: u64 = 1 << 20;
/// How often the caller is asked whether it still wants to wait.
const TICK: Duration = Duration::from_millis(20);

/// Runs a command without input until it ends, `patience` is over or `wanted` says no.
pub(super) fn run(
    command: &mut Command,
    patience: Duration,
    wanted: &dyn Fn() -> bool,
) -> io::Result<End> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    apart(command);
    let start = Instant::now();
    let mut child = command.spawn()?;
    let (sender, receiver) = mpsc::channel();
    drain(child.stderr.take(), 0, &sender);
    drain(child.stdout.take(), 1, &sender);
    drop(sender);
    let mut texts = [String::new(), String::new()];
    loop {
        match receiver.recv_timeout(TICK) {
            Ok((index, bytes)) => texts[index] = String::from_utf8_lossy(&bytes).into_owned(),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if !wanted() {
            return kill(&mut child).map(|()| End::Unwanted);
        }
        if start.elapsed() >= patience {
            return kill(&mut child).map(|()| End::Late);
        }
    }
    let status = child.wait()?;
    // What Ctrl-C did to the child is no failure of its own.
    if !wanted() {
        return Ok(End::Unwanted);
    }
    Ok(End::Finished(status.success(), texts.concat()))
}

fn kill(child: &mut Child) -> io::Result<()> {
    // It may have ended in between; what matters is that it has, and is reaped.
    let _ = child.kill();
    child.wait().map(drop)
}

fn drain(
    stream: Option<impl Read + Send + 'static>,
    index: usize,
    sender: &Sender<(usize, Vec<u8>)>,
) {
    let Some(mut stream) = stream else { return };
    let sender = sender.clone();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.by_ref().take(MOST_TEXT).read_to_end(&mut bytes);
        let _ = io::copy(&mut stream, &mut io::sink());
        // Nobody listens any more when the child was killed.
        let _ = sender.send((index, bytes));
    });
}

/// A signal from the terminal is for us, and we end the child.
#[cfg(unix)]
fn apart(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn apart(_: &mut Command) {}

#[cfg(all(test, unix))]
mod tests {
    use super::{End, MOST_TEXT, run};
    use std::process::Command;
    use std::time::Duration;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        command
    }

    const LONG: Duration = Duration::from_mins(5);

    #[test]
    fn what_a_child_says_is_kept_up_to_a_limit() {
        let end = run(&mut shell("echo out; echo err >&2; exit 3"), LONG, &|| true).unwrap();
        assert_eq!(end, End::Finished(false, "err\nout\n".to_owned()));
        let end = run(&mut shell("head -c 3000000 /dev/zero"), LONG, &|| true).unwrap();
        assert!(matches!(end, End::Finished(true, text) if text.len() as u64 == MOST_TEXT));
    }

    #[test]
    fn a_child_that_is_late_or_unwanted_is_killed() {
        let late = run(&mut shell("exec sleep 1000"), Duration::from_millis(1), &|| true).unwrap();
        assert_eq!(late, End::Late);
        assert_eq!(run(&mut shell("exec sleep 1000"), LONG, &|| false).unwrap(), End::Unwanted);
    }
}
