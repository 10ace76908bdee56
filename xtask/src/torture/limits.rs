//! Methods that are hostile to limits: `--time` is held within a tenth and 0.3 s, `--memory` within a
//! tenth, whatever a method does.
//!
//! The methods are those of `tests/fixtures/torture`, each in a process of its own. How long `dalang`
//! needs to start is measured with a method that does nothing, and taken off.

mod case;

#[cfg(test)]
mod tests;

use super::Bench;
use super::child::{self, Ended};
use crate::workshop::repository;
use anyhow::{Context, bail};
use case::Case;
use dalang_classes::path::compile;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// The limit of time of a method that does not ask for another, in seconds.
const SECONDS: f64 = 1.0;
/// How much longer than its limit a method may take: a tenth, and this.
const GRACE: f64 = 0.3;
/// When a method has no end.
const LONGEST: Duration = Duration::from_mins(1);
/// What `dalang check` ends with when nothing is wrong with itself: safe, violated, undecided.
const SOUND: [i32; 3] = [0, 1, 3];
/// The method that does nothing.
const CALM: &str = "Calm.nothing";

/// Where the methods are.
pub(super) fn folder() -> PathBuf {
    repository().join("tests/fixtures/torture")
}

pub(super) fn run(bench: &Bench) -> anyhow::Result<Vec<String>> {
    let cases = case::all(&folder())?;
    let classes = TempDir::new()?;
    compile(&bench.jdk, &case::sources(&folder())?, &[], classes.path())?;
    let started = start_up(bench, classes.path())?;
    println!("  starting takes {:.2} s, which is taken off", started.as_secs_f64());
    let mut findings = Vec::new();
    for case in cases.iter().filter(|case| bench.wants(&case.name)) {
        let ended = check(bench, classes.path(), &case.name, &case.flags)?;
        let wrong = judge(case, &ended, started);
        let mark = if wrong.is_empty() { "" } else { "  <-- over its limits" };
        println!("  {}{mark}", row(case, &ended, started));
        findings.extend(wrong.into_iter().map(|why| format!("{}: {why}", case.name)));
    }
    Ok(findings)
}

/// How long `dalang` takes to say that nothing is wrong with nothing: the longest of three times.
fn start_up(bench: &Bench, classes: &Path) -> anyhow::Result<Duration> {
    let mut longest = Duration::ZERO;
    for _ in 0..3 {
        let ended = check(bench, classes, CALM, &[])?;
        if ended.code != Some(0) {
            bail!("{CALM} is not safe: {}", String::from_utf8_lossy(&ended.err));
        }
        longest = longest.max(ended.wall);
    }
    Ok(longest)
}

fn check(bench: &Bench, classes: &Path, name: &str, flags: &[String]) -> anyhow::Result<Ended> {
    let (class, _) = name.split_once('.').context("a case is a class and a method")?;
    let mut command = Command::new(&bench.dalang);
    command.arg("check").arg(classes.join(format!("{class}.class")));
    command.args(["--method", name, "--format", "json", "--no-progress", "--jdk"]);
    command.arg(&bench.jdk.home).args(flags);
    if !flags.iter().any(|flag| flag == "--time") {
        command.args(["--time", &SECONDS.to_string()]);
    }
    child::run(&mut command, LONGEST)
}

/// What was wrong with a run.
fn judge(case: &Case, ended: &Ended, started: Duration) -> Vec<String> {
    let mut wrong = Vec::new();
    if ended.killed {
        wrong.push(format!("did not end within {} s", LONGEST.as_secs()));
        return wrong;
    }
    let took = ended.wall.saturating_sub(started).as_secs_f64();
    let most = case.seconds().unwrap_or(SECONDS);
    if took > most * 1.1 + GRACE {
        wrong.push(format!("took {took:.2} s with --time {most}"));
    }
    if let (Some(most), Some(peak)) = (case.memory(), ended.peak)
        && peak > most / 10 * 11
    {
        let [peak, most] = [peak, most].map(|bytes| bytes >> 20);
        wrong.push(format!("had {peak} MiB with --memory {most}"));
    }
    wrong.extend(told(case, ended));
    wrong
}

/// What is wrong with what a run said.
fn told(case: &Case, ended: &Ended) -> Option<String> {
    let error = || String::from_utf8_lossy(&ended.err).lines().last().unwrap_or("").to_owned();
    if !ended.code.is_some_and(|code| SOUND.contains(&code)) {
        return Some(format!("ended with {:?}: {}", ended.code, error()));
    }
    let Ok(report) = serde_json::from_slice::<Value>(&ended.out) else {
        return Some("left no report".to_owned());
    };
    let verdict = report["methods"][0]["verdict"].as_str().unwrap_or("nothing");
    (!case.verdicts.is_empty() && !case.verdicts.iter().any(|one| one == verdict))
        .then(|| format!("was called {verdict}, not {}", case.verdicts.join(" or ")))
}

fn row(case: &Case, ended: &Ended, started: Duration) -> String {
    let took = ended.wall.saturating_sub(started).as_secs_f64();
    let peak = ended.peak.map_or("?".to_owned(), |peak| (peak >> 20).to_string());
    let report: Value = serde_json::from_slice(&ended.out).unwrap_or_default();
    let method = &report["methods"][0];
    let verdict = method["verdict"].as_str().unwrap_or("-");
    let stops = method["stops"].as_array().into_iter().flatten();
    let stops: Vec<&str> = stops.filter_map(|stop| stop["kind"].as_str()).collect();
    format!("{:<34} {took:>6.2} s {peak:>6} MiB  {verdict} {}", case.name, stops.join(","))
}
