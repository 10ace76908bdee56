//! `cargo xtask notices`: what the program `dalang` is built from, and under which licences.
//!
//! `THIRD-PARTY.md` is made of what cargo knows of the packages that the program is linked from, and of
//! the licence files in their sources; a text that several packages have is there once. What tests and
//! chores use is not in the program, and not in the file. Two notices are of code within packages:
//! CaDiCaL's, which its bindings carry, and fdlibm's, whose methods are translated in `intrinsics`.

use crate::Verdict;
use crate::workshop::repository;
use anyhow::{Context, bail};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Writes nothing, and fails if the file is not what would be written
    #[arg(long)]
    check: bool,
}

const FILE: &str = "THIRD-PARTY.md";
const PROGRAM: &str = "dalang-cli";
/// The same packages wherever the file is made.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";
/// fdlibm's own notices, word for word.
const FDLIBM: &str = "crates/intrinsics/src/java/lang/strict/NOTICE";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Verdict> {
    let root = repository();
    let made = notices(&root)?;
    let file = root.join(FILE);
    if !arguments.check {
        fs::write(&file, made).with_context(|| format!("{} cannot be written", file.display()))?;
        return Ok(Verdict::Fine);
    }
    if fs::read_to_string(&file).is_ok_and(|there| there == made) {
        return Ok(Verdict::Fine);
    }
    println!("{FILE}:1: it is not up to date; run `cargo xtask notices`");
    Ok(Verdict::Findings)
}

/// A package that the program is linked from.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Package {
    name: String,
    version: String,
    licence: String,
    repository: String,
    folder: PathBuf,
}

fn notices(root: &Path) -> anyhow::Result<String> {
    let packages = packages(&metadata(root)?)?;
    let fdlibm = fs::read_to_string(root.join(FDLIBM)).with_context(|| FDLIBM)?;
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in &packages {
        for text in licences(package)? {
            texts.entry(text).or_default().insert(package.name.clone());
        }
    }
    Ok(page(&packages, &texts, &fdlibm))
}

/// What cargo knows of the workspace.
fn metadata(root: &Path) -> anyhow::Result<Value> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root).args(["metadata", "--format-version", "1", "--locked"]);
    let output = command.args(["--filter-platform", PLATFORM]).output().context("no cargo")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim_end());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The packages of others that the program is linked from, by name.
fn packages(metadata: &Value) -> anyhow::Result<Vec<Package>> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all = list(&metadata["packages"]);
    let program = all.iter().find(|package| package["name"] == PROGRAM);
    let program = program.with_context(|| format!("there is no package {PROGRAM}"))?;
    let mut linked = BTreeSet::new();
    let mut open = vec![text(&program["id"])];
    let nodes = list(&metadata["resolve"]["nodes"]);
    while let Some(id) = open.pop() {
        if !linked.insert(id.clone()) {
            continue;
        }
        let node = nodes.iter().find(|node| node["id"] == id.as_str());
        for dependency in node.map_or_else(Vec::new, |node| list(&node["deps"])) {
            // The kind of an ordinary dependency has no name.
            if list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null()) {
                open.push(text(&dependency["pkg"]));
            }
        }
    }
    let is_foreign =
        |package: &&Value| !package["source"].is_null() && linked.contains(&text(&package["id"]));
    let package = |package: &Value| Package {
        name: text(&package["name"]),
        version: text(&package["version"]),
        licence: text(&package["license"]),
        repository: text(&package["repository"]),
        folder: Path::new(&text(&package["manifest_path"]))
            .parent()
            .map_or_else(PathBuf::new, Path::to_path_buf),
    };
    let mut packages: Vec<Package> = all.iter().filter(is_foreign).map(package).collect();
    packages.sort();
    Ok(packages)
}

/// The licences that lie in the folder of a package, and in that of CaDiCaL within its bindings. Where
/// there is a choice, it is MIT.
fn licences(package: &Package) -> anyhow::Result<Vec<String>> {
    const BEGINNINGS: [&str; 5] = ["licen", "unlicen", "copying", "notice", "copyright"];
    let mut files = Vec::new();
    for place in [package.folder.clone(), package.folder.join("cadical")] {
        for entry in fs::read_dir(place).into_iter().flatten() {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().to_lowercase();
            let is_named = BEGINNINGS.iter().any(|beginning| name.starts_with(beginning));
            if is_named && entry.path().is_file() {
                files.push(entry.path());
            }
        }
    }
    let has = |file: &PathBuf, word: &str| {
        file.file_name().is_some_and(|name| name.to_string_lossy().to_lowercase().contains(word))
    };
    let is_choice = package.licence.contains(" OR ") || package.licence.contains('/');
    if is_choice && files.iter().any(|file| has(file, "mit")) {
        files.retain(|file| !has(file, "apache") && !has(file, "unlicense") && !has(file, "zlib"));
    }
    files.sort();
    files.iter().map(|file| text_of(file)).collect()
}

fn text_of(file: &Path) -> anyhow::Result<String> {
    let bytes = fs::read(file).with_context(|| format!("{}", file.display()))?;
    let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    Ok(lines.join("\n").trim_matches('\n').to_owned())
}

fn page(packages: &[Package], texts: &BTreeMap<String, BTreeSet<String>>, fdlibm: &str) -> String {
    let mut page =
        "# Third-party notices\n\nWhat the program `dalang` contains besides its own code. \
                    This file is made by `cargo xtask notices`.\n\n\
                    The sources of every package are in the registry of Rust packages, under its name \
                    and version, \
                    unchanged; that is where those under the Mozilla Public License (MPL-2.0) are \
                    available, as it demands.\n\n\
                    | package | version | licence | from |\n|---|---|---|---|\n"
            .to_owned();
    for package in packages {
        let Package { name, version, licence, repository, .. } = package;
        // Writing to a string cannot fail.
        let _ = writeln!(page, "| {name} | {version} | {licence} | {repository} |");
    }
    let _ = write!(
        page,
        "\n`cadical-sys` contains CaDiCaL, a SAT solver, whose notice is among those below.\n\n\
         ## fdlibm\n\nSome functions of `java.lang.StrictMath` are translated from fdlibm 5.3 \
         (`crates/intrinsics/src/java/lang/strict`). Its notices:\n\n```text\n{}\n```\n",
        fdlibm.trim_end_matches('\n')
    );
    for (text, names) in texts {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let _ = write!(page, "\n## {}\n\n```text\n{text}\n```\n", names.join(", "));
    }
    page
}

#[cfg(test)]
mod tests {
    use super::{metadata, packages};
    use crate::workshop::repository;

    #[test]
    fn what_is_linked_is_listed_and_what_tests_use_is_not() {
        let packages = packages(&metadata(&repository()).unwrap()).unwrap();
        let has = |name: &str| packages.iter().any(|package| package.name == name);
        assert!(has("cadical-sys") && has("imbl") && has("clap"));
        assert!(!has("expect-test") && !has("dalang-term"));
        assert!(packages.iter().all(|package| !package.licence.is_empty()));
    }
}
