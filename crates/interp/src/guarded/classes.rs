//! The class of an object that stays unresolved, as a value.

use crate::flow::Flow;
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::ClassId;
use dalang_heap::policy::guarded::Classed;
use dalang_heap::{Leaf, Value};
use dalang_term::{Pool, TermId};
use std::rc::Rc;

/// Of which class an object is, is decided if there are more classes than this: the value would be
/// larger than what it saves.
const MOST: usize = 64;

impl<'p> Machine<'p> {
    /// What `getClass` gives: under the policies that do not divide paths an ite over the classes
    /// that the object can be of, so that a comparison with one of them is one decision.
    ///
    /// Rule `pose/get-class`. Deviation: D8.
    ///
    /// # Errors
    /// The reference is null, or something has to be decided.
    pub fn class_value(&mut self, state: &mut State<'p>, value: Value) -> Flow<Value> {
        if self.is_guarded(state, value) {
            *self.unknowns.rules.entry("pose/get-class").or_default() += 1;
            let reference = self.not_null(state, value)?;
            let classes = self.possible_classes(state, reference);
            if let (1..=MOST, Some(&(first, _))) = (classes.len(), classes.first()) {
                let mut mirror: Value = self.mirror(state, first)?.into();
                for &(class, condition) in &classes[1..] {
                    let other = self.mirror(state, class)?.into();
                    mirror = self.guarded(state).either(condition, other, mirror);
                }
                return Flow::Continue(mirror);
            }
            // Of which class it is, is decided, but not which of several inputs.
            if let [(_, Leaf::Symbol(input))] = self.guarded(state).classed_leaves(reference)[..] {
                let object = self.guarded(state).open(input);
                let class = self.class_of_object(state, object)?;
                return Flow::Continue(self.mirror(state, class)?.into());
            }
        }
        let object = self.object_of(state, value)?;
        let class = self.class_of_object(state, object)?;
        Flow::Continue(self.mirror(state, class)?.into())
    }

    /// The classes that a reference's object can be of, each with the condition. One of the
    /// conditions holds, and no two do.
    fn possible_classes(
        &mut self,
        state: &mut State<'p>,
        reference: TermId,
    ) -> Vec<(ClassId, TermId)> {
        let mut possible: Vec<(ClassId, TermId)> = Vec::new();
        let mut add = |machine: &mut Self, class: ClassId, condition: TermId| match possible
            .iter_mut()
            .find(|known| known.0 == class)
        {
            Some(known) => known.1 = machine.pool.or(known.1, condition),
            None if condition != Pool::FALSE => possible.push((class, condition)),
            None => {}
        };
        for (condition, leaf) in self.guarded(state).classed_leaves(reference) {
            let input = match self.guarded(state).classed(leaf) {
                None => continue,
                Some(Classed::Exactly(class)) => {
                    add(self, class, condition);
                    continue;
                }
                Some(Classed::Input(input)) => input,
            };
            let domain = self.guarded(state).domain(input);
            let classes = Rc::clone(self.unknowns.domains.classes(domain));
            if classes.len() > MOST {
                return Vec::new();
            }
            for &class in classes.iter() {
                let single = self.unknowns.domains.single(class);
                let is = self.guarded(state).is_among(input, single);
                let both = self.pool.and(condition, is);
                add(self, class, both);
            }
        }
        possible
    }
}
