//! A small run. The limits keep it short; on a slow machine more methods are undecided, and nothing that
//! is asserted depends on how many are.

use super::batch::Bench;
use super::{Plan, examine};
use dalang_classes::path::Jdk;
use dalang_heap::Policy;
use std::time::Duration;

#[test]
fn what_is_said_of_forty_methods_is_true() {
    let bench = Bench::open(Jdk::find(None).unwrap()).unwrap();
    let plan = Plan {
        seed: 7,
        policies: vec![Policy::Pose, Policy::LazierSharp, Policy::Summary],
        inputs: 500,
        time: Some(Duration::from_secs(3)),
        paths: Some(200),
        case: None,
    };
    let (tally, findings) = examine(&bench, &plan, 0..4, 2).unwrap();
    let text: Vec<String> =
        findings.iter().map(|f| format!("{}: {}\n{}", f.case, f.what, f.method)).collect();
    assert!(findings.is_empty(), "{}", text.join("\n"));
    assert_eq!(tally.methods, 40);
}
