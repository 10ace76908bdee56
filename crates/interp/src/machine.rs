//! What all states of one worker share, and the loop that runs one of them.
//!
//! The loop executes the frame on top: one instruction of bytecode, or an intrinsic. Whatever does
//! not simply go on comes back as an [`Interrupt`] and is dealt with here.

use crate::alarm::Alarm;
use crate::attempt::Attempt;
use crate::call::{Call, Intrinsics, Role, Takes};
use crate::collect::Collection;
use crate::console::Console;
use crate::flow::{Flow, Interrupt, Outcome, Question, Raise, Step, Stop};
use crate::frame::{Body, Stage, Then};
use crate::globals::Globals;
use crate::known::Known;
use crate::state::State;
use crate::truths::{Truths, unsigned};
use crate::upbringing::Upbringing;
use crate::way::Followed;
use dalang_classes::code::Code;
use dalang_classes::{ClassId, JavaError, LinkFailure, MethodId, Primitive, Program};
use dalang_heap::{
    Bounds, DomainId, Domains, Inputs, Nothing, Patience, Policy, Rules, Unknowns, Value,
};
use dalang_term::{Pool, TermId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What can be set for a machine.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Settings {
    /// How many frames there can be before Java throws a `StackOverflowError`.
    pub frames: usize,
    /// How much Java's heap can hold before Java throws an `OutOfMemoryError`, in bytes.
    pub heap: u64,
    /// Whether Java's `assert` is on, outside the JDK.
    pub assertions: bool,
    /// Whether methods that have bytecode may be replaced by intrinsics.
    pub replacements: bool,
    /// Whether hot methods are translated for the express lane.
    pub express: bool,
    /// The version of Java that programs see, such as 17.
    pub feature: u16,
    /// Who collects garbage.
    pub collection: Collection,
    /// A smaller heap is not worth the time of a collection, in bytes.
    pub worth: u64,
    /// Whether what a program says to a verifier, and what it asks one for, is understood; if not,
    /// the classes that it uses for that do what their own bytecode does.
    pub harness: bool,
    /// Whether the rules of the software verification competition hold beyond that: what
    /// `java.util.Random` gives without a seed is any number.
    pub competition: bool,
    /// Whether there are terms, so that intrinsics which handle them are worth their while.
    pub symbolic: bool,
    /// Where static fields of the program's classes get their values from, where a state explores.
    pub globals: Globals,
    /// The most iterations of a loop that read inputs for its condition and initialize nothing, where a
    /// state explores.
    pub loops: u32,
    /// The deepest call stack, where a state explores.
    pub calls: usize,
    /// Classes of the library (`java/util/TreeMap`, with those inside it) and methods
    /// (`java/lang/Integer.compare`) whose branches and calls are part of a state's way, as those of
    /// all other code are.
    pub followed: &'static [&'static str],
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            frames: 9_000,
            heap: 2 << 30,
            assertions: false,
            replacements: true,
            express: true,
            feature: 17,
            collection: Collection::Never,
            worth: 256 << 20,
            harness: false,
            competition: false,
            symbolic: false,
            globals: Globals::Fresh,
            loops: 10,
            calls: 80,
            followed: &[],
        }
    }
}

/// What all states of one worker share.
pub struct Machine<'p> {
    /// The classes.
    pub program: &'p Program,
    /// The terms.
    pub pool: Pool,
    /// What is unknown, and how it is found out.
    pub unknowns: Unknowns,
    /// What can be set.
    pub settings: Settings,
    /// What tells a run to end.
    pub alarm: Alarm,
    /// Large arrays that nobody has written to.
    pub(crate) zeros: crate::zeros::Zeros,
    /// Where output goes and input comes from.
    pub console: Box<dyn Console + 'p>,
    /// Classes and fields that the machine itself knows.
    pub known: Known,
    /// What the path that is being followed has settled.
    pub truths: Truths,
    /// Which classes of a set are enums, and which are not, as far as somebody asked.
    pub(crate) enums: rustc_hash::FxHashMap<DomainId, (DomainId, DomainId)>,
    /// What was assumed about the world outside of the program, for people.
    pub(crate) assumed: BTreeSet<String>,
    /// What initializing a class takes that inputs are of, by its number.
    pub(crate) upbringings: Vec<Upbringing>,
    pub(crate) intrinsics: &'p dyn Intrinsics,
    /// Intrinsics that find out about their arguments by themselves.
    loose: Vec<(MethodId, Takes)>,
    bodies: Vec<Option<Result<Body<'p>, Rc<Missing>>>>,
    /// Methods that are given input references as they are.
    raw: FxHashSet<MethodId>,
    pub(crate) dynamic: crate::dynamic::Sites,
    /// Which code of the target was reached.
    pub(crate) coverage: crate::coverage::Coverage,
    /// What is being executed.
    pub(crate) attempt: Attempt,
    /// What the loops that were met look at.
    pub(crate) loops: crate::loops::Loops,
    pub(crate) lane: crate::express::Lane<'p>,
    /// The class of `boolean[]`, whose elements keep one bit.
    pub(crate) boolean_array: Option<ClassId>,
}

/// Why a method cannot be executed.
#[derive(Debug)]
enum Missing {
    Abstract,
    Native,
    Link(LinkFailure),
}

impl<'p> Machine<'p> {
    /// A machine for a program.
    ///
    /// # Errors
    /// The library lacks a class that Java cannot do without.
    pub fn new(
        program: &'p Program,
        intrinsics: &'p dyn Intrinsics,
        console: Box<dyn Console + 'p>,
        settings: Settings,
    ) -> Result<Self, LinkFailure> {
        if settings.harness {
            program.offer(intrinsics.outlines());
        }
        let known = Known::new(program)?;
        Ok(Self {
            program,
            pool: Pool::new(),
            unknowns: Unknowns {
                inputs: Inputs::default(),
                domains: Domains::new(Box::new(Nothing)),
                policy: Policy::LazierSharp,
                bounds: Bounds::default(),
                values: Vec::new(),
                strings: Some(known.layout()),
                rules: Rules::default(),
                reads_by_slot: 0,
                patience: Patience::default(),
            },
            settings,
            alarm: Alarm::default(),
            zeros: crate::zeros::Zeros::default(),
            console,
            known,
            truths: Truths::default(),
            enums: rustc_hash::FxHashMap::default(),
            assumed: BTreeSet::new(),
            upbringings: Vec::new(),
            intrinsics,
            loose: Vec::new(),
            bodies: Vec::new(),
            raw: FxHashSet::default(),
            dynamic: crate::dynamic::Sites::default(),
            coverage: crate::coverage::Coverage::default(),
            attempt: Attempt::default(),
            loops: crate::loops::Loops::default(),
            lane: crate::express::Lane::default(),
            boolean_array: program.primitive_array(Primitive::Boolean).ok(),
        })
    }

    /// What a call of a method executes.
    pub(crate) fn body(&mut self, method: MethodId) -> Flow<Body<'p>> {
        if self.bodies.len() <= method.index() {
            self.bodies.resize_with(method.index() + 1, || None);
        }
        let found = match &self.bodies[method.index()] {
            Some(Ok(body)) => return Flow::Continue(*body),
            Some(Err(missing)) => Err(Rc::clone(missing)),
            None => self.find_body(method).map_err(Rc::new),
        };
        self.bodies[method.index()] = Some(found.clone());
        match found {
            Ok(body) => Flow::Continue(body),
            Err(missing) => self.missing(method, &missing),
        }
    }

    /// Whether a method is a word to the verifier: nothing of its class is executed, so the class
    /// is not initialized either.
    #[inline]
    pub(crate) fn is_word(&mut self, method: MethodId) -> bool {
        self.settings.harness && {
            let _ = self.body(method);
            self.raw.contains(&method)
        }
    }

    fn find_body(&mut self, id: MethodId) -> Result<Body<'p>, Missing> {
        let method = self.program.method(id);
        let text = |name| self.program.names().text(name);
        let class = text(self.program.class(method.class).name);
        let intrinsic = self.intrinsics.find(class, text(method.name), text(method.descriptor));
        if let Some(intrinsic) = intrinsic
            && self.is_used(intrinsic.role, method.flags.is_native())
        {
            if let Role::Harness(_) = intrinsic.role {
                self.raw.insert(id);
            }
            if intrinsic.takes != Takes::Settled {
                self.loose.push((id, intrinsic.takes));
            }
            return Ok(Body::Native(intrinsic.function));
        }
        match self.program.code(id) {
            Ok(Some(code)) => Ok(Body::Code(code)),
            Ok(None) if method.flags.is_native() => Err(Missing::Native),
            Ok(None) => Err(Missing::Abstract),
            Err(failure) => Err(Missing::Link(failure.clone())),
        }
    }

    fn is_used(&self, role: Role, native: bool) -> bool {
        match role {
            Role::Native => native,
            Role::Replacement(_) => native || self.settings.replacements,
            Role::Required(_) => true,
            Role::Symbolic(_) => native || self.settings.symbolic,
            Role::Harness(_) => self.settings.harness,
        }
    }

    fn missing<T>(&self, method: MethodId, missing: &Missing) -> Flow<T> {
        match missing {
            Missing::Native => crate::flow::unsupported(format!(
                "the native method {}",
                self.program.method_spelling(method)
            )),
            Missing::Abstract => crate::flow::unlinked(
                JavaError::AbstractMethodError,
                self.program.method_spelling(method),
            ),
            Missing::Link(failure) => crate::flow::linked(Err(failure)),
        }
    }

    /// Begins a call from outside. Its arguments are of the kinds that the method takes; the
    /// receiver, if there is one, is the first.
    ///
    /// The library is made ready first, and then the method's class: neither happens inside the
    /// method, so stack traces do not show it there.
    ///
    /// # Errors
    /// What keeps the method from being executed at all.
    pub fn start(
        &mut self,
        state: &mut State<'p>,
        method: MethodId,
        arguments: &[Value],
    ) -> Result<(), Stop> {
        if let Flow::Break(Interrupt::Stop(stop)) = self.body(method) {
            return Err(*stop);
        }
        self.reserve(state, arguments.len());
        for &argument in arguments {
            state.push(argument);
        }
        self.push_hidden(state, method, begin, arguments.len(), Then::Finish);
        Ok(())
    }

    /// Runs a state until it ends, needs an answer, has executed so many instructions, is told to end,
    /// or is due for a collection that others have to make. What its path has settled is not asked again.
    pub fn run(&mut self, state: &mut State<'p>, path: &dyn Followed, instructions: u64) -> Step {
        self.turn_to(path);
        if let Err(stop) = Self::check_numbers(state) {
            return Step::Stopped(stop);
        }
        let end = state.instructions.saturating_add(instructions);
        loop {
            // Nothing is executed any more, because what was made since may not be whole.
            if self.alarm.rings() {
                return Step::Paused;
            }
            if !(state.growing.is_empty() && state.waiting.is_empty())
                && let Some(step) = self.bring_up(state)
            {
                return step;
            }
            if state.instructions >= end {
                return Step::Paused;
            }
            if self.is_collection_due(state) {
                if self.settings.collection == Collection::Shared {
                    return Step::Paused;
                }
                if let Err(stop) = self.collect(state, &[]) {
                    return Step::Stopped(stop);
                }
            }
            let flow = match state.frame().body {
                Body::Code(code) => self.execute_some(state, code, end),
                Body::Native(native) => self.execute_native(state, native),
            };
            if let Flow::Break(mut interrupt) = flow {
                if interrupt.starts_again() {
                    interrupt = self.break_off(state, interrupt);
                }
                if let Some(step) = self.handle(state, interrupt) {
                    return step;
                }
            }
        }
    }

    /// Executes bytecode of the frame on top as long as nothing special happens.
    fn execute_some(&mut self, state: &mut State<'p>, code: &'p Code, end: u64) -> Flow {
        let method = state.frame().method;
        let mut lane = self.heated(method, code);
        loop {
            if let Some(prepared) = &lane
                && let Some(entry) = prepared.entry(state.frame().pc)
            {
                self.ride(state, Rc::clone(prepared), entry, end)?;
                // The lane was left for one instruction of whatever frame is on top now.
                let frame = state.frame();
                if frame.method != method {
                    let Body::Code(code) = frame.body else { return Flow::Continue(()) };
                    self.execute_one(state, code)?;
                    return Flow::Continue(());
                }
            }
            let pc = state.frame().pc;
            self.execute_one(state, code)?;
            if state.instructions >= end || self.alarm.rings() || self.is_collection_due(state) {
                return Flow::Continue(());
            }
            if state.frame().pc <= pc {
                lane = self.heated(method, code);
            }
        }
    }

    fn execute_one(&mut self, state: &mut State<'p>, code: &'p Code) -> Flow {
        let pc = state.frame().pc;
        self.begin_attempt(state);
        self.execute(state, code, code.instructions[pc as usize])?;
        if state.track.on { self.after(state, code, pc) } else { Flow::Continue(()) }
    }

    fn execute_native(&mut self, state: &mut State<'p>, native: crate::call::Native) -> Flow {
        self.begin_attempt(state);
        let stage = state.frame().stage;
        if let Stage::Start = stage {
            state.top = state.frame().floor as usize;
            let frame = state.frame();
            if !state.knowledge.is_blank() && !frame.hidden && !self.raw.contains(&frame.method) {
                let method = state.frame().method;
                let found = self.loose.iter().find(|entry| entry.0 == method);
                match found.map_or(Takes::Settled, |entry| entry.1) {
                    Takes::Anything => {}
                    takes => self.resolve_arguments(state, takes == Takes::Settled)?,
                }
            }
        }
        let mut call = Call { machine: self, state };
        let value = match stage {
            Stage::Start => native(&mut call)?,
            Stage::Resumed(resume, outcome) => resume(&mut call, outcome)?,
            Stage::Waiting(_) => return crate::flow::bug("an intrinsic ran while it waited"),
        };
        self.leave(state, value)
    }

    /// Deals with an interrupt; gives a step if the run cannot go on by itself.
    fn handle(&mut self, state: &mut State<'p>, interrupt: Interrupt) -> Option<Step> {
        match interrupt {
            Interrupt::Entered => None,
            Interrupt::Throw(exception) => {
                if state.track.on {
                    self.note_origin(state, exception);
                }
                self.unwind(state, exception)
            }
            Interrupt::Raise(raise) => self.make(state, &raise),
            Interrupt::Unlinked(failure) => self.unlinked(state, &failure),
            Interrupt::Initialize(class) => match self.begin_initialization(state, class) {
                Flow::Continue(()) => None,
                Flow::Break(interrupt) => self.handle(state, interrupt),
            },
            Interrupt::End(outcome) => Some(Step::Ended(outcome)),
            Interrupt::Ask(question) => Some(Step::Asked(question)),
            Interrupt::Exit(code) => Some(Step::Exited(code)),
            Interrupt::Assumed => Some(Step::Assumed),
            Interrupt::Violation(message) => Some(Step::Violated(message)),
            Interrupt::Diverge => Some(Step::Diverged),
            Interrupt::Stop(stop) => Some(Step::Stopped(*stop)),
        }
    }

    /// What becomes of something that cannot be linked: Java's error, or the end of a path of an
    /// exploration, which no handler of the program sees.
    pub(crate) fn unlinked(
        &mut self,
        state: &mut State<'p>,
        failure: &LinkFailure,
    ) -> Option<Step> {
        if state.knowledge.is_blank() {
            return self.make(state, &Raise::from(failure));
        }
        Some(Step::Stopped(Stop::Missing(failure.remedy().into())))
    }

    fn make(&mut self, state: &mut State<'p>, raise: &Raise) -> Option<Step> {
        match self.make_exception(state, raise) {
            Flow::Continue(()) | Flow::Break(Interrupt::Entered) => None,
            Flow::Break(Interrupt::Stop(stop)) => Some(Step::Stopped(*stop)),
            Flow::Break(other) => {
                let what = format!("making a {} led to {other:?}", raise.class);
                Some(Step::Stopped(Stop::Bug(what.into())))
            }
        }
    }

    /// Leaves the frame on top normally; the frame below gets the result.
    pub(crate) fn leave(&mut self, state: &mut State<'p>, value: Option<Value>) -> Flow {
        let Some(frame) = state.frames.pop() else { return crate::flow::bug("nothing to leave") };
        state.top = frame.locals as usize;
        if !frame.monitor.is_null() {
            let object = state.heap.object_mut(frame.monitor);
            object.lock = object.lock.saturating_sub(1);
        }
        match frame.then {
            Then::Deliver => self.deliver(state, Outcome::Returned(value)),
            Then::Retry => Flow::Break(Interrupt::Entered),
            Then::Initialized(chain, at) => {
                state.end_initializer();
                self.initialized(state, &chain, at)?;
                Flow::Break(Interrupt::Entered)
            }
            Then::Throw(exception) => {
                state.overdrawn = false;
                Flow::Break(Interrupt::Throw(exception))
            }
            Then::Finish => Flow::Break(Interrupt::End(Outcome::Returned(value))),
        }
    }

    /// Gives the frame on top what its call gave.
    pub(crate) fn deliver(&mut self, state: &mut State<'p>, outcome: Outcome) -> Flow {
        let frame = state.frame_mut();
        match (frame.body, frame.stage, outcome) {
            (Body::Native(_), Stage::Waiting(resume), _) => {
                frame.stage = Stage::Resumed(resume, outcome);
            }
            (Body::Code(_), _, Outcome::Returned(value)) => {
                frame.pc += 1;
                if let Some(value) = value {
                    state.push(value);
                }
            }
            _ => return crate::flow::bug("a result has nobody to take it"),
        }
        Flow::Break(Interrupt::Entered)
    }

    /// Makes sure that so many more values fit on the stack.
    pub(crate) fn reserve(&self, state: &mut State<'p>, count: usize) {
        let needed = state.top + count;
        if state.values.len() < needed {
            state.values.resize(needed + 64, Value::NULL);
        }
    }

    /// Whether a term is true: a constant, settled earlier on the way, or a question.
    pub fn decide(&mut self, state: &mut State<'p>, condition: TermId) -> Flow<bool> {
        if let Some(bits) = self.pool.bits(condition) {
            return Flow::Continue(bits == 1);
        }
        state.consulted += 1;
        if let Some(holds) = self.is_settled(condition) {
            return Flow::Continue(holds);
        }
        Flow::Break(Interrupt::Ask(Question::Condition(condition)))
    }

    /// Whether a condition holds, if the path that is being followed has settled it.
    #[inline]
    pub(crate) fn is_settled(&self, condition: TermId) -> Option<bool> {
        let (condition, sign) = unsigned(&self.pool, condition);
        self.truths.get(condition).map(|holds| holds == sign)
    }

    /// From here on, what this path has settled is known, and nothing that others have. Running a state
    /// does it by itself.
    pub fn turn_to(&mut self, path: &dyn Followed) {
        self.truths.follow(&self.pool, path);
    }

    /// The term of a value.
    ///
    /// # Panics
    /// If the value is the return address of a subroutine.
    pub fn term(&mut self, value: Value) -> TermId {
        value.term(&mut self.pool)
    }
}

/// What is below a method that was called from outside.
fn begin(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let id = call.method();
    call.machine.require(call.state, call.machine.known.system)?;
    let method = call.machine.program.method(id);
    if method.flags.is_static() || call.machine.program.names().text(method.name) == "<init>" {
        call.machine.require(call.state, method.class)?;
    }
    let mut arguments = Vec::with_capacity(call.arguments());
    for index in 0..call.arguments() {
        let argument = call.argument(index);
        arguments.push(call.machine.read(call.state, argument)?);
    }
    call.instead(id, &arguments)
}
