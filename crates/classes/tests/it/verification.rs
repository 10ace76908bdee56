//! Verification by types accepts what a virtual machine accepts, and refuses what it refuses.

mod assembler;
mod cases;

use crate::judge::Judge;
use crate::packages::{LIBRARIES, find};
use crate::workshop;
use cases::Verdict;
use dalang_classes::path::{ClassPath, Library, Origin};
use dalang_classes::{JavaError, LinkFailure, Program, Verified};
use std::collections::BTreeMap;
use std::fs;
use std::time::Instant;
use tempfile::TempDir;

/// Loads and verifies classes, and says which are refused although nothing is missing.
fn refused(program: &Program, classes: &[String]) -> Vec<String> {
    let start = Instant::now();
    let loaded: Vec<_> = classes.iter().filter_map(|class| program.load(class).ok()).collect();
    let loading = start.elapsed();
    let start = Instant::now();
    let mut missing: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for &id in &loaded {
        match program.verify_alone(id) {
            Verified::Fine => {}
            Verified::ButForHandlers(failure) | Verified::Refused(failure)
                if failure.error == JavaError::NoClassDefFoundError =>
            {
                *missing.entry(failure.message.to_string()).or_default() += 1;
            }
            refused => wrong.push(format!("{}: {refused:?}", program.class_spelling(id))),
        }
    }
    let took = start.elapsed();
    eprintln!("{} classes loaded in {loading:?} and verified in {took:?}", loaded.len());
    eprintln!("  not there, and how often that was noticed: {missing:?}");
    wrong
}

#[test]
fn every_class_of_java_base_verifies() {
    for jdk in workshop::jdks() {
        let program = Program::new(Library::open(&jdk).unwrap(), ClassPath::default()).unwrap();
        let classes = program.library().classes(Some("java.base")).unwrap();
        assert_eq!(refused(&program, &classes), [""; 0], "JDK {}", jdk.version);
    }
}

#[test]
fn every_class_of_a_library_verifies() {
    for jdk in workshop::jdks().iter().filter(|jdk| jdk.feature >= 17) {
        for (jar, _) in LIBRARIES {
            let path = ClassPath::open(&[find(jar)], jdk.feature).unwrap();
            let classes = path.classes().unwrap();
            let program = Program::new(Library::open(jdk).unwrap(), path).unwrap();
            assert_eq!(refused(&program, &classes), [""; 0], "{jar} with JDK {}", jdk.version);
        }
    }
}

/// Why a class cannot be used, if it cannot.
fn ours(program: &Program, bytes: Vec<u8>) -> Option<LinkFailure> {
    let id = match program.define(bytes, Origin::made()) {
        Ok(id) => id,
        Err(failure) => return Some(failure),
    };
    match program.verify(id).clone() {
        Verified::Fine => None,
        Verified::Refused(failure) | Verified::ButForHandlers(failure) => Some(failure),
    }
}

#[test]
fn every_rule_is_kept_as_a_virtual_machine_keeps_it() {
    for jdk in workshop::jdks().into_iter().filter(|jdk| jdk.feature >= 17) {
        let folder = TempDir::new().unwrap();
        let cases = cases::all();
        let mut files = Vec::new();
        for (number, case) in cases.iter().enumerate() {
            let file = folder.path().join(format!("{number}.class"));
            fs::write(&file, &case.bytes).unwrap();
            files.push(("q.T".to_owned(), file));
        }
        let theirs = Judge::new(jdk.clone()).unwrap().judge(&[], &files).unwrap();
        let mut wrong = Vec::new();
        for (number, (case, theirs)) in cases.into_iter().zip(theirs).enumerate() {
            let path = ClassPath::default();
            let program = Program::new(Library::open(&jdk).unwrap(), path).unwrap();
            let ours = ours(&program, case.bytes);
            let refused = case.verdict == Verdict::Refused;
            let error = ours.as_ref().map(|ours| ours.error.class_name().replace('/', "."));
            let of_theirs = theirs.as_ref().and_then(|theirs| theirs.split(':').next());
            if (ours.is_some(), theirs.is_some()) != (refused, refused)
                || error.as_deref() != of_theirs
            {
                let message = ours.map(|ours| ours.message);
                wrong.push(format!("{number} {}: here {message:?}, there {theirs:?}", case.what));
            }
        }
        assert_eq!(wrong, [""; 0], "JDK {}", jdk.version);
    }
}
