//! What the checks need to know of a `Cargo.toml`, with the lines it is written on.
//!
//! Dependencies are known by the package they name, after renaming with `package = "..."` and
//! after looking up what `workspace = true` inherits. Nothing is resolved or downloaded.

use super::finding::Finding;
use super::tree::{File, Tree};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

type Entry<'t> = (&'t Spanned<std::borrow::Cow<'t, str>>, &'t Spanned<DeValue<'t>>);

/// A parsed manifest.
pub(super) struct Manifest<'t> {
    pub(super) file: &'t File,
    table: DeTable<'t>,
}

/// One line of a dependency table.
pub(super) struct Dependency {
    /// The name of the package, whatever the crate calls it.
    pub(super) package: String,
    pub(super) line: usize,
    /// Seen by tests, examples and benchmarks only.
    pub(super) dev: bool,
}

impl<'t> Manifest<'t> {
    pub(super) fn read(file: &'t File) -> Result<Manifest<'t>, Finding> {
        let table = DeTable::parse(&file.text).map_err(|error| {
            let line = error.span().map_or(1, |span| file.line_of(span.start));
            Finding::new(
                &file.path,
                line,
                format!("the manifest is not TOML ({})", error.message()),
                "correct the syntax",
            )
        })?;
        Ok(Manifest { file, table: table.into_inner() })
    }

    /// The package's name and its line; none in a manifest that only opens a workspace.
    pub(super) fn package(&self) -> Option<(&str, usize)> {
        let name = self.table.get("package")?.get_ref().get("name")?;
        Some((name.get_ref().as_str()?, self.file.line_of(name.span().start)))
    }

    /// Does the crate take its lints from the workspace?
    pub(super) fn inherits_lints(&self) -> bool {
        let inherits = self.table.get("lints").and_then(|lints| lints.get_ref().get("workspace"));
        inherits.is_some_and(|value| value.get_ref().as_bool() == Some(true))
    }

    /// Every dependency, those of single targets included; `root` is the workspace's manifest.
    pub(super) fn dependencies(&self, root: Option<&Manifest<'_>>) -> Vec<Dependency> {
        let mut found = self.dependencies_in(&self.table, root);
        let targets = self.table.get("target").and_then(|value| value.get_ref().as_table());
        for target in targets.into_iter().flat_map(DeTable::values) {
            if let Some(table) = target.get_ref().as_table() {
                found.extend(self.dependencies_in(table, root));
            }
        }
        found
    }

    fn dependencies_in(&self, table: &DeTable<'_>, root: Option<&Manifest<'_>>) -> Vec<Dependency> {
        let mut found = Vec::new();
        for (section, dev) in
            [("dependencies", false), ("build-dependencies", false), ("dev-dependencies", true)]
        {
            let entries = table.get(section).and_then(|value| value.get_ref().as_table());
            for (key, value) in entries.into_iter().flatten() {
                let package = package_of((key, value), root);
                found.push(Dependency { package, line: self.file.line_of(key.span().start), dev });
            }
        }
        found
    }

    /// The package that the workspace gives a name to.
    fn shared(&self, key: &str) -> Option<String> {
        let entries = self.table.get("workspace")?.get_ref().get("dependencies")?;
        let (name, value) = entries.get_ref().as_table()?.get_key_value(key)?;
        Some(package_of((name, value), None))
    }
}

fn package_of((key, value): Entry<'_>, root: Option<&Manifest<'_>>) -> String {
    let key = key.get_ref().as_ref();
    let inherits = value.get_ref().get("workspace").is_some();
    let renamed = value.get_ref().get("package").and_then(|name| name.get_ref().as_str());
    let shared = root.filter(|_| inherits).and_then(|root| root.shared(key));
    shared.unwrap_or_else(|| renamed.unwrap_or(key).to_owned())
}

/// The manifests of our own packages: everything in `crates/`, and `xtask`.
pub(super) fn members(tree: &Tree) -> impl Iterator<Item = Result<Manifest<'_>, Finding>> {
    let ours = |file: &&File| {
        file.name() == "Cargo.toml"
            && (file.path.starts_with("crates/") || file.path == "xtask/Cargo.toml")
    };
    tree.files().filter(ours).map(Manifest::read)
}
