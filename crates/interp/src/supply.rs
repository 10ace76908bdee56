//! Standard input, as an input: bytes that stand for all, and a length.
//!
//! A state that explores knows how much of it the program has asked for. How much there is, is a
//! symbol, and the bound on it leaves out what is longer; every byte is a symbol, too. So reading
//! decides nothing: the end is found where the program looks for it. It is read as from a file: who
//! asks for many bytes gets as many as there are. Where bytes are [given](State::supply), as when a
//! path is run again on constants, those are read.

use crate::machine::Machine;
use crate::state::State;
use dalang_classes::Primitive;
use dalang_heap::{Bound, InputId, Step, Value};
use dalang_term::TermId;

/// What reading from standard input gives.
#[derive(Clone, Debug)]
pub enum Supply {
    /// These bytes; none at the end.
    Known(Vec<u8>),
    /// These bytes, of which so many are there: an `int` that is not negative, and may be larger.
    Unknown(Vec<Value>, TermId),
}

impl<'p> Machine<'p> {
    /// The next bytes of standard input, at most so many; none if the state does not explore.
    pub fn supply(&mut self, state: &mut State<'p>, most: usize) -> Option<Supply> {
        let from = state.received as usize;
        if let Some(given) = &state.supply {
            let to = from.saturating_add(most).min(given.len());
            let bytes = given[from.min(to)..to].to_vec();
            state.received = to as u32;
            return Some(Supply::Known(bytes));
        }
        if state.knowledge.is_blank() {
            return None;
        }
        let longest = self.unknowns.bounds.stdin.unwrap_or_default() as usize;
        let length = self.supply_length(state, longest);
        let to = from.saturating_add(most).min(longest);
        let bytes = (from..to).map(|place| self.supplied(place)).collect();
        state.received = from.saturating_add(most).min(i32::MAX as usize) as u32;
        Some(Supply::Unknown(bytes, self.left(length, from)))
    }

    /// How many bytes of standard input there are after the first ones.
    fn left(&mut self, length: TermId, from: usize) -> TermId {
        let (from, none) = (self.pool.int(from as i32), self.pool.int(0));
        let is_past = self.pool.slt(length, from);
        let rest = self.pool.sub(length, from);
        self.pool.ite(is_past, none, rest)
    }

    /// The length of standard input; what is known of it is said when it is first looked at.
    fn supply_length(&mut self, state: &mut State<'p>, longest: usize) -> TermId {
        let input = self.supply_input(Step::Supply, "stdin.length", Primitive::Int);
        let length = self.unknowns.inputs.get(input).term;
        if !state.supplied {
            state.supplied = true;
            let (none, most) = (self.pool.int(0), self.pool.int(longest as i32));
            let is_negative = self.pool.slt(length, none);
            let is_length = self.pool.not(is_negative);
            state.facts.holds.push(is_length);
            let is_longer = self.pool.slt(most, length);
            let is_within = self.pool.not(is_longer);
            state.facts.bounds.push((Bound::Stdin, is_within));
        }
        length
    }

    fn supplied(&mut self, place: usize) -> Value {
        let step = Step::Supplied(place as u32);
        let input = self.supply_input(step, &format!("stdin[{place}]"), Primitive::Byte);
        Value::Term(self.unknowns.inputs.get(input).term)
    }

    fn supply_input(&mut self, step: Step, name: &str, primitive: Primitive) -> InputId {
        self.unknowns.inputs.plain(self.program, &mut self.pool, step, name, primitive)
    }
}
