//! Chores of the project, one subcommand each: `cargo xtask <chore>`.
//!
//! Only the dispatch lives here. A chore is one variant, one arm and one module that owns its
//! arguments. Every chore exits with 0 when all is well, 1 when it found something, and 2 when it
//! could not do its work (bad usage, unreadable files).

#[path = "../../tests/support/account.rs"]
mod account;
mod bench;
mod experiments;
mod fuzz;
#[path = "../../tests/support/judge.rs"]
mod judge;
mod notices;
#[path = "../../tests/support/packages.rs"]
mod packages;
#[path = "../../tests/support/random.rs"]
mod random;
#[path = "../../tests/support/shapes.rs"]
mod shapes;
mod subjects;
mod sweep;
mod tidy;
mod torture;
#[path = "../../tests/support/ways.rs"]
mod ways;
mod workshop;
mod z3;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Chores of the project")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Measures a suite of benchmarks
    Bench(bench::Arguments),
    /// Repeats experiments of papers with the policies that divide no more than the program does
    Experiments(experiments::Arguments),
    /// Damages class files and jars, and loads, links and decodes what is left
    FuzzClasses(fuzz::classes::Arguments),
    /// Compares the built-in solver with z3 on random formulas
    FuzzSolver(fuzz::solver::Arguments),
    /// Holds what is said of random Java methods against a JVM
    FuzzTruth(fuzz::truth::Arguments),
    /// Compares verification of damaged method bodies with what a virtual machine says
    FuzzVerifier(fuzz::verifier::Arguments),
    /// Writes THIRD-PARTY.md: what the program is built from, and under which licences
    Notices(notices::Arguments),
    /// Explores the programs of `subjects` and compares with what papers say
    Subjects(subjects::Arguments),
    /// Checks every method of jars that nobody here wrote, and accounts for each
    Sweep(sweep::Arguments),
    /// Checks the rules of the house that no compiler checks
    Tidy(tidy::Arguments),
    /// Runs `dalang` on what is hostile to it, and measures whether it keeps its promises
    Torture(torture::Arguments),
}

/// What a chore that did its work has to say.
enum Verdict {
    Fine,
    Findings,
}

fn main() -> ExitCode {
    let verdict = match Cli::parse().chore {
        Chore::Bench(arguments) => bench::run(&arguments),
        Chore::Experiments(arguments) => experiments::run(&arguments),
        Chore::FuzzClasses(arguments) => fuzz::classes::run(&arguments),
        Chore::FuzzSolver(arguments) => fuzz::solver::run(&arguments),
        Chore::FuzzTruth(arguments) => fuzz::truth::run(&arguments),
        Chore::FuzzVerifier(arguments) => fuzz::verifier::run(&arguments),
        Chore::Notices(arguments) => notices::run(&arguments),
        Chore::Subjects(arguments) => subjects::run(&arguments),
        Chore::Sweep(arguments) => sweep::run(&arguments),
        Chore::Tidy(arguments) => tidy::run(&arguments),
        Chore::Torture(arguments) => torture::run(&arguments),
    };
    match verdict {
        Ok(Verdict::Fine) => ExitCode::SUCCESS,
        Ok(Verdict::Findings) => ExitCode::from(1),
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::from(2)
        }
    }
}
