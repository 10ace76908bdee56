//! Benchmarks: ratios measured in one run, as a table for people or JSON for programs.
//!
//! One file per suite. A suite checks its counts while it measures: a fast wrong answer is a
//! finding, not a result.

mod solver;
mod workloads;

use crate::Verdict;
use clap::{Args, ValueEnum};

/// What to measure and how to show it.
#[derive(Args)]
pub struct Arguments {
    /// Which suite to run
    suite: Suite,
    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Suite {
    /// Path-condition queries: the chain of layers, SAT alone, a z3 process
    Solver,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Verdict> {
    match arguments.suite {
        Suite::Solver => solver::run(arguments.json),
    }
}
