//! Every class of libraries nobody here wrote loads, links and decodes.
//!
//! Libraries have parts for other libraries that are not there. Those fail, like under Java, with a
//! `NoClassDefFoundError` that names what is missing, and nothing else does.

use crate::packages::{LIBRARIES, find};
use crate::workshop;
use dalang_classes::path::{ClassPath, Library};
use dalang_classes::{ClassId, FieldRefId, JavaError, LinkFailure, MethodRefId, Program};
use std::collections::{BTreeMap, BTreeSet};

/// What failed, by what it was.
type Failures = Vec<(String, LinkFailure)>;

/// Loads and decodes a class and resolves every reference to a member that it has.
fn look_at(program: &Program, name: &str, failures: &mut Failures) {
    let id = match program.load(name) {
        Ok(id) => id,
        Err(failure) => return failures.push((name.to_owned(), failure)),
    };
    for method in program.class(id).methods() {
        if let Err(failure) = program.code(method) {
            failures.push((format!("code of {name}"), failure.clone()));
        }
    }
    references(program, id, name, failures);
}

fn references(program: &Program, id: ClassId, name: &str, failures: &mut Failures) {
    let [_, fields, methods] = program.class(id).pool.reference_counts();
    let fields = (0..fields).map(FieldRefId::new);
    let fields = fields.filter_map(|field| program.resolve_field(id, field).err());
    failures.extend(fields.map(|failure| (format!("field from {name}"), failure.clone())));
    let methods = (0..methods).map(MethodRefId::new);
    let methods = methods.filter_map(|method| program.resolve_method(id, method).err());
    failures.extend(methods.map(|failure| (format!("method from {name}"), failure.clone())));
}

#[test]
fn every_class_of_a_library_loads_links_and_decodes() {
    for jdk in workshop::jdks().iter().filter(|jdk| jdk.feature >= 17) {
        for (jar, _) in LIBRARIES {
            let path = ClassPath::open(&[find(jar)], jdk.feature).unwrap();
            let classes = path.classes().unwrap();
            let program = Program::new(Library::open(jdk).unwrap(), path).unwrap();
            let mut failures = Vec::new();
            for class in &classes {
                look_at(&program, class, &mut failures);
            }
            let own: BTreeSet<&str> = classes.iter().map(String::as_str).collect();
            let mut missing: BTreeMap<String, usize> = BTreeMap::new();
            let mut wrong = Vec::new();
            for (what, failure) in failures {
                let absent = &*failure.message;
                let is_absent = !own.contains(absent)
                    && program.library().find(absent).is_ok_and(|found| found.is_none());
                if failure.error == JavaError::NoClassDefFoundError && is_absent {
                    *missing.entry(absent.to_owned()).or_default() += 1;
                } else {
                    wrong.push(format!("{what}: {failure:?}"));
                }
            }
            eprintln!("{jar} with JDK {}: {} classes", jdk.version, classes.len());
            eprintln!("  not there, and how often that was noticed: {missing:?}");
            assert!(classes.len() > 150, "{jar} has only {} classes", classes.len());
            assert_eq!(wrong, [""; 0], "{jar} with JDK {}", jdk.version);
        }
    }
}
