//! Every policy finds the same program paths, concrete runs fall on them, and witnesses go their
//! way.

use crate::generate::{self, Generated};
use crate::inputs;
use crate::random::Random;
use dalang_classes::path::{ClassPath, Jdk, Library, compile};
use dalang_classes::{MethodId, Program};
use dalang_explore::{
    Config, Entry, Exploration, Explorer, Replay, StopKind, View, Watch, Witness,
};
use dalang_heap::policy::Policy;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

const PROGRAMS: u64 = 500;
const RUNS: usize = 8;

/// The programs, compiled at once.
struct Workshop {
    jdk: Jdk,
    folder: TempDir,
    programs: Vec<Generated>,
}

impl Workshop {
    fn new(seeds: impl Iterator<Item = u64>) -> Self {
        let mut jdks = Jdk::installed();
        jdks.extend(Jdk::find(None).ok());
        let jdk = jdks.into_iter().find(|jdk| jdk.feature >= 17 && jdk.javac().is_some());
        let jdk = jdk.expect("no JDK 17 or later with a compiler found");
        let folder = TempDir::new().unwrap();
        let programs: Vec<Generated> = seeds.map(generate::program).collect();
        let all: String = programs.iter().map(|program| program.source.as_str()).collect();
        let source = folder.path().join("All.java");
        std::fs::write(&source, all).unwrap();
        let none: [PathBuf; 0] = [];
        compile(&jdk, &[source], &none, &folder.path().join("classes")).unwrap();
        Self { jdk, folder, programs }
    }

    fn program(&self) -> Program {
        let path =
            ClassPath::open(&[self.folder.path().join("classes")], self.jdk.feature).unwrap();
        Program::new(Library::open(&self.jdk).unwrap(), path).unwrap()
    }
}

/// A program path: its fingerprint, and how it ends.
type Path = (u64, String);

/// The paths that a policy finds, each with a witness; none if it was stopped by anything but the
/// bound on arrays.
fn paths(found: &Exploration) -> Option<BTreeMap<Path, Option<Witness>>> {
    if found.stops.iter().any(|stop| stop.kind != StopKind::Array) {
        return None;
    }
    let path = |outcome: &dalang_explore::Outcome| {
        let ending = format!("{:?} {:?}", outcome.kind, outcome.exception);
        ((outcome.trace.unwrap(), ending), outcome.witness.clone())
    };
    Some(found.outcomes.iter().map(path).collect())
}

struct Subject<'a> {
    generated: &'a Generated,
    program: &'a Program,
    method: MethodId,
    view: View,
    feature: u16,
}

impl<'a> Subject<'a> {
    fn new(generated: &'a Generated, program: &'a Program, feature: u16) -> Self {
        let own = [generated.class.clone(), generated.subclass()];
        let class = program.load(&generated.class).unwrap();
        let mut methods = program.class(class).methods();
        let is_run = |&id: &MethodId| program.names().text(program.method(id).name) == "run";
        let method = methods.find(is_run).unwrap();
        Self { generated, program, method, view: View::new(program, &own, &[]), feature }
    }

    fn explorer(&self, policy: Policy, intrinsics: &'a dalang_intrinsics::Library) -> Explorer<'a> {
        let config = Config {
            policy,
            array: inputs::LONGEST,
            paths: Some(3000),
            time: Some(Duration::from_secs(20)),
            outcomes: true,
            retrace: true,
            ..Config::default()
        };
        Explorer::new(self.program, intrinsics, &self.view, &config, self.feature).unwrap()
    }

    /// What is wrong with the program's exploration, if anything is.
    fn check(&self, intrinsics: &'a dalang_intrinsics::Library, tally: &mut Tally) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut sets = Vec::new();
        for policy in Policy::ALL {
            let mut explorer = self.explorer(policy, intrinsics);
            let found = explorer.explore(Entry::Method(self.method), &Watch::default());
            for stop in &found.stops {
                if matches!(stop.kind, StopKind::Bug | StopKind::Unsupported | StopKind::Solver) {
                    wrong.push(format!("{}: {:?} {}", policy.name(), stop.kind, stop.detail));
                }
            }
            for outcome in found.outcomes.iter().filter(|o| o.replay != Replay::Confirmed) {
                wrong.push(format!(
                    "{}: {:?}: {:?} {:?} if {} by {:?}",
                    policy.name(),
                    outcome.replay,
                    outcome.kind,
                    outcome.exception,
                    outcome.condition,
                    outcome.witness
                ));
            }
            tally.paths += found.outcomes.len();
            let Some(paths) = paths(&found) else {
                tally.stopped += 1;
                continue;
            };
            wrong.extend(
                self.run(&mut explorer, &paths, tally).map(|w| format!("{}: {w}", policy.name())),
            );
            sets.push((policy, paths));
        }
        for pair in sets.windows(2) {
            tally.compared += 1;
            wrong.extend(difference(&pair[0], &pair[1]));
            wrong.extend(difference(&pair[1], &pair[0]));
        }
        wrong
    }

    /// Concrete runs must be on a path.
    fn run(
        &self,
        explorer: &mut Explorer<'a>,
        paths: &BTreeMap<Path, Option<Witness>>,
        tally: &mut Tally,
    ) -> Option<String> {
        let mut random = Random::new(77);
        for _ in 0..RUNS {
            let inputs = inputs::inputs(self.generated, &mut random);
            let run = match explorer.run_on(Entry::Method(self.method), &inputs) {
                Ok(run) => run,
                Err(why) => return Some(format!("no run: {why} on {inputs:?}")),
            };
            tally.runs += 1;
            let path = (run.trace, format!("{:?} {:?}", run.kind, run.exception));
            if !paths.contains_key(&path) {
                return Some(format!("a run is on no path: {} on {inputs:?}", path.1));
            }
        }
        None
    }
}

type Found = (Policy, BTreeMap<Path, Option<Witness>>);

fn difference(a: &Found, b: &Found) -> Option<String> {
    let (path, witness) = a.1.iter().find(|(path, _)| !b.1.contains_key(path))?;
    let (a, b) = (a.0.name(), b.0.name());
    Some(format!("{a} has a path that {b} has not: {} by {witness:?}", path.1))
}

#[derive(Default, Debug)]
struct Tally {
    paths: usize,
    runs: usize,
    compared: usize,
    stopped: usize,
    time: Duration,
}

#[test]
fn policies_and_runs_agree_on_random_programs() {
    let (first, count) = match std::env::var("DALANG_SEED").ok().and_then(|s| s.parse().ok()) {
        Some(seed) => (seed, 1),
        None => (0, PROGRAMS),
    };
    let workshop = Workshop::new(first..first + count);
    let program = workshop.program();
    let intrinsics = dalang_intrinsics::Library::new();
    let mut tally = Tally::default();
    let mut failures = Vec::new();
    for generated in &workshop.programs {
        let start = std::time::Instant::now();
        let subject = Subject::new(generated, &program, workshop.jdk.feature);
        let wrong = subject.check(&intrinsics, &mut tally);
        let took = start.elapsed();
        tally.time += took;
        if took > Duration::from_secs(2) {
            eprintln!("{} took {took:?}", generated.class);
        }
        if !wrong.is_empty() {
            for wrong in &wrong {
                eprintln!("{}: {wrong}", generated.class);
            }
            failures.push((generated, wrong));
        }
    }
    eprintln!("{tally:?}");
    if let Some((generated, wrong)) = failures.first() {
        panic!(
            "{} failures; the first:\n{}\n{}",
            failures.len(),
            generated.source,
            wrong.join("\n")
        );
    }
}
