//! `fuzz-solver`: random formulas over all operators, the built-in solver against a z3 process.
//!
//! A formula is sampled without rewriting and given to z3 as it is; ours gets it rewritten, so that
//! rewriting, every layer and the bit-blaster are on trial together. Both sides' `Sat` answers are
//! evaluated on the unrewritten formula. A disagreement is printed with its seed and its SMT-LIB
//! text, and makes the command fail.

use crate::{Verdict, z3};
use anyhow::Context;
use clap::Args;
use dalang_solver::{Answer, Layers, Limits, PathCondition, Query, SmtCommand, Solver};
use dalang_term::sample::{SampleConfig, Sampler, translate};
use dalang_term::{Pool, Sort, TermId};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How much to try.
#[derive(Args)]
pub struct Arguments {
    /// How many formulas
    #[arg(long, default_value_t = 1_000)]
    count: u64,
    /// Where the random sequence starts; the same seed gives the same formulas
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads, each with a z3 of its own; all cores if not given
    #[arg(long)]
    jobs: Option<usize>,
    /// Milliseconds that either solver may take for one formula
    #[arg(long, default_value_t = 300)]
    limit: u64,
}

/// Formulas that share a pool and a z3 process.
const CHUNK: u64 = 100;

#[derive(Default)]
struct Tally {
    ran: u64,
    sat: u64,
    unsat: u64,
    unknown: u64,
    z3_unknown: u64,
    our_time: Duration,
    z3_time: Duration,
    disagreements: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.ran += other.ran;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.z3_unknown += other.z3_unknown;
        self.our_time += other.our_time;
        self.z3_time += other.z3_time;
        self.disagreements.extend(other.disagreements);
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Verdict> {
    let command = z3::find_or_install()?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = arguments.jobs.unwrap_or(cores).max(1);
    let next = AtomicU64::new(0);
    let total = Mutex::new(Tally::default());
    let start = Instant::now();
    std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..jobs).map(|_| scope.spawn(|| work(arguments, &command, &next, &total))).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(result) => result,
            Err(_) => anyhow::bail!("a worker panicked: that is a finding, see above"),
        })
    })?;
    let total = total.into_inner().context("a worker panicked while counting")?;
    for disagreement in &total.disagreements {
        println!("{disagreement}");
    }
    println!(
        "{} formulas from seed {} in {:.0} s: {} sat, {} unsat, {} unknown ({:.0} s); z3 left {} unknown ({:.0} s); {} disagreements",
        total.ran,
        arguments.seed,
        start.elapsed().as_secs_f64(),
        total.sat,
        total.unsat,
        total.unknown,
        total.our_time.as_secs_f64(),
        total.z3_unknown,
        total.z3_time.as_secs_f64(),
        total.disagreements.len()
    );
    Ok(if total.disagreements.is_empty() { Verdict::Fine } else { Verdict::Findings })
}

fn work(
    arguments: &Arguments,
    command: &SmtCommand,
    next: &AtomicU64,
    total: &Mutex<Tally>,
) -> anyhow::Result<()> {
    loop {
        let first = next.fetch_add(CHUNK, Ordering::Relaxed);
        if first >= arguments.count {
            return Ok(());
        }
        let tally = chunk(arguments, command, first, CHUNK.min(arguments.count - first))?;
        let mut total = total.lock().map_err(|_| anyhow::anyhow!("another worker panicked"))?;
        total.add(tally);
        if total.ran % 5_000 < CHUNK {
            eprintln!("{} of {}", total.ran, arguments.count);
        }
    }
}

fn chunk(
    arguments: &Arguments,
    command: &SmtCommand,
    first: u64,
    count: u64,
) -> anyhow::Result<Tally> {
    let limits = Limits { time: Duration::from_millis(arguments.limit), ..Limits::default() };
    let (mut raw, mut pool) = (Pool::raw(), Pool::new());
    let mut chain = Solver::builtin(Layers::ALL, limits);
    let mut sat_alone = Solver::builtin(Layers::NONE, limits);
    let mut z3 = Solver::process(command, Layers::NONE, limits)?;
    let mut tally = Tally::default();
    for number in first..first + count {
        let formula =
            sample(&mut raw, arguments.seed.wrapping_mul(0x9e37_79b9).wrapping_add(number), number);
        let mut path = PathCondition::new();
        let (last, earlier) = formula.split_last().context("a formula has a conjunct")?;
        for &conjunct in earlier {
            let rewritten = pool.import(&raw, conjunct);
            path = path.and(&pool, rewritten);
        }
        let rewritten = pool.import(&raw, *last);
        let ours = if number % 2 == 0 { &mut chain } else { &mut sat_alone };
        let start = Instant::now();
        let our_answer = ours.check(&pool, &Query::new(&pool, &path, rewritten));
        tally.our_time += start.elapsed();
        let start = Instant::now();
        let their_answer = ask_unrewritten(&raw, &mut z3, earlier, *last);
        tally.z3_time += start.elapsed();
        count_answers(&mut tally, &our_answer, &their_answer);
        let complaint = match (&our_answer, &their_answer) {
            (Answer::Sat(_), Answer::Unsat) => Some("ours is sat, z3 unsat"),
            (Answer::Unsat, Answer::Sat(_)) => Some("ours is unsat, z3 sat"),
            (Answer::Sat(assignment), _) => {
                let values = translate(assignment, &pool, &raw);
                let holds = formula.iter().all(|&conjunct| raw.evaluate(conjunct, &values) == 1);
                (!holds).then_some("our values do not satisfy the unrewritten formula")
            }
            (Answer::Unknown(dalang_solver::Reason::Refuted(_)), _) => {
                Some("a backend's values do not satisfy the formula")
            }
            _ => None,
        };
        if let Some(complaint) = complaint {
            let script = raw.smtlib(&formula);
            tally.disagreements.push(format!("; formula {number}: {complaint}\n{script}"));
        }
    }
    Ok(tally)
}

fn count_answers(tally: &mut Tally, ours: &Answer, theirs: &Answer) {
    tally.ran += 1;
    match ours {
        Answer::Sat(_) => tally.sat += 1,
        Answer::Unsat => tally.unsat += 1,
        Answer::Unknown(_) => tally.unknown += 1,
    }
    tally.z3_unknown += u64::from(matches!(theirs, Answer::Unknown(_)));
}

fn ask_unrewritten(raw: &Pool, z3: &mut Solver, earlier: &[TermId], last: TermId) -> Answer {
    let path = earlier.iter().fold(PathCondition::new(), |path, &conjunct| path.and(raw, conjunct));
    z3.check(raw, &Query::new(raw, &path, last))
}

/// A few conjuncts. One formula in 32 has the float operators that are hard for every solver;
/// those formulas are small.
fn sample(raw: &mut Pool, seed: u64, number: u64) -> Vec<TermId> {
    let heavy = number % 32 == 31;
    let config = SampleConfig {
        widths: [&[1, 2, 3, 4][..], &[8, 16], &[32], &[7, 33, 64]][(number / 8 % 4) as usize],
        floats: heavy || number.is_multiple_of(3),
        heavy_floats: heavy,
        references: number.is_multiple_of(2),
        ..SampleConfig::default()
    };
    let mut sampler = Sampler::with_config(seed, config);
    let conjuncts = 1 + sampler.random().below(if heavy { 1 } else { 4 });
    let size = 3 + sampler.random().below(if heavy { 6 } else { 14 }) as u32;
    (0..conjuncts).map(|_| sampler.term(raw, Sort::Bool, size)).collect()
}
