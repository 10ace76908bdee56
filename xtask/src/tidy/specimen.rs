//! Small trees for the tests of the checks: a clean one, and what a test plants in it.

use super::inspect;
use std::path::Path;
use tempfile::TempDir;

const WORKSPACE: &str = "[workspace]\nmembers = [\"crates/*\"]\n\n[workspace.dependencies]\n\
    dalang-term = { path = \"crates/term\" }\n";

const RULES: &str = r#"//! Rules for `Not`.

const NOT: &[Rule] = &[Rule { name: "boolean/not-not", apply: not_not }];

/// match: `!!a`
/// result: `a`
/// side condition: none
fn not_not(pool: &mut Pool, node: Node) -> Option<TermId> {
    None
}
"#;

/// A tree in a folder of its own, gone when the test is.
pub(super) struct Specimen {
    folder: TempDir,
}

impl Specimen {
    /// A workspace of `term` and `solver` with nothing to complain about.
    pub(super) fn clean() -> Specimen {
        Specimen { folder: tempfile::tempdir().unwrap() }
            .with("Cargo.toml", WORKSPACE)
            .with("crates/term/Cargo.toml", &manifest("term", ""))
            .with(
                "crates/term/src/lib.rs",
                "//! Terms.\n\nmod rewrite;\n\npub use rewrite::Rule;\n",
            )
            .with("crates/term/src/rewrite.rs", "//! Rewriting.\n\nmod boolean;\n")
            .with("crates/term/src/rewrite/boolean.rs", RULES)
            .with(
                "crates/solver/Cargo.toml",
                &manifest("solver", "[dependencies]\ndalang-term.workspace = true\n"),
            )
            .with("crates/solver/src/lib.rs", "//! The solver.\n")
            .with("README.md", "# A clean house\n")
    }

    /// The tree with one more file, or with a file replaced.
    pub(super) fn with(self, path: &str, text: &str) -> Specimen {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    pub(super) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn findings(&self) -> Vec<String> {
        inspect(self.root()).unwrap().iter().map(ToString::to_string).collect()
    }

    /// The findings are these and no others, each known by how it begins and by a part of it.
    pub(super) fn assert_only(&self, expected: &[(&str, &str)]) {
        let findings = self.findings();
        let all = findings.len() == expected.len()
            && findings
                .iter()
                .zip(expected)
                .all(|(found, (start, part))| found.starts_with(start) && found.contains(part));
        assert!(all, "expected {expected:#?}\nfound {findings:#?}");
    }
}

/// The manifest of a crate whose dependency tables start on line 7.
pub(super) fn manifest(folder: &str, dependencies: &str) -> String {
    let name = if folder == "xtask" { folder.to_owned() } else { format!("dalang-{folder}") };
    format!("[package]\nname = \"{name}\"\n\n[lints]\nworkspace = true\n\n{dependencies}")
}
