//! Every package takes its lints from the workspace, so that a lint is argued about once.

use super::finding::Finding;
use super::manifest::{self, Manifest};
use super::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    // A manifest that does not parse is the finding of the check of layers.
    let manifests = manifest::members(tree).filter_map(Result::ok);
    manifests.filter(|manifest| !manifest.inherits_lints()).map(|found| finding(&found)).collect()
}

fn finding(manifest: &Manifest<'_>) -> Finding {
    Finding::new(
        &manifest.file.path,
        1,
        "the package does not take its lints from the workspace",
        "add `[lints]` with `workspace = true`, and put an exception beside the code it is for",
    )
}

#[cfg(test)]
mod tests {
    use crate::tidy::specimen::Specimen;

    #[test]
    fn a_package_without_the_lints_of_the_workspace_is_found() {
        let specimen = Specimen::clean()
            .with("crates/heap/Cargo.toml", "[package]\nname = \"dalang-heap\"\n")
            .with(
                "crates/term/Cargo.toml",
                "[package]\nname = \"dalang-term\"\n\n[lints]\nworkspace = false\n",
            )
            .with("xtask/Cargo.toml", "[package]\nname = \"xtask\"\n\n[lints.rust]\n");
        specimen.assert_only(&[
            ("crates/heap/Cargo.toml:1: ", "lints"),
            ("crates/term/Cargo.toml:1: ", "lints"),
            ("xtask/Cargo.toml:1: ", "lints"),
        ]);
    }

    #[test]
    fn a_dotted_key_inherits_too() {
        let specimen = Specimen::clean().with(
            "crates/heap/Cargo.toml",
            "lints.workspace = true\n\n[package]\nname = \"dalang-heap\"\n",
        );
        assert_eq!(specimen.findings(), [""; 0]);
    }
}
