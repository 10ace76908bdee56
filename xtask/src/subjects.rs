//! The programs of `subjects` beside what papers say of them, as tables in Markdown.
//!
//! Counts that are known beforehand must be met exactly. The others depend on code that the papers
//! do not show, or that has changed since; ours are printed beside theirs.

mod paper;

use crate::Verdict;
use crate::shapes::{CHAINS, MARK, MARK_BOUND, SMALL, STRUCTURES};
use crate::workshop::Workshop;
use anyhow::Context;
use dalang_explore::{self as explore, Config, Exploration};
use dalang_heap::Policy;
use paper::{ARRAYS, COLLECTIONS, DIVIDED};
use std::path::PathBuf;
use std::time::Duration;

#[derive(clap::Args)]
pub struct Arguments {
    /// The JDK whose library is used
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
    /// The most nodes; the tables begin with five
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u32).range(5..=9))]
    n: u32,
    /// Only checks whose name has this in it, such as `library` or `TreeMap`
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

/// How long an exploration may take whose count is known beforehand, and any other.
const LONGEST: [Duration; 2] = [Duration::from_mins(30), Duration::from_secs(20)];

const POLICIES: [Policy; 3] = [Policy::Lazy, Policy::Lazier, Policy::LazierSharp];

pub fn run(arguments: &Arguments) -> anyhow::Result<Verdict> {
    let workshop = Workshop::open(arguments.jdk.as_deref())?;
    let only = arguments.only.clone().unwrap_or_default();
    let mut tables = Tables { workshop, n: arguments.n, only, findings: Vec::new() };
    println!("Complete paths, with the library of JDK {}.", tables.workshop.library());
    println!("A star: paths were given up for another reason than a bound on the heap.");
    tables.small()?;
    tables.structures()?;
    tables.chains()?;
    tables.marking()?;
    tables.divided()?;
    tables.collections()?;
    tables.arrays()?;
    for finding in &tables.findings {
        eprintln!("{finding}");
    }
    Ok(if tables.findings.is_empty() { Verdict::Fine } else { Verdict::Findings })
}

/// What the tables are made from, and what is wrong in them.
struct Tables {
    workshop: Workshop,
    n: u32,
    /// What the names of checks must have in them.
    only: String,
    findings: Vec<String>,
}

impl Tables {
    /// Whether a check was asked for.
    fn wants(&self, class: &str, check: &str) -> bool {
        format!("{}.{check}", spelled(class)).contains(&self.only)
    }

    /// One exploration, as a cell.
    fn cell(
        &mut self,
        class: &str,
        method: &str,
        config: Config,
        expected: Option<u64>,
    ) -> anyhow::Result<String> {
        eprintln!("{class}.{method} {}", bounds(&config));
        let time = Some(LONGEST[usize::from(expected.is_none())]);
        let config = Config { time, ..config };
        let title = format!("{class}.{method} {}", bounds(&config));
        let context = || format!("{title} cannot be explored");
        let found = self.workshop.explore(class, method, config).with_context(context)?;
        let paths = found.paths.completed();
        if let Some(expected) = expected
            && (paths != expected || found.verdict != explore::Verdict::Safe)
        {
            let what = format!("{paths} paths instead of {expected}, {:?}", found.verdict);
            self.findings.push(format!("{title}: {what}{}", stopped(&found)));
        }
        let time = found.statistics.time_ms / 1e3;
        Ok(format!("{paths}{} in {time:.2} s", mark(&found)))
    }

    fn small(&mut self) -> anyhow::Result<()> {
        heading("Small programs", &["program", "", "lazy", "lazier", "lazier#"]);
        for small in &SMALL {
            if !self.wants(small.class, small.method) {
                continue;
            }
            let mut cells = Vec::new();
            for (policy, expected) in POLICIES.into_iter().zip(small.paths) {
                let config = Config { policy, ..Config::default() };
                eprintln!("{}.{}", small.class, small.method);
                let found = self.workshop.explore(small.class, small.method, config)?;
                let paths = found.paths.completed();
                if expected.is_some_and(|expected| expected != paths) || !found.exhaustive {
                    let name = (small.class, small.method);
                    self.findings.push(format!("{name:?}: {paths} paths for {expected:?}"));
                }
                cells.push(paths.to_string());
            }
            row(&format!("{}.{}", spelled(small.class), small.method), "ours", &cells);
            row("", "papers'", &small.paths.map(number));
        }
        Ok(())
    }

    fn structures(&mut self) -> anyhow::Result<()> {
        let sizes: Vec<String> = (5..=self.n).map(|n| format!("n = {n}")).collect();
        heading_of("Structures with at most n nodes, lazier#", &["check", ""], &sizes);
        for structure in &STRUCTURES {
            for (check, keyed) in structure.checks() {
                if !self.wants(structure.class, check) {
                    continue;
                }
                let (mut ours, mut known) = (Vec::new(), Vec::new());
                for n in 5..=self.n {
                    let expected = structure.paths(keyed, n as usize);
                    let config = Config { n: Some(n), ..Config::default() };
                    ours.push(self.cell(structure.class, check, config, Some(expected))?);
                    known.push(expected.to_string());
                }
                row(&format!("{}.{check}", spelled(structure.class)), "ours", &ours);
                row("", "expected", &known);
            }
        }
        Ok(())
    }

    fn chains(&mut self) -> anyhow::Result<()> {
        let bounds = ["k = 1", "k = 2", "k = 3"].map(str::to_owned);
        heading_of("Chains of at most k references, lazier#", &["check", ""], &bounds);
        for chains in &CHAINS {
            for check in chains.checks {
                if !self.wants(chains.class, check) {
                    continue;
                }
                let mut ours = Vec::new();
                for (k, expected) in (1..).zip(chains.paths) {
                    let config = Config { k: Some(k), ..Config::default() };
                    ours.push(self.cell(chains.class, check, config, Some(expected))?);
                }
                row(&format!("{}.{check}", spelled(chains.class)), "ours", &ours);
                row("", "expected", &chains.paths.map(|paths| paths.to_string()));
            }
        }
        Ok(())
    }

    /// All cells are looked at, so that the policies divide alike.
    fn marking(&mut self) -> anyhow::Result<()> {
        let (class, check) = ("papers/Marking", "checkMark");
        if !self.wants(class, check) {
            return Ok(());
        }
        heading("Marking of cells near the root", &["check", "", "lazy", "lazier", "lazier#"]);
        let mut ours = Vec::new();
        for policy in POLICIES {
            let config = Config { policy, k: Some(MARK_BOUND), ..Config::default() };
            ours.push(self.cell(class, check, config, Some(MARK))?);
        }
        row(&format!("{}.{check}", spelled(class)), "ours", &ours);
        row("", "paper's", &POLICIES.map(|_| MARK.to_string()));
        Ok(())
    }

    /// The older policies, whose counts depend on details of the code.
    fn divided(&mut self) -> anyhow::Result<()> {
        let mut columns = Vec::new();
        for policy in ["lazy", "lazier"] {
            columns.extend((1..=3).map(|k| format!("{policy}, k = {k}")));
        }
        heading_of("Chains, older policies", &["check", ""], &columns);
        for divided in &DIVIDED {
            if !self.wants(divided.class, divided.check) {
                continue;
            }
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            let columns = [(Policy::Lazy, divided.lazy), (Policy::Lazier, divided.lazier)];
            for (policy, paths) in columns {
                for (k, paths) in (1..).zip(paths) {
                    let config = Config { policy, k: Some(k), ..Config::default() };
                    ours.push(self.cell(divided.class, divided.check, config, None)?);
                    theirs.push(number(paths));
                }
            }
            row(&format!("{}.{}", spelled(divided.class), divided.check), "ours", &ours);
            row("", "paper's", &theirs);
        }
        Ok(())
    }

    fn collections(&mut self) -> anyhow::Result<()> {
        let sizes: Vec<String> = (5..=self.n).map(|n| format!("n = {n}")).collect();
        heading_of("Collections of the JDK, lazier#", &["check", ""], &sizes);
        for collection in &COLLECTIONS {
            if !self.wants(collection.class, collection.check) {
                continue;
            }
            let mut ours = Vec::new();
            for n in 5..=self.n {
                let config = Config { n: Some(n), array: n, ..Config::default() };
                ours.push(self.cell(collection.class, collection.check, config, None)?);
            }
            row(&format!("{}.{}", spelled(collection.class), collection.check), "ours", &ours);
            row(
                "",
                "paper's",
                &collection.paths[..ours.len()].iter().copied().map(number).collect::<Vec<_>>(),
            );
        }
        Ok(())
    }

    fn arrays(&mut self) -> anyhow::Result<()> {
        let bounds = ["k = 1", "k = 2", "k = 3"].map(str::to_owned);
        heading_of("Arrays of at most k elements, lazier#", &["check", ""], &bounds);
        for arrays in &ARRAYS {
            if !self.wants(arrays.class, arrays.check) {
                continue;
            }
            let mut ours = Vec::new();
            for k in 1..=3 {
                let config = Config { k: Some(k.max(2)), array: k, ..Config::default() };
                ours.push(self.cell(arrays.class, arrays.check, config, None)?);
            }
            row(&format!("{}.{}", spelled(arrays.class), arrays.check), "ours", &ours);
            row("", "paper's", &arrays.paths.map(number));
        }
        Ok(())
    }
}

fn bounds(config: &Config) -> String {
    let Config { policy, n, k, array, .. } = config;
    let bound = |name: &str, bound: &Option<u32>| match bound {
        Some(bound) => format!(" {name}={bound}"),
        None => String::new(),
    };
    format!("{policy:?}{}{} array={array}", bound("n", n), bound("k", k))
}

/// What was given up for another reason than a bound on the heap.
fn stopped(found: &Exploration) -> String {
    use explore::StopKind::{Array, K, N};
    let other = found.stops.iter().filter(|stop| !matches!(stop.kind, Array | K | N));
    let spelled =
        other.map(|stop| format!(", {} {} {}", stop.count, stop.kind.name(), stop.detail));
    spelled.collect::<Vec<_>>().concat()
}

/// What a cell says beside the count: a star if paths were given up, an exclamation mark if the
/// check fails.
fn mark(found: &Exploration) -> &'static str {
    match found.verdict {
        explore::Verdict::Safe => "",
        explore::Verdict::Undecided => "*",
        explore::Verdict::Unsafe => "!",
    }
}

/// `trees/AvlTree` as Java spells it.
fn spelled(class: &str) -> String {
    class.replace('/', ".")
}

fn number(paths: Option<u64>) -> String {
    paths.map_or_else(|| "-".to_owned(), |paths| paths.to_string())
}

fn heading_of(title: &str, first: &[&str], rest: &[String]) {
    let columns: Vec<&str> = first.iter().copied().chain(rest.iter().map(String::as_str)).collect();
    heading(title, &columns);
}

fn heading(title: &str, columns: &[&str]) {
    println!("\n## {title}\n\n| {} |", columns.join(" | "));
    println!("|{}", "---|".repeat(columns.len()));
}

fn row(name: &str, whose: &str, cells: &[String]) {
    println!("| {name} | {whose} | {} |", cells.join(" | "));
}
