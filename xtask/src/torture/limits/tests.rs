//! Whether runs are judged as the limits say, and whether every case can be run at all.

use super::{CALM, Case, Ended, GRACE, SECONDS, case, folder, judge};
use std::collections::BTreeSet;
use std::time::Duration;

fn case(flags: &[&str]) -> Case {
    let flags = flags.iter().map(ToString::to_string).collect();
    Case { name: "A.b".to_owned(), flags, verdicts: vec!["unsafe".to_owned()] }
}

fn ended(seconds: f64, mebibytes: u64, verdict: &str) -> Ended {
    Ended {
        code: Some(1),
        out: format!("{{\"methods\": [{{\"verdict\": \"{verdict}\"}}]}}").into_bytes(),
        err: Vec::new(),
        wall: Duration::from_secs_f64(seconds),
        peak: Some(mebibytes << 20),
        killed: false,
    }
}

#[test]
fn directives_belong_to_the_next_method() {
    let text = "class A {\n    //@ flags: --memory 300\n    //@ verdict: safe unsafe\n    \
                static int[] one(int x) {\n    }\n    static void two() {\n    }\n    \
                private static void none() {\n    }\n}\n";
    let cases = case::read("A", text).unwrap();
    let names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["A.one", "A.two"]);
    assert_eq!((cases[0].memory(), cases[1].memory()), (Some(300 << 20), None));
    assert_eq!((cases[0].seconds(), case(&["--time", "20"]).seconds()), (None, Some(20.0)));
    assert_eq!(cases[0].verdicts, ["safe", "unsafe"]);
    assert!(cases[1].verdicts.is_empty());
    assert!(case::read("A", "    //@ flag: x\n").is_err());
    assert!(case::read("A", "    //@ flags: x\n").is_err());
}

#[test]
fn what_is_over_a_limit_is_a_finding() {
    let (limited, start) = (case(&["--memory", "100"]), Duration::from_millis(500));
    let just = SECONDS * 1.1 + GRACE + 0.5 - 0.01;
    assert!(judge(&limited, &ended(just, 110, "unsafe"), start).is_empty());
    assert_eq!(judge(&limited, &ended(just + 0.1, 110, "unsafe"), start).len(), 1);
    assert_eq!(judge(&limited, &ended(just, 112, "unsafe"), start).len(), 1);
    assert_eq!(judge(&limited, &ended(just, 110, "safe"), start).len(), 1);
    assert!(judge(&case(&[]), &ended(just, 5000, "unsafe"), start).is_empty());
    let crash = Ended { code: None, ..ended(0.1, 1, "unsafe") };
    assert_eq!(judge(&limited, &crash, start).len(), 1);
    let silent = Ended { out: Vec::new(), ..ended(0.1, 1, "unsafe") };
    assert_eq!(judge(&limited, &silent, start).len(), 1);
    let endless = Ended { killed: true, ..ended(0.1, 1, "unsafe") };
    assert_eq!(judge(&limited, &endless, start).len(), 1);
}

#[test]
fn there_are_sixty_hostile_methods() {
    let cases = case::all(&folder()).unwrap();
    let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names.len(), cases.len(), "two cases have one name");
    assert!(names.contains(CALM) && names.len() > 60, "{} methods", names.len());
    assert!(cases.iter().filter(|case| case.memory().is_some()).count() >= 10);
}
