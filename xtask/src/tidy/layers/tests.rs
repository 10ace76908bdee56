//! Edges in every direction, through every table a dependency can be written in.

use crate::tidy::specimen::{Specimen, manifest};

/// The clean tree with this manifest text after the head of a crate's manifest.
fn with(folder: &str, dependencies: &str) -> Specimen {
    Specimen::clean().with(&format!("crates/{folder}/Cargo.toml"), &manifest(folder, dependencies))
}

#[test]
fn an_edge_up_is_found_on_its_line() {
    let specimen = with("term", "[dependencies]\ntoml = \"1\"\ndalang-solver.workspace = true\n");
    specimen.assert_only(&[("crates/term/Cargo.toml:9: ", "points up")]);
}

#[test]
fn an_edge_sideways_is_found() {
    let specimen = with("solver", "[dependencies]\ndalang-heap = { path = \"../heap\" }\n");
    specimen.assert_only(&[("crates/solver/Cargo.toml:8: ", "points sideways")]);
}

#[test]
fn an_edge_down_that_is_not_in_the_table_is_found() {
    let specimen = with("report", "[dependencies]\ndalang-solver = { path = \"../solver\" }\n");
    specimen.assert_only(&[("crates/report/Cargo.toml:8: ", "reaches past")]);
}

#[test]
fn build_dependencies_and_those_of_one_target_count() {
    let specimen = with(
        "term",
        "[build-dependencies]\ndalang-cli = \"0\"\n\n\
         [target.'cfg(unix)'.dependencies]\ndalang-heap = \"0\"\n",
    );
    specimen.assert_only(&[
        ("crates/term/Cargo.toml:8: ", "`cli` (layer 5) points up"),
        ("crates/term/Cargo.toml:11: ", "`heap` (layer 1) points up"),
    ]);
}

#[test]
fn tests_may_use_all_lower_layers_but_look_neither_up_nor_sideways() {
    let specimen = with(
        "explore",
        "[dev-dependencies]\ndalang-term = \"0\"\ndalang-intrinsics = \"0\"\ndalang-report = \"0\"\n",
    );
    specimen.assert_only(&[
        ("crates/explore/Cargo.toml:9: ", "points sideways"),
        ("crates/explore/Cargo.toml:10: ", "points up"),
    ]);
    let lower = with("testgen", "[dev-dependencies]\ndalang-intrinsics = \"0\"\n");
    assert_eq!(lower.findings(), [""; 0]);
}

#[test]
fn a_renamed_dependency_is_known_by_its_package() {
    let specimen = with("term", "[dependencies]\nsat = { package = \"dalang-solver\" }\n");
    specimen.assert_only(&[("crates/term/Cargo.toml:8: ", "points up")]);
}

#[test]
fn a_dependency_renamed_in_the_workspace_is_known_by_its_package() {
    let specimen = with("term", "[dependencies]\nsat.workspace = true\n").with(
        "Cargo.toml",
        "[workspace.dependencies]\n\
         sat = { path = \"crates/solver\", package = \"dalang-solver\" }\n",
    );
    specimen.assert_only(&[("crates/term/Cargo.toml:8: ", "points up")]);
}

#[test]
fn a_crate_without_a_place_is_found_and_so_is_who_uses_it() {
    let specimen = with("sprites", "").with(
        "crates/cli/Cargo.toml",
        &manifest("cli", "[dependencies]\ndalang-sprites = { path = \"../sprites\" }\n"),
    );
    specimen.assert_only(&[
        ("crates/cli/Cargo.toml:8: ", "has no layer"),
        ("crates/sprites/Cargo.toml:1: ", "`sprites` has no layer"),
    ]);
}

#[test]
fn crates_do_not_nest() {
    let specimen = with("heap/policy", "");
    specimen.assert_only(&[("crates/heap/policy/Cargo.toml:1: ", "has no layer")]);
}

#[test]
fn a_package_is_called_after_its_folder() {
    let specimen = with("heap", "").with("crates/heap/Cargo.toml", &manifest("heaps", ""));
    specimen.assert_only(&[("crates/heap/Cargo.toml:2: ", "call it `dalang-heap`")]);
}

#[test]
fn chores_may_use_every_crate_and_no_crate_the_chores() {
    let chores = "[dependencies]\ndalang-cli = \"0\"\ndalang-term = \"0\"\n";
    let specimen = with("cli", "[dependencies]\nxtask = { path = \"../../xtask\" }\n")
        .with("xtask/Cargo.toml", &manifest("xtask", chores));
    specimen.assert_only(&[("crates/cli/Cargo.toml:8: ", "depends on the chores")]);
}

#[test]
fn a_manifest_that_is_not_toml_is_found() {
    let specimen = with("heap", "[dependencies\n");
    specimen.assert_only(&[("crates/heap/Cargo.toml:7: ", "not TOML")]);
}
