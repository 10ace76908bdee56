//! Directories of class files on a class path.
//!
//! Links to directories are not followed when classes are listed, and no more is listed than any
//! program has, so that a listing always ends.

use super::reader::{open, unreadable};
use super::{Found, Origin, class_of, read_file, version};
use crate::error::ClassError;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The most files and folders of a listing.
const MOST_LISTED: usize = 1 << 20;

pub(super) fn read(place: &Arc<Path>, path: &str) -> Result<Option<Found>, ClassError> {
    // A class name from a hostile constant pool must not lead out of the directory.
    let relative = Path::new(path);
    if !relative.components().all(|part| matches!(part, Component::Normal(_))) {
        return Ok(None);
    }
    let file = place.join(relative);
    if !file.is_file() || !has_exact_name(&file) {
        return Ok(None);
    }
    Ok(Some(Found { bytes: read_file(&file)?, origin: Origin::new(place) }))
}

/// Whether the file system means this very name; some also find `A.class` for `a.class`.
fn has_exact_name(file: &Path) -> bool {
    if !cfg!(any(windows, target_os = "macos")) {
        return true;
    }
    let Some(folder) = file.parent() else { return false };
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    names.into_iter().any(|entry| Some(entry.file_name().as_os_str()) == file.file_name())
}

pub(super) fn classes(place: &Path) -> Result<Vec<String>, ClassError> {
    let mut classes = Vec::new();
    let mut folders = vec![(place.to_path_buf(), String::new())];
    let mut listed = 0;
    while let Some((folder, package)) = folders.pop() {
        for entry in entries(&folder)? {
            listed += 1;
            if listed > MOST_LISTED {
                return Err(ClassError::TooMany { path: place.into(), limit: MOST_LISTED });
            }
            let name = entry.file_name();
            // No class has a name that is not text, so nothing is missed.
            let Some(name) = name.to_str() else { continue };
            let path = format!("{package}{name}");
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push((entry.path(), format!("{path}/")));
            } else {
                classes.extend(class_of(&path).map(str::to_owned));
            }
        }
    }
    Ok(classes)
}

/// The highest version among so many class files of a directory.
pub(super) fn newest_version(place: &Path, most: usize) -> u16 {
    let classes = classes(place).unwrap_or_default();
    let files = classes.iter().take(most).map(|class| place.join(format!("{class}.class")));
    files.filter_map(|file| version(open(&file).ok()?)).max().unwrap_or(0)
}

/// The files of a directory with this extension, by name.
pub(super) fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, ClassError> {
    let wanted =
        |path: &PathBuf| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(extension));
    let mut files: Vec<PathBuf> =
        entries(folder)?.iter().map(fs::DirEntry::path).filter(wanted).collect();
    files.sort_unstable();
    Ok(files)
}

fn entries(folder: &Path) -> Result<Vec<fs::DirEntry>, ClassError> {
    let listing = fs::read_dir(folder).and_then(Iterator::collect);
    listing.map_err(|error| unreadable(folder, &error))
}
