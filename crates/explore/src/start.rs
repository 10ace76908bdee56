//! What an explorer needs before it can begin: the library made ready, a solver, the bounds by class; and
//! why it cannot begin.

use crate::config::{Config, SolverChoice};
use dalang_classes::{ClassId, LinkFailure, Program};
use dalang_interp::{Alarm, Machine, State, Step, Stop, Way};
use dalang_solver::{Layers, Limits, Solver};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

/// Why an explorer cannot begin.
#[derive(Debug)]
pub enum Failure {
    /// The library cannot be used.
    Library(LinkFailure),
    /// The library could not be made ready.
    Boot(Stop),
    /// The solver cannot be started.
    Solver(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Library(failure) => {
                write!(f, "the JDK's library cannot be used: {}", failure.message)
            }
            Self::Boot(stop) => write!(f, "the JDK's library cannot be made ready: {stop}"),
            Self::Solver(why) => write!(f, "the solver cannot be started: {why}"),
        }
    }
}

impl std::error::Error for Failure {}

/// Classes whose instances cannot be told from others of the same value but by reference.
pub(crate) const VALUES: [&str; 9] = [
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Short",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Float",
    "java/lang/Double",
    "java/lang/String",
];

/// A state in which `System` is initialized, so that no path does it again.
pub(crate) fn boot<'p>(machine: &mut Machine<'p>) -> Result<State<'p>, Failure> {
    let mut state = State::new();
    let stop = |text: String| Failure::Boot(Stop::Bug(text.into()));
    let system = machine.known.system;
    let method = match machine.method(system, "lineSeparator", "()Ljava/lang/String;") {
        dalang_interp::Flow::Continue(method) => method,
        dalang_interp::Flow::Break(_) => {
            return Err(stop("System.lineSeparator is missing".into()));
        }
    };
    machine.start(&mut state, method, &[]).map_err(Failure::Boot)?;
    loop {
        match machine.run(&mut state, &Way::default(), u64::MAX) {
            Step::Paused => machine.collect(&mut state, &[]).map_err(Failure::Boot)?,
            Step::Ended(_) => return Ok(state),
            Step::Stopped(why) => return Err(Failure::Boot(why)),
            other => return Err(stop(format!("{other:?}"))),
        }
    }
}

/// The limits of one query.
pub(crate) fn limits(config: &Config, until: Option<Instant>, alarm: &Alarm) -> Limits {
    let default = Limits::default();
    let memory = config.memory.map_or(default.memory, |most| most as usize);
    Limits { time: config.query_time, until, memory, stop: Some(Arc::clone(&alarm.bell)) }
}

pub(crate) fn solver(
    config: &Config,
    until: Option<Instant>,
    alarm: &Alarm,
) -> Result<Solver, Failure> {
    let limits = limits(config, until, alarm);
    match &config.solver {
        SolverChoice::Builtin => Ok(Solver::builtin(Layers::ALL, limits)),
        SolverChoice::Command(command) => {
            let command = dalang_solver::SmtCommand::parse(command)
                .map_err(|why| Failure::Solver(why.to_string()))?;
            Solver::process(&command, Layers::ALL, limits)
                .map_err(|why| Failure::Solver(why.to_string()))
        }
    }
}

/// The bounds on objects of single classes. What is not there has no objects.
pub(crate) fn class_bounds(program: &Program, bounds: &[(String, u32)]) -> Rc<[(ClassId, u32)]> {
    let class = |(name, most): &(String, u32)| Some((program.load(name).ok()?, *most));
    bounds.iter().filter_map(class).collect()
}
