//! JSON for programs, by the schema `dalang/1`.
//!
//! Names are written in full, whatever is in them: JSON escapes what text would have to leave out.
//! Fields are only ever added to the schema. What is not known is `null`, what was not asked for is
//! not there.

mod earlier;
mod method;
mod witness;

pub use earlier::earlier;

use crate::health::Health;
use crate::run::{Earlier, Run, Totals, Unloaded};
use crate::words;
use dalang_classes::visible;
use dalang_explore::{Config, Exploration, StopKind};
use method::{Measure, Method};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

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
        given: given(&run.config),
        looked_for: words::looked_for(&run.config),
        narrowed_by: run.narrowed_by(),
        target: &run.target,
        settings: &run.settings,
        verdict: words::verdict(run.verdict()),
        interrupted: run.interrupted,
        summary: Summary::new(&totals, &reasons),
        defects: flaws(run),
        unloaded: run.unloaded.iter().map(Missing::new).collect(),
        methods: rows(run, verbose),
    })
}

/// The first line of a run that is written line by line: what all results rest on.
pub fn begin(run: &Run, methods: usize) -> String {
    written_line(&Begin {
        r#type: "begin",
        header: Header::of(run),
        looked_for: words::looked_for(&run.config),
        narrowed_by: run.narrowed_by(),
        methods,
        unloaded: run.unloaded.iter().map(Missing::new).collect(),
    })
}

/// The line of one method, which is the one with this number of those that were chosen.
pub fn method_line(index: usize, method: &Exploration, verbose: bool) -> String {
    written_line(&Row { r#type: "method", index, method: Method::new(method, verbose) })
}

/// The line of a method that an earlier run has done.
pub fn earlier_line(earlier: &Earlier) -> String {
    let start = format!("{{\"type\":\"method\",\"index\":{},", earlier.index);
    earlier.content.replacen('{', &start, 1) + "\n"
}

/// The last line: what all methods come to.
pub fn end(run: &Run) -> String {
    let totals = run.totals();
    let reasons = run.reasons();
    written_line(&End {
        r#type: "end",
        verdict: words::verdict(run.verdict()),
        interrupted: run.interrupted,
        summary: Summary::new(&totals, &reasons),
        defects: flaws(run),
    })
}

/// All methods in their order, whichever run has done them.
fn rows(run: &Run, verbose: bool) -> Vec<Either<'_>> {
    let mut fresh = run.methods.iter();
    let mut rows: Vec<Either<'_>> = Vec::new();
    for earlier in &run.earlier {
        let missing = earlier.index.saturating_sub(rows.len());
        rows.extend(fresh.by_ref().take(missing).map(|method| Either::new(method, verbose)));
        // What is no JSON any more cannot have been read as such.
        rows.extend(RawValue::from_string(earlier.content.clone()).ok().map(Either::Earlier));
    }
    rows.extend(fresh.map(|method| Either::new(method, verbose)));
    rows
}

#[derive(Serialize)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "almost all are of the large kind")]
enum Either<'a> {
    Fresh(Method<'a>),
    Earlier(Box<RawValue>),
}

impl<'a> Either<'a> {
    fn new(method: &'a Exploration, verbose: bool) -> Self {
        Self::Fresh(Method::new(method, verbose))
    }
}

fn flaws(run: &Run) -> Vec<Flaw> {
    run.defects().into_iter().map(|d| Flaw { method: d.method, what: d.what }).collect()
}

fn given(config: &Config) -> Vec<&'static str> {
    config.given.iter().map(|kind| kind.name()).collect()
}

/// What results rest on: those of two runs go together if these are equal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    schema: String,
    version: String,
    jdk: String,
    policy: String,
    bounds: serde_json::Value,
    given: Vec<String>,
    target: String,
    settings: String,
}

impl Header {
    /// That of a run.
    pub fn of(run: &Run) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            version: run.version.clone(),
            jdk: run.jdk.clone(),
            policy: run.config.policy.name().to_owned(),
            bounds: serde_json::to_value(Bounds(&run.config)).unwrap_or_default(),
            given: given(&run.config).into_iter().map(str::to_owned).collect(),
            target: run.target.clone(),
            settings: run.settings.clone(),
        }
    }

    /// How another one differs, if it does, in words that follow a comma.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let named = [
            ("schema", &self.schema, &other.schema),
            ("version of dalang", &self.version, &other.version),
            ("JDK", &self.jdk, &other.jdk),
            ("policy", &self.policy, &other.policy),
        ];
        if let Some((what, own, theirs)) = named.into_iter().find(|(_, own, its)| own != its) {
            return Some(format!("with the {what} {theirs} and not {own}"));
        }
        if self.target != other.target {
            return Some("of other classes, or of these before they were changed".to_owned());
        }
        if self.bounds != other.bounds || self.given != other.given {
            return Some(format!("with the bounds {} and not {}", other.bounds, self.bounds));
        }
        (self.settings != other.settings).then(|| "with other options".to_owned())
    }
}

#[derive(Serialize)]
struct Begin<'a> {
    r#type: &'static str,
    #[serde(flatten)]
    header: Header,
    looked_for: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    narrowed_by: Option<&'a str>,
    methods: usize,
    unloaded: Vec<Missing<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    r#type: &'static str,
    index: usize,
    #[serde(flatten)]
    method: Method<'a>,
}

#[derive(Serialize)]
struct End<'a> {
    r#type: &'static str,
    verdict: &'static str,
    interrupted: bool,
    summary: Summary<'a>,
    defects: Vec<Flaw>,
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
        looked_for: words::looked_for(&first.config),
        narrowed_by: first.narrowed_by(),
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
    /// The kinds of violations that were looked for.
    looked_for: Vec<&'static str>,
    /// Who said so, if they are fewer than by default: a flag or a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    narrowed_by: Option<&'a str>,
    /// What tells the classes that were checked from others.
    target: &'a str,
    /// What tells the options from others.
    settings: &'a str,
    verdict: &'static str,
    interrupted: bool,
    summary: Summary<'a>,
    defects: Vec<Flaw>,
    unloaded: Vec<Missing<'a>>,
    methods: Vec<Either<'a>>,
}

#[derive(Serialize)]
struct Compare<'a> {
    schema: &'static str,
    version: &'a str,
    jdk: &'a str,
    policies: Vec<&'static str>,
    statics: &'static str,
    bounds: Bounds<'a>,
    looked_for: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    narrowed_by: Option<&'a str>,
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

impl<'a> Summary<'a> {
    fn new(totals: &Totals, reasons: &'a [crate::run::Reason]) -> Self {
        Self {
            methods: totals.methods(),
            safe: totals.safe,
            safe_within_bounds: totals.bounded,
            violating: totals.violating,
            undecided: totals.undecided,
            stops: reasons.iter().map(Reason::new).collect(),
        }
    }
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

/// One object on several lines. What a terminal could obey and what nobody sees is escaped as well,
/// which JSON need not; outside of strings there is none of it.
fn written(content: &impl Serialize) -> String {
    // Nothing of ours fails to serialise: keys are strings, and no serializer here gives up.
    let mut text = visible(&serde_json::to_string_pretty(content).unwrap_or_default()).into_owned();
    text.push('\n');
    text
}

/// The same on one line.
fn written_line(content: &impl Serialize) -> String {
    let mut text = visible(&serde_json::to_string(content).unwrap_or_default()).into_owned();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests;
