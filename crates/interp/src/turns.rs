//! What becomes of a loop that comes round: it is counted, or it repeats itself for ever.
//!
//! # Source
//! [Kiasan] section 3.4: the bound on loops counts iterations that initialize no heap object.
//!
//! # Invariant
//! A path is said to diverge only if all that its next round can depend on is as it was a round
//! before, compared value by value: then every input of the path keeps the program in the loop.

use crate::flow::{Cut, Flow, Interrupt, Stop};
use crate::loops::Exit;
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::code::Code;
use dalang_heap::{Body, Heap, Value};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// A loop of an activation that has come round.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    /// The activation, by the number of instructions before it and of frames: an initializer begins
    /// before the instruction that needs it counts.
    activation: (u64, usize),
    target: u16,
    /// How many iterations counted.
    count: u32,
    /// How often inputs had been looked at, and initialized, when it last came round.
    consulted: u32,
    initialized: u32,
    /// What conditions that are about constants alone compared then, in short.
    compared: Option<u64>,
    /// How often it has come round at all.
    rounds: u32,
    /// When the situation is remembered next: each time after twice as many rounds, so that a loop
    /// that repeats itself is found out whatever it did before.
    mark_at: u32,
    mark: Option<Box<Mark>>,
}

/// All that a loop's next round can depend on. What callers hold cannot change while the loop runs.
#[derive(Clone, Debug)]
struct Mark {
    values: Box<[Value]>,
    changes: u64,
    /// What the program has been given, of the clock and of inputs that it asks for.
    given: (u32, u32),
    /// Classes whose initialization has begun or ended, interned strings, constants and the like.
    known: [usize; 7],
    /// The heap, once the values were seen to repeat themselves while something was written.
    heap: Option<Heap>,
}

impl Mark {
    fn of(state: &State<'_>, with_heap: bool) -> Self {
        Self {
            values: own_values(state).into(),
            changes: state.heap.changes(),
            given: given(state),
            known: state.known(),
            heap: with_heap.then(|| state.heap.clone()),
        }
    }
}

/// The local variables and operands of the frame on top.
fn own_values<'s>(state: &'s State<'_>) -> &'s [Value] {
    &state.values[state.frame().locals as usize..state.top]
}

fn given(state: &State<'_>) -> (u32, u32) {
    (state.track.clock_reads, state.knowledge.next_request())
}

impl Turn {
    /// Whether the situation is one in which the loop was before. Where only the heap may differ, it
    /// is remembered next time, too.
    fn repeats(&mut self, state: &State<'_>) -> bool {
        let Some(mark) = &mut self.mark else { return false };
        if given(state) != mark.given
            || state.known() != mark.known
            || own_values(state) != &*mark.values
        {
            return false;
        }
        if state.heap.changes() == mark.changes {
            return true;
        }
        match &mark.heap {
            Some(heap) => heap.is_same(&state.heap),
            None => {
                **mark = Mark::of(state, true);
                false
            }
        }
    }

    /// The loop has come round once more.
    fn go_round(&mut self, state: &State<'_>) {
        self.rounds = self.rounds.saturating_add(1);
        if self.rounds >= self.mark_at {
            self.mark_at = self.mark_at.saturating_mul(2);
            let with_heap = self.mark.as_ref().is_some_and(|mark| mark.heap.is_some());
            self.mark = Some(Box::new(Mark::of(state, with_heap)));
        }
    }
}

impl<'p> Machine<'p> {
    /// A loop comes round.
    pub(crate) fn turn(&mut self, state: &mut State<'p>, code: &Code, target: u16) -> Flow {
        if !state.track.loops {
            return Flow::Continue(());
        }
        let (since, method) = (state.frame().since, state.frame().method);
        let activation = (since, state.frames.len());
        // Activations that are over, and loops within the one that comes round, begin anew.
        let turns = &mut state.track.turns;
        while turns.last().is_some_and(|turn| {
            turn.activation > activation || (turn.activation == activation && turn.target > target)
        }) {
            turns.pop();
        }
        let is_this = |turn: &Turn| (turn.activation, turn.target) == (activation, target);
        let place = turns.iter().rposition(is_this);
        let exits = self.exits(method, code, target);
        let compared = self.compared(state, &exits);
        let (consulted, initialized) = (state.consulted, state.knowledge.initialized);
        let Some(place) = place else {
            // This is the first time, so one iteration is over.
            state.track.turns.push(Turn {
                activation,
                target,
                count: 0,
                consulted,
                initialized,
                compared,
                rounds: 1,
                mark_at: 2,
                mark: None,
            });
            return Flow::Continue(());
        };
        let mut turns = std::mem::take(&mut state.track.turns);
        let turn = &mut turns[place];
        let repeats = turn.repeats(state);
        turn.go_round(state);
        // A loop over constants ends by itself. Any other has read inputs for its condition, if it has
        // read any: what it has decided by calls and variables of its own is not told apart.
        let advances = compared.is_some() && turn.compared != compared;
        let counts = turn.initialized == initialized
            && !advances
            && (turn.consulted != consulted
                || exits.iter().any(|exit| self.compares_input(state, exit)));
        (turn.consulted, turn.initialized, turn.compared) = (consulted, initialized, compared);
        turn.count += u32::from(counts);
        let is_enough = turn.count >= self.settings.loops && !state.knowledge.is_blank();
        state.track.turns = turns;
        if repeats {
            return Flow::Break(Interrupt::Diverge);
        }
        if is_enough {
            return Flow::Break(Interrupt::Stop(Box::new(Stop::Cut(Cut::Loop))));
        }
        Flow::Continue(())
    }
}

impl Machine<'_> {
    /// Whether a condition of a loop compares an input, an input object, or what is as long as one.
    fn compares_input(&self, state: &State<'_>, exit: &Exit) -> bool {
        exit.locals.iter().any(|&slot| match state.local(slot) {
            Value::Term(_) => true,
            Value::Reference(object) if !object.is_null() => {
                let is_long = |body: &Body| match body {
                    Body::Elements(elements) => self.pool.bits(elements.length).is_none(),
                    _ => false,
                };
                state.knowledge.object(object).is_some() || is_long(&state.heap.object(object).body)
            }
            _ => false,
        })
    }

    /// What the conditions that are about constants alone compare, or about objects that the program has
    /// made, in short; none if there are none.
    fn compared(&self, state: &State<'_>, exits: &[Exit]) -> Option<u64> {
        let mut hasher = FxHasher::default();
        let mut any = false;
        let plain = exits.iter().filter(|exit| !exit.opaque && !self.compares_input(state, exit));
        for &slot in plain.flat_map(|exit| &exit.locals) {
            let Some(bits) = state.local(slot).bits() else { continue };
            any = true;
            (slot, bits).hash(&mut hasher);
        }
        any.then(|| hasher.finish())
    }
}
