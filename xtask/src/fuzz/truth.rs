//! `fuzz-truth`: what `dalang` says of random Java methods, held against a real JVM.
//!
//! Every violation must happen on the JVM with its witness: the same exception, on the same line.
//! Where exploration was complete within the bounds, no random input within them may fail in a way
//! that was not found; so a "safe" survives all of them. And the policies must not contradict each
//! other. Whatever does not hold is printed with its case, which `--case` repeats; the same seed gives
//! the same methods and inputs.

mod batch;
mod generate;
mod jvm;
mod opinion;
mod tally;
#[cfg(test)]
mod tests;

use crate::Verdict;
use anyhow::{Context, anyhow, bail};
use batch::{Bench, Finding};
use clap::Args;
use dalang_classes::path::Jdk;
use dalang_heap::Policy;
use generate::METHODS;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tally::Tally;

/// How much to try.
#[derive(Args)]
pub struct Arguments {
    /// How many methods
    #[arg(long, default_value_t = 1_000)]
    count: u64,
    /// Where the random sequence starts; the same seed gives the same methods and inputs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The policies that are compared
    #[arg(long, value_delimiter = ',', default_value = "pose,lazier#,summary")]
    policies: Vec<String>,
    /// Only this method
    #[arg(long, value_name = "N")]
    case: Option<u64>,
    /// How many random inputs a method is run on
    #[arg(long, default_value_t = 20_000)]
    inputs: u32,
    /// The most seconds for a method under one policy
    #[arg(long, value_name = "S", default_value_t = 2.0)]
    time: f64,
    /// Threads; all cores if not given
    #[arg(long)]
    jobs: Option<usize>,
    /// The JDK that compiles and runs, and whose library is used
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
}

/// What is the same for all methods of a run.
struct Plan {
    seed: u64,
    policies: Vec<Policy>,
    inputs: u32,
    /// The most time for an exploration.
    time: Option<Duration>,
    /// The most paths of an exploration.
    paths: Option<u64>,
    case: Option<u64>,
}

/// How many groups share a compilation and a JVM.
const BATCH: u64 = 20;

pub fn run(arguments: &Arguments) -> anyhow::Result<Verdict> {
    let jdk = Jdk::find(arguments.jdk.as_deref())?;
    let policies = arguments.policies.iter().map(|name| policy(name)).collect::<Result<_, _>>()?;
    let plan = Plan {
        seed: arguments.seed,
        policies,
        inputs: arguments.inputs,
        time: Some(Duration::try_from_secs_f64(arguments.time).context("--time is no time")?),
        paths: None,
        case: arguments.case,
    };
    let groups = match arguments.case {
        Some(case) => case / METHODS..case / METHODS + 1,
        None => 0..arguments.count.div_ceil(METHODS),
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let start = Instant::now();
    let bench = Bench::open(jdk)?;
    let folder = findings_folder()?;
    let jobs = arguments.jobs.unwrap_or(cores).max(1);
    let report = |finding: &Finding| show(finding, &plan, &folder);
    let (tally, findings) = examine(&bench, &plan, groups, jobs, &report)?;
    println!(
        "{} methods from seed {} with JDK {}, {} random inputs for each, in {:.0} s: {} disagreements\n",
        tally.methods,
        plan.seed,
        bench.jdk.version,
        plan.inputs,
        start.elapsed().as_secs_f64(),
        findings
    );
    tally.print();
    Ok(if findings == 0 { Verdict::Fine } else { Verdict::Findings })
}

fn policy(name: &str) -> anyhow::Result<Policy> {
    let found = Policy::ALL.into_iter().find(|policy| policy.name() == name);
    let known = || Policy::ALL.map(Policy::name).join(", ");
    found.ok_or_else(|| anyhow!("there is no policy {name}; there are {}", known()))
}

/// Looks at groups of methods, batch by batch; a finding is reported when it is made, so that a
/// long run that is broken off has said what it found.
fn examine(
    bench: &Bench,
    plan: &Plan,
    groups: std::ops::Range<u64>,
    jobs: usize,
    report: &(dyn Fn(&Finding) -> anyhow::Result<()> + Sync),
) -> anyhow::Result<(Tally, usize)> {
    let next = AtomicU64::new(groups.start);
    let total = Mutex::new((Tally::default(), 0));
    let work = || -> anyhow::Result<()> {
        loop {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= groups.end {
                return Ok(());
            }
            let (tally, findings) = bench.examine(plan, first..groups.end.min(first + BATCH))?;
            let Ok(mut total) = total.lock() else { bail!("another thread has failed") };
            total.0.add(&tally);
            total.1 += findings.len();
            findings.iter().try_for_each(report)?;
            eprintln!("{} methods, {} disagreements", total.0.methods, total.1);
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        let join = |worker: std::thread::ScopedJoinHandle<'_, anyhow::Result<()>>| {
            worker.join().map_err(|_| anyhow!("a thread has panicked"))?
        };
        workers.into_iter().try_for_each(join)
    })?;
    total.into_inner().map_err(|_| anyhow!("another thread has failed"))
}

/// Prints a finding, and keeps its group.
fn show(finding: &Finding, plan: &Plan, folder: &Path) -> anyhow::Result<()> {
    let Finding { case, what, method, group, source, opinions } = finding;
    let folder = folder.join(format!("seed{}", plan.seed));
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let path = folder.join(format!("{group}.java"));
    fs::write(&path, source).with_context(|| format!("cannot write {}", path.display()))?;
    println!("--seed {} --case {case} (in {})", plan.seed, path.display());
    println!("  {what}");
    for opinion in opinions {
        println!("  {opinion}");
    }
    println!("{method}");
    Ok(())
}

/// Beside the program itself, below the target directory.
fn findings_folder() -> anyhow::Result<PathBuf> {
    let program = std::env::current_exe().context("cannot tell where this program is")?;
    let target = program.parent().and_then(Path::parent).context("this program is nowhere")?;
    Ok(target.join("fuzz-truth"))
}
