//! How a path ended: what that counts as, and what is kept of it.

use crate::entry::Entry;
use crate::explorer::{Explorer, detail, stop_kind};
use crate::ledger::{Ledger, Rank};
use crate::outcome::{Location, Outcome, OutcomeKind, Replay, StopKind, Violation, ViolationKind};
use crate::path::Node;
use crate::tree::Leaf;
use crate::witness::Witness;
use dalang_classes::one_line;
use dalang_heap::{Body, Reference, Resolution, Value};
use dalang_interp as interp;
use dalang_interp::{Flow, Origin, State};
use dalang_term::Pool;

/// How a run of a state ended.
#[derive(Clone, Debug)]
pub(crate) enum Ending {
    /// The method returned or threw.
    Outcome(interp::Outcome),
    /// The program asked to end.
    Exit(i32),
    /// A check failed: its message.
    Check(Box<str>),
    /// It does not: a loop repeats itself, and the frame on top is where.
    Diverges,
}

/// How an ending counts, without anything that is only for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    pub(crate) kind: OutcomeKind,
    pub(crate) exception: Option<String>,
}

impl<'p> Explorer<'p> {
    /// Takes down a path that ended.
    pub(crate) fn complete(&mut self, ledger: &mut Ledger, node: &Node<'p>, ending: &Ending) {
        let class = self.classify(&node.state, ending);
        if let Some((kind, why)) = self.keep(ledger, node, ending, &class) {
            ledger.stop(kind, &why, Some(node.place));
            return;
        }
        match &class.kind {
            OutcomeKind::Return | OutcomeKind::Exit(_) => ledger.paths.normal += 1,
            OutcomeKind::Throw => ledger.paths.exceptional += 1,
            OutcomeKind::Violation(_) => ledger.paths.violating += 1,
            OutcomeKind::Diverge => ledger.paths.diverging += 1,
        }
        ledger.add_leaf(node.place, || Leaf::Ended(leaf_text(&class)));
    }

    /// Keeps what is wanted of a path that ended; gives why it stops instead, if nobody knows whether there
    /// is an input that leads there. A violation that could not be shown for want of time or of values is
    /// kept as such, but it decides nothing.
    fn keep(
        &mut self,
        ledger: &mut Ledger,
        node: &Node<'p>,
        ending: &Ending,
        class: &Class,
    ) -> Option<(StopKind, String)> {
        let violates = matches!(class.kind, OutcomeKind::Violation(_));
        if !violates && !self.config.outcomes {
            return None;
        }
        let mut outcome = self.outcome(node, ending, class);
        let rank = Rank::new(node, &outcome);
        if violates && !self.config.outcomes && !ledger.is_wanted(&rank, &outcome) {
            return None;
        }
        outcome.witness = match self.witness(node, &ledger.parameters) {
            Ok(witness) => witness,
            Err(stop) if violates => return Some((stop_kind(&stop), detail(&stop))),
            Err(_) => None,
        };
        if matches!(ledger.entry, Entry::Main(_)) {
            outcome.witness.iter_mut().for_each(Witness::fill_arguments);
        }
        if (violates && self.config.replay) || self.config.retrace {
            let stop = self.confirm(ledger, node, class, &mut outcome);
            if let Some(stop) = stop {
                return Some((stop_kind(&stop), detail(&stop)));
            }
        }
        let is_open = violates && self.config.replay && outcome.replay == Replay::Off;
        let open = is_open.then(|| self.hindrance(&outcome));
        if let OutcomeKind::Violation(kind) = outcome.kind {
            ledger.keep(rank, Violation { kind, outcome: outcome.clone() });
        }
        if self.config.outcomes {
            ledger.outcomes.push(outcome);
        }
        open
    }

    /// Why a violation was not executed again.
    fn hindrance(&self, outcome: &Outcome) -> (StopKind, String) {
        let late = || self.is_late().then_some(StopKind::Time);
        match self.sentinel.reason().or_else(late) {
            Some(kind) => (kind, String::new()),
            None if outcome.witness.is_some() => {
                let kind = self.hindrance.unwrap_or(StopKind::Memory);
                (kind, "a violation could not be executed again".to_owned())
            }
            None => (StopKind::Solver, "no input that shows a violation".to_owned()),
        }
    }

    /// What an ending counts as.
    pub(crate) fn classify(&self, state: &State<'p>, ending: &Ending) -> Class {
        match ending {
            Ending::Exit(code) => Class { kind: OutcomeKind::Exit(*code), exception: None },
            Ending::Check(_) => self.count(ViolationKind::Assert, None),
            Ending::Diverges => {
                let kind = ViolationKind::Nontermination;
                let counts = self.config.violations.contains(kind);
                let kind = if counts { OutcomeKind::Violation(kind) } else { OutcomeKind::Diverge };
                Class { kind, exception: None }
            }
            Ending::Outcome(interp::Outcome::Returned(_)) => {
                Class { kind: OutcomeKind::Return, exception: None }
            }
            Ending::Outcome(interp::Outcome::Threw(exception)) => {
                let thrown = self.machine.program.java_name(state.heap.class(*exception));
                // A failed initializer is as wrong as what it failed with.
                let (blamed, origin) = state.track.blamed(*exception);
                let class = state.heap.class(blamed);
                let name = self.machine.program.java_name(class);
                let kind = if state.track.is_raised(blamed) {
                    raised_kind(&name)
                } else if self.is_null_check(origin) {
                    ViolationKind::Null
                } else if self.is_library_index(origin, class) {
                    ViolationKind::Bounds
                } else if self.is_a(class, "java/lang/AssertionError") {
                    ViolationKind::Assert
                } else {
                    ViolationKind::Throw
                };
                self.count(kind, Some(thrown))
            }
        }
    }

    fn count(&self, kind: ViolationKind, exception: Option<String>) -> Class {
        let counts = self.config.violations.contains(kind);
        let kind = if counts { OutcomeKind::Violation(kind) } else { OutcomeKind::Throw };
        Class { kind, exception }
    }

    /// Whether the library has refused an index, as `String.charAt` does: its code checks what the
    /// machine checks for arrays.
    fn is_library_index(&self, origin: Option<&Origin>, class: dalang_classes::ClassId) -> bool {
        let thrower = origin.and_then(|origin| origin.frames.first());
        thrower.is_some_and(|&(method, _)| {
            self.machine.module(self.machine.program.method(method).class).is_some()
        }) && self.is_a(class, "java/lang/IndexOutOfBoundsException")
    }

    fn is_a(&self, class: dalang_classes::ClassId, name: &str) -> bool {
        let program = self.machine.program;
        program.loaded(name).is_some_and(|above| program.is_subtype(class, above))
    }

    fn outcome(&mut self, node: &Node<'p>, ending: &Ending, class: &Class) -> Outcome {
        let mut outcome = Outcome {
            kind: class.kind.clone(),
            value: None,
            exception: class.exception.clone(),
            message: None,
            at: self.ended_at(&node.state, ending),
            condition: self.condition_text(node),
            witness: None,
            replay: Replay::Off,
            decisions: node.decisions(),
            trace: (!class.kind.is_endless()).then_some(node.state.track.trace),
            heap: self.heap_text(&node.state),
        };
        match ending {
            Ending::Outcome(interp::Outcome::Returned(value)) => {
                outcome.value = value.map(|value| self.value_text(&node.state, value));
            }
            Ending::Outcome(interp::Outcome::Threw(exception)) => {
                outcome.message = self.message(&node.state, *exception);
            }
            Ending::Check(message) => outcome.message = Some(one_line(message).into_owned()),
            Ending::Diverges | Ending::Exit(_) => {}
        }
        outcome
    }

    /// Where a path went wrong, or stays for ever.
    pub(crate) fn ended_at(&self, state: &State<'p>, ending: &Ending) -> Option<Location> {
        match ending {
            Ending::Outcome(interp::Outcome::Threw(exception)) => {
                let (_, origin) = state.track.blamed(*exception);
                self.location(origin.map_or(&[][..], |origin| &origin.frames))
            }
            Ending::Check(_) | Ending::Diverges => {
                let frames = state.frames().iter().rev().filter(|frame| !frame.is_hidden());
                // The check itself is not where the program is wrong.
                let skipped = usize::from(matches!(ending, Ending::Check(_)));
                let frames: Vec<_> =
                    frames.map(|frame| (frame.method, frame.pc)).skip(skipped).collect();
                self.location(&frames)
            }
            Ending::Outcome(interp::Outcome::Returned(_)) | Ending::Exit(_) => None,
        }
    }

    /// The innermost place that is not in the library, or else the innermost.
    fn location(&self, frames: &[(dalang_classes::MethodId, u16)]) -> Option<Location> {
        let program = self.machine.program;
        let own = |&&(method, _): &&(dalang_classes::MethodId, u16)| {
            self.machine.module(program.method(method).class).is_none()
        };
        let &(id, pc) = frames.iter().find(own).or(frames.first())?;
        let method = program.method(id);
        let class = program.class(method.class);
        let code = program.code(id).ok().flatten();
        let text = |name| one_line(program.names().text(name)).into_owned();
        Some(Location {
            class: program.java_name(method.class),
            method: text(method.name),
            file: class.source_file().map(text),
            line: code.and_then(|code| code.line(pc)).map(u32::from),
            pc: code.and_then(|code| code.offsets.get(usize::from(pc))).map_or(0, |&pc| pc.into()),
        })
    }

    /// The message of an exception; that of an error about a failed initializer says what it failed
    /// with.
    pub(crate) fn message(&self, state: &State<'p>, exception: Reference) -> Option<String> {
        let (blamed, _) = state.track.blamed(exception);
        if blamed == exception {
            return self.own_message(state, exception);
        }
        let class = self.machine.program.java_name(state.heap.class(blamed));
        Some(match self.own_message(state, blamed) {
            Some(message) => format!("caused by {class}: {message}"),
            None => format!("caused by {class}"),
        })
    }

    fn own_message(&self, state: &State<'p>, exception: Reference) -> Option<String> {
        let Flow::Continue(message) = self.machine.field(state, exception, "detailMessage") else {
            return None;
        };
        match self.machine.known_value(state, message) {
            Value::Reference(text) if !text.is_null() => match self.machine.text(state, text) {
                Flow::Continue(text) => Some(one_line(&text).into_owned()),
                Flow::Break(_) => None,
            },
            _ => None,
        }
    }

    fn value_text(&mut self, state: &State<'p>, value: Value) -> String {
        let value = self.machine.known_value(state, value);
        self.stored_text(state, value)
    }

    /// The input objects with the fields that were accessed, for people: the symbolic states of [POSE]
    /// Figs. 2 and 3. Where policies decide what references are, a witness says as much.
    fn heap_text(&mut self, state: &State<'p>) -> Vec<String> {
        if !self.config.outcomes || !self.config.policy.keeps_references() {
            return Vec::new();
        }
        let program = self.machine.program;
        let mut lines = Vec::new();
        for object in state.knowledge.objects() {
            let found = state.heap.object(object.reference);
            let Body::Accessed(fields) = &found.body else { continue };
            let fields: Vec<String> = fields
                .entries(program, found.class)
                .into_iter()
                .map(|(field, value)| {
                    let name = program.names().text(program.field(field).name);
                    format!("{name} = {}", self.stored_text(state, value))
                })
                .collect();
            if !fields.is_empty() {
                let name = &self.machine.unknowns.inputs.get(object.input).name;
                lines.push(format!("{name} -> ({})", fields.join(", ")));
            }
        }
        lines
    }

    fn stored_text(&mut self, state: &State<'p>, value: Value) -> String {
        match value {
            Value::Int(value) => value.to_string(),
            Value::Long(value) => value.to_string(),
            Value::Float(value) => format!("{value:?}"),
            Value::Double(value) => format!("{value:?}"),
            Value::Term(term) => self.spelled(state, term),
            Value::Address(_) => String::new(),
            Value::Reference(reference) if reference.is_null() => "null".to_owned(),
            Value::Reference(reference) => match state.knowledge.object(reference) {
                Some(symbolic) => self.machine.unknowns.inputs.get(symbolic.input).name.to_string(),
                None => {
                    let class = state.heap.class(reference);
                    format!("a new {}", self.machine.program.java_name(class))
                }
            },
        }
    }

    /// What holds on a path, for people: first what is known of references, then of values.
    fn condition_text(&mut self, node: &Node<'p>) -> String {
        let mut parts: Vec<String> = Vec::new();
        let inputs = &self.machine.unknowns.inputs;
        for &(input, resolution) in node.state.knowledge.resolutions() {
            let name = &inputs.get(input).name;
            if &**name == "this" {
                continue;
            }
            match resolution {
                Resolution::Null => parts.push(format!("{name} == null")),
                Resolution::Location(_) => parts.push(format!("{name} != null")),
                // What holds of it is among the conditions.
                Resolution::Maybe(_) | Resolution::Bound(_) => {}
                Resolution::Object(reference) => {
                    let first = node.state.knowledge.object(reference);
                    match first.map(|object| object.input) {
                        Some(first) if first != input => {
                            parts.push(format!("{name} == {}", inputs.get(first).name));
                        }
                        _ => parts.push(format!("{name} != null")),
                    }
                }
            }
        }
        // That there is a receiver goes without saying.
        let receiver = inputs.find(dalang_heap::Step::Parameter(0)).map(|id| inputs.get(id));
        let receiver = receiver.filter(|input| &*input.name == "this").map(|input| input.term);
        let said = receiver.map(|this| {
            let null = self.machine.pool.eq(this, Pool::NULL);
            self.machine.pool.not(null)
        });
        for conjunct in node.path.decided() {
            if Some(conjunct) == said {
                continue;
            }
            let part = self.spelled_part(&node.state, conjunct);
            // What all classes in view have in common says nothing.
            if part != "true" {
                parts.push(part);
            }
        }
        if parts.is_empty() { "true".to_owned() } else { parts.join(" && ") }
    }
}

fn raised_kind(exception: &str) -> ViolationKind {
    match exception {
        "java.lang.NullPointerException" => ViolationKind::Null,
        "java.lang.ArrayIndexOutOfBoundsException"
        | "java.lang.StringIndexOutOfBoundsException"
        | "java.lang.IndexOutOfBoundsException" => ViolationKind::Bounds,
        "java.lang.ClassCastException" => ViolationKind::Cast,
        "java.lang.ArrayStoreException" => ViolationKind::Store,
        "java.lang.ArithmeticException" => ViolationKind::Arithmetic,
        "java.lang.NegativeArraySizeException" => ViolationKind::Size,
        _ => ViolationKind::Throw,
    }
}

fn leaf_text(class: &Class) -> String {
    let exception = class.exception.as_deref().unwrap_or("a check");
    match &class.kind {
        OutcomeKind::Diverge | OutcomeKind::Violation(ViolationKind::Nontermination) => {
            "does not end".to_owned()
        }
        OutcomeKind::Return => "returns".to_owned(),
        OutcomeKind::Exit(code) => format!("exits with {code}"),
        OutcomeKind::Throw => format!("throws {exception}"),
        OutcomeKind::Violation(kind) => format!("violates {}: {exception}", kind.name()),
    }
}
