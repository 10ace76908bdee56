//! Whether two objects of a value class are one object: boxes and strings, which only a comparison of
//! references can tell apart.
//!
//! Such an object is known by its class, its value and a number, the *identity*, that is an input of
//! its own. Two input objects are the same if all three are. Zero is the identity of the object that
//! the library keeps for a value: the box in the cache of `valueOf` (JLS 5.1.7), the interned string
//! (JLS 3.10.5). Those were there before the method ran, or could have been, so an input may be one
//! of them; what the run itself makes with `new` is no input.

use crate::flow::{Flow, bug, unsupported};
use crate::machine::Machine;
use crate::state::State;
use crate::symbolic::ask;
use dalang_classes::ClassId;
use dalang_heap::policy::typing;
use dalang_heap::{Body, DomainId, InputId, Need, Reference, Step, Value};
use dalang_term::{Pool, TermId};

/// Whether the library keeps an object that is no input.
enum Kept {
    /// It does not: nobody had it before the run.
    Never,
    /// It does if this holds.
    If(TermId),
    /// The program has interned a string of its own. Had the method been given an interned string of
    /// this text, the program would have got that one back.
    Interned,
}

impl<'p> Machine<'p> {
    /// Whether two input objects are one: those of a value class may be.
    pub(crate) fn same_values(
        &mut self,
        state: &mut State<'p>,
        a: Reference,
        b: Reference,
    ) -> Flow<bool> {
        let (Some(&x), Some(&y)) = (state.knowledge.object(a), state.knowledge.object(b)) else {
            return bug("an object that is no input was compared as one");
        };
        let shared = self.unknowns.domains.meet(x.domain, y.domain);
        let classes = self.unknowns.domains.classes(shared);
        if !classes.iter().any(|class| self.unknowns.values.contains(class)) {
            return Flow::Continue(false);
        }
        if self.is_argument(x.input) && self.is_argument(y.input) {
            return Flow::Continue(false);
        }
        if let Some(known) = state.knowledge.identity(a, b) {
            return Flow::Continue(known);
        }
        let class = self.class_of_object(state, a)?;
        if self.class_of_object(state, b)? != class || !self.unknowns.values.contains(&class) {
            return Flow::Continue(false);
        }
        let equal = self.equal_values(state, a, b)?;
        let (x, y) = (self.identity_of(x.input), self.identity_of(y.input));
        let same = self.pool.eq(x, y);
        let same = self.pool.and(same, equal);
        self.ask_identity(a, b, same)
    }

    /// Whether an input is an object that was made during the run, which is no constant of an enum.
    pub(crate) fn same_as_made(
        &mut self,
        state: &mut State<'p>,
        input: Value,
        made: Reference,
    ) -> Flow<bool> {
        if made.is_null() || !self.unknowns.values.contains(&state.heap.class(made)) {
            self.note_no_input(state, input, made);
            return Flow::Continue(false);
        }
        let kept = self.kept(state, made)?;
        let class = state.heap.class(made);
        if matches!(kept, Kept::Never) {
            self.note_no_input(state, input, made);
            return Flow::Continue(false);
        }
        if self.symbolic_instanceof(state, input, class)? == Some(false) {
            return Flow::Continue(false);
        }
        let Value::Reference(object) = self.needed(state, input, Need::Object)? else {
            return bug("an input has no object");
        };
        let Some(&symbolic) = state.knowledge.object(object) else {
            return Flow::Continue(object == made);
        };
        if state.heap.class(object) != class || self.is_argument(symbolic.input) {
            return Flow::Continue(false);
        }
        match (state.knowledge.identity(object, made), &kept) {
            (Some(true), Kept::Interned) => {
                return unsupported("an input string that the program interns a copy of");
            }
            (Some(known), _) => return Flow::Continue(known),
            (None, _) => {}
        }
        let mut same = self.equal_values(state, object, made)?;
        if let Kept::If(condition) = kept {
            same = self.pool.and(same, condition);
        }
        let (identity, zero) = (self.identity_of(symbolic.input), self.pool.int(0));
        let is_kept = self.pool.eq(identity, zero);
        let same = self.pool.and(same, is_kept);
        self.ask_identity(object, made, same)
    }

    /// Whether an input is an argument of a program. Whoever starts one makes a string for each: it is
    /// neither null, nor the same as another, nor one that the library keeps.
    pub(crate) fn is_argument(&self, input: InputId) -> bool {
        let step = |input| self.unknowns.inputs.get(input).step;
        self.settings.competition
            && matches!(step(input), Step::Element(array, ..)
                if matches!(step(array), Step::Parameter(_)))
    }

    /// An input is not taken for an object that was there before the method, although it might be.
    fn note_no_input(&mut self, state: &State<'p>, input: Value, made: Reference) {
        let (input, domain) = match (self.uncertain(state, input), self.known_value(state, input)) {
            (Some((subject, domain)), _) => (Self::input_behind(state, subject), domain),
            (None, Value::Reference(object)) if !object.is_null() => {
                let domain = self.unknowns.domains.single(state.heap.class(object));
                (state.knowledge.object(object).map(|symbolic| symbolic.input), domain)
            }
            _ => return,
        };
        if let Some(input) = input {
            self.note_early(state, input, domain, made);
        }
    }

    /// The same, for an input of one of these classes.
    pub(crate) fn note_early(
        &mut self,
        state: &State<'p>,
        input: InputId,
        domain: DomainId,
        made: Reference,
    ) {
        if made.is_null() {
            return;
        }
        let class = state.heap.class(made);
        let is_early = state.heap.object(made).early;
        if !self.unknowns.domains.classes(domain).contains(&class) {
            // The machine makes some objects when they are first asked for: mirrors, streams, threads.
            if is_early || self.module(class).is_some() {
                self.note_left_out(input, class);
            }
            return;
        }
        if !is_early {
            return;
        }
        // What static fields of the target lead to was looked at, and is an input where it can be one.
        if self.is_enum(class) || state.knowledge.holding(made).is_some() {
            return;
        }
        let class = self.program.class_spelling(class);
        let what = format!("inputs: none of them is the {class} that a class initializer made");
        self.assume(state, &what);
    }

    /// An input could be of a class that is not in view.
    fn note_left_out(&mut self, input: InputId, class: ClassId) {
        let Some(declared) = self.unknowns.inputs.get(input).class else { return };
        let below = self.unknowns.domains.below(self.program, declared);
        if self.program.is_subtype(class, declared)
            && !self.unknowns.domains.classes(below).contains(&class)
        {
            self.unknowns.rely_on_test(input, class);
        }
    }

    fn ask_identity(&mut self, a: Reference, b: Reference, same: TermId) -> Flow<bool> {
        match self.pool.bits(same) {
            Some(bits) => Flow::Continue(bits == 1),
            None => ask(typing::identity(&mut self.pool, a, b, same)),
        }
    }

    fn identity_of(&mut self, input: InputId) -> TermId {
        let id = self.unknowns.inputs.identity(self.program, &mut self.pool, input);
        self.unknowns.inputs.get(id).term
    }

    /// Whether the library keeps an object of a value class that is no input.
    fn kept(&mut self, state: &State<'p>, made: Reference) -> Flow<Kept> {
        if state.heap.class(made) != self.known.string {
            return Flow::Continue(if state.boxed.contains(&made) {
                let value = self.field(state, made, "value")?;
                let value = self.term(value);
                Kept::If(self.is_small(value))
            } else if self.is_cached(state, made) {
                Kept::If(Pool::TRUE)
            } else {
                Kept::Never
            });
        }
        let is_whole = matches!(
            state.heap.get(made, self.known.string_value),
            Some(Value::Reference(array)) if !array.is_null()
        );
        if !is_whole || self.is_symbolic_string(state, made) {
            return Flow::Continue(Kept::Never);
        }
        let units = self.utf16(state, made)?;
        Flow::Continue(match state.interned.get(&*units) {
            Some(&interned) if interned != made => Kept::Never,
            None => Kept::Never,
            Some(_) if state.own_interned.contains(&made) => Kept::Interned,
            Some(_) => Kept::If(Pool::TRUE),
        })
    }

    /// What must hold for two objects of a value class to have the same fields.
    fn equal_values(&mut self, state: &State<'p>, a: Reference, b: Reference) -> Flow<TermId> {
        if state.heap.class(a) == self.known.string {
            // Looking at a text changes nothing of the state but what it remembers.
            let mut state = state.clone();
            let (a, b) = (self.text_of(&mut state, a)?, self.text_of(&mut state, b)?);
            return Flow::Continue(a.equal(&b, &mut self.pool, &self.unknowns.patience));
        }
        let (Body::Fields(x), Body::Fields(y)) =
            (&state.heap.object(a).body, &state.heap.object(b).body)
        else {
            return bug("a value is an array");
        };
        let mut equal = Pool::TRUE;
        for (&x, &y) in x.iter().zip(y.iter()) {
            if x == y {
                continue;
            }
            if matches!(x, Value::Reference(_)) || matches!(y, Value::Reference(_)) {
                return unsupported("the identity of values that hold references");
            }
            let (x, y) = (self.term(x), self.term(y));
            let (x, y) = (self.raw_bits(x), self.raw_bits(y));
            let same = self.pool.eq(x, y);
            equal = self.pool.and(equal, same);
        }
        Flow::Continue(equal)
    }

    /// Floats by their bits: an object whose value is NaN is the same as itself.
    fn raw_bits(&mut self, term: TermId) -> TermId {
        if self.pool.sort(term).is_float() {
            self.pool.float_to_bits(term, dalang_term::NanBits::Raw)
        } else {
            term
        }
    }
}
