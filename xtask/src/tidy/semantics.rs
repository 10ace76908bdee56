//! Every rule by which an unknown value becomes known is stated once, under its id, in
//! `docs/semantics`, and nothing else is.
//!
//! A rule's id is `family/what-it-does`. The families are those that the policies' files mention in
//! literals; a literal with the name of a family in front of its slash is a rule's id, wherever in a
//! crate it is. A rule is stated on the page of its family, under a heading of the second level that
//! is its id and nothing else. `#` is not a letter that files like in their names: there it is
//! `sharp`.

use super::finding::Finding;
use super::tree::{File, Tree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const POLICIES: &str = "crates/heap/src/policy/";
const PAGES: &str = "docs/semantics/";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let policies = tree.rust().filter(|file| file.path.starts_with(POLICIES));
    let families: BTreeSet<&str> =
        policies.flat_map(literals).filter_map(|(_, literal)| family(literal)).collect();
    let mut stated: BTreeMap<&str, (&str, usize)> = BTreeMap::new();
    let mut findings = Vec::new();
    for page in tree.files().filter(|file| is_page(file)) {
        for (line, id) in headings(page) {
            findings.extend(misplaced(page, line, id));
            if let Some((path, first)) = stated.get(id) {
                let what = format!("the rule `{id}` is stated at {path}:{first} already");
                findings.push(Finding::new(&page.path, line, what, "state a rule once"));
            } else {
                stated.insert(id, (&page.path, line));
            }
        }
    }
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for file in tree.rust().filter(|file| is_code(file)) {
        for (line, id) in literals(file).filter(|(_, id)| is_rule(id, &families)) {
            if used.insert(id) && !stated.contains_key(id) {
                let what = format!("the rule `{id}` is stated nowhere");
                let remedy = format!("state it in {}, under its id as a heading", page_of(id));
                findings.push(Finding::new(&file.path, line, what, remedy));
            }
        }
    }
    for (id, (path, line)) in stated.into_iter().filter(|(id, _)| !used.contains(id)) {
        let what = format!("no code has the rule `{id}`");
        findings.push(Finding::new(
            path,
            line,
            what,
            "delete the heading, or spell it as the code",
        ));
    }
    findings
}

/// The family of a rule, if a literal looks like the id of one.
fn family(literal: &str) -> Option<&str> {
    let (family, rule) = literal.split_once('/')?;
    let lower = |text: &str, more: u8| {
        let mut letters = text.bytes();
        !text.is_empty()
            && letters.all(|l| l.is_ascii_lowercase() || l.is_ascii_digit() || l == more)
    };
    (lower(family, b'#') && lower(rule, b'-')).then_some(family)
}

fn is_page(file: &File) -> bool {
    let name = file.path.strip_prefix(PAGES);
    name.is_some_and(|name| Path::new(name).extension().is_some_and(|end| end == "md"))
}

fn is_code(file: &File) -> bool {
    file.path.starts_with("crates/") && file.path.contains("/src/") && file.stem() != "tests"
}

fn is_rule(id: &str, families: &BTreeSet<&str>) -> bool {
    family(id).is_some_and(|family| families.contains(family))
}

/// The page that a rule belongs on.
fn page_of(id: &str) -> String {
    let family = id.split_once('/').map_or(id, |(family, _)| family);
    format!("{PAGES}{}.md", family.replace('#', "-sharp"))
}

fn misplaced(page: &File, line: usize, id: &str) -> Option<Finding> {
    let right = page_of(id);
    let what = format!("the rule `{id}` is not stated on the page of its family");
    (page.path != right)
        .then(|| Finding::new(&page.path, line, what, format!("move it to {right}")))
}

/// Headings of the second level that look like the id of a rule, with their lines.
fn headings(page: &File) -> impl Iterator<Item = (usize, &str)> {
    let lines = page.text.lines().zip(1..);
    let headings = lines.filter_map(|(line, number)| Some((number, line.strip_prefix("## ")?)));
    headings.filter(|(_, heading)| family(heading).is_some())
}

/// The string literals of a file that are on one line, with their lines. Comments have none.
fn literals(file: &File) -> impl Iterator<Item = (usize, &str)> {
    let lines = file.text.lines().zip(1..);
    let code = lines.filter(|(line, _)| !line.trim_start().starts_with("//"));
    code.flat_map(|(line, number)| line.split('"').skip(1).step_by(2).map(move |id| (number, id)))
}

#[cfg(test)]
mod tests {
    use crate::tidy::specimen::Specimen;

    const POLICY: &str = "//! Rules.\n\n/// Rule \"lazy#/no\".\nfn null() -> &'static str {\n    \
        \"lazy#/null\"\n}\n";

    fn specimen(page: &str) -> Specimen {
        Specimen::clean()
            .with(
                "crates/term/src/lib.rs",
                "//! Terms.\n\nmod rewrite;\n\npub use rewrite::Rule;\n",
            )
            .with("crates/heap/src/policy/lazy_sharp.rs", POLICY)
            .with("crates/heap/Cargo.toml", &crate::tidy::specimen::manifest("heap", ""))
            .with("crates/heap/src/lib.rs", "//! Heaps.\n")
            .with("docs/semantics/lazy-sharp.md", page)
    }

    #[test]
    fn a_rule_that_is_stated_once_on_its_page_is_fine() {
        specimen("# Lazy\n\n## Either/or and more\n\n## lazy#/null\n\nIt is.\n").assert_only(&[]);
    }

    #[test]
    fn a_rule_needs_a_heading() {
        specimen("# Lazy\n\nlazy#/null\n")
            .assert_only(&[("crates/heap/src/policy/lazy_sharp.rs:5: ", "stated nowhere")]);
    }

    #[test]
    fn a_heading_needs_a_rule() {
        specimen("## lazy#/null\n\n## lazy#/no\n\n## eager/null\n").assert_only(&[
            ("docs/semantics/lazy-sharp.md:3: ", "no code has the rule `lazy#/no`"),
            ("docs/semantics/lazy-sharp.md:5: ", "no code has the rule `eager/null`"),
            ("docs/semantics/lazy-sharp.md:5: ", "not stated on the page of its family"),
        ]);
    }

    #[test]
    fn a_rule_is_stated_once_and_on_its_own_page() {
        specimen("## lazy#/null\n")
            .with("docs/semantics/other.md", "# Other\n\n## lazy#/null\n")
            .assert_only(&[
                ("docs/semantics/other.md:3: ", "not stated on the page of its family"),
                ("docs/semantics/other.md:3: ", "stated at docs/semantics/lazy-sharp.md:1 already"),
            ]);
    }
}
