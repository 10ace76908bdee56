//! The solver suite: each workload through the whole chain, through SAT alone and through a z3
//! process, and the cost of one more query on ever longer paths.

use super::workloads::{Counts, Workload};
use crate::{Verdict, z3};
use dalang_solver::{Layers, Limits, PathCondition, Query, Solver};
use dalang_term::{Pool, Sort, TermId};
use serde::Serialize;
use std::time::{Duration, Instant};

/// The result of one workload. Times are microseconds per query.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    queries: u64,
    leaves: u64,
    chain_us: f64,
    sat_us: f64,
    z3_us: f64,
}

/// The cost of one more query on a path of independent comparisons.
#[derive(Serialize)]
struct Growth {
    depth: usize,
    chain_us: f64,
}

#[derive(Serialize)]
struct Results {
    workloads: Vec<Row>,
    growth: Vec<Growth>,
}

const LIMITS: Limits =
    Limits { time: Duration::from_mins(1), until: None, memory: 8 << 30, stop: None };

pub fn run(json: bool) -> anyhow::Result<Verdict> {
    let z3 = z3::find_or_install()?;
    let mut pool = Pool::new();
    let mut results = Results { workloads: Vec::new(), growth: Vec::new() };
    let mut findings = Vec::new();
    for workload in Workload::all(&mut pool) {
        eprintln!("{} ...", workload.name);
        let mut chain = Solver::builtin(Layers::ALL, LIMITS);
        let mut sat = Solver::builtin(Layers::NONE, LIMITS);
        let mut process = Solver::process(&z3, Layers::NONE, LIMITS)?;
        let (counts, chain_us) = measure(&pool, &workload, &mut chain);
        let (sat_counts, sat_us) = measure(&pool, &workload, &mut sat);
        let (z3_counts, z3_us) = measure(&pool, &workload, &mut process);
        for (column, other) in [("sat", sat_counts), ("z3", z3_counts)] {
            findings.extend(disagreement(workload.name, column, other, counts));
        }
        if let Some(expected) = workload.expected {
            findings.extend(disagreement(workload.name, "expected", expected, counts));
        }
        let name = workload.name;
        let Counts { queries, leaves, .. } = counts;
        results.workloads.push(Row { name, queries, leaves, chain_us, sat_us, z3_us });
    }
    results.growth = growth(&mut pool);
    if json {
        println!("{}", serde_json::to_string(&results)?);
    } else {
        print(&results);
    }
    for finding in &findings {
        eprintln!("{finding}");
    }
    Ok(if findings.is_empty() { Verdict::Fine } else { Verdict::Findings })
}

fn measure(pool: &Pool, workload: &Workload, solver: &mut Solver) -> (Counts, f64) {
    let start = Instant::now();
    let counts = workload.explore(pool, solver);
    (counts, start.elapsed().as_secs_f64() * 1e6 / counts.queries as f64)
}

fn disagreement(name: &str, column: &str, other: Counts, chain: Counts) -> Option<String> {
    (other != chain).then(|| format!("{name}: {column} counts {other:?}, the chain {chain:?}"))
}

/// One more query after 500, 1,000, ... comparisons of symbols that it does not mention, and of
/// symbols that it does.
fn growth(pool: &mut Pool) -> Vec<Growth> {
    const DEPTHS: [usize; 6] = [500, 1_000, 2_000, 4_000, 8_000, 16_000];
    let mut solver = Solver::builtin(Layers::ALL, LIMITS);
    let mut path = PathCondition::new();
    let mut pairs = Vec::new();
    DEPTHS
        .into_iter()
        .map(|depth| {
            while path.len() < depth {
                let pair = fresh_pair(pool, pairs.len());
                pairs.push(pair);
                let below = pool.slt(pair.0, pair.1);
                let query = Query::new(pool, &path, below);
                solver.check(pool, &query);
                path = query.into_path();
            }
            Growth { depth, chain_us: one_more(pool, &mut solver, &path, &pairs) }
        })
        .collect()
}

fn fresh_pair(pool: &mut Pool, number: usize) -> (TermId, TermId) {
    let mut symbol = |side: &str| pool.symbol(&format!("{side}{number}"), Sort::BitVec(32));
    (symbol("left"), symbol("right"))
}

fn one_more(
    pool: &mut Pool,
    solver: &mut Solver,
    path: &PathCondition,
    pairs: &[(TermId, TermId)],
) -> f64 {
    let fresh = fresh_pair(pool, usize::MAX);
    let mut extras = Vec::new();
    for pair in pairs.iter().rev().take(250).chain(pairs.iter().take(250)).chain([&fresh]) {
        extras.push(pool.slt(pair.1, pair.0));
        let bound = pool.int(1_000);
        extras.push(pool.slt(bound, pair.0));
    }
    let start = Instant::now();
    for &extra in &extras {
        let query = Query::new(pool, path, extra);
        solver.check(pool, &query);
    }
    start.elapsed().as_secs_f64() * 1e6 / extras.len() as f64
}

fn print(results: &Results) {
    println!(
        "{:<10} {:>8} {:>8} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "workload", "queries", "leaves", "chain us", "SAT us", "z3 us", "SAT/chain", "z3/chain"
    );
    for row in &results.workloads {
        println!(
            "{:<10} {:>8} {:>8} {:>10.2} {:>10.2} {:>10.2} {:>10.1} {:>10.1}",
            row.name,
            row.queries,
            row.leaves,
            row.chain_us,
            row.sat_us,
            row.z3_us,
            row.sat_us / row.chain_us,
            row.z3_us / row.chain_us
        );
    }
    println!("\none more query on a path of independent comparisons");
    println!("{:>8} {:>10}", "depth", "chain us");
    for growth in &results.growth {
        println!("{:>8} {:>10.2}", growth.depth, growth.chain_us);
    }
}
