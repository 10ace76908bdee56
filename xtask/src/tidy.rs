//! `cargo xtask tidy`: the rules of the house that no compiler checks.
//!
//! Each check is one file with one function from the tree to its findings. A check sees only what
//! the tree read, so that the tests can hand it a small tree of their own. All checks always run:
//! one pass lists everything there is to do.

mod finding;
mod head;
mod imports;
mod layers;
mod leftovers;
mod length;
mod lints;
mod manifest;
mod names;
mod places;
mod policies;
mod rules;
mod semantics;
#[cfg(test)]
mod specimen;
mod tree;

use crate::Verdict;
use anyhow::Context;
use finding::Finding;
use std::path::{Path, PathBuf};
use tree::Tree;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The tree to check, if not this repository
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
}

const CHECKS: &[fn(&Tree) -> Vec<Finding>] = &[
    layers::check,
    length::check,
    head::check,
    names::check,
    rules::check,
    semantics::check,
    imports::check,
    leftovers::check,
    places::check,
    policies::check,
    lints::check,
];

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Verdict> {
    let root = arguments.root.clone().unwrap_or_else(repository);
    let findings = inspect(&root)?;
    for finding in &findings {
        println!("{finding}");
    }
    if findings.is_empty() {
        return Ok(Verdict::Fine);
    }
    eprintln!("tidy: {} to put right", findings.len());
    Ok(Verdict::Findings)
}

/// Every finding of every check, by place.
fn inspect(root: &Path) -> anyhow::Result<Vec<Finding>> {
    let tree = Tree::read(root).with_context(|| format!("cannot read {}", root.display()))?;
    let mut findings: Vec<Finding> = CHECKS.iter().flat_map(|check| check(&tree)).collect();
    findings.sort();
    Ok(findings)
}

/// The workspace this program was built from.
fn repository() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::specimen::Specimen;
    use super::{inspect, repository};

    #[test]
    fn a_clean_tree_has_no_findings() {
        assert_eq!(Specimen::clean().findings(), [""; 0]);
    }

    #[test]
    fn this_repository_is_tidy() {
        let findings = inspect(&repository()).unwrap();
        let shown: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert!(shown.is_empty(), "\n{}", shown.join("\n"));
    }

    #[test]
    fn findings_of_all_checks_come_sorted_by_place() {
        let specimen = Specimen::clean()
            .with("crates/term/src/zoo.rs", "fn zoo() {}\n")
            .with("crates/term/src/ape.rs", "\n\nuse std::fmt::*;\n");
        let findings = specimen.findings();
        let places: Vec<&str> =
            findings.iter().map(|finding| finding.split(": ").next().unwrap()).collect();
        assert_eq!(
            places,
            ["crates/term/src/ape.rs:3", "crates/term/src/ape.rs:3", "crates/term/src/zoo.rs:1"]
        );
    }

    #[test]
    fn a_missing_root_is_an_error_and_no_clean_bill() {
        assert!(inspect(&repository().join("no-such-folder")).is_err());
    }
}
