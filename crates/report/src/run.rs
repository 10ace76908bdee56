//! A whole run: what all its methods come to.

use crate::words;
use dalang_explore::{Config, Exploration, Replay, StopCount, StopKind, Verdict, Violation};
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
    /// What tells the classes that were checked from others.
    pub target: String,
    /// What tells the options from others.
    pub settings: String,
    /// The file that says what counts as a violation, if one does.
    pub violations_from: Option<String>,
    /// What was found out, method by method.
    pub methods: Vec<Exploration>,
    /// Methods that an earlier run has done, by their numbers among all that were chosen.
    pub earlier: Vec<Earlier>,
    /// Classes of the target that cannot be analysed.
    pub unloaded: Vec<Unloaded>,
    /// Whether the user ended it before it was done.
    pub interrupted: bool,
}

/// What an earlier run has found out about a method.
#[derive(Clone, Debug)]
pub struct Earlier {
    /// Its number among all methods that were chosen.
    pub index: usize,
    /// The method, as in an [`Exploration`].
    pub method: String,
    /// What could be said of it.
    pub verdict: Verdict,
    /// Whether no path was stopped by anything.
    pub exhaustive: bool,
    /// How many paths ended.
    pub paths: u64,
    /// How many violations there are.
    pub violations: usize,
    /// Those of them that happened again.
    pub confirmed: usize,
    /// Those of them that did not.
    pub refuted: usize,
    /// Why paths were given up.
    pub stops: Vec<StopCount>,
    /// What was assumed for it.
    pub assumptions: Vec<String>,
    /// All that was written of it, on one line.
    pub content: String,
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
        let worst = self.verdicts().max();
        let worst = worst.unwrap_or(Verdict::Safe);
        let open = self.interrupted || !self.unloaded.is_empty();
        if open { worst.max(Verdict::Undecided) } else { worst }
    }

    /// How many methods there are, by verdict.
    pub fn totals(&self) -> Totals {
        let count = |verdict| self.verdicts().filter(|&own| own == verdict).count();
        let bounded = |earlier: &&Earlier| earlier.verdict == Verdict::Safe && !earlier.exhaustive;
        Totals {
            safe: count(Verdict::Safe),
            bounded: self.methods.iter().filter(|method| is_bounded(method)).count()
                + self.earlier.iter().filter(bounded).count(),
            violating: count(Verdict::Unsafe),
            undecided: count(Verdict::Undecided),
        }
    }

    /// Whether something is not known.
    pub(crate) fn is_open(&self) -> bool {
        self.interrupted
            || !self.unloaded.is_empty()
            || self.verdicts().any(|verdict| verdict == Verdict::Undecided)
    }

    /// Whether a "safe" rests on something that was assumed, or speaks of less than by default.
    pub(crate) fn is_conditional(&self) -> bool {
        let earlier = self.earlier.iter().map(|one| (one.verdict, &one.assumptions));
        let methods = self.methods.iter().map(|one| (one.verdict, &one.assumptions));
        self.narrowed_by().is_some()
            || methods
                .chain(earlier)
                .any(|(verdict, assumptions)| verdict == Verdict::Safe && !assumptions.is_empty())
    }

    fn verdicts(&self) -> impl Iterator<Item = Verdict> {
        let earlier = self.earlier.iter().map(|earlier| earlier.verdict);
        self.methods.iter().map(|method| method.verdict).chain(earlier)
    }

    /// How many violations there are, and how many of them happened again.
    pub(crate) fn found(&self) -> [u64; 2] {
        let confirmed = |violation: &&Violation| violation.outcome.replay == Replay::Confirmed;
        let earlier = |count: fn(&Earlier) -> usize| self.earlier.iter().map(count).sum::<usize>();
        let all = self.violations().count() + earlier(|earlier| earlier.violations);
        let again =
            self.violations().filter(confirmed).count() + earlier(|earlier| earlier.confirmed);
        [all as u64, again as u64]
    }

    /// All violations that were found now.
    pub fn violations(&self) -> impl Iterator<Item = &Violation> {
        self.methods.iter().flat_map(|method| &method.violations)
    }

    /// What was assumed for any of the methods, each once.
    pub fn assumptions(&self) -> BTreeSet<&str> {
        let earlier = self.earlier.iter().flat_map(|earlier| &earlier.assumptions);
        let methods = self.methods.iter().flat_map(|method| &method.assumptions);
        methods.chain(earlier).map(String::as_str).collect()
    }

    /// Who narrowed what is looked for to fewer kinds than by default, if somebody did.
    pub(crate) fn narrowed_by(&self) -> Option<&str> {
        let is_narrow = !words::not_looked_for(&self.config).is_empty();
        is_narrow.then(|| self.violations_from.as_deref().unwrap_or("--violations"))
    }

    /// Whether there is a violation that happened again; if nobody wanted to see that, whether there is
    /// one at all.
    pub fn is_violated(&self) -> bool {
        let replays = self.config.replay;
        let counts = |violation: &Violation| match violation.outcome.replay {
            Replay::Confirmed => true,
            Replay::Refuted => false,
            Replay::Off => !replays,
        };
        let happened = |earlier: &Earlier| {
            earlier.confirmed > 0 || (!replays && earlier.violations > earlier.refuted)
        };
        self.violations().any(counts) || self.earlier.iter().any(happened)
    }

    /// Everything that shows that dalang itself is wrong.
    pub fn defects(&self) -> Vec<Defect> {
        let earlier = self.earlier.iter().flat_map(Earlier::defects);
        self.methods.iter().flat_map(defects).chain(earlier).collect()
    }

    /// Why paths were given up, the reason that concerns most methods first.
    pub(crate) fn reasons(&self) -> Vec<Reason> {
        let mut by_reason: BTreeMap<(StopKind, &str), (u64, u64)> = BTreeMap::new();
        let earlier = self.earlier.iter().flat_map(|earlier| &earlier.stops);
        for stop in self.methods.iter().flat_map(|method| &method.stops).chain(earlier) {
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

impl Earlier {
    /// What it says against dalang.
    fn defects(&self) -> Vec<Defect> {
        let defect = |what: String| Defect { method: self.method.clone(), what };
        let bugs = self.stops.iter().filter(|stop| stop.kind == StopKind::Bug);
        let refuted = (0..self.refuted)
            .map(|_| defect("a violation did not happen when it was executed again".to_owned()));
        bugs.map(|stop| defect(stop.detail.clone())).chain(refuted).collect()
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
    let bugs =
        bugs.map(|stop| defect(format!("{} ({})", stop.detail, words::count(stop.count, "time"))));
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
        let paths = words::count(strays as u64, "path");
        defect(format!("{paths} did not go the same way when executed again"))
    });
    bugs.chain(refuted).chain(strays).collect()
}
