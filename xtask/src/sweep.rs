//! Whole jars that nobody here wrote, checked as a user would: `dalang check JAR --time S`.
//!
//! The jars are those of the tests, and so is the way to get them. A sweep must end, must not crash,
//! and must account for every method that others can call: `tests/support/account.rs` says what that
//! means. A
//! `bug` stop and a violation that did not happen again are defects of ours, and so findings.

#[cfg(test)]
mod tests;

use crate::Verdict;
use crate::account::{Expected, Report, Tally};
use crate::packages::{LIBRARIES, look_for};
use crate::workshop::build_dalang;
use anyhow::{Context, anyhow, bail};
use dalang_classes::Program;
use dalang_classes::path::{ClassPath, Jdk, Library};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

#[derive(clap::Args)]
pub struct Arguments {
    /// The JDK whose library is used
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
    /// The most seconds for a method
    #[arg(long, value_name = "S", default_value_t = 0.1)]
    time: f64,
    /// Only this jar; may be given several times
    #[arg(long, value_name = "JAR")]
    only: Vec<String>,
    /// How many threads work
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

/// How many reasons are shown.
const MOST: usize = 10;

/// What `dalang check` ends with when nothing is wrong with itself: safe, violated, undecided.
const SOUND: [i32; 3] = [0, 1, 3];

pub fn run(arguments: &Arguments) -> anyhow::Result<Verdict> {
    let jdk = Jdk::find(arguments.jdk.as_deref())?;
    let names = chosen(&arguments.only)?;
    let dalang = build_dalang()?;
    let mut rows = Vec::new();
    let mut all = Tally::default();
    let mut findings = Vec::new();
    for name in names {
        eprintln!("{name} ...");
        let jar = look_for(name).map_err(|why| anyhow!(why))?;
        let start = Instant::now();
        let report = sweep(&dalang, &jdk, &jar, arguments)?;
        let wall = start.elapsed().as_secs_f64();
        let report = match report {
            Ok(report) => report,
            Err(crash) => {
                findings.push(format!("{name}: {crash}"));
                continue;
            }
        };
        let expected = expected(&jdk, &jar)?;
        let wrong = report.findings(&expected);
        findings.extend(wrong.into_iter().map(|finding| format!("{name}: {finding}")));
        let tally = report.tally();
        rows.push((name, tally.clone(), wall));
        all.add(tally);
    }
    println!(
        "dalang check JAR --time {}, with the library of JDK {}\n",
        arguments.time, jdk.version
    );
    table(&rows, &all);
    for (name, tally, _) in &rows {
        reasons(name, tally);
    }
    if rows.len() > 1 {
        reasons("all jars", &all);
    }
    for finding in &findings {
        eprintln!("{finding}");
    }
    Ok(if findings.is_empty() { Verdict::Fine } else { Verdict::Findings })
}

/// The jars that were asked for.
fn chosen(only: &[String]) -> anyhow::Result<Vec<&'static str>> {
    let known = LIBRARIES.map(|(name, _)| name);
    if let Some(unknown) = only.iter().find(|name| !known.contains(&name.as_str())) {
        bail!("there is no jar {unknown}; there are {}", known.join(", "));
    }
    let is_chosen = |name: &&str| only.is_empty() || only.iter().any(|chosen| chosen == name);
    Ok(known.into_iter().filter(is_chosen).collect())
}

/// What there is to account for in a jar.
fn expected(jdk: &Jdk, jar: &Path) -> anyhow::Result<Expected> {
    let path = ClassPath::open(&[jar], jdk.feature)?;
    let names = path.classes()?;
    let program = Program::new(Library::open(jdk)?, path)?;
    Ok(Expected::of(&program, &names))
}

/// What `dalang` says about a jar; or else how it failed to say anything.
fn sweep(
    dalang: &Path,
    jdk: &Jdk,
    jar: &Path,
    arguments: &Arguments,
) -> anyhow::Result<Result<Report, String>> {
    let mut command = Command::new(dalang);
    command.arg("check").arg(jar).args(["--format", "json", "--no-progress", "--jdk"]);
    command.arg(&jdk.home).args(["--time", &arguments.time.to_string()]);
    if let Some(jobs) = arguments.jobs {
        command.args(["--jobs", &jobs.to_string()]);
    }
    let output = command.stdin(Stdio::null()).output().context("dalang cannot be run")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    let said = errors.lines().last().unwrap_or("nothing on standard error");
    Ok(match serde_json::from_slice::<Report>(&output.stdout) {
        // Defects have a code of their own, and are listed in the report.
        Ok(report) if report.has_defects() => Ok(report),
        Ok(report) if output.status.code().is_some_and(|code| SOUND.contains(&code)) => Ok(report),
        Ok(_) => Err(format!("dalang ended with {}: {said}", output.status)),
        Err(why) => {
            Err(format!("dalang ended with {} and no report ({why}): {said}", output.status))
        }
    })
}

fn table(rows: &[(&str, Tally, f64)], all: &Tally) {
    println!(
        "| jar | methods | safe | of them cut by the time | unsafe | undecided | violations confirmed | refuted | not executed again | slowest method | wall time |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for (name, tally, wall) in rows {
        println!("{}", row(name, tally, *wall));
    }
    if rows.len() > 1 {
        println!("{}", row("all", all, rows.iter().map(|row| row.2).sum()));
    }
}

fn row(name: &str, tally: &Tally, wall: f64) -> String {
    let numbers = [
        tally.methods(),
        tally.safe,
        tally.bounded,
        tally.violating,
        tally.undecided,
        tally.confirmed,
        tally.refuted,
        tally.not_replayed,
    ];
    let numbers = numbers.map(|number| number.to_string()).join(" | ");
    format!("| {name} | {numbers} | {:.1} s | {wall:.0} s |", tally.slowest_ms / 1e3)
}

/// The most frequent reasons for giving up, first by methods and then by paths.
fn reasons(title: &str, tally: &Tally) {
    let by_methods = |(methods, paths): (u64, u64)| (methods, paths);
    let by_paths = |(methods, paths): (u64, u64)| (paths, methods);
    list(&format!("{title}: why paths were given up, most methods first"), tally, by_methods);
    list(&format!("{title}: why paths were given up, most paths first"), tally, by_paths);
}

fn list(title: &str, tally: &Tally, order: impl Fn((u64, u64)) -> (u64, u64)) {
    println!("\n{title}:\n\n| methods | paths | reason |\n|---|---|---|");
    let stops: &BTreeMap<_, _> = &tally.stops;
    let mut stops: Vec<_> = stops.iter().map(|(reason, &count)| (reason, count)).collect();
    stops.sort_by_key(|&(_, count)| std::cmp::Reverse(order(count)));
    for ((kind, detail), (methods, paths)) in stops.iter().take(MOST) {
        let colon = if detail.is_empty() { "" } else { ": " };
        println!("| {methods} | {paths} | {kind}{colon}{detail} |");
    }
}
