//! A name in a file can be traced by reading the file: no glob imports, no hidden re-exports.
//!
//! Globs are forbidden everywhere, tests and preludes of others included. A re-export, of whatever
//! visibility, belongs in `lib.rs`; a `foo.rs` may also pass on what its own submodules define,
//! because there the reader looks for it. The first check to parse a file, it also says which do not.

use super::finding::Finding;
use super::tree::{File, Tree};
use syn::visit::{self, Visit};
use syn::{Item, ItemMod, ItemUse, UseTree, Visibility};

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.rust().flat_map(findings).collect()
}

fn findings(file: &File) -> Vec<Finding> {
    match syn::parse_file(&file.text) {
        Ok(syntax) => {
            let mut imports = Imports { file, own: Vec::new(), findings: Vec::new() };
            imports.visit_file(&syntax);
            imports.findings
        }
        Err(error) => {
            let line = error.span().start().line;
            let what = format!("not Rust ({error})");
            vec![Finding::new(&file.path, line, what, "correct the syntax")]
        }
    }
}

struct Imports<'t> {
    file: &'t File,
    /// For each open module, outermost first, the names of its submodules and macros.
    own: Vec<Vec<String>>,
    findings: Vec<Finding>,
}

impl Imports<'_> {
    fn judge(&mut self, import: &ItemUse) {
        let mut roots = Vec::new();
        let mut globs = Vec::new();
        collect(&import.tree, None, &mut roots, &mut globs);
        for line in globs {
            self.findings.push(Finding::new(
                &self.file.path,
                line,
                "a glob import",
                "name what is used, so that a reader can find it",
            ));
        }
        if !matches!(import.vis, Visibility::Inherited) && !self.may_pass_on(&roots) {
            self.findings.push(Finding::new(
                &self.file.path,
                import.use_token.span.start().line,
                "a re-export of what this file's own submodules do not define",
                "re-export it in lib.rs, or import it from where it is defined",
            ));
        }
    }

    fn may_pass_on(&self, roots: &[String]) -> bool {
        let own = self.own.last();
        self.file.name() == "lib.rs"
            || own.is_some_and(|own| roots.iter().all(|root| own.contains(root)))
    }
}

impl<'ast> Visit<'ast> for Imports<'_> {
    fn visit_file(&mut self, file: &'ast syn::File) {
        self.own.push(own_names(&file.items));
        visit::visit_file(self, file);
        self.own.pop();
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        let items = module.content.as_ref().map(|(_, items)| items.as_slice());
        self.own.push(own_names(items.unwrap_or_default()));
        visit::visit_item_mod(self, module);
        self.own.pop();
    }

    fn visit_item_use(&mut self, import: &'ast ItemUse) {
        self.judge(import);
    }
}

/// Submodules, and macros: `pub(crate) use name` is how a macro gets a path.
fn own_names(items: &[Item]) -> Vec<String> {
    let name = |item: &Item| match item {
        Item::Mod(module) => Some(module.ident.to_string()),
        Item::Macro(definition) => definition.ident.as_ref().map(ToString::to_string),
        _ => None,
    };
    items.iter().filter_map(name).collect()
}

/// The first names of all paths of an import (after `self`), and the lines of its globs.
fn collect(tree: &UseTree, root: Option<&str>, roots: &mut Vec<String>, globs: &mut Vec<usize>) {
    match tree {
        UseTree::Path(path) => {
            let name = path.ident.to_string();
            let first = root.or((name != "self").then_some(name.as_str()));
            collect(&path.tree, first, roots, globs);
        }
        UseTree::Name(name) => roots.push(root.map_or_else(|| name.ident.to_string(), Into::into)),
        UseTree::Rename(name) => {
            roots.push(root.map_or_else(|| name.ident.to_string(), Into::into));
        }
        UseTree::Glob(glob) => {
            roots.extend(root.map(Into::into));
            globs.push(glob.star_token.spans[0].start().line);
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                collect(tree, root, roots, globs);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tidy::specimen::Specimen;

    fn with(text: &str) -> Specimen {
        Specimen::clean().with("crates/term/src/a.rs", &format!("//! A.\n{text}"))
    }

    #[test]
    fn globs_are_found_wherever_they_are() {
        let specimen = with(
            "use std::fmt::*;\nuse std::{\n    io,\n    cmp::*,\n};\n\
             fn f() {\n    use Op::*;\n}\n#[cfg(test)]\nmod tests {\n    use super::*;\n}\n",
        );
        specimen.assert_only(&[
            ("crates/term/src/a.rs:2: ", "glob"),
            ("crates/term/src/a.rs:5: ", "glob"),
            ("crates/term/src/a.rs:8: ", "glob"),
            ("crates/term/src/a.rs:12: ", "glob"),
        ]);
    }

    #[test]
    fn what_only_looks_like_a_glob_passes() {
        let specimen = with("// use std::fmt::*;\nconst A: &str = \"use std::fmt::*;\";\n");
        assert_eq!(specimen.findings(), [""; 0]);
    }

    #[test]
    fn re_exports_from_elsewhere_are_found() {
        let specimen = with(
            "mod own;\npub use crate::Pool;\npub(crate) use own::A;\n\
             pub(super) use {self::own::B, std::fmt};\n",
        );
        specimen.assert_only(&[
            ("crates/term/src/a.rs:3: ", "re-export"),
            ("crates/term/src/a.rs:5: ", "re-export"),
        ]);
    }

    #[test]
    fn a_submodule_may_not_pass_on_the_modules_of_its_parent() {
        let specimen = with("mod own;\nmod inner {\n    pub use own::A;\n}\n");
        specimen.assert_only(&[("crates/term/src/a.rs:4: ", "re-export")]);
    }

    #[test]
    fn own_submodules_own_macros_and_lib_rs_may_re_export() {
        let specimen = with(
            "mod own;\npub use own::{A, b::C};\nmacro_rules! m {\n    () => {};\n}\n\
             pub(crate) use m;\n",
        )
        .with("crates/heap/src/lib.rs", "//! Heaps.\n\npub use dalang_term::Pool;\n");
        assert_eq!(specimen.findings(), [""; 0]);
    }

    #[test]
    fn a_file_that_does_not_parse_is_found() {
        with("fn f() {\n    let = 3;\n}\n")
            .assert_only(&[("crates/term/src/a.rs:3: ", "not Rust")]);
    }
}
