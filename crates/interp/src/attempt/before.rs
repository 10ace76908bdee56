//! Looks whether an attempt that breaks off has changed anything that a program can observe.
//!
//! Only the frame on top is compared, with its values, and those objects that somebody was given to
//! change: every instruction of every test pays for it. A value may have become what an input is known to
//! be. What an intrinsic has saved counts only in later stages, since it is dropped when one begins again;
//! one that goes on by itself ([`Call::go_on`](crate::Call::go_on)) keeps its progress there, and may add to it.

use crate::flow::{Interrupt, Outcome, Stop};
use crate::frame::{Body, Stage};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::MethodId;
use dalang_heap::Value;

/// What a state was like before an attempt.
#[derive(Default)]
pub(super) struct Before {
    frames: usize,
    method: Option<MethodId>,
    pc: u16,
    stage: Option<Stage>,
    top: usize,
    /// The local variables and operands of the frame on top.
    values: Vec<Value>,
    /// What the program has been given, and the fingerprint of its way.
    given: Given,
}

/// How often the clock was read; inputs that were asked for; bytes of standard input; the way.
type Given = (u32, u32, u32, u64);

fn given(state: &State<'_>) -> Given {
    let (track, knowledge) = (&state.track, &state.knowledge);
    (track.clock_reads, knowledge.next_request(), state.received, track.trace)
}

impl Before {
    pub(super) fn remember(&mut self, state: &mut State<'_>) {
        let frame = state.frame();
        self.frames = state.frames.len();
        (self.method, self.pc, self.stage) = (Some(frame.method), frame.pc, Some(frame.stage));
        self.top = match (frame.body, frame.stage) {
            // What it had saved is dropped.
            (Body::Native(_), Stage::Start) => frame.floor as usize,
            _ => state.top,
        };
        self.values.clear();
        self.values.extend_from_slice(&state.values[frame.locals as usize..self.top]);
        self.given = given(state);
        state.heap.begin_journal();
    }

    /// What is different now that should not be.
    pub(super) fn change<'p>(&self, machine: &Machine<'p>, state: &State<'p>) -> Option<String> {
        let frame = state.frame();
        if self.frames != state.frames.len()
            || (self.method, self.pc) != (Some(frame.method), frame.pc)
        {
            return Some("the frames".to_owned());
        }
        if !self.stage.is_some_and(|stage| is_same_stage(stage, frame.stage)) {
            return Some("the stage".to_owned());
        }
        if !self.has_same_values(machine, state) {
            return Some("local variables or operands".to_owned());
        }
        if self.given != given(state) {
            return Some("what the program was given".to_owned());
        }
        let object = state.heap.first_changed(Some(machine.known.class))?;
        let class = machine.program.class_spelling(state.heap.class(object));
        Some(format!("an object of {class}"))
    }

    fn has_same_values<'p>(&self, machine: &Machine<'p>, state: &State<'p>) -> bool {
        let frame = state.frame();
        let may_end_later = match (frame.body, frame.stage) {
            (Body::Code(_), _) => false,
            (Body::Native(_), stage) => {
                matches!(stage, Stage::Start | Stage::Resumed(_, Outcome::Returned(None)))
            }
        };
        if state.top != self.top && !(may_end_later && state.top > self.top) {
            return false;
        }
        let now = &state.values[frame.locals as usize..self.top];
        // An input becomes what it is known to be.
        let is_same = |(&old, &new): (&Value, &Value)| {
            let known = |value| machine.known_value(state, value);
            old == new || known(old) == known(new)
        };
        self.values.iter().zip(now).all(is_same)
    }
}

fn is_same_stage(a: Stage, b: Stage) -> bool {
    match (a, b) {
        (Stage::Start, Stage::Start) => true,
        (Stage::Waiting(a), Stage::Waiting(b)) | (Stage::Resumed(a, _), Stage::Resumed(b, _)) => {
            std::ptr::fn_addr_eq(a, b)
        }
        _ => false,
    }
}

impl<'p> Machine<'p> {
    /// An intrinsic has done one thing and will not do it again: what comes next is a stage of its own.
    pub(crate) fn begin_stage(&mut self, state: &mut State<'p>) {
        self.attempt.before.remember(state);
    }

    /// The stop of a state in which something broke off that had an effect already.
    pub(super) fn changed_too_early(
        &self,
        state: &State<'p>,
        interrupt: &Interrupt,
        change: &str,
    ) -> Interrupt {
        let frame = state.frame();
        let method = self.program.method_spelling(frame.method);
        let at = match frame.body {
            Body::Code(code) => {
                format!("{:?} of {method}", code.instructions[usize::from(frame.pc)])
            }
            Body::Native(_) => format!("the intrinsic for {method}"),
        };
        let why = match interrupt {
            Interrupt::Ask(_) => "ask",
            _ => "initialize a class",
        };
        let what = format!("{at} has changed {change} before it broke off to {why}");
        Interrupt::Stop(Box::new(Stop::Bug(what.into())))
    }
}
