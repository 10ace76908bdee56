//! Temporary folders, which go away whichever way the program ends by itself.

use anyhow::Context;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;

/// Folders that are there now.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A folder that goes away with this.
pub struct Scratch {
    folder: TempDir,
}

impl Scratch {
    /// A new folder for something.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn new(purpose: &str) -> anyhow::Result<Self> {
        let mut folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
        let folder =
            TempDir::new().with_context(|| format!("no temporary folder for {purpose}"))?;
        folders.push(folder.path().to_path_buf());
        Ok(Self { folder })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // It is forgotten only when it is gone, so that a signal in between finds it.
        let _ = fs::remove_dir_all(self.path());
        let mut folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
        folders.retain(|folder| folder != self.folder.path());
    }
}

/// Takes away all folders, because the program ends without looking back.
pub fn clear() {
    for folder in FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        let _ = fs::remove_dir_all(folder);
    }
}
