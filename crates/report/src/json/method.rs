//! Methods: what was found out, and what it took.

use super::witness::Input;
use crate::run::Run;
use crate::words;
use dalang_explore::{
    Coverage, Exploration, Location, Outcome, OutcomeKind, PathCounts, StopCount, Violation,
};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
#[allow(clippy::struct_field_names, reason = "the schema names the fields")]
pub struct Method<'a> {
    method: &'a str,
    verdict: &'static str,
    exhaustive: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unreachable: bool,
    paths: Paths,
    stops: Vec<Stop<'a>>,
    violations: Vec<Found<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcomes: Option<Vec<Ended<'a>>>,
    coverage: Covered,
    assumptions: &'a [String],
    stats: Stats<'a>,
}

impl<'a> Method<'a> {
    pub fn new(method: &'a Exploration, verbose: bool) -> Self {
        let outcomes = || method.outcomes.iter().map(Ended::new).collect();
        Self {
            method: &method.method,
            verdict: words::verdict(method.verdict),
            exhaustive: method.exhaustive,
            unreachable: method.unreachable,
            paths: Paths::new(&method.paths),
            stops: method.stops.iter().map(Stop::new).collect(),
            violations: method.violations.iter().map(Found::new).collect(),
            outcomes: verbose.then(outcomes),
            coverage: Covered::new(&method.coverage),
            assumptions: &method.assumptions,
            stats: Stats::new(method),
        }
    }
}

/// What one policy made of a method.
#[derive(Serialize)]
pub struct Measure<'a> {
    policy: &'static str,
    verdict: &'static str,
    exhaustive: bool,
    paths: Paths,
    violations: usize,
    coverage: Covered,
    stats: Stats<'a>,
}

impl<'a> Measure<'a> {
    pub fn new(run: &'a Run, index: usize) -> Option<Self> {
        let method = run.methods.get(index)?;
        Some(Self {
            policy: run.config.policy.name(),
            verdict: words::verdict(method.verdict),
            exhaustive: method.exhaustive,
            paths: Paths::new(&method.paths),
            violations: method.violations.len(),
            coverage: Covered::new(&method.coverage),
            stats: Stats::new(method),
        })
    }
}

#[derive(Serialize)]
struct Paths {
    completed: u64,
    normal: u64,
    exceptional: u64,
    violating: u64,
    diverging: u64,
    assumed_away: u64,
    stopped: u64,
}

impl Paths {
    fn new(paths: &PathCounts) -> Self {
        let PathCounts { normal, exceptional, violating, diverging, assumed_away, stopped } =
            *paths;
        Self {
            completed: paths.completed(),
            normal,
            exceptional,
            violating,
            diverging,
            assumed_away,
            stopped,
        }
    }
}

#[derive(Serialize)]
struct Stop<'a> {
    kind: &'static str,
    count: u64,
    detail: &'a str,
}

impl<'a> Stop<'a> {
    fn new(stop: &'a StopCount) -> Self {
        Self { kind: stop.kind.name(), count: stop.count, detail: &stop.detail }
    }
}

#[derive(Serialize)]
struct Place<'a> {
    class: &'a str,
    method: &'a str,
    file: Option<&'a str>,
    line: Option<u32>,
    pc: u32,
}

impl<'a> Place<'a> {
    fn new(at: &'a Location) -> Self {
        let Location { class, method, file, line, pc } = at;
        Self { class, method, file: file.as_deref(), line: *line, pc: *pc }
    }
}

#[derive(Serialize)]
struct Found<'a> {
    kind: &'static str,
    exception: Option<&'a str>,
    message: Option<&'a str>,
    at: Option<Place<'a>>,
    condition: &'a str,
    witness: Option<Input<'a>>,
    replay: &'static str,
}

impl<'a> Found<'a> {
    fn new(violation: &'a Violation) -> Self {
        let outcome = &violation.outcome;
        Self {
            kind: violation.kind.name(),
            exception: outcome.exception.as_deref(),
            message: outcome.message.as_deref(),
            at: outcome.at.as_ref().map(Place::new),
            condition: &outcome.condition,
            witness: outcome.witness.as_ref().map(Input),
            replay: outcome.replay.name(),
        }
    }
}

#[derive(Serialize)]
struct Ended<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    violation: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<i32>,
    value: Option<&'a str>,
    exception: Option<&'a str>,
    message: Option<&'a str>,
    at: Option<Place<'a>>,
    condition: &'a str,
    witness: Option<Input<'a>>,
    replay: &'static str,
    decisions: &'a [u32],
    /// A fingerprint has 64 bits, and numbers of JSON are often read with fewer.
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<String>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    heap: &'a [String],
}

impl<'a> Ended<'a> {
    fn new(outcome: &'a Outcome) -> Self {
        let (kind, violation, code) = match &outcome.kind {
            OutcomeKind::Return => ("return", None, None),
            OutcomeKind::Throw => ("throw", None, None),
            OutcomeKind::Violation(kind) => ("violation", Some(kind.name()), None),
            OutcomeKind::Exit(code) => ("exit", None, Some(*code)),
            OutcomeKind::Diverge => ("diverges", None, None),
        };
        Self {
            kind,
            violation,
            code,
            value: outcome.value.as_deref(),
            exception: outcome.exception.as_deref(),
            message: outcome.message.as_deref(),
            at: outcome.at.as_ref().map(Place::new),
            condition: &outcome.condition,
            witness: outcome.witness.as_ref().map(Input),
            replay: outcome.replay.name(),
            decisions: &outcome.decisions,
            trace: outcome.trace.map(|trace| format!("{trace:016x}")),
            heap: &outcome.heap,
        }
    }
}

#[derive(Serialize)]
struct Covered {
    branches: [u32; 2],
    lines: [u32; 2],
    instructions: [u32; 2],
}

impl Covered {
    fn new(coverage: &Coverage) -> Self {
        let Coverage { branches, lines, instructions } = *coverage;
        Self { branches, lines, instructions }
    }
}

#[derive(Serialize)]
struct Stats<'a> {
    instructions: u64,
    forks: u64,
    merges: u64,
    queries: u64,
    implied: u64,
    query_tokens: u64,
    layers: Layers,
    rules: BTreeMap<&'a str, u64>,
    solver_ms: f64,
    time_ms: f64,
    peak_bytes: u64,
}

/// How many queries each layer of the solver decided.
#[derive(Serialize)]
struct Layers {
    constant: u64,
    reuse: u64,
    order: u64,
    cores: u64,
    guide: u64,
    inequalities: u64,
    backend: u64,
}

impl<'a> Stats<'a> {
    fn new(method: &'a Exploration) -> Self {
        let statistics = &method.statistics;
        let [constant, reuse, order, cores, guide, inequalities, backend] = statistics.layers;
        Self {
            instructions: statistics.instructions,
            forks: statistics.forks,
            merges: statistics.merges,
            queries: statistics.queries,
            implied: statistics.implied,
            query_tokens: statistics.query_tokens,
            layers: Layers { constant, reuse, order, cores, guide, inequalities, backend },
            rules: method.rules.iter().copied().collect(),
            solver_ms: statistics.solver_ms,
            time_ms: statistics.time_ms,
            peak_bytes: statistics.peak_bytes,
        }
    }
}
