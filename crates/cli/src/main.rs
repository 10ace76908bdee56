//! The program `dalang`: subcommands, exit codes. What each does is in a module of its own.

mod flags;
mod run;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let result = match flags::Cli::parse_from(flags::arguments()).command {
        flags::Command::Run(flags) => run::run(&flags),
        _ => Err(anyhow::anyhow!("this command is not available yet")),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("dalang: {error:#}");
            ExitCode::from(2)
        }
    }
}
