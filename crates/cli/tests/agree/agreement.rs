//! Every policy finds the same program paths, concrete runs fall on them, and witnesses go their
//! way.

use crate::generate::{self, Generated, Kind};
use crate::inputs;
use crate::jvm;
use crate::random::Random;
use crate::values;
use crate::ways::repeated;
use dalang_classes::code::Instruction;
use dalang_classes::path::{ClassPath, Jdk, Library, compile};
use dalang_classes::{MethodId, Program};
use dalang_explore::{
    ConcreteRun, Config, Entry, Exploration, Explorer, Replay, StopKind, View, Watch, Witness,
};
use dalang_heap::policy::Policy;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// The longest that an exploration may take; a slow one drops out of the comparison.
const LIMIT: Duration = Duration::from_secs(20);

const PROGRAMS: u64 = 500;
const VALUES: u64 = 100;
const RUNS: usize = 8;
/// More paths than these are not looked at.
const MOST: u64 = 2500;
/// How many programs are run by a JVM as well.
const SAMPLE: u64 = 20;

/// The programs, compiled at once.
struct Workshop {
    jdk: Jdk,
    folder: TempDir,
    programs: Vec<Generated>,
}

impl Workshop {
    fn new(seeds: impl Iterator<Item = u64>, program: fn(u64) -> Generated) -> Self {
        let mut jdks = Jdk::installed();
        jdks.extend(Jdk::find(None).ok());
        let jdk = jdks.into_iter().find(|jdk| jdk.feature >= 17 && jdk.javac().is_some());
        let jdk = jdk.expect("no JDK 17 or later with a compiler found");
        let folder = TempDir::new().unwrap();
        let programs: Vec<Generated> = seeds.map(program).collect();
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
/// bounds on arrays and strings, or if one does not end.
fn paths(found: &Exploration) -> Option<BTreeMap<Path, Option<Witness>>> {
    let is_allowed = |kind| matches!(kind, StopKind::Array | StopKind::String);
    if found.stops.iter().any(|stop| !is_allowed(stop.kind)) || found.paths.diverging > 0 {
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
            paths: Some(MOST),
            time: Some(LIMIT),
            outcomes: true,
            retrace: true,
            ..Config::default()
        };
        Explorer::new(self.program, intrinsics, &self.view, &config, self.feature).unwrap()
    }

    /// What is wrong with the program's exploration, if anything is.
    fn check(
        &self,
        intrinsics: &'a dalang_intrinsics::Library,
        tally: &mut Tally,
        optimal: bool,
    ) -> Vec<String> {
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
            // What was not executed again for want of time proves nothing either way.
            let late = found.statistics.time_ms >= LIMIT.as_secs_f64() * 1e3;
            let is_wrong =
                |replay: Replay| replay == Replay::Refuted || (replay == Replay::Off && !late);
            for outcome in found.outcomes.iter().filter(|o| is_wrong(o.replay)) {
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
            if optimal && policy.is_optimal() && !self.may_divide(policy) {
                tally.undivided += 1;
                let name = policy.name();
                let divided = repeated(&found).into_iter();
                wrong.extend(divided.map(|path| format!("{name} divides a path: {path}")));
            }
            let Some(paths) = paths(&found) else {
                tally.stopped += 1;
                continue;
            };
            wrong.extend(
                self.run(&mut explorer, &paths, tally).map(|w| format!("{}: {w}", policy.name())),
            );
            sets.push((policy, paths));
        }
        tally.whole += usize::from(sets.len() == Policy::ALL.len());
        for pair in sets.windows(2) {
            wrong.extend(difference(&pair[0], &pair[1]));
            wrong.extend(difference(&pair[1], &pair[0]));
        }
        wrong
    }

    /// Whether a policy may have a path of the program twice.
    fn may_divide(&self, policy: Policy) -> bool {
        let inputs = || self.generated.fields.iter().chain(&self.generated.parameters);
        let has = |wanted: &[Kind]| inputs().any(|(_, kind)| wanted.contains(kind));
        // An array that is used may be the location of an `Object`, which must then be known to be an
        // array of numbers or of references, because its elements are kept in one way only.
        let asks_for_kind =
            policy == Policy::Summary && has(&[Kind::Object]) && has(&[Kind::Ints, Kind::Nodes]);
        asks_for_kind || self.has_idle_branch()
    }

    /// Whether the program has a branch that leads to the next instruction either way, as `javac`
    /// makes it of `x != null || true`. The machine decides it like any other, and no trace shows
    /// which way it went.
    fn has_idle_branch(&self) -> bool {
        let idle = |id: MethodId| {
            let code = self.program.code(id).unwrap();
            let instructions = code.iter().flat_map(|code| code.instructions.iter());
            instructions.enumerate().any(|(place, instruction)| match *instruction {
                Instruction::If(_, target)
                | Instruction::IfInts(_, target)
                | Instruction::IfSame(target)
                | Instruction::IfDifferent(target)
                | Instruction::IfNull(target)
                | Instruction::IfNonNull(target) => usize::from(target) == place + 1,
                _ => false,
            })
        };
        let classes = [self.generated.class.clone(), self.generated.subclass()];
        classes.iter().any(|class| {
            let class = self.program.load(class).unwrap();
            self.program.class(class).methods().any(idle)
        })
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
    /// Programs of which every policy has found all paths.
    whole: usize,
    /// Explorations that were stopped.
    stopped: usize,
    /// Explorations that were looked through for a program path that was found twice.
    undivided: usize,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.paths += other.paths;
        self.runs += other.runs;
        self.whole += other.whole;
        self.stopped += other.stopped;
        self.undivided += other.undivided;
    }
}

#[test]
fn policies_and_runs_agree_on_random_programs() {
    agree(generate::program, PROGRAMS, Some(90));
}

#[test]
fn policies_and_runs_agree_on_boxes_and_strings() {
    // Boxes and strings are compared by the library, whose branches a trace leaves out, and which of
    // two is meant by a comparison of references is decided before.
    agree(values::program, VALUES, None);
}

/// Checks programs; `optimal` is how many of 100 are at least to be looked through for a program path
/// that a policy has divided although it should not divide any.
fn agree(program: fn(u64) -> Generated, count: u64, optimal: Option<u64>) {
    let (first, count) = match std::env::var("DALANG_SEED").ok().and_then(|s| s.parse().ok()) {
        Some(seed) => (seed, 1),
        None => (0, count),
    };
    let workshop = Workshop::new(first..first + count, program);
    let program = workshop.program();
    let intrinsics = dalang_intrinsics::Library::new();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut tally = Tally::default();
        let mut failures: Vec<(usize, Vec<String>)> = Vec::new();
        while let number = next.fetch_add(1, Ordering::Relaxed)
            && let Some(generated) = workshop.programs.get(number)
        {
            let subject = Subject::new(generated, &program, workshop.jdk.feature);
            let wrong = subject.check(&intrinsics, &mut tally, optimal.is_some());
            if !wrong.is_empty() {
                failures.push((number, wrong));
            }
        }
        (tally, failures)
    };
    let (tally, mut failures) = std::thread::scope(|scope| {
        let other = scope.spawn(work);
        let (mut tally, mut failures) = work();
        let (more, others) = other.join().unwrap();
        tally.add(&more);
        failures.extend(others);
        (tally, failures)
    });
    println!("{tally:?}");
    failures.sort();
    let line = |(number, wrong): &(usize, Vec<String>)| {
        format!("{}: {}", workshop.programs[*number].class, wrong[0])
    };
    let text: Vec<String> = failures.iter().map(line).collect();
    if let Some((number, wrong)) = failures.first() {
        let source = &workshop.programs[*number].source;
        let (text, wrong) = (text.join("\n"), wrong.join("\n"));
        panic!("{text}\n{} programs; the first:\n{source}\n{wrong}", failures.len());
    }
    // Were too many stopped, this would test little.
    assert!(count == 1 || tally.whole as u64 * 100 >= count * 95, "{tally:?}");
    // Two policies are looked through.
    let share = optimal.unwrap_or(0);
    assert!(count == 1 || tally.undivided as u64 * 50 >= count * share, "{tally:?}");
}

/// What a run gives, as the Java program prints it.
fn printed(run: &ConcreteRun) -> String {
    match (&run.exception, &run.value) {
        (Some(exception), _) => exception.clone(),
        (None, Some(value)) => value.trim_start_matches("Int(").trim_end_matches(')').to_owned(),
        (None, None) => "nothing".to_owned(),
    }
}

#[test]
fn a_jvm_goes_the_way_of_witnesses() {
    jvm_agrees(generate::program);
}

#[test]
fn a_jvm_tells_boxes_and_strings_apart_as_witnesses_do() {
    jvm_agrees(values::program);
}

fn jvm_agrees(program: fn(u64) -> Generated) {
    let workshop = Workshop::new(1000..1000 + SAMPLE, program);
    let program = workshop.program();
    let intrinsics = dalang_intrinsics::Library::new();
    let mut cases: Vec<(Witness, String)> = Vec::new();
    for generated in &workshop.programs {
        let subject = Subject::new(generated, &program, workshop.jdk.feature);
        let mut explorer = subject.explorer(Policy::LazierSharp, &intrinsics);
        let entry = Entry::Method(subject.method);
        let found = explorer.explore(entry, &Watch::default());
        for outcome in found.outcomes.iter().take(15) {
            let witness = outcome.witness.clone().unwrap();
            let run = explorer.run_on(entry, &witness).unwrap();
            assert_eq!(run.exception, outcome.exception, "{}", generated.source);
            cases.push((witness, printed(&run)));
        }
    }
    assert!(cases.len() > 100, "only {} cases", cases.len());
    let witnesses: Vec<&Witness> = cases.iter().map(|(witness, _)| witness).collect();
    let classes = workshop.folder.path().join("classes");
    let source = workshop.folder.path().join("Driver.java");
    std::fs::write(&source, jvm::driver(&witnesses)).unwrap();
    compile(&workshop.jdk, &[source], std::slice::from_ref(&classes), &classes).unwrap();
    let java = workshop.jdk.home.join("bin/java");
    let output = Command::new(java).arg("-cp").arg(&classes).arg("Driver").output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines.len(), cases.len(), "{}", String::from_utf8_lossy(&output.stderr));
    for (line, (witness, expected)) in lines.iter().zip(&cases) {
        assert_eq!(line, expected, "{witness:?}");
    }
}
