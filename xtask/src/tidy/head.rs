//! Every Rust file opens by saying what lives in it.

use super::finding::Finding;
use super::tree::{File, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.rust().filter_map(headless).collect()
}

fn headless(file: &File) -> Option<Finding> {
    let first = file.text.lines().position(|line| !line.trim().is_empty());
    let line = first.unwrap_or(0);
    let head = file.text.lines().nth(line).and_then(|text| text.trim().strip_prefix("//!"));
    if head.is_some_and(|text| !text.trim().is_empty()) {
        return None;
    }
    Some(Finding::new(
        &file.path,
        line + 1,
        "the file does not open with a `//!` line",
        "say there what lives here, and what does not",
    ))
}

#[cfg(test)]
mod tests {
    use crate::tidy::specimen::Specimen;

    #[test]
    fn the_first_line_that_is_not_empty_must_be_a_head_with_text() {
        let specimen = Specimen::clean()
            .with("crates/term/src/blank.rs", "//!\n//! Too late.\n")
            .with("crates/term/src/empty.rs", "")
            .with("crates/term/src/late.rs", "\n\nuse std::fmt;\n\n//! Too late.\n")
            .with("crates/term/src/plain.rs", "// Not a head.\n")
            .with("crates/term/src/spaced.rs", "\n//! A head.\n");
        specimen.assert_only(&[
            ("crates/term/src/blank.rs:1: ", "`//!`"),
            ("crates/term/src/empty.rs:1: ", "`//!`"),
            ("crates/term/src/late.rs:3: ", "`//!`"),
            ("crates/term/src/late.rs:5: ", "not Rust"),
            ("crates/term/src/plain.rs:1: ", "`//!`"),
        ]);
    }
}
