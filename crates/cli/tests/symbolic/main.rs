//! Methods on unknown inputs: what the fixtures say must come out, comes out, under every policy.
//!
//! A JDK is required. Without one these tests fail, because skipping them would look like passing.

#![allow(clippy::unwrap_used, reason = "this is a test, helpers outside of its functions included")]

mod compiled;
mod expected;

use compiled::Subjects;
use dalang_explore::{Config, Entry, Exploration, Explorer, Replay, Verdict, View, Watch};
use dalang_heap::Policy;
use expected::Fixture;
use std::collections::BTreeSet;
use std::time::Duration;

/// Explores the method of a fixture.
fn explore(subjects: &Subjects, fixture: &Fixture, policy: Policy, jobs: usize) -> Exploration {
    let own = subjects.classes_of(&fixture.name);
    let view = View::new(&subjects.program, &own, &[]);
    let mut config = Config { policy, jobs, outcomes: true, retrace: true, ..Config::default() };
    // A busy machine must not turn an answer into a stop.
    config.query_time = Duration::from_mins(2);
    config.time = Some(Duration::from_mins(5));
    fixture.configure(&mut config);
    let mut explorer =
        Explorer::new(&subjects.program, &subjects.intrinsics, &view, &config, subjects.feature)
            .unwrap_or_else(|failure| panic!("{failure}"));
    let method = subjects.method(&fixture.name, &fixture.method);
    explorer.explore(Entry::Method(method), &Watch::default())
}

/// What is wrong with an exploration, if anything.
fn complaints(fixture: &Fixture, policy: Policy, found: &Exploration) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut say = |what: String| wrong.push(format!("{} {}: {what}", fixture.name, policy.name()));
    let verdict = match found.verdict {
        Verdict::Safe => "safe",
        Verdict::Unsafe => "unsafe",
        Verdict::Undecided => "undecided",
    };
    if verdict != fixture.verdict {
        say(format!("{verdict}, not {}; stops {:?}", fixture.verdict, found.stops));
    }
    let marks: BTreeSet<(u32, String)> = found
        .violations
        .iter()
        .map(|violation| {
            let line = violation.outcome.at.as_ref().and_then(|at| at.line).unwrap_or(0);
            (line, violation.kind.name().to_owned())
        })
        .collect();
    if marks != fixture.marks {
        say(format!("violations at {marks:?}, not {:?}", fixture.marks));
    }
    if let Some(&paths) = fixture.paths.get(policy.name())
        && paths != found.paths.completed()
    {
        say(format!("{} paths, not {paths}", found.paths.completed()));
    }
    for outcome in found.outcomes.iter().filter(|outcome| outcome.replay != Replay::Confirmed) {
        say(format!(
            "the witness {:?} does not go the way {} to {:?} {:?}",
            outcome.witness, outcome.condition, outcome.kind, outcome.exception
        ));
    }
    wrong
}

#[test]
fn fixtures_say_what_comes_out() {
    let fixtures = expected::fixtures();
    let subjects = Subjects::of_fixtures(&fixtures);
    let mut wrong = Vec::new();
    for fixture in &fixtures {
        for policy in Policy::ALL {
            let found = explore(&subjects, fixture, policy, 1);
            wrong.extend(complaints(fixture, policy, &found));
        }
    }
    assert!(wrong.is_empty(), "{} complaints:\n{}", wrong.len(), wrong.join("\n"));
}
