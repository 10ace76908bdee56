//! Several workers at once: all share the memory, and together they stay within it.

use super::Bench;
use super::child;
use anyhow::Context;
use std::fs;
use std::time::Duration;
use tempfile::TempDir;

/// When a run has no end.
const LONGEST: Duration = Duration::from_mins(1);
/// What all may have, in mebibytes: enough for one of the arrays, and not for two.
const MEMORY: u64 = 250;
/// How often it is tried: workers meet by chance.
const TIMES: usize = 5;
const METHODS: usize = 8;

/// Each method makes an array of about 150 MB, and no two make the same.
fn source() -> String {
    let methods = (0..METHODS).map(|number| {
        let length = 150_000_000 + number;
        format!(
            "    static int m{number}(int x) {{ byte[] b = new byte[{length}]; \
             b[x & 1] = 1; return b.length; }}\n"
        )
    });
    format!("public class Crowd {{\n{}}}\n", methods.collect::<String>())
}

/// Four workers that ask for much at the same moment.
pub(super) fn run(bench: &Bench) -> anyhow::Result<Vec<String>> {
    let mut findings = Vec::new();
    if !bench.wants("large-arrays") {
        return Ok(findings);
    }
    let folder = TempDir::new()?;
    fs::write(folder.path().join("Crowd.java"), source()).context("no room for a source")?;
    for _ in 0..TIMES {
        let mut command = std::process::Command::new(&bench.dalang);
        command.current_dir(folder.path()).args(["check", "Crowd.java", "--no-progress", "--jdk"]);
        command.arg(&bench.jdk.home).args(["--jobs", "4", "--memory", &MEMORY.to_string()]);
        let ended = child::run(&mut command, LONGEST)?;
        let peak = ended.peak.unwrap_or_default() >> 20;
        let is_over = peak > MEMORY / 10 * 11;
        println!("  large-arrays {peak:>27} MiB{}", if is_over { "  <-- too much" } else { "" });
        if is_over {
            findings.push(format!("large-arrays: had {peak} MiB with --memory {MEMORY}"));
        }
        if ended.killed || !matches!(ended.code, Some(0 | 3)) {
            findings.push(format!("large-arrays: ended with {:?}", ended.code));
        }
    }
    Ok(findings)
}
