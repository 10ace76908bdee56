//! What parameters are called.

use crate::workshop::{Compiled, compiled, jdk, named, write};
use dalang_classes::path::{ClassPath, Library, Origin};
use dalang_classes::{ClassId, Program};
use std::process::Command;
use tempfile::TempDir;

const SOURCE: &str = "
public abstract class Called {
    static int sum(long alfa, int beta, double gama, Object zeta) { int x = beta; return x; }
    int own(int alfa) { return alfa; }
    int own(byte[] arg1, long arg0) { return 1; }
    abstract int none(int left, int right);
    int nothing() { return 0; }
}
";

fn names(program: &Program, class: ClassId, method: &str) -> Vec<String> {
    program.parameter_names(named(program, class, method))
}

#[test]
fn names_come_from_the_source_or_are_numbered() {
    let compiled = compiled(&[("Called.java", SOURCE)]);
    let program = compiled.program();
    let class = program.load("Called").unwrap();
    assert_eq!(names(&program, class, "sum"), ["alfa", "beta", "gama", "zeta"]);
    assert_eq!(names(&program, class, "own"), ["alfa"]);
    assert_eq!(names(&program, class, "none"), ["arg0", "arg1"]);
    assert_eq!(names(&program, class, "nothing"), [""; 0]);
}

/// Compiled with these flags in place of `-g`.
fn with_flags(flags: &[&str]) -> (TempDir, Program) {
    let (folder, jdk) = (TempDir::new().unwrap(), jdk());
    let source = write(folder.path(), "Called.java", SOURCE);
    let mut javac = Command::new(jdk.javac().unwrap());
    javac.args(flags).args(["-proc:none", "-d"]).arg(folder.path()).arg(source);
    assert!(javac.status().unwrap().success());
    let path = ClassPath::open(&[folder.path()], jdk.feature).unwrap();
    (folder, Program::new(Library::open(&jdk).unwrap(), path).unwrap())
}

#[test]
fn without_local_variables_the_declared_parameters_count() {
    let (_folder, program) = with_flags(&["-g:none", "-parameters"]);
    let class = program.load("Called").unwrap();
    assert_eq!(names(&program, class, "sum"), ["alfa", "beta", "gama", "zeta"]);
    assert_eq!(names(&program, class, "none"), ["left", "right"]);
}

#[test]
fn without_any_names_they_are_numbered() {
    let (_folder, program) = with_flags(&["-g:none"]);
    let class = program.load("Called").unwrap();
    assert_eq!(names(&program, class, "sum"), ["arg0", "arg1", "arg2", "arg3"]);
}

/// The class with one text of its constant pool replaced by another of the same length.
fn with_text(compiled: &Compiled, old: &str, new: &str) -> Vec<u8> {
    let mut bytes = compiled.bytes("Called");
    let entry: Vec<u8> = [1, 0, old.len() as u8].into_iter().chain(old.bytes()).collect();
    let at = bytes.windows(entry.len()).position(|window| window == entry).unwrap();
    bytes[at + 3..at + entry.len()].copy_from_slice(new.as_bytes());
    bytes
}

#[test]
fn hostile_names_are_cleaned_and_never_the_same() {
    let compiled = compiled(&[("Called.java", SOURCE)]);
    let sum = |old: &str, new: &str| {
        let program = compiled.program();
        let class = program.define(with_text(&compiled, old, new), Origin::made()).unwrap();
        names(&program, class, "sum")
    };
    assert_eq!(sum("beta", "alfa"), ["alfa", "arg1", "gama", "zeta"]);
    assert_eq!(sum("beta", "this"), ["alfa", "arg1", "gama", "zeta"]);
    assert_eq!(sum("gama", "arg3"), ["alfa", "beta", "arg3", "zeta"]);
    assert_eq!(sum("beta", "a\nb\u{1b}"), ["alfa", "a\\u000ab\\u001b", "gama", "zeta"]);
    // The name of the table itself: there is none then.
    let program = compiled.program();
    let bytes = with_text(&compiled, "LocalVariableTable", "LocalVariableTaxle");
    let class = program.define(bytes, Origin::made()).unwrap();
    assert_eq!(names(&program, class, "sum"), ["arg0", "arg1", "arg2", "arg3"]);
}

#[test]
fn a_number_that_is_taken_is_not_used_again() {
    let compiled = compiled(&[("Called.java", SOURCE)]);
    let program = compiled.program();
    // The first is called `arg1`; the second has no name of its own.
    let bytes = with_text(&compiled, "arg0", "arg1");
    let class = program.define(bytes, Origin::made()).unwrap();
    let own = program
        .class(class)
        .methods()
        .filter(|&id| program.names().text(program.method(id).name) == "own");
    let found: Vec<Vec<String>> = own.map(|id| program.parameter_names(id)).collect();
    assert_eq!(found, [vec!["alfa"], vec!["arg1", "arg1'"]]);
}
