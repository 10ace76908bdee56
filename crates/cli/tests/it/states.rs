//! What `-v` shows of paths: the states of the papers, and conditions that a person can read.

use crate::machines::run;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// The lines of each path that `check -v` shows of a method.
fn paths(file: &Path, method: &str, policy: &str) -> Vec<Vec<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut dalang = Command::new(env!("CARGO_BIN_EXE_dalang"));
    dalang.arg("check").arg(file).args(["--method", method, "--policy", policy, "-v"]);
    dalang.arg("--class-path").arg(root.join("java/api"));
    let ended = run(&mut dalang);
    let mut paths: Vec<Vec<String>> = Vec::new();
    let text = String::from_utf8(ended.out).unwrap();
    for line in text.lines() {
        if line.trim_start().starts_with("path ") {
            paths.push(vec![line.trim().to_owned()]);
        } else if let (Some(path), true) = (paths.last_mut(), line.starts_with("        ")) {
            path.push(line.trim().to_owned());
        }
    }
    paths
}

fn aliases(method: &str, policy: &str) -> Vec<Vec<String>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/papers/Aliases.java");
    paths(&file, method, policy)
}

/// [POSE] Fig. 2: until the `if`, one state has every case in which no reference is null.
#[test]
fn reads_through_aliases_are_one_state() {
    let paths = aliases("papers.Aliases.p1", "pose");
    assert_eq!(paths.len(), 5, "{paths:?}");
    let heap = ["a0 -> (f = a0.f)", "a1 -> (f = a1.f)", "a2 -> (f = a2.f)"];
    for ended in &paths[3..] {
        assert_eq!(ended.len(), 4, "{ended:?}");
        for (line, expected) in ended[1..].iter().zip(heap) {
            assert!(line.starts_with(expected), "{ended:?}");
        }
    }
    let abort = &paths[4][0];
    // The two have different fields, so that they are two.
    assert!(abort.contains("violation (assert)") && abort.contains("a0.f != a1.f"), "{abort}");
    assert!(abort.contains("a0 = #1, a1 = #2"), "{abort}");
}

/// [POSE] Fig. 3: what is written is an ite in every object that may be meant.
#[test]
fn writes_through_aliases_are_one_state() {
    let paths = aliases("papers.Aliases.p2", "pose");
    assert_eq!(paths.len(), 5, "{paths:?}");
    for ended in &paths[3..] {
        let heap = [
            "b2 -> (f = b0 == b2 ? 0 : b1 == b2 ? 1 : 2)",
            "b1 -> (f = b0 == b1 ? 0 : 1)",
            "b0 -> (f = 0)",
        ];
        assert_eq!(ended[1..], heap);
    }
    let sum = "(b0 == b1 ? 0 : 1) + (b0 == b2 ? 0 : b1 == b2 ? 1 : 2)";
    assert!(paths[4][0].contains(&format!("{sum} == 0; for example b0 = #1, b1 = #1, b2 = #1")));
}

/// The places of a summary are called by the inputs that they were made for.
#[test]
fn locations_of_a_summary_have_names() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("Pair.java");
    let text = "class Pair { Pair a; Pair b; static boolean same(Pair p) { return p.a == p.b; } }";
    fs::write(&file, text).unwrap();
    let paths = paths(&file, "Pair.same", "summary");
    let heap = paths.last().unwrap()[1..].join("\n");
    assert!(heap.contains("a = p.a == null ? null : p == p.a ? @p : @p.a"), "{heap}");
}

#[test]
fn conditions_name_types_and_constants() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("Kinds.java");
    let text = "class Kinds {
        enum Colour { RED, GREEN }
        static int kind(Object o, Object p, Colour c) {
            if (c == Colour.GREEN) return 0;
            if (o instanceof Integer || p == o) return 1;
            return 2;
        }
    }";
    fs::write(&file, text).unwrap();
    for policy in ["pose", "summary"] {
        let paths = paths(&file, "Kinds.kind", policy);
        let conditions: Vec<&str> =
            paths.iter().map(|path| path[0].split("; for example").next().unwrap()).collect();
        let all = conditions.join("\n");
        assert!(!all.contains("getClass"), "{policy}: {all}");
        assert!(all.contains("Kinds$Colour.RED == c"), "{policy}: {all}");
        assert!(all.contains("(o instanceof Integer)"), "{policy}: {all}");
        // A part that is a disjunction is told from the parts beside it.
        assert!(all.contains("&& (!(o instanceof Integer) || o == null)"), "{policy}: {all}");
    }
}
