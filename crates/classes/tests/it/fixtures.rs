//! The project's Java programs, compiled: every class of theirs loads, links and decodes.
//!
//! Programs for a newer JDK than this machine has are named on standard error and left out.

use crate::directives::fixtures;
use crate::{libraries::load_all, workshop};
use dalang_classes::Program;
use dalang_classes::path::{ClassPath, Jdk, Library, compile};
use std::collections::BTreeMap;
use std::path::PathBuf;
use tempfile::TempDir;

/// The programs of an area, by the JDK they need.
fn programs(area: &str) -> BTreeMap<u16, Vec<PathBuf>> {
    let mut programs: BTreeMap<u16, Vec<PathBuf>> = BTreeMap::new();
    for fixture in fixtures(area) {
        programs.entry(fixture.jdk).or_default().push(fixture.path);
    }
    programs
}

fn load_compiled(jdk: &Jdk, sources: &[PathBuf]) {
    let folder = TempDir::new().unwrap();
    compile(jdk, sources, &[], folder.path()).unwrap();
    let path = ClassPath::open(&[folder.path()], jdk.feature).unwrap();
    let classes = path.classes().unwrap();
    assert!(classes.len() >= sources.len());
    let program = Program::new(Library::open(jdk).unwrap(), path).unwrap();
    assert_eq!(load_all(&program, &classes), [""; 0]);
}

#[test]
fn every_fixture_loads_links_and_decodes() {
    let jdks = workshop::jdks();
    let mut loaded = 0;
    for area in ["jvms", "jdk"] {
        for (needed, sources) in programs(area) {
            let fits = |jdk: &&Jdk| jdk.feature >= needed && jdk.javac().is_some();
            match jdks.iter().filter(fits).min_by_key(|jdk| jdk.feature) {
                Some(jdk) => {
                    eprintln!("{} programs of {area} with JDK {}", sources.len(), jdk.version);
                    load_compiled(jdk, &sources);
                    loaded += sources.len();
                }
                None => eprintln!("no JDK {needed} here for {sources:?}"),
            }
        }
    }
    assert!(loaded >= 120, "only {loaded} programs were looked at");
}
