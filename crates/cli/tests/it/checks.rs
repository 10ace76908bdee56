//! `dalang check` and what is like it: what users get wrong, what programs get to read, and small
//! methods whose answers are known.

use crate::desk::{Desk, refusal};
use crate::machines::{jdk, run};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

const SOURCE: &str = "package p;
public class Box {
    static class Lid { int weight; }
    Lid lid;
    abstract static class Shape { abstract int area(); }
    native int far();
    int weigh() {
        return lid.weight;
    }
    static int half(int x) {
        return x / 2;
    }
    static int half(long x) {
        return (int) (x / 2);
    }
    static void endless(int x) {
        for (int i = 0; i != x; i++) { }
    }
    private static int hidden(int x) {
        return 10 / x;
    }
    protected int guarded() {
        return 0;
    }
}
";

/// A folder with the source above.
fn desk() -> Desk {
    Desk::holding("Box.java", SOURCE)
}

fn methods(json: &Value) -> Vec<&str> {
    json["methods"].as_array().unwrap().iter().map(|m| m["method"].as_str().unwrap()).collect()
}

#[test]
fn what_is_not_there_yet_says_so() {
    let desk = desk();
    let text = refusal(&desk.check(&["--merge", "auto"]));
    assert!(text.contains("not available yet") && text.contains("--merge"), "{text}");
    assert!(refusal(&desk.on("tests", &["-o", "x"])).contains("not available yet"));
}

#[test]
fn what_does_nothing_yet_is_no_flag() {
    let desk = desk();
    for (arguments, why) in [
        (["--format", "sarif"], "invalid value 'sarif'"),
        (["--replay", "jvm"], "invalid value 'jvm'"),
        (["--report", "x.html"], "unexpected argument '--report'"),
    ] {
        let text = refusal(&desk.check(&arguments));
        assert!(text.contains(why) && !text.contains("not available yet"), "{text}");
    }
    let help = desk.check(&["--help"]);
    let help = String::from_utf8_lossy(&help.out).into_owned();
    for word in ["sarif", "jvm", "--report"] {
        assert!(!help.contains(word), "{help}");
    }
}

/// What an assumption speaks of must be something that can be looked up.
#[test]
fn assumptions_name_no_flag_that_is_not_there() {
    let source = "class Host { static long most() { return Runtime.getRuntime().maxMemory(); } }";
    let method = Desk::holding("Host.java", source).method(&[]);
    let assumed = &method["assumptions"][0];
    assert_eq!(assumed, "the host: one processor, and a heap of 2 GiB", "{method}");
}

#[test]
fn fewer_kinds_of_violations_are_named_with_who_said_so() {
    let desk = Desk::holding("X.java", "class X { static int f(int x) { return 1 / x; } }");
    let said = |arguments: &[&str]| {
        let ended = desk.check(arguments);
        assert_eq!(ended.code, Some(0));
        String::from_utf8_lossy(&ended.out).into_owned()
    };
    let typed = ["--violations", "assert"];
    let text = said(&typed);
    assert!(
        text.contains("safe: no input makes it go wrong in the ways that were looked for (assert)")
    );
    assert!(text.contains("left out: violations of the kinds contract, null, "), "{text}");
    assert!(text.contains("looked only for assert (--violations)"), "{text}");
    assert!(!text.contains("nothing was left out"), "{text}");
    let file = desk.write("dalang.toml", "violations = \"assert\"\n").canonicalize().unwrap();
    let by = format!("; looked only for assert ({})", file.display());
    for arguments in [&[][..], &["-q"]] {
        assert!(said(arguments).contains(&by), "{}", said(arguments));
    }
    let (json, _) = desk.json(&[]);
    assert_eq!((&json["looked_for"], &json["narrowed_by"]), (&json!(["assert"]), &json!(file)));
    let (json, _) = desk.json(&typed);
    assert_eq!(json["narrowed_by"], "--violations");
    let lines = said(&["--format", "jsonl"]);
    let begin: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(begin["narrowed_by"], json!(file));
    // Whoever looks for everything is not told so.
    let (json, code) = desk.json(&["--violations", ALL]);
    assert_eq!((code, &json["narrowed_by"]), (Some(1), &Value::Null));
}

/// What is looked for by default, spelled out.
const ALL: &str = "assert,contract,null,bounds,cast,store,arithmetic,size";

#[test]
fn quiet_is_not_silent_about_the_rest_once_something_is_wrong() {
    let source = "public class Mixed {
        static int wrong(int x) { return 1 / x; }
        static int open(int x) { new Thread(() -> { }).start(); return x; }
        static String assumed() { return System.getProperty(\"user.home\"); }
    }";
    let desk = Desk::holding("Mixed.java", source);
    let quiet = |methods: &[&str]| {
        let chosen: Vec<&str> = methods.iter().flat_map(|method| ["--method", method]).collect();
        let ended = desk.check(&[&["-q"], &chosen[..]].concat());
        assert_eq!(ended.code, Some(1));
        String::from_utf8_lossy(&ended.out).into_owned()
    };
    let text = quiet(&["wrong", "open"]);
    assert!(text.contains("ArithmeticException") && text.contains("Why paths were given up"));
    assert!(text.contains("unsafe: 2 methods: 0 safe, 1 unsafe, 1 undecided"), "{text}");
    let text = quiet(&["wrong", "assumed"]);
    assert!(text.contains("under 1 assumption (-v shows it)"), "{text}");
    let text = quiet(&["wrong"]);
    assert!(!text.contains("unsafe"), "{text}");
}

#[test]
fn bounds_that_leave_nothing_are_refused() {
    let desk = desk();
    for flag in ["--k", "--n", "--calls", "--paths", "--time", "--memory", "--jobs"] {
        let text = refusal(&desk.check(&[flag, "0"]));
        assert!(text.contains(flag), "{text}");
    }
    for [flag, value] in [["--time", "-1"], ["--time", "NaN"], ["--k", "many"], ["--loop", "-1"]] {
        let text = refusal(&desk.check(&[&format!("{flag}={value}")]));
        assert!(text.contains(flag), "{text}");
    }
}

#[test]
fn names_that_mean_nothing_come_with_better_ones() {
    let desk = desk();
    for (arguments, parts) in [
        (["--method", "p.Box.wiegh"], &["no method wiegh", "did you mean weigh"][..]),
        (["--method", "p.Bax.weigh"], &["no class p.Bax", "p.Box"]),
        (["--method", "halv"], &["halv", "half"]),
        (["--method", "p.Box.half(Z)I"], &["p.Box.half(I)I", "p.Box.half(J)I"]),
        (["--method", "p.Box.half(I"], &["no end"]),
        (["--method", "p.Box.Shape.area"], &["p.Box$Shape.area()I", "abstract", "no body"]),
        (["--method", "p.Box.far"], &["native", "no body"]),
        (["--method", "p.Box.toString"], &["inherits", "java.lang.Object.toString"]),
        (["--class", "p.Lod"], &["no class p.Lod", "p.Box$Lid"]),
        (["--class", "p.Box$Lid"], &["no method to explore"]),
        (["--entry", "main"], &["no `public static void main(String[])`"]),
        (["--violations", "nul"], &["`nul`", "null"]),
        (["--solver", "no-such-solver"], &["no-such-solver", "not found"]),
        (["--tree", "no/such/folder/x.dot"], &["no/such/folder/x.dot"]),
        (["--jdk", "no/such/jdk"], &["no/such/jdk"]),
    ] {
        let mut dalang = Command::new(env!("CARGO_BIN_EXE_dalang"));
        dalang.arg("check").arg(desk.folder.path().join("Box.java")).args(arguments);
        if arguments[0] != "--jdk" {
            dalang.arg("--jdk").arg(jdk().home);
        }
        let text = refusal(&run(&mut dalang));
        for part in parts {
            assert!(text.contains(part), "{part:?} is missing in {text:?}");
        }
    }
}

#[test]
fn targets_that_cannot_be_used_are_named() {
    let desk = desk();
    desk.write("Wrong.java", "class Wrong { int x = \"\"; }");
    desk.write("broken.jar", "no jar");
    for (target, part) in [
        ("Missing.java", "Missing.java"),
        ("missing.jar", "missing.jar"),
        ("Wrong.java", "incompatible types"),
        ("broken.jar", "broken.jar"),
        ("", "name the .java files"),
    ] {
        let mut dalang = Command::new(env!("CARGO_BIN_EXE_dalang"));
        dalang.arg("check").arg(desk.folder.path().join(target)).arg("--jdk").arg(jdk().home);
        let ended = run(&mut dalang);
        let text = String::from_utf8(ended.err).unwrap();
        assert_eq!(ended.code, Some(2), "{text}");
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn methods_are_chosen_in_order_and_by_any_of_their_names() {
    let desk = desk();
    let chosen = |arguments: &[&str]| {
        let (json, _) = desk.json(&[arguments, &["--time", "5"]].concat());
        methods(&json).into_iter().map(str::to_owned).collect::<Vec<String>>()
    };
    let all = ["p.Box.weigh()I", "p.Box.half(I)I", "p.Box.half(J)I", "p.Box.endless(I)V"];
    assert_eq!(chosen(&[]), all);
    assert_eq!(chosen(&["--class", "Box"]), all);
    assert_eq!(chosen(&["--method", "half"]), all[1..3]);
    assert_eq!(chosen(&["--method", "Box::weigh"]), all[..1]);
    assert_eq!(
        chosen(&["--method", "p.Box.half(J)I", "--method", "p/Box.half(int)"]),
        [all[2], all[1]]
    );
    // What is named is explored, whoever may call it.
    assert_eq!(chosen(&["--method", "p.Box.hidden"]), ["p.Box.hidden(I)I"]);
}

#[test]
fn a_null_pointer_is_found_with_an_input() {
    let desk = desk();
    let (json, code) = desk.json(&["--method", "weigh", "-v"]);
    assert_eq!(code, Some(1));
    assert_eq!(json["schema"], "dalang/1");
    assert_eq!(json["verdict"], "unsafe");
    assert_eq!(json["policy"], "pose");
    assert_eq!(json["jdk"], jdk().version);
    let method = &json["methods"][0];
    assert_eq!(method["exhaustive"], true);
    assert_eq!(method["paths"]["completed"], 2);
    assert_eq!(method["paths"]["violating"], 1);
    assert_eq!(method["outcomes"].as_array().unwrap().len(), 2);
    let violation = &method["violations"][0];
    assert_eq!(violation["kind"], "null");
    assert_eq!(violation["exception"], "java.lang.NullPointerException");
    assert_eq!(violation["at"]["file"], "Box.java");
    assert_eq!(violation["at"]["line"], 8);
    assert_eq!(violation["replay"], "confirmed");
    assert_eq!(violation["witness"]["inputs"]["this"], "#1");
    assert_eq!(violation["witness"]["objects"]["#1"]["class"], "p.Box");
    let text = String::from_utf8(desk.check(&["--method", "weigh"]).out).unwrap();
    let first = text.lines().next().unwrap();
    let start = "Box.java:8: null: NullPointerException in p.Box.weigh, with this = #1 (confirmed)";
    assert_eq!(first, start);
    assert!(text.lines().last().unwrap().starts_with("unsafe: 1 method: "), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
    let coloured = desk.check(&["--method", "weigh", "--color", "always"]).out;
    assert!(coloured.contains(&0x1b));
}

#[test]
fn bounds_of_the_user_leave_a_verdict_and_others_do_not() {
    let desk = desk();
    let (json, code) = desk.json(&["--method", "half"]);
    assert_eq!((json["verdict"].as_str(), code), (Some("safe"), Some(0)));
    let (json, code) = desk.json(&["--method", "endless"]);
    assert_eq!((json["verdict"].as_str(), code), (Some("undecided"), Some(3)));
    assert_eq!(json["methods"][0]["stops"][0]["kind"], "loop");
    let (json, code) = desk.json(&["--method", "endless", "--loop", "3"]);
    assert_eq!((json["verdict"].as_str(), code), (Some("safe"), Some(0)));
    assert_eq!(json["given"], serde_json::json!(["loop"]));
    assert_eq!(json["methods"][0]["exhaustive"], false);
    assert_eq!(json["bounds"]["loop"], 3);
}

#[test]
fn a_file_gives_what_the_command_line_does_not() {
    let desk = desk();
    desk.write("dalang.toml", "loop = 3\nmethod = [\"endless\"]\nformat = \"json\"\n");
    let (json, code) = desk.json(&[]);
    assert_eq!((methods(&json), code), (vec!["p.Box.endless(I)V"], Some(0)));
    let (json, _) = desk.json(&["--loop", "5", "--method", "half(int)"]);
    assert_eq!((methods(&json), &json["bounds"]["loop"]), (vec!["p.Box.half(I)I"], &5.into()));
    desk.write("dalang.toml", "loops = 3\n");
    let text = refusal(&desk.check(&[]));
    assert!(text.contains("dalang.toml") && text.contains("`loops`"), "{text}");
    desk.write("dalang.toml", "k = \"3\"\n");
    assert!(refusal(&desk.check(&[])).contains("invalid type"));
}

#[test]
fn the_tree_is_written_and_the_file_is_whole() {
    let desk = desk();
    let file = desk.folder.path().join("tree.dot");
    let ended = desk.check(&["--method", "weigh", "--tree", file.to_str().unwrap(), "-q"]);
    assert_eq!(ended.code, Some(1));
    let text = fs::read_to_string(file).unwrap();
    assert!(text.starts_with("digraph dalang {") && text.ends_with("}\n"), "{text}");
    assert!(text.contains("NullPointerException"), "{text}");
}

#[test]
fn policies_are_compared() {
    let desk = desk();
    let ended = desk.on("compare", &["--method", "weigh", "--format", "json"]);
    assert_eq!(ended.code, Some(1));
    let json: Value = serde_json::from_slice(&ended.out).unwrap();
    assert_eq!(
        json["policies"],
        serde_json::json!(["lazy", "lazier", "lazier#", "summary", "pose"])
    );
    let paths = |index: usize| json["methods"][0]["runs"][index]["paths"]["completed"].as_u64();
    assert!(paths(0) >= paths(1) && paths(1) >= paths(2) && paths(2) == Some(2), "{json}");
    assert_eq!((paths(3), paths(4)), (Some(2), Some(2)), "{json}");
    let ended = desk.on("compare", &["--method", "weigh", "--policies", "lazy,lazier#"]);
    let text = String::from_utf8(ended.out).unwrap();
    assert_eq!(text.lines().count(), 4, "{text}");
}

#[test]
fn harnesses_compile_without_our_classes() {
    let desk = desk();
    let source = "import dalang.Verify;
        class Use { static void m(int x) { Verify.assume(x > 0); Verify.check(x - 1 >= 1, \"no\"); } }";
    let path = desk.write("Use.java", source);
    let mut dalang = Command::new(env!("CARGO_BIN_EXE_dalang"));
    dalang.arg("check").arg(path).arg("--jdk").arg(jdk().home).args(["--format", "json"]);
    let ended = run(&mut dalang);
    let json: Value = serde_json::from_slice(&ended.out).unwrap();
    assert_eq!(methods(&json), ["Use.m(I)V"]);
    let violation = &json["methods"][0]["violations"][0];
    assert_eq!((violation["kind"].as_str(), ended.code), (Some("assert"), Some(1)));
    assert_eq!(violation["message"], "no");
    assert_eq!(violation["witness"]["inputs"]["x"], 1);
}

#[test]
fn class_files_jars_and_folders_are_targets_too() {
    let desk = desk();
    let folder = desk.folder.path().join("classes");
    let sources = [desk.folder.path().join("Box.java")];
    dalang_classes::path::compile(&jdk(), &sources, &[], &folder).unwrap();
    for target in ["classes", "classes/p/Box.class"] {
        let mut dalang = Command::new(env!("CARGO_BIN_EXE_dalang"));
        dalang.arg("check").arg(desk.folder.path().join(target)).arg("--jdk").arg(jdk().home);
        let ended = run(dalang.args(["--method", "weigh", "-q"]));
        let text = String::from_utf8_lossy(&ended.out).into_owned();
        assert_eq!(ended.code, Some(1), "{text}{}", String::from_utf8_lossy(&ended.err));
        assert!(text.starts_with("Box.java:8: null: "), "{text}");
    }
}

#[test]
fn a_machine_can_be_examined() {
    let program = env!("CARGO_BIN_EXE_dalang");
    let ended = run(Command::new(program).args(["doctor", "--format", "json"]));
    assert_eq!(ended.code, Some(0));
    let json: Value = serde_json::from_slice(&ended.out).unwrap();
    assert!(json["jdks"].as_array().is_some_and(|jdks| !jdks.is_empty()), "{json}");
    assert!(json["cores"].as_u64() > Some(0));
    let ended = run(Command::new(program).args(["doctor", "--jdk", "no/such/jdk"]));
    assert_eq!(ended.code, Some(0));
    assert!(String::from_utf8(ended.out).unwrap().contains("missing: no/such/jdk"));
}

#[test]
fn a_loop_that_does_not_end_is_an_ending() {
    let desk = desk();
    let source =
        "class Round { static int m() { int i = 0; while (i >= 0) { i = i * i + 1; i &= 7; }
        return i; } }";
    let path = desk.write("Round.java", source);
    let mut dalang = Command::new(env!("CARGO_BIN_EXE_dalang"));
    dalang.arg("check").arg(path).arg("--jdk").arg(jdk().home).args(["--loop", "1000"]);
    let ended = run(&mut dalang);
    let text = String::from_utf8_lossy(&ended.out).into_owned();
    assert_eq!(ended.code, Some(0), "{text}{}", String::from_utf8_lossy(&ended.err));
    assert!(text.contains("1 path does not end") && text.contains("where it ends"), "{text}");
}
