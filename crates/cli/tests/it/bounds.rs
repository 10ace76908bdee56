//! What bounds count: calls that the program makes, lengths of inputs, and nothing else.

use crate::desk::{Desk, stops};
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
    let desk = Desk::holding("Calls.java", CALLS);
    for (name, kind) in [("Calls.raises", "arithmetic"), ("Calls.initializes", "null")] {
        let method = of(&desk, name, &["--calls", "1"]);
        assert_eq!(method["verdict"], "unsafe", "{method}");
        assert_eq!(method["violations"][0]["kind"], kind, "{method}");
        assert_eq!(stops(&method), [""; 0], "{method}");
    }
}

#[test]
fn a_call_of_the_program_counts() {
    let desk = Desk::holding("Calls.java", CALLS);
    let method = of(&desk, "Calls.once", &["--calls", "1"]);
    assert_eq!((&method["verdict"], stops(&method)), (&"safe".into(), vec!["calls"]), "{method}");
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
    let desk = Desk::holding("Made.java", MADE);
    for name in ["array", "text", "list", "copy", "hex", "nested"] {
        let method = of(&desk, &format!("Made.{name}"), &["--array", "5", "--string", "5"]);
        assert_ne!(method["verdict"], "safe", "{method}");
        assert!(
            method["verdict"] == "unsafe" || stops(&method).contains(&"allocation"),
            "{method}"
        );
    }
    let ended = desk.check(&["--method", "Made.array", "--array", "5"]);
    let text = String::from_utf8_lossy(&ended.out);
    assert_eq!(ended.code, Some(3), "{text}");
    assert!(text.contains("the program makes an array or string whose length"), "{text}");
    assert!(!text.contains("an input array is longer"), "{text}");
}

#[test]
fn an_array_that_follows_from_the_lengths_of_inputs_is_not_cut() {
    let desk = Desk::holding("Made.java", MADE);
    let method = of(&desk, "Made.grown", &["--array", "4"]);
    assert_eq!((&method["verdict"], stops(&method)), (&"safe".into(), vec!["array"]), "{method}");
}
