//! The program `dalang`: subcommands, exit codes. What each does is in a module of its own.

mod check;
mod code;
mod compare;
mod config;
mod demo;
mod doctor;
mod flags;
mod interrupt;
mod library;
mod printer;
mod run;
mod select;
mod sweep;
mod targets;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let result = match flags::Cli::parse_from(flags::arguments()).command {
        flags::Command::Check(flags) => check::check(*flags),
        flags::Command::Compare(flags) => compare::compare(*flags),
        flags::Command::Tests(_) => {
            Err(anyhow::anyhow!("the command `tests` is not available yet; use `check`"))
        }
        flags::Command::Run(flags) => run::run(&flags),
        flags::Command::Demo(flags) => demo::demo(&flags),
        flags::Command::Doctor(flags) => doctor::doctor(&flags),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("dalang: {error:#}");
            ExitCode::from(code::USAGE)
        }
    }
}
