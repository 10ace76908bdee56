//! Crates see only what is below them: no edge up, none sideways.
//!
//! The table is the plan of the house; `docs/architecture.md` explains it. A crate that is not in
//! the table has no place yet, so it is a finding until someone gives it one. Build dependencies
//! count like ordinary ones. Tests may use any crate of a lower layer, listed or not, but they do not
//! look up or sideways either: a test that needs two siblings belongs to a crate above both.

use super::finding::Finding;
use super::manifest::{self, Dependency, Manifest};
use super::tree::Tree;

/// One crate's place.
struct Place {
    name: &'static str,
    layer: u8,
    may_use: &'static [&'static str],
}

const fn place(layer: u8, name: &'static str, may_use: &'static [&'static str]) -> Place {
    Place { name, layer, may_use }
}

const PLACES: &[Place] = &[
    place(0, "term", &[]),
    place(0, "classes", &[]),
    place(1, "solver", &["term"]),
    place(1, "heap", &["term", "classes"]),
    place(2, "interp", &["term", "classes", "heap"]),
    place(3, "intrinsics", &["term", "classes", "heap", "interp"]),
    place(3, "contract", &["term", "classes", "heap", "interp"]),
    place(3, "explore", &["term", "classes", "heap", "interp", "solver"]),
    place(4, "testgen", &["term", "classes", "explore"]),
    place(4, "report", &["term", "classes", "explore"]),
    place(
        5,
        "cli",
        &[
            "term",
            "classes",
            "solver",
            "heap",
            "interp",
            "intrinsics",
            "contract",
            "explore",
            "testgen",
            "report",
        ],
    ),
];

const PREFIX: &str = "dalang-";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let root = tree.file("Cargo.toml").and_then(|file| Manifest::read(file).ok());
    let judge = |manifest: Result<Manifest<'_>, Finding>| match manifest {
        Ok(manifest) => misplaced(&manifest, root.as_ref()),
        Err(finding) => vec![finding],
    };
    manifest::members(tree).flat_map(judge).collect()
}

fn misplaced(manifest: &Manifest<'_>, root: Option<&Manifest<'_>>) -> Vec<Finding> {
    let path = &manifest.file.path;
    let Some(folder) = path.strip_prefix("crates/") else {
        // Chores may use every crate; only the crates may not use the chores.
        return Vec::new();
    };
    let folder = folder.trim_end_matches("/Cargo.toml");
    let mut findings: Vec<Finding> = misnamed(manifest, folder).into_iter().collect();
    match PLACES.iter().find(|place| place.name == folder) {
        Some(place) => {
            let edges = manifest.dependencies(root);
            findings.extend(edges.iter().filter_map(|edge| wrong_edge(path, place, edge)));
        }
        None => findings.push(Finding::new(
            path,
            1,
            format!("`{folder}` has no layer"),
            "give it a row in the table of xtask/src/tidy/layers.rs and in docs/architecture.md",
        )),
    }
    findings
}

fn misnamed(manifest: &Manifest<'_>, folder: &str) -> Option<Finding> {
    let (name, line) = manifest.package().unwrap_or(("", 1));
    let expected = format!("{PREFIX}{folder}");
    (name != expected).then(|| {
        let what = format!("the package in crates/{folder} is called `{name}`");
        Finding::new(&manifest.file.path, line, what, format!("call it `{expected}`"))
    })
}

fn wrong_edge(path: &str, from: &Place, edge: &Dependency) -> Option<Finding> {
    let finding = |what: String, remedy: &str| Some(Finding::new(path, edge.line, what, remedy));
    if edge.package == "xtask" {
        return finding(
            format!("`{}` depends on the chores", from.name),
            "drop the dependency: xtask is above every crate",
        );
    }
    let name = edge.package.strip_prefix(PREFIX)?;
    let Some(to) = PLACES.iter().find(|place| place.name == name) else {
        return finding(
            format!("`{}` depends on `{name}`, which has no layer", from.name),
            "give it a row in the table of xtask/src/tidy/layers.rs",
        );
    };
    // A crate's own tests may ask for its features.
    let itself = edge.dev && to.name == from.name;
    if itself || from.may_use.contains(&to.name) || (edge.dev && to.layer < from.layer) {
        return None;
    }
    let direction = match to.layer.cmp(&from.layer) {
        std::cmp::Ordering::Greater => "points up",
        std::cmp::Ordering::Equal => "points sideways",
        std::cmp::Ordering::Less => "reaches past the crates it may use",
    };
    finding(
        format!(
            "the dependency of `{}` (layer {}) on `{}` (layer {}) {direction}",
            from.name, from.layer, to.name, to.layer
        ),
        "move what both need one layer down, under its own noun",
    )
}

#[cfg(test)]
mod tests;
