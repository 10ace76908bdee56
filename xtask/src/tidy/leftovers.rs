//! No work in progress is committed: no stubs, no debug output, no test that is off without a reason.
//!
//! Works on tokens, so that comments and strings may speak of these macros, and so that one inside
//! the arguments of another macro is seen too.

use super::finding::Finding;
use super::tree::{File, Tree};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A macro that must not stay, and what to do instead.
const MACROS: &[(&str, &str)] = &[
    ("todo", "write what is missing, or return a typed error that says so"),
    ("unimplemented", "write what is missing, or return a typed error that says so"),
    ("dbg", "take the debug output out"),
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust() {
        // What does not even scan as tokens is a finding of the check of imports.
        if let Ok(tokens) = file.text.parse() {
            scan(tokens, file, &mut findings);
        }
    }
    findings
}

fn scan(tokens: TokenStream, file: &File, findings: &mut Vec<Finding>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (position, token) in tokens.iter().enumerate() {
        let rest = &tokens[position..];
        let found = leftover_macro(rest).or_else(|| bare_ignore(rest));
        if let Some((what, remedy)) = found {
            let line = token.span().start().line;
            findings.push(Finding::new(&file.path, line, what, remedy));
        }
        if let TokenTree::Group(group) = token {
            scan(group.stream(), file, findings);
        }
    }
}

/// `name!(...)` at the start of these tokens, with any brackets.
fn leftover_macro(tokens: &[TokenTree]) -> Option<(String, &'static str)> {
    let [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(_), ..] = tokens else {
        return None;
    };
    let (name, remedy) = MACROS.iter().find(|(leftover, _)| name == leftover)?;
    (bang.as_char() == '!').then(|| (format!("`{name}!` is left over"), *remedy))
}

/// `#[ignore]` at the start of these tokens, plain or within a `cfg_attr`.
fn bare_ignore(tokens: &[TokenTree]) -> Option<(String, &'static str)> {
    let [TokenTree::Punct(hash), TokenTree::Group(attribute), ..] = tokens else {
        return None;
    };
    let is_attribute = hash.as_char() == '#' && attribute.delimiter() == Delimiter::Bracket;
    let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
    let ignores = match tokens.as_slice() {
        [TokenTree::Ident(name), TokenTree::Group(arguments)] if name == "cfg_attr" => {
            ends_in_ignore(arguments.stream())
        }
        [TokenTree::Ident(name)] => name == "ignore",
        _ => false,
    };
    (is_attribute && ignores).then(|| {
        let remedy = "give the reason, `#[ignore = \"...\"]`, or let the test run";
        ("a test is switched off without a reason".to_owned(), remedy)
    })
}

fn ends_in_ignore(arguments: TokenStream) -> bool {
    let last = arguments.into_iter().last();
    matches!(last, Some(TokenTree::Ident(name)) if name == "ignore")
}

#[cfg(test)]
mod tests {
    use crate::tidy::specimen::Specimen;

    fn with(text: &str) -> Specimen {
        Specimen::clean().with("crates/term/src/a.rs", &format!("//! A.\n{text}"))
    }

    #[test]
    fn stubs_and_debug_output_are_found_also_within_macros() {
        let specimen = with(
            "fn f() {\n    todo!()\n}\nfn g() {\n    unimplemented! { \"g\" }\n}\n\
             fn h() {\n    assert!(\n        dbg!(1) == 1\n    );\n    std::todo![];\n}\n",
        );
        specimen.assert_only(&[
            ("crates/term/src/a.rs:3: ", "`todo!`"),
            ("crates/term/src/a.rs:6: ", "`unimplemented!`"),
            ("crates/term/src/a.rs:10: ", "`dbg!`"),
            ("crates/term/src/a.rs:12: ", "`todo!`"),
        ]);
    }

    #[test]
    fn comments_strings_and_other_uses_of_the_words_pass() {
        let specimen = with(
            "/// Never write `todo!()`.\nfn f(todo: u8, dbg: u8) -> bool {\n    \
             // dbg!(todo)\n    let s = \"todo!()\";\n    todo != (dbg) && s.is_empty()\n}\n",
        );
        assert_eq!(specimen.findings(), [""; 0]);
    }

    #[test]
    fn tests_switched_off_need_a_reason() {
        let specimen = with(
            "#[test]\n#[ignore]\nfn f() {}\n#[ignore = \"slow: 5 min\"]\nfn g() {}\n\
             #[cfg_attr(miri, ignore)]\nfn h() {}\n#[cfg_attr(miri, ignore = \"slow\")]\nfn i() {}\n",
        );
        specimen.assert_only(&[
            ("crates/term/src/a.rs:3: ", "without a reason"),
            ("crates/term/src/a.rs:7: ", "without a reason"),
        ]);
    }
}
