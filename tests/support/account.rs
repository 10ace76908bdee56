//! Whether a report of `dalang check` accounts for everything: every method has a verdict, and what
//! was not decided has a named reason. Which methods there are is taken from the classes, and not
//! from the report.

use dalang_classes::{ClassId, MethodId, Program};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// What there is to account for.
#[derive(Default)]
pub struct Expected {
    /// The methods and constructors that others can call, as reports spell them.
    pub methods: BTreeSet<String>,
    /// Classes that cannot be loaded, as Java spells them.
    pub unloaded: BTreeSet<String>,
}

impl Expected {
    /// All that these classes, by their internal names, have to be accounted for.
    pub fn of(program: &Program, names: &[String]) -> Self {
        let mut expected = Self::default();
        for name in names {
            match program.load(name) {
                Ok(class) => expected.add(program, class),
                Err(_) => {
                    expected.unloaded.insert(name.replace('/', "."));
                }
            }
        }
        expected
    }

    fn add(&mut self, program: &Program, class: ClassId) {
        let is_chosen = |&id: &MethodId| is_callable(program, id) || makes(program, id);
        let callable = program.class(class).methods().filter(is_chosen);
        self.methods.extend(callable.map(|id| program.method_spelling(id)));
    }
}

/// Whether others can call a method with code of its own, constructors aside.
pub fn is_callable(program: &Program, method: MethodId) -> bool {
    let method = program.method(method);
    let flags = method.flags;
    let made_up = flags.is_synthetic() || flags.is_bridge();
    let is_open = flags.is_public() || flags.is_package_private();
    let plain = !program.names().text(method.name).starts_with('<');
    is_open && plain && !made_up && method.has_code()
}

/// Whether a method is a public constructor that makes objects of its very class, and does more than to
/// call the one above.
fn makes(program: &Program, constructor: MethodId) -> bool {
    let method = program.method(constructor);
    let is_constructor = program.names().text(method.name) == "<init>";
    let is_abstract = program.class(method.class).flags.is_abstract();
    let does_more =
        matches!(program.code(constructor), Ok(Some(code)) if code.instructions.len() != 3);
    is_constructor && method.flags.is_public() && !is_abstract && does_more
}

/// What of a report matters here.
#[derive(Deserialize)]
pub struct Report {
    given: Vec<String>,
    summary: Summary,
    defects: Vec<serde_json::Value>,
    unloaded: Vec<Unloaded>,
    methods: Vec<Method>,
}

#[derive(Deserialize)]
struct Summary {
    methods: u64,
    safe: u64,
    safe_within_bounds: u64,
    #[serde(rename = "unsafe")]
    violating: u64,
    undecided: u64,
}

#[derive(Deserialize)]
struct Unloaded {
    class: String,
}

#[derive(Deserialize)]
struct Method {
    #[serde(rename = "method")]
    name: String,
    verdict: String,
    exhaustive: bool,
    paths: Paths,
    stops: Vec<Stop>,
    violations: Vec<Violation>,
    stats: Stats,
}

#[derive(Deserialize)]
struct Paths {
    completed: u64,
    normal: u64,
    exceptional: u64,
    violating: u64,
    assumed_away: u64,
    stopped: u64,
}

#[derive(Deserialize)]
struct Stop {
    kind: String,
    #[serde(default)]
    detail: String,
    count: u64,
}

#[derive(Deserialize)]
struct Violation {
    kind: String,
    replay: String,
}

#[derive(Deserialize)]
struct Stats {
    time_ms: f64,
}

/// What the methods of a jar, or of several, come to.
#[derive(Clone, Default)]
pub struct Tally {
    pub safe: u64,
    /// Those of the safe that a given bound has cut.
    pub bounded: u64,
    pub violating: u64,
    pub undecided: u64,
    pub confirmed: u64,
    pub refuted: u64,
    pub not_replayed: u64,
    pub slowest_ms: f64,
    /// Kinds and details of stops, with how many methods they concern, and how many paths.
    pub stops: BTreeMap<(String, String), (u64, u64)>,
}

impl Tally {
    pub fn methods(&self) -> u64 {
        self.safe + self.violating + self.undecided
    }

    #[allow(dead_code, reason = "whoever includes this file takes what it needs")]
    pub fn add(&mut self, other: Self) {
        self.safe += other.safe;
        self.bounded += other.bounded;
        self.violating += other.violating;
        self.undecided += other.undecided;
        self.confirmed += other.confirmed;
        self.refuted += other.refuted;
        self.not_replayed += other.not_replayed;
        self.slowest_ms = self.slowest_ms.max(other.slowest_ms);
        for (reason, (methods, paths)) in other.stops {
            let count = self.stops.entry(reason).or_default();
            *count = (count.0 + methods, count.1 + paths);
        }
    }
}

impl Report {
    /// Whether dalang itself says that it went wrong.
    #[allow(dead_code, reason = "whoever includes this file takes what it needs")]
    pub fn has_defects(&self) -> bool {
        !self.defects.is_empty()
    }

    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for method in &self.methods {
            match method.verdict.as_str() {
                "safe" => tally.safe += 1,
                "unsafe" => tally.violating += 1,
                _ => tally.undecided += 1,
            }
            tally.bounded += u64::from(method.verdict == "safe" && !method.exhaustive);
            tally.slowest_ms = tally.slowest_ms.max(method.stats.time_ms);
            for violation in &method.violations {
                match violation.replay.as_str() {
                    "confirmed" => tally.confirmed += 1,
                    "off" => tally.not_replayed += 1,
                    _ => tally.refuted += 1,
                }
            }
            for stop in &method.stops {
                let reason = (stop.kind.clone(), stop.detail.clone());
                let count = tally.stops.entry(reason).or_default();
                *count = (count.0 + 1, count.1 + stop.count);
            }
        }
        tally
    }

    /// Everything that is wrong with it.
    pub fn findings(&self, expected: &Expected) -> Vec<String> {
        let mut findings = self.missing(expected);
        for method in &self.methods {
            let wrong = method.findings(&self.given);
            findings.extend(wrong.into_iter().map(|what| format!("{}: {what}", method.name)));
        }
        let tally = self.tally();
        let counted =
            [tally.methods(), tally.safe, tally.bounded, tally.violating, tally.undecided];
        let Summary { methods, safe, safe_within_bounds, violating, undecided } = self.summary;
        let said = [methods, safe, safe_within_bounds, violating, undecided];
        if counted != said {
            findings.push(format!("the summary says {said:?}, the methods say {counted:?}"));
        }
        findings.extend(self.defects.iter().map(|defect| format!("a defect: {defect}")));
        findings
    }

    /// Methods and classes that are not there, or that nobody knows, or that are there twice.
    fn missing(&self, expected: &Expected) -> Vec<String> {
        let methods: BTreeSet<&str> = self.methods.iter().map(|m| m.name.as_str()).collect();
        let unloaded: BTreeSet<&str> = self.unloaded.iter().map(|u| u.class.as_str()).collect();
        let mut findings = Vec::new();
        if methods.len() != self.methods.len() {
            findings.push("some method is reported twice".to_owned());
        }
        for (what, reported, expected) in [
            ("method", &methods, &expected.methods),
            ("class that cannot be loaded", &unloaded, &expected.unloaded),
        ] {
            let expected: BTreeSet<&str> = expected.iter().map(String::as_str).collect();
            let lost = expected.difference(reported).map(|name| format!("lost {what}: {name}"));
            findings.extend(lost);
            let new = reported.difference(&expected).map(|name| format!("unknown {what}: {name}"));
            findings.extend(new);
        }
        findings
    }
}

impl Method {
    fn findings(&self, given: &[String]) -> Vec<String> {
        let Paths { completed, normal, exceptional, violating, assumed_away, stopped } = self.paths;
        let named = |stop: &Stop| match stop.kind.as_str() {
            "unsupported" | "solver" | "bug" => !stop.detail.is_empty(),
            kind => !kind.is_empty(),
        };
        let is_bound = |stop: &Stop| stop.detail.is_empty() && given.contains(&stop.kind);
        let is_decided = match self.verdict.as_str() {
            "safe" => violating == 0 && self.stops.iter().all(is_bound),
            "unsafe" => violating > 0 && !self.violations.is_empty(),
            "undecided" => violating == 0 && !self.stops.iter().all(is_bound),
            _ => false,
        };
        let bugs = self.stops.iter().filter(|stop| stop.kind == "bug");
        let refuted = self.violations.iter().filter(|violation| violation.replay == "refuted");
        let rules = [
            (is_decided, "its verdict does not follow from its paths"),
            (self.stops.iter().all(named), "a stop has no name"),
            (completed == normal + exceptional + violating, "paths do not add up"),
            (
                self.stops.iter().map(|stop| stop.count).sum::<u64>() == stopped,
                "stops do not add up",
            ),
            (self.exhaustive == (stopped == 0), "it is exhaustive if no path was stopped"),
            (completed + assumed_away + stopped > 0, "it has no path at all"),
        ];
        let broken = rules.into_iter().filter(|(holds, _)| !holds).map(|(_, rule)| rule.to_owned());
        let bugs = bugs.map(|stop| format!("a bug stop: {}", stop.detail));
        let refuted = refuted.map(|violation| format!("a refuted violation: {}", violation.kind));
        broken.chain(bugs).chain(refuted).collect()
    }
}
