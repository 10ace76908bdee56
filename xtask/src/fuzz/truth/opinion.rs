//! What `dalang` says of a method under one policy, as far as a JVM can tell whether it is true.

use super::Plan;
use super::generate::Limits;
use dalang_explore::{Config, Exploration, Replay, Statics, StopCount, StopKind, Verdict, Witness};
use dalang_heap::Policy;
use std::collections::BTreeSet;
use std::fmt;

/// Bounds on inputs that both sides keep.
const GIVEN: [StopKind; 3] = [StopKind::Array, StopKind::String, StopKind::N];

/// A way to fail: the exception, and the innermost line of the group.
pub type Failure = (String, u32);

/// A violation and the input that shows it.
pub struct Shown {
    pub failure: Failure,
    pub witness: Option<Witness>,
    pub replay: Replay,
}

/// What is said of a method.
pub struct Opinion {
    pub policy: Policy,
    pub verdict: Verdict,
    /// Whether nothing was left out but what the bounds on inputs exclude.
    pub complete: bool,
    pub shown: Vec<Shown>,
    pub stops: Vec<StopCount>,
    pub milliseconds: f64,
}

impl Opinion {
    pub fn new(policy: Policy, found: Exploration) -> Self {
        let shown = |violation: dalang_explore::Violation| {
            let outcome = violation.outcome;
            let line = outcome.at.and_then(|at| at.line).unwrap_or(0);
            let failure = (outcome.exception.unwrap_or_default(), line);
            Shown { failure, witness: outcome.witness, replay: outcome.replay }
        };
        Self {
            policy,
            verdict: found.verdict,
            complete: found.stops.iter().all(|stop| GIVEN.contains(&stop.kind)),
            shown: found.violations.into_iter().map(shown).collect(),
            stops: found.stops,
            milliseconds: found.statistics.time_ms,
        }
    }

    /// All ways to fail that were found.
    pub fn failures(&self) -> BTreeSet<&Failure> {
        self.shown.iter().map(|shown| &shown.failure).collect()
    }

    /// What is wrong by its own account.
    pub fn defects(&self) -> Vec<String> {
        let name = self.policy.name();
        let refuted = self.shown.iter().filter(|shown| shown.replay == Replay::Refuted);
        let refuted = refuted.map(|shown| format!("{name}: refuted: {:?}", shown.failure));
        let bugs = self.stops.iter().filter(|stop| stop.kind == StopKind::Bug);
        refuted.chain(bugs.map(|stop| format!("{name}: bug: {}", stop.detail))).collect()
    }
}

impl fmt::Display for Opinion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.policy.name(), self.verdict)?;
        for failure in self.failures() {
            write!(f, ", {} in line {}", failure.0, failure.1)?;
        }
        for stop in &self.stops {
            write!(f, "; stop {} {} ({} times)", stop.kind.name(), stop.detail, stop.count)?;
        }
        Ok(())
    }
}

/// How a method of a group is explored.
pub fn config(policy: Policy, limits: Limits, plan: &Plan) -> Config {
    Config {
        policy,
        array: limits.array,
        string: limits.string,
        n: limits.objects,
        statics: if limits.statics { Statics::Auto } else { Statics::Initialized },
        time: plan.time,
        paths: plan.paths,
        given: GIVEN.to_vec(),
        ..Config::default()
    }
}
