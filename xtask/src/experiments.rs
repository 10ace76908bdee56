//! Experiments of papers on path-optimal exploration, repeated; tables in Markdown.

mod contains;
mod pose;
mod table;
mod witnesses;

use crate::Verdict;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    experiment: Experiment,
    /// The JDK whose library is used
    #[arg(long, value_name = "DIR", global = true)]
    jdk: Option<PathBuf>,
    /// The most time for one exploration
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, global = true)]
    limit: f64,
    /// Prints data for programs instead of tables
    #[arg(long, global = true)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Experiment {
    /// Looks for five objects in longer and longer lists, by policy
    Contains,
    /// Explores classes of Debian's jars with `pose`, beside what the paper on it reports
    Pose(pose::Options),
    /// Executes every path of every program in `subjects` again, and looks for paths found twice
    Witnesses(witnesses::Options),
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Verdict> {
    anyhow::ensure!(
        arguments.limit.is_finite() && arguments.limit > 0.0,
        "--limit is a number of seconds above zero"
    );
    let findings = match &arguments.experiment {
        Experiment::Contains => contains::run(arguments)?,
        Experiment::Pose(options) => pose::run(arguments, options)?,
        Experiment::Witnesses(options) => witnesses::run(arguments, options)?,
    };
    for finding in &findings {
        eprintln!("{finding}");
    }
    Ok(if findings.is_empty() { Verdict::Fine } else { Verdict::Findings })
}
