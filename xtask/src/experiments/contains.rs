//! `contains` for five objects in a row on lists of at most n nodes: how the number of paths and the
//! time for each grow with n.
//!
//! How many program paths there are is known beforehand. In a list of m nodes an object is at one of
//! m places or missing, which ends the search, and places do not depend on each other because nodes
//! may hold the same or different objects: 1 + m + ... + m^5 paths.

use super::Arguments;
use crate::workshop::Workshop;
use anyhow::{Context, anyhow};
use dalang_explore::{Config, Exploration, StopKind, Verdict};
use dalang_heap::Policy;
use serde::Serialize;
use std::collections::BTreeSet;
use std::thread;
use std::time::Duration;

const CLASS: &str = "papers/ContainsList";
/// `atMost1` to `atMost16`.
const LONGEST: u32 = 16;
const POLICIES: [Policy; 3] = [Policy::LazierSharp, Policy::Summary, Policy::Pose];
/// Up to this length every witness is executed again, and program paths are compared one by one.
const COMPARED: u32 = 3;
/// Comparing is no measurement, and takes longer.
const PATIENCE: f64 = 10.0;
/// Terms can be deep, and some of what walks them calls itself.
const STACK: usize = 256 << 20;

/// One exploration.
#[derive(Clone, Serialize)]
struct Point {
    policy: &'static str,
    n: u32,
    paths: u64,
    time_ms: f64,
    /// For each path that was explored, and for each program path if all were.
    us_per_path: f64,
    us_per_program_path: Option<f64>,
    queries: u64,
    solver_ms: f64,
    /// Whether it came to an end within the limit.
    finished: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Vec<String>> {
    thread::scope(|scope| {
        let work = || Experiment::new(arguments)?.run(arguments.json);
        let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)?;
        worker.join().map_err(|_| anyhow!("the exploration panicked"))?
    })
}

struct Experiment {
    workshop: Workshop,
    limit: f64,
    points: Vec<Point>,
    findings: Vec<String>,
}

impl Experiment {
    fn new(arguments: &Arguments) -> anyhow::Result<Self> {
        let workshop = Workshop::open(arguments.jdk.as_deref())?;
        Ok(Self { workshop, limit: arguments.limit, points: Vec::new(), findings: Vec::new() })
    }

    fn run(mut self, json: bool) -> anyhow::Result<Vec<String>> {
        for policy in POLICIES {
            for n in 1..=LONGEST {
                if !self.measure(policy, n)? {
                    break;
                }
            }
        }
        for n in 1..=COMPARED {
            self.compare(n)?;
        }
        if json {
            println!("{}", serde_json::to_string_pretty(&self.points)?);
        } else {
            self.print();
        }
        Ok(self.findings)
    }

    fn explore(&self, n: u32, config: Config) -> anyhow::Result<Exploration> {
        let method = format!("atMost{n}");
        let config = Config { loops: 1000, ..config };
        let context = || format!("{CLASS}.{method} cannot be explored");
        self.workshop.explore(CLASS, &method, config).with_context(context)
    }

    /// Explores lists of at most n nodes; whether it came to an end.
    fn measure(&mut self, policy: Policy, n: u32) -> anyhow::Result<bool> {
        eprintln!("{} n={n}", policy.name());
        let time = Some(Duration::from_secs_f64(self.limit));
        let found = self.explore(n, Config { policy, time, ..Config::default() })?;
        let paths = found.paths.completed();
        let finished = found.exhaustive;
        self.findings.extend(wrong(policy, n, &found));
        let statistics = &found.statistics;
        self.points.push(Point {
            policy: policy.name(),
            n,
            paths,
            time_ms: statistics.time_ms,
            us_per_path: statistics.time_ms * 1e3 / paths.max(1) as f64,
            us_per_program_path: finished
                .then(|| statistics.time_ms * 1e3 / program_paths(n) as f64),
            queries: statistics.queries,
            solver_ms: statistics.solver_ms,
            finished,
        });
        Ok(finished)
    }

    /// Checks that the policies have the same program paths, and that every witness goes its way.
    fn compare(&mut self, n: u32) -> anyhow::Result<()> {
        eprintln!("program paths n={n}");
        let mut all: Vec<BTreeSet<u64>> = Vec::new();
        for policy in POLICIES {
            let time = Some(Duration::from_secs_f64(self.limit * PATIENCE));
            let retraced = Config { outcomes: true, retrace: true, ..Config::default() };
            let found = self.explore(n, Config { policy, time, ..retraced })?;
            self.findings.extend(wrong(policy, n, &found));
            if !found.exhaustive {
                return Ok(());
            }
            let traces: BTreeSet<u64> = found.outcomes.iter().filter_map(|one| one.trace).collect();
            let known = program_paths(n);
            if traces.len() as u64 != known {
                let what = format!("{} distinct program paths instead of {known}", traces.len());
                self.findings.push(format!("{} n={n}: {what}", policy.name()));
            }
            all.push(traces);
        }
        if all.iter().any(|traces| *traces != all[0]) {
            self.findings.push(format!("n={n}: the policies have different program paths"));
        }
        Ok(())
    }

    fn print(&self) {
        println!(
            "Paths, seconds, and microseconds for each program path; {} s each.\n",
            self.limit
        );
        println!("JDK {}. A star: the limit was met before the end.\n", self.workshop.library());
        let names = POLICIES.map(Policy::name).join(" | ");
        println!("| n | program paths | {names} |\n|---|---|{}", "---|".repeat(POLICIES.len()));
        for n in 1..=LONGEST {
            let cell = |policy: Policy| {
                let is_it = |point: &&Point| point.n == n && point.policy == policy.name();
                self.points.iter().find(is_it).map(Point::cell)
            };
            let cells = POLICIES.map(cell);
            if cells.iter().all(Option::is_none) {
                break;
            }
            let cells = cells.map(|cell| cell.unwrap_or_else(|| "-".to_owned()));
            println!("| {n} | {} | {} |", program_paths(n), cells.join(" | "));
        }
    }
}

impl Point {
    fn cell(&self) -> String {
        let star = if self.finished { "" } else { "*" };
        let each = self.us_per_program_path.map_or("-".to_owned(), |each| format!("{each:.0}"));
        format!("{}{star}, {:.2}, {each}", self.paths, self.time_ms / 1e3)
    }
}

/// How many ways the program can go on lists of 1 to n nodes.
fn program_paths(n: u32) -> u64 {
    (1..=u64::from(n)).map(|nodes| (0..=5).map(|found| nodes.pow(found)).sum::<u64>()).sum()
}

/// What is wrong with an exploration.
fn wrong(policy: Policy, n: u32, found: &Exploration) -> Vec<String> {
    let mut wrong = Vec::new();
    let title = format!("{} n={n}", policy.name());
    let (paths, known) = (found.paths.completed(), program_paths(n));
    let fits = match (policy.is_optimal(), found.exhaustive) {
        (true, true) => paths == known,
        (true, false) => paths <= known,
        (false, true) => paths >= known,
        (false, false) => true,
    };
    if !fits {
        wrong.push(format!("{title}: {paths} paths where the program has {known}"));
    }
    if found.verdict == Verdict::Unsafe {
        wrong.push(format!("{title}: violations in a program that has none"));
    }
    for stop in found.stops.iter().filter(|stop| stop.kind != StopKind::Time) {
        wrong.push(format!("{title}: {} {} {}", stop.count, stop.kind.name(), stop.detail));
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::program_paths;

    #[test]
    fn program_paths_are_those_of_all_shorter_lists() {
        assert_eq!([1, 2, 3].map(program_paths), [6, 6 + 63, 6 + 63 + 364]);
    }
}
