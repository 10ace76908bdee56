//! Strings, in the representation that the library's own code reads.
//!
//! Since Java 9 a string is an array of bytes, Latin-1 if all its characters are and UTF-16
//! otherwise (the library checks the property of the text, so ours must agree); before that it was
//! an array of `char`.

use crate::flow::{Flow, bug};
use crate::machine::Machine;
use crate::state::State;
use dalang_heap::{Body, Named, Reference, Value};
use std::rc::Rc;

const LATIN1: i32 = 0;
const UTF16: i32 = 1;

impl<'p> Machine<'p> {
    /// A new string.
    pub fn new_string(&self, state: &mut State<'p>, text: &str) -> Flow<Reference> {
        if text.is_ascii() {
            let bytes = text.bytes().map(|byte| byte as i8).collect();
            return self.string_of(state, LATIN1, bytes, || text.encode_utf16().collect(), None);
        }
        self.new_utf16(state, &text.encode_utf16().collect::<Vec<_>>())
    }

    /// A new string of UTF-16 units, which may be ill-formed.
    pub fn new_utf16(&self, state: &mut State<'p>, units: &[u16]) -> Flow<Reference> {
        self.utf16_of(state, units, None)
    }

    /// The same, for a literal if it is one.
    fn utf16_of(
        &self,
        state: &mut State<'p>,
        units: &[u16],
        literal: Option<&Rc<[u16]>>,
    ) -> Flow<Reference> {
        if units.iter().all(|&unit| unit < 256) {
            let bytes = units.iter().map(|&unit| unit as i8).collect();
            return self.string_of(state, LATIN1, bytes, || units.into(), literal);
        }
        // The library stores UTF-16 in the order of the machine it runs on; ours is little-endian.
        let bytes = units.iter().flat_map(|unit| unit.to_le_bytes()).map(|byte| byte as i8);
        self.string_of(state, UTF16, bytes.collect(), || units.into(), literal)
    }

    /// A new string of Latin-1 characters.
    pub(crate) fn new_latin1(&self, state: &mut State<'p>, bytes: Rc<[i8]>) -> Flow<Reference> {
        let units = Rc::clone(&bytes);
        let units = move || units.iter().map(|&byte| u16::from(byte as u8)).collect();
        self.string_of(state, LATIN1, bytes, units, None)
    }

    /// The characters of a string that is stored as Latin-1.
    pub(crate) fn latin1<'s>(&self, state: &'s State<'p>, string: Reference) -> Option<&'s [i8]> {
        let coder = state.heap.get(string, self.known.string_coder?)?;
        let Value::Reference(value) = state.heap.get(string, self.known.string_value)? else {
            return None;
        };
        match &state.heap.find(value)?.body {
            Body::Bytes(bytes) if coder == Value::Int(LATIN1) => Some(bytes),
            _ => None,
        }
    }

    fn string_of(
        &self,
        state: &mut State<'p>,
        coder: i32,
        bytes: Rc<[i8]>,
        units: impl FnOnce() -> Rc<[u16]>,
        literal: Option<&Rc<[u16]>>,
    ) -> Flow<Reference> {
        drop(self.admit(state, 64 + bytes.len() as u64)?);
        let class = self.known.string;
        let string = match literal {
            Some(units) => self.allocate_as(state, Named::Literal(Rc::clone(units)), class, 0)?,
            None => self.allocate(state, class, 0)?,
        };
        let (class, body) = match self.known.string_coder {
            Some(slot) => {
                state.heap.set(string, slot, Value::Int(coder));
                (self.known.byte_array, Body::Bytes(bytes))
            }
            None => (self.known.char_array, Body::Chars(units())),
        };
        let value = match literal {
            Some(units) => state.heap.allocate_as(Named::Characters(Rc::clone(units)), class, body),
            None => state.heap.allocate(class, body),
        };
        state.heap.set(string, self.known.string_value, Value::Reference(value));
        Flow::Continue(string)
    }

    /// The UTF-16 units of a string.
    pub fn utf16(&self, state: &State<'p>, string: Reference) -> Flow<Vec<u16>> {
        let Some(Value::Reference(value)) = state.heap.get(string, self.known.string_value) else {
            return bug("a string without a value was read");
        };
        if value.is_null() {
            return bug("a string was read before its constructor ended");
        }
        let wide = match self.known.string_coder.and_then(|slot| state.heap.get(string, slot)) {
            Some(Value::Term(_)) => return self.no_symbolic_text(),
            Some(coder) => coder == Value::Int(UTF16),
            None => false,
        };
        match &state.heap.object(value).body {
            Body::Bytes(bytes) if wide => {
                let pair = |pair: &[i8]| u16::from_le_bytes([pair[0] as u8, pair[1] as u8]);
                Flow::Continue(bytes.chunks_exact(2).map(pair).collect())
            }
            Body::Bytes(bytes) => {
                Flow::Continue(bytes.iter().map(|&byte| u16::from(byte as u8)).collect())
            }
            Body::Chars(units) => Flow::Continue(units.to_vec()),
            Body::Values(_) | Body::Patched(_) | Body::Elements(_) => self.no_symbolic_text(),
            _ => bug("a string has a value of another type"),
        }
    }

    /// The text of a string, lone surrogates replaced.
    pub fn text(&self, state: &State<'p>, string: Reference) -> Flow<String> {
        Flow::Continue(String::from_utf16_lossy(&self.utf16(state, string)?))
    }

    /// The one string with these units that `String.intern` gives.
    pub fn intern_utf16(&self, state: &mut State<'p>, units: &[u16]) -> Flow<Reference> {
        if let Some(&string) = state.interned.get(units) {
            return Flow::Continue(string);
        }
        let literal: Rc<[u16]> = units.into();
        let string = self.utf16_of(state, units, Some(&literal))?;
        Rc::make_mut(&mut state.interned).insert(literal, string);
        Flow::Continue(string)
    }

    /// The one string with this text that `String.intern` gives.
    pub fn intern(&self, state: &mut State<'p>, text: &str) -> Flow<Reference> {
        self.intern_utf16(state, &text.encode_utf16().collect::<Vec<_>>())
    }

    /// What `String.intern` gives for a string.
    pub fn intern_string(&self, state: &mut State<'p>, string: Reference) -> Flow<Reference> {
        let units = self.utf16(state, string)?;
        if let Some(&interned) = state.interned.get(&*units) {
            return Flow::Continue(interned);
        }
        Rc::make_mut(&mut state.interned).insert(units.into(), string);
        if !state.knowledge.is_blank() {
            Rc::make_mut(&mut state.own_interned).push(string);
        }
        Flow::Continue(string)
    }
}
