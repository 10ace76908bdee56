//! Which methods there are, and what is special about each: read from the sources, so that a new hostile
//! method is a method and nothing else.
//!
//! Every static method of a file that is not private is a case. `//@ flags: ...` before it gives flags to
//! the next one alone, and `//@ verdict: ...` says what it must be called: a limit must not be held by
//! giving up too early.

use anyhow::{Context, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// One hostile method.
#[derive(Debug)]
pub(super) struct Case {
    /// Class and method.
    pub(super) name: String,
    pub(super) flags: Vec<String>,
    /// What it may be called; anything if there are none.
    pub(super) verdicts: Vec<String>,
}

impl Case {
    /// The limit of memory that it is run with, in bytes, if it asks for one.
    pub(super) fn memory(&self) -> Option<u64> {
        self.value("--memory")?.parse::<u64>().ok().map(|mebibytes| mebibytes << 20)
    }

    /// The limit of time that it is run with, in seconds, if it asks for one.
    pub(super) fn seconds(&self) -> Option<f64> {
        self.value("--time")?.parse().ok()
    }

    fn value(&self, flag: &str) -> Option<&str> {
        let place = self.flags.iter().position(|one| one == flag)?;
        self.flags.get(place + 1).map(String::as_str)
    }
}

/// The sources of a folder, sorted.
pub(super) fn sources(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("{}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "java") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The cases of a folder.
pub(super) fn all(folder: &Path) -> anyhow::Result<Vec<Case>> {
    let mut cases = Vec::new();
    for file in sources(folder)? {
        let text = fs::read_to_string(&file)?;
        let class = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        cases.extend(read(class, &text).with_context(|| format!("{}", file.display()))?);
    }
    Ok(cases)
}

/// The cases of one file.
pub(super) fn read(class: &str, text: &str) -> anyhow::Result<Vec<Case>> {
    let mut cases = Vec::new();
    let (mut flags, mut verdicts) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let words = |list: &str| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        if let Some(list) = line.trim().strip_prefix("//@ flags:") {
            flags = words(list);
        } else if let Some(list) = line.trim().strip_prefix("//@ verdict:") {
            verdicts = words(list);
        } else if line.trim().starts_with("//@") {
            bail!("an unknown directive: {line}");
        } else if let Some(method) = method(line) {
            let name = format!("{class}.{method}");
            let (flags, verdicts) = (std::mem::take(&mut flags), std::mem::take(&mut verdicts));
            cases.push(Case { name, flags, verdicts });
        }
    }
    if !flags.is_empty() || !verdicts.is_empty() {
        bail!("a directive has no method behind it");
    }
    Ok(cases)
}

/// The name of the method that a line of the class itself begins.
fn method(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("    static ").filter(|rest| rest.ends_with('{'))?;
    let (head, _) = rest.split_once('(')?;
    head.rsplit(' ').next()
}
