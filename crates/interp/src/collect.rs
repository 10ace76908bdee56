//! Garbage: when a collection is due, where it begins, and what is done when nothing is left to free.
//!
//! A state that is run alone is collected by the run itself, and its places are used again. A state that
//! explores shares its past with others: the run comes back to whoever explores, who knows what else
//! holds places (the conditions of the path), and no place is ever used again.

use crate::alarm::Turn;
use crate::flow::{Flow, Interrupt, Stop, raise};
use crate::frame::Then;
use crate::machine::Machine;
use crate::state::{Initialization, State};
use dalang_heap::{Reference, Roots};
use dalang_term::{Pool, TermId};
use std::rc::Rc;

/// Who collects garbage, if anybody does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collection {
    /// Nobody.
    Never,
    /// The run itself: nobody else has a state of the same past.
    Alone,
    /// Whoever explores, when a run comes back because a collection is [due](Machine::is_collection_due).
    Shared,
}

impl State<'_> {
    /// Puts a collection off, because not all that holds places is known.
    pub fn postpone_collection(&mut self) {
        self.collect_at = Some(self.heap.bytes().saturating_mul(2));
    }

    /// What the state itself holds.
    pub(crate) fn roots(&self) -> Roots {
        let mut roots = Roots::default();
        self.values[..self.top].iter().for_each(|&value| roots.add(value));
        self.constants.values().for_each(|&value| roots.add(value));
        self.singletons.values().for_each(|&value| roots.add(value));
        self.given.iter().flat_map(|given| given.iter()).for_each(|&value| roots.add(value));
        let preset = self.preset.iter().flat_map(|preset| preset.iter());
        preset.for_each(|preset| roots.add(preset.value));
        roots.places.extend(self.types.values());
        roots.places.extend(self.track.blamed_places());
        for entry in self.classes.iter() {
            roots.places.extend([entry.statics, entry.mirror]);
            if let Initialization::Failed(cause) = entry.initialization {
                roots.places.push(cause);
            }
        }
        for frame in &self.frames {
            roots.places.push(frame.monitor);
            if let Then::Throw(exception) = frame.then {
                roots.places.push(exception);
            }
            frame.stage.value().into_iter().for_each(|value| roots.add(value));
        }
        roots.terms.extend(&self.facts.holds);
        roots.terms.extend(self.facts.bounds.iter().map(|bound| bound.1));
        roots.add_knowledge(&self.knowledge);
        roots
    }

    /// Forgets what only the machine remembers of objects that are gone: an interned string that nobody
    /// holds is not missed (literals are held as constants), and a box that nobody holds is compared
    /// with nothing.
    fn forget_the_gone(&mut self) {
        let heap = &self.heap;
        let lives = |place: &Reference| heap.find(*place).is_some();
        if !self.interned.values().all(lives) {
            Rc::make_mut(&mut self.interned).retain(|_, string| lives(string));
        }
        for list in [&mut self.own_interned, &mut self.boxed] {
            if !list.iter().all(lives) {
                Rc::make_mut(list).retain(lives);
            }
        }
        self.track.forget_raised(lives);
        self.forget_numbers();
    }
}

impl<'p> Machine<'p> {
    /// Whether the heap has grown so much that a collection is worth its time.
    #[inline]
    pub fn is_collection_due(&self, state: &State<'p>) -> bool {
        state.heap.bytes() >= self.collect_at(state)
    }

    /// The size of the heap from which a collection is worth its time.
    #[inline]
    pub(crate) fn collect_at(&self, state: &State<'p>) -> u64 {
        match self.settings.collection {
            Collection::Never => u64::MAX,
            Collection::Alone | Collection::Shared => {
                state.collect_at.unwrap_or(self.settings.worth)
            }
        }
    }

    /// Frees what neither the program nor these terms can reach.
    ///
    /// # Errors
    /// There are no numbers left for new objects.
    pub fn collect(&self, state: &mut State<'p>, terms: &[TermId]) -> Result<(), Stop> {
        let mut roots = state.roots();
        roots.terms.extend(terms);
        if self.settings.collection == Collection::Alone {
            state.heap.collect(&self.pool, roots);
        } else {
            state.heap.release(&self.pool, roots);
        }
        state.forget_the_gone();
        let (live, limit) = (state.heap.bytes(), self.settings.heap);
        // Before the limit is reached, but not again right away.
        let worth = (live * 2).max(self.settings.worth).min(limit / 8 * 7);
        state.collect_at = Some(worth.max(live + (limit / 16).min(self.settings.worth)));
        state.ceiling = 0;
        Self::check_numbers(state)
    }

    /// Whether there are numbers for new objects. Those of all states that were copied from each other
    /// count, because no two give one to different objects.
    ///
    /// # Errors
    /// There are none left.
    pub(crate) fn check_numbers(state: &State<'p>) -> Result<(), Stop> {
        if state.heap.places() < Pool::FIRST_ANONYMOUS_IDENTITY - MOST_BETWEEN {
            return Ok(());
        }
        Err(Stop::Memory("no number is left for another object".into()))
    }

    /// Whether there is room for so many bytes more. If there is not, Java throws an
    /// `OutOfMemoryError`. A state that explores does that only if it asks for more than the largest
    /// heap could ever hold; otherwise how large the heap is would decide what a program does.
    #[inline]
    pub(crate) fn admit(&self, state: &mut State<'p>, bytes: u64) -> Flow<Turn> {
        let wanted = state.heap.bytes().saturating_add(bytes);
        if wanted > self.settings.heap && wanted > state.ceiling {
            return self.make_room(state, bytes);
        }
        self.claim(bytes)
    }

    /// What is garbage by now does not count. A collection cannot be made in the middle of an
    /// instruction, so only its outcome is found here, and it is made after the instruction. That
    /// is done once, because later it would take what the instruction has allocated for garbage.
    #[cold]
    fn make_room(&self, state: &mut State<'p>, bytes: u64) -> Flow<Turn> {
        if bytes > self.settings.heap {
            return raise("java/lang/OutOfMemoryError", HEAP_SPACE);
        }
        if self.settings.collection != Collection::Never && state.ceiling == 0 {
            let garbage = state.heap.bytes() - state.heap.live_bytes(&self.pool, state.roots());
            state.ceiling = self.settings.heap.saturating_add(garbage);
            state.collect_at = Some(0);
            if state.heap.bytes() + bytes <= state.ceiling {
                return self.claim(bytes);
            }
        }
        match self.settings.collection {
            Collection::Shared => {
                let size = size(self.settings.heap);
                let what = format!(
                    "the program holds more than the {size} that Java's heap is taken to have"
                );
                Flow::Break(Interrupt::Stop(Box::new(Stop::Memory(what.into()))))
            }
            Collection::Never | Collection::Alone => {
                raise("java/lang/OutOfMemoryError", HEAP_SPACE)
            }
        }
    }

    /// How large Java's heap is, for people.
    pub fn heap_size(&self) -> String {
        size(self.settings.heap)
    }

    /// Notes what it rests on that Java throws an `OutOfMemoryError`.
    pub(crate) fn note_heap_size(&mut self, state: &State<'p>) {
        let size = size(self.settings.heap);
        self.assume(state, &format!("Java's heap has {size}: something needs more at once"));
    }
}

/// What Java says when the heap is full.
pub(crate) const HEAP_SPACE: &str = "Java heap space";

/// From how many bytes on it is looked whether the host has them.
pub(crate) const LARGE: u64 = 1 << 20;

/// More objects than are made between two collections: the smallest has sixteen bytes.
const MOST_BETWEEN: u32 = 1 << 28;

/// How large a heap is, for people.
fn size(bytes: u64) -> String {
    if bytes.is_multiple_of(1 << 30) {
        format!("{} GiB", bytes >> 30)
    } else {
        format!("{} MiB", bytes >> 20)
    }
}
