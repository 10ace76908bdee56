//! The files that the checks look at: what git would track, read once.
//!
//! Ignored files and build output are not seen, hidden files are. What a file means is left to the
//! checks.

use ignore::{DirEntry, WalkBuilder};
use std::path::Path;

/// Extensions of the languages we write programs and pages in.
const SOURCE_EXTENSIONS: &[&str] = &["rs", "java", "js", "html", "css"];

/// One file.
pub(super) struct File {
    /// Relative to the root, with forward slashes.
    pub(super) path: String,
    /// Empty for a file that is not text.
    pub(super) text: String,
}

impl File {
    /// The last part of the path.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The name up to its last dot, and what comes after it.
    fn split(&self) -> (&str, &str) {
        self.name().rsplit_once('.').unwrap_or((self.name(), ""))
    }

    /// The name without its extension.
    pub(super) fn stem(&self) -> &str {
        self.split().0
    }

    pub(super) fn is_source(&self) -> bool {
        SOURCE_EXTENSIONS.contains(&self.split().1)
    }

    pub(super) fn is_rust(&self) -> bool {
        self.split().1 == "rs"
    }

    /// The line, from 1, that a byte offset is on.
    pub(super) fn line_of(&self, offset: usize) -> usize {
        1 + self.text.bytes().take(offset).filter(|&byte| byte == b'\n').count()
    }
}

/// All files below a root, by path.
pub(super) struct Tree {
    files: Vec<File>,
}

impl Tree {
    /// Reads everything below the root that is neither ignored nor built.
    pub(super) fn read(root: &Path) -> anyhow::Result<Tree> {
        let mut files = Vec::new();
        for entry in walk(root) {
            let entry = entry?;
            if entry.file_type().is_some_and(|kind| kind.is_file()) {
                files.push(read(root, entry.path())?);
            }
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Tree { files })
    }

    pub(super) fn files(&self) -> impl Iterator<Item = &File> {
        self.files.iter()
    }

    pub(super) fn sources(&self) -> impl Iterator<Item = &File> {
        self.files().filter(|file| file.is_source())
    }

    pub(super) fn rust(&self) -> impl Iterator<Item = &File> {
        self.files().filter(|file| file.is_rust())
    }

    pub(super) fn file(&self, path: &str) -> Option<&File> {
        self.files().find(|file| file.path == path)
    }
}

fn walk(root: &Path) -> ignore::Walk {
    WalkBuilder::new(root)
        .hidden(false)
        // The tree may be an unpacked archive, and nobody's private ignore list may change a verdict.
        .require_git(false)
        .parents(false)
        .ignore(false)
        .git_global(false)
        .git_exclude(false)
        .filter_entry(|entry| !is_git(entry) && !is_build_output(entry))
        .build()
}

fn is_git(entry: &DirEntry) -> bool {
    entry.file_name() == ".git"
}

/// Cargo's output folder sits beside a manifest; a module may be called `target` too.
fn is_build_output(entry: &DirEntry) -> bool {
    entry.file_name() == "target" && entry.path().with_file_name("Cargo.toml").is_file()
}

fn read(root: &Path, path: &Path) -> anyhow::Result<File> {
    let relative = path.strip_prefix(root)?;
    let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
    let text = String::from_utf8(std::fs::read(path)?).unwrap_or_default();
    Ok(File { path: parts.join("/"), text })
}

#[cfg(test)]
mod tests {
    use crate::tidy::specimen::Specimen;

    const HEADLESS: &str = "fn headless() {}\n";

    #[test]
    fn ignored_and_built_files_are_not_seen() {
        let specimen = Specimen::clean()
            .with(".gitignore", "/scratch\n*.tmp.rs\n")
            .with("scratch/a.rs", HEADLESS)
            .with("crates/term/src/a.tmp.rs", HEADLESS)
            .with("target/debug/build/a.rs", HEADLESS)
            .with(".git/a.rs", HEADLESS);
        assert_eq!(specimen.findings(), [""; 0]);
    }

    #[test]
    fn hidden_files_and_modules_named_target_are_seen() {
        let specimen = Specimen::clean()
            .with(".ci/a.rs", HEADLESS)
            .with("crates/term/src/target/a.rs", HEADLESS);
        specimen.assert_only(&[
            (".ci/a.rs:1: ", "`//!`"),
            ("crates/term/src/target/a.rs:1: ", "`//!`"),
        ]);
    }

    #[test]
    fn files_that_are_not_text_are_left_alone() {
        let specimen = Specimen::clean();
        std::fs::write(specimen.root().join("picture.png"), [0xff, 0xfe, 0x00]).unwrap();
        assert_eq!(specimen.findings(), [""; 0]);
    }
}
