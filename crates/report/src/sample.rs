//! Hand-made results for the tests of renderers.

use crate::run::Run;
use dalang_explore::{
    Config, Coverage, Exploration, Location, Outcome, OutcomeKind, PathCounts, Replay, Statistics,
    StopCount, StopKind, Verdict, Violation, ViolationKind, Witness, WitnessBody, WitnessObject,
    WitnessValue,
};

/// A method of which everything is known.
pub fn safe() -> Exploration {
    Exploration {
        method: "demo.Meeting.middle()I".to_owned(),
        verdict: Verdict::Safe,
        exhaustive: true,
        unreachable: false,
        paths: PathCounts { normal: 1, ..PathCounts::default() },
        stops: Vec::new(),
        violations: Vec::new(),
        outcomes: Vec::new(),
        coverage: Coverage { branches: [0, 0], lines: [1, 1], instructions: [7, 7] },
        statistics: statistics(),
        rules: Vec::new(),
        assumptions: Vec::new(),
        tree: None,
    }
}

fn statistics() -> Statistics {
    Statistics {
        instructions: 120,
        forks: 3,
        merges: 0,
        queries: 5,
        implied: 4,
        query_tokens: 17,
        layers: [1, 1, 2, 0, 0, 0, 1],
        solver_ms: 0.25,
        time_ms: 1.5,
        peak_bytes: 3 << 20,
    }
}

/// A method with a violation.
pub fn violating() -> Exploration {
    let outcome = null_pointer();
    Exploration {
        method: "demo.Playlist.remove(I)V".to_owned(),
        verdict: Verdict::Unsafe,
        exhaustive: false,
        unreachable: false,
        paths: PathCounts {
            normal: 8,
            exceptional: 1,
            violating: 2,
            diverging: 0,
            assumed_away: 4,
            stopped: 3,
        },
        stops: vec![stop(StopKind::Loop, "", 1), stop(StopKind::Unsupported, "a.B.c()V", 2)],
        violations: vec![Violation { kind: ViolationKind::Null, outcome: outcome.clone() }],
        outcomes: vec![returning(), outcome],
        coverage: Coverage { branches: [5, 6], lines: [9, 9], instructions: [40, 44] },
        statistics: statistics(),
        rules: Vec::new(),
        assumptions: vec!["demo.Shape is one of demo.Circle, demo.Square".to_owned()],
        tree: None,
    }
}

/// A method that was given up.
pub fn undecided() -> Exploration {
    Exploration {
        method: "demo.Slow.loop(J)Z".to_owned(),
        verdict: Verdict::Undecided,
        exhaustive: false,
        unreachable: false,
        paths: PathCounts { stopped: 2, ..PathCounts::default() },
        stops: vec![stop(StopKind::Time, "", 1), stop(StopKind::Unsupported, "a.B.c()V", 1)],
        ..safe()
    }
}

/// A reason for giving up.
pub fn stop(kind: StopKind, detail: &str, count: u64) -> StopCount {
    StopCount { kind, detail: detail.to_owned(), count }
}

/// A path that goes wrong.
pub fn null_pointer() -> Outcome {
    let object = |class: &str, fields: &[(&str, WitnessValue)]| WitnessObject {
        class: class.to_owned(),
        body: WitnessBody::Fields(
            fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
        ),
    };
    let song = [("id", WitnessValue::Integer(1)), ("next", WitnessValue::Null)];
    Outcome {
        kind: OutcomeKind::Violation(ViolationKind::Null),
        value: None,
        exception: Some("java.lang.NullPointerException".to_owned()),
        message: None,
        at: Some(Location {
            class: "demo.Playlist".to_owned(),
            method: "remove".to_owned(),
            file: Some("Playlist.java".to_owned()),
            line: Some(22),
            pc: 31,
        }),
        condition: "this.first.id != id && this.first.next == null".to_owned(),
        witness: Some(Witness {
            statics: Vec::new(),
            stdin: None,
            inputs: vec![
                ("this".to_owned(), WitnessValue::Object(1)),
                ("id".to_owned(), WitnessValue::Integer(0)),
            ],
            objects: vec![
                object("demo.Playlist", &[("first", WitnessValue::Object(2))]),
                object("demo.Playlist$Song", &song),
            ],
        }),
        replay: Replay::Confirmed,
        decisions: vec![1, 0],
        trace: None,
        heap: Vec::new(),
    }
}

/// A path that ends normally.
pub fn returning() -> Outcome {
    Outcome {
        kind: OutcomeKind::Return,
        value: Some("id + 1".to_owned()),
        exception: None,
        at: None,
        condition: "this.first == null".to_owned(),
        witness: None,
        replay: Replay::Off,
        decisions: vec![0],
        ..null_pointer()
    }
}

/// A run over these methods.
pub fn run(methods: Vec<Exploration>) -> Run {
    Run {
        version: "0.1.0".to_owned(),
        jdk: "17.0.15".to_owned(),
        config: Config { n: Some(5), given: vec![StopKind::N], ..Config::default() },
        target: "00ff".to_owned(),
        settings: "ff00".to_owned(),
        violations_from: None,
        methods,
        earlier: Vec::new(),
        unloaded: Vec::new(),
        interrupted: false,
    }
}

/// A text without the codes of its colours.
pub fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = after.split_once('m').map_or("", |(_, rest)| rest);
    }
    plain + rest
}
