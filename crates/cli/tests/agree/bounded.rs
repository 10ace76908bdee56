//! The bounds on input objects leave the same inputs under every policy: on random programs over small
//! families of classes, the same violations are found within them.
//!
//! What is compared are violations, by line and kind. Under `--n` all five policies must agree. Under `--k`
//! lazy initialization may find fewer, because what it reads is an object at once, be it used or not
//! (D6 of `docs/semantics/lazy.md`); the other four must agree.

use crate::random::Random;
use dalang_classes::path::{ClassPath, Jdk, Library, compile};
use dalang_classes::{MethodId, Program};
use dalang_explore::{Config, Entry, Explorer, Replay, StopKind, View, Watch};
use dalang_heap::policy::Policy;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

const FAMILIES: u64 = 24;
/// More paths than these are not looked at.
const MOST: u64 = 1500;
const LIMIT: Duration = Duration::from_mins(1);

/// A program over a family of classes: an abstract class, classes below it, and a method.
struct Family {
    class: String,
    source: String,
}

struct Writer<'a> {
    random: &'a mut Random,
    class: &'a str,
    text: String,
    asserts: u32,
}

const VARIABLES: [&str; 3] = ["p", "q", "r"];

impl Writer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(depth));
    }

    fn variable(&mut self) -> &'static str {
        VARIABLES[self.random.below(VARIABLES.len())]
    }

    fn condition(&mut self) -> String {
        let (x, y, class) = (self.variable(), self.variable(), self.class);
        match self.random.below(9) {
            0 => format!("{x} != null"),
            1 => format!("{x} == {y}"),
            2 => format!("{x} != {y}"),
            3 => format!("{x} instanceof {class}A"),
            4 => format!("{x} instanceof {class}B"),
            5 => format!("{x} != null && {x}.v > {}", self.random.below(3)),
            6 => format!("{x} != null && {x}.left == {y}"),
            7 => format!("{x} != null && {x}.right != null && {x}.right != {y}"),
            _ => format!("{x} instanceof {class}A && (({class}A) {x}).peer != null"),
        }
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..=self.random.below(2) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        let (x, y) = (self.variable(), self.variable());
        let side = ["left", "right"][self.random.below(2)];
        match self.random.below(8) {
            0..=3 if depth < 6 => {
                let condition = self.condition();
                self.line(depth, &format!("if ({condition}) {{"));
                self.block(depth + 1);
                self.line(depth, "} else {");
                self.block(depth + 1);
                self.line(depth, "}");
            }
            4 => self.line(depth, &format!("if ({x} != null) r = {x}.{side};")),
            5 => self.line(depth, &format!("if ({x} != null) {x}.{side} = {y};")),
            _ => {
                self.asserts += 1;
                let condition = self.condition();
                self.line(depth, &format!("assert !({condition});"));
            }
        }
    }
}

/// The family of a seed.
fn family(seed: u64) -> Family {
    let mut random = Random::new(seed);
    let class = format!("F{seed}");
    let mut writer = Writer { random: &mut random, class: &class, text: String::new(), asserts: 0 };
    while writer.asserts < 4 {
        writer.statement(2);
    }
    let body = writer.text;
    let source = format!(
        "abstract class {class} {{\n    {class} left, right; int v;\n    static void run({class} p, \
         {class} q, {class}A a) {{\n        {class} r = a;\n{body}    }}\n}}\nfinal class {class}A \
         extends {class} {{ {class}A peer; }}\nclass {class}B extends {class} {{ }}\nclass {class}C \
         extends {class}B {{ int w; }}\n"
    );
    Family { class, source }
}

/// What a policy finds within bounds: violations by line and kind; none if something else ended paths.
type Found = Option<BTreeSet<(u32, &'static str)>>;

fn found(
    program: &Program,
    family: &Family,
    intrinsics: &dalang_intrinsics::Library,
    config: &Config,
    feature: u16,
) -> Found {
    let own = ["", "A", "B", "C"].map(|end| format!("{}{end}", family.class));
    let class = program.load(&family.class).unwrap();
    let is_run = |&id: &MethodId| program.names().text(program.method(id).name) == "run";
    let method = program.class(class).methods().find(is_run).unwrap();
    let view = View::new(program, &own, &[]);
    let mut explorer = Explorer::new(program, intrinsics, &view, config, feature).unwrap();
    let result = explorer.explore(Entry::Method(method), &Watch::default());
    if result.stops.iter().any(|stop| !matches!(stop.kind, StopKind::N | StopKind::K)) {
        return None;
    }
    for violation in &result.violations {
        assert_eq!(violation.outcome.replay, Replay::Confirmed, "{}", family.source);
    }
    let violations = result.violations.iter();
    let place = |violation: &dalang_explore::Violation| {
        let line = violation.outcome.at.as_ref().and_then(|at| at.line).unwrap_or(0);
        (line, violation.kind.name())
    };
    Some(violations.map(place).collect())
}

#[test]
fn bounds_on_objects_leave_the_same_inputs_under_every_policy() {
    let mut jdks = Jdk::installed();
    jdks.extend(Jdk::find(None).ok());
    let jdk = jdks.into_iter().find(|jdk| jdk.feature >= 17 && jdk.javac().is_some());
    let jdk = jdk.expect("no JDK 17 or later with a compiler found");
    let folder = TempDir::new().unwrap();
    let families: Vec<Family> = (0..FAMILIES).map(family).collect();
    let source = folder.path().join("All.java");
    let all: String = families.iter().map(|family| family.source.as_str()).collect();
    std::fs::write(&source, all).unwrap();
    let none: [PathBuf; 0] = [];
    let classes = folder.path().join("classes");
    compile(&jdk, &[source], &none, &classes).unwrap();
    let path = ClassPath::open(&[&classes], jdk.feature).unwrap();
    let program = Program::new(Library::open(&jdk).unwrap(), path).unwrap();
    let intrinsics = dalang_intrinsics::Library::new();
    let (mut compared, mut violations, mut wrong) = (0, 0, Vec::new());
    for family in &families {
        for (k, n) in [(None, Some(1)), (None, Some(2)), (Some(1), None), (Some(1), Some(1))] {
            let mut sets = Vec::new();
            for policy in Policy::ALL {
                let config = Config {
                    policy,
                    k,
                    n,
                    paths: Some(MOST),
                    time: Some(LIMIT),
                    given: vec![StopKind::K, StopKind::N],
                    ..Config::default()
                };
                if let Some(set) = found(&program, family, &intrinsics, &config, jdk.feature) {
                    sets.push((policy, set));
                }
            }
            compared += usize::from(sets.len() == Policy::ALL.len());
            let Some((_, last)) = sets.last() else { continue };
            violations += last.len();
            for (policy, set) in &sets {
                let agrees = match k {
                    Some(_) if *policy == Policy::Lazy => set.is_subset(last),
                    _ => set == last,
                };
                if !agrees {
                    wrong.push(format!(
                        "{} with k {k:?}, n {n:?}: {} finds {set:?}, pose {last:?}\n{}",
                        family.class,
                        policy.name(),
                        family.source
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} disagreements:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared >= 4 * FAMILIES as usize * 3 / 4, "only {compared} were compared");
    assert!(violations > 100, "only {violations} violations were compared");
}
