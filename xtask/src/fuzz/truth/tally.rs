//! What a run saw, as tables.

use super::opinion::Opinion;
use dalang_explore::{StopKind, Verdict};
use std::collections::BTreeMap;

/// Verdicts under one policy.
#[derive(Clone, Copy, Default)]
struct Row {
    safe: u64,
    bounded: u64,
    violating: u64,
    undecided: u64,
    /// Violations that were run on the JVM.
    witnesses: u64,
    /// Explorations that left nothing out but what bounds exclude.
    complete: u64,
    milliseconds: f64,
}

/// What was seen.
#[derive(Default)]
pub struct Tally {
    pub methods: u64,
    /// Random runs, and those of them that returned.
    pub runs: u64,
    pub normal: u64,
    /// Methods that fail on some random input.
    pub failing: u64,
    rows: BTreeMap<&'static str, Row>,
    /// Methods that were undecided, by policy and reason.
    reasons: BTreeMap<(&'static str, String), u64>,
}

impl Tally {
    pub fn count(&mut self, opinion: &Opinion) {
        let name = opinion.policy.name();
        let row = self.rows.entry(name).or_default();
        match opinion.verdict {
            Verdict::Safe if opinion.stops.is_empty() => row.safe += 1,
            Verdict::Safe => row.bounded += 1,
            Verdict::Unsafe => row.violating += 1,
            Verdict::Undecided => row.undecided += 1,
        }
        row.witnesses +=
            opinion.shown.iter().filter(|shown| shown.witness.is_some()).count() as u64;
        row.complete += u64::from(opinion.complete);
        row.milliseconds += opinion.milliseconds;
        if opinion.verdict == Verdict::Undecided {
            for reason in reasons(opinion) {
                *self.reasons.entry((name, reason)).or_default() += 1;
            }
        }
    }

    pub fn add(&mut self, other: &Self) {
        self.methods += other.methods;
        self.runs += other.runs;
        self.normal += other.normal;
        self.failing += other.failing;
        for (name, more) in &other.rows {
            let row = self.rows.entry(name).or_default();
            row.safe += more.safe;
            row.bounded += more.bounded;
            row.violating += more.violating;
            row.undecided += more.undecided;
            row.witnesses += more.witnesses;
            row.complete += more.complete;
            row.milliseconds += more.milliseconds;
        }
        for (reason, count) in &other.reasons {
            *self.reasons.entry(reason.clone()).or_default() += count;
        }
    }

    pub fn print(&self) {
        println!(
            "| policy | safe | safe within bounds | unsafe | undecided | complete | witnesses run | ms a method |\n\
             |---|---|---|---|---|---|---|---|"
        );
        for (name, row) in &self.rows {
            println!(
                "| {name} | {} | {} | {} | {} | {} | {} | {:.0} |",
                row.safe,
                row.bounded,
                row.violating,
                row.undecided,
                row.complete,
                row.witnesses,
                row.milliseconds / self.methods.max(1) as f64
            );
        }
        println!(
            "\nRandom runs: {}, of which {} returned; {} methods failed on some input.",
            self.runs, self.normal, self.failing
        );
        println!("\n| policy | undecided because of | methods |\n|---|---|---|");
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|&((name, _), &count)| (*name, std::cmp::Reverse(count)));
        for ((name, reason), count) in reasons {
            println!("| {name} | {reason} | {count} |");
        }
    }
}

/// Why a method is undecided: kinds of stops, with what was not supported.
fn reasons(opinion: &Opinion) -> std::collections::BTreeSet<String> {
    let stops = opinion
        .stops
        .iter()
        .filter(|stop| !matches!(stop.kind, StopKind::Array | StopKind::String | StopKind::N));
    let reason = |stop: &dalang_explore::StopCount| match stop.detail.as_str() {
        "" => stop.kind.name().to_owned(),
        detail => format!("{}: {}", stop.kind.name(), without_numbers(detail)),
    };
    stops.map(reason).collect()
}

/// Without what differs from group to group.
fn without_numbers(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}
