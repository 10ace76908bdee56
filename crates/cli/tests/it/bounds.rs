//! What bounds count: calls that the program makes, lengths of inputs, and nothing else.

use crate::desk::{Desk, refusal, stops};
use serde_json::Value;

const CALLS: &str = "public class Calls {
    static class Late { static final int[] TABLE = fill(); static int[] fill() { return new int[3]; } }
    static int raises(int x) { return 10 / x; }
    static int initializes(int x) { if (x == Late.TABLE[1]) throw null; return x; }
    static int once(int x) { return twice(x); }
    static int twice(int x) { assert x != 5; return x; }
    static int deep(int x) { return x <= 0 ? 0 : 1 + deep(x - 1); }
}
";

/// What is said of one method of a class.
fn of(desk: &Desk, method: &str, arguments: &[&str]) -> Value {
    desk.method(&[&["--method", method], arguments].concat())
}

#[test]
fn what_the_machine_calls_itself_is_no_call_of_the_program() {
    let desk = Desk::compiled("Calls.java", CALLS);
    for (name, kind) in [("Calls.raises", "arithmetic"), ("Calls.initializes", "null")] {
        let method = of(&desk, name, &["--calls", "1"]);
        assert_eq!(method["verdict"], "unsafe", "{method}");
        assert_eq!(method["violations"][0]["kind"], kind, "{method}");
        assert_eq!(stops(&method), [""; 0], "{method}");
    }
}

#[test]
fn a_call_of_the_program_counts() {
    let desk = Desk::compiled("Calls.java", CALLS);
    let method = of(&desk, "Calls.once", &["--calls", "1"]);
    assert_eq!((&method["paths"]["completed"], stops(&method)), (&0.into(), vec!["calls"]));
    let method = of(&desk, "Calls.once", &["--calls", "2"]);
    assert_eq!(method["verdict"], "unsafe", "{method}");
    let method = of(&desk, "Calls.deep", &["--calls", "4"]);
    assert_eq!((&method["paths"]["normal"], stops(&method)), (&4.into(), vec!["calls"]));
}

const MADE: &str = "import java.util.*;
public class Made {
    static void array(int n) {
        if (n < 0 || n > 100) return;
        int[] a = new int[n];
        assert a.length <= 20;
    }
    static void text(int n) {
        if (n < 0 || n > 100) return;
        assert \"a\".repeat(n).length() <= 20;
    }
    static void list(int n) {
        if (n < 0 || n > 100) return;
        assert new ArrayList<Object>(n).isEmpty() && n <= 20;
    }
    static void copy(int[] a, int n) {
        if (a == null || n < 0 || n > 100) return;
        assert Arrays.copyOf(a, n).length <= 20;
    }
    static void hex(long x) {
        assert Long.toHexString(x).length() <= 12;
    }
    static void nested(int n) {
        if (n < 0 || n > 100) return;
        assert new int[n][2].length <= 20;
    }
    static int any(int n, int i) {
        if (n < 0) return -1;
        int[] a = new int[n];
        if (i < 0 || i >= n) return -2;
        a[i] = 1;
        assert a[n - 1] == (i == n - 1 ? 1 : 0);
        return n;
    }
    static int grown(int[] a) {
        if (a == null) return 0;
        int[] b = new int[a.length + 3];
        for (int i = 0; i < a.length; i++) b[i + 3] = a[i];
        return b[0];
    }
}
";

#[test]
fn bounds_on_inputs_do_not_forgive_what_the_program_makes() {
    let desk = Desk::compiled("Made.java", MADE);
    for name in ["array", "text", "list", "copy", "hex", "nested"] {
        let method = of(&desk, &format!("Made.{name}"), &["--array", "5", "--string", "5"]);
        assert_ne!(method["verdict"], "safe", "{method}");
        assert!(
            method["verdict"] == "unsafe" || stops(&method).contains(&"allocation"),
            "{method}"
        );
    }
    let ended = desk.check(&["--method", "Made.nested", "--array", "5"]);
    let text = String::from_utf8_lossy(&ended.out);
    assert_eq!(ended.code, Some(3), "{text}");
    assert!(text.contains("the program makes an array or string whose length"), "{text}");
    assert!(!text.contains("an input array is longer"), "{text}");
}

#[test]
fn an_array_that_the_program_makes_is_of_any_length() {
    let desk = Desk::compiled("Made.java", MADE);
    for name in ["array", "list", "copy"] {
        let method = of(&desk, &format!("Made.{name}"), &["--array", "5"]);
        assert_eq!(method["verdict"], "unsafe", "{method}");
        assert!(!stops(&method).contains(&"allocation"), "{method}");
    }
    // What the heap does not take is an error of the virtual machine, and rests on how large it is.
    let method = of(&desk, "Made.any", &[]);
    assert_eq!((&method["verdict"], stops(&method)), (&"safe".into(), vec![]), "{method}");
    assert_eq!(method["paths"]["completed"], 6, "{method}");
    assert!(method["assumptions"].to_string().contains("heap has 2 GiB"), "{method}");
}

#[test]
fn an_array_that_follows_from_the_lengths_of_inputs_is_not_cut() {
    let desk = Desk::compiled("Made.java", MADE);
    let method = of(&desk, "Made.grown", &["--array", "4"]);
    assert_eq!((&method["verdict"], stops(&method)), (&"safe".into(), vec!["array"]), "{method}");
}

const SHAPES: &str = "public class Shapes {
    static abstract class Shape { int v; }
    static class A extends Shape { }
    static class B extends Shape { }
    static void mixed(Shape x, Shape y) {
        if (x instanceof A && y instanceof B) assert x.v != y.v + 7;
    }
    static void alike(Shape x, Shape y) {
        if (x instanceof A && y instanceof A && x != y) assert x.v != y.v + 7;
    }
    static void compared(A x, A y) {
        if (x != null && y != null && x != y) assert false;
    }
}
";

#[test]
fn objects_are_counted_by_the_class_that_they_are_of() {
    let desk = Desk::compiled("Shapes.java", SHAPES);
    for policy in ["lazy", "lazier", "lazier#", "summary", "pose"] {
        let method = of(&desk, "Shapes.mixed", &["--policy", policy, "--n", "1"]);
        assert_eq!(method["verdict"], "unsafe", "{policy}: {method}");
        for name in ["Shapes.alike", "Shapes.compared"] {
            let method = of(&desk, name, &["--policy", policy, "--n", "1"]);
            assert_eq!(
                (&method["verdict"], stops(&method)),
                (&"safe".into(), vec!["n"]),
                "{policy}"
            );
        }
    }
    let method = of(&desk, "Shapes.alike", &["--n", "2"]);
    assert_eq!(method["verdict"], "unsafe", "{method}");
}

#[test]
fn single_classes_have_bounds_of_their_own() {
    let desk = Desk::holding("Shapes.java", SHAPES);
    let alike = |n| of(&desk, "Shapes.alike", &["--n", n]);
    assert_eq!(alike("1,A=2")["verdict"], "unsafe");
    assert_eq!(alike("B=1")["verdict"], "unsafe");
    assert_eq!(alike("Shapes.A=1")["verdict"], "safe");
    let (json, _) = desk.json(&["--method", "Shapes.alike", "--n", "2,Shapes$A=1"]);
    assert_eq!((&json["bounds"]["n"], &json["bounds"]["n_of"]["Shapes$A"]), (&2.into(), &1.into()));
    let ended = desk.check(&["--method", "Shapes.alike", "--n", "A=1"]);
    let text = String::from_utf8_lossy(&ended.out);
    assert!(text.contains("--n Shapes$A=1"), "{text}");
    desk.write("dalang.toml", "n = 'A=1'\n");
    let method = of(&desk, "Shapes.alike", &[]);
    assert_eq!((&method["verdict"], stops(&method)), (&"safe".into(), vec!["n"]), "{method}");
}

#[test]
fn a_class_that_cannot_be_counted_is_a_mistake() {
    let desk = Desk::compiled("Shapes.java", SHAPES);
    for (n, says) in [
        ("Shapez$A=1", "did you mean Shapes$A"),
        ("Shape=1", "name Shapes$A or Shapes$B"),
        ("A=0", "at least 1"),
        ("A=1,Shapes.A=2", "two numbers"),
        ("A", "no number"),
    ] {
        let text = refusal(&desk.check(&["--n", n]));
        assert!(text.contains(says), "{n}: {text}");
    }
}
