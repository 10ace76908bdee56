//! A batch of groups: compiled at once, explored, and run by one JVM.

use super::Plan;
use super::generate::{Group, Method, group};
use super::jvm::{Answers, Orders, drive};
use super::opinion::{Opinion, config};
use super::tally::Tally;
use anyhow::{Context, anyhow};
use dalang_classes::code::Instruction;
use dalang_classes::path::{ClassPath, Jdk, Library, compile};
use dalang_classes::{MethodId, Program};
use dalang_explore::{Entry, Explorer, View, Watch};
use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The driver's classes.
const DRIVER: [(&str, &str); 6] = [
    ("Driver.java", include_str!("java/Driver.java")),
    ("Fuel.java", include_str!("java/Fuel.java")),
    ("Given.java", include_str!("java/Given.java")),
    ("Inputs.java", include_str!("java/Inputs.java")),
    ("Picture.java", include_str!("java/Picture.java")),
    ("World.java", include_str!("java/World.java")),
];

/// What `dalang` sees of the fuel: there is no end of it.
const ENDLESS: &str = "interface Fuel { static void burn() {} }\n";

/// Something that does not hold.
pub struct Finding {
    pub case: u64,
    pub what: String,
    pub method: String,
    pub group: String,
    pub source: String,
    pub opinions: Vec<String>,
}

/// A JDK, and the compiled driver.
pub struct Bench {
    pub jdk: Jdk,
    folder: TempDir,
}

impl Bench {
    pub fn open(jdk: Jdk) -> anyhow::Result<Self> {
        let folder = TempDir::new()?;
        let write = |name: &str, text: &str| -> anyhow::Result<PathBuf> {
            let path = folder.path().join(name);
            fs::write(&path, text)?;
            Ok(path)
        };
        let sources: Result<Vec<PathBuf>, _> =
            DRIVER.iter().map(|(name, text)| write(name, text)).collect();
        compile(&jdk, &sources?, &[], &folder.path().join("driver"))?;
        let fuel = write("Fuel.java", ENDLESS)?;
        compile(&jdk, &[fuel], &[], &folder.path().join("fuel"))?;
        Ok(Self { jdk, folder })
    }

    fn fuel(&self) -> PathBuf {
        self.folder.path().join("fuel")
    }

    /// Looks at some groups.
    pub fn examine(
        &self,
        plan: &Plan,
        numbers: Range<u64>,
    ) -> anyhow::Result<(Tally, Vec<Finding>)> {
        let folder = TempDir::new()?;
        let groups: Vec<Group> = numbers.map(|number| group(plan.seed, number)).collect();
        let classes = folder.path().join("classes");
        let mut sources = Vec::new();
        for group in &groups {
            let path = folder.path().join(format!("{}.java", group.name));
            fs::write(&path, &group.source)?;
            sources.push(path);
        }
        if let Err(error) = compile(&self.jdk, &sources, &[self.fuel()], &classes) {
            let kept = folder.keep();
            return Err(anyhow!(error))
                .context(format!("what does not compile is in {}", kept.display()));
        }
        self.judge(plan, &groups, &classes)
    }

    fn judge(
        &self,
        plan: &Plan,
        groups: &[Group],
        classes: &Path,
    ) -> anyhow::Result<(Tally, Vec<Finding>)> {
        let path = ClassPath::open(&[classes.to_path_buf(), self.fuel()], self.jdk.feature)?;
        let names = path.classes()?;
        let program = Program::new(Library::open(&self.jdk)?, path)?;
        let mut orders = Orders::default();
        let mut subjects = Vec::new();
        let mut witnesses = 0;
        for group in groups {
            let own = |name: &&String| {
                **name == group.name || name.starts_with(&format!("{}$", group.name))
            };
            let own: Vec<String> = names.iter().filter(own).cloned().collect();
            let kept = compiled_stores(&program, &own)?;
            let written: Vec<&str> =
                group.written.iter().copied().filter(|name| kept.contains(*name)).collect();
            orders.group(group, &own, &written);
            for (method, opinions) in self.explore(plan, &program, group, &own)? {
                for shown in opinions.iter().flat_map(|opinion| &opinion.shown) {
                    if let Some(witness) = &shown.witness {
                        orders.run(witnesses, method, witness);
                    }
                    witnesses += 1;
                }
                orders.fuzz(method, plan.inputs, plan.seed);
                subjects.push((group, method, opinions));
            }
        }
        let answers = drive(&self.jdk, &self.folder.path().join("driver"), classes, &orders)?;
        compare(subjects, &answers)
    }

    /// Explores the methods of a group under every policy.
    fn explore<'g>(
        &self,
        plan: &Plan,
        program: &Program,
        group: &'g Group,
        own: &[String],
    ) -> anyhow::Result<Vec<(&'g Method, Vec<Opinion>)>> {
        let intrinsics = dalang_intrinsics::Library::new();
        let view = View::new(program, own, &["Fuel".to_owned()]);
        let wanted = group.methods.iter().filter(|m| plan.case.is_none_or(|case| m.case == case));
        let mut all: Vec<(&Method, Vec<Opinion>)> = wanted.map(|m| (m, Vec::new())).collect();
        for &policy in &plan.policies {
            let config = config(policy, group.limits, plan);
            let mut explorer =
                Explorer::new(program, &intrinsics, &view, &config, self.jdk.feature)?;
            for (method, opinions) in &mut all {
                let entry = Entry::Method(find(program, method)?);
                opinions.push(Opinion::new(policy, explorer.explore(entry, &Watch::default())));
            }
        }
        Ok(all)
    }
}

fn find(program: &Program, method: &Method) -> anyhow::Result<MethodId> {
    let class = program.load(&method.class).map_err(|failure| anyhow!("{}", failure.message))?;
    let is_named = |&id: &MethodId| program.names().text(program.method(id).name) == method.name;
    let found = program.class(class).methods().find(is_named);
    found.with_context(|| format!("{} has no {}", method.class, method.name))
}

/// The names of static fields that code other than initializers stores to. The compiler leaves out code
/// that it knows not to run, and a store that is not there changes nothing.
fn compiled_stores(program: &Program, own: &[String]) -> anyhow::Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for name in own {
        let class = program.load(name).map_err(|failure| anyhow!("{}", failure.message))?;
        let text = |name| program.names().text(name);
        for method in program.class(class).methods() {
            if text(program.method(method).name) == "<clinit>" {
                continue;
            }
            let Ok(Some(code)) = program.code(method) else { continue };
            for instruction in &code.instructions {
                if let Instruction::PutStatic(field) = instruction {
                    names.insert(text(program.class(class).pool.field(*field).name).to_owned());
                }
            }
        }
    }
    Ok(names)
}

/// Holds what was said against what the JVM did.
fn compare(
    subjects: Vec<(&Group, &Method, Vec<Opinion>)>,
    answers: &Answers,
) -> anyhow::Result<(Tally, Vec<Finding>)> {
    let mut tally = Tally::default();
    let mut findings = Vec::new();
    let mut witnesses = 0;
    for (group, method, opinions) in subjects {
        let mut wrong = Vec::new();
        for opinion in &opinions {
            tally.count(opinion);
            wrong.extend(opinion.defects());
            for shown in &opinion.shown {
                if shown.witness.is_some() {
                    let ran =
                        answers.ran.get(&witnesses).context("the driver left a witness out")?;
                    if *ran != shown.failure {
                        wrong.push(format!(
                            "{}: says {:?}, but the JVM ends with {ran:?} on {:?}",
                            opinion.policy.name(),
                            shown.failure,
                            shown.witness
                        ));
                    }
                }
                witnesses += 1;
            }
        }
        let runs = answers.fuzzed.get(&method.case).context("the driver left a method out")?;
        for opinion in opinions.iter().filter(|opinion| opinion.complete) {
            let found = opinion.failures();
            let missed = runs.failures.iter().filter(|(failure, _)| !found.contains(failure));
            wrong.extend(missed.map(|(failure, input)| {
                format!("{}: misses {failure:?}, which happens on {input}", opinion.policy.name())
            }));
        }
        wrong.extend(contradictions(&opinions));
        tally.methods += 1;
        tally.runs += runs.done;
        tally.normal += runs.normal;
        tally.failing += u64::from(!runs.failures.is_empty());
        if !wrong.is_empty() {
            findings.push(Finding {
                case: method.case,
                what: wrong.join("\n  "),
                method: method.text.clone(),
                group: group.name.clone(),
                source: group.source.clone(),
                opinions: opinions.iter().map(Opinion::to_string).collect(),
            });
        }
    }
    Ok((tally, findings))
}

/// Policies that are complete within the same bounds find the same ways to fail.
fn contradictions(opinions: &[Opinion]) -> Vec<String> {
    let complete: Vec<&Opinion> = opinions.iter().filter(|opinion| opinion.complete).collect();
    let mut all = Vec::new();
    for pair in complete.windows(2) {
        let sets = (pair[0].failures(), pair[1].failures());
        for failure in sets.0.symmetric_difference(&sets.1) {
            let (a, b) = (pair[0].policy.name(), pair[1].policy.name());
            all.push(format!("{a} and {b} differ in {failure:?}"));
        }
    }
    all
}
