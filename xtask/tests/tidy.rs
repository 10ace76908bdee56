//! What scripts rely on: the exit codes of `xtask tidy`, and findings on standard output.

use std::path::Path;
use std::process::{Command, Output};

fn xtask(arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).output();
    output.expect("the program under test starts")
}

fn tidy(root: &Path) -> Output {
    xtask(&["tidy", "--root", root.to_str().expect("a path of letters")])
}

#[test]
fn a_clean_tree_exits_with_0_and_is_silent() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("clean.rs"), "//! Clean.\n").expect("a file");
    let output = tidy(folder.path());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stdout, b"");
}

#[test]
fn findings_exit_with_1_and_are_on_standard_output() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("untidy.rs"), "fn headless() {}\n").expect("a file");
    let output = tidy(folder.path());
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.starts_with(b"untidy.rs:1: "), "{output:?}");
}

#[test]
fn bad_usage_and_unreadable_roots_exit_with_2() {
    let folder = tempfile::tempdir().expect("a folder");
    for arguments in [&["polish"][..], &["tidy", "--broom"], &[]] {
        assert_eq!(xtask(arguments).status.code(), Some(2), "{arguments:?}");
    }
    assert_eq!(tidy(&folder.path().join("missing")).status.code(), Some(2));
}
