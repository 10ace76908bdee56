//! Intrinsics that do several things one after another, some of them by calling Java.
//!
//! Such an intrinsic keeps its progress in what it has [saved](Call::save) and nowhere else: a
//! function that is told to [go on](Call::go_on) looks at what is saved and does what comes next.
//! It may then break off anywhere and be started again, because what was done is not done twice.

use crate::call::{Call, Resume};
use crate::flow::{Flow, Interrupt, Outcome};
use crate::frame::Stage;
use dalang_classes::MethodId;
use dalang_heap::Value;

impl Call<'_, '_> {
    /// How many values are saved.
    pub fn saved_count(&self) -> usize {
        self.state.top - self.state.frame().floor as usize
    }

    /// What was saved, from a place on.
    pub(crate) fn all_saved(&self, from: usize) -> Vec<Value> {
        let floor = self.state.frame().floor as usize;
        self.state.values[floor + from..self.state.top].to_vec()
    }

    /// From now on a start of the intrinsic is one of `resume`, which is given nothing.
    pub fn go_on(&mut self, resume: Resume) {
        self.state.frame_mut().stage = Stage::Resumed(resume, Outcome::Returned(None));
        #[cfg(debug_assertions)]
        self.machine.begin_stage(self.state);
    }

    /// Gives a value to `resume`, as a method would that was called and has returned.
    pub fn give<T>(&mut self, value: Option<Value>, resume: Resume) -> Flow<T> {
        self.state.frame_mut().stage = Stage::Resumed(resume, Outcome::Returned(value));
        Flow::Break(Interrupt::Entered)
    }

    /// The method below and the instruction that it executes: where a hidden frame was entered.
    pub(crate) fn site(&self) -> (MethodId, u16) {
        let frames = self.state.frames();
        let below = frames.len().checked_sub(2).map_or(self.state.frame(), |at| &frames[at]);
        (below.method, below.pc)
    }
}

/// The value that a method returned; what it threw is thrown on.
pub fn returned(outcome: Outcome) -> Flow<Option<Value>> {
    match outcome {
        Outcome::Returned(value) => Flow::Continue(value),
        Outcome::Threw(exception) => Flow::Break(Interrupt::Throw(exception)),
    }
}
