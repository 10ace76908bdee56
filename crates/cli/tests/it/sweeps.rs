//! Sweeps: many methods with little time each, and everything accounted for. Whole jars are swept by
//! `cargo xtask sweep`.

use crate::account::{Expected, Report};
use crate::machines::{jdk, run};
use crate::packages;
use crate::process::Ended;
use dalang_classes::Program;
use dalang_classes::path::{ClassPath, Library};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// The values of JSON: the part of gson that is swept.
const CLASSES: [&str; 5] = [
    "com/google/gson/JsonArray",
    "com/google/gson/JsonElement",
    "com/google/gson/JsonNull",
    "com/google/gson/JsonObject",
    "com/google/gson/JsonPrimitive",
];

fn check(target: &Path, arguments: &[&str]) -> Ended {
    let mut dalang = Command::new(env!("CARGO_BIN_EXE_dalang"));
    dalang.arg("check").arg(target).arg("--jdk").arg(jdk().home);
    run(dalang.args(["--format", "json"]).args(arguments))
}

fn report(ended: &Ended) -> Report {
    let errors = String::from_utf8_lossy(&ended.err);
    serde_json::from_slice(&ended.out).unwrap_or_else(|why| panic!("{why}: {errors}"))
}

#[test]
fn a_sweep_of_foreign_classes_accounts_for_every_method() {
    let (jdk, jar) = (jdk(), packages::find("gson"));
    let mut arguments = vec!["--time", "0.03"];
    arguments.extend(CLASSES.iter().flat_map(|class| ["--class", class]));
    let ended = check(&jar, &arguments);
    assert_eq!(ended.code, Some(1), "gson can go wrong on inputs that nobody would build");
    let report = report(&ended);
    let path = ClassPath::open(&[&jar], jdk.feature).unwrap();
    let program = Program::new(Library::open(&jdk).unwrap(), path).unwrap();
    let expected = Expected::of(&program, &CLASSES.map(str::to_owned));
    assert!(expected.methods.len() > 80, "these classes have many methods");
    assert_eq!(report.findings(&expected), [""; 0]);
    let tally = report.tally();
    assert_eq!(tally.methods(), expected.methods.len() as u64);
    // However slow the machine is, some of them are plain.
    assert!(tally.safe > tally.bounded && tally.confirmed > 0);
}

/// A Mersenne prime is no product of two smaller numbers, which no solver finds out in time.
const HARD: &str = "public class Hard {
    static int hard(int x, int y) {
        if (x > 1 && y > 1 && (long) x * (long) y == 2305843009213693951L) {
            return 1;
        }
        return 0;
    }
}
";

#[test]
fn a_question_that_outlasts_the_method_is_stopped_by_its_time() {
    let folder = TempDir::new().unwrap();
    let source = folder.path().join("Hard.java");
    fs::write(&source, HARD).unwrap();
    let ended = check(&source, &["--time", "0.3"]);
    let tally = report(&ended).tally();
    let reasons: Vec<&str> = tally.stops.keys().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(reasons, ["time"], "the method's time is a limit that was given");
    assert_eq!((tally.safe, tally.bounded, ended.code), (0, 0, Some(3)));
}
