//! The exploration suite: checks of `subjects`, each run in a process of its own so that its memory
//! is its own, in turns so that whatever else the machine does slows down all alike.
//!
//! A time is the shortest of several runs; it is that of the exploration, without starting. The
//! number of paths is known beforehand and must be met.

use crate::Verdict;
use crate::shapes::STRUCTURES;
use crate::workshop::Workshop;
use anyhow::{Context, bail};
use dalang_explore::{Config, Statistics};
use dalang_heap::Policy;
use serde::{Deserialize, Serialize};
use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

#[derive(clap::Args)]
pub struct Arguments {
    /// The JDK whose library is used
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
    /// How often each workload is run; the shortest time counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Run one workload in this process, and print its row
    #[arg(long, value_name = "NAME", hide = true)]
    only: Option<String>,
}

/// Something to explore.
struct Workload {
    name: &'static str,
    class: &'static str,
    check: &'static str,
    policy: Policy,
    n: u32,
    jobs: usize,
    /// How long it should take, in seconds.
    goal: Option<f64>,
}

const TREE: &str = "trees/BinarySearchTree";

const WORKLOADS: [Workload; 5] = [
    Workload {
        name: "tree-map-put-9",
        class: "library/TreeMapChecks",
        check: "checkPutInt",
        policy: Policy::LazierSharp,
        n: 9,
        jobs: 1,
        goal: Some(1.0),
    },
    Workload {
        name: "search-tree-insert-9",
        class: TREE,
        check: "checkInsert",
        policy: Policy::LazierSharp,
        n: 9,
        jobs: 1,
        goal: Some(5.0),
    },
    Workload {
        name: "search-tree-insert-9-jobs-2",
        class: TREE,
        check: "checkInsert",
        policy: Policy::LazierSharp,
        n: 9,
        jobs: 2,
        goal: None,
    },
    Workload {
        name: "search-tree-insert-5",
        class: TREE,
        check: "checkInsert",
        policy: Policy::LazierSharp,
        n: 5,
        jobs: 1,
        goal: None,
    },
    Workload {
        name: "search-tree-insert-5-lazier",
        class: TREE,
        check: "checkInsert",
        policy: Policy::Lazier,
        n: 5,
        jobs: 1,
        goal: None,
    },
];

/// What is divided by what, for people.
const RATIOS: [(&str, usize, usize); 2] = [
    ("one thread / two threads, search-tree-insert-9", 1, 2),
    ("lazier / lazier#, search-tree-insert-5", 4, 3),
];

/// The result of one workload.
#[derive(Clone, Serialize, Deserialize)]
struct Row {
    name: String,
    paths: u64,
    time_ms: f64,
    peak_bytes: u64,
    instructions: u64,
    forks: u64,
    implied: u64,
    queries: u64,
    /// Queries by the layer that decided them: constant, reuse, order, cores, guide,
    /// inequalities, backend.
    layers: [u64; 7],
}

#[derive(Serialize)]
struct Results {
    workloads: Vec<Row>,
}

pub fn run(arguments: &Arguments, json: bool) -> anyhow::Result<Verdict> {
    if let Some(name) = &arguments.only {
        let workload = WORKLOADS.iter().find(|workload| workload.name == name);
        let workload = workload.with_context(|| format!("there is no workload {name}"))?;
        println!("{}", serde_json::to_string(&measure(workload, arguments)?)?);
        return Ok(Verdict::Fine);
    }
    let mut best: Vec<Option<Row>> = WORKLOADS.iter().map(|_| None).collect();
    let mut findings = Vec::new();
    for _ in 0..arguments.runs {
        for (workload, best) in WORKLOADS.iter().zip(&mut best) {
            eprintln!("{} ...", workload.name);
            let row = sample(workload, arguments)?;
            findings.extend(wrong(workload, &row));
            if best.as_ref().is_none_or(|best| row.time_ms < best.time_ms) {
                *best = Some(row);
            }
        }
    }
    let results = Results { workloads: best.into_iter().flatten().collect() };
    if json {
        println!("{}", serde_json::to_string(&results)?);
    } else {
        print(&results);
    }
    findings.dedup();
    for finding in &findings {
        eprintln!("{finding}");
    }
    Ok(if findings.is_empty() { Verdict::Fine } else { Verdict::Findings })
}

/// Runs a workload in a process of its own.
fn sample(workload: &Workload, arguments: &Arguments) -> anyhow::Result<Row> {
    let mut command = Command::new(env::current_exe()?);
    command.args(["bench", "explore", "--only", workload.name]);
    if let Some(jdk) = &arguments.jdk {
        command.arg("--jdk").arg(jdk);
    }
    let output = command.stdin(Stdio::null()).output().context("xtask cannot be run again")?;
    if !output.status.success() {
        bail!("{}: {}", workload.name, String::from_utf8_lossy(&output.stderr).trim_end());
    }
    serde_json::from_slice(&output.stdout).context("a row cannot be read")
}

fn measure(workload: &Workload, arguments: &Arguments) -> anyhow::Result<Row> {
    let workshop = Workshop::open(arguments.jdk.as_deref())?;
    let Workload { policy, n, jobs, .. } = *workload;
    let config = Config { policy, n: Some(n), jobs, time: None, ..Config::default() };
    let found = workshop.explore(workload.class, workload.check, config)?;
    let Statistics { time_ms, peak_bytes, instructions, forks, implied, queries, layers, .. } =
        found.statistics;
    Ok(Row {
        name: workload.name.to_owned(),
        paths: found.paths.completed(),
        time_ms,
        peak_bytes,
        instructions,
        forks,
        implied,
        queries,
        layers,
    })
}

/// What is wrong with a row. Only lazier# has a number of paths that is known beforehand.
fn wrong(workload: &Workload, row: &Row) -> Option<String> {
    let structure = STRUCTURES.iter().find(|structure| structure.class == workload.class)?;
    let expected = structure.paths(structure.keyed.contains(&workload.check), workload.n as usize);
    let fine = match workload.policy {
        Policy::LazierSharp => row.paths == expected,
        _ => row.paths >= expected,
    };
    (!fine).then(|| format!("{}: {} paths instead of {expected}", row.name, row.paths))
}

fn print(results: &Results) {
    println!(
        "{:<28} {:>8} {:>9} {:>7} {:>9} {:>9} {:>10} {:>9} {:>9} {:>8}",
        "workload",
        "paths",
        "time ms",
        "goal ms",
        "paths/s",
        "forks/s",
        "M instr/s",
        "implied",
        "queries",
        "peak MB"
    );
    for (row, workload) in results.workloads.iter().zip(&WORKLOADS) {
        let rate = |count: u64| count as f64 / row.time_ms * 1e3;
        println!(
            "{:<28} {:>8} {:>9.1} {:>7} {:>9.0} {:>9.0} {:>10.2} {:>9} {:>9} {:>8.1}",
            row.name,
            row.paths,
            row.time_ms,
            workload.goal.map_or_else(|| "-".to_owned(), |goal| format!("{:.0}", goal * 1e3)),
            rate(row.paths),
            rate(row.forks),
            rate(row.instructions) / 1e6,
            row.implied,
            row.queries,
            row.peak_bytes as f64 / f64::from(1 << 20)
        );
    }
    println!("\nqueries by layer: constant, reuse, order, cores, guide, inequalities, backend");
    for row in &results.workloads {
        println!("{:<28} {:?}", row.name, row.layers);
    }
    println!();
    for (what, above, below) in RATIOS {
        if let (Some(above), Some(below)) =
            (results.workloads.get(above), results.workloads.get(below))
        {
            println!("{what}: {:.2}", above.time_ms / below.time_ms);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{RATIOS, Row, WORKLOADS, wrong};

    #[test]
    fn ratios_are_of_workloads_with_fitting_names() {
        for (what, above, below) in RATIOS {
            let name = what.rsplit(' ').next().unwrap_or_default();
            assert!(WORKLOADS[above].name.starts_with(name), "{what}");
            assert!(WORKLOADS[below].name.starts_with(name), "{what}");
        }
    }

    #[test]
    fn a_wrong_count_is_a_finding() {
        let row = |paths| Row {
            name: "search-tree-insert-5".to_owned(),
            paths,
            time_ms: 1.0,
            peak_bytes: 0,
            instructions: 0,
            forks: 0,
            implied: 0,
            queries: 0,
            layers: [0; 7],
        };
        assert_eq!(wrong(&WORKLOADS[3], &row(637)), None);
        assert!(wrong(&WORKLOADS[3], &row(638)).is_some());
        assert_eq!(wrong(&WORKLOADS[4], &row(638)), None);
        assert!(wrong(&WORKLOADS[4], &row(636)).is_some());
    }
}
