//! Classes, methods and fields that are not there or do not fit, JDKs that are too old, and
//! initializers that fail: what `dalang check` makes of them.

use crate::desk::{Desk, stops};
use crate::machines::{dalang, java, jdk, jdks, run};
use dalang_classes::path::{Jdk, compile};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;

const COMPLETE: &str = r#"package p;
public class Use {
    static int noClass(int x) { return x > 3 ? Gone.of(x) : 0; }
    static int caught(int x) {
        try { return x > 3 ? Gone.of(x) : 0; } catch (NoClassDefFoundError e) { return 1; }
    }
    static int noMethod(int x) { return x > 3 ? Half.of(x) : 0; }
    static int noField(int x) { return x > 3 ? Half.field : 0; }
    static int wrongKind(int x) { return x > 3 ? new Half().turned() : 0; }
    static int noBody(int x) { Shape shape = new Square(); return x > 3 ? shape.area() : 0; }
    static int noLambda(int x) { java.util.function.IntUnaryOperator f = Gone::of; return f.applyAsInt(x); }
    static int own(int x) { if (x > 3) throw new NoClassDefFoundError("mine"); return 0; }
    static int reached(int x) { try { return 1 / x; } catch (GoneException e) { return 7; } }
    static int caughtBefore(int x) {
        try { return 1 / x; } catch (ArithmeticException e) { return 1; } catch (GoneException e) { return 7; }
    }
    static int fails(int x) { assert x != 7; return x; }
    static int notThrown(int x) { try { return x + 1; } catch (GoneException e) { return 7; } }
    static int byName(int x) throws Exception {
        try { Class.forName("p.Optional"); } catch (ClassNotFoundException e) { return x; }
        return 1 / (x - x);
    }
    static int byLoader(int x) throws Exception {
        try { Use.class.getClassLoader().loadClass("p.Optional"); } catch (ClassNotFoundException e) { return x; }
        return 1 / (x - x);
    }
    static int there(int x) throws Exception { return Class.forName("p.Half") == Half.class ? x : 1 / (x - x); }
    static int anyName(String name) throws Exception {
        if (name == null) return 0;
        try { Class.forName(name); } catch (ClassNotFoundException e) { return 1; }
        return 2;
    }
}
class Start {
    public static void main(String[] a) {
        try { Gone.of(5); } catch (NoClassDefFoundError e) { System.out.println("caught " + e.getMessage()); }
        Half.of(5);
    }
}
class Gone { static int of(int x) { return x; } }
class GoneException extends RuntimeException { }
"#;

const SHAPES: &str = "package p; abstract class Shape { abstract int area(); }
class Square extends Shape { int area() { return 4; } }
class Half { static int field; static int of(int x) { return x; } int turned() { return 1; } }";

const HALF: &str = "package p; class Half { static int turned() { return 1; } }
abstract class Shape { } class Square extends Shape { }";

/// Classes that were compiled with others than those that are there.
struct Misfits {
    folder: TempDir,
}

impl Misfits {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let sources = [("Use.java", COMPLETE), ("Shapes.java", SHAPES), ("Half.java", HALF)];
        let paths: Vec<PathBuf> =
            sources.iter().map(|(name, _)| folder.path().join(name)).collect();
        for (path, (_, text)) in paths.iter().zip(sources) {
            fs::write(path, text).unwrap();
        }
        let none: [PathBuf; 0] = [];
        let made = folder.path().join("classes");
        let first = [paths[0].clone(), paths[1].clone()];
        compile(&jdk(), &first, &none, &made).unwrap();
        // Abstract classes as they were: only the classes below have changed.
        let other = folder.path().join("other");
        compile(&jdk(), &paths[2..], &none, &other).unwrap();
        for class in ["Half", "Square"] {
            let file = format!("p/{class}.class");
            fs::copy(other.join(&file), made.join(&file)).unwrap();
        }
        for class in ["Gone", "GoneException"] {
            fs::remove_file(made.join(format!("p/{class}.class"))).unwrap();
        }
        Self { folder }
    }

    fn classes(&self) -> PathBuf {
        self.folder.path().join("classes")
    }

    fn check(&self, method: &str) -> Value {
        let mut dalang = Command::new(env!("CARGO_BIN_EXE_dalang"));
        dalang.arg("check").arg(self.classes()).arg("--jdk").arg(jdk().home);
        dalang.args(["--method", &format!("p.Use.{method}"), "--format", "json"]);
        let ended = run(&mut dalang);
        let mut json: Value = serde_json::from_slice(&ended.out)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&ended.err)));
        json["methods"][0].take()
    }
}

#[test]
fn what_is_missing_is_a_stop_that_names_it_and_the_remedy() {
    let misfits = Misfits::new();
    for (method, missing) in [
        ("noClass", "p.Gone is not on the class path"),
        ("caught", "p.Gone is not on the class path"),
        ("noMethod", "the method int p.Half.of(int) is not in the class that is there"),
        ("noField", "the field int p.Half.field is not in the class that is there"),
        ("wrongKind", "IncompatibleClassChangeError: "),
        ("noBody", "AbstractMethodError: "),
        ("noLambda", "p.Gone is not on the class path"),
        ("reached", "p.GoneException is not on the class path"),
    ] {
        let found = misfits.check(method);
        assert_eq!(found["verdict"], "undecided", "{found}");
        assert_eq!(stops(&found), ["missing"], "{found}");
        let detail = found["stops"][0]["detail"].as_str().unwrap();
        assert!(detail.starts_with(missing) && detail.contains("--class-path"), "{found}");
        assert_eq!(found["paths"]["exceptional"], 0, "{found}");
    }
}

#[test]
fn a_handler_that_no_path_needs_does_not_keep_a_witness_from_being_executed_again() {
    let found = Misfits::new().check("fails");
    assert_eq!(found["verdict"], "unsafe", "{found}");
    assert_eq!(found["violations"][0]["replay"], "confirmed", "{found}");
    assert_eq!(found["violations"][0]["witness"]["inputs"]["x"], 7, "{found}");
}

#[test]
fn what_a_program_throws_itself_and_what_no_path_needs_is_no_stop() {
    let misfits = Misfits::new();
    for (method, exceptional) in [("own", 1), ("caughtBefore", 0), ("notThrown", 0), ("there", 0)] {
        let found = misfits.check(method);
        assert_eq!(found["verdict"], "safe", "{found}");
        assert_eq!(found["exhaustive"], true, "{found}");
        assert_eq!(found["paths"]["exceptional"], exceptional, "{found}");
        assert_eq!(found["assumptions"].as_array().unwrap().len(), 0, "{found}");
    }
}

#[test]
fn a_class_that_is_asked_for_by_name_is_as_found() {
    let misfits = Misfits::new();
    for method in ["byName", "byLoader"] {
        let found = misfits.check(method);
        assert_eq!(found["verdict"], "safe", "{found}");
        let assumptions = found["assumptions"].as_array().unwrap();
        let expected: Value = "p.Optional is not on the class path".into();
        assert!(assumptions.contains(&expected), "{method}: {found}");
    }
    let found = misfits.check("anyName");
    assert_eq!(
        (&found["verdict"], &stops(&found)[..]),
        (&"undecided".into(), &["unsupported"][..])
    );
    assert!(found["stops"][0]["detail"].as_str().unwrap().contains("Class.forName"), "{found}");
}

#[test]
fn a_concrete_run_throws_what_java_throws() {
    let misfits = Misfits::new();
    let path = [misfits.classes()];
    let ended = run(dalang(&jdk(), &path).arg("p.Start"));
    let expected = run(java(&jdk(), &path).arg("p.Start"));
    assert_eq!(ended.code, expected.code);
    assert_eq!(String::from_utf8_lossy(&ended.out), String::from_utf8_lossy(&expected.out));
    assert!(String::from_utf8_lossy(&ended.err).contains("java.lang.NoSuchMethodError"));
}

/// JDKs of two versions, the older first. Without them, there is nothing to choose from.
fn two() -> (Jdk, Jdk) {
    let with_javac = jdks().into_iter().filter(|jdk| jdk.javac().is_some());
    let found: Vec<Jdk> = with_javac.collect();
    let (older, newer) = (found[0].clone(), found[found.len() - 1].clone());
    assert!(older.feature < newer.feature, "this test needs JDKs of two versions, found {found:?}");
    (older, newer)
}

/// Checks the classes of the newer JDK's compiler, where `java` is the older JDK's.
fn check_newer(change: impl FnOnce(&mut Command, &Jdk, &Jdk)) -> (Value, String) {
    let (older, newer) = two();
    let folder = TempDir::new().unwrap();
    let source = folder.path().join("New.java");
    fs::write(&source, "class New { static int of(int x) { return x > 3 ? 1 : 2; } }").unwrap();
    let none: [PathBuf; 0] = [];
    compile(&newer, &[source], &none, &folder.path().join("classes")).unwrap();
    let mut dalang = Command::new(env!("CARGO_BIN_EXE_dalang"));
    dalang.arg("check").arg(folder.path().join("classes")).args(["--format", "json"]);
    dalang.env_remove("DALANG_JDK").env("JAVA_HOME", &older.home);
    change(&mut dalang, &older, &newer);
    let ended = run(&mut dalang);
    let text = String::from_utf8_lossy(&ended.err).into_owned();
    let json = serde_json::from_slice(&ended.out).unwrap_or_else(|error| panic!("{error}: {text}"));
    (json, text)
}

#[test]
fn a_jdk_that_is_new_enough_is_preferred() {
    let (older, newer) = two();
    let (json, text) = check_newer(|_, _, _| {});
    assert_eq!((&json["verdict"], &json["jdk"]), (&"safe".into(), &newer.version.clone().into()));
    assert!(text.contains(&older.version) && text.contains(&newer.version), "{text}");
}

#[test]
fn a_jdk_that_is_named_is_used_and_what_is_too_new_for_it_is_said() {
    for by_flag in [true, false] {
        let (json, text) = check_newer(|dalang, older, _| {
            if by_flag {
                dalang.arg("--jdk").arg(&older.home);
            } else {
                dalang.env("DALANG_JDK", &older.home);
            }
        });
        let (older, newer) = two();
        assert_eq!(json["verdict"], "undecided", "{json}{text}");
        assert_eq!(json["jdk"], older.version, "{json}{text}");
        let said = json.to_string();
        let needs = format!("needs Java {}, and this JDK is Java {}", newer.feature, older.feature);
        assert!(said.contains(&needs) && said.contains("--jdk"), "{said}{text}");
    }
}

const INITIALIZERS: &str = "class Init {
    static class Bad { static int z = Integer.parseInt(\"0\"); static final int q = 1 / z; }
    static class Own { static { if (Bad.class != null) throw new IllegalStateException(\"no\"); } static int q; }
    static class Object2 {
        static final int q = 1 / Integer.parseInt(\"0\");
        static int get() { return q; }
    }
    static int first(int x) { return Bad.q; }
    static int second(int x) {
        try { return Bad.q; } catch (ExceptionInInitializerError e) { return Bad.q; }
    }
    static int caught(int x) { try { return Bad.q; } catch (ExceptionInInitializerError e) { return x; } }
    static int own(int x) { return Own.q; }
}
";

#[test]
fn an_initializer_that_fails_is_the_violation_of_its_cause() {
    let desk = Desk::holding("Init.java", INITIALIZERS);
    for (method, exception, class, line) in [
        ("Init.first", "java.lang.ExceptionInInitializerError", "Init$Bad", 2),
        ("Init.second", "java.lang.NoClassDefFoundError", "Init$Bad", 2),
        ("Init$Object2.get", "java.lang.ExceptionInInitializerError", "Init$Object2", 5),
    ] {
        let found = desk.method(&["--method", method]);
        assert_eq!(found["verdict"], "unsafe", "{found}");
        let violation = &found["violations"][0];
        assert_eq!(violation["kind"], "arithmetic", "{found}");
        assert_eq!(violation["exception"], exception, "{found}");
        assert_eq!(violation["replay"], "confirmed", "{found}");
        let at = &violation["at"];
        assert_eq!((&at["class"], &at["line"]), (&class.into(), &line.into()), "{found}");
        let message = violation["message"].as_str().unwrap();
        assert_eq!(message, "caused by java.lang.ArithmeticException: / by zero");
    }
    for method in ["Init.caught", "Init.own"] {
        let found = desk.method(&["--method", method]);
        assert_eq!(found["verdict"], "safe", "{found}");
    }
}
