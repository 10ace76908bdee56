//! Benchmarks: ratios measured in one run, as a table for people or JSON for programs.
//!
//! One file per suite. A suite checks its counts while it measures: a fast wrong answer is a
//! finding, not a result.

mod explore;
mod interp;
mod solver;
mod workloads;

use crate::Verdict;
use clap::{Args, Subcommand};

/// What to measure and how to show it.
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    suite: Suite,
    /// Print one JSON object and nothing else on standard output
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Suite {
    /// Path-condition queries: the chain of layers, SAT alone, a z3 process
    Solver,
    /// Checks of `subjects`: paths, forks and queries per second, one thread and two
    Explore(explore::Arguments),
    /// Java programs: dalang, `java -Xint`, `java`
    Interp(interp::Arguments),
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Verdict> {
    match &arguments.suite {
        Suite::Solver => solver::run(arguments.json),
        Suite::Explore(options) => explore::run(options, arguments.json),
        Suite::Interp(options) => interp::run(options, arguments.json),
    }
}
