//! Classes of Debian's jars, every method explored with `pose`, beside Table I of the paper on it.
//!
//! Each class has a process of its own: a crash is a finding, not the end of the experiment. Traces
//! are completed paths. The paper had six hours for each method and left out those that took longer,
//! as well as those that lazy initialization could not judge; the versions of the libraries differ.

use super::Arguments;
use super::table::{Anchor, JARS, MISSING, TABLE};
use crate::packages::obtain;
use crate::workshop::build_dalang;
use anyhow::Context;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

#[derive(clap::Args)]
pub struct Options {
    /// Only classes whose name has this in it
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// The policy to use instead
    #[arg(long, value_name = "POLICY", default_value = "pose")]
    policy: String,
    /// Executes the witness of every path again; one that goes another way is a finding
    #[arg(long)]
    retrace: bool,
}

/// The paper's bounds on nested calls and on iterations.
const BOUNDS: [&str; 4] = ["--calls", "80", "--loop", "150"];
/// How many reasons for giving up are shown for each class.
const DETAILS: usize = 3;

/// What `dalang check --format json` says, as far as it matters here.
#[derive(Deserialize)]
struct Check {
    defects: Vec<Defect>,
    methods: Vec<Method>,
}

#[derive(Deserialize, Serialize)]
struct Defect {
    method: String,
    what: String,
}

#[derive(Deserialize)]
struct Method {
    #[serde(rename = "method")]
    name: String,
    exhaustive: bool,
    paths: Paths,
    stops: Vec<Stop>,
    violations: Vec<Violation>,
    stats: Stats,
}

#[derive(Deserialize)]
struct Paths {
    completed: u64,
}

#[derive(Deserialize)]
struct Stop {
    kind: String,
    count: u64,
    detail: String,
}

#[derive(Deserialize)]
struct Violation {
    kind: String,
    replay: String,
}

#[derive(Deserialize)]
struct Stats {
    query_tokens: u64,
    solver_ms: f64,
    time_ms: f64,
}

/// One class.
#[derive(Serialize)]
struct Row {
    class: &'static str,
    methods: usize,
    /// Methods of which no path was given up.
    exhausted: usize,
    traces: u64,
    tokens: u64,
    query_ms: f64,
    time_ms: f64,
    wall_ms: f64,
    /// Given-up paths by kind, and by kind and detail, the most frequent first.
    stops: Vec<(String, u64)>,
    details: Vec<(String, u64)>,
    paper_traces: u64,
    paper_tokens: u64,
    /// None is less than one.
    paper_query_seconds: Option<u64>,
}

pub fn run(arguments: &Arguments, options: &Options) -> anyhow::Result<Vec<String>> {
    let only = options.only.as_deref().unwrap_or_default();
    let jars = jars()?;
    let dalang = build_dalang()?;
    let (mut rows, mut findings) = (Vec::new(), Vec::new());
    for anchor in TABLE.iter().filter(|anchor| anchor.class.contains(only)) {
        eprintln!("{} ...", anchor.class);
        let started = Instant::now();
        match check(&dalang, &jars, anchor, arguments, options)? {
            Ok(found) => {
                findings.extend(wrong(&found));
                rows.push(Row::new(anchor, &found, started.elapsed().as_secs_f64() * 1e3));
            }
            Err(crash) => findings.push(format!("{}: {crash}", anchor.class)),
        }
    }
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&rows)?);
    } else {
        print(&rows, arguments, options);
    }
    Ok(findings)
}

/// All jars by name.
fn jars() -> anyhow::Result<BTreeMap<&'static str, PathBuf>> {
    let find = |(name, package, _): (&'static str, &str, _)| {
        let jar = obtain(name, package).map_err(anyhow::Error::msg)?;
        Ok((name, jar))
    };
    JARS.into_iter().map(find).collect()
}

/// Explores a class. What is no answer is told by the inner error.
fn check(
    dalang: &Path,
    jars: &BTreeMap<&'static str, PathBuf>,
    anchor: &Anchor,
    arguments: &Arguments,
    options: &Options,
) -> anyhow::Result<Result<Check, String>> {
    let mut command = Command::new(dalang);
    command.arg("check").arg(&jars[anchor.jar]).args(["--class", anchor.class]);
    // The paper counts paths with static fields as they were initialized.
    command.args(["--statics", "initialized"]);
    for needed in JARS.iter().filter(|(jar, ..)| *jar == anchor.jar).flat_map(|jar| jar.2) {
        command.arg("--class-path").arg(&jars[needed]);
    }
    command.args(["--policy", &options.policy]).args(BOUNDS);
    command.args(["--time", &arguments.limit.to_string(), "--format", "json", "--no-progress"]);
    if options.retrace {
        command.arg("--retrace");
    }
    if let Some(jdk) = &arguments.jdk {
        command.arg("--jdk").arg(jdk);
    }
    let output = command.stdin(Stdio::null()).output().context("dalang cannot be run")?;
    let said = String::from_utf8_lossy(&output.stderr);
    Ok(match output.status.code() {
        Some(0 | 1 | 3 | 4) => serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("the report cannot be read: {error}")),
        _ => Err(format!("{}: {}", output.status, said.trim_end())),
    })
}

/// What must not be: defects that the report names, paths given up by mistake, violations that did
/// not happen again.
fn wrong(found: &Check) -> Vec<String> {
    let mut wrong: Vec<String> =
        found.defects.iter().map(|defect| format!("{}: {}", defect.method, defect.what)).collect();
    for method in &found.methods {
        for stop in method.stops.iter().filter(|stop| stop.kind == "bug") {
            wrong.push(format!("{}: bug: {}", method.name, stop.detail));
        }
        for violation in method.violations.iter().filter(|one| one.replay == "refuted") {
            wrong.push(format!("{}: refuted: {}", method.name, violation.kind));
        }
    }
    wrong
}

impl Row {
    fn new(anchor: &Anchor, found: &Check, wall_ms: f64) -> Self {
        let methods = &found.methods;
        let (mut stops, mut details) = (BTreeMap::new(), BTreeMap::new());
        for stop in methods.iter().flat_map(|method| &method.stops) {
            *stops.entry(stop.kind.clone()).or_default() += stop.count;
            if !stop.detail.is_empty() {
                *details.entry(format!("{}: {}", stop.kind, stop.detail)).or_default() +=
                    stop.count;
            }
        }
        Self {
            class: anchor.class,
            methods: methods.len(),
            exhausted: methods.iter().filter(|method| method.exhaustive).count(),
            traces: methods.iter().map(|method| method.paths.completed).sum(),
            tokens: methods.iter().map(|method| method.stats.query_tokens).sum(),
            query_ms: methods.iter().map(|method| method.stats.solver_ms).sum(),
            time_ms: methods.iter().map(|method| method.stats.time_ms).sum(),
            wall_ms,
            stops: frequent(stops),
            details: frequent(details),
            paper_traces: anchor.traces,
            paper_tokens: anchor.tokens,
            paper_query_seconds: anchor.seconds,
        }
    }
}

fn frequent(counts: BTreeMap<String, u64>) -> Vec<(String, u64)> {
    let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

fn print(rows: &[Row], arguments: &Arguments, options: &Options) {
    println!("Policy {}, at most {} s for a method.\n", options.policy, arguments.limit);
    println!("| class | methods, all paths | traces, ours | paper | tokens, ours | paper |");
    println!("|---|---|---|---|---|---|");
    for row in rows {
        let Row { class, methods, exhausted, traces, tokens, .. } = row;
        let Row { paper_traces, paper_tokens, .. } = row;
        println!(
            "| `{class}` | {methods}, {exhausted} | {traces} | {paper_traces} | {tokens} | {paper_tokens} |"
        );
    }
    println!("\n| class | query s, ours | paper | s | given up |\n|---|---|---|---|---|");
    for row in rows {
        let paper = row.paper_query_seconds.map_or_else(|| "<1".to_owned(), |s| s.to_string());
        let stops: Vec<String> =
            row.stops.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        println!(
            "| `{}` | {:.1} | {paper} | {:.1} | {} |",
            row.class,
            row.query_ms / 1e3,
            row.time_ms / 1e3,
            stops.join(", ")
        );
    }
    println!("\nThe most frequent details:\n");
    for row in rows {
        for (detail, count) in row.details.iter().take(DETAILS) {
            println!("- `{}`: {count} {detail}", row.class);
        }
    }
    println!("\nNot here:\n");
    for missing in MISSING {
        println!("- {missing}");
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::{JARS, TABLE};
    use super::{Check, wrong};

    #[test]
    fn every_class_has_its_jar() {
        for anchor in &TABLE {
            assert!(JARS.iter().any(|(jar, ..)| *jar == anchor.jar), "{}", anchor.class);
        }
        for needed in JARS.iter().flat_map(|jar| jar.2) {
            assert!(JARS.iter().any(|(jar, ..)| jar == needed), "{needed}");
        }
    }

    #[test]
    fn refuted_violations_and_bugs_are_findings() {
        let report = |kind: &str, replay: &str| {
            let text = format!(
                r#"{{"defects": [], "methods": [{{"method": "C.m()V", "exhaustive": false,
                "paths": {{"completed": 1}},
                "stops": [{{"kind": "{kind}", "count": 1, "detail": "why"}}],
                "violations": [{{"kind": "null", "replay": "{replay}"}}],
                "stats": {{"query_tokens": 0, "solver_ms": 0.0, "time_ms": 1.0}}}}]}}"#
            );
            serde_json::from_str::<Check>(&text).unwrap()
        };
        assert!(wrong(&report("time", "confirmed")).is_empty());
        assert_eq!(wrong(&report("bug", "confirmed")), ["C.m()V: bug: why"]);
        assert_eq!(wrong(&report("time", "refuted")), ["C.m()V: refuted: null"]);
    }
}
