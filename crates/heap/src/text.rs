//! Texts whose length or characters are unknown, and how Java's strings store them.
//!
//! The inputs of a string are its length and its characters, as many as the bound on strings
//! allows. Since Java 9 a string is stored as bytes, Latin-1 if all its characters are and UTF-16
//! otherwise: that, and each byte, follows from the characters and is a term over them. So the
//! library's own code finds what it expects, and nothing has to be decided before it looks.

use crate::array::{Elements, Origin};
use crate::object::Body;
use crate::patience::Patience;
use crate::value::Value;
use dalang_classes::{ClassId, Primitive, ValueType};
use dalang_term::{Pool, TermId};
use std::rc::Rc;

/// How a library stores strings.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The class of strings.
    pub string: ClassId,
    /// The slot of the array.
    pub value: usize,
    /// The slot of the coder; none in Java 8, whose strings are arrays of `char`.
    pub coder: Option<usize>,
    /// The class of the array.
    pub array: ClassId,
}

/// A text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// How many characters it has, of sort 32-bit vector. It is not more than there are units.
    pub length: TermId,
    /// UTF-16 units, of sort 16-bit vector. Those behind the last character mean nothing.
    pub units: Rc<[TermId]>,
    /// Whether all of its characters are known to be in Latin-1.
    pub narrow: bool,
}

impl Text {
    /// Whether a place is within the text.
    pub fn has(&self, pool: &mut Pool, place: usize) -> TermId {
        let place = pool.int(place as i32);
        pool.slt(place, self.length)
    }

    /// Whether some character is not in Latin-1.
    fn is_wide(&self, pool: &mut Pool, patience: &Patience) -> TermId {
        if self.narrow {
            return Pool::FALSE;
        }
        let mut any = Pool::FALSE;
        for (place, &unit) in self.units.iter().enumerate() {
            if patience.is_over_at(place) {
                break;
            }
            let most = pool.bitvec(16, 255);
            let wide = pool.ugt(unit, most);
            let has = self.has(pool, place);
            let wide = pool.and(has, wide);
            any = pool.or(any, wide);
        }
        any
    }

    /// The terms that it is made of.
    pub(crate) fn terms(&self, mut visit: impl FnMut(TermId)) {
        visit(self.length);
        self.units.iter().for_each(|&unit| visit(unit));
    }

    /// Whether two texts are equal.
    pub fn equal(&self, other: &Self, pool: &mut Pool, patience: &Patience) -> TermId {
        let mut equal = pool.eq(self.length, other.length);
        for (place, (&a, &b)) in self.units.iter().zip(other.units.iter()).enumerate() {
            if patience.is_over_at(place) {
                break;
            }
            let has = self.has(pool, place);
            let same = pool.eq(a, b);
            let same = pool.implies(has, same);
            equal = pool.and(equal, same);
        }
        equal
    }

    /// One text where a condition holds, and another where it does not.
    pub fn either(pool: &mut Pool, condition: TermId, then: &Self, otherwise: &Self) -> Self {
        let length = pool.ite(condition, then.length, otherwise.length);
        let most = then.units.len().max(otherwise.units.len());
        let mut units = Vec::with_capacity(most);
        for place in 0..most {
            // Where one has ended, nobody asks for its character.
            units.push(match (then.units.get(place), otherwise.units.get(place)) {
                (Some(&one), Some(&other)) => pool.ite(condition, one, other),
                (Some(&only), None) | (None, Some(&only)) => only,
                (None, None) => break,
            });
        }
        Self { length, units: units.into(), narrow: then.narrow && otherwise.narrow }
    }

    /// The coder of the text and its array: the array's content.
    pub fn stored(self, pool: &mut Pool, patience: &Patience) -> (Value, Body) {
        let wide = self.is_wide(pool, patience);
        let (one, zero) = (pool.int(1), pool.int(0));
        let coder = pool.ite(wide, one, zero);
        let length = pool.shl(self.length, coder);
        let bytes = self.bytes(pool, wide, patience);
        let body = array(pool, length, Primitive::Byte, &bytes, self);
        (value(pool, coder), body)
    }

    /// The same as an array of `char`.
    pub fn stored_as_chars(self, pool: &mut Pool) -> Body {
        let units: Vec<TermId> =
            self.units.iter().map(|&unit| pool.zero_extend(unit, 32)).collect();
        array(pool, self.length, Primitive::Char, &units, self)
    }

    /// The array of a builder that is filled with this text, in Latin-1: there may be room behind
    /// it. Its length is not more than `longest`.
    pub fn stored_in(self, pool: &mut Pool, length: TermId, longest: u32) -> Body {
        let bytes = self.bytes(pool, Pool::FALSE, &Patience::default());
        Body::Elements(elements(pool, length, Primitive::Byte, &bytes, longest, self).into())
    }

    /// What the bytes are, as the operand stack holds them.
    fn bytes(&self, pool: &mut Pool, wide: TermId, patience: &Patience) -> Vec<TermId> {
        let half = |pool: &mut Pool, unit: TermId, high: bool| {
            let low = if high { 8 } else { 0 };
            let byte = pool.extract(unit, low + 7, low);
            pool.sign_extend(byte, 32)
        };
        let count = if wide == Pool::FALSE { self.units.len() } else { 2 * self.units.len() };
        let mut bytes = Vec::with_capacity(count);
        for place in 0..count {
            if patience.is_over_at(place) {
                break;
            }
            let of_pair = half(pool, self.units[place / 2], place % 2 == 1);
            let byte = match self.units.get(place) {
                Some(&unit) => {
                    let narrow = half(pool, unit, false);
                    pool.ite(wide, of_pair, narrow)
                }
                None => of_pair,
            };
            bytes.push(byte);
        }
        bytes
    }
}

fn value(pool: &Pool, term: TermId) -> Value {
    match pool.bits(term) {
        Some(bits) => Value::Int(bits as i32),
        None => Value::Term(term),
    }
}

/// An array of these elements, plainly stored if it can be.
fn array(pool: &mut Pool, length: TermId, of: Primitive, all: &[TermId], text: Text) -> Body {
    if let Some(length) = pool.bits(length) {
        let mut body = Body::primitives(of, length as usize);
        for (index, &element) in all.iter().enumerate().take(length as usize) {
            body.set(index, value(pool, element));
        }
        return body;
    }
    Body::Elements(elements(pool, length, of, all, all.len() as u32, text).into())
}

fn elements(
    pool: &mut Pool,
    length: TermId,
    of: Primitive,
    all: &[TermId],
    longest: u32,
    text: Text,
) -> Elements {
    let zero = Origin::Default(Value::Int(0));
    let mut elements = Elements::new(zero, length, ValueType::Primitive(of));
    let entry = |(index, &element): (usize, &TermId)| (index as i32, value(pool, element));
    let entries: Vec<(i32, Value)> = all.iter().enumerate().map(entry).collect();
    elements.known = entries.into_iter().map(|(index, value)| (pool.int(index), value)).collect();
    elements.longest = Some(longest);
    elements.text = Some(Rc::new(text));
    elements
}
