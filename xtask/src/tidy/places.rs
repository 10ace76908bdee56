//! The project names no place that only one machine has: no home folders, no package registries.
//!
//! Every text file is searched, prose and scripts included; only lock files may say where packages
//! came from. The patterns are put together here, so that this file does not find itself.

use super::finding::Finding;
use super::tree::{File, Tree};

/// Top folders that are somebody's own.
const PRIVATE_FOLDERS: &[&str] = &["home", "root", "work", "Users"];

/// Parts of the host names of package registries, in lower case.
const REGISTRIES: &[&str] = &[
    concat!("crates", ".io"),
    concat!("py", "pi"),
    concat!("python", "hosted"),
    concat!("npm", "js"),
    concat!("maven", ".org"),
    concat!("maven", ".apache"),
    concat!("sona", "type"),
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.files().filter(|file| file.name() != "Cargo.lock").flat_map(findings).collect()
}

fn findings(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(file.text.lines()) {
        if let Some(folder) = private_folder(line) {
            findings.push(Finding::new(
                &file.path,
                number,
                format!("a path below `/{folder}` of one machine"),
                "write it relative to the repository, or ask the environment",
            ));
        }
        let lower = line.to_lowercase();
        if let Some(host) = REGISTRIES.iter().find(|host| lower.contains(*host)) {
            findings.push(Finding::new(
                &file.path,
                number,
                format!("names the package registry `{host}`"),
                "leave the choice of registry to cargo's own configuration",
            ));
        }
    }
    findings
}

/// The private top folder that an absolute path on this line goes through.
fn private_folder(line: &str) -> Option<&'static str> {
    let goes_through = |folder: &&str| {
        let pattern = format!("/{folder}/");
        line.match_indices(&pattern).any(|(start, _)| {
            let before = line[..start].chars().next_back();
            let after = line[start + pattern.len()..].chars().next();
            !before.is_some_and(continues_path) && after.is_some_and(begins_name)
        })
    };
    PRIVATE_FOLDERS.iter().copied().find(goes_through)
}

/// Before a slash, these make the path relative, part of an address, or one that a shell expands.
fn continues_path(before: char) -> bool {
    before.is_alphanumeric() || "._-~/})$".contains(before)
}

fn begins_name(after: char) -> bool {
    after.is_alphanumeric() || "._-".contains(after)
}

#[cfg(test)]
mod tests {
    use crate::tidy::specimen::Specimen;

    #[test]
    fn absolute_paths_of_one_machine_are_found_in_every_text() {
        let specimen = Specimen::clean();
        let lines = |folder: &str| format!("fine\nsee `/{folder}/me/x`\n/{folder}/me\n");
        let specimen = specimen.with(".ci/run", &lines("home")).with("docs/a.md", &lines("work"));
        specimen.assert_only(&[
            (".ci/run:2: ", "`/home`"),
            (".ci/run:3: ", "`/home`"),
            ("docs/a.md:2: ", "`/work`"),
            ("docs/a.md:3: ", "`/work`"),
        ]);
    }

    #[test]
    fn relative_paths_addresses_and_variables_pass() {
        for folder in ["home", "work", "root"] {
            let text = format!(
                "src/{folder}/a.rs ./{folder}/x https://example.org/{folder}/a $HOME/{folder}/x \
                 ${{TOP}}/{folder}/x\nthe folder /{folder}/ itself, `this/{folder}/left`\n"
            );
            assert_eq!(Specimen::clean().with("docs/a.md", &text).findings(), [""; 0]);
        }
    }

    #[test]
    fn registries_are_found_outside_lock_files() {
        let text = format!("a\nfrom https://{}.{}/b\n", "Crates", "IO");
        let specimen = Specimen::clean().with("docs/a.md", &text).with("Cargo.lock", &text);
        specimen.assert_only(&[("docs/a.md:2: ", "registry")]);
    }
}
