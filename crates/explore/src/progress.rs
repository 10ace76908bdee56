//! Which answers count towards the bound on loops.
//!
//! The policies that decide what references are do so when an input is first looked at, and an
//! iteration that does is not counted. Those that do not, decide the same later, when references are
//! compared; so such an answer is not counted either. But where a list may be a circle, a loop meets
//! new inputs without end, each of which must be an object that is there, because of a bound: what is
//! decided of what lies behind such an input is counted, even if the answer was known.

use crate::explorer::Explorer;
use crate::path::Node;
use dalang_heap::{InputId, Step};
use dalang_term::TermId;

impl<'p> Explorer<'p> {
    /// Whether the answer to a condition counts.
    pub(crate) fn counts(&self, node: &Node<'p>, condition: TermId, divides: bool) -> bool {
        if !self.config.policy.is_optimal() {
            return divides;
        }
        let inputs = &self.machine.unknowns.inputs;
        let (mut is_about_values, mut goes_round) = (false, false);
        for &symbol in self.machine.pool.symbols_of(condition).iter() {
            let Some(id) = inputs.of_symbol(symbol) else { continue };
            let input = inputs.get(id);
            match input.step {
                Step::Class(of) => goes_round |= self.is_behind(node, of),
                _ if input.primitive.is_some() => is_about_values = true,
                _ => goes_round |= self.is_behind(node, id),
            }
        }
        goes_round || (divides && is_about_values)
    }

    /// Whether the way to an input leads through one that is beyond a bound.
    fn is_behind(&self, node: &Node<'p>, input: InputId) -> bool {
        match self.machine.unknowns.inputs.get(input).step {
            Step::Field(of, _) | Step::Element(of, _) => self.is_beyond(node, of),
            _ => false,
        }
    }

    /// Whether an input is reached by more references, or has more objects of its class before it, than
    /// the bounds allow: then it is another one.
    fn is_beyond(&self, node: &Node<'p>, input: InputId) -> bool {
        let (inputs, knowledge) = (&self.machine.unknowns.inputs, &node.state.knowledge);
        if self.config.k.is_some_and(|most| inputs.get(input).depth > most) {
            return true;
        }
        let Some(most) = self.config.n else { return false };
        let heap = &node.state.heap;
        let mut next = Some(input);
        while let Some(id) = next {
            let place = knowledge.objects().iter().position(|object| object.input == id);
            if let Some(place) = place {
                let class = heap.class(knowledge.objects()[place].reference);
                let before = knowledge.objects()[..place].iter();
                let same = before.filter(|object| heap.class(object.reference) == class);
                return same.count() >= most as usize;
            }
            next = match inputs.get(id).step {
                Step::Field(of, _) | Step::Element(of, _) => Some(of),
                _ => None,
            };
        }
        false
    }
}
