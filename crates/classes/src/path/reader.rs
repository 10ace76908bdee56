//! Reading files that strangers chose: ordinary ones only, and never more than a limit.
//!
//! A FIFO, a device or a socket would make us wait or read for ever, so none is ever opened, whatever
//! it is called.

use crate::error::ClassError;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// No class file is larger: the longest method has 64 KiB, and real files stay below 1 MiB.
pub(crate) const MOST_BYTES: u64 = 64 << 20;

/// Opens an ordinary file for reading.
pub(super) fn open(path: &Path) -> Result<File, ClassError> {
    check_ordinary(path)?;
    File::open(path).map_err(|error| unreadable(path, &error))
}

/// Fails unless the path leads to an ordinary file. Opening another one might wait for a writer.
pub(super) fn check_ordinary(path: &Path) -> Result<(), ClassError> {
    let metadata = fs::metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => ClassError::Missing { path: path.into() },
        _ => unreadable(path, &error),
    })?;
    if metadata.is_file() {
        return Ok(());
    }
    Err(ClassError::NotAFile { path: path.into(), kind: kind(metadata.file_type()) })
}

/// What something is that is no ordinary file.
#[cfg(unix)]
fn kind(file: fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if file.is_dir() {
        "a directory"
    } else if file.is_fifo() {
        "a pipe"
    } else if file.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn kind(file: fs::FileType) -> &'static str {
    if file.is_dir() { "a directory" } else { "a device" }
}

/// The content of an ordinary file, such as a source or a class file, that is not larger than any of
/// them may be.
///
/// # Errors
/// A file that is missing, of another kind, too large, or refused by the operating system.
pub fn read_file(path: &Path) -> Result<Vec<u8>, ClassError> {
    let file = open(path)?;
    read_limited(file, || path.display().to_string(), |error| unreadable(path, error))
}

/// Everything that `source` gives, up to the limit. What a header says of the size is not believed.
pub(super) fn read_limited(
    source: impl Read,
    origin: impl Fn() -> String,
    wrap: impl Fn(&io::Error) -> ClassError,
) -> Result<Vec<u8>, ClassError> {
    let mut bytes = Vec::new();
    source.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| wrap(&error))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(ClassError::TooLarge { origin: origin(), limit: MOST_BYTES });
    }
    Ok(bytes)
}

pub(super) fn unreadable(path: &Path, error: &io::Error) -> ClassError {
    ClassError::Unreadable { path: PathBuf::from(path), detail: error.to_string() }
}
