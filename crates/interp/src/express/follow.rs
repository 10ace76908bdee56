//! What the lane does where a state explores: it looks up what is known of terms, and records the
//! way. It still decides nothing.

use super::op::Op;
use super::prepared::Prepared;
use crate::coverage::Way;
use crate::flow::Flow;
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::code::Condition;
use dalang_heap::{Reference, Value};

impl<'p> Machine<'p> {
    /// Whether a condition on terms holds, if the path has settled it.
    #[inline(never)]
    pub(super) fn known_condition(
        &mut self,
        state: &mut State<'p>,
        condition: Condition,
        a: Value,
        b: Value,
    ) -> Option<bool> {
        match self.condition(condition, a, b) {
            Flow::Continue(term) => match self.pool.bits(term) {
                Some(bits) => Some(bits == 1),
                None => {
                    let settled = self.is_settled(term);
                    state.consulted += u32::from(settled.is_some());
                    settled
                }
            },
            // It is said outside what is wrong with it.
            Flow::Break(_) => None,
        }
    }

    /// The object that a term is known to refer to.
    pub(super) fn known_object(&self, state: &State<'p>, value: Value) -> Option<Reference> {
        match self.known_value(state, value) {
            Value::Reference(reference) if !reference.is_null() => Some(reference),
            _ => None,
        }
    }

    /// The object whose field is read, if that is known: be it that others may be the same, an input that
    /// is in use has what is read by way of it.
    pub(super) fn known_source(&self, state: &State<'p>, value: Value) -> Option<Reference> {
        let known = self.known_object(state, value);
        known.or_else(|| match value {
            Value::Term(term) => self.storage_in_use(state, term),
            _ => None,
        })
    }

    /// Whether a reference is null, if that is known and nothing else has to be asked.
    pub(super) fn known_nullness(&mut self, state: &mut State<'p>, value: Value) -> Option<bool> {
        match self.known_value(state, value) {
            Value::Reference(reference) => Some(reference.is_null()),
            Value::Term(term) => self.plain_nullness(state, term),
            _ => None,
        }
    }

    /// Records that an operation is executed and goes this way, if its code is the target's.
    #[inline]
    pub(super) fn note_reached(
        &mut self,
        state: &State<'p>,
        prepared: &Prepared<'p>,
        at: usize,
        way: Way,
    ) {
        if !prepared.is_target || !state.track.covers {
            return;
        }
        let (bit, epoch) = (way.bit(), self.coverage.epoch << 2);
        let known = prepared.seen[at].get();
        let known = if known & !3 == epoch { known } else { epoch };
        // A switch has more ways than bits.
        if known & bit == 0 || matches!(prepared.ops[at], Op::Switch { .. }) {
            prepared.seen[at].set(known | bit);
            self.coverage.note(state.frame().method, way);
        }
    }

    /// Whether a method can be entered without coming too deep.
    #[inline]
    pub(super) fn is_shallow(&self, state: &State<'p>) -> bool {
        let depth = (state.frames.len() + 1).saturating_sub(state.track.base);
        depth <= self.settings.calls || state.knowledge.is_blank()
    }
}

/// Records a jump; false, without effect, if it closes a loop: that is looked at outside.
#[inline]
pub(super) fn note_jump(
    state: &mut State<'_>,
    prepared: &Prepared<'_>,
    (from, to): (u16, u16),
    branches: bool,
) -> bool {
    if to <= from && state.track.loops {
        return false;
    }
    if branches && prepared.is_recorded {
        let method = state.frame().method;
        state.track.note_branch(method, from, to);
    }
    true
}
