//! What a "safe" owes to inputs not being objects that are there before the method, nor of classes that
//! are not in view, and to a world that differs from one run of a JVM to the next: each is an assumption.

use crate::desk::Desk;
use serde_json::Value;

const SOURCE: &str = r#"import java.util.*;
import java.util.function.IntSupplier;
public class Outside {
    public static final Integer BOXED = Integer.valueOf(1000);
    public static final String TEXT = new String("ab");
    static final Runnable NOTHING = () -> { };
    private static final Runnable DOWN;
    private static final IntSupplier COUNT;
    static { int[] c = {1}; DOWN = () -> c[0]--; COUNT = () -> c[0]; }
    static void down() { DOWN.run(); }

    static void boxed(Integer i) { assert i != BOXED; }
    static void text(String s) { assert s != TEXT; }
    static void stream(Object o) { assert o != System.out; }
    static void mirror(Object o) { assert o != Outside.class; }
    static void thread(Object o) { assert o != Thread.currentThread(); }
    static void lambda(Object o) { assert o != NOTHING; }
    static void test(Object o) { assert !(o instanceof Class); }
    static int captured() { return 1 / COUNT.getAsInt(); }
    static void sets() { assert Set.of("a", "b").iterator().next() != null; }
    static void maps() { assert Map.of("a", 1, "b", 2).keySet().iterator().next() != null; }
    static void classes() {
        Map<Class<?>, Integer> m = new HashMap<>();
        m.put(String.class, 1);
        m.put(Integer.class, 2);
        assert m.values().iterator().next() != 0;
    }
    static void trace() { assert new Throwable().getStackTrace().length == 1; }
    static void threadTrace() { assert Thread.currentThread().getStackTrace().length == 2; }
    static void message() {
        try { Object x = null; x.hashCode(); }
        catch (NullPointerException e) { assert e.getMessage() == null; }
    }

    static void own(Object o) { assert o != new Object(); }
    static void known(Integer i) { Object o = i; assert !(o instanceof String); }
    static void plain(int x) { assert x == x; }
}
"#;

/// The assumptions of a method of a run, which is safe.
fn assumptions(run: &Value, method: &str) -> Vec<String> {
    let mut methods = run["methods"].as_array().unwrap().iter();
    let is_it =
        |one: &&Value| one["method"].as_str().unwrap().starts_with(&format!("Outside.{method}("));
    let found = methods.find(is_it).unwrap();
    assert_eq!(found["verdict"], "safe", "{method}: {found}");
    let all = found["assumptions"].as_array().unwrap();
    all.iter().map(|line| line.as_str().unwrap().to_owned()).collect()
}

/// A method that is safe only because of it, and how the assumption begins.
const RESTING: [(&str, &str); 14] = [
    ("boxed", "inputs: none of them is the java.lang.Integer"),
    ("text", "inputs: none of them is the java.lang.String"),
    ("stream", "System.out: as the virtual machine has made it, and no input"),
    ("mirror", "inputs: none of them is a java.lang.Class"),
    ("thread", "types outside the target have no classes below them"),
    ("lambda", "inputs: none of them is a "),
    ("test", "inputs: none of them is a java.lang.Class"),
    ("captured", "Outside.COUNT: the int[] holds"),
    ("sets", "the order of Set.of and Map.of"),
    ("maps", "the order of Set.of and Map.of"),
    ("classes", "identity hash codes"),
    ("trace", "stack traces: nobody has called the method"),
    ("threadTrace", "stack traces: nobody has called the method"),
    ("message", "messages of NullPointerException"),
];

#[test]
fn what_a_verdict_rests_on_is_named() {
    let desk = Desk::compiled("Outside.java", SOURCE);
    for policy in ["lazier#", "pose"] {
        let (run, _) = desk.json(&["--policy", policy]);
        for (method, begins) in RESTING {
            let found = assumptions(&run, method);
            assert!(found.iter().any(|line| line.starts_with(begins)), "{method}: {found:?}");
        }
        for method in ["own", "known", "plain"] {
            let found = assumptions(&run, method);
            let rests = |line: &String| RESTING.iter().any(|(_, begins)| line.starts_with(begins));
            assert!(!found.iter().any(rests), "{method}: {found:?}");
        }
    }
}

const TEXTS: &str = r#"public class Texts {
    static void tail(String e) { if (e != null && e.length() == 1) assert e.substring(1) != ""; }
    static void middle(String e, int i) {
        if (e != null && i >= 0 && i <= e.length()) assert e.substring(i, i) != "";
    }
    static void sequence(String e) {
        if (e != null && e.length() == 1) assert e.subSequence(1, 1) != "";
    }
    static void truth(boolean e) { assert ("" + e) != "true"; }
    static void longer(boolean e) { assert ("x" + e) != "xtrue"; }
}
"#;

/// The library gives constants where a part of a string is empty and where a truth value is spelled.
#[test]
fn texts_that_the_library_keeps_are_the_constants() {
    let desk = Desk::compiled("Texts.java", TEXTS);
    for policy in ["lazy", "lazier#", "summary", "pose"] {
        for method in ["tail", "middle", "sequence", "truth"] {
            let found = desk.method(&["--method", &format!("Texts.{method}"), "--policy", policy]);
            assert_eq!(found["violations"][0]["kind"], "assert", "{method} {policy}: {found}");
            assert_eq!(found["violations"][0]["replay"], "confirmed", "{method} {policy}: {found}");
        }
        let found = desk.method(&["--method", "Texts.longer", "--policy", policy]);
        assert_eq!(found["verdict"], "safe", "{found}");
    }
}
