//! Flags as they are typed. What they mean is in `config.rs`.

mod check;
mod objects;
mod run;

pub use check::{
    Check, Color, Compare, Doctor, Entry, Format, Merge, Options, Plain, PolicyName, ReplayBy,
    SearchName, StaticsName,
};
pub use objects::Objects;
pub use run::Run;

use clap::{Parser, Subcommand};
use std::ffi::OsString;

/// A symbolic Java virtual machine.
#[derive(Parser)]
#[command(name = "dalang", version, about)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Looks for inputs that make methods go wrong
    Check(Box<Check>),
    /// Explores methods under several policies and compares what that takes
    Compare(Box<Compare>),
    /// Writes JUnit tests (not available yet)
    Tests(Later),
    /// Runs a program, the way `java` would
    Run(Run),
    /// Finds bugs in built-in examples and explains what it does
    Demo(Plain),
    /// Says what was found on this machine, what is missing and what that costs
    Doctor(Doctor),
}

/// A command that is not there yet takes anything.
#[derive(clap::Args)]
pub struct Later {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub arguments: Vec<OsString>,
}

/// The command line, with Java's own spelling of `--class-path` made digestible: options of one
/// dash and several letters are nothing that `clap` knows. What follows the class to run is the
/// program's and stays as it is.
pub fn arguments() -> Vec<OsString> {
    const WITH_VALUE: [&str; 5] = ["--class-path", "--cp", "--jdk", "--frames", "--heap"];
    let mut given = std::env::args_os();
    let mut arguments: Vec<OsString> = given.by_ref().take(2).collect();
    let runs = arguments.get(1).is_some_and(|command| command == "run");
    while let Some(argument) = given.next() {
        let is_java = argument == "-cp" || argument == "-classpath";
        let argument = if is_java { "--class-path".into() } else { argument };
        let takes_value = WITH_VALUE.iter().any(|&name| argument == name);
        let is_target = !argument.to_string_lossy().starts_with('-');
        arguments.push(argument);
        if takes_value {
            arguments.extend(given.next());
        } else if runs && is_target {
            break;
        }
    }
    arguments.extend(given);
    arguments
}
