//! Going on where an earlier run has ended: its results are taken from a file, if they are about the
//! same classes, explored in the same way.

use crate::config::Plan;
use anyhow::{Context, bail};
use dalang_explore::{Config, Entry};
use dalang_report::{Earlier, Header};
use rustc_hash::FxHasher;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::hash::Hasher;
use std::io::Read;
use std::path::{Path, PathBuf};

/// More results than this are not read.
const MOST_BYTES: u64 = 2 << 30;

/// What an earlier run has done of these methods, in their order.
///
/// # Errors
/// A file that cannot be read, has no results in it, or those of another check.
pub fn read(
    file: &Path,
    header: &Header,
    methods: &[(Entry, String)],
) -> anyhow::Result<Vec<Earlier>> {
    let shown = file.display();
    if !file.is_file() {
        bail!("--resume {shown}: there is no such ordinary file");
    }
    let opened = File::open(file).with_context(|| format!("--resume {shown}"))?;
    let mut text = String::new();
    opened
        .take(MOST_BYTES)
        .read_to_string(&mut text)
        .with_context(|| format!("--resume {shown}"))?;
    let (found, done) = match dalang_report::earlier(&text) {
        Ok(earlier) => earlier,
        Err(what) => bail!("--resume {shown}: not the results of a check: {what}"),
    };
    if let Some(difference) = header.difference(&found) {
        bail!("--resume {shown}: it has results {difference}; drop --resume to begin anew");
    }
    let mut by_name: BTreeMap<String, Earlier> =
        done.into_iter().map(|earlier| (earlier.method.clone(), earlier)).collect();
    let numbered = methods.iter().enumerate();
    Ok(numbered
        .filter_map(|(index, (_, name))| Some(Earlier { index, ..by_name.remove(name)? }))
        .collect())
}

/// What tells the files that are checked from others, and from themselves once they have changed.
///
/// # Errors
/// A file that cannot be read.
pub fn target(targets: &[PathBuf], class_path: &[PathBuf]) -> anyhow::Result<String> {
    let mut hasher = FxHasher::default();
    for path in targets.iter().chain(class_path) {
        let read =
            if path.is_dir() { folder(path, &mut hasher) } else { content(path, &mut hasher) };
        read.with_context(|| format!("{}", path.display()))?;
        hasher.write_u8(0xfe);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn content(path: &Path, hasher: &mut FxHasher) -> std::io::Result<()> {
    let mut file = File::open(path)?;
    let mut portion = vec![0; 1 << 16];
    let mut length: u64 = 0;
    loop {
        match file.read(&mut portion)? {
            0 => break,
            count => {
                hasher.write(&portion[..count]);
                length += count as u64;
            }
        }
    }
    hasher.write_u64(length);
    Ok(())
}

/// The names, sizes and times of the files of a folder: who changes a file changes one of them.
fn folder(path: &Path, hasher: &mut FxHasher) -> std::io::Result<()> {
    let mut entries: Vec<fs::DirEntry> = fs::read_dir(path)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let metadata = entry.metadata()?;
        hasher.write(entry.file_name().as_encoded_bytes());
        if metadata.is_dir() {
            folder(&entry.path(), hasher)?;
        } else {
            hasher.write_u64(metadata.len());
            let time = metadata.modified()?.duration_since(std::time::UNIX_EPOCH);
            hasher.write_u128(time.map_or(0, |time| time.as_nanos()));
        }
        hasher.write_u8(0xff);
    }
    Ok(())
}

/// What tells the options that decide about results from others. How many threads work is none.
pub fn settings(plan: &Plan, config: &Config) -> String {
    let mut hasher = FxHasher::default();
    let config = Config { jobs: 0, tree: false, ..config.clone() };
    hasher.write(format!("{config:?} {}", plan.main).as_bytes());
    format!("{:016x}", hasher.finish())
}
