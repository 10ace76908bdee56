//! Constants of enums that an input of a general type may be, under the policies that do not divide
//! paths.

use crate::flow::Flow;
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::ClassId;
use dalang_heap::policy::guarded::class_number;
use dalang_heap::{DomainId, InputId, Leaf, Reference};
use dalang_term::{Pool, TermId};

impl<'p> Machine<'p> {
    /// Two references are compared, and one can be a constant of an enum where the other is an input
    /// of which is not known whether it is one. The input is of the constants' class exactly where it
    /// is one of them.
    pub(super) fn tie_constants(&mut self, state: &mut State<'p>, x: TermId, y: TermId) -> Flow {
        for (from, to) in [(x, y), (y, x)] {
            let classes = self.constant_classes(state, to);
            if classes.is_empty() {
                continue;
            }
            for input in self.guarded(state).ending_inputs(from) {
                let domain = self.guarded(state).domain(input);
                for &class in &classes {
                    if self.unknowns.domains.classes(domain).contains(&class) {
                        self.tie_constant(state, input, class)?;
                    }
                }
            }
        }
        Flow::Continue(())
    }

    /// The classes of the constants that a reference can be.
    fn constant_classes(&mut self, state: &mut State<'p>, reference: TermId) -> Vec<ClassId> {
        let leaves = self.guarded(state).ends(reference);
        let mut classes: Vec<ClassId> = Vec::new();
        for leaf in leaves {
            let Leaf::Object(object) = self.guarded(state).leaf(leaf) else { continue };
            let class = state.heap.class(object);
            let is_input = state.knowledge.object(object).is_some();
            if !is_input && self.is_enum(class) && !classes.contains(&class) {
                classes.push(class);
            }
        }
        classes
    }

    /// An input is of a class of constants exactly where it is one of them.
    pub(super) fn tie_constant(
        &mut self,
        state: &mut State<'p>,
        input: InputId,
        class: ClassId,
    ) -> Flow {
        let constants: Vec<Reference> = self.enum_constants(state, class)?;
        let symbol = self.unknowns.inputs.get(input).term;
        let mut any = Pool::FALSE;
        for constant in constants {
            let place = self.pool.identity(constant.number());
            let hit = self.pool.eq(symbol, place);
            any = self.pool.or(any, hit);
        }
        if !state.knowledge.tie(any) {
            return Flow::Continue(());
        }
        let kind = self.guarded(state).class_of(input);
        let number = class_number(&mut self.pool, class);
        let of_class = self.pool.eq(kind, number);
        let null = self.pool.eq(symbol, Pool::NULL);
        let some = self.pool.not(null);
        let is_one = self.pool.and(some, of_class);
        for (one, other) in [(any, is_one), (is_one, any)] {
            let fact = self.pool.implies(one, other);
            if fact != Pool::TRUE {
                state.facts.holds.push(fact);
            }
        }
        Flow::Continue(())
    }

    /// The enums that a location of a summary is of, if it is known to be of some.
    pub(super) fn located_enums(
        &mut self,
        state: &mut State<'p>,
        object: Reference,
    ) -> Option<(InputId, DomainId)> {
        let symbolic = state.knowledge.object(object).copied()?;
        let (enums, others) = self.enums_of(symbolic.domain);
        if enums == DomainId::EMPTY {
            return None;
        }
        let is_enum = others == DomainId::EMPTY
            || self.guarded(state).is_among(symbolic.input, enums) == Pool::TRUE;
        is_enum.then_some((symbolic.input, enums))
    }
}
