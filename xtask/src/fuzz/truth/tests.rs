//! A small run. The limits keep it short; on a slow machine more methods are undecided, and nothing that
//! is asserted depends on how many are.

use super::batch::Bench;
use super::{Finding, Plan, examine};
use dalang_classes::path::Jdk;
use dalang_heap::Policy;
use std::sync::Mutex;
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
    let texts = Mutex::new(Vec::new());
    let report = |finding: &Finding| {
        let text = format!("{}: {}\n{}", finding.case, finding.what, finding.method);
        texts.lock().unwrap().push(text);
        Ok(())
    };
    let (tally, findings) = examine(&bench, &plan, 0..4, 2, &report).unwrap();
    assert_eq!(findings, 0, "{}", texts.into_inner().unwrap().join("\n"));
    assert_eq!(tally.methods, 40);
}
