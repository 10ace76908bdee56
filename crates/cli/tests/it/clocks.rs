//! What is executed once counts once, however often it had to ask: on the clock that programs see, and
//! among the rules that were applied.

use crate::desk::{Desk, stops};
use serde_json::Value;

const POLICIES: [&str; 5] = ["lazy", "lazier", "lazier#", "summary", "pose"];

const SOURCE: &str = "public class Clocks {
    static class Cell { Cell next; int value; }
    static class Late { static int times = 3; static int twice(int x) { return 2 * x; } }
    static boolean quick(int[] a, int i) {
        long t = System.nanoTime();
        int x = a[i];
        return System.nanoTime() - t < 8;
    }
    static void always(int[] a, int i) {
        if (a != null && i >= 0 && i < a.length) assert quick(a, i);
    }
    static long walk(Cell a) {
        long t = System.nanoTime();
        int sum = 0;
        while (a != null) {
            if (a.value > 7) sum += Late.twice(a.value);
            a = a.next;
        }
        return System.nanoTime() - t;
    }
    static void told(Cell a, long time) {
        if (a != null && a.next != null && a.next.next == null && walk(a) == time) {
            assert a.value <= 7 || a.next.value > 7;
        }
    }
    static int same(Cell a, Cell b) { return a == b ? 1 : 2; }
    static int load(int[] a, int i) {
        if (a == null || i < 0 || i >= a.length) return 0;
        return a[i];
    }
    public static void main(String[] arguments) {
        Cell a = new Cell();
        a.value = 8;
        a.next = new Cell();
        System.out.println(quick(new int[3], 1) + \" \" + walk(a));
    }
}
";

fn of(desk: &Desk, method: &str, arguments: &[&str]) -> Value {
    desk.method(&[&["--method", &format!("Clocks.{method}")], arguments].concat())
}

#[test]
fn the_clock_does_not_tell_what_had_to_be_asked() {
    let desk = Desk::compiled("Clocks.java", SOURCE);
    let out = String::from_utf8(desk.run("Clocks").out).unwrap();
    let time = out.trim().strip_prefix("true ").unwrap_or_else(|| panic!("{out}")).to_owned();
    for policy in POLICIES {
        let method = of(&desk, "always", &["--policy", policy]);
        assert_eq!(method["verdict"], "safe", "{policy}: {method}");
        // The time that the path has taken is in its witness, and running that takes as long.
        let method = of(&desk, "told", &["--policy", policy, "--k", "2"]);
        let violations = method["violations"].as_array().unwrap();
        assert_eq!(violations.len(), 1, "{policy}: {method}");
        assert_eq!(violations[0]["replay"], "confirmed", "{policy}: {method}");
        let witness = violations[0].to_string();
        assert!(witness.contains(&time), "{policy}: {time} in {witness}");
    }
}

#[test]
fn a_rule_counts_once_where_it_is_applied_once() {
    let desk = Desk::compiled("Clocks.java", SOURCE);
    let rules = |method: &str, policy: &str| {
        let method = of(&desk, method, &["--policy", policy, "-v"]);
        assert_eq!(stops(&method), [""; 0], "{method}");
        method["stats"]["rules"].clone()
    };
    // Each of the two paths executes the comparison.
    assert_eq!(rules("same", "pose")["pose/equality"], 2);
    assert_eq!(rules("same", "summary")["summary/equals"], 2);
    assert_eq!(rules("load", "pose")["pose/array-load"], 1);
}
