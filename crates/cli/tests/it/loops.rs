//! Loops: which iterations count, what is said of those that never end, and the limit on instructions.

use crate::desk::{Desk, stops};
use serde_json::Value;

const POLICIES: [&str; 5] = ["lazy", "lazier", "lazier#", "summary", "pose"];

const SOURCE: &str = "public class Loops {
    static class Cell { Cell next; int value; }
    static class Walk {
        Cell at; int seen;
        Walk(Cell first) { at = first; }
        boolean hasNext() { return at != null; }
        Cell next() { Cell cell = at; at = cell.next; seen++; return cell; }
    }
    static int length(Cell a) {
        int s = 0;
        while (a != null) { s++; a = a.next; }
        return 1 / (s - 3);
    }
    static int walked(Cell a) {
        Walk walk = new Walk(a);
        while (walk.hasNext()) walk.next();
        return 1 / (walk.seen - 3);
    }
    static int plain(Cell a) {
        while (a != null) a = a.next;
        return 1;
    }
    static int constants(Cell a) {
        int s = 0;
        for (int i = 0; i < 1000; i++) { if (a != null) s += a.value; }
        assert s != 3000;
        return s;
    }
    static int forks(int x) {
        int s = 0;
        for (int i = 0; i < 20; i++) if (x > i) s++;
        assert s != 17;
        return s;
    }
    static int count(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) s++;
        if (n > 20) for (int i = 0; i < n; i++) s++;
        return s;
    }
    static int reactive(int x) {
        while (true) { if (dalang.Verify.anyInt() > x) x++; else x--; }
    }
    static int endless(int x) {
        while (x != 5) { }
        return x;
    }
    static int f;
    static int writes(int x) {
        while (x != 5) { f = 7; }
        return x;
    }
    static int counts(int x) {
        int n = 0;
        while (x != 5) { n = (n + 1) % 4; }
        return x;
    }
    static long waits(int x) {
        long end = System.nanoTime() + 20000;
        while (System.nanoTime() < end) { }
        assert x != 5;
        return x;
    }
    static int long_(int x) {
        for (int i = 0; i < 100000; i++) { }
        assert x != 5;
        return x;
    }
}
";

fn of(desk: &Desk, method: &str, arguments: &[&str]) -> Value {
    desk.method(&[&["--method", &format!("Loops.{method}")], arguments].concat())
}

#[test]
fn a_walk_round_a_circle_counts_though_it_decides_nothing() {
    let desk = Desk::compiled("Loops.java", SOURCE);
    for (policy, name) in POLICIES
        .map(|policy| (policy, "length"))
        .into_iter()
        .chain([("lazier#", "walked"), ("pose", "walked")])
    {
        let method = of(&desk, name, &["--policy", policy, "--n", "4", "--time", "100"]);
        assert_eq!(method["verdict"], "unsafe", "{policy}: {method}");
        assert_eq!(method["violations"][0]["kind"], "arithmetic", "{policy}: {method}");
        let mut stops = stops(&method);
        stops.sort_unstable();
        assert_eq!(stops, ["loop", "n"], "{policy}: {method}");
    }
}

#[test]
fn a_loop_over_constants_is_free() {
    let desk = Desk::compiled("Loops.java", SOURCE);
    for (policy, name) in [("lazier#", "constants"), ("pose", "constants"), ("pose", "forks")] {
        let method = of(&desk, name, &["--policy", policy]);
        assert_eq!(method["verdict"], "unsafe", "{policy}: {method}");
        assert_eq!(stops(&method), [""; 0], "{policy}: {method}");
    }
}

#[test]
fn iterations_count_whether_or_not_they_divide_a_path() {
    let desk = Desk::compiled("Loops.java", SOURCE);
    let method = of(&desk, "count", &["--loop", "30"]);
    // With `n` up to 30 the second loop decides nothing, and still counts.
    assert_eq!((&method["paths"]["normal"], stops(&method)), (&31.into(), vec!["loop"]));
    let method = of(&desk, "reactive", &["--loop", "3"]);
    assert_eq!(
        (&method["verdict"], stops(&method)),
        (&"undecided".into(), vec!["loop"]),
        "{method}"
    );
}

#[test]
fn a_loop_that_repeats_itself_is_an_ending_of_its_own() {
    let desk = Desk::compiled("Loops.java", SOURCE);
    for name in ["endless", "writes", "counts"] {
        let method = of(&desk, name, &["--time", "100"]);
        assert_eq!((&method["verdict"], stops(&method)), (&"safe".into(), vec![]), "{method}");
        let paths = &method["paths"];
        assert_eq!(
            (&paths["diverging"], &paths["completed"], &paths["normal"]),
            (&1.into(), &1.into(), &1.into()),
            "{method}"
        );
        assert_eq!(method["exhaustive"], true, "{method}");
    }
    let method = of(&desk, "plain", &["--policy", "lazier#", "--n", "2"]);
    assert_eq!((&method["verdict"], &method["paths"]["diverging"]), (&"safe".into(), &3.into()));
    let ended = desk.check(&["--method", "Loops.endless"]);
    let text = String::from_utf8_lossy(&ended.out);
    assert_eq!(ended.code, Some(0), "{text}");
    assert!(text.contains("no input makes it go wrong where it ends"), "{text}");
    assert!(text.contains("1 path does not end, because a loop repeats itself"), "{text}");
}

#[test]
fn not_to_end_is_a_violation_if_that_is_asked_for() {
    let desk = Desk::compiled("Loops.java", SOURCE);
    for name in ["endless", "writes", "counts"] {
        let method = of(&desk, name, &["--violations", "nontermination", "--time", "100"]);
        let violation = &method["violations"][0];
        assert_eq!(method["verdict"], "unsafe", "{method}");
        assert_eq!(
            (&violation["kind"], &violation["replay"]),
            (&"nontermination".into(), &"confirmed".into()),
            "{method}"
        );
        assert_eq!(
            (&method["paths"]["diverging"], &method["paths"]["violating"]),
            (&0.into(), &1.into())
        );
    }
}

#[test]
fn to_wait_for_the_clock_is_not_to_repeat_oneself() {
    let desk = Desk::compiled("Loops.java", SOURCE);
    let method = of(&desk, "waits", &[]);
    assert_eq!(method["violations"][0]["kind"], "assert", "{method}");
    assert_eq!(method["paths"]["diverging"], 0, "{method}");
}

#[test]
fn instructions_on_a_path_have_a_limit_if_one_is_given() {
    let desk = Desk::holding("Loops.java", SOURCE);
    let (json, code) =
        desk.json(&["--method", "Loops.long_", "--steps", "100000", "--violations", "assert"]);
    let method = &json["methods"][0];
    assert_eq!((code, &json["bounds"]["steps"]), (Some(3), &100_000.into()), "{json}");
    assert_eq!((&method["verdict"], stops(method)), (&"undecided".into(), vec!["steps"]));
    let method = of(&desk, "long_", &[]);
    assert_eq!((&method["verdict"], stops(&method)), (&"unsafe".into(), vec![]), "{method}");
    desk.write("dalang.toml", "steps = 1000\n");
    let method = of(&desk, "long_", &[]);
    assert_eq!((&method["verdict"], stops(&method)), (&"undecided".into(), vec!["steps"]));
}
