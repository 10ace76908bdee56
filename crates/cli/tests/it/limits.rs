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
    let ended = desk.check(&[&WITHOUT[..], &["-q"]].concat());
    assert_eq!((ended.code, &*ended.out), (Some(0), &b""[..]));
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
