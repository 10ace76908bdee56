//! Calling `main`, and what follows an exception that nobody catches.

use anyhow::bail;
use dalang_classes::{ClassId, MethodId};
use dalang_heap::{Reference, Value};
use dalang_interp::{Flow, Initialization, Interrupt, Machine, Outcome, State, Step, Stop, Stream};

/// Runs `main` of a class; the step says how the program ended, an ordinary end being exit code 0.
///
/// # Errors
/// There is no such class, or it has no `main`.
pub fn main<'p>(
    machine: &mut Machine<'p>,
    state: &mut State<'p>,
    class: &str,
    arguments: &[String],
) -> anyhow::Result<Step> {
    let class = match machine.program.load(class) {
        Ok(class) => class,
        Err(failure) => match &failure.cause {
            Some(cause) => bail!("{cause}"),
            None => bail!(
                "class {} was not found; is the class path (-cp) right?",
                class.replace('/', ".")
            ),
        },
    };
    let entry = find_main(machine, class)?;
    let step = match prepare(machine, state, class, entry, arguments) {
        Flow::Continue(values) => call(machine, state, entry, &values),
        Flow::Break(interrupt) => Step::Stopped(unexpected(interrupt)),
    };
    Ok(finish(machine, state, step))
}

fn find_main(machine: &Machine<'_>, class: ClassId) -> anyhow::Result<MethodId> {
    let names = machine.program.names();
    let name = names.intern("main");
    let candidates = ["([Ljava/lang/String;)V", "()V"];
    let find = |descriptor| machine.program.find_method(class, name, names.intern(descriptor));
    let found: Vec<MethodId> = candidates.into_iter().filter_map(find).collect();
    let flags = |id: &MethodId| machine.program.method(*id).flags;
    // Before Java 25 only the classic one counts.
    let classic = |id: &&MethodId| {
        let method = machine.program.method(**id);
        method.flags.is_static() && method.flags.is_public() && method.argument_count() == 1
    };
    let usable = |id: &&MethodId| !flags(id).is_private() && !flags(id).is_abstract();
    let chosen = match machine.settings.feature {
        25.. => found.iter().find(usable),
        _ => found.iter().find(classic),
    };
    match chosen {
        Some(&method) => Ok(method),
        None => bail!(
            "{} has no method `public static void main(String[])`",
            machine.program.class_spelling(class)
        ),
    }
}

/// The arguments of `main`: a receiver if it has one, and the strings if it takes them.
fn prepare<'p>(
    machine: &mut Machine<'p>,
    state: &mut State<'p>,
    class: ClassId,
    entry: MethodId,
    arguments: &[String],
) -> Flow<Vec<Value>> {
    let method = machine.program.method(entry);
    let mut values = Vec::new();
    if !method.flags.is_static() {
        let constructor = machine.method(class, "<init>", "()V")?;
        let receiver = machine.allocate(state, class, 0)?;
        state.set_singleton("main receiver", receiver.into());
        match call(machine, state, constructor, &[receiver.into()]) {
            Step::Ended(Outcome::Returned(_)) => values.push(Value::Reference(receiver)),
            Step::Ended(Outcome::Threw(exception)) => {
                return Flow::Break(Interrupt::Throw(exception));
            }
            Step::Exited(code) => return Flow::Break(Interrupt::Exit(code)),
            Step::Stopped(stop) => return Flow::Break(Interrupt::Stop(Box::new(stop))),
            other => return dalang_interp::bug(format!("the constructor led to {other:?}")),
        }
    }
    if !method.signature.parameters.is_empty() {
        let mut strings = Vec::new();
        for argument in arguments {
            strings.push(machine.new_string(state, argument)?);
        }
        let string = machine.known.string;
        values.push(machine.allocate_references(state, string, &strings)?.into());
    }
    Flow::Continue(values)
}

fn unexpected(interrupt: Interrupt) -> Stop {
    match interrupt {
        Interrupt::Stop(stop) => *stop,
        other => Stop::Bug(format!("the program could not be started: {other:?}").into()),
    }
}

fn call<'p>(
    machine: &mut Machine<'p>,
    state: &mut State<'p>,
    method: MethodId,
    arguments: &[Value],
) -> Step {
    match machine.start(state, method, arguments) {
        Ok(()) => loop {
            match machine.run(state, u64::MAX) {
                Step::Paused => {}
                step => return step,
            }
        },
        Err(stop) => Step::Stopped(stop),
    }
}

/// Turns the end of `main` into the end of the program.
fn finish<'p>(machine: &mut Machine<'p>, state: &mut State<'p>, step: Step) -> Step {
    let step = match step {
        Step::Ended(Outcome::Returned(_)) => Step::Exited(0),
        Step::Ended(Outcome::Threw(exception)) => uncaught(machine, state, exception),
        // `System.exit` has shut down already.
        other => return other,
    };
    match step {
        Step::Exited(code) => shut_down(machine, state, code),
        other => other,
    }
}

/// Runs what was to be run at the end, if anything was.
fn shut_down<'p>(machine: &mut Machine<'p>, state: &mut State<'p>, code: i32) -> Step {
    let Some(class) = machine.program.loaded("java/lang/Shutdown") else {
        return Step::Exited(code);
    };
    if state.initialization(class) == Initialization::Not {
        return Step::Exited(code);
    }
    let method = match machine.method(class, "shutdown", "()V") {
        Flow::Continue(method) => method,
        Flow::Break(interrupt) => return Step::Stopped(unexpected(interrupt)),
    };
    match call(machine, state, method, &[]) {
        Step::Ended(_) => Step::Exited(code),
        other => other,
    }
}

/// Hands an exception to the thread's handler, which prints it unless the program says otherwise.
fn uncaught<'p>(machine: &mut Machine<'p>, state: &mut State<'p>, exception: Reference) -> Step {
    const EXCEPTION: &str = "uncaught exception";
    state.set_singleton(EXCEPTION, exception.into());
    let class = "java/lang/Thread";
    let thread = match find(machine, class, "currentThread", "()Ljava/lang/Thread;") {
        Ok(method) => call(machine, state, method, &[]),
        Err(stop) => return Step::Stopped(stop),
    };
    let thread = match thread {
        Step::Ended(Outcome::Returned(Some(thread))) => thread,
        other => return Step::Stopped(Stop::Bug(format!("no thread to end: {other:?}").into())),
    };
    let dispatch = "dispatchUncaughtException";
    match find(machine, class, dispatch, "(Ljava/lang/Throwable;)V") {
        Ok(method) => match call(machine, state, method, &[thread, exception.into()]) {
            Step::Ended(Outcome::Threw(another)) => {
                let class = machine.program.java_name(state.heap.class(another));
                let message = format!(
                    "\nException: {class} thrown from the UncaughtExceptionHandler in thread \
                     \"main\"\n"
                );
                machine.console.write(Stream::Err, message.as_bytes());
                Step::Exited(1)
            }
            Step::Ended(Outcome::Returned(_)) => Step::Exited(1),
            other => other,
        },
        Err(stop) => Step::Stopped(stop),
    }
}

fn find(
    machine: &Machine<'_>,
    class: &str,
    name: &str,
    descriptor: &str,
) -> Result<MethodId, Stop> {
    let found = match machine.class(class) {
        Flow::Continue(class) => machine.method(class, name, descriptor),
        Flow::Break(interrupt) => Flow::Break(interrupt),
    };
    match found {
        Flow::Continue(method) => Ok(method),
        Flow::Break(interrupt) => Err(unexpected(interrupt)),
    }
}
