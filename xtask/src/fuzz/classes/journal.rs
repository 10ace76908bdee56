//! Remembers on disk which case each worker is at, for the ends that nobody can report: a stack
//! that overflows, a process that is killed for its memory.

use std::fs::{self, File};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};

/// One worker's entry. It is gone after an orderly end.
pub struct Journal {
    file: File,
    path: PathBuf,
    seed: u64,
}

const PREFIX: &str = "running-";

impl Journal {
    pub fn open(folder: &Path, worker: usize, seed: u64) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)?;
        let path = folder.join(format!("{PREFIX}{worker}"));
        Ok(Self { file: File::create(&path)?, path, seed })
    }

    pub fn note(&mut self, case: u64) -> anyhow::Result<()> {
        // Always the same number of bytes, so that nothing is left of the entry before.
        self.file.rewind()?;
        write!(self.file, "--seed {} --case {case:020}", self.seed)?;
        Ok(())
    }

    pub fn close(self) -> anyhow::Result<()> {
        Ok(fs::remove_file(self.path)?)
    }
}

/// The cases that an earlier run was at when it ended without a word, as options to run them again.
pub fn left_over(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let ours = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX))
    };
    let paths = entries.map(|entry| entry.path()).filter(ours);
    let mut found: Vec<String> = paths.filter_map(|path| fs::read_to_string(path).ok()).collect();
    found.retain(|options| !options.is_empty());
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::{Journal, left_over};
    use tempfile::TempDir;

    #[test]
    fn only_a_disorderly_end_leaves_something() {
        let folder = TempDir::new().unwrap();
        let mut orderly = Journal::open(folder.path(), 0, 1).unwrap();
        orderly.note(12).unwrap();
        orderly.close().unwrap();
        let mut killed = Journal::open(folder.path(), 1, 1).unwrap();
        killed.note(1_000_000).unwrap();
        killed.note(13).unwrap();
        drop(killed);
        assert_eq!(left_over(folder.path()), ["--seed 1 --case 00000000000000000013"]);
    }
}
