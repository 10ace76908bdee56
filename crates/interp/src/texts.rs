//! Strings that hold terms, as texts: read from how the library stores them, and made the same way.

use crate::elements::cut;
use crate::flow::{Flow, Interrupt, Stop, bug, unsupported};
use crate::machine::Machine;
use crate::state::State;
use dalang_heap::{Body, Bound, Reference, Text, Value};
use dalang_term::{Pool, TermId};

/// More characters than these are not put together to one symbolic text.
const MOST: usize = 512;

impl<'p> Machine<'p> {
    /// Whether a string holds terms.
    pub fn is_symbolic_string(&self, state: &State<'p>, string: Reference) -> bool {
        let coder = self.known.string_coder.and_then(|slot| state.heap.get(string, slot));
        let value = state.heap.get(string, self.known.string_value);
        let Some(Value::Reference(array)) = value else { return false };
        matches!(coder, Some(Value::Term(_)))
            || (!array.is_null()
                && matches!(
                    state.heap.object(array).body,
                    Body::Values(_) | Body::Patched(_) | Body::Elements(_)
                ))
    }

    /// The text of a string.
    pub fn text_of(&mut self, state: &mut State<'p>, string: Reference) -> Flow<Text> {
        let Some(Value::Reference(array)) = state.heap.get(string, self.known.string_value) else {
            return bug("a string without a value was read");
        };
        if array.is_null() {
            return bug("a string was read before its constructor ended");
        }
        let coder = self.known.string_coder.and_then(|slot| state.heap.get(string, slot));
        // A string uses all of its array.
        let length = self.array_length_value(state, array);
        let length = self.term(length);
        if let Some(text) = stored(state, array) {
            let coder = coder.map_or(self.pool.int(0), |coder| self.term(coder));
            if self.pool.shl(text.length, coder) == length {
                return Flow::Continue(text);
            }
        }
        match coder {
            None => self.text_in_chars(state, array, length),
            Some(coder) => {
                let coder = self.term(coder);
                let length = self.pool.ashr(length, coder);
                self.text_in_bytes(state, array, coder, length)
            }
        }
    }

    /// The text in an array of `char`, from its beginning.
    pub fn text_in_chars(
        &mut self,
        state: &mut State<'p>,
        array: Reference,
        length: TermId,
    ) -> Flow<Text> {
        let all = self.all(state, array)?;
        let units = all.into_iter().map(|unit| self.pool.extract(unit, 15, 0)).collect();
        Flow::Continue(self.shortened(Text { length, units, narrow: false }))
    }

    /// The text in an array of bytes, from its beginning.
    pub fn text_in_bytes(
        &mut self,
        state: &mut State<'p>,
        array: Reference,
        coder: TermId,
        length: TermId,
    ) -> Flow<Text> {
        if let Some(text) = stored(state, array)
            && text.length == length
        {
            return Flow::Continue(text);
        }
        let all = self.all(state, array)?;
        let bytes: Vec<TermId> = all.iter().map(|&byte| self.pool.extract(byte, 7, 0)).collect();
        let zero = self.pool.int(0);
        let narrow = self.pool.eq(coder, zero);
        let mut units = Vec::with_capacity(bytes.len());
        for (place, &byte) in bytes.iter().enumerate() {
            let alone = self.pool.zero_extend(byte, 16);
            let pair = match (bytes.get(2 * place), bytes.get(2 * place + 1)) {
                (Some(&low), Some(&high)) => self.pool.concat(high, low),
                // Behind the last pair there is none in UTF-16.
                _ if narrow == Pool::FALSE => break,
                _ => alone,
            };
            units.push(self.pool.ite(narrow, alone, pair));
        }
        let narrow = narrow == Pool::TRUE;
        Flow::Continue(self.shortened(Text { length, units: units.into(), narrow }))
    }

    /// A text without units that it cannot have.
    fn shortened(&self, text: Text) -> Text {
        match self.pool.bits(text.length) {
            Some(length) if (length as usize) < text.units.len() => {
                Text { units: text.units[..length as usize].into(), ..text }
            }
            _ => text,
        }
    }

    fn all(&mut self, state: &mut State<'p>, array: Reference) -> Flow<Vec<TermId>> {
        let longest = self.longest(state, array)?;
        let mut all = Vec::with_capacity(longest);
        for index in 0..longest {
            self.breathe_at(index)?;
            let value = self.peek_element(state, array, Value::Int(index as i32))?;
            all.push(self.term(value));
        }
        Flow::Continue(all)
    }

    /// The text of a string that something looks at as a whole: what is behind the characters that
    /// there are inputs for is cut, and counted.
    pub fn whole_text(&mut self, state: &mut State<'p>, string: Reference) -> Flow<Text> {
        let text = self.text_of(state, string)?;
        self.check_whole(state, &text)?;
        Flow::Continue(text)
    }

    /// Ends the path if a text is longer than what there is of it.
    pub fn check_whole(&mut self, state: &mut State<'p>, text: &Text) -> Flow {
        // Of a text that was made of numbers and constants there is all.
        let certain = self.certain_range(text.length);
        if certain.is_some_and(|(_, most)| most <= text.units.len() as i64) {
            return Flow::Continue(());
        }
        let most = self.pool.int(text.units.len() as i32);
        let whole = self.pool.sle(text.length, most);
        if self.decide(state, whole)? {
            return Flow::Continue(());
        }
        // The bound on input strings holds on every path, so it is not what was exceeded.
        cut("lazy/string", Bound::Allocation)
    }

    /// A constant text.
    pub fn constant_text(&mut self, units: &[u16]) -> Text {
        let length = self.pool.int(units.len() as i32);
        let narrow = units.iter().all(|&unit| unit < 256);
        let units = units.iter().map(|&unit| self.pool.bitvec(16, unit.into())).collect();
        Text { length, units, narrow }
    }

    /// A new string.
    pub fn new_text(&mut self, state: &mut State<'p>, text: Text) -> Flow<Reference> {
        let constants: Option<Vec<u16>> =
            text.units.iter().map(|&unit| self.pool.bits(unit).map(|bits| bits as u16)).collect();
        if let (Some(units), Some(length)) = (constants, self.pool.bits(text.length)) {
            return self.new_utf16(state, &units[..(length as usize).min(units.len())]);
        }
        let string = self.allocate(state, self.known.string, 0)?;
        self.store_text(state, string, text)?;
        Flow::Continue(string)
    }

    /// Gives a string its text, as a constructor does.
    pub fn store_text(&mut self, state: &mut State<'p>, string: Reference, text: Text) -> Flow {
        let layout = self.known.layout();
        let body = match layout.coder {
            Some(slot) => {
                let (coder, body) = text.stored(&mut self.pool, &self.unknowns.patience);
                state.heap.set(string, slot, coder);
                body
            }
            None => text.stored_as_chars(&mut self.pool),
        };
        let array = state.heap.allocate(layout.array, body);
        state.heap.set(string, layout.value, Value::Reference(array));
        Flow::Continue(())
    }

    /// Two texts, one after the other.
    pub fn joined(&mut self, first: &Text, second: &Text) -> Flow<Text> {
        let most = first.units.len() + second.units.len();
        if most > MOST {
            return unsupported(format!("a symbolic text of more than {MOST} characters"));
        }
        let length = self.pool.add(first.length, second.length);
        let mut units = Vec::with_capacity(most);
        for place in 0..most {
            self.breathe()?;
            units.push(self.joined_unit(first, second, place));
        }
        let narrow = first.narrow && second.narrow;
        Flow::Continue(self.shortened(Text { length, units: units.into(), narrow }))
    }

    /// Texts, one after the other.
    pub fn joined_all(&mut self, texts: &[Text]) -> Flow<Text> {
        // From the end: where a text begins is asked of the one before it, not of all of them.
        let mut whole = self.constant_text(&[]);
        for text in texts.iter().rev() {
            whole = self.joined(text, &whole)?;
        }
        Flow::Continue(whole)
    }

    /// The character at a place of two texts, whatever the length of the first is.
    fn joined_unit(&mut self, first: &Text, second: &Text, place: usize) -> TermId {
        let blank = self.pool.bitvec(16, 0);
        let second_at = |place: Option<usize>| {
            place.and_then(|place| second.units.get(place)).copied().unwrap_or(blank)
        };
        if let Some(length) = self.pool.bits(first.length) {
            let length = length as usize;
            let own = first.units.get(place).filter(|_| place < length).copied();
            return own.unwrap_or_else(|| second_at(place.checked_sub(length)));
        }
        // The first text is at most as long as it has units, and beyond its end the second begins.
        let mut unit = first.units.get(place).copied().unwrap_or(blank);
        for length in (0..=first.units.len().min(place)).rev() {
            let other = second_at(place.checked_sub(length));
            let length = self.pool.int(length as i32);
            let ends = self.pool.eq(first.length, length);
            unit = self.pool.ite(ends, other, unit);
        }
        unit
    }

    /// The part of a text from a place on, so long; both are within the text.
    pub fn part(&mut self, text: &Text, from: TermId, length: TermId) -> Flow<Text> {
        let mut units = Vec::with_capacity(text.units.len());
        let first = self.pool.bits(from).map_or(0, |from| from as usize);
        for place in 0..text.units.len().saturating_sub(first) {
            self.breathe()?;
            let offset = self.pool.int(place as i32);
            let at = self.pool.add(from, offset);
            units.push(self.unit_at(text, at));
        }
        Flow::Continue(self.shortened(Text { length, units: units.into(), narrow: text.narrow }))
    }

    /// The character at a place; anything if the place is not within the text.
    pub fn unit_at(&mut self, text: &Text, place: TermId) -> TermId {
        if let Some(place) = self.pool.bits(place) {
            let blank = self.pool.bitvec(16, 0);
            return text.units.get(place as usize).copied().unwrap_or(blank);
        }
        self.tree_of(&text.units, place)
    }

    /// The text in the array of a builder, which is in Latin-1; none if it takes more than a look.
    pub fn text_in_builder(
        &mut self,
        state: &mut State<'p>,
        array: Reference,
        count: TermId,
    ) -> Flow<Option<Text>> {
        match &state.heap.object(array).body {
            Body::Elements(_) => {
                let text = stored(state, array);
                Flow::Continue(text.filter(|text| text.length == count && text.narrow))
            }
            body if body.len() <= MOST && self.pool.bits(count).is_some() => {
                let narrow = self.pool.int(0);
                Flow::Continue(Some(self.text_in_bytes(state, array, narrow, count)?))
            }
            _ => Flow::Continue(None),
        }
    }

    /// The stop of what cannot do with a symbolic text.
    pub(crate) fn no_symbolic_text<T>(&self) -> Flow<T> {
        let what = "the text of a symbolic string".into();
        Flow::Break(Interrupt::Stop(Box::new(Stop::Symbolic(what))))
    }
}

/// The text that an array was made to store.
fn stored(state: &State<'_>, array: Reference) -> Option<Text> {
    match &state.heap.object(array).body {
        Body::Elements(elements) => elements.text.as_deref().cloned(),
        _ => None,
    }
}
