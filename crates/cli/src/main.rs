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
mod resume;
mod run;
mod scratch;
mod select;
mod streams;
mod sweep;
mod targets;

use clap::Parser;
use dalang_classes::is_hidden;
use std::process::ExitCode;
use streams::{Lost, complain};

fn main() -> ExitCode {
    let arguments = flags::arguments();
    let cli = match flags::Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return unclear(&arguments, &error),
    };
    let result = match cli.command {
        flags::Command::Check(flags) => check::check(*flags),
        flags::Command::Compare(flags) => compare::compare(*flags),
        flags::Command::Tests(_) => {
            Err(anyhow::anyhow!("the command `tests` is not available yet; use `check`"))
        }
        flags::Command::Run(flags) => run::run(&flags),
        flags::Command::Demo(flags) => demo::demo(&flags),
        flags::Command::Doctor(flags) => doctor::doctor(&flags),
    };
    result.unwrap_or_else(|error| failed(&error))
}

/// Ends a run that could not be brought to its end.
fn failed(error: &anyhow::Error) -> ExitCode {
    match error.downcast_ref::<Lost>() {
        // As if the signal had come that closed pipes are told by.
        Some(Lost::Unread) => ExitCode::from(code::UNREAD),
        Some(lost) => {
            complain(&lost.to_string());
            ExitCode::from(code::DEFECT)
        }
        None => match interrupt::code() {
            Some(code) => {
                complain("interrupted before there was a result");
                ExitCode::from(code)
            }
            None => {
                complain(&format!("{error:#}"));
                ExitCode::from(code::USAGE)
            }
        },
    }
}

/// Ends where the command line makes no sense, or asks for help.
fn unclear(arguments: &[std::ffi::OsString], error: &clap::Error) -> ExitCode {
    let hides = |argument: &std::ffi::OsString| argument.to_string_lossy().contains(is_hidden);
    if error.use_stderr() && arguments.iter().any(hides) {
        // What was typed is part of the message, which is better plain than dangerous.
        streams::remark(error.render().to_string().trim_end());
    } else if error.use_stderr() {
        let _ = error.print();
    } else if let Err(lost) = streams::open().and(error.print().map_err(Lost::from)) {
        return failed(&anyhow::Error::new(lost));
    }
    ExitCode::from(if error.use_stderr() { code::USAGE } else { 0 })
}
