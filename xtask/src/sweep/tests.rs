//! Reports of sweeps that account for everything, and such that do not.

use crate::account::{Expected, Report};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn report() -> Value {
    let paths = |normal: u64, violating: u64, stopped: u64| {
        json!({"completed": normal + violating, "normal": normal, "exceptional": 0,
               "violating": violating, "assumed_away": 0, "stopped": stopped})
    };
    let time = json!({"kind": "time", "detail": "", "count": 2});
    let far = json!({"kind": "unsupported", "detail": "far", "count": 1});
    let violation = json!({"kind": "null", "replay": "confirmed"});
    let method = |name: &str, verdict: &str, paths: Value, stops: Value, found: Value| {
        let exhaustive = paths["stopped"] == 0;
        json!({"method": name, "verdict": verdict, "exhaustive": exhaustive, "paths": paths,
               "stops": stops, "violations": found, "stats": {"time_ms": 1.5}})
    };
    json!({
        "given": ["time"],
        "summary": {"methods": 3, "safe": 1, "safe_within_bounds": 1, "unsafe": 1, "undecided": 1},
        "defects": [],
        "unloaded": [],
        "methods": [
            method("a", "safe", paths(1, 0, 2), json!([time]), json!([])),
            method("b", "unsafe", paths(0, 1, 0), json!([]), json!([violation])),
            method("c", "undecided", paths(1, 0, 3), json!([time, far]), json!([])),
        ],
    })
}

fn findings(report: Value) -> Vec<String> {
    let report: Report = serde_json::from_value(report).unwrap();
    let methods = ["a", "b", "c"].map(str::to_owned).into();
    report.findings(&Expected { methods, unloaded: BTreeSet::new() })
}

#[test]
fn a_report_that_accounts_for_everything_is_fine() {
    assert_eq!(findings(report()), [""; 0]);
    let report: Report = serde_json::from_value(report()).unwrap();
    let mut tally = report.tally();
    tally.add(report.tally());
    let counts = [tally.methods(), tally.safe, tally.bounded, tally.violating, tally.confirmed];
    assert_eq!(counts, [6, 2, 2, 2, 2]);
    assert_eq!(tally.stops[&("time".to_owned(), String::new())], (4, 8));
}

#[test]
fn whatever_is_not_accounted_for_is_found() {
    let cases: [(&str, Value, &str); 11] = [
        ("/methods/0/verdict", json!("fine"), "verdict"),
        ("/methods/0/stops/0/detail", json!("endless"), "verdict"),
        ("/methods/1/violations", json!([]), "verdict"),
        ("/methods/2/stops/1/detail", json!(""), "no name"),
        ("/methods/2/stops/1/count", json!(7), "stops do not add up"),
        ("/methods/2/stops/1/kind", json!("bug"), "a bug stop: far"),
        ("/methods/1/violations/0/replay", json!("refuted"), "a refuted violation: null"),
        ("/methods/1/paths/normal", json!(9), "paths do not add up"),
        ("/methods/0/method", json!("c"), "lost method: a"),
        ("/summary/safe", json!(2), "the summary says"),
        ("/defects", json!([{"what": "it panicked"}]), "it panicked"),
    ];
    for (place, value, expected) in cases {
        let mut report = report();
        *report.pointer_mut(place).unwrap() = value;
        let found = findings(report);
        assert!(found.iter().any(|finding| finding.contains(expected)), "{place}: {found:?}");
    }
}
