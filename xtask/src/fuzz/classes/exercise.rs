//! What is done with a damaged class or jar, and what is wrong with the way it ended.

use super::corpus::Corpus;
use super::messages::{complaint, error_complaint};
use super::rehearse::rehearse;
use dalang_classes::code::Code;
use dalang_classes::path::{ClassPath, Origin};
use dalang_classes::{
    ClassId, ClassRefId, ConstantId, FieldRefId, FieldUse, InvokeKind, LinkFailure, MethodRefId,
    Program,
};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// How cases ended. Each class is counted once among those loaded and those refused; bodies and
/// references are counted by themselves.
#[derive(Debug, Default)]
pub struct Outcome {
    pub loaded: u64,
    /// Classes that could not be loaded, by the Java error.
    pub refused: BTreeMap<&'static str, u64>,
    pub sound_bodies: u64,
    pub refused_bodies: u64,
    pub resolved: u64,
    /// References that lead nowhere, by the Java error.
    pub unresolved: BTreeMap<&'static str, u64>,
    /// Calls of methods that came to an end, and such that were stopped.
    pub ended_calls: u64,
    pub stopped_calls: u64,
    pub opened_jars: u64,
    pub refused_jars: u64,
    /// What must not be: one clear text each.
    pub complaints: Vec<String>,
}

impl Outcome {
    pub fn add(&mut self, other: Self) {
        self.loaded += other.loaded;
        self.sound_bodies += other.sound_bodies;
        self.refused_bodies += other.refused_bodies;
        self.resolved += other.resolved;
        self.ended_calls += other.ended_calls;
        self.stopped_calls += other.stopped_calls;
        self.opened_jars += other.opened_jars;
        self.refused_jars += other.refused_jars;
        for (error, count) in other.refused {
            *self.refused.entry(error).or_default() += count;
        }
        for (error, count) in other.unresolved {
            *self.unresolved.entry(error).or_default() += count;
        }
        self.complaints.extend(other.complaints);
    }

    fn judge(&mut self, failure: &LinkFailure) {
        self.complaints.extend(complaint(failure));
    }

    fn reference<T>(&mut self, resolved: Result<T, &LinkFailure>) -> Option<T> {
        match resolved {
            Ok(found) => {
                self.resolved += 1;
                Some(found)
            }
            Err(failure) => {
                *self.unresolved.entry(failure.error.class_name()).or_default() += 1;
                self.judge(failure);
                None
            }
        }
    }

    fn class(&mut self, program: &Program, loaded: Result<ClassId, LinkFailure>) {
        match loaded {
            Ok(class) => {
                self.loaded += 1;
                exercise(program, class, self);
            }
            Err(failure) => {
                *self.refused.entry(failure.error.class_name()).or_default() += 1;
                self.judge(&failure);
            }
        }
    }
}

/// Longer code is not listed: text of it can be much longer than its class file.
const MOST_LISTED: usize = 200;

/// Asking for every possible constant would take longer than everything else.
const MOST_CONSTANTS: u16 = 500;

/// Of a jar with very many classes, this many from each end are loaded.
const MOST_LOADED: usize = 30;

/// Does everything to a loaded class that can be done with it.
pub fn exercise(program: &Program, id: ClassId, outcome: &mut Outcome) {
    let class = program.class(id);
    for method in class.methods() {
        match program.code(method) {
            Ok(None) => {}
            Ok(Some(code)) => {
                outcome.sound_bodies += 1;
                outcome.complaints.extend(broken_promise(code));
                if code.instructions.len() <= MOST_LISTED {
                    let _ = code.listing(&class.pool, program.names());
                }
            }
            Err(failure) => {
                outcome.refused_bodies += 1;
                outcome.judge(failure);
            }
        }
        let _ = (program.parameters(method), program.declared_exceptions(method));
        if let Err(failure) = program.select(id, method) {
            outcome.judge(&failure);
        }
    }
    references(program, id, outcome);
    for index in 0..MOST_CONSTANTS {
        let _ = class.pool.constant(ConstantId::new(index));
    }
    for attribute in class.attributes() {
        let _ = class.attribute_bytes(*attribute);
    }
    program.nest_host(id);
    rehearse(program, id, outcome);
}

/// Resolves every reference and asks whether each instruction could use it.
fn references(program: &Program, id: ClassId, outcome: &mut Outcome) {
    let user = program.class(id).methods().next();
    let [classes, fields, methods] = program.class(id).pool.reference_counts();
    for class in (0..classes).map(ClassRefId::new) {
        outcome.reference(program.resolve_class(id, class));
    }
    for field in (0..fields).map(FieldRefId::new) {
        let found = outcome.reference(program.resolve_field(id, field));
        let Some((field, user)) = found.zip(user) else { continue };
        for usage in [FieldUse::GetStatic, FieldUse::PutField] {
            if let Err(failure) = program.check_field_use(user, field, usage) {
                outcome.judge(&failure);
            }
        }
    }
    for method in (0..methods).map(MethodRefId::new) {
        let Some(method) = outcome.reference(program.resolve_method(id, method)) else { continue };
        for kind in [InvokeKind::Static, InvokeKind::Interface] {
            if let Err(failure) = program.check_invoke(method, kind) {
                outcome.judge(&failure);
            }
        }
        if let Err(failure) = program.select(id, method) {
            outcome.judge(&failure);
        }
    }
}

/// What [`Code`] guarantees and does not keep.
fn broken_promise(code: &Code) -> Option<String> {
    let count = code.instructions.len();
    let jumps = code.instructions.iter().filter_map(|instruction| instruction.target());
    let handlers = code.handlers.iter().flat_map(|handler| [handler.start, handler.target]);
    let cases = code
        .switches()
        .iter()
        .flat_map(|switch| switch.cases().map(|(_, target)| target).chain([switch.default()]));
    let wrong = jumps.chain(handlers).chain(cases).find(|&target| usize::from(target) >= count);
    let ends = code.instructions.last().is_none_or(|last| {
        last.falls_through() && !matches!(last, dalang_classes::code::Instruction::Unreachable)
    });
    match wrong {
        Some(target) => Some(format!("a target is {target}, and there are {count} instructions")),
        None => ends.then(|| "control falls off the end of decoded code".to_owned()),
    }
}

/// Loads a damaged class into a program and does everything to it.
pub fn run_class(program: &Program, bytes: Vec<u8>, place: &Path) -> Outcome {
    let mut outcome = Outcome::default();
    let origin = Origin { place: place.into(), module: None };
    outcome.class(program, program.define(bytes, origin));
    outcome
}

/// Opens a damaged jar and loads what is in it.
pub fn run_jar(corpus: &Corpus, bytes: &[u8], place: &Path) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    fs::write(place, bytes)?;
    let opened = ClassPath::open(&[place], corpus.jdk.feature);
    let listed = opened.and_then(|path| path.classes().map(|names| (path, names)));
    let (path, names) = match listed {
        Ok(listed) => listed,
        Err(error) => {
            outcome.refused_jars += 1;
            outcome.complaints.extend(error_complaint(&error));
            return Ok(outcome);
        }
    };
    outcome.opened_jars += 1;
    let program = corpus.program_with(path)?;
    let from_end = names.len().saturating_sub(MOST_LOADED).max(MOST_LOADED);
    for name in names.iter().take(MOST_LOADED).chain(names.iter().skip(from_end)) {
        outcome.class(&program, program.load(name));
    }
    Ok(outcome)
}
