//! Compiling Java source with the compiler of a JDK.
//!
//! Annotation processors are switched off: javac would load and run them from the class path, and
//! looking at a program must not execute any of it.

use super::{Jdk, unreadable};
use crate::error::ClassError;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Compiles `sources` into `folder` with debug information, and gives what javac had to say about it
/// although it succeeded, warnings for instance.
///
/// # Errors
/// No compiler, no permission to write, or a source that javac refuses: then the error's text is
/// everything javac printed.
pub fn compile(
    jdk: &Jdk,
    sources: &[PathBuf],
    class_path: &[PathBuf],
    folder: &Path,
) -> Result<String, ClassError> {
    let javac = jdk.javac().ok_or_else(|| ClassError::NoCompiler { jdk: jdk.home.clone() })?;
    fs::create_dir_all(folder).map_err(|error| unreadable(folder, &error))?;
    let mut command = Command::new(&javac);
    // The variables add options and print a notice: results would depend on the shell.
    command.env_remove("JDK_JAVAC_OPTIONS").env_remove("JAVA_TOOL_OPTIONS");
    command.args(["-g", "-proc:none", "-encoding", "UTF-8", "-d"]).arg(folder);
    let joined = env::join_paths(class_path).map_err(|error| ClassError::Unreadable {
        path: class_path.first().cloned().unwrap_or_default(),
        detail: error.to_string(),
    })?;
    // Without a class path javac would look at the current directory and at $CLASSPATH.
    command.arg("-cp").arg(if joined.is_empty() { folder.as_os_str() } else { &joined });
    command.args(sources).stdin(Stdio::null());
    let output = command.output().map_err(|error| unreadable(&javac, &error))?;
    let mut text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stdout));
    if output.status.success() { Ok(text) } else { Err(ClassError::Compilation { text }) }
}
