//! Programs with hot methods, with and without the express lane: the same output, and the same
//! number of instructions.

use crate::machines::{dalang, jdk, run};
use dalang_classes::path::compile;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The benchmarks at a small scale, and programs of the fixtures that loop a lot.
const BENCHES: [&str; 8] = [
    "IntLoop",
    "DoubleLoop",
    "FieldTraffic",
    "ArrayTraffic",
    "VirtualCalls",
    "InterfaceCalls",
    "HashMapTraffic",
    "TreeMapTraffic",
];
const FIXTURES: [&str; 6] = [
    "MatrixLibrary",
    "SpellChecker",
    "EventSimulation",
    "TextWrapper",
    "JsonParser",
    "RandomSeeded",
];

#[test]
fn the_express_lane_changes_nothing() {
    let jdk = jdk();
    let classes = TempDir::new().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let bench = |name: &&str| root.join("benches/interp").join(format!("{name}.java"));
    let fixture = |name: &&str| root.join("tests/fixtures/jdk").join(format!("{name}.java"));
    let sources: Vec<PathBuf> =
        BENCHES.iter().map(bench).chain(FIXTURES.iter().map(fixture)).collect();
    compile(&jdk, &sources, &[], classes.path()).unwrap();
    let path = [classes.path().to_path_buf()];
    let runs = BENCHES.iter().map(|&name| (name, Some("500")));
    for (name, scale) in runs.chain(FIXTURES.iter().map(|&name| (name, None))) {
        let [with, without] = [None, Some("--no-express")].map(|lane| {
            let mut command = dalang(&jdk, &path);
            run(command.args(lane).arg("--statistics").arg(name).args(scale))
        });
        let count = |err: &[u8]| {
            let text = String::from_utf8_lossy(err).into_owned();
            let line = text.lines().find(|line| line.ends_with(" instructions"));
            line.unwrap_or_else(|| panic!("{name} was not counted: {text}")).to_owned()
        };
        assert_eq!(with.code, Some(0), "{name}");
        assert_eq!(with.out, without.out, "{name}");
        assert_eq!(count(&with.err), count(&without.err), "{name}");
        assert!(!with.out.is_empty(), "{name}");
    }
}
