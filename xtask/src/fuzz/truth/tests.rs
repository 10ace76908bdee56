//! A small run, in which nothing depends on the time it takes.

use super::batch::Bench;
use super::{Plan, examine};
use dalang_classes::path::Jdk;
use dalang_heap::Policy;

#[test]
fn what_is_said_of_forty_methods_is_true() {
    let bench = Bench::open(Jdk::find(None).unwrap()).unwrap();
    let plan = Plan {
        seed: 7,
        policies: vec![Policy::Pose, Policy::LazierSharp, Policy::Summary],
        inputs: 500,
        time: None,
        paths: Some(2_000),
        case: None,
    };
    let (tally, findings) = examine(&bench, &plan, 0..4, 2).unwrap();
    let text: Vec<String> =
        findings.iter().map(|f| format!("{}: {}\n{}", f.case, f.what, f.method)).collect();
    assert!(findings.is_empty(), "{}", text.join("\n"));
    assert_eq!(tally.methods, 40);
    let (all, undecided) = tally.undecided();
    assert!(undecided * 5 <= all, "{undecided} of {all} are undecided");
}
