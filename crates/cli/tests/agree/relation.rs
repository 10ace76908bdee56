//! Summaries represent exactly the lazily initialized states, on random Javalite programs, and on random
//! Java programs with subclasses.
//!
//! # The relation
//! [Summaries] Def. 16: a summary `s` represents a lazy state `g` if control is the same and there is a
//! homomorphism `h` (Def. 14) from the locations of `g` to those of `s`, such that the condition of `s` can
//! hold together with the guards (Def. 15) under which a field of `h(l)` leads to `h(l')` where that field
//! of `l` leads to `l'`. Theorem 11 and Corollaries 12 and 13: the program paths are the same, each has one
//! summary, and that represents all lazy states of its path and nothing else.
//!
//! # How it is decided
//! Control is the fingerprint of the path (branches, calls, exceptions), the ending and the result.
//! Of `g`, `h` is given by the ways to objects (`bridge.rs`): the lazy state says which inputs are null
//! and which are the same object, and the oldest location of the summary that one of them owns stands
//! for it. That, the classes that the lazy state has left to an object, and its own condition on truth
//! values, put in the summary's symbols, are `C(g)`. The constraint of Def. 15 is then that the ends are the same (`compare.rs`): walked at once from
//! the input objects and the result, they have the same nulls, the same sharing and the same truth values,
//! as terms; a field that the lazy state has not read or written is untouched in the summary, and what
//! the lazy state leaves open is the input there as well, with all its locations.
//!
//! - (a) Of every lazy state `g`, the summary's condition and `C(g)` hold together, and the ends are the same
//!   under the values that the solver gives. Beyond Def. 16, which asks for one assignment: `C(g)` implies
//!   the summary's condition and that the ends are the same, for all references that their types allow. So
//!   nothing depends on what `g` leaves open, and all heaps of `g` are in the summary.
//! - (b) Heaps are taken from the summary: values under which its condition holds, with aliases, nulls
//!   and truth values as random wishes have them. Among the lazy states of the path is one that is like
//!   it, before the run and at the end; so are then all heaps that are like it before the run. They are
//!   excluded, and the next heap is taken, until there is none left (then nothing but lazy states is in
//!   the summary) or there were enough.
//!
//! References that a summary has not used are compared with nothing, and what their types say of them
//! is assumed. That a location is vacant is taken from the engine: later inputs are then no aliases of
//! it, and were one of them, the ends would differ. There are no arrays, boxes, strings or enums, so this
//! says nothing about their rules.

use crate::javalite::{self, jdk};
use crate::random::Random;
use dalang_classes::path::{ClassPath, Library, compile};
use dalang_classes::{MethodId, Program};
use dalang_explore::{Config, Entry, Explorer, StopKind, View, Watch};
use dalang_heap::policy::Policy;
use dalang_solver::Solver;
use dalang_term::Pool;
use side::Side;
use snapshot::{Path, Snapshot};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tempfile::TempDir;

mod bridge;
mod compare;
mod family;
mod side;
mod snapshot;

/// How many programs are compared.
const PROGRAMS: u64 = 400;
/// How many of those are that have subclasses.
const FAMILIES: u64 = 150;
/// A program with more lazy paths than these is left out.
const MOST: u64 = 600;

#[derive(Default, Debug)]
struct Tally {
    /// Programs that were compared.
    programs: usize,
    /// Summaries, and those that stand for more than one lazy state.
    summaries: usize,
    proper: usize,
    /// Lazy states that were looked for in their summary.
    lazy: usize,
    /// The most of a summary.
    most: usize,
    /// What was compared between a lazy state and its summary, where it is not plain.
    claims: usize,
    /// Heaps of summaries that were looked for among lazy states.
    samples: usize,
    /// Summaries of which none is left.
    exhausted: usize,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.programs += other.programs;
        self.summaries += other.summaries;
        self.proper += other.proper;
        self.lazy += other.lazy;
        self.most = self.most.max(other.most);
        self.claims += other.claims;
        self.samples += other.samples;
        self.exhausted += other.exhausted;
    }
}

/// A program.
struct Subject<'a> {
    text: &'a str,
    program: &'a Program,
    view: &'a View,
    method: MethodId,
}

/// The states in which an exploration's paths end, and whether these are all.
fn ends(
    subject: &Subject<'_>,
    policy: Policy,
    intrinsics: &dalang_intrinsics::Library,
    feature: u16,
) -> (Pool, Vec<Snapshot>, bool) {
    let config = Config {
        policy,
        paths: Some(MOST),
        time: Some(Duration::from_secs(20)),
        replay: false,
        // All ends are shown all the same, by one of them.
        jobs: 2,
        ..Config::default()
    };
    let mut explorer =
        Explorer::new(subject.program, intrinsics, subject.view, &config, feature).unwrap();
    let (mut pool, mut ends) = (Pool::new(), Vec::new());
    let found =
        explorer.explore_ends(Entry::Method(subject.method), &Watch::default(), &mut |end| {
            ends.push(Snapshot::new(subject.program, end, &mut pool));
        });
    let wrong = found.stops.iter().find(|stop| stop.kind != StopKind::Paths);
    assert!(wrong.is_none(), "{policy:?}: {wrong:?}\n{}", subject.text);
    assert_eq!(ends.len() as u64, found.paths.completed(), "not every end was shown");
    (pool, ends, found.exhaustive)
}

/// The lazy states and the summaries of a program.
struct Pair {
    from: Pool,
    lazy: BTreeMap<Path, Vec<Snapshot>>,
    pool: Pool,
    summaries: BTreeMap<Path, Snapshot>,
    solver: Solver,
}

impl Pair {
    /// None if there are too many paths.
    fn new(
        subject: &Subject<'_>,
        intrinsics: &dalang_intrinsics::Library,
        feature: u16,
    ) -> Option<Self> {
        let (from, all, whole) = ends(subject, Policy::Lazy, intrinsics, feature);
        if !whole {
            return None;
        }
        let mut lazy: BTreeMap<Path, Vec<Snapshot>> = BTreeMap::new();
        for state in all {
            lazy.entry(state.path.clone()).or_default().push(state);
        }
        let (pool, all, whole) = ends(subject, Policy::Summary, intrinsics, feature);
        assert!(whole, "more summaries than lazy states\n{}", subject.text);
        let mut summaries = BTreeMap::new();
        for state in all {
            // Corollary 13.
            let other = summaries.insert(state.path.clone(), state);
            assert!(other.is_none(), "a path has two summaries\n{}", subject.text);
        }
        Some(Self { from, lazy, pool, summaries, solver: Solver::default() })
    }

    fn check(&mut self, random: &mut Random, tally: &mut Tally) -> Result<(), String> {
        // Corollary 12.
        let paths = |of: Vec<&Path>| of.into_iter().cloned().collect::<Vec<_>>();
        let (lazy, summaries) =
            (paths(self.lazy.keys().collect()), paths(self.summaries.keys().collect()));
        if lazy != summaries {
            return Err(format!("the paths differ: {lazy:?} lazily, {summaries:?}"));
        }
        for path in lazy {
            let (lazy, summary) = (&self.lazy[&path], &self.summaries[&path]);
            let mut side = Side {
                from: &self.from,
                lazy,
                pool: &mut self.pool,
                summary,
                solver: &mut self.solver,
                typing: None,
            };
            for state in lazy {
                tally.claims += side.is_represented(state)?;
            }
            let (samples, exhausted) = side.sample(random)?;
            tally.samples += samples;
            tally.exhausted += usize::from(exhausted);
            tally.summaries += 1;
            tally.proper += usize::from(lazy.len() > 1);
            tally.lazy += lazy.len();
            tally.most = tally.most.max(lazy.len());
        }
        tally.programs += 1;
        Ok(())
    }
}

/// How many of 100 it must be at least.
#[derive(Clone, Copy)]
struct Least {
    /// Programs that do not have too many paths.
    programs: u64,
    /// Summaries of which no heap is left.
    exhausted: u64,
}

/// Checks the programs of many seeds, or of the one that was asked for, on two threads. `check` takes
/// a seed; a program with too many paths is left out.
fn all(count: u64, least: Least, check: impl Fn(u64, &mut Tally) + Sync) {
    let (first, count) = match std::env::var("DALANG_SEED").ok().and_then(|s| s.parse().ok()) {
        Some(seed) => (seed, 1),
        None => (0, count),
    };
    let next = AtomicU64::new(first);
    let work = || {
        let mut tally = Tally::default();
        while let seed = next.fetch_add(1, Ordering::Relaxed)
            && seed < first + count
        {
            check(seed, &mut tally);
        }
        tally
    };
    let tally = std::thread::scope(|scope| {
        let other = scope.spawn(work);
        let mut tally = work();
        tally.add(&other.join().unwrap());
        tally
    });
    println!("{tally:?}");
    // Were too many left out, or most of them trivial, this would test little.
    let share = |part: usize, of: usize| part as u64 * 100 / of.max(1) as u64;
    assert!(count == 1 || share(tally.programs, count as usize) >= least.programs, "{tally:?}");
    assert!(count == 1 || share(tally.proper, tally.summaries) >= 50, "{tally:?}");
    assert!(count == 1 || tally.lazy > tally.summaries * 3, "{tally:?}");
    assert!(count == 1 || share(tally.exhausted, tally.summaries) >= least.exhausted, "{tally:?}");
}

fn check(
    subject: &Subject<'_>,
    seed: u64,
    intrinsics: &dalang_intrinsics::Library,
    feature: u16,
    tally: &mut Tally,
) {
    let Some(mut pair) = Pair::new(subject, intrinsics, feature) else { return };
    if let Err(why) = pair.check(&mut Random::new(seed), tally) {
        panic!("seed {seed}: {why}\n{}", subject.text);
    }
}

#[test]
fn a_summary_represents_the_lazy_states_of_its_path_and_no_others() {
    let (jdk, folder) = (jdk(), TempDir::new().unwrap());
    let intrinsics = dalang_intrinsics::Library::new();
    all(PROGRAMS, Least { programs: 95, exhausted: 75 }, |seed, tally| {
        let javalite::Subject { text, program, view, method } =
            &javalite::Subject::new(&jdk, &folder, seed);
        let subject = Subject { text, program, view, method: *method };
        check(&subject, seed, &intrinsics, jdk.feature, tally);
    });
}

#[test]
fn a_summary_represents_lazy_states_of_families_of_classes() {
    let (jdk, folder) = (jdk(), TempDir::new().unwrap());
    let intrinsics = dalang_intrinsics::Library::new();
    let own = std::env::var("DALANG_SEED").ok().and_then(|s| s.parse().ok());
    let seeds = own.map_or(0..FAMILIES, |seed: u64| seed..seed + 1);
    let source = folder.path().join("All.java");
    std::fs::write(&source, seeds.map(family::program).collect::<String>()).unwrap();
    let (none, classes): ([PathBuf; 0], _) = ([], folder.path().join("classes"));
    compile(&jdk, &[source], &none, &classes).unwrap();
    let path = ClassPath::open(&[classes], jdk.feature).unwrap();
    let program = Program::new(Library::open(&jdk).unwrap(), path).unwrap();
    all(FAMILIES, Least { programs: 85, exhausted: 50 }, |seed, tally| {
        let names = family::classes(seed);
        let class = program.load(&names[0]).unwrap();
        let is_run = |&id: &MethodId| program.names().text(program.method(id).name) == "run";
        let method = program.class(class).methods().find(is_run).unwrap();
        let (text, view) = (&family::program(seed), &View::new(&program, &names, &[]));
        let subject = Subject { text, program: &program, view, method };
        check(&subject, seed, &intrinsics, jdk.feature, tally);
    });
}
