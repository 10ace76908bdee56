//! Tables and rules with one fault each.

use crate::tidy::specimen::Specimen;

const DOCS: &str = "/// match: `a`\n/// result: `b`\n/// side condition: none\n";
const BODY: &str = "fn unit(_: &mut Pool, node: Node) -> Option<TermId> {\n    None\n}\n";
const ROW: &str = "const ADD: &[Rule] = &[Rule { name: \"sum/unit\", apply: unit }];\n";
const PATH: &str = "crates/term/src/rewrite/sum.rs";

fn with(text: &str) -> Specimen {
    Specimen::clean().with(PATH, &format!("//! Sums.\n{text}"))
}

fn at(line: usize) -> String {
    format!("{PATH}:{line}: ")
}

#[test]
fn a_documented_and_listed_rule_passes_however_it_is_laid_out() {
    let broken = "const ADD: &[Rule] = &[Rule {\n    name: \"sum/unit\",\n    apply: unit,\n}];\n";
    assert_eq!(with(&format!("{broken}{DOCS}{BODY}")).findings(), [""; 0]);
    let prose = "/// Why this rule is here.\n///\n/// match:\n///   `a`, over\n///   two lines\n\
         /// result: `b`\n/// side condition: none\n#[inline]\n";
    assert_eq!(with(&format!("{ROW}{prose}{BODY}")).findings(), [""; 0]);
}

#[test]
fn each_missing_line_is_named() {
    let lines = ["/// match: `a`\n", "/// result: `b`\n", "/// side condition: none\n"];
    for (missing, key) in ["match:", "result:", "side condition:"].into_iter().enumerate() {
        let mut docs = lines;
        docs[missing] = "// not a doc line\n";
        let specimen = with(&format!("{ROW}{}{BODY}", docs.concat()));
        specimen.assert_only(&[(&at(6), &format!("the rule `unit` has no `{key}` line"))]);
    }
}

#[test]
fn a_line_without_text_is_as_good_as_none() {
    let docs = "/// match: `a`\n/// result:\n/// side condition: none\n";
    with(&format!("{ROW}{docs}{BODY}")).assert_only(&[(&at(6), "no `result:` line with text")]);
}

#[test]
fn lines_out_of_order_are_found() {
    let docs = "/// result: `b`\n/// match: `a`\n/// side condition: none\n";
    with(&format!("{ROW}{docs}{BODY}")).assert_only(&[(&at(6), "out of order")]);
}

#[test]
fn a_row_must_name_a_function_that_exists() {
    with(ROW).assert_only(&[(&at(2), "no function `unit`")]);
    let closure = "const ADD: &[Rule] = &[Rule { name: \"sum/unit\", apply: |_, _| None }];\n";
    with(closure).assert_only(&[(&at(2), "no named function")]);
}

#[test]
fn a_row_must_have_a_literal_name() {
    let row = "const ADD: &[Rule] = &[\n    Rule { name: NAME, apply: unit },\n];\n";
    let specimen = with(&format!("{row}{DOCS}{BODY}"));
    specimen.assert_only(&[(&at(3), "literal name"), (&at(8), "in no table")]);
}

#[test]
fn a_rule_in_another_file_is_found_by_its_module_or_its_name() {
    for path in ["super::product::unit", "unit"] {
        let specimen = with(&ROW.replace("unit }", &format!("{path} }}")))
            .with("crates/term/src/rewrite/product.rs", &format!("//! Products.\n{BODY}"));
        specimen.assert_only(&[("crates/term/src/rewrite/product.rs:2: ", "no `match:` line")]);
    }
}

#[test]
fn two_functions_with_one_name_are_found() {
    let specimen = with(&format!("{}{DOCS}{BODY}", ROW.replace("sum/unit", "boolean/not-not")));
    let first = "another function at crates/term/src/rewrite/boolean.rs:3";
    specimen.assert_only(&[(&at(2), first)]);
}

#[test]
fn a_rule_may_be_in_two_tables_but_not_twice_in_one() {
    let second = ROW.replace("ADD", "SUB");
    assert_eq!(with(&format!("{ROW}{second}{DOCS}{BODY}")).findings(), [""; 0]);
    let twice = ROW
        .replace("Rule {", "\nRule {")
        .replace("];", ", Rule { name: \"sum/unit\", apply: unit }];");
    with(&format!("{twice}{DOCS}{BODY}")).assert_only(&[(&at(3), "already, at")]);
}

#[test]
fn a_function_shaped_like_a_rule_must_be_in_a_table() {
    with(&format!("{DOCS}{BODY}")).assert_only(&[(&at(5), "`unit` has the shape of a rule")]);
}

#[test]
fn other_functions_test_modules_and_the_driver_need_no_table() {
    let other = "fn helps(pool: &Pool, node: Node) -> Option<TermId> {\n    None\n}\n\
         fn more(pool: &mut Pool, node: Node, arg: TermId) -> Option<TermId> {\n    None\n}\n\
         fn plain(pool: &mut Pool, node: Node) -> TermId {\n    node.arg(0)\n}\n";
    let tests = format!("#[cfg(test)]\nmod tests {{\n{ROW}{BODY}}}\n");
    let specimen = with(&format!("{other}{tests}"))
        .with("crates/term/src/rewrite.rs", &format!("//! The driver.\n{BODY}"))
        .with("crates/term/src/rewrite/sum/tests.rs", &format!("//! Tests.\n{BODY}"));
    assert_eq!(specimen.findings(), [""; 0]);
}
