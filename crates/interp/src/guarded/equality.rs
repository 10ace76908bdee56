//! Comparisons of references that stay unresolved.

use crate::flow::{Flow, malformed};
use crate::machine::Machine;
use crate::state::State;
use dalang_heap::{DomainId, InputId, Leaf, Reference, Value};
use dalang_term::{Pool, TermId};

impl<'p> Machine<'p> {
    /// Whether two references are the same.
    ///
    /// Rule `pose/equality` - [POSE, Fig. 10, Eq (c1), (c3) to (c7); Fig. 11, If (c1) to (c4)], and
    /// rule `summary/equals` - [Summaries, Fig. 9, EQUALS (REFERENCES-TRUE), (REFERENCES-FALSE)].
    /// Deviation: D6 of POSE, D5 of summaries.
    pub(crate) fn guarded_same(&mut self, state: &mut State<'p>, a: Value, b: Value) -> Flow<bool> {
        self.unknowns.rules.apply(self.unknowns.policy.equality_rule());
        if let (Value::Term(term), null) | (null, Value::Term(term)) = (a, b)
            && null == Value::NULL
            && let Some(same) = self.plain_nullness(state, term)
        {
            return Flow::Continue(same);
        }
        if let Some(same) = self.same_classes(state, a, b)? {
            return Flow::Continue(same);
        }
        let (x, y) = (self.spelled(state, a)?, self.spelled(state, b)?);
        // What is plainly the same need not be counted: nobody has to tell the two apart.
        if self.unknowns.bounds.limits_objects() && self.guarded(state).same(x, y) != Pool::TRUE {
            self.count_compared(state, x, y)?;
        }
        if let (Some(one), Some(other)) =
            (self.summarized_input(state, x), self.summarized_input(state, y))
        {
            // Neither is a box, a string, a constant or an object of the machine.
            let same = self.guarded(state).same_inputs(one, other);
            return self.decide(state, same);
        }
        if x != Pool::NULL && y != Pool::NULL && x != y {
            self.told_from_machine(state, x)?;
            self.told_from_machine(state, y)?;
            let [of_x, of_y] = [x, y].map(|reference| self.has_values(state, reference));
            if of_x || of_y {
                return self.same_value_objects(state, x, y);
            }
        }
        self.note_no_inputs(state, x, y);
        self.tie_constants(state, x, y)?;
        let same = self.guarded(state).same(x, y);
        let same = self.decide(state, same)?;
        if !same && (x == Pool::NULL || y == Pool::NULL) {
            let other = if x == Pool::NULL { y } else { x };
            self.told_apart(state, other)?;
            self.met(state, other)?;
        }
        Flow::Continue(same)
    }

    /// Objects of inputs that are compared with each other count towards the bounds, where both are there:
    /// that they differ may take one too many.
    fn count_compared(&mut self, state: &mut State<'p>, x: TermId, y: TermId) -> Flow {
        let [of_x, of_y] = [x, y].map(|reference| self.guarded(state).inputs(reference));
        if of_x.is_empty() || of_y.is_empty() {
            return Flow::Continue(());
        }
        let [is_x, is_y] = [&of_x, &of_y].map(|side| self.is_some(state, side));
        // One after the other: the second may be one too many because of the first.
        for (side, other) in [(of_x, is_y), (of_y, is_x)] {
            let uses = self.compared_uses(state, side, other);
            self.note_uses(state, &uses)?;
        }
        Flow::Continue(())
    }

    /// When a side is an object of one of its inputs.
    fn is_some(&mut self, state: &mut State<'p>, side: &[(TermId, InputId)]) -> TermId {
        let parts = side.iter().map(|&(condition, input)| {
            let null = self.guarded(state).is_null(input);
            let some = self.pool.not(null);
            self.pool.and(condition, some)
        });
        let parts: Vec<TermId> = parts.collect();
        self.pool.or_all(parts)
    }

    /// The inputs of a side that count, each where it is not null and the other side is an input, too.
    /// Boxes, strings and constants of enums do not, and objects of the machine are none.
    fn compared_uses(
        &mut self,
        state: &mut State<'p>,
        side: Vec<(TermId, InputId)>,
        other: TermId,
    ) -> Vec<(TermId, InputId)> {
        let mut uses = Vec::new();
        for (condition, input) in side {
            let domain = self.guarded(state).domain(input);
            let (enums, _) = self.enums_of(domain);
            if domain == DomainId::EMPTY
                || enums != DomainId::EMPTY
                || self.unknowns.is_value(domain)
            {
                continue;
            }
            let null = self.guarded(state).is_null(input);
            let some = self.pool.not(null);
            let condition = self.pool.and_all([condition, some, other]);
            if condition != Pool::FALSE {
                uses.push((condition, input));
            }
        }
        uses
    }

    /// Inputs are not taken for objects that a class holds, although they might be.
    fn note_no_inputs(&mut self, state: &mut State<'p>, x: TermId, y: TermId) {
        for (one, other) in [(x, y), (y, x)] {
            let made: Vec<Reference> = self
                .guarded(state)
                .ends(one)
                .into_iter()
                .filter_map(|leaf| self.pool.bits(leaf))
                .map(|bits| Reference::new(bits as u32))
                .filter(|&object| state.knowledge.object(object).is_none())
                .collect();
            if made.is_empty() {
                continue;
            }
            for input in self.guarded(state).ending_inputs(other) {
                let domain = self.guarded(state).domain(input);
                for &object in &made {
                    self.note_early(state, input, domain, object);
                }
            }
        }
    }

    /// An input of which no class is in view, a `Class` or a `Thread`, is null or an object of the
    /// virtual machine: which one is not known.
    fn told_from_machine(&mut self, state: &mut State<'p>, reference: TermId) -> Flow {
        for input in self.guarded(state).ending_inputs(reference) {
            if self.guarded(state).domain(input) == DomainId::EMPTY {
                let null = self.guarded(state).is_null(input);
                if !self.decide(state, null)? {
                    return self.no_class(input);
                }
            }
        }
        Flow::Continue(())
    }

    /// Whether a reference can be an object that is known to be a box or string.
    fn has_values(&mut self, state: &mut State<'p>, reference: TermId) -> bool {
        let leaves = self.guarded(state).ends(reference);
        leaves.into_iter().any(|leaf| match self.guarded(state).leaf(leaf) {
            Leaf::Null => false,
            Leaf::Symbol(input) => {
                let domain = self.guarded(state).domain(input);
                self.unknowns.is_value(domain)
            }
            Leaf::Object(object) => match state.knowledge.object(object) {
                Some(symbolic) => self.unknowns.is_value(symbolic.domain),
                None => self.unknowns.values.contains(&state.heap.class(object)),
            },
        })
    }

    /// A comparison with a box or string: which objects are meant is decided, and then it is as the
    /// lazy family has it.
    fn same_value_objects(&mut self, state: &mut State<'p>, x: TermId, y: TermId) -> Flow<bool> {
        let [a, b] = [x, y].map(|term| Value::of(&mut self.pool, term));
        let (a, b) = (self.decided_leaf(state, a)?, self.decided_leaf(state, b)?);
        let [x, y] = [a, b].map(|leaf| leaf.term(&mut self.pool));
        if let [Some(a), Some(b)] =
            [x, y].map(|term| self.unknowns.inputs.of_term(&self.pool, term))
        {
            let equal = self.pool.eq(x, y);
            let known = self.guarded(state).settle(equal);
            if a != b && known != equal {
                return Flow::Continue(known == Pool::TRUE);
            }
        }
        let same = self.guarded(state).same(x, y);
        let settled = self.pool.bits(same).is_some_and(|bits| bits == 1 || x == Pool::NULL);
        if settled || y == Pool::NULL || !(self.has_values(state, x) || self.has_values(state, y)) {
            return self.decide(state, same);
        }
        let (Value::Reference(a), Value::Reference(b)) =
            (self.settled_reference(state, a)?, self.settled_reference(state, b)?)
        else {
            return malformed("something else than a reference is compared as one");
        };
        if a == b || a.is_null() || b.is_null() {
            return Flow::Continue(a == b);
        }
        self.same_resolved(state, a, b)
    }
}
