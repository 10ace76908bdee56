//! What `dalang check` says of the world that it takes a program to run in: clocks, hosts, classes
//! that are initialized early or late, classes that are not there.

use crate::desk::Desk;
use crate::machines::{jdk, run};
use dalang_classes::path::compile;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const SOURCE: &str = r#"package p;
public class World {
    static int[] counter = { 0 };
    Gone gone;
    static boolean late() { return System.currentTimeMillis() > 5; }
    static int dice() { return new java.util.Random().nextInt(6); }
    static int dice(long seed) { return new java.util.Random(seed).nextInt(6); }
    static boolean home() { return System.getProperty("user.home").length() > 3; }
    static boolean path() { return System.getenv("PATH") == null; }
    static int upper(int x) { return "i".toUpperCase().length() + x; }
    static boolean hash() { return new Object().hashCode() > 9; }
    static boolean pool() { return new String(new char[] { 'q', 'z' }).intern().length() == 2; }
    static final Object MARK = new Object();
    static boolean mark(Object x) { return x == MARK; }
    static boolean made(Object x) { return x == new Object(); }
    static int plain(int x) { return x > 3 ? 1 : 2; }
    static int among(Among x) { counter[0]++; return x == null ? 0 : 1; }
    static int alone(Alone x) { counter[0]++; return x == null ? 0 : 1; }
    int field() { return gone == null ? 1 : 2; }
    static int parameter(Gone[] gone) { return gone == null ? 1 : 2; }
    static class Among { static int seen = World.counter[0]; }
    static class Alone { static final java.util.List<String> NONE = new java.util.ArrayList<>(); }
}
class Gone { }
"#;

/// The classes of the source, and what checking each of its methods says.
struct World {
    folder: TempDir,
}

impl World {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let source = folder.path().join("World.java");
        fs::write(&source, SOURCE).unwrap();
        let none: [PathBuf; 0] = [];
        compile(&jdk(), &[source], &none, &folder.path().join("classes")).unwrap();
        fs::remove_file(folder.path().join("classes/p/Gone.class")).unwrap();
        Self { folder }
    }

    fn classes(&self) -> PathBuf {
        self.folder.path().join("classes")
    }

    fn check(&self, method: &str) -> (Value, Option<i32>) {
        check(&self.classes(), &["--method", method])
    }

    /// What the check of a method assumes.
    fn assumed(&self, method: &str) -> Vec<String> {
        let (json, _) = self.check(method);
        let assumptions = json["methods"][0]["assumptions"].as_array().unwrap();
        assumptions.iter().map(|one| one.as_str().unwrap().to_owned()).collect()
    }
}

fn check(target: &Path, arguments: &[&str]) -> (Value, Option<i32>) {
    let mut dalang = Command::new(env!("CARGO_BIN_EXE_dalang"));
    dalang.arg("check").arg(target).arg("--jdk").arg(jdk().home);
    dalang.args(arguments).args(["--format", "json"]);
    let ended = run(&mut dalang);
    let text = String::from_utf8_lossy(&ended.out).into_owned();
    let errors = String::from_utf8_lossy(&ended.err).into_owned();
    let json = serde_json::from_str(&text);
    (json.unwrap_or_else(|error| panic!("{error}: {text}{errors}")), ended.code)
}

#[test]
fn what_a_path_takes_from_the_world_is_assumed() {
    let world = World::new();
    for (method, expected) in [
        ("p.World.late", &["the clock: "][..]),
        ("p.World.dice()I", &["generators without a seed: ", "the clock: "]),
        ("p.World.dice(J)I", &[]),
        ("p.World.home", &["the property user.home: "]),
        ("p.World.path", &["the environment: "]),
        ("p.World.upper", &["the default locale: "]),
        ("p.World.hash", &["identity hash codes: "]),
        ("p.World.pool", &["strings that the program interns: "]),
        ("p.World.mark", &[]),
        ("p.World.made", &[]),
        ("p.World.plain", &[]),
        ("p.World.among", &["p.World$Among: its initializer, "]),
        ("p.World.alone", &[]),
    ] {
        expect(method, &world.assumed(method), expected);
    }
}

/// Each line begins as expected, and there are no others.
fn expect(method: &str, assumed: &[String], expected: &[&str]) {
    let fits = |(one, start): (&String, &&str)| one.starts_with(start);
    assert_eq!(assumed.len(), expected.len(), "{method}: {assumed:?}");
    assert!(assumed.iter().zip(expected).all(fits), "{method}: {assumed:?}");
}

const HOST: &str = r#"public class Host {
    static boolean flag() { return Boolean.getBoolean("p.flag"); }
    static int number() { return Integer.getInteger("p.number", 1) + Long.getLong("p.long", 2).intValue(); }
    static boolean name() { return Thread.currentThread().getName().equals("main"); }
    static boolean asked() { return Thread.interrupted() || Thread.currentThread().isInterrupted(); }
    static boolean weak() { return new java.lang.ref.WeakReference<>(new Object()).get() == null; }
    static boolean soft() { return new java.lang.ref.SoftReference<>(new Object()).get() == null; }
    static int weakly() {
        java.util.WeakHashMap<String, String> map = new java.util.WeakHashMap<>();
        map.put(new String("a"), "b");
        return map.size();
    }
    static boolean resource() { return Host.class.getResource("x.txt") == null; }
    static boolean stream() { return Host.class.getResourceAsStream("x.txt") == null; }
    static boolean service() { return java.util.ServiceLoader.load(Runnable.class).iterator().hasNext(); }
    static boolean separator() { return java.io.File.separator.equals("/"); }
    static boolean separators() {
        int count = 0;
        for (int i = 0; i < 20000; i++) if (java.io.File.pathSeparatorChar == ':') count++;
        return count == 0;
    }
}
"#;

#[test]
fn what_the_library_looks_up_for_a_program_is_assumed() {
    let desk = Desk::holding("Host.java", HOST);
    let (json, _) = desk.json(&[]);
    let methods = json["methods"].as_array().unwrap();
    let expected: &[(&str, &[&str])] = &[
        ("Host.flag", &["the property p.flag: "]),
        ("Host.number", &["the property p.long: ", "the property p.number: "]),
        ("Host.name", &["the thread: `main`"]),
        ("Host.asked", &["the thread: nobody else interrupts it"]),
        ("Host.weak", &["weak and soft references: "]),
        ("Host.soft", &["weak and soft references: "]),
        ("Host.weakly", &["weak and soft references: "]),
        ("Host.resource", &["resources: "]),
        ("Host.stream", &["resources: "]),
        ("Host.service", &["providers of java.lang.Runnable: ", "resources: "]),
        ("Host.separator", &["the separators of file names"]),
        ("Host.separators", &["the separators of file names"]),
    ];
    assert_eq!(methods.len(), expected.len(), "{json}");
    for (method, (name, expected)) in methods.iter().zip(expected) {
        assert!(method["method"].as_str().unwrap().starts_with(&format!("{name}(")), "{method}");
        let assumed = method["assumptions"].as_array().unwrap();
        let assumed: Vec<String> =
            assumed.iter().map(|one| one.as_str().unwrap().to_owned()).collect();
        expect(name, &assumed, expected);
    }
}

#[test]
fn a_class_that_cannot_be_loaded_is_named() {
    let world = World::new();
    for (method, missing) in [("p.World.field", "p.Gone"), ("p.World.parameter", "p.Gone[]")] {
        let (json, code) = world.check(method);
        assert_eq!(code, Some(3), "{json}");
        let method = &json["methods"][0];
        assert_eq!(method["verdict"], "undecided", "{json}");
        assert_eq!(method["paths"]["normal"], 1, "{json}");
        let stops = method["stops"].as_array().unwrap();
        assert_eq!((stops.len(), &stops[0]["kind"]), (1, &"missing".into()), "{json}");
        let detail = stops[0]["detail"].as_str().unwrap();
        assert!(detail.starts_with(&format!("{missing}, which an input is ")), "{json}");
        assert!(detail.contains("--class-path"), "{json}");
    }
}
