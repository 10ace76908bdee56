//! What is wrong with the paths of an exploration: witnesses that go another way, and program paths
//! that were found twice, or by one policy and not by another.
//!
//! A program path is known by the fingerprint of its branches and calls, and by how it ends. The
//! outcomes must have been kept and executed again.

use dalang_explore::{Exploration, Outcome, Replay, StopKind};
use std::collections::BTreeMap;

/// Classes of the library that are programs here, and no means of programs, with those inside them: two
/// ways through a collection are two program paths. What else the library does on the way (spelling a
/// message, boxing a number) it does differently for terms and for constants, so that no run could be
/// held to it.
#[allow(dead_code, reason = "whoever includes this file takes what it needs")]
pub const FOLLOWED: [&str; 13] = [
    "java/lang/Integer.compare",
    "java/util/AbstractCollection",
    "java/util/AbstractList",
    "java/util/AbstractMap",
    "java/util/AbstractQueue",
    "java/util/ArrayDeque",
    "java/util/ArrayList",
    "java/util/LinkedList",
    "java/util/PriorityQueue",
    "java/util/Stack",
    "java/util/TreeMap",
    "java/util/TreeSet",
    "java/util/Vector",
];

/// Checks of collections whose arrays grow by as much as an input says. Why one is too large for Java is
/// decided by code that builders of strings share (`ArraysSupport`), which is not followed: a path that
/// ends in an `OutOfMemoryError` may be found once for each reason.
#[allow(dead_code, reason = "whoever includes this file takes what it needs")]
pub const GROWING: [&str; 2] = ["library.StackChecks.checkPush", "library.VectorChecks.checkAdd"];

/// Whether a path that was found twice is one that may be.
#[allow(dead_code, reason = "whoever includes this file takes what it needs")]
pub fn is_too_large(program: &str, path: &str) -> bool {
    let name = program.split('(').next().unwrap_or(program);
    GROWING.contains(&name) && path.contains("java.lang.OutOfMemoryError")
}

/// Methods that compare an object of an input and do not use it. They take long, so that only the chore
/// explores them, and there lazier# may lack paths that other policies have.
#[allow(dead_code, reason = "whoever includes this file takes what it needs")]
pub const COMPARING: [&str; 1] = ["papers.Marking$Cells.until"];

/// A program path, spelled: the same for two outcomes if they went the same way. Paths that do not end
/// have no way to be compared by: how far they were followed says nothing.
pub fn way(outcome: &Outcome) -> String {
    let Outcome { kind, exception, at, trace, .. } = outcome;
    format!("{trace:?} {kind:?} {exception:?} {at:?}")
}

/// Program paths that an exploration has found twice, with the conditions of both.
#[allow(dead_code, reason = "whoever includes this file takes what it needs")]
pub fn repeated(found: &Exploration) -> Vec<String> {
    let mut known: BTreeMap<String, &Outcome> = BTreeMap::new();
    let mut repeated = Vec::new();
    for outcome in found.outcomes.iter().filter(|outcome| !outcome.kind.is_endless()) {
        let path = way(outcome);
        if let Some(other) = known.insert(path.clone(), outcome) {
            let conditions = (&other.condition, &outcome.condition);
            repeated.push(format!("{path}\n  if {}\n  if {}", conditions.0, conditions.1));
        }
    }
    repeated
}

/// Paths without a witness, and paths whose witness was not seen to go their way.
#[allow(dead_code, reason = "whoever includes this file takes what it needs")]
pub fn strays(found: &Exploration) -> Vec<String> {
    let strays = found.outcomes.iter().filter(|outcome| outcome.replay != Replay::Confirmed);
    let spelled = strays.map(|outcome| {
        let Outcome { replay, condition, witness, .. } = outcome;
        format!("{replay:?}: {}\n  if {condition}\n  on {witness:?}", way(outcome))
    });
    spelled.collect()
}

/// Whether nothing was given up but what a bound cuts, and nothing for want of time. All policies have
/// the same complete program paths then.
#[allow(dead_code, reason = "whoever includes this file takes what it needs")]
pub fn is_whole(found: &Exploration) -> bool {
    use StopKind::{Allocation, Array, Calls, K, Loop, N};
    let is_bound = |kind| matches!(kind, N | K | Array | Allocation | Loop | Calls);
    found.stops.iter().all(|stop| is_bound(stop.kind))
}

/// Program paths that one exploration has and the other has not.
#[allow(dead_code, reason = "whoever includes this file takes what it needs")]
pub fn missing(from: &Exploration, of: &Exploration) -> Vec<String> {
    let ways: BTreeMap<String, &Outcome> = from.outcomes.iter().map(|o| (way(o), o)).collect();
    let ends = of.outcomes.iter().filter(|outcome| !outcome.kind.is_endless());
    let missing = ends.filter(|outcome| !ways.contains_key(&way(outcome)));
    let spelled = missing.map(|outcome| {
        format!("{}\n  if {}\n  on {:?}", way(outcome), outcome.condition, outcome.witness)
    });
    spelled.collect()
}
