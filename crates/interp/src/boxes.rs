//! Boxes of symbolic numbers: `valueOf` gives the same object for equal small numbers (JLS 5.1.7).
//!
//! A box of a term is an object of its own until it is compared with another by reference. Only
//! then is it decided whether they are one.

use crate::flow::Flow;
use crate::machine::Machine;
use crate::state::State;
use crate::symbolic::ask;
use dalang_classes::ClassId;
use dalang_heap::policy::typing;
use dalang_heap::{Reference, Value};
use dalang_term::TermId;
use std::rc::Rc;

/// Caches of the library, by the class of the boxes.
const CACHES: [(&str, &str); 5] = [
    ("java/lang/Integer", "java/lang/Integer$IntegerCache"),
    ("java/lang/Long", "java/lang/Long$LongCache"),
    ("java/lang/Short", "java/lang/Short$ShortCache"),
    ("java/lang/Byte", "java/lang/Byte$ByteCache"),
    ("java/lang/Character", "java/lang/Character$CharacterCache"),
];

impl<'p> Machine<'p> {
    /// What `valueOf` gives for a symbolic number; its class is initialized.
    pub fn box_term(
        &mut self,
        state: &mut State<'p>,
        class: ClassId,
        value: Value,
    ) -> Flow<Reference> {
        let object = self.allocate(state, class, 0)?;
        self.set_field(state, object, "value", value)?;
        Rc::make_mut(&mut state.boxed).push(object);
        Flow::Continue(object)
    }

    /// Whether two objects are one that are both no inputs: such boxes may be.
    pub(crate) fn same_boxes(
        &mut self,
        state: &State<'p>,
        a: Reference,
        b: Reference,
    ) -> Flow<bool> {
        let [of_term, made] = if state.boxed.contains(&a) { [a, b] } else { [b, a] };
        let apart = a.is_null()
            || b.is_null()
            || !state.boxed.contains(&of_term)
            || state.heap.class(a) != state.heap.class(b);
        if apart {
            return Flow::Continue(false);
        }
        if let Some(known) = state.knowledge.identity(a, b) {
            return Flow::Continue(known);
        }
        if !state.boxed.contains(&made) && !self.is_cached(state, made) {
            return Flow::Continue(false);
        }
        let (x, y) = (self.field(state, a, "value")?, self.field(state, b, "value")?);
        let (x, y) = (self.term(x), self.term(y));
        let equal = self.pool.eq(x, y);
        let small = self.is_small(x);
        let same = self.pool.and(equal, small);
        match self.pool.bits(same) {
            Some(bits) => Flow::Continue(bits == 1),
            None => ask(typing::identity(&mut self.pool, a, b, same)),
        }
    }

    /// Whether the library has one object for all equal numbers like this.
    pub(crate) fn is_small(&mut self, value: TermId) -> TermId {
        let is_long = self.pool.sort(value).width() == 64;
        let (low, high) = if is_long {
            (self.pool.long(-128), self.pool.long(127))
        } else {
            (self.pool.int(-128), self.pool.int(127))
        };
        let (above, below) = (self.pool.sge(value, low), self.pool.sle(value, high));
        self.pool.and(above, below)
    }

    /// Whether an object is one that `valueOf` gives again and again.
    pub(crate) fn is_cached(&self, state: &State<'p>, object: Reference) -> bool {
        let name = self.program.class(state.heap.class(object)).name;
        let name = self.program.names().text(name);
        if name == "java/lang/Boolean" {
            let class = state.heap.class(object);
            let is_held = |name: &str| match self.static_field(class, name) {
                Flow::Continue(field) => {
                    self.peek_static(state, field) == Some(Value::Reference(object))
                }
                Flow::Break(_) => false,
            };
            return is_held("TRUE") || is_held("FALSE");
        }
        let cache = CACHES.iter().find(|entry| entry.0 == name).map(|entry| entry.1);
        let Some(cache) = cache.and_then(|cache| self.program.load(cache).ok()) else {
            return false;
        };
        let Flow::Continue(field) = self.static_field(cache, "cache") else { return false };
        let Some(Value::Reference(cache)) = self.peek_static(state, field) else { return false };
        let mut found = false;
        if let Some(cache) = state.heap.find(cache) {
            cache.body.held(|element| found |= element == Value::Reference(object));
        }
        found
    }
}
