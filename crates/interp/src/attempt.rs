//! One attempt at an instruction, or at a stage of an intrinsic: what it counts for, once it goes through.
//!
//! What breaks off to ask, or for a class to be initialized, is executed again from its beginning. So the
//! clock that programs see, coverage, the counts of rules and of looks at inputs are changed by the attempt
//! that goes through, and by no other: an instruction that is executed once counts once, however often it
//! had to ask. What else an attempt has done by then may only be discoveries, which no program can tell
//! from what was there before; builds with debug assertions look whether that is so (`before.rs`).

#[cfg(debug_assertions)]
mod before;

use crate::flow::Interrupt;
use crate::machine::Machine;
use crate::state::State;

/// What an attempt began with.
#[derive(Default)]
pub(crate) struct Attempt {
    /// How often inputs had been looked at.
    consulted: u32,
    #[cfg(debug_assertions)]
    before: before::Before,
}

impl Interrupt {
    /// Whether what was executing starts again from its beginning.
    pub(crate) const fn starts_again(&self) -> bool {
        matches!(self, Self::Ask(_) | Self::Initialize(_))
    }
}

impl<'p> Machine<'p> {
    /// Something is about to be executed, perhaps not for the first time.
    #[inline]
    pub(crate) fn begin_attempt(&mut self, state: &mut State<'p>) {
        state.instructions += 1;
        if state.track.on {
            self.begin_tracked(state);
        }
        #[cfg(debug_assertions)]
        self.attempt.before.remember(state);
    }

    /// The attempt before this one has gone through, or has withdrawn what it left pending.
    #[inline]
    fn begin_tracked(&mut self, state: &mut State<'p>) {
        self.attempt.consulted = state.consulted;
        // Whoever had to ask has looked at inputs, be it that the answer leaves nothing to look at.
        if state.asked {
            state.asked = false;
            state.consulted += 1;
        }
        self.unknowns.rules.commit();
        self.begin_covering(state);
    }

    /// An attempt breaks off and will be repeated: it counts for nothing. Gives what becomes of it.
    #[cold]
    pub(crate) fn break_off(&mut self, state: &mut State<'p>, interrupt: Interrupt) -> Interrupt {
        state.instructions -= 1;
        if state.track.on {
            state.consulted = self.attempt.consulted;
            state.asked |= matches!(interrupt, Interrupt::Ask(_));
            self.unknowns.rules.withdraw();
            self.coverage.withdraw();
        }
        #[cfg(debug_assertions)]
        if let Some(change) = self.attempt.before.change(self, state) {
            return self.changed_too_early(state, &interrupt, &change);
        }
        interrupt
    }
}
