//! Every replaced method of the JDK is named by a program that is run with and without it.

use crate::directives::fixtures;
use dalang_interp::Role;
use std::collections::BTreeSet;

/// A method as directives spell it: `java.lang.Math.max(II)I`. A replacement of all methods of a
/// name has no descriptor.
fn spelling(class: &str, name: &str, descriptor: Option<&str>) -> String {
    format!("{}.{name}{}", class.replace('/', "."), descriptor.unwrap_or_default())
}

/// What is wrong between the methods that are replaced and those that programs name.
fn complaints(replaced: &BTreeSet<String>, named: &BTreeSet<String>) -> Vec<String> {
    let untested = replaced.difference(named).map(|method| {
        format!("{method} is replaced, but no fixture says `//@ replaces: {method}`")
    });
    let unknown = named
        .difference(replaced)
        .map(|method| format!("a fixture says `//@ replaces: {method}`, but it is not replaced"));
    untested.chain(unknown).collect()
}

#[test]
fn every_replaced_method_has_a_program_that_runs_both() {
    let rows = dalang_intrinsics::Library::new().rows();
    let replaced =
        rows.iter().filter(|(_, row)| matches!(row.intrinsic.role, Role::Replacement(_)));
    let replaced = replaced.map(|(class, row)| spelling(class, row.name, row.descriptor)).collect();
    let programs = ["jvms", "jdk", "jars"].into_iter().flat_map(fixtures);
    let named = programs.flat_map(|fixture| fixture.replaces).collect();
    assert_eq!(complaints(&replaced, &named), [""; 0]);
}

#[test]
fn untested_and_misspelt_methods_are_found() {
    let max = spelling("java/lang/Math", "max", Some("(II)I"));
    let copy = spelling("java/util/Arrays", "copyOf", None);
    assert_eq!([&*max, &*copy], ["java.lang.Math.max(II)I", "java.util.Arrays.copyOf"]);
    let set = |methods: &[&String]| methods.iter().map(ToString::to_string).collect();
    assert_eq!(complaints(&set(&[&max, &copy]), &set(&[&max, &copy])), [""; 0]);
    let [complaint] = &complaints(&set(&[&max, &copy]), &set(&[&copy]))[..] else { panic!() };
    assert!(complaint.contains("no fixture says `//@ replaces: java.lang.Math.max(II)I`"));
    let [complaint] = &complaints(&set(&[]), &set(&[&copy]))[..] else { panic!() };
    assert!(complaint.contains("java.util.Arrays.copyOf`, but it is not replaced"));
}
