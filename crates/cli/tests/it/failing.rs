//! A class whose initializer always fails has no instances, and no input is one.

use crate::desk::{Desk, stops};
use serde_json::Value;

const POLICIES: [&str; 5] = ["lazy", "lazier", "lazier#", "summary", "pose"];

const FAILING: &str = "public class Failing {
    enum En { A(1), B(0); final int q; En(int d) { q = 1 / d; } }
    static class Zero { static int z = 0; static int q = 1 / z; int v; void m() {} static void s() {} }
    static class Below extends Zero { void n() {} }
    static class Thrown { static { if (true) throw new IllegalStateException(); } }
    interface Shape { int area(); }
    static class Fine implements Shape { public int area() { return 1; } }
    static class Broken implements Shape { static int q = 1 / 0; public int area() { throw new AssertionError(); } }

    static void anything(Object e) { if (e == null) throw new AssertionError(); }
    static int constant(En e) { return e == null ? 0 : e.q / 0; }
    static void ofEnum(Object e) { if (e instanceof En) throw new AssertionError(); }
    static void tested(Object e) { if (e instanceof Zero) throw new AssertionError(); }
    static void below(Object e) { if (e instanceof Below) throw new AssertionError(); }
    static void thrown(Object e) { if (e instanceof Thrown) throw new AssertionError(); }
    static void declared(Zero e) { if (e != null) throw new AssertionError(); }
    static void array(Zero[] e) { if (e != null && e.length == 1 && e[0] != null) throw new AssertionError(); }
    static int dispatched(Shape e) { return e == null ? 0 : e.area(); }
    static void made() { new Zero(); }
    static int first() {
        try {
            return Zero.q;
        } catch (NoClassDefFoundError e) {
            assert false;
        } catch (ExceptionInInitializerError e) {
        }
        return 0;
    }
    static int twice() { first(); return first(); }
}
";

/// What these initializers do depends on other classes, on the stack, or is kept by an exception.
const UNCERTAIN: &str = "public class Failing {
    static class Own extends RuntimeException { final Object kept; Own(Object o) { kept = o; } }
    static class Kept { static { if (true) throw new Own(new Kept()); } }
    static class Deep { static int q = down(); static int down() { return down() + 1; } }
    static int other;
    static class Depends { static int q = 1 / other; void m() {} static void s() {} }
    enum Choice { A; static int q = 1 / other; }

    static void kept(Object e) { if (e instanceof Kept) throw new AssertionError(); }
    static void deep(Object e) { if (e instanceof Deep) throw new AssertionError(); }
    static void depends(Object e) { if (e instanceof Depends) throw new AssertionError(); }
    static void choice(Object e) { if (e instanceof Choice) throw new AssertionError(); }
}
";

/// Checks one method under every policy; all must agree on the verdict.
fn all(desk: &Desk, method: &str) -> Vec<Value> {
    let method = format!("Failing{method}");
    let check = |policy| desk.method(&["--method", &method, "--policy", policy]);
    let found: Vec<Value> = POLICIES.into_iter().map(check).collect();
    for other in &found {
        assert_eq!(other["verdict"], found[0]["verdict"], "{other} {}", found[0]);
        for violation in other["violations"].as_array().unwrap() {
            assert_eq!(violation["replay"], "confirmed", "{other}");
        }
    }
    found
}

#[test]
fn no_input_is_of_a_class_whose_initializer_always_fails() {
    let desk = Desk::compiled("Failing.java", FAILING);
    let safe =
        ["constant", "ofEnum", "tested", "below", "thrown", "declared", "array", "dispatched"];
    for method in safe {
        for found in all(&desk, &format!(".{method}")) {
            assert_eq!(found["verdict"], "safe", "{found}");
        }
    }
}

#[test]
fn looking_for_constants_raises_nothing() {
    let desk = Desk::compiled("Failing.java", FAILING);
    for found in all(&desk, ".anything") {
        let violations = found["violations"].as_array().unwrap();
        assert_eq!(violations.len(), 1, "{found}");
        assert_eq!(violations[0]["kind"], "assert", "{found}");
    }
}

#[test]
fn that_a_class_has_not_failed_before_is_assumed() {
    let desk = Desk::compiled("Failing.java", FAILING);
    for found in all(&desk, ".first") {
        assert_eq!(found["verdict"], "safe", "{found}");
        assert!(found["assumptions"].to_string().contains("Zero was not used before"), "{found}");
    }
    for found in all(&desk, ".twice") {
        assert_eq!(found["verdict"], "unsafe", "{found}");
    }
    for found in all(&desk, ".tested") {
        assert!(!found["assumptions"].to_string().contains("was not used before"), "{found}");
    }
}

#[test]
fn a_failure_that_is_not_certain_is_a_stop() {
    let desk = Desk::compiled("Failing.java", UNCERTAIN);
    for method in ["kept", "deep", "depends", "choice"] {
        for found in all(&desk, &format!(".{method}")) {
            assert_eq!(found["violations"].as_array().unwrap().len(), 0, "{found}");
            assert_eq!(found["verdict"], "undecided", "{found}");
        }
    }
    for found in all(&desk, "$Depends.m") {
        assert_eq!(found["verdict"], "undecided", "{found}");
        assert!(found.to_string().contains("whose initializer fails"), "{found}");
    }
}

#[test]
fn only_what_needs_no_object_sees_its_class_fail() {
    let desk = Desk::compiled("Failing.java", FAILING);
    for method in ["$Zero.m", "$Below.n"] {
        for found in all(&desk, method) {
            assert_eq!(found["verdict"], "undecided", "{found}");
            assert_eq!(stops(&found), ["unsupported"], "{found}");
            assert!(found.to_string().contains("whose initializer fails"), "{found}");
        }
    }
    for method in ["$Zero.s", "$Zero.<init>", ".made"] {
        for found in all(&desk, method) {
            assert_eq!(found["verdict"], "unsafe", "{found}");
        }
    }
}
