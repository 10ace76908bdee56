//! Calling `main`, and what follows an exception that nobody catches.

use anyhow::bail;
use dalang_classes::{ClassId, MethodId};
use dalang_heap::{Reference, Value};
use dalang_interp::{
    Flow, Initialization, Interrupt, Machine, Outcome, State, Step, Stop, Stream, Way,
};

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
    let receiver = receiver(machine, class, entry)?;
    let step = match prepare(machine, state, entry, receiver, arguments) {
        Flow::Continue(values) => call(machine, state, entry, &values),
        // The constructor ended the program.
        Flow::Break(Interrupt::Throw(exception)) => Step::Ended(Outcome::Threw(exception)),
        Flow::Break(Interrupt::Exit(code)) => Step::Exited(code),
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

/// The constructor of an instance that `main` is called on, if it is not static.
fn receiver(
    machine: &Machine<'_>,
    class: ClassId,
    entry: MethodId,
) -> anyhow::Result<Option<MethodId>> {
    if machine.program.method(entry).flags.is_static() {
        return Ok(None);
    }
    let names = machine.program.names();
    let (name, descriptor) = (names.intern("<init>"), names.intern("()V"));
    let declared = machine.program.class(class);
    let constructor = declared.declared_method(name, descriptor);
    match constructor.filter(|&id| !machine.program.method(id).flags.is_private()) {
        Some(constructor) if declared.is_instantiable() => Ok(Some(constructor)),
        _ => bail!(
            "{} has no constructor without parameters that is not private, so its `main`, which \
             is not static, cannot be called",
            machine.program.class_spelling(class)
        ),
    }
}

/// The arguments of `main`: a receiver if it has one, and the strings if it takes them.
fn prepare<'p>(
    machine: &mut Machine<'p>,
    state: &mut State<'p>,
    entry: MethodId,
    constructor: Option<MethodId>,
    arguments: &[String],
) -> Flow<Vec<Value>> {
    let method = machine.program.method(entry);
    let mut values = Vec::new();
    if let Some(constructor) = constructor {
        let class = machine.program.method(constructor).class;
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
            match machine.run(state, &Way::default(), u64::MAX) {
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
        other => return other,
    };
    match step {
        Step::Exited(code) => shut_down(machine, state, code),
        other => other,
    }
}

/// Lets the library run what the program has asked for at its end.
fn shut_down<'p>(machine: &mut Machine<'p>, state: &mut State<'p>, code: i32) -> Step {
    // Without the class nobody has asked for anything.
    let Flow::Continue(class) = machine.class("java/lang/Shutdown") else {
        return Step::Exited(code);
    };
    if state.initialization(class) == Initialization::Not {
        return Step::Exited(code);
    }
    match machine.method(class, "shutdown", "()V") {
        Flow::Continue(method) => match call(machine, state, method, &[]) {
            Step::Ended(_) => Step::Exited(code),
            other => other,
        },
        Flow::Break(interrupt) => Step::Stopped(unexpected(interrupt)),
    }
}

/// Hands an exception that nobody caught to the thread's handler, which prints it unless the
/// program has set another one.
fn uncaught<'p>(machine: &mut Machine<'p>, state: &mut State<'p>, exception: Reference) -> Step {
    state.set_singleton("uncaught", exception.into());
    let methods = (
        thread_method(machine, "currentThread", "()Ljava/lang/Thread;"),
        thread_method(machine, "dispatchUncaughtException", "(Ljava/lang/Throwable;)V"),
    );
    let (current, dispatch) = match methods {
        (Flow::Continue(current), Flow::Continue(dispatch)) => (current, dispatch),
        (Flow::Break(interrupt), _) | (_, Flow::Break(interrupt)) => {
            return Step::Stopped(unexpected(interrupt));
        }
    };
    let thread = match call(machine, state, current, &[]) {
        Step::Ended(Outcome::Returned(Some(thread))) => thread,
        Step::Ended(_) => return Step::Stopped(Stop::Bug("there is no current thread".into())),
        other => return other,
    };
    match call(machine, state, dispatch, &[thread, exception.into()]) {
        Step::Ended(Outcome::Threw(exception)) => {
            // The virtual machine's last words.
            let class = machine.program.java_name(state.heap.class(exception));
            let text = format!(
                "\nException: {class} thrown from the UncaughtExceptionHandler in thread \"main\"\n"
            );
            machine.console.write(Stream::Err, text.as_bytes());
            Step::Exited(1)
        }
        Step::Ended(_) => Step::Exited(1),
        other => other,
    }
}

fn thread_method(machine: &Machine<'_>, name: &str, descriptor: &str) -> Flow<MethodId> {
    let class = machine.class("java/lang/Thread")?;
    machine.method(class, name, descriptor)
}
