//! JSON for programs, by the schema `dalang/1`.
//!
//! Names are written in full, whatever is in them: JSON escapes what text would have to leave out.
//! Fields are only ever added to the schema. What is not known is `null`, what was not asked for is
//! not there.

mod method;
mod witness;

use crate::health::Health;
use crate::run::{Run, Unloaded};
use crate::words;
use dalang_explore::{Config, StopKind};
use method::{Measure, Method};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt::Write;

const SCHEMA: &str = "dalang/1";

/// A run of `check`; `verbose` adds every path.
pub fn check(run: &Run, verbose: bool) -> String {
    let totals = run.totals();
    let reasons = run.reasons();
    written(&Check {
        schema: SCHEMA,
        version: &run.version,
        jdk: &run.jdk,
        policy: run.config.policy.name(),
        statics: run.config.statics.name(),
        bounds: Bounds(&run.config),
        given: run.config.given.iter().map(|kind| kind.name()).collect(),
        verdict: words::verdict(run.verdict()),
        interrupted: run.interrupted,
        summary: Summary {
            methods: totals.methods(),
            safe: totals.safe,
            safe_within_bounds: totals.bounded,
            violating: totals.violating,
            undecided: totals.undecided,
            stops: reasons.iter().map(Reason::new).collect(),
        },
        defects: run
            .defects()
            .into_iter()
            .map(|d| Flaw { method: d.method, what: d.what })
            .collect(),
        unloaded: run.unloaded.iter().map(Missing::new).collect(),
        methods: run.methods.iter().map(|method| Method::new(method, verbose)).collect(),
    })
}

/// The same methods under several policies: one run for each.
pub fn compare(runs: &[Run]) -> String {
    let Some(first) = runs.first() else { return written(&serde_json::json!({})) };
    let rows = |index: usize| runs.iter().filter_map(move |run| Measure::new(run, index));
    let method = |index: usize| Compared {
        method: &first.methods[index].method,
        runs: rows(index).collect(),
    };
    written(&Compare {
        schema: SCHEMA,
        version: &first.version,
        jdk: &first.jdk,
        policies: runs.iter().map(|run| run.config.policy.name()).collect(),
        statics: first.config.statics.name(),
        bounds: Bounds(&first.config),
        interrupted: runs.iter().any(|run| run.interrupted),
        methods: (0..first.methods.len()).map(method).collect(),
    })
}

/// What `doctor` found.
pub fn health(health: &Health) -> String {
    written(&Examined { schema: SCHEMA, health, missing: health.missing() })
}

#[derive(Serialize)]
struct Examined<'a> {
    schema: &'static str,
    #[serde(flatten)]
    health: &'a Health,
    missing: Vec<String>,
}

#[derive(Serialize)]
struct Check<'a> {
    schema: &'static str,
    version: &'a str,
    jdk: &'a str,
    policy: &'static str,
    statics: &'static str,
    bounds: Bounds<'a>,
    /// The bounds that the user gave.
    given: Vec<&'static str>,
    verdict: &'static str,
    interrupted: bool,
    summary: Summary<'a>,
    defects: Vec<Flaw>,
    unloaded: Vec<Missing<'a>>,
    methods: Vec<Method<'a>>,
}

#[derive(Serialize)]
struct Compare<'a> {
    schema: &'static str,
    version: &'a str,
    jdk: &'a str,
    policies: Vec<&'static str>,
    statics: &'static str,
    bounds: Bounds<'a>,
    interrupted: bool,
    methods: Vec<Compared<'a>>,
}

#[derive(Serialize)]
struct Compared<'a> {
    method: &'a str,
    runs: Vec<Measure<'a>>,
}

#[derive(Serialize)]
struct Summary<'a> {
    methods: usize,
    safe: usize,
    safe_within_bounds: usize,
    #[serde(rename = "unsafe")]
    violating: usize,
    undecided: usize,
    stops: Vec<Reason<'a>>,
}

#[derive(Serialize)]
struct Reason<'a> {
    kind: &'static str,
    detail: &'a str,
    count: u64,
    methods: u64,
}

impl<'a> Reason<'a> {
    fn new(reason: &'a crate::run::Reason) -> Self {
        let crate::run::Reason { kind, detail, paths, methods } = reason;
        Self { kind: kind.name(), detail, count: *paths, methods: *methods }
    }
}

#[derive(Serialize)]
struct Flaw {
    method: String,
    what: String,
}

#[derive(Serialize)]
struct Missing<'a> {
    class: &'a str,
    reason: &'a str,
}

impl<'a> Missing<'a> {
    fn new(unloaded: &'a Unloaded) -> Self {
        Self { class: &unloaded.class, reason: &unloaded.reason }
    }
}

/// Bounds under the names of their flags; those that are not there are `null`.
struct Bounds<'a>(&'a Config);

impl Serialize for Bounds<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let config = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(StopKind::K.name(), &config.k)?;
        map.serialize_entry(StopKind::N.name(), &config.n)?;
        if !config.n_of.is_empty() {
            let of = config.n_of.iter().map(|(class, most)| (class.replace('/', "."), *most));
            map.serialize_entry("n_of", &of.collect::<BTreeMap<String, u32>>())?;
        }
        map.serialize_entry(StopKind::Loop.name(), &config.loops)?;
        map.serialize_entry(StopKind::Calls.name(), &config.calls)?;
        map.serialize_entry(StopKind::Array.name(), &config.array)?;
        map.serialize_entry(StopKind::String.name(), &config.string)?;
        map.serialize_entry(StopKind::Stdin.name(), &config.stdin)?;
        map.serialize_entry(StopKind::Paths.name(), &config.paths)?;
        map.serialize_entry(StopKind::Steps.name(), &config.steps)?;
        let seconds = config.time.map(|time| time.as_secs_f64());
        map.serialize_entry(StopKind::Time.name(), &seconds)?;
        let mebibytes = config.memory.map(|bytes| bytes >> 20);
        map.serialize_entry(StopKind::Memory.name(), &mebibytes)?;
        map.end()
    }
}

/// One object on several lines. Characters that a terminal could obey are escaped as well, which
/// JSON need not; outside of strings there are none.
fn written(content: &impl Serialize) -> String {
    // Nothing of ours fails to serialise: keys are strings, and no serializer here gives up.
    let plain = serde_json::to_string_pretty(content).unwrap_or_default();
    let mut text = String::with_capacity(plain.len());
    for character in plain.chars() {
        let obeyed = character.is_control() && character != '\n';
        if obeyed || matches!(character, '\u{2028}' | '\u{2029}') {
            let _ = write!(text, "\\u{:04x}", u32::from(character));
        } else {
            text.push(character);
        }
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests;
