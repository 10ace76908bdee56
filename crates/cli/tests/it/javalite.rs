//! Javalite files as targets: as many paths as the papers tell and as the same program in Java has,
//! which methods are chosen, and what is refused.

use crate::machines::{jdk, run};
use crate::process::Ended;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// `contains.jl`, `sum.jl` and some more, in Java.
const IN_JAVA: &str = "
class Data { boolean val; }
class Node {
    Data elem;
    Node next;
    boolean contains(Data val) {
        if (elem == val) return true;
        if (next == null) return false;
        return next.contains(val);
    }
}
class ContainsList {
    Node head;
    Data data0;
    Data data1;
    boolean run1(boolean ignored) { return head.contains(data0); }
    boolean run2(boolean ignored) { return head.contains(data0) && head.contains(data1); }
}
class Sum {
    boolean val;
    Sum s0;
    Sum s1;
    Sum s2;
    boolean visit(boolean ignored) {
        boolean unused = s0.val;
        unused = s1.val;
        return s2.val;
    }
    boolean odd(boolean so_far) {
        if (so_far) return val == false;
        return val;
    }
    boolean sum(boolean ignored) {
        boolean sum = val;
        sum = s0.odd(sum);
        sum = s1.odd(sum);
        return s2.odd(sum);
    }
}
";

fn subject(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/javalite").join(name)
}

fn dalang(command: &str, targets: &[&Path], arguments: &[&str]) -> Ended {
    let mut dalang = Command::new(env!("CARGO_BIN_EXE_dalang"));
    run(dalang.arg(command).args(targets).arg("--jdk").arg(jdk().home).args(arguments))
}

fn json(targets: &[&Path], arguments: &[&str]) -> Value {
    let ended = dalang("check", targets, &[arguments, &["--format", "json"]].concat());
    let errors = String::from_utf8_lossy(&ended.err);
    serde_json::from_slice(&ended.out).unwrap_or_else(|error| panic!("{error}: {errors}"))
}

/// The explored methods, in order.
fn methods(json: &Value) -> Vec<String> {
    let methods = json["methods"].as_array().unwrap();
    methods.iter().map(|method| method["method"].as_str().unwrap().to_owned()).collect()
}

/// All about the paths of each method, and the kinds of its stops.
fn paths(json: &Value) -> BTreeMap<String, String> {
    let methods = json["methods"].as_array().unwrap();
    let row = |method: &Value| {
        let stops = method["stops"].as_array().unwrap().iter();
        let stops: Vec<String> = stops.map(|s| format!("{} {}", s["kind"], s["count"])).collect();
        let name = method["method"].as_str().unwrap().to_owned();
        (name, format!("{} {} {stops:?}", method["verdict"], method["paths"]))
    };
    methods.iter().map(row).collect()
}

fn completed(file: &str, policy: &str, method: &str) -> u64 {
    let found = json(&[&subject(file)], &["--policy", policy, "--method", method]);
    assert_eq!(found["methods"][0]["exhaustive"], true, "{found}");
    found["methods"][0]["paths"]["completed"].as_u64().unwrap()
}

#[test]
fn small_programs_have_as_many_paths_as_the_papers_say() {
    for (policy, swap) in [("lazy", 21), ("lazier", 7), ("lazier#", 3)] {
        assert_eq!(completed("swap.jl", policy, "Swap.swap"), swap, "{policy}");
        // Bell numbers: four objects, or fewer and then null, are the same in so many ways.
        assert_eq!(completed("sum.jl", policy, "Sum.visit"), 15 + 1 + 2 + 5, "{policy}");
    }
}

#[test]
fn the_same_program_in_java_has_the_same_paths() {
    let folder = TempDir::new().unwrap();
    let java = folder.path().join("Same.java");
    fs::write(&java, IN_JAVA).unwrap();
    let (contains, sum) = (subject("contains.jl"), subject("sum.jl"));
    let classes = ["--class", "Node", "--class", "ContainsList", "--class", "Sum"];
    let bounds = ["--n", "3", "--calls", "12"];
    for policy in ["lazy", "lazier", "lazier#"] {
        let arguments = [&classes[..], &bounds, &["--policy", policy]].concat();
        let theirs = paths(&json(&[&java], &arguments));
        let ours = paths(&json(&[&contains, &sum], &arguments));
        assert_eq!(ours.len(), 6, "{ours:?}");
        assert_eq!(ours, theirs, "{policy}");
    }
}

#[test]
fn a_program_begins_where_it_says_unless_it_is_told_otherwise() {
    let (swap, contains, sum) = (subject("swap.jl"), subject("contains.jl"), subject("sum.jl"));
    let bounds = ["--n", "1", "--calls", "5"];
    let chosen = |targets: &[&Path], arguments: &[&str]| {
        methods(&json(targets, &[arguments, &bounds[..]].concat()))
    };
    assert_eq!(chosen(&[&sum], &[]), ["Sum.sum(Z)Z"]);
    assert_eq!(chosen(&[&sum], &["--method", "odd"]), ["Sum.odd(Z)Z"]);
    let all = ["Sum.visit(Z)Z", "Sum.odd(Z)Z", "Sum.sum(Z)Z"];
    assert_eq!(chosen(&[&sum], &["--class", "Sum"]), all);
    // Without an entry it is every method, as for other targets; each file has a say for itself.
    let lists = ["ContainsList.run1(Z)Z", "ContainsList.run2(Z)Z", "Node.contains(LData;)Z"];
    assert_eq!(chosen(&[&contains], &[]), lists);
    let both = [&lists[..], &["Swap.swap(LSwap;)Z"]].concat();
    assert_eq!(chosen(&[&swap, &contains], &[]), both);
    // A class path is there, and not analysed; a class of the program hides one of its name there.
    let folder = TempDir::new().unwrap();
    let hidden = folder.path().join("Swap.java");
    fs::write(&hidden, "class Swap { int other(int x) { return x / x; } } class More { }").unwrap();
    let classes = folder.path().join("classes");
    dalang_classes::path::compile(&jdk(), &[hidden], &[], &classes).unwrap();
    let swapped = chosen(&[&swap], &["-cp", classes.to_str().unwrap()]);
    assert_eq!(swapped, ["Swap.swap(LSwap;)Z"]);
    let java = folder.path().join("Other.java");
    fs::write(&java, "class Other { int twice(int x) { return 2 * x; } }").unwrap();
    assert_eq!(chosen(&[&swap, &java], &[]), ["Other.twice(I)I", "Swap.swap(LSwap;)Z"]);
}

#[test]
fn reports_show_lines_and_names_of_the_text() {
    let ended = dalang("check", &[&subject("sum.jl")], &["--method", "visit"]);
    let text = String::from_utf8(ended.out).unwrap();
    assert_eq!(ended.code, Some(1), "{text}");
    for part in
        ["sum.jl:11: null: NullPointerException in Sum.visit", "ignored = ", "this.s0 == null"]
    {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let ended = dalang("compare", &[&subject("swap.jl")], &[]);
    let text = String::from_utf8(ended.out).unwrap();
    assert_eq!(ended.code, Some(0), "{text}");
    for part in ["Swap.swap(Swap)", "21", "7", "3"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place_and_ends_with_2() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let wrong = write("wrong.jl", "((class A ()\n  ((A m [A x] (x $ y)))))");
    let twice = write("twice.jl", "((class Swap () ((bool m [bool x] x))))");
    let plain = write("plain.jl", "((class Empty () ()))");
    fs::write(folder.path().join("bytes.jl"), [0xff, 0xfe]).unwrap();
    for (targets, part) in [
        (vec![wrong], "wrong.jl:2:20: class `A` has no field `y`; declare it"),
        (vec![folder.path().join("none.jl")], "none.jl: there is no such file"),
        (vec![folder.path().join("bytes.jl")], "bytes.jl: cannot be read (invalid utf-8"),
        (vec![subject("swap.jl"), twice], "twice.jl: class Swap is in "),
        (vec![plain], "there is no method to explore"),
        (vec![folder.path().to_path_buf()], "name the .java files (or .jl files) themselves"),
    ] {
        for command in ["check", "compare"] {
            let targets: Vec<&Path> = targets.iter().map(PathBuf::as_path).collect();
            let ended = dalang(command, &targets, &[]);
            let text = String::from_utf8(ended.err).unwrap();
            assert_eq!(ended.code, Some(2), "{text}");
            assert!(text.contains(part), "{part} is not in {text}");
            assert_eq!(text.lines().count(), 1, "{text}");
        }
    }
}
