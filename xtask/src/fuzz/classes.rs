//! `fuzz-classes`: damaged class files and jars through loading, linking and decoding.
//!
//! Whatever is done to a file, the outcome is a class or one clear message: no panic, no endless
//! loop, no memory that the bytes do not justify. A finding is printed with the case it came from,
//! its bytes are kept, and `--case` runs it again; the same seed, sources and JDK give the same
//! cases.

pub mod bytecode;
mod case;
pub mod corpus;
mod exercise;
mod jars;
mod journal;
mod messages;
pub mod mutate;
mod rehearse;
pub mod scan;
mod watch;

use crate::Verdict;
use anyhow::{Context, anyhow};
use case::{Bench, Case};
use clap::Args;
use corpus::Corpus;
use exercise::Outcome;
use journal::{Journal, left_over};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use watch::Watch;

/// How much to try.
#[derive(Args)]
pub struct Arguments {
    /// How many classes and jars
    #[arg(long, default_value_t = 2_000)]
    count: u64,
    /// Where the random sequence starts; the same seed gives the same cases
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; all cores if not given
    #[arg(long)]
    jobs: Option<usize>,
    /// The JDK whose classes are damaged and used, if not the first that is found
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
    /// Run this one case and say what happened
    #[arg(long, value_name = "N")]
    case: Option<u64>,
}

/// Cases that share a program.
const CHUNK: u64 = 100;

/// How often the watch looks around.
const TICK: Duration = Duration::from_millis(50);

/// Everything that was seen, and the first case of each kind of finding.
#[derive(Default)]
struct Total {
    ran: u64,
    /// The case that took longest, after the time it took.
    slowest: (Duration, u64),
    outcome: Outcome,
    findings: BTreeMap<String, Finding>,
}

struct Finding {
    case: u64,
    what: String,
    times: u64,
}

impl Total {
    fn add(&mut self, case: u64, took: Duration, mut outcome: Outcome) {
        self.ran += 1;
        self.slowest = self.slowest.max((took, case));
        for what in std::mem::take(&mut outcome.complaints) {
            self.find(case, what);
        }
        self.outcome.add(outcome);
    }

    /// A defect shows in many cases. What precedes the details tells kinds apart.
    fn find(&mut self, case: u64, what: String) {
        let kind = what.split(": ").next().unwrap_or(&what).to_owned();
        let known =
            self.findings.entry(kind).or_insert(Finding { case, what: what.clone(), times: 0 });
        known.times += 1;
        if case < known.case {
            (known.case, known.what) = (case, what);
        }
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Verdict> {
    let corpus = Corpus::open(arguments.jdk.as_deref())?;
    let folder = findings_folder()?;
    if let Some(number) = arguments.case {
        return run_one(&corpus, arguments.seed, number, &folder);
    }
    for options in left_over(&folder) {
        eprintln!("an earlier run ended in the middle of a case; look at it with {options}");
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = arguments.jobs.unwrap_or(cores).max(1);
    let start = Instant::now();
    let total = fuzz(&corpus, arguments.seed, arguments.count, jobs, &folder)?;
    for finding in total.findings.values() {
        let case = Case::make(&corpus, arguments.seed, finding.case);
        let path = case.save(&folder, arguments.seed)?;
        let (what, times) = (&finding.what, finding.times);
        println!("{what}\n  {} (--seed {})", case.describe(), arguments.seed);
        println!("  {times} times; bytes in {}", path.display());
    }
    println!(
        "{} cases from seed {} with JDK {} in {:.0} s: {}; the slowest, {}, took {:.0} ms; {} kinds \
         of findings",
        total.ran,
        arguments.seed,
        corpus.jdk.version,
        start.elapsed().as_secs_f64(),
        summary(&total.outcome),
        total.slowest.1,
        total.slowest.0.as_secs_f64() * 1e3,
        total.findings.len()
    );
    Ok(if total.findings.is_empty() { Verdict::Fine } else { Verdict::Findings })
}

/// Beside the program itself, below the target directory.
fn findings_folder() -> anyhow::Result<PathBuf> {
    let program = std::env::current_exe().context("cannot tell where this program is")?;
    let target = program.parent().and_then(Path::parent).context("this program is nowhere")?;
    Ok(target.join("fuzz-classes"))
}

fn summary(outcome: &Outcome) -> String {
    let by_error = |counts: &BTreeMap<&str, u64>| {
        let short = |error: &str| error.rsplit('/').next().unwrap_or(error).to_owned();
        let parts: Vec<String> =
            counts.iter().map(|(error, count)| format!("{count} {}", short(error))).collect();
        parts.join(", ")
    };
    format!(
        "{} classes loaded, refused with {}; {} bodies sound, {} refused; {} references resolved, \
         others {}; {} calls ended, {} stopped; {} jars opened, {} refused",
        outcome.loaded,
        by_error(&outcome.refused),
        outcome.sound_bodies,
        outcome.refused_bodies,
        outcome.resolved,
        by_error(&outcome.unresolved),
        outcome.ended_calls,
        outcome.stopped_calls,
        outcome.opened_jars,
        outcome.refused_jars
    )
}

fn run_one(corpus: &Corpus, seed: u64, number: u64, folder: &Path) -> anyhow::Result<Verdict> {
    let case = Case::make(corpus, seed, number);
    println!("{}", case.describe());
    println!("bytes in {}", case.save(folder, seed)?.display());
    let (outcome, took) = alone(corpus, seed, number, folder)?;
    println!("{} in {:.1} ms", summary(&outcome), took.as_secs_f64() * 1e3);
    for complaint in &outcome.complaints {
        println!("{complaint}");
    }
    Ok(if outcome.complaints.is_empty() { Verdict::Fine } else { Verdict::Findings })
}

/// Runs a case while nothing else runs. Too much time or memory is a complaint now.
fn alone(
    corpus: &Corpus,
    seed: u64,
    number: u64,
    folder: &Path,
) -> anyhow::Result<(Outcome, Duration)> {
    let jars = TempDir::new()?;
    let case = Case::make(corpus, seed, number);
    let mut bench = Bench::new(corpus, jars.path(), 0);
    let watch = Watch::new(1);
    let (outcome, took) = std::thread::scope(|scope| {
        scope.spawn(|| {
            watch.keep(Duration::from_millis(2), |case| give_up(corpus, seed, case, folder));
        });
        let start = Instant::now();
        watch.begin(0, number);
        let outcome = bench.run(&case);
        watch.end(0);
        watch.stop();
        (outcome, start.elapsed())
    });
    let mut outcome = outcome?;
    if took > watch::SLOW {
        outcome.complaints.push(format!("too slow: {:.1} s", took.as_secs_f64()));
    } else if !watch.suspects().is_empty() {
        outcome.complaints.push(format!("too much memory: more than {} bytes", watch::MUCH));
    }
    Ok((outcome, took))
}

/// Reports a case that does not end, and ends the process in its place.
fn give_up(corpus: &Corpus, seed: u64, number: u64, folder: &Path) {
    let case = Case::make(corpus, seed, number);
    println!("endless: {} (--seed {seed})", case.describe());
    match case.save(folder, seed) {
        Ok(path) => println!("  bytes in {}", path.display()),
        Err(error) => println!("  its bytes cannot be kept: {error}"),
    }
    std::process::exit(1);
}

fn fuzz(
    corpus: &Corpus,
    seed: u64,
    count: u64,
    jobs: usize,
    folder: &Path,
) -> anyhow::Result<Total> {
    let jars = TempDir::new()?;
    let next = AtomicU64::new(0);
    let total = Mutex::new(Total::default());
    let watch = Watch::new(jobs);
    let work = |worker: usize| -> anyhow::Result<()> {
        let mut bench = Bench::new(corpus, jars.path(), worker);
        let mut journal = Journal::open(folder, worker, seed)?;
        loop {
            let first = next.fetch_add(CHUNK, Ordering::Relaxed);
            if first >= count {
                return journal.close();
            }
            bench.renew();
            for number in first..count.min(first + CHUNK) {
                journal.note(number)?;
                let case = Case::make(corpus, seed, number);
                watch.begin(worker, number);
                let start = Instant::now();
                let outcome = bench.run(&case);
                let took = start.elapsed();
                watch.end(worker);
                let mut total = total.lock().map_err(|_| anyhow!("another worker panicked"))?;
                total.add(number, took, outcome?);
                if total.ran.is_multiple_of(20_000) {
                    eprintln!("{} of {count} cases", total.ran);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        let keeper = scope.spawn(|| watch.keep(TICK, |case| give_up(corpus, seed, case, folder)));
        let work = &work;
        let workers: Vec<_> = (0..jobs).map(|worker| scope.spawn(move || work(worker))).collect();
        let results: Vec<_> =
            workers.into_iter().map(std::thread::ScopedJoinHandle::join).collect();
        watch.stop();
        let _ = keeper.join();
        results
            .into_iter()
            .try_for_each(|result| result.unwrap_or_else(|_| Err(anyhow!("a worker panicked"))))
    })?;
    let mut total = total.into_inner().map_err(|_| anyhow!("a worker panicked"))?;
    for number in watch.suspects() {
        let (outcome, _) = alone(corpus, seed, number, folder)?;
        for complaint in outcome.complaints {
            total.find(number, complaint);
        }
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::{corpus, fuzz};
    use tempfile::TempDir;

    #[test]
    fn some_hundred_cases_have_no_finding() {
        let folder = TempDir::new().unwrap();
        let total = fuzz(corpus::tests::corpus(), 1, 300, 1, folder.path()).unwrap();
        let findings: Vec<&String> = total.findings.values().map(|found| &found.what).collect();
        assert_eq!(findings, [""; 0]);
        assert_eq!(total.ran, 300);
        // If nothing got through, the damage is too coarse to test anything behind the parser.
        assert!(total.outcome.loaded > 50 && total.outcome.sound_bodies > 500);
        assert!(total.outcome.refused.len() > 2 && total.outcome.refused_bodies > 5);
    }
}
