//! What is recorded of the way that a state has come: loops, a fingerprint of its branches, where
//! exceptions came from.
//!
//! Only states that explore, or that follow an explored path again, are tracked; an ordinary run
//! pays for one test per instruction.

use crate::flow::{Cut, Flow, Interrupt, Stop};
use crate::frame::{Body, Frame, Then};
use crate::machine::Machine;
use crate::state::State;
use crate::turns::Turn;
use dalang_classes::MethodId;
use dalang_classes::code::{Code, Instruction};
use dalang_heap::Reference;
use std::rc::Rc;

/// What is recorded of the way that a state has come.
#[derive(Clone, Debug, Default)]
pub struct Track {
    /// Whether anything is recorded.
    pub on: bool,
    /// The method that is explored.
    pub watched: Option<MethodId>,
    /// Whether it is recorded which code of the target is reached.
    pub covers: bool,
    /// How many frames there were when the method was called.
    pub base: usize,
    /// How many instructions had been executed then.
    pub begun: u64,
    /// Whether loops are looked at: they count, and those that do not end are found out.
    pub loops: bool,
    pub(crate) turns: Vec<Turn>,
    /// How often the clock was read.
    pub(crate) clock_reads: u32,
    /// A fingerprint of branches, calls and exceptions, in code that does not initialize a class: when
    /// that happens depends on what happened before the method. The library's code is left out, but for
    /// classes in [`Settings::followed`](crate::Settings::followed).
    pub trace: u64,
    /// How many classes are being initialized.
    pub(crate) initializing: u32,
    /// Exceptions that the virtual machine itself has made.
    raised: Rc<Vec<Reference>>,
    /// Errors that only tell that an initializer has failed, each with what it failed with.
    causes: Rc<Vec<Cause>>,
    /// Where the exceptions that were thrown last come from, the latest at the end: one that is thrown
    /// again after another one was caught, as `try` with resources does, comes from where it was.
    origins: Rc<Vec<Rc<Origin>>>,
}

/// Of how many exceptions it is remembered where they come from: a program that throws without end
/// must not fill the memory.
const MOST_ORIGINS: usize = 16;

/// Where an exception was thrown first: methods and instructions, the innermost first.
#[derive(Clone, Debug)]
pub struct Origin {
    exception: Reference,
    /// The frames, the innermost first; those that stand for no method are left out.
    pub frames: Vec<(MethodId, u16)>,
}

/// What an error about a failed initializer goes back to.
#[derive(Clone, Debug)]
struct Cause {
    error: Reference,
    exception: Reference,
    /// Where that was thrown.
    origin: Option<Rc<Origin>>,
}

impl State<'_> {
    /// The method begins, and the way is recorded; what is in the heap was there before.
    pub fn begin_track(&mut self, watched: MethodId) {
        let track = &mut self.track;
        (track.on, track.loops, track.covers) = (true, true, true);
        (track.begun, track.base) = (self.instructions, self.frames.len());
        track.watched = Some(watched);
        self.heap.set_early(false);
    }

    /// An initializer of a class begins: what it makes may have been there before the method ran.
    pub(crate) fn begin_initializer(&mut self) {
        self.track.initializing += 1;
        self.heap.set_early(true);
    }

    /// An initializer of a class has ended.
    pub(crate) fn end_initializer(&mut self) {
        self.track.initializing = self.track.initializing.saturating_sub(1);
        if self.track.initializing == 0 {
            self.heap.set_early(!self.track.on);
        }
    }
}

impl Track {
    /// Whether the virtual machine itself has made an exception.
    pub fn is_raised(&self, exception: Reference) -> bool {
        self.raised.contains(&exception)
    }

    /// Where an exception was thrown first, if it is one of those that were thrown last.
    pub fn origin(&self, exception: Reference) -> Option<&Origin> {
        self.shared_origin(exception).map(Rc::as_ref)
    }

    fn shared_origin(&self, exception: Reference) -> Option<&Rc<Origin>> {
        self.origins.iter().rev().find(|origin| origin.exception == exception)
    }

    /// The exception that an error about a failed initializer goes back to, and where that was thrown;
    /// any other exception itself.
    pub fn blamed(&self, exception: Reference) -> (Reference, Option<&Origin>) {
        let mut found = (exception, self.origin(exception));
        while let Some(cause) = self.causes.iter().find(|cause| cause.error == found.0) {
            found = (cause.exception, cause.origin.as_deref().or(found.1));
        }
        found
    }

    /// Notes that an error tells of an exception that an initializer has thrown.
    pub(crate) fn blame(&mut self, error: Reference, exception: Reference) {
        if self.on && !exception.is_null() && self.causes.iter().all(|cause| cause.error != error) {
            let origin = self.shared_origin(exception).cloned();
            Rc::make_mut(&mut self.causes).push(Cause { error, exception, origin });
        }
    }

    /// The exceptions that errors of initializers go back to: what a path counts as depends on them.
    pub(crate) fn blamed_places(&self) -> impl Iterator<Item = Reference> + '_ {
        self.causes.iter().flat_map(|cause| [cause.error, cause.exception])
    }

    /// Forgets exceptions that no longer live: others may get their places.
    pub(crate) fn forget_raised(&mut self, lives: impl Fn(&Reference) -> bool) {
        if !self.raised.iter().all(&lives) {
            Rc::make_mut(&mut self.raised).retain(&lives);
        }
        if !self.origins.iter().all(|origin| lives(&origin.exception)) {
            Rc::make_mut(&mut self.origins).retain(|origin| lives(&origin.exception));
        }
    }

    /// The clock is read: whoever waits for it does not repeat itself.
    pub fn read_clock(&mut self) {
        self.clock_reads += 1;
    }

    pub(crate) fn raise(&mut self, exception: Reference) {
        if self.on {
            Rc::make_mut(&mut self.raised).push(exception);
        }
    }

    /// A branch in code whose way is recorded.
    #[inline]
    pub(crate) fn note_branch(&mut self, method: MethodId, from: u16, to: u16) {
        if self.initializing == 0 {
            self.mix(u64::from(method.number()) << 32 | u64::from(from) << 16 | u64::from(to));
        }
    }

    fn mix(&mut self, what: u64) {
        self.trace = (self.trace.rotate_left(5) ^ what).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl<'p> Machine<'p> {
    /// After an instruction that stayed in its frame.
    #[inline]
    pub(crate) fn after(&mut self, state: &mut State<'p>, code: &Code, pc: u16) -> Flow {
        let to = state.frame().pc;
        if matches!(
            code.instructions[usize::from(pc)],
            Instruction::If(..)
                | Instruction::IfInts(..)
                | Instruction::IfSame(_)
                | Instruction::IfDifferent(_)
                | Instruction::IfNull(_)
                | Instruction::IfNonNull(_)
                | Instruction::Switch(_)
        ) {
            self.branched(state, pc, to);
        }
        if to <= pc { self.turn(state, code, to) } else { Flow::Continue(()) }
    }

    fn branched(&mut self, state: &mut State<'p>, from: u16, to: u16) {
        let frame = state.frame();
        let method = frame.method;
        self.note_way(state, from, to);
        if self.records(method) {
            state.track.note_branch(method, from, to);
        }
    }

    /// Whether ways through the code of a method are recorded.
    pub(crate) fn records(&self, method: MethodId) -> bool {
        let class = self.program.method(method).class;
        if self.module(class).is_none() {
            return true;
        }
        if self.settings.followed.is_empty() {
            return false;
        }
        let names = self.program.names();
        let name = names.text(self.program.class(class).name);
        let outermost = name.split('$').next().unwrap_or(name);
        self.settings.followed.iter().any(|followed| match followed.split_once('.') {
            Some((class, own)) => {
                class == outermost && own == names.text(self.program.method(method).name)
            }
            None => *followed == outermost,
        })
    }

    /// After a method was entered.
    pub(crate) fn entered(&mut self, state: &mut State<'p>) {
        let frame = state.frame();
        let counts = state.track.initializing == 0 && !frame.hidden;
        if counts && self.records(frame.method) {
            let method = frame.method;
            state.track.mix(!u64::from(method.number()));
        }
    }

    /// An exception arrives in a frame: where, and of which class it is, belongs to the way, because a
    /// handler may catch what several instructions throw.
    pub(crate) fn thrown_in(&mut self, state: &mut State<'p>, exception: Reference) {
        self.cover_throwing(state);
        let frame = state.frame();
        let counts = state.track.initializing == 0 && !frame.hidden;
        if counts && self.records(frame.method) {
            let (method, pc) = (frame.method, frame.pc);
            let class = state.heap.class(exception).index() as u64;
            state.track.mix(u64::from(method.number()) << 32 | u64::from(pc) << 16 | 0xffff);
            state.track.mix(!class);
        }
    }

    /// Stops where the calls that the program makes are nested too deep.
    pub(crate) fn check_depth(&self, state: &State<'p>) -> Flow {
        let above = state.frames.len().saturating_sub(state.track.base);
        if above > self.settings.calls
            && !state.knowledge.is_blank()
            && self.calls(&state.frames[state.track.base..]) > self.settings.calls
        {
            return Flow::Break(Interrupt::Stop(Box::new(Stop::Cut(Cut::Calls))));
        }
        Flow::Continue(())
    }

    /// How many nested calls of the program these frames stand for. The virtual machine's own are none:
    /// the constructor of an exception that it raises, the initialization of a class, and what they
    /// call. Nor is it a call to make an exception of the library, as `assert` does.
    fn calls(&self, frames: &[Frame<'p>]) -> usize {
        let is_own = |frame: &&Frame<'p>| {
            matches!(frame.then, Then::Throw(_) | Then::Initialized(..))
                || self.makes_exception(frame)
        };
        let called = frames.iter().take_while(|frame| !is_own(frame));
        called.filter(|frame| !frame.hidden).count()
    }

    /// Whether a frame is the constructor of an exception of the library.
    fn makes_exception(&self, frame: &Frame<'p>) -> bool {
        let (program, class) = (self.program, frame.class);
        program.names().text(program.method(frame.method).name) == "<init>"
            && program.is_subtype(class, self.known.throwable)
            && self.module(class).is_some()
    }

    /// Remembers where an exception was thrown.
    pub(crate) fn note_origin(&self, state: &mut State<'p>, exception: Reference) {
        const MOST: usize = 64;
        if state.track.origin(exception).is_some() {
            return;
        }
        let frames = state.frames.iter().rev().filter(|frame| !frame.hidden);
        let frames = frames.take(MOST).map(|frame| match frame.body {
            Body::Code(_) => (frame.method, frame.pc),
            Body::Native(_) => (frame.method, 0),
        });
        let frames = frames.collect();
        let origins = Rc::make_mut(&mut state.track.origins);
        if origins.len() == MOST_ORIGINS {
            origins.remove(0);
        }
        origins.push(Rc::new(Origin { exception, frames }));
    }
}
