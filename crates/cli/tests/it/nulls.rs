//! A `NullPointerException` of the language is a violation, also where compilers spell it as a call of
//! `Objects.requireNonNull`; one that the program asks for by such a call is an outcome.

use crate::machines::{jdks, run};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use tempfile::TempDir;

const FORMS: &str = "import java.util.Objects;
import java.util.function.Supplier;

public class Forms {
    static class Outer {
        class Inner { int value; Inner(int value) { this.value = value; } }
    }
    static class Below extends Outer.Inner {
        Below(Outer outer) { outer.super(3); }                            // line 9
    }
    static class Fixed { final int number = 3; final String text = \"t\"; final long wide = 1L << 40; }
    Outer outer;

    static Supplier<Integer> bound(String s) { return s::length; }        // line 14
    static Supplier<int[]> boundArray(int[] a) { return a::clone; }
    static int inner(Outer o) { return o.new Inner(2).value; }
    static Object anonymous(Outer o) { return o.new Inner(2) { }; }
    static Object below(Outer o) { return new Below(o); }
    static int constant(Fixed f) { return f.number; }
    static String constantText(Fixed f) { return f.text; }
    static long constantWide(Fixed f) { return f.wide; }
    Object field() { return outer.new Inner(1); }
    static int lambda(Outer o) {
        Supplier<Outer.Inner> made = () -> o.new Inner(4);
        return made.get().value;
    }

    static void statement(String s) { Objects.requireNonNull(s); }
    static int before(Fixed f) { Objects.requireNonNull(f); return 4; }
    static int lineBefore(Fixed f) {
        Objects.requireNonNull(f);
        return 3;
    }
    static String value(String s) { return Objects.requireNonNull(s); }
    static void message(String s) { Objects.requireNonNull(s, \"no s\"); }
    static String assigned(String s) {
        String t;
        Objects.requireNonNull(t = s);
        return t;
    }
    static Object asked(Outer o) { return Objects.requireNonNull(o).new Inner(1); }
    static Supplier<Integer> askedBound(String s) { return Objects.requireNonNull(s)::length; }
    static void thrown(String s) { if (s == null) throw new NullPointerException(); }
    static class Flags { final boolean on = true; final boolean off = false; }
    static int condition(Flags f) { if (f.on) return 7; return 8; }       // line 45
    static int conditionLines(Flags f) {
        if (f.off)
            return 7;
        return 8;
    }
    static int conditions(Flags f, int x) { return f.on && x > 3 ? x : 9; }
    static int opposite(Flags f, int x) { return !f.off || x > 3 ? x : 9; }
}
";

const PATTERNS: &str = "public class Patterns {
    sealed interface Shape permits Circle, Square { }
    record Circle(int r) implements Shape { }
    record Square(int a) implements Shape { }
    enum Side { LEFT, RIGHT }

    static int types(Shape s) { return switch (s) { case Circle c -> c.r; case Square q -> q.a; }; }
    static int records(Shape s) { return switch (s) { case Circle(int r) -> r; case Square q -> 0; }; }
    static int constants(Side s) { return switch (s) { case LEFT -> 1; case Side t when t.ordinal() > 0 -> 2; default -> 3; }; }
    static int boxes(Integer i) { return switch (i) { case 1 -> 1; case Integer j when j > 3 -> 2; default -> 3; }; }
    static int withNull(Shape s) { return switch (s) { case null -> 0; case Circle c -> 1; case Square q -> 2; }; }
}
";

/// The kind of the only violation of each method, or nothing, with the line that it is on.
fn violations(name: &str, source: &str, home: &std::path::Path) -> BTreeMap<String, String> {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join(name);
    fs::write(&file, source).unwrap();
    let mut dalang = Command::new(env!("CARGO_BIN_EXE_dalang"));
    dalang.arg("check").arg(&file).arg("--jdk").arg(home).args(["--format", "json"]);
    dalang.args(["--class", name.trim_end_matches(".java")]);
    let ended = run(&mut dalang);
    let json: Value = serde_json::from_slice(&ended.out).unwrap();
    let mut found = BTreeMap::new();
    for method in json["methods"].as_array().unwrap() {
        assert_ne!(method["verdict"], "undecided", "{method}");
        let violations = method["violations"].as_array().unwrap();
        let kinds = violations.iter().map(|violation| {
            assert_eq!(violation["replay"], "confirmed", "{violation}");
            format!("{} {}", violation["kind"].as_str().unwrap(), violation["at"]["line"])
        });
        let name = method["method"].as_str().unwrap().to_owned();
        found.insert(name, kinds.collect::<Vec<_>>().join(", "));
    }
    found
}

fn expect(found: &BTreeMap<String, String>, wanted: &[(&str, &str)]) {
    for (method, kinds) in wanted {
        let known = found.iter().find(|(name, _)| name.contains(&format!(".{method}(")));
        let (_, known) = known.unwrap_or_else(|| panic!("no {method} in {found:?}"));
        assert_eq!(known, kinds, "{method} in {found:?}");
    }
}

#[test]
fn the_compilers_null_checks_are_violations_and_the_programs_are_not() {
    for jdk in jdks().into_iter().filter(|jdk| jdk.javac().is_some()) {
        let found = violations("Forms.java", FORMS, &jdk.home);
        expect(
            &found,
            &[
                ("bound", "null 14"),
                ("boundArray", "null 15"),
                ("inner", "null 16"),
                ("anonymous", "null 17"),
                ("below", "null 9"),
                ("constant", "null 19"),
                ("constantText", "null 20"),
                ("constantWide", "null 21"),
                ("field", "null 22"),
                ("lambda", "null 24"),
                ("condition", "null 45"),
                ("conditionLines", "null 47"),
                ("conditions", "null 51"),
                ("opposite", "null 52"),
            ],
        );
        for outcome in [
            "statement",
            "before",
            "lineBefore",
            "value",
            "message",
            "assigned",
            "asked",
            "askedBound",
            "thrown",
        ] {
            expect(&found, &[(outcome, "")]);
        }
        if jdk.feature >= 21 {
            let found = violations("Patterns.java", PATTERNS, &jdk.home);
            expect(
                &found,
                &[
                    ("types", "null 7"),
                    ("records", "null 8"),
                    ("constants", "null 9"),
                    ("boxes", "null 10"),
                    ("withNull", ""),
                ],
            );
        }
    }
}
