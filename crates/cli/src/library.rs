//! Which JDK's library is used: one that is named, or else one that is new enough for the class files.

use crate::streams::complain;
use crate::targets::{is_javalite, is_source};
use anyhow::Result;
use dalang_classes::path::{ClassPath, Jdk};
use std::path::{Path, PathBuf};

/// The JDK for targets and a class path; says so where it is not the usual one.
///
/// # Errors
/// A named folder that is no JDK, or no JDK anywhere.
pub fn fitting(
    chosen: Option<&Path>,
    targets: &[PathBuf],
    class_path: Option<&str>,
) -> Result<Jdk> {
    let usual = Jdk::find(chosen)?;
    if Jdk::is_named(chosen) {
        return Ok(usual);
    }
    // What cannot be opened is refused by whoever opens it to use it.
    let mut path = ClassPath::default();
    let is_class = |target: &&PathBuf| !is_source(target) && !is_javalite(target);
    for target in targets.iter().filter(is_class) {
        let _ = path.add(target, usual.feature);
    }
    let mut version = path.newest_version(usize::MAX);
    if let Some(class_path) = class_path
        && let Ok(path) = ClassPath::parse(class_path, usual.feature)
    {
        // Whoever packs a jar compiles its classes alike.
        version = version.max(path.newest_version(1));
    }
    settle(chosen, version)
}

/// The JDK for a program on a class path that begins with a class.
///
/// # Errors
/// A named folder that is no JDK, or no JDK anywhere.
pub fn for_main(chosen: Option<&Path>, class_path: &str, class: &str) -> Result<Jdk> {
    let usual = Jdk::find(chosen)?;
    let path = ClassPath::parse(class_path, usual.feature).ok();
    let found = path.and_then(|path| path.find(class).ok().flatten());
    settle(chosen, found.and_then(|found| found.version()).unwrap_or(0))
}

fn settle(chosen: Option<&Path>, version: u16) -> Result<Jdk> {
    let (jdk, passed_over) = Jdk::fitting(chosen, version)?;
    if let Some(usual) = passed_over {
        let needed = version.saturating_sub(44);
        complain(&format!(
            "the class files need Java {needed}, so the library is that of JDK {} ({}) and not \
             that of {} ({}); name another with --jdk",
            jdk.version,
            jdk.home.display(),
            usual.version,
            usual.home.display()
        ));
    }
    Ok(jdk)
}
