//! `dalang run`: concrete execution, the way `java` would.

mod console;
mod launch;

use crate::code::{DEFECT, UNDECIDED};
use crate::scratch::Scratch;
use crate::streams::{complain, remark};
use crate::targets::is_source;
use crate::{flags, interrupt, library};
use anyhow::{Context, bail};
use console::Terminal;
use dalang_classes::path::{ClassPath, Jdk, Library, compile_while};
use dalang_classes::{Program, one_line};
use dalang_interp::{Body, Frame, Machine, Settings, State, Step};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs the program that the flags name.
///
/// # Errors
/// Whatever keeps it from being started: no JDK, no such class, no `main`, an unreadable file.
pub fn run(flags: &flags::Run) -> anyhow::Result<ExitCode> {
    interrupt::listen();
    let jdk = if is_source(Path::new(&flags.target)) {
        Jdk::find(flags.jdk.as_deref())?
    } else {
        let path = flags.class_path.as_deref().unwrap_or(".");
        library::for_main(flags.jdk.as_deref(), path, &flags.target.replace('.', "/"))?
    };
    let (path, class, _classes) = target(flags, &jdk)?;
    let program = Program::new(Library::open(&jdk)?, path)?;
    let intrinsics = dalang_intrinsics::Library::new();
    let settings = settings(flags, &jdk);
    let terminal = Terminal::default();
    let held = terminal.held();
    interrupt::at_last(move || held.release());
    let mut machine = Machine::new(&program, &intrinsics, Box::new(terminal), settings)
        .map_err(|failure| anyhow::anyhow!("{}", failure.message))
        .context("the JDK's library cannot be used")?;
    let mut state = State::new();
    let step = launch::main(&mut machine, &mut state, &class, &flags.arguments)?;
    machine.console.flush();
    if flags.statistics {
        complain(&format!("{} instructions", state.instructions));
    }
    let code = exit(&step, &program, &state);
    Ok(match console::lost() {
        Some(lost) => {
            complain(&lost.to_string());
            ExitCode::from(DEFECT)
        }
        None => code,
    })
}

fn settings(flags: &flags::Run, jdk: &Jdk) -> Settings {
    let default = Settings::default();
    Settings {
        frames: flags.frames.map_or(default.frames, |frames| frames as usize),
        heap: flags.heap.map_or(default.heap, |mebibytes| mebibytes.saturating_mul(1 << 20)),
        assertions: flags.assertions,
        replacements: !flags.no_replacements,
        express: !flags.no_express,
        feature: jdk.feature,
        collection: dalang_interp::Collection::Alone,
        ..default
    }
}

fn exit(step: &Step, program: &Program, state: &State<'_>) -> ExitCode {
    match step {
        Step::Exited(code) => ExitCode::from(*code as u8),
        Step::Stopped(stop) => {
            complain(&format!("stopped: {stop}"));
            for line in whereabouts(program, state) {
                remark(&format!("\tat {line}"));
            }
            let defect = matches!(stop, dalang_interp::Stop::Bug(_));
            ExitCode::from(if defect { DEFECT } else { UNDECIDED })
        }
        // Nothing is asked, and loops are not looked at, where a program is run.
        Step::Asked(_)
        | Step::Assumed
        | Step::Violated(_)
        | Step::Paused
        | Step::Ended(_)
        | Step::Diverged => ExitCode::from(DEFECT),
    }
}

/// Where a state is: its innermost frames, as stack traces show them.
fn whereabouts(program: &Program, state: &State<'_>) -> Vec<String> {
    const MOST: usize = 24;
    let spell = |frame: &Frame<'_>| {
        let method = program.method(frame.method);
        let class = program.class_spelling(frame.class);
        let name = program.names().text(method.name);
        let file = program.class(frame.class).source_file();
        let file = file.map_or("unknown source", |file| program.names().text(file));
        let line = match frame.body {
            Body::Code(code) => {
                code.line(frame.pc).map_or(String::new(), |line| format!(":{line}"))
            }
            Body::Native(_) => String::new(),
        };
        one_line(&format!("{class}.{name}({file}{line})")).into_owned()
    };
    let frames = state.frames().iter().rev().filter(|frame| !frame.is_hidden());
    frames.take(MOST).map(spell).collect()
}

/// The class path and the main class; the folder that a source file was compiled into lives as
/// long as the third.
fn target(flags: &flags::Run, jdk: &Jdk) -> anyhow::Result<(ClassPath, String, Option<Scratch>)> {
    let given = flags.class_path.as_deref();
    if is_source(Path::new(&flags.target)) {
        let source = PathBuf::from(&flags.target);
        let folder = Scratch::new("compiled classes")?;
        let entries = given.map_or_else(|| Ok(Vec::new()), ClassPath::entries)?;
        let sources = std::slice::from_ref(&source);
        compile_while(jdk, sources, &entries, folder.path(), &|| !interrupt::is_pressed())?;
        let mut path = ClassPath::open(&[folder.path()], jdk.feature)?;
        for entry in &entries {
            path.add(entry, jdk.feature)?;
        }
        let class = main_class(&path, &source)?;
        return Ok((path, class, Some(folder)));
    }
    let path = ClassPath::parse(given.unwrap_or("."), jdk.feature)?;
    Ok((path, flags.target.replace('.', "/"), None))
}

/// The class that a source file is named after, in whatever package.
fn main_class(path: &ClassPath, source: &Path) -> anyhow::Result<String> {
    let stem = source.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let classes = path.classes()?;
    let fits = |class: &&String| class.rsplit('/').next() == Some(stem);
    match classes.iter().find(fits) {
        Some(class) => Ok(class.clone()),
        None => bail!(
            "{} has no class {stem}: dalang runs the class that a file is named after; name \
             another one with -cp",
            source.display()
        ),
    }
}
