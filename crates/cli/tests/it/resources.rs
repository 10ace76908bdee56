//! Limits hold inside single instructions: what would take hours ends, and the other methods go on.
//!
//! How well they hold is measured by `cargo xtask torture`; a test that hangs is killed.

use crate::desk::{Desk, stops};

const SOURCE: &str = "public class Long {
    static int copies(int x) {
        Object[] from = new Object[4_000_000];
        String[] to = new String[4_000_000];
        for (int i = 0; i < 100_000; i++) System.arraycopy(from, 0, to, 0, from.length);
        return x;
    }

    static int large(int x) {
        return new int[200_000_000].length + x;
    }

    static boolean texts(String s, String t) {
        return s.equals(t);
    }

    static int plain(int x) {
        return 1 / x;
    }
}
";

#[test]
fn a_limit_of_time_ends_long_instructions() {
    let desk = Desk::holding("Long.java", SOURCE);
    for flags in [
        &["--method", "Long.copies", "--time", "0.2"][..],
        &["--method", "Long.texts", "--time", "0.2", "--string", "499999"],
    ] {
        let found = desk.method(flags);
        assert!(stops(&found).contains(&"time"), "{found}");
        assert_ne!(found["verdict"], "safe", "{found}");
    }
}

#[test]
fn memory_is_looked_at_before_it_is_taken_and_other_methods_go_on() {
    let desk = Desk::holding("Long.java", SOURCE);
    let flags = ["--class", "Long", "--memory", "300", "--time", "0.2", "--jobs", "1"];
    let (json, _) = desk.json(&flags);
    let of = |name: &str| {
        let methods = json["methods"].as_array().unwrap();
        let named = |method: &&serde_json::Value| {
            method["method"].as_str().unwrap().starts_with(&format!("Long.{name}("))
        };
        methods.iter().find(named).unwrap()
    };
    assert_eq!(stops(of("large")), ["memory"], "{json}");
    assert_eq!(of("large")["verdict"], "undecided");
    assert_eq!(
        (stops(of("plain")).len(), &of("plain")["verdict"]),
        (0, &"unsafe".into()),
        "{json}"
    );
}
