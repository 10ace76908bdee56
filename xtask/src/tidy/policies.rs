//! What depends on the policy is the policy's to say: nobody outside of `heap/policy` compares a policy or
//! matches on one. Configuration carries it (`policy: Policy::Pose`), and programs above name the one they
//! want.
//!
//! Works on tokens, as the check of leftovers does.

use super::finding::Finding;
use super::tree::{File, Tree};
use proc_macro2::{TokenStream, TokenTree};

/// The crates in which a policy is at work.
const CRATES: [&str; 4] = ["heap", "interp", "intrinsics", "explore"];

/// Where policies are at home.
const HOME: &str = "crates/heap/src/policy";

const POLICIES: [&str; 5] = ["Lazy", "Lazier", "LazierSharp", "Summary", "Pose"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust().filter(|file| is_bound(file)) {
        if let Ok(tokens) = file.text.parse() {
            scan(tokens, file, &mut findings);
        }
    }
    findings
}

/// Whether the rule holds for a file. Tests say which policies they are about.
fn is_bound(file: &File) -> bool {
    let is_source = CRATES.iter().any(|name| file.path.starts_with(&format!("crates/{name}/src/")));
    is_source && !file.path.starts_with(HOME) && file.name() != "tests.rs"
}

fn scan(tokens: TokenStream, file: &File, findings: &mut Vec<Finding>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (position, token) in tokens.iter().enumerate() {
        if is_comparison(&tokens[position..])
            || (names_one(&tokens[position..]) && !is_carried(&tokens[..position]))
        {
            let line = token.span().start().line;
            let remedy =
                "ask the policy: add a question to `heap/policy.rs`, and let each answer it";
            let what = "a policy is told from another outside of `heap/policy`".to_owned();
            findings.push(Finding::new(&file.path, line, what, remedy));
        }
        if let TokenTree::Group(group) = token {
            scan(group.stream(), file, findings);
        }
    }
}

/// `policy ==` or `policy !=`.
fn is_comparison(tokens: &[TokenTree]) -> bool {
    let [TokenTree::Ident(name), TokenTree::Punct(first), TokenTree::Punct(second), ..] = tokens
    else {
        return false;
    };
    name == "policy" && matches!(first.as_char(), '=' | '!') && second.as_char() == '='
}

/// `Policy::Lazy` or another one.
fn names_one(tokens: &[TokenTree]) -> bool {
    let [TokenTree::Ident(owner), TokenTree::Punct(colon), _, TokenTree::Ident(name), ..] = tokens
    else {
        return false;
    };
    owner == "Policy" && colon.as_char() == ':' && POLICIES.iter().any(|policy| name == policy)
}

/// Whether what comes next is given to a field `policy`.
fn is_carried(before: &[TokenTree]) -> bool {
    let [.., TokenTree::Ident(field), TokenTree::Punct(colon)] = before else { return false };
    field == "policy" && colon.as_char() == ':'
}

#[cfg(test)]
mod tests {
    use crate::tidy::specimen::Specimen;

    fn with(path: &str, text: &str) -> Specimen {
        Specimen::clean().with(path, &format!("//! A.\n{text}"))
    }

    #[test]
    fn who_tells_policies_apart_is_found() {
        let path = "crates/interp/src/a.rs";
        let specimen = with(
            path,
            "fn f(policy: Policy) -> bool {\n    policy == other()\n}\nfn g(p: Policy) -> u8 {\n    \
             match p {\n        Policy::Lazy => 1,\n        _ => 2,\n    }\n}\n\
             fn h(p: Policy) -> bool {\n    matches!(p, Policy::Pose)\n}\n",
        );
        specimen.assert_only(&[
            ("crates/interp/src/a.rs:3: ", "outside of `heap/policy`"),
            ("crates/interp/src/a.rs:7: ", "outside of `heap/policy`"),
            ("crates/interp/src/a.rs:12: ", "outside of `heap/policy`"),
        ]);
    }

    #[test]
    fn who_carries_one_or_is_a_policy_passes() {
        let carries =
            "fn f() -> Config {\n    Config { policy: Policy::Pose, all: Policy::ALL }\n}\n";
        assert_eq!(with("crates/explore/src/a.rs", carries).findings(), [""; 0]);
        let is_one = "fn f(p: Policy) -> bool {\n    p == Policy::Pose\n}\n";
        for path in ["crates/heap/src/policy/a.rs", "crates/explore/tests/it/a.rs"] {
            assert_eq!(with(path, is_one).findings(), [""; 0], "{path}");
        }
    }
}
