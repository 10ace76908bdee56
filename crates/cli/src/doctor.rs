//! `dalang doctor`: what is there, what is missing, and what that costs.

use crate::config::{cores, memory};
use crate::flags::{self, Format};
use crate::streams::Printer;
use anyhow::bail;
use dalang_classes::path::Jdk;
use dalang_report::{Health, KnownJdk, KnownSolver};
use dalang_solver::SmtCommand;
use std::io::Read;
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

const SOLVERS: [&str; 3] = ["z3", "cvc5", "bitwuzla"];
/// Versions are shorter.
const MOST_SAID: u64 = 1 << 16;
/// A solver that takes longer to say its version is of no use.
const PATIENCE: Duration = Duration::from_secs(5);

/// Looks around and says what it finds.
///
/// # Errors
/// A format that is for results that come one after the other.
pub fn doctor(flags: &flags::Doctor) -> anyhow::Result<ExitCode> {
    let health = examine(flags);
    let text = match flags.format {
        Format::Text => health.text(),
        Format::Json => dalang_report::health_json(&health),
        Format::Jsonl => bail!("doctor has one thing to say; use --format json"),
    };
    Printer::new(flags.plain.color).print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn examine(flags: &flags::Doctor) -> Health {
    let chosen = Jdk::find(flags.plain.jdk.as_deref());
    let mut jdks = Jdk::installed();
    if let Ok(chosen) = &chosen
        && !jdks.iter().any(|jdk| same(jdk, chosen))
    {
        jdks.push(chosen.clone());
    }
    let known = |jdk: &Jdk| KnownJdk {
        home: jdk.home.display().to_string(),
        version: jdk.version.clone(),
        javac: jdk.javac().map(|javac| javac.display().to_string()),
        default: chosen.as_ref().is_ok_and(|chosen| same(jdk, chosen)),
    };
    Health {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        jdks: jdks.iter().map(known).collect(),
        jdk_error: chosen.as_ref().err().map(ToString::to_string),
        solvers: SOLVERS.map(solver).into(),
        cores: cores(),
        memory_bytes: memory(),
    }
}

/// Whether two are one, whatever links lead to it.
fn same(one: &Jdk, other: &Jdk) -> bool {
    let real = |jdk: &Jdk| std::fs::canonicalize(&jdk.home).unwrap_or_else(|_| jdk.home.clone());
    real(one) == real(other)
}

fn solver(name: &str) -> KnownSolver {
    KnownSolver { name: name.to_owned(), version: version(name) }
}

/// The first line of what a program says of its version.
fn version(program: &str) -> Option<String> {
    let program = SmtCommand::parse(program).ok()?.locate().ok()?;
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    let mut out = child.stdout.take()?;
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut text = String::new();
        let _ = out.by_ref().take(MOST_SAID).read_to_string(&mut text);
        let _ = sender.send(text);
    });
    let text = receiver.recv_timeout(PATIENCE).ok();
    if text.is_none() {
        let _ = child.kill();
    }
    let _ = child.wait();
    let first = text?.lines().next().unwrap_or("unknown version").trim().to_owned();
    Some(first)
}
