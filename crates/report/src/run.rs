//! A whole run: what all its methods come to.

use dalang_explore::{Config, Exploration, Replay, StopKind, Verdict, Violation};
use std::collections::{BTreeMap, BTreeSet};

/// A class of the target that cannot be analysed at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unloaded {
    /// The class, as Java spells it.
    pub class: String,
    /// Why.
    pub reason: String,
}

/// What a run of `check` has found out so far.
#[derive(Clone, Debug)]
pub struct Run {
    /// The version of dalang.
    pub version: String,
    /// The version of the JDK whose library was used.
    pub jdk: String,
    /// What was to be explored, and how far.
    pub config: Config,
    /// What was found out, method by method.
    pub methods: Vec<Exploration>,
    /// Classes of the target that cannot be analysed.
    pub unloaded: Vec<Unloaded>,
    /// Whether the user ended it before it was done.
    pub interrupted: bool,
}

/// How many methods there are, by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// No path violates anything.
    pub safe: usize,
    /// Those of them that were cut by a bound that the user gave.
    pub bounded: usize,
    /// Some path does.
    pub violating: usize,
    /// Neither is known.
    pub undecided: usize,
}

impl Totals {
    /// All methods.
    pub fn methods(&self) -> usize {
        self.safe + self.violating + self.undecided
    }
}

/// Something that shows that dalang itself is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defect {
    /// The method that was explored.
    pub method: String,
    /// What happened.
    pub what: String,
}

/// How often paths were given up for a reason, and in how many methods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reason {
    pub kind: StopKind,
    pub detail: String,
    pub paths: u64,
    pub methods: u64,
}

impl Run {
    /// What can be said of all methods together.
    pub fn verdict(&self) -> Verdict {
        let worst = self.methods.iter().map(|method| method.verdict).max();
        let worst = worst.unwrap_or(Verdict::Safe);
        let open = self.interrupted || !self.unloaded.is_empty();
        if open { worst.max(Verdict::Undecided) } else { worst }
    }

    /// How many methods there are, by verdict.
    pub fn totals(&self) -> Totals {
        let count =
            |verdict| self.methods.iter().filter(|method| method.verdict == verdict).count();
        Totals {
            safe: count(Verdict::Safe),
            bounded: self.methods.iter().filter(|method| is_bounded(method)).count(),
            violating: count(Verdict::Unsafe),
            undecided: count(Verdict::Undecided),
        }
    }

    /// All violations.
    pub fn violations(&self) -> impl Iterator<Item = &Violation> {
        self.methods.iter().flat_map(|method| &method.violations)
    }

    /// What was assumed for any of the methods, each once.
    pub fn assumptions(&self) -> BTreeSet<&str> {
        let methods = self.methods.iter();
        methods.flat_map(|method| method.assumptions.iter().map(String::as_str)).collect()
    }

    /// Whether there is a violation that a replay has not refuted.
    pub fn is_violated(&self) -> bool {
        self.violations().any(|violation| violation.outcome.replay != Replay::Refuted)
    }

    /// Everything that shows that dalang itself is wrong.
    pub fn defects(&self) -> Vec<Defect> {
        self.methods.iter().flat_map(defects).collect()
    }

    /// Why paths were given up, the reason that concerns most methods first.
    pub(crate) fn reasons(&self) -> Vec<Reason> {
        let mut by_reason: BTreeMap<(StopKind, &str), (u64, u64)> = BTreeMap::new();
        for stop in self.methods.iter().flat_map(|method| &method.stops) {
            let entry = by_reason.entry((stop.kind, stop.detail.as_str())).or_default();
            entry.0 += stop.count;
            entry.1 += 1;
        }
        let reason = |((kind, detail), (paths, methods)): ((StopKind, &str), (u64, u64))| Reason {
            kind,
            detail: detail.to_owned(),
            paths,
            methods,
        };
        let mut reasons: Vec<Reason> = by_reason.into_iter().map(reason).collect();
        reasons.sort_by_key(|reason| std::cmp::Reverse((reason.methods, reason.paths)));
        reasons
    }
}

/// Whether a method is safe only within the bounds that the user gave.
pub(crate) fn is_bounded(method: &Exploration) -> bool {
    method.verdict == Verdict::Safe && !method.exhaustive
}

/// What one method says against dalang.
pub(crate) fn defects(method: &Exploration) -> Vec<Defect> {
    let defect = |what: String| Defect { method: method.method.clone(), what };
    let bugs = method.stops.iter().filter(|stop| stop.kind == StopKind::Bug);
    let bugs = bugs.map(|stop| {
        defect(format!("{} ({})", stop.detail, crate::words::count(stop.count, "time")))
    });
    let is_refuted = |violation: &&Violation| violation.outcome.replay == Replay::Refuted;
    let refuted = method.violations.iter().filter(is_refuted);
    let refuted = refuted.map(|violation| {
        let kind = violation.kind.name();
        defect(format!("a violation ({kind}) did not happen when it was executed again"))
    });
    // With outcomes kept, every path may have been executed again. Of violations the smallest are
    // kept, so those that are refuted are told twice.
    let strays = method.outcomes.iter().filter(|outcome| outcome.replay == Replay::Refuted).count();
    let strays = (strays > 0).then(|| {
        let paths = crate::words::count(strays as u64, "path");
        defect(format!("{paths} did not go the same way when executed again"))
    });
    bugs.chain(refuted).chain(strays).collect()
}
