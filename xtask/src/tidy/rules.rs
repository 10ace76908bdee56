//! Every rewrite rule says what it matches, what it gives and when, and every rule is in a table.
//!
//! A table row is a `Rule { name, apply }` expression; the function that `apply` names must have doc
//! lines `match:`, `result:` and `side condition:`, in this order and each with text. A name means
//! one function, in however many tables it is listed. In the files of the theories a function of a rule's shape that no row names is dead or
//! forgotten; the driver `rewrite.rs` has one on purpose, constant folding, which is no rule.

mod theory;

use super::finding::Finding;
use super::tree::{File, Tree};
use std::collections::{BTreeMap, BTreeSet};
use theory::{Function, Row, Theory};

const DRIVER: &str = "crates/term/src/rewrite.rs";
const THEORIES: &str = "crates/term/src/rewrite/";

/// A function: the path of its file and its position there.
type Place<'t> = (&'t str, usize);

/// What the documentation of a rule consists of.
const LINES: &[&str] = &["match:", "result:", "side condition:"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let files = tree.rust().filter(|file| is_theory(file));
    let theories: Vec<Theory<'_>> = files.filter_map(Theory::read).collect();
    let mut findings = Vec::new();
    let mut listed = BTreeMap::new();
    let mut applied = BTreeSet::new();
    for theory in &theories {
        for row in &theory.rows {
            match resolve(&theories, theory, row) {
                Ok(function) => {
                    applied.insert(function);
                    findings.extend(ambiguous(&mut listed, theory, row, function));
                }
                Err(finding) => findings.push(finding),
            }
        }
    }
    for (path, position, function) in functions(&theories) {
        if applied.contains(&(path, position)) {
            findings.extend(undocumented(path, function));
        } else if function.rule_shaped && path != DRIVER {
            findings.push(Finding::new(
                path,
                function.line,
                format!("`{}` has the shape of a rule and is in no table", function.name),
                "list it as a `Rule`; what only helps rules takes operands instead of the node",
            ));
        }
    }
    findings
}

/// A file of tests has examples of rules, not rules.
fn is_theory(file: &File) -> bool {
    let placed = file.path == DRIVER || file.path.starts_with(THEORIES);
    placed && file.stem() != "tests"
}

fn functions<'t>(
    theories: &'t [Theory<'t>],
) -> impl Iterator<Item = (&'t str, usize, &'t Function)> {
    theories.iter().flat_map(|theory| {
        let numbered = theory.functions.iter().enumerate();
        numbered.map(|(position, function)| (theory.file.path.as_str(), position, function))
    })
}

/// The first listing of each name: its place, its table, and the function it applies.
type Listed<'t> = BTreeMap<&'t str, (String, Option<usize>, Place<'t>)>;

/// A rule may be in the tables of several operators; its name still means one function, and a
/// second time in one table it can never fire.
fn ambiguous<'t>(
    listed: &mut Listed<'t>,
    theory: &'t Theory<'t>,
    row: &'t Row,
    function: Place<'t>,
) -> Option<Finding> {
    let name = row.name.as_deref()?;
    let path = theory.file.path.as_str();
    let Some((first, table, applies)) = listed.get(name) else {
        listed.insert(name, (format!("{path}:{}", row.line), row.table, function));
        return None;
    };
    let same_table = row.table.is_some() && row.table == *table && first.starts_with(path);
    let (what, remedy) = if *applies != function {
        ("is another function at", "give each rule a name of its own")
    } else if same_table {
        ("is in this table already, at", "list it once")
    } else {
        return None;
    };
    let what = format!("the rule `{name}` {what} {first}");
    Some(Finding::new(path, row.line, what, remedy))
}

/// The path and position of the function that a row applies: in the file that the path names, else
/// in the row's own file, else wherever it was imported from.
fn resolve<'t>(
    theories: &'t [Theory<'t>],
    home: &'t Theory<'t>,
    row: &Row,
) -> Result<Place<'t>, Finding> {
    let finding =
        |what: String, remedy: &str| Finding::new(&home.file.path, row.line, what, remedy);
    if row.name.is_none() {
        let what = "a rule without a literal name".to_owned();
        return Err(finding(what, "write `name: \"theory/what-it-does\"` in the table"));
    }
    let Some((name, qualifier)) = row.apply.as_ref().and_then(|path| path.split_last()) else {
        let what = "a rule that applies no named function".to_owned();
        return Err(finding(what, "write `apply: function`, one documented function per rule"));
    };
    let module = qualifier.last();
    let named = theories.iter().filter(|theory| module.is_some_and(|m| m == theory.file.stem()));
    let mut candidates = named.chain([home]).chain(theories);
    let position = |theory: &'t Theory<'t>| {
        let position = theory.functions.iter().position(|function| function.name == *name)?;
        Some((theory.file.path.as_str(), position))
    };
    candidates.find_map(position).ok_or_else(|| {
        let what = format!("no function `{name}` below {THEORIES}");
        finding(what, "write the rule as a function beside its table")
    })
}

fn undocumented(path: &str, function: &Function) -> Option<Finding> {
    let places: Vec<_> = LINES.iter().map(|key| position(&function.docs, key)).collect();
    let fault = match LINES.iter().zip(&places).find(|(_, place)| place.is_none()) {
        Some((key, _)) => format!("has no `{key}` line with text"),
        None if !places.is_sorted() => "has its documentation lines out of order".to_owned(),
        None => return None,
    };
    Some(Finding::new(
        path,
        function.line,
        format!("the rule `{}` {fault}", function.name),
        "document it as `match:`, `result:` and `side condition:`, `none` if there is none",
    ))
}

/// The position of a documentation line that has text, its own or on the lines below.
fn position(docs: &[String], key: &str) -> Option<usize> {
    let position = docs.iter().position(|line| line.starts_with(key))?;
    let below = docs[position + 1..].iter().map(String::as_str);
    let below = below.take_while(|line| !LINES.iter().any(|key| line.starts_with(key)));
    let mut text = below.chain([&docs[position][key.len()..]]);
    text.any(|line| !line.trim().is_empty()).then_some(position)
}

#[cfg(test)]
mod tests;
