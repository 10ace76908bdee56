//! Bounded runs of the methods of a damaged class: whatever they do, the machine must not break.

use super::exercise::Outcome;
use dalang_classes::{ClassId, MethodId, Program};
use dalang_heap::Value;
use dalang_interp::{Flow, Machine, Settings, Silence, State, Step, Stop, Way};

/// Methods of one class that are called.
const MOST_METHODS: usize = 6;
/// Instructions that a call may take. Enough to get through small bodies and into the library.
const MOST_INSTRUCTIONS: u64 = 3_000;

/// Calls methods of a class on zeros and nulls.
pub fn rehearse(program: &Program, class: ClassId, outcome: &mut Outcome) {
    let intrinsics = dalang_intrinsics::Library::new();
    let settings = Settings { frames: 300, heap: 32 << 20, ..Settings::default() };
    let mut machine = match Machine::new(program, &intrinsics, Box::new(Silence), settings) {
        Ok(machine) => machine,
        Err(failure) => {
            outcome.complaints.push(format!("no machine: {}", failure.message));
            return;
        }
    };
    let Some(ready) = ready(&mut machine) else {
        outcome.complaints.push("the library did not become ready".to_owned());
        return;
    };
    let methods = program.class(class).methods().filter(|&id| program.method(id).has_code());
    for method in methods.take(MOST_METHODS) {
        call(&mut machine, ready.clone(), class, method, outcome);
    }
}

/// A state in which the library is ready, so that a call gets its instructions for itself.
fn ready<'p>(machine: &mut Machine<'p>) -> Option<State<'p>> {
    let program = machine.program;
    let math = program.load("java/lang/Math").ok()?;
    let Flow::Continue(abs) = machine.method(math, "abs", "(I)I") else { return None };
    let mut state = State::new();
    machine.start(&mut state, abs, &[Value::Int(-1)]).ok()?;
    match machine.run(&mut state, &Way::default(), 1_000_000) {
        Step::Ended(_) => Some(state),
        _ => None,
    }
}

fn call<'p>(
    machine: &mut Machine<'p>,
    mut state: State<'p>,
    class: ClassId,
    id: MethodId,
    outcome: &mut Outcome,
) {
    let program = machine.program;
    let method = program.method(id);
    let mut arguments = Vec::new();
    if !method.flags.is_static() {
        if !program.class(class).is_instantiable() {
            return;
        }
        match machine.allocate(&mut state, class, 0) {
            Flow::Continue(receiver) => arguments.push(Value::Reference(receiver)),
            Flow::Break(_) => return,
        }
    }
    let zeros = method.signature.parameters.iter().map(|value| Value::zero(value.kind()));
    arguments.extend(zeros);
    let step = match machine.start(&mut state, id, &arguments) {
        Ok(()) => machine.run(&mut state, &Way::default(), MOST_INSTRUCTIONS),
        Err(stop) => Step::Stopped(stop),
    };
    judge(&step, outcome);
}

fn judge(step: &Step, outcome: &mut Outcome) {
    match step {
        Step::Ended(_) | Step::Exited(_) => outcome.ended_calls += 1,
        Step::Paused | Step::Diverged => outcome.stopped_calls += 1,
        Step::Asked(question) => {
            outcome.complaints.push(format!("constants led to a question: {question:?}"));
        }
        Step::Assumed | Step::Violated(_) => {
            outcome.complaints.push(format!("no harness was to be understood: {step:?}"));
        }
        Step::Stopped(stop) => {
            outcome.stopped_calls += 1;
            let text = stop.to_string();
            if let Stop::Bug(_) = stop {
                outcome.complaints.push(text);
            } else if text.is_empty() || text.lines().count() != 1 || text.len() > 3_000 {
                outcome.complaints.push(format!("an unclear message: {text:?}"));
            }
        }
    }
}
