//! The interpreter suite: the programs of `benches/interp`, run by dalang, by `java -Xint` and by
//! `java`, in turns, so that whatever else the machine does slows down all three alike.
//!
//! A time is the shortest of several runs of a whole process, starting it included; `hello` does
//! nothing else. All must print the same.

use crate::Verdict;
use crate::workshop::{build, repository};
use anyhow::{Context, bail};
use dalang_classes::path::{Jdk, compile};
use serde::Serialize;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

#[derive(clap::Args)]
pub struct Arguments {
    /// The JDK to compare with, whose library dalang uses as well
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
    /// How often each program is run by each machine; the shortest time counts
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
}

/// The result of one program. What dalang did wrong has no time.
#[derive(Serialize)]
struct Row {
    name: String,
    dalang_ms: Option<f64>,
    xint_ms: f64,
    java_ms: f64,
    /// Only for the table.
    #[serde(skip)]
    instructions: Option<u64>,
}

#[derive(Serialize)]
struct Results {
    workloads: Vec<Row>,
}

/// Who runs a program.
#[derive(Clone, Copy)]
enum Machine {
    Dalang,
    Xint,
    Java,
}

const MACHINES: [Machine; 3] = [Machine::Dalang, Machine::Xint, Machine::Java];

/// What all the runs need.
struct Bench {
    dalang: PathBuf,
    java: PathBuf,
    jdk: Jdk,
    classes: TempDir,
}

/// One run: what it printed and how it ended, and how long that took.
struct Sample {
    output: Vec<u8>,
    errors: String,
    code: Option<i32>,
    time: Duration,
}

pub fn run(arguments: &Arguments, json: bool) -> anyhow::Result<Verdict> {
    let jdk = Jdk::find(arguments.jdk.as_deref())?;
    let java = jdk.java().context("the JDK has no `java`")?;
    eprintln!("JDK {} in {}", jdk.version, jdk.home.display());
    let bench = Bench { dalang: build()?, java, jdk, classes: TempDir::new()? };
    let sources = sources()?;
    compile(&bench.jdk, &sources, &[], bench.classes.path())?;
    let mut results = Results { workloads: Vec::new() };
    let mut findings = Vec::new();
    for source in &sources {
        let class = source.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        eprintln!("{class} ...");
        results.workloads.push(bench.row(class, arguments.runs, &mut findings)?);
    }
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

impl Bench {
    fn row(&self, class: &str, runs: u32, findings: &mut Vec<String>) -> anyhow::Result<Row> {
        let mut best = [Duration::MAX; 3];
        let mut instructions = None;
        let mut wrong = None;
        for _ in 0..runs {
            let mut expected = None;
            // Java goes first, because it says what is right.
            for machine in MACHINES.into_iter().rev() {
                let sample = self.sample(machine, class)?;
                let expected = expected.get_or_insert_with(|| sample.output.clone());
                let fine = sample.code == Some(0) && sample.output == *expected;
                match machine {
                    Machine::Dalang if !fine => wrong = Some(last_line(&sample.errors)),
                    Machine::Dalang => instructions = counted(&sample.errors),
                    _ if !fine => bail!("java does not run {class}: {}", sample.errors.trim_end()),
                    _ => {}
                }
                let best = &mut best[machine as usize];
                *best = sample.time.min(*best);
            }
        }
        let [dalang, xint, java] = best.map(|time| time.as_secs_f64() * 1e3);
        let dalang_ms = wrong.is_none().then_some(dalang);
        findings.extend(wrong.map(|what| format!("{class}: not what java prints; {what}")));
        Ok(Row { name: dashed(class), dalang_ms, xint_ms: xint, java_ms: java, instructions })
    }

    fn sample(&self, machine: Machine, class: &str) -> anyhow::Result<Sample> {
        let mut command = match machine {
            Machine::Dalang => {
                let mut command = Command::new(&self.dalang);
                command.args(["run", "--statistics", "--jdk"]).arg(&self.jdk.home);
                command
            }
            Machine::Xint => {
                let mut command = Command::new(&self.java);
                command.arg("-Xint");
                command
            }
            Machine::Java => Command::new(&self.java),
        };
        // The variables add options: results would depend on the shell.
        for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"] {
            command.env_remove(variable);
        }
        command.arg("-cp").arg(self.classes.path()).arg(class).stdin(Stdio::null());
        let start = Instant::now();
        let output = command.output().with_context(|| format!("{command:?} cannot be run"))?;
        let time = start.elapsed();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        Ok(Sample { output: output.stdout, errors, code: output.status.code(), time })
    }
}

/// The programs, by name.
fn sources() -> anyhow::Result<Vec<PathBuf>> {
    let folder = repository().join("benches/interp");
    let context = || format!("{} cannot be read", folder.display());
    let mut sources = Vec::new();
    for entry in fs::read_dir(&folder).with_context(context)? {
        let path = entry.with_context(context)?.path();
        if path.extension().is_some_and(|extension| extension == "java") {
            sources.push(path);
        }
    }
    sources.sort();
    if sources.is_empty() {
        bail!("there are no programs in {}", folder.display());
    }
    Ok(sources)
}

/// `IntLoop` as `int-loop`.
fn dashed(class: &str) -> String {
    let mut name = String::new();
    for letter in class.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

/// How many instructions dalang says that it ran.
fn counted(errors: &str) -> Option<u64> {
    let count =
        |line: &str| line.strip_prefix("dalang: ")?.strip_suffix(" instructions")?.parse().ok();
    errors.lines().rev().find_map(count)
}

fn last_line(text: &str) -> String {
    let said = |line: &&str| !line.trim().is_empty() && counted(line).is_none();
    text.lines().rfind(said).unwrap_or("the output differs").to_owned()
}

fn print(results: &Results) {
    println!(
        "{:<18} {:>10} {:>10} {:>10} {:>12} {:>12} {:>12}",
        "workload", "dalang ms", "-Xint ms", "java ms", "dalang/-Xint", "dalang/java", "M instr/s"
    );
    let number = |value: Option<f64>, digits: usize| match value {
        Some(value) => format!("{value:.digits$}"),
        None => "-".to_owned(),
    };
    for row in &results.workloads {
        let ratio = |other: f64| row.dalang_ms.map(|time| time / other);
        let count = row.instructions.map(|count| count as f64);
        let speed = row.dalang_ms.zip(count).map(|(time, count)| count / time / 1e3);
        println!(
            "{:<18} {:>10} {:>10} {:>10} {:>12} {:>12} {:>12}",
            row.name,
            number(row.dalang_ms, 1),
            number(Some(row.xint_ms), 1),
            number(Some(row.java_ms), 1),
            number(ratio(row.xint_ms), 2),
            number(ratio(row.java_ms), 2),
            number(speed, 1)
        );
    }
    println!("\nwhole processes, the shortest time of each; hello is what starting costs");
}

#[cfg(test)]
mod tests {
    use super::{counted, dashed, last_line};

    #[test]
    fn names_have_dashes() {
        let names = ["Hello", "IntLoop", "HashMapTraffic"].map(dashed);
        assert_eq!(names, ["hello", "int-loop", "hash-map-traffic"]);
    }

    #[test]
    fn what_dalang_says_of_itself_is_read() {
        let text = "some warning\ndalang: 12345 instructions\n";
        assert_eq!(counted(text), Some(12345));
        assert_eq!(last_line(text), "some warning");
        assert_eq!(counted("dalang: stopped: x is not supported\n"), None);
        assert_eq!(last_line("\n"), "the output differs");
    }
}
