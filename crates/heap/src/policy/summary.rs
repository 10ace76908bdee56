//! Exact heap summaries: a reference is a set of locations, each under a condition.
//!
//! # Source
//! [Summaries] Figs. 8 and 9, Defs. 1, 2 and 11; [Summaries0] Fig. 8 for the rule that the text of
//! [Summaries] lost.
//!
//! # Guarantee
//! As [`pose`](super::pose): one path for each feasible path of the program ([Summaries]
//! Corollaries 12 and 13).
//!
//! # Not covered
//! As for [`lazy`](super::lazy).
//!
//! # Invariant
//! A heap is deterministic ([Summaries] Def. 11): of the conditions under which a reference is a
//! location, no two hold at once. The conditions are those along the branches of an ite, so that
//! this holds by construction; builds with debug assertions check it all the same.
//!
//! # Deviations
//! - D1. `L` is not a table of its own: the set of a reference is an ite over the places of its
//!   locations, and `R(l, f)` is the field `f` of the object at `l`. `VS` and `ST` are then what
//!   reading and writing through an ite do, and guards are shared terms.
//! - D2. A guard that cannot hold is pruned if the path has settled it or if terms fold; [Summaries]
//!   asks a solver for each. A location at which nothing is, because its input is an older one, is in
//!   no set that is made later.
//! - D3. The set of a reference that is an input is made when it is first used, a field's when it is
//!   read, as in [Summaries].
//! - D4. Null is a location without fields. Dereferencing is decided: it is null and an exception is
//!   thrown, or it is not.
//! - D5. EQUALS (REFERENCES-FALSE) is printed without a bracket. The condition is: no location that
//!   both references can be has both guards true.
//! - D6. Subtypes: a location of another declared type is an alias if some class is below both.
//!   Inputs have a symbol each for their class, and equal inputs have equal classes.
//! - D7. Arrays are locations with a length and elements ([`Guarded::owners`]).
//! - D8. As [`pose`](super::pose) D6, D7 and D8.
//! - D9. EQUALS on two references that are inputs compares their symbols, not each pair of their
//!   locations; both say the same.
//! - D10. With `--k`, a location is as far away as the input that was read first, elsewhere as the way to
//!   it that was used.
//! - D11. With `--n`, an object whose comparison with itself was found to be beyond the bound is not
//!   counted: that answer settles what it is.

use crate::domain::DomainId;
use crate::input::InputId;
use crate::knowledge::{Resolution, Symbolic};
use crate::policy::guarded::Guarded;
use crate::reference::Reference;
use crate::value::Value;
use dalang_classes::FieldId;
use dalang_term::{Op, Pool, Sort, TermId};

impl Guarded<'_> {
    /// The locations that an input can be, as an ite over their places.
    ///
    /// Rule `summary/summarize` - [Summaries0, Fig. 8, SUMMARIZE]. Deviation: D1, D6.
    pub fn summarize(&mut self, input: InputId) -> TermId {
        if let Some(bound) = self.bound(input) {
            return self.set_of(input, bound);
        }
        self.discover("summary/summarize");
        let body = self.blank(input);
        let reference = self.place(input, body);
        match self.knowledge.object(reference).copied() {
            Some(bound) => self.set_of(input, bound),
            None => Pool::NULL,
        }
    }

    /// The set of an input whose own location is known.
    fn set_of(&mut self, input: InputId, own: Symbolic) -> TermId {
        let mut set = self.pool.identity(own.reference.number());
        let older: Vec<Symbolic> = if self.unknowns.is_value(own.domain) {
            Vec::new()
        } else {
            self.vacate();
            let others = self.others(input);
            let older = others.into_iter().take_while(|other| other.met < own.met);
            let older = older.filter(|other| !self.knowledge.is_vacant(other.reference));
            let older: Vec<Symbolic> = older.collect();
            older.into_iter().filter(|it| self.known_null(it.input) != Some(true)).collect()
        };
        // The oldest is asked for first: then what is left is different from it, and a location
        // is an alias only where it is one of its own.
        for alias in older.iter().rev() {
            let same = self.aliases(input, alias);
            if same == Pool::TRUE {
                self.knowledge.vacate(own.reference);
            }
            let place = self.pool.identity(alias.reference.number());
            set = self.pool.ite(same, place, set);
        }
        let null = self.is_null(input);
        let set = self.pool.ite(null, Pool::NULL, set);
        debug_assert!(self.is_deterministic(set), "a reference is two locations at once");
        set
    }

    /// Notes at which locations nothing is, now that the path has settled more. Deviation: D2.
    fn vacate(&mut self) {
        let new = self.knowledge.look_at(self.settled.count());
        let conditions: Vec<TermId> = self.settled.conditions().rev().take(new).collect();
        for condition in conditions {
            let node = self.pool.node(condition);
            if node.op != Op::Eq || self.settled.holds(self.pool, condition) != Some(true) {
                continue;
            }
            let [a, b] = [node.arg(0), node.arg(1)].map(|side| {
                let input = self.unknowns.inputs.of_term(self.pool, side)?;
                self.bound(input)
            });
            if let (Some(a), Some(b)) = (a, b) {
                let younger = if a.met > b.met { a } else { b };
                self.knowledge.vacate(younger.reference);
            }
        }
    }

    /// When an input is the same object as an older one. Deviation: D6.
    fn aliases(&mut self, input: InputId, older: &Symbolic) -> TermId {
        self.unknowns.rely_on_alias(input, older.input);
        let domain = self.domain(input);
        if self.unknowns.domains.meet(older.domain, domain) == DomainId::EMPTY {
            return Pool::FALSE;
        }
        self.same_inputs(input, older.input)
    }

    /// The input whose set this is, as it was made, less what the path has settled since.
    pub fn whole(&mut self, set: TermId) -> Option<InputId> {
        let mut tests = Vec::new();
        let mut last = set;
        while let Some([test, then, otherwise]) = self.branches(last) {
            tests.push((test, then));
            last = otherwise;
        }
        let last = self.input_at(last)?;
        // Boxes and strings are compared by identities, and what no class in view is, is unknown.
        let is_plain = |bound: Symbolic| {
            bound.domain != DomainId::EMPTY && !self.unknowns.is_value(bound.domain)
        };
        if !self.bound(last).is_some_and(is_plain) {
            return None;
        }
        let Some(&(first, _)) = tests.first() else { return Some(last) };
        let sides = self.pool.node(first).args().collect::<Vec<TermId>>();
        let inputs =
            sides.into_iter().filter_map(|side| self.unknowns.inputs.of_term(self.pool, side));
        let inputs: Vec<InputId> = inputs.collect();
        inputs.into_iter().find(|&input| {
            tests.iter().all(|&(test, then)| self.is_member(input, test, then))
                && (input == last || self.is_surely(input, last))
        })
    }

    /// Whether the path has settled that two inputs are the same.
    fn is_surely(&mut self, input: InputId, other: InputId) -> bool {
        let equal = self.pool.eq(self.symbol(input), self.symbol(other));
        self.settle(equal) == Pool::TRUE
    }

    /// The input whose location a term is.
    fn input_at(&self, term: TermId) -> Option<InputId> {
        let bits = self.pool.bits(term).filter(|&bits| bits != 0)?;
        self.knowledge.object(Reference::new(bits as u32)).map(|object| object.input)
    }

    /// Whether a test is that an input is what the place says that it then is.
    fn is_member(&self, input: InputId, test: TermId, place: TermId) -> bool {
        let (node, symbol) = (self.pool.node(test), self.symbol(input));
        if node.op != Op::Eq {
            return false;
        }
        let other = match [node.arg(0), node.arg(1)] {
            [a, b] if a == symbol => b,
            [a, b] if b == symbol => a,
            _ => return false,
        };
        other == place && place == Pool::NULL
            || self.input_at(place).is_some_and(|alias| other == self.symbol(alias))
    }

    /// The value of a field of a location.
    ///
    /// Rule `summary/field-access` - [Summaries, Fig. 9, FIELD ACCESS, Def. 1].
    pub(crate) fn summarized(&mut self, location: Symbolic, field: FieldId) -> Option<Value> {
        self.apply("summary/field-access");
        if let Some(value) = self.stored(location.reference, field) {
            return Some(value);
        }
        if self.lacks(location.reference, field) {
            return None;
        }
        let value = self.initial(location.input, field)?;
        let value = self.expanded(value);
        self.store(location.reference, field, value);
        Some(value)
    }

    /// A value, with an input reference put as the set of its locations.
    pub fn expanded(&mut self, value: Value) -> Value {
        let Value::Term(term) = value else { return value };
        if self.pool.sort(term) != Sort::Ref {
            return value;
        }
        match self.unknowns.inputs.of_term(self.pool, term) {
            Some(input) if self.is_open(input) => {
                let set = self.summarize(input);
                Value::of(self.pool, set)
            }
            _ => value,
        }
    }

    fn is_open(&self, input: InputId) -> bool {
        let known = self.knowledge.resolution(input);
        !matches!(known, Some(Resolution::Null | Resolution::Object(_)))
    }

    /// Whether the conditions of a reference's leaves exclude each other (Def. 11), for a handful of
    /// assignments: each makes exactly one of them true.
    fn is_deterministic(&mut self, set: TermId) -> bool {
        let leaves = self.leaves(set);
        let symbols: Vec<_> =
            leaves.iter().flat_map(|leaf| self.pool.symbols_of(leaf.0).to_vec()).collect();
        (0..4_u64).all(|round| {
            let mut assignment = dalang_term::Assignment::new();
            for (place, &symbol) in symbols.iter().enumerate() {
                assignment.set(symbol, (place as u64 * 7 + round) % (round + 2));
            }
            let holds = |condition| self.pool.evaluate(condition, &assignment) == 1;
            leaves.iter().filter(|leaf| holds(leaf.0)).count() <= 1
        })
    }
}
