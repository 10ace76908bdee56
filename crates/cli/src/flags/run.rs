//! Flags of `run`.

use clap::Args;
use std::path::PathBuf;

/// What `run` takes.
#[derive(Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Run {
    /// Directories, jars and class files, separated as in Java's own class path
    #[arg(long, visible_alias = "cp", value_name = "PATH")]
    pub class_path: Option<String>,
    /// Whose class library to use
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
    /// Turns Java's `assert` on
    #[arg(long)]
    pub assertions: bool,
    /// Runs the library's own bytecode where dalang has a faster replacement
    #[arg(long)]
    pub no_replacements: bool,
    /// Executes every instruction one by one, for comparison
    #[arg(long)]
    pub no_express: bool,
    /// How many frames fit on the stack before a `StackOverflowError`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    pub frames: Option<u32>,
    /// How large the heap may grow before an `OutOfMemoryError`
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(16..=1 << 20))]
    pub heap: Option<u64>,
    /// Says on standard error how many instructions ran
    #[arg(long)]
    pub statistics: bool,
    /// The class with `main`, or a `.java` file
    #[arg(value_name = "CLASS")]
    pub target: String,
    /// What the program is given
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    pub arguments: Vec<String>,
}
