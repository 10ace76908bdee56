//! No file or folder has a name that says nothing about what is in it.

use super::finding::Finding;
use super::tree::{File, Tree};
use std::collections::BTreeSet;

/// Names that fit everything, and `mod`, because `foo.rs` sits beside `foo/` here.
const FORBIDDEN: &[&str] = &[
    "utils", "util", "helpers", "helper", "common", "misc", "types", "core", "manager", "mod",
    "prelude",
];

/// Below these the tree mirrors Java's packages, and `java.util` is not ours to rename.
const JAVA_MIRRORS: [&str; 2] = ["crates/intrinsics/src/java/", "crates/intrinsics/src/jdk/"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let sources = tree.sources().filter(|file| is_forbidden(file.stem()));
    let sources = sources.map(|file| file.path.as_str());
    let folders: BTreeSet<&str> = tree.files().flat_map(folders).collect();
    let mirrors = |path: &&str| JAVA_MIRRORS.iter().any(|mirror| path.starts_with(mirror));
    sources.chain(folders).filter(|path| !mirrors(path)).map(finding).collect()
}

fn is_forbidden(name: &str) -> bool {
    FORBIDDEN.contains(&name.to_lowercase().as_str())
}

/// The folders above a file that have a forbidden name.
fn folders(file: &File) -> impl Iterator<Item = &str> {
    let ends = file.path.match_indices('/').map(|(end, _)| &file.path[..end]);
    ends.filter(|folder| is_forbidden(folder.rsplit('/').next().unwrap_or(folder)))
}

fn finding(path: &str) -> Finding {
    let remedy = if path.ends_with("mod.rs") {
        "name the module's file after the module, beside its folder"
    } else {
        "name it after the one thing it is about, or move its parts where they belong"
    };
    Finding::new(path, 1, "this name says nothing about what is inside", remedy)
}

#[cfg(test)]
mod tests {
    use crate::tidy::specimen::Specimen;

    const HEAD: &str = "//! Something.\n";

    #[test]
    fn files_with_empty_names_are_found_in_every_language() {
        let specimen = Specimen::clean()
            .with("crates/term/src/print/mod.rs", HEAD)
            .with("crates/term/src/utils.rs", HEAD)
            .with("java/Helpers.java", "class Helpers {}\n")
            .with("page/misc.css", "a {}\n");
        specimen.assert_only(&[
            ("crates/term/src/print/mod.rs:1: ", "beside its folder"),
            ("crates/term/src/utils.rs:1: ", "says nothing"),
            ("java/Helpers.java:1: ", "says nothing"),
            ("page/misc.css:1: ", "says nothing"),
        ]);
    }

    #[test]
    fn a_folder_is_found_once_however_much_is_in_it() {
        let specimen = Specimen::clean()
            .with("crates/term/src/common/a.rs", HEAD)
            .with("crates/term/src/common/b.rs", HEAD);
        specimen.assert_only(&[("crates/term/src/common:1: ", "says nothing")]);
    }

    #[test]
    fn the_mirror_of_the_java_packages_keeps_their_names() {
        let specimen = Specimen::clean()
            .with("crates/intrinsics/src/java/util.rs", HEAD)
            .with("crates/intrinsics/src/java/util/arrays.rs", HEAD)
            .with("crates/intrinsics/src/util.rs", HEAD);
        specimen.assert_only(&[("crates/intrinsics/src/util.rs:1: ", "says nothing")]);
    }

    #[test]
    fn names_that_only_contain_such_a_word_pass() {
        let specimen = Specimen::clean()
            .with("crates/term/src/utility.rs", HEAD)
            .with("crates/term/src/scores/a.rs", HEAD)
            .with("docs/types.md", "Prose may be about types.\n");
        assert_eq!(specimen.findings(), [""; 0]);
    }
}
