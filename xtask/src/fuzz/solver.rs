//! `fuzz-solver`: random formulas over all operators, the built-in solver against a z3 process.
//!
//! A formula is sampled without rewriting and given to z3 as it is; ours gets it rewritten, conjunct
//! by conjunct as a path grows, once through all layers and once through SAT alone, so that
//! rewriting, every layer and the bit-blaster are on trial together. Both sides' `Sat` answers are
//! evaluated on the unrewritten formula. A disagreement is printed with its seed and its SMT-LIB
//! text, and makes the command fail.

use crate::{Verdict, z3};
use anyhow::Context;
use clap::Args;
use dalang_solver::{Answer, Layers, Limits, PathCondition, Query, Reason, SmtCommand, Solver};
use dalang_term::sample::{Random, SampleConfig, Sampler, translate};
use dalang_term::{Assignment, Pool, Sort, TermId};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How much to try.
#[derive(Args)]
pub struct Arguments {
    /// How many formulas; each is asked through all layers and through SAT alone
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
        "{} comparisons from seed {} in {:.0} s: {} sat, {} unsat, {} unknown ({:.0} s); z3 left {} unknown ({:.0} s); {} disagreements",
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
            eprintln!("{} of {} comparisons", total.ran, 2 * arguments.count);
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
    let mut chain = Solver::builtin(Layers::ALL, limits.clone());
    let mut sat_alone = Solver::builtin(Layers::NONE, limits.clone());
    let mut z3 = Solver::process(command, Layers::NONE, limits)?;
    let mut tally = Tally::default();
    for number in first..first + count {
        let seed = arguments.seed.wrapping_mul(0x9e37_79b9).wrapping_add(number);
        let formula = sample(&mut raw, seed);
        for ours in [&mut chain, &mut sat_alone] {
            let start = Instant::now();
            let (answer, asked) = ask_step_by_step(&raw, &mut pool, ours, &formula);
            tally.our_time += start.elapsed();
            let start = Instant::now();
            let theirs = ask_unrewritten(&raw, &mut z3, &formula[..asked]);
            tally.z3_time += start.elapsed();
            count_answers(&mut tally, &answer, &theirs);
            if let Some(complaint) = complaint(&raw, &pool, &formula[..asked], &answer, &theirs) {
                let script = raw.smtlib(&formula[..asked]);
                tally.disagreements.push(format!("; formula {number}: {complaint}\n{script}"));
            }
        }
    }
    Ok(tally)
}

/// Asks as a growing path does, each conjunct on top of those before, until one is not `Sat`; gives
/// the last answer and how many conjuncts it is about.
fn ask_step_by_step(
    raw: &Pool,
    pool: &mut Pool,
    solver: &mut Solver,
    formula: &[TermId],
) -> (Answer, usize) {
    let mut path = PathCondition::new();
    for (index, &conjunct) in formula.iter().enumerate() {
        let rewritten = pool.import(raw, conjunct);
        let query = Query::new(pool, &path, rewritten);
        let answer = solver.check(pool, &query);
        if index + 1 == formula.len() || !answer.is_sat() {
            return (answer, index + 1);
        }
        path = query.into_path();
    }
    (Answer::Sat(Assignment::new()), 0)
}

/// What is wrong with the two answers, if anything is.
fn complaint(
    raw: &Pool,
    pool: &Pool,
    formula: &[TermId],
    ours: &Answer,
    theirs: &Answer,
) -> Option<String> {
    // z3 may take too long or give up; anything else it says about itself is a finding, be it that
    // it cannot read our text or that its values do not satisfy the formula as we evaluate it.
    const GIVES_UP: [&str; 2] = ["no answer within the time limit", "answered unknown"];
    match (ours, theirs) {
        (_, Answer::Unknown(Reason::Process(why)))
            if !GIVES_UP.iter().any(|words| why.contains(words)) =>
        {
            Some(format!("z3: {why}"))
        }
        (Answer::Unknown(Reason::Refuted(_)), _) | (_, Answer::Unknown(Reason::Refuted(_))) => {
            Some(String::from("a backend's values do not satisfy the formula"))
        }
        (Answer::Sat(_), Answer::Unsat) => Some(String::from("ours is sat, z3 unsat")),
        (Answer::Unsat, Answer::Sat(_)) => Some(String::from("ours is unsat, z3 sat")),
        (Answer::Sat(assignment), _) => {
            let values = translate(assignment, pool, raw);
            let holds = formula.iter().all(|&conjunct| raw.evaluate(conjunct, &values) == 1);
            (!holds).then(|| String::from("our values do not satisfy the unrewritten formula"))
        }
        _ => None,
    }
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

fn ask_unrewritten(raw: &Pool, z3: &mut Solver, formula: &[TermId]) -> Answer {
    let assume = |path: PathCondition, &conjunct: &TermId| path.and(raw, conjunct);
    let path = formula.iter().fold(PathCondition::new(), assume);
    z3.check(raw, &Query::new(raw, &path, Pool::TRUE))
}

/// A few conjuncts. One formula in 32 has the float operators that are hard for every solver; those
/// formulas are small.
fn sample(raw: &mut Pool, seed: u64) -> Vec<TermId> {
    const WIDTHS: [&[u8]; 4] = [&[1, 2, 3, 4], &[8, 16], &[32], &[7, 33, 64]];
    let mut random = Random::new(seed);
    let heavy = random.one_in(32);
    let config = SampleConfig {
        widths: random.pick(&WIDTHS),
        floats: heavy || random.one_in(3),
        heavy_floats: heavy,
        references: random.one_in(2),
        ..SampleConfig::default()
    };
    let mut sampler = Sampler::with_config(seed, config);
    let conjuncts = 1 + random.below(if heavy { 1 } else { 4 });
    let size = 3 + random.below(if heavy { 6 } else { 14 }) as u32;
    (0..conjuncts).map(|_| sampler.term(raw, Sort::Bool, size)).collect()
}
