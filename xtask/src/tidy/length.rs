//! No source file grows past the point where it should have been split.

use super::finding::Finding;
use super::tree::Tree;

const MOST_LINES: usize = 800;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.sources() {
        let lines = file.text.lines().count();
        if lines > MOST_LINES {
            findings.push(Finding::new(
                &file.path,
                MOST_LINES + 1,
                format!("{lines} lines, and {MOST_LINES} is the most"),
                "split the file by what its parts are about",
            ));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use crate::tidy::specimen::Specimen;

    #[test]
    fn eight_hundred_lines_pass_and_one_more_does_not() {
        let fits = format!("//! Long.\n{}", "// a\n".repeat(799));
        let specimen = Specimen::clean()
            .with("crates/term/src/fits.rs", &fits)
            .with("crates/term/src/long.rs", &format!("{fits}// b\n"));
        specimen.assert_only(&[("crates/term/src/long.rs:801: ", "801 lines")]);
    }

    #[test]
    fn every_source_language_counts_and_prose_does_not() {
        let long = "x\n".repeat(900);
        let specimen = Specimen::clean()
            .with("a/A.java", &long)
            .with("a/a.css", &long)
            .with("a/a.html", &long)
            .with("a/a.js", &long)
            .with("a/a.md", &long);
        specimen.assert_only(&[
            ("a/A.java:801: ", "900 lines"),
            ("a/a.css:801: ", "900 lines"),
            ("a/a.html:801: ", "900 lines"),
            ("a/a.js:801: ", "900 lines"),
        ]);
    }
}
