//! Limits on resources are no bounds on inputs: what they cut is never called safe.

use crate::desk::{Desk, stops};

const SOURCE: &str = "public class Sum {
    static int sum(int[] a, int x) {
        int s = 0;
        for (int i = 0; i < a.length; i++) {
            if (a[i] > x) s += a[i];
            else if (a[i] < -x) s -= a[i];
            else s++;
        }
        return s;
    }
}
";

/// Without what would be a violation, so that only limits are between the method and a verdict.
const WITHOUT: [&str; 4] = ["--violations", "assert", "--array", "4"];

#[test]
fn a_limit_that_the_user_set_makes_a_method_undecided() {
    let desk = Desk::holding("Sum.java", SOURCE);
    for (limit, kind) in [(["--time", "0.000001"], "time"), (["--paths", "3"], "paths")] {
        let (json, code) = desk.json(&[&WITHOUT[..], &limit].concat());
        let method = &json["methods"][0];
        assert_eq!(code, Some(3), "{method}");
        assert_eq!(
            (&json["verdict"], &method["verdict"]),
            (&"undecided".into(), &"undecided".into())
        );
        assert!(stops(method).contains(&kind), "{method}");
        let ended = desk.check(&[&WITHOUT[..], &limit].concat());
        let text = String::from_utf8_lossy(&ended.out);
        assert_eq!(ended.code, Some(3), "{text}");
        assert!(text.contains("undecided") && !text.contains("makes it go wrong"), "{text}");
    }
}

#[test]
fn silence_does_not_mean_that_nothing_is_known() {
    let desk = Desk::holding("Sum.java", SOURCE);
    let ended = desk.check(&[&WITHOUT[..], &["-q", "--time", "0.000001"]].concat());
    let text = String::from_utf8_lossy(&ended.out);
    assert!(text.contains("undecided") && text.contains("--time"), "{text}");
    // All is well then, but for what was not looked for.
    let ended = desk.check(&[&WITHOUT[..], &["-q"]].concat());
    let text = String::from_utf8_lossy(&ended.out);
    assert_eq!((ended.code, text.lines().count()), (Some(0), 1), "{text}");
    assert!(text.contains("looked only for assert (--violations)"), "{text}");
}

#[test]
fn a_term_in_a_large_array_takes_little() {
    let source = "class Large { static int store(int x) {
        int[] z = new int[20_000_000];
        z[5] = x;
        assert z[5] == x && z[6] == 0;
        return z[5];
    } }";
    let method = Desk::holding("Large.java", source).method(&["--memory", "300"]);
    assert_eq!(method["verdict"], "safe", "{method}");
    let peak = method["stats"]["peak_bytes"].as_u64().unwrap();
    assert!((80_000_000..300 << 20).contains(&peak), "{method}");
}

#[test]
fn a_bound_that_the_user_set_leaves_a_verdict() {
    let method = Desk::holding("Sum.java", SOURCE).method(&WITHOUT);
    assert_eq!(method["verdict"], "safe", "{method}");
    assert_eq!(stops(&method), ["array"], "{method}");
}

/// What is executed again takes as long as what was explored, so some limit is between the two.
#[test]
fn what_could_not_be_executed_again_decides_nothing() {
    let desk = Desk::compiled(
        "Slow.java",
        "class Slow { static int slow(int x) {
            int s = 0;
            for (int i = 0; i < 2_000_000; i++) s += i ^ 5;
            assert x != 7;
            return s;
        } }",
    );
    let mut seconds = 0.1;
    loop {
        let (json, code) = desk.json(&["--method", "Slow.slow", "--time", &seconds.to_string()]);
        let method = &json["methods"][0];
        let found = method["violations"].as_array().unwrap();
        if found.iter().any(|violation| violation["replay"] == "confirmed") {
            assert_eq!((code, method["verdict"].as_str()), (Some(1), Some("unsafe")), "{method}");
            return;
        }
        assert_eq!((code, method["verdict"].as_str()), (Some(3), Some("undecided")), "{method}");
        assert_eq!((&json["verdict"], stops(method)), (&"undecided".into(), vec!["time"]));
        assert_eq!(method["paths"]["violating"], 0, "{method}");
        assert!(seconds < 60.0, "{method}");
        seconds *= 1.4;
    }
}

#[test]
fn whoever_wants_nothing_executed_again_gets_a_verdict() {
    let source = "class Plain { static void fails(int x) { assert x != 7; } }";
    let (json, code) = Desk::holding("Plain.java", source).json(&["--replay", "off"]);
    assert_eq!((code, &json["verdict"]), (Some(1), &"unsafe".into()), "{json}");
    assert_eq!(json["methods"][0]["violations"][0]["replay"], "off", "{json}");
}

const LONG: &str = "import java.util.Arrays;
class Long {
    static void ints(int x) {
        int[] z = new int[70_000];
        z[69_999] = x;
        z[3] = x + 1;
        int[] longer = Arrays.copyOf(z, 80_000);
        int[] part = Arrays.copyOfRange(z, 2, 10);
        assert longer[69_999] == x && longer[3] == x + 1 && longer[75_000] == 0;
        assert part[1] == x + 1 && part[2] == 0;
        System.arraycopy(z, 0, z, 1, 10);
        assert z[4] == x + 1 && z[3] == 0;
        int[] copy = z.clone();
        copy[4] = 5;
        assert copy[4] == 5 && z[4] == x + 1;
    }
    static void references(Object o, Object p) {
        Object[] z = new Object[70_000];
        z[5] = o;
        z[6] = new int[1];
        z[7] = p;
        Object[] copy = z.clone();
        System.arraycopy(z, 5, copy, 100, 3);
        for (int i = 0; i < 60; i++) { byte[] garbage = new byte[20_000_000]; }
        assert copy[5] == o && copy[8] == null && copy[100] == o && copy[102] == p;
        assert ((int[]) copy[101]).length == 1 && (z[5] == z[7]) == (o == p);
    }
}
";

#[test]
fn terms_in_long_arrays_are_what_they_are_in_short_ones() {
    let desk = Desk::compiled("Long.java", LONG);
    for policy in ["pose", "lazy", "summary"] {
        let (json, code) = desk.json(&["--policy", policy, "--memory", "500"]);
        assert_eq!((code, &json["verdict"]), (Some(0), &"safe".into()), "{policy}: {json}");
    }
}
