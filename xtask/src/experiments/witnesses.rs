//! Every path of every program in `subjects`: its witness goes its way, no program path is found
//! twice by the policies that do not divide paths, and all that lazier# finds are found.
//!
//! Every method that others can call is explored on all inputs, with at most 1, 2, ... objects of a
//! class and elements of an array (n), or with chains of at most 1, 2, ... references (k), as long as
//! an exploration ends within the limit.

use super::Arguments;
use crate::ways::{COMPARING, FOLLOWED, is_too_large, is_whole, missing, repeated, strays};
use crate::workshop::Workshop;
use anyhow::anyhow;
use dalang_classes::MethodId;
use dalang_explore::{Config, Exploration, Replay, StopKind};
use dalang_heap::Policy;
use serde::Serialize;
use std::fmt::Write;
use std::thread;
use std::time::Duration;

const POLICIES: [Policy; 2] = [Policy::Pose, Policy::Summary];
/// Terms can be deep, and some of what walks them calls itself.
const STACK: usize = 256 << 20;

#[derive(clap::Args)]
pub struct Options {
    /// Only methods whose name has this in it, such as `library` or `TreeMap`
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// The largest n
    #[arg(long, value_name = "N", default_value_t = 9)]
    n: u32,
    /// The largest k
    #[arg(long, value_name = "K", default_value_t = 3)]
    k: u32,
}

/// What is bounded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    N,
    K,
}

impl Bound {
    const fn name(self) -> &'static str {
        match self {
            Self::N => "n",
            Self::K => "k",
        }
    }
}

/// One exploration, looked through.
#[derive(Clone, Serialize)]
struct Row {
    method: String,
    policy: &'static str,
    bound: &'static str,
    size: u32,
    complete: u64,
    stops: String,
    confirmed: usize,
    strays: usize,
    repeated: usize,
    /// The paths of lazier#, if it has come to an end, and neither of the two was stopped by anything
    /// but bounds on the heap.
    lazier_sharp: Option<u64>,
    /// Program paths that only one of the two has.
    different: usize,
    seconds: f64,
}

pub fn run(arguments: &Arguments, options: &Options) -> anyhow::Result<Vec<String>> {
    thread::scope(|scope| {
        let work = || {
            let workshop = Workshop::open(arguments.jdk.as_deref())?;
            let limit = Duration::from_secs_f64(arguments.limit);
            let (rows, findings) = (Vec::new(), Vec::new());
            Experiment { workshop, limit, rows, findings }.run(options, arguments.json)
        };
        let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)?;
        worker.join().map_err(|_| anyhow!("the exploration panicked"))?
    })
}

struct Experiment {
    workshop: Workshop,
    limit: Duration,
    rows: Vec<Row>,
    findings: Vec<String>,
}

impl Experiment {
    fn run(mut self, options: &Options, json: bool) -> anyhow::Result<Vec<String>> {
        for (name, method) in self.workshop.methods()? {
            // What is beside the checks of a collection asks the machine about its private fields.
            let is_program = !name.starts_with("library.") || name.contains("Checks.check");
            if !is_program || !name.contains(&options.only) {
                continue;
            }
            for (bound, most) in [(Bound::N, options.n), (Bound::K, options.k)] {
                self.sweep(&name, method, bound, most)?;
            }
        }
        if json {
            println!("{}", serde_json::to_string_pretty(&self.rows)?);
        } else {
            self.print();
        }
        Ok(self.findings)
    }

    /// Explores a method with larger and larger bounds, each policy as far as it comes.
    fn sweep(
        &mut self,
        name: &str,
        method: MethodId,
        bound: Bound,
        most: u32,
    ) -> anyhow::Result<()> {
        let mut going = POLICIES.to_vec();
        let mut last = None;
        let mut lazy = None;
        for size in 1..=most {
            if going.is_empty() {
                break;
            }
            eprintln!("{name} {}={size}", bound.name());
            // What has not come to an end does not with a larger bound.
            if lazy.as_ref().is_none_or(|found| !is_late(found)) {
                lazy = Some(self.explore(method, bound, size, Policy::LazierSharp)?);
            }
            let mut counts = Vec::new();
            let mut still = Vec::new();
            for policy in going {
                let found = self.explore(method, bound, size, policy)?;
                // What the time has cut proves nothing; what was found until then still counts.
                let late = is_late(&found);
                let row = self.look_through(name, (bound, size), policy, &found, lazy.as_ref());
                counts.push((row.complete, row.stops.clone()));
                if !late {
                    still.push(policy);
                }
                if !late || size == 1 {
                    self.rows.retain(|old| {
                        (&old.method, old.policy, old.bound) != (&row.method, row.policy, row.bound)
                    });
                    self.rows.push(row);
                }
            }
            going = still;
            // What a larger bound does not change is not bounded by it.
            let now = Some(counts);
            if now == last {
                break;
            }
            last = now;
        }
        Ok(())
    }

    fn explore(
        &self,
        method: MethodId,
        bound: Bound,
        size: u32,
        policy: Policy,
    ) -> anyhow::Result<Exploration> {
        let config = Config {
            policy,
            time: Some(self.limit),
            array: size,
            outcomes: true,
            retrace: true,
            followed: &FOLLOWED,
            ..Config::default()
        };
        let config = match bound {
            Bound::N => Config { n: Some(size), ..config },
            Bound::K => Config { k: Some(size), ..config },
        };
        self.workshop.explore_method(method, config)
    }

    fn look_through(
        &mut self,
        name: &str,
        (bound, size): (Bound, u32),
        policy: Policy,
        found: &Exploration,
        lazy: Option<&Exploration>,
    ) -> Row {
        let late = is_late(found);
        let refuted = |text: &String| !late || !text.starts_with("Off");
        let strays: Vec<String> = strays(found).into_iter().filter(refuted).collect();
        let mut repeated = repeated(found);
        repeated.retain(|path| !is_too_large(name, path));
        let title = format!("{name} {} {}={size}", policy.name(), bound.name());
        // How long a chain is depends on which of two ways to an object is taken (docs/semantics/pose.md,
        // Bounds), so that chains are compared only where an invariant leaves one way.
        let has_invariant = name.contains(".check");
        let lazy = lazy.filter(|lazy| {
            (bound == Bound::N || has_invariant) && is_whole(found) && is_whole(lazy)
        });
        let mut different = Vec::new();
        if let Some(lazy) = lazy {
            different.extend(
                missing(found, lazy).into_iter().map(|path| format!("only lazier# has {path}")),
            );
            // Reading a reference is looking at it to a summary (docs/semantics/summary.md, Bounds).
            let is_known = (policy, bound) == (Policy::Summary, Bound::K)
                || COMPARING.iter().any(|method| is_named(name, method));
            if !is_known {
                different.extend(
                    missing(lazy, found).into_iter().map(|path| format!("lazier# lacks {path}")),
                );
            }
        }
        for (what, paths) in [
            ("a witness strays", &strays),
            ("a path is found twice", &repeated),
            ("the paths differ", &different),
        ] {
            if let Some(first) = paths.first() {
                self.findings.push(format!("{title}: {what} ({} of them): {first}", paths.len()));
            }
        }
        for stop in found.stops.iter().filter(|stop| stop.kind == StopKind::Bug) {
            self.findings.push(format!("{title}: {}", stop.detail));
        }
        Row {
            method: name.to_owned(),
            policy: policy.name(),
            bound: bound.name(),
            size,
            complete: found.paths.completed(),
            stops: stops(found),
            confirmed: found.outcomes.iter().filter(|one| one.replay == Replay::Confirmed).count(),
            strays: strays.len(),
            repeated: repeated.len(),
            lazier_sharp: lazy.map(|lazy| lazy.paths.completed()),
            different: different.len(),
            seconds: found.statistics.time_ms / 1e3,
        }
    }

    fn print(&self) {
        println!(
            "The library of JDK {}; {:.0} s each.\n",
            self.workshop.library(),
            self.limit.as_secs_f64()
        );
        println!(
            "| method | policy | bound | complete paths | confirmed | strays | twice | lazier# | different | stops | s |"
        );
        println!("|{}", "---|".repeat(11));
        for row in &self.rows {
            let lazy = row.lazier_sharp.map_or("-".to_owned(), |paths| paths.to_string());
            println!(
                "| {} | {} | {} = {} | {} | {} | {} | {} | {lazy} | {} | {} | {:.2} |",
                row.method,
                row.policy,
                row.bound,
                row.size,
                row.complete,
                row.confirmed,
                row.strays,
                row.repeated,
                row.different,
                row.stops,
                row.seconds
            );
        }
    }
}

/// Whether a method, spelled with what it takes, has this name.
fn is_named(method: &str, name: &str) -> bool {
    method.strip_prefix(name).is_some_and(|rest| rest.starts_with('('))
}

/// Whether the time was up before the end.
fn is_late(found: &Exploration) -> bool {
    found.stops.iter().any(|stop| stop.kind == StopKind::Time)
}

/// What was given up, by reason.
fn stops(found: &Exploration) -> String {
    let mut text = String::new();
    for stop in &found.stops {
        let comma = if text.is_empty() { "" } else { ", " };
        let _ = write!(text, "{comma}{} {} {}", stop.count, stop.kind.name(), stop.detail);
    }
    text
}
