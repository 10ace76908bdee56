//! Compiling Java source with the compiler of a JDK.
//!
//! Looking at a program must not execute any of it, and javac is eager to: it loads annotation
//! processors and plugins from the class path, takes options from files whose names begin with `@`
//! and from the environment, and hands arguments that begin with `-J` to its virtual machine. So
//! processing is off, plugins are looked for where there are none, no path looks like an option, and
//! the environment is empty. The class path is for types: sources on it are not compiled.

use super::Jdk;
use super::child::{self, End};
use super::reader::{check_ordinary, unreadable};
use crate::error::ClassError;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Longer than javac takes for anything that people check, on a machine that is busy.
const PATIENCE: Duration = Duration::from_mins(5);

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
    compile_while(jdk, sources, class_path, folder, &|| true)
}

/// The same, for as long as `wanted` says yes. It is asked several times a second.
///
/// # Errors
/// As those of [`compile`], and [`ClassError::Unwanted`].
pub fn compile_while(
    jdk: &Jdk,
    sources: &[PathBuf],
    class_path: &[PathBuf],
    folder: &Path,
    wanted: &dyn Fn() -> bool,
) -> Result<String, ClassError> {
    let javac = jdk.javac().ok_or_else(|| ClassError::NoCompiler { jdk: jdk.home.clone() })?;
    for source in sources {
        check_ordinary(source)?;
    }
    for entry in class_path.iter().filter(|entry| entry.exists() && !entry.is_dir()) {
        check_ordinary(entry)?;
    }
    fs::create_dir_all(folder).map_err(|error| unreadable(folder, &error))?;
    let mut command = command(&javac, class_path, folder)?;
    command.args(sources.iter().map(|source| plain(source)));
    let end = child::run(&mut command, PATIENCE, wanted);
    match end.map_err(|error| unreadable(&javac, &error))? {
        End::Finished(true, text) => Ok(text),
        End::Finished(false, text) => Err(ClassError::Compilation { text }),
        End::Late => Err(ClassError::EndlessCompilation { seconds: PATIENCE.as_secs() }),
        End::Unwanted => Err(ClassError::Unwanted),
    }
}

/// The compiler with everything but the sources.
fn command(javac: &Path, class_path: &[PathBuf], folder: &Path) -> Result<Command, ClassError> {
    let joined = env::join_paths(class_path.iter().map(|entry| plain(entry)));
    let joined = joined.map_err(|error| ClassError::Unreadable {
        path: class_path.first().cloned().unwrap_or_default(),
        detail: error.to_string(),
    })?;
    let folder = plain(folder);
    let nowhere = folder.join("nowhere");
    let mut command = Command::new(javac);
    command.env_clear();
    // The names of files are in UTF-8, and so is what javac says of them, in English.
    command.env("LC_ALL", "C.UTF-8");
    // Without this one no program runs on Windows.
    command.envs(env::var_os("SystemRoot").map(|root| ("SystemRoot", root)));
    command.args(["-g", "-proc:none", "-implicit:none", "-encoding", "UTF-8"]);
    command.arg("-processorpath").arg(&nowhere).arg("-sourcepath").arg(&nowhere);
    command.arg("-d").arg(&folder);
    // Without a class path javac would look at the current directory.
    command.arg("-cp").arg(if joined.is_empty() { folder.as_os_str() } else { &joined });
    Ok(command)
}

/// The path, spelled such that it is nothing but a path, whatever a file is called: `@x.java` would
/// be a file with options, and `-Jx.java` one itself.
fn plain(path: &Path) -> PathBuf {
    let first = path.as_os_str().as_encoded_bytes().first();
    if matches!(first, Some(b'@' | b'-')) { Path::new(".").join(path) } else { path.into() }
}
