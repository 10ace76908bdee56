//! Objects and arrays. An array of a primitive type is stored as such, sixteen times smaller than
//! as values, until a term is stored in it; a long one keeps its terms [beside it](Patched).

use crate::array::Elements;
use crate::patched::{LONG, Patched};
use crate::reference::Reference;
use crate::value::Value;
use dalang_classes::{ClassId, FieldId, Kind, Primitive, Program};
use std::iter::repeat_n;
use std::rc::Rc;

/// An object or array.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its class.
    pub class: ClassId,
    /// How often its monitor has been entered and not yet left.
    pub lock: u16,
    /// Whether its class is only known to be at or below the one that is given here.
    pub inexact: bool,
    /// Whether it may have been there before the method that is explored began, other than as an input.
    pub early: bool,
    /// What it holds.
    pub body: Body,
}

/// What an object or array holds. Contents are shared between copies until one is changed.
#[derive(Clone, Debug)]
pub enum Body {
    /// The fields of an object by slot; what the virtual machine adds comes after them.
    Fields(Rc<[Value]>),
    /// A `byte[]` or `boolean[]`
    Bytes(Rc<[i8]>),
    /// A `char[]`
    Chars(Rc<[u16]>),
    /// A `short[]`
    Shorts(Rc<[i16]>),
    /// An `int[]`
    Ints(Rc<[i32]>),
    /// A `long[]`
    Longs(Rc<[i64]>),
    /// A `float[]`
    Floats(Rc<[f32]>),
    /// A `double[]`
    Doubles(Rc<[f64]>),
    /// An array of references
    References(Rc<[Reference]>),
    /// An array of any type in which a term has been stored
    Values(Rc<[Value]>),
    /// The same of a long one
    Patched(Rc<Patched>),
    /// An array whose length or elements are inputs
    Elements(Rc<Elements>),
    /// The fields of an input object that were accessed, under a policy that does not divide paths
    Accessed(Rc<Accessed>),
}

/// The fields of an input object that were accessed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accessed {
    /// Those of the class that the object is known to be of, by slot.
    slots: Vec<Option<Value>>,
    /// Those that only classes below have, which may share slots.
    below: Vec<(FieldId, Value)>,
}

impl Accessed {
    /// Fields that only classes below have.
    #[cfg(test)]
    pub(crate) fn of_subclasses(below: Vec<(FieldId, Value)>) -> Self {
        Self { below, ..Self::default() }
    }

    /// A field of an object that is known to be of a class, if it was accessed.
    #[inline]
    pub fn get(&self, program: &Program, class: ClassId, field: FieldId) -> Option<Value> {
        let declared = program.field(field);
        if program.is_subtype(class, declared.class) {
            return self.slot(declared.slot as usize);
        }
        self.below.iter().find(|entry| entry.0 == field).map(|entry| entry.1)
    }

    /// What is at a slot of the class that the object is known to be of.
    #[inline]
    pub fn slot(&self, slot: usize) -> Option<Value> {
        self.slots.get(slot).copied().flatten()
    }

    /// Gives a field of an object that is known to be of a class a value.
    pub fn set(&mut self, program: &Program, class: ClassId, field: FieldId, value: Value) {
        let declared = program.field(field);
        if program.is_subtype(class, declared.class) {
            let slot = declared.slot as usize;
            if self.slots.len() <= slot {
                let fields = program.class(class).instance_fields.len();
                self.slots.resize(fields.max(slot + 1), None);
            }
            self.slots[slot] = Some(value);
            return;
        }
        match self.below.iter_mut().find(|entry| entry.0 == field) {
            Some(entry) => entry.1 = value,
            None => self.below.push((field, value)),
        }
    }

    /// The fields that were accessed, of an object that is known to be of a class.
    pub fn entries(&self, program: &Program, class: ClassId) -> Vec<(FieldId, Value)> {
        let fields = program.class(class).instance_fields.iter();
        let known = fields.zip(&self.slots).filter_map(|(&field, &value)| Some((field, value?)));
        known.chain(self.below.iter().copied()).collect()
    }

    /// The fields of an object that the program makes of one of which all were accessed; none if one was
    /// not.
    pub fn made(&self) -> Option<Body> {
        self.slots.iter().copied().collect::<Option<Rc<[Value]>>>().map(Body::Fields)
    }

    /// What was accessed of an object that has turned out to be of another class.
    #[must_use]
    pub fn of_class(&self, program: &Program, before: ClassId, class: ClassId) -> Self {
        let mut accessed = Self::default();
        for (field, value) in self.entries(program, before) {
            accessed.set(program, class, field, value);
        }
        accessed
    }

    /// Whether all that is known here is known there, be it that the object has turned out to be of a class
    /// that has more fields.
    #[cfg(debug_assertions)]
    pub(crate) fn is_part_of(&self, other: &Self) -> bool {
        let mut slots = self.slots.iter().enumerate();
        let is_kept = |entry: &(FieldId, Value)| {
            other.below.contains(entry) || other.slots.contains(&Some(entry.1))
        };
        slots.all(|(slot, value)| value.is_none() || *value == other.slot(slot))
            && self.below.iter().all(is_kept)
    }

    /// All values.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value> + '_ {
        self.slots.iter().flatten().copied().chain(self.below.iter().map(|entry| entry.1))
    }
}

fn filled<T: Copy>(value: T, length: usize) -> Rc<[T]> {
    repeat_n(value, length).collect()
}

impl Body {
    /// An array of zeros of a primitive type.
    pub fn primitives(element: Primitive, length: usize) -> Self {
        match element {
            Primitive::Boolean | Primitive::Byte => Self::Bytes(filled(0, length)),
            Primitive::Char => Self::Chars(filled(0, length)),
            Primitive::Short => Self::Shorts(filled(0, length)),
            Primitive::Int => Self::Ints(filled(0, length)),
            Primitive::Long => Self::Longs(filled(0, length)),
            Primitive::Float => Self::Floats(filled(0.0, length)),
            Primitive::Double => Self::Doubles(filled(0.0, length)),
        }
    }

    /// An array of nulls.
    pub fn nulls(length: usize) -> Self {
        Self::References(filled(Reference::NULL, length))
    }

    /// The length of an array, or the number of fields; of an input array, how many indexes were
    /// accessed.
    pub fn len(&self) -> usize {
        match self {
            Self::Fields(values) | Self::Values(values) => values.len(),
            Self::Bytes(values) => values.len(),
            Self::Chars(values) => values.len(),
            Self::Shorts(values) => values.len(),
            Self::Ints(values) => values.len(),
            Self::Longs(values) => values.len(),
            Self::Floats(values) => values.len(),
            Self::Doubles(values) => values.len(),
            Self::References(values) => values.len(),
            Self::Patched(patched) => patched.plain().len(),
            Self::Elements(elements) => elements.known.len(),
            Self::Accessed(fields) => fields.slots.len() + fields.below.len(),
        }
    }

    /// Whether another body holds the same, bit by bit. Of arrays whose length or elements are inputs
    /// that is said only if they are shared.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Fields(a), Self::Fields(b)) | (Self::Values(a), Self::Values(b)) => a == b,
            (Self::Bytes(a), Self::Bytes(b)) => a == b,
            (Self::Chars(a), Self::Chars(b)) => a == b,
            (Self::Shorts(a), Self::Shorts(b)) => a == b,
            (Self::Ints(a), Self::Ints(b)) => a == b,
            (Self::Longs(a), Self::Longs(b)) => a == b,
            (Self::Floats(a), Self::Floats(b)) => {
                a.iter().map(|float| float.to_bits()).eq(b.iter().map(|float| float.to_bits()))
            }
            (Self::Doubles(a), Self::Doubles(b)) => {
                a.iter().map(|double| double.to_bits()).eq(b.iter().map(|double| double.to_bits()))
            }
            (Self::References(a), Self::References(b)) => a == b,
            (Self::Accessed(a), Self::Accessed(b)) => a == b,
            (Self::Patched(a), Self::Patched(b)) => a.is_same(b),
            (Self::Elements(a), Self::Elements(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// Whether there are neither fields nor elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it is an array's.
    pub const fn is_array(&self) -> bool {
        !matches!(self, Self::Fields(_) | Self::Accessed(_))
    }

    /// Whether it is the body of an array that was plain, until a term was stored in it.
    pub const fn has_stored_terms(&self) -> bool {
        matches!(self, Self::Values(_) | Self::Patched(_))
    }

    /// About how many bytes Java would need for it.
    pub fn java_bytes(&self) -> u64 {
        let element = match self {
            Self::Patched(patched) => return patched.plain().java_bytes(),
            Self::Fields(_) | Self::Longs(_) | Self::Doubles(_) | Self::Values(_) => 8,
            Self::Elements(_) | Self::Accessed(_) => 16,
            Self::Bytes(_) => 1,
            Self::Chars(_) | Self::Shorts(_) => 2,
            Self::Ints(_) | Self::Floats(_) | Self::References(_) => 4,
        };
        16 + element * self.len() as u64
    }

    /// How many bytes of the host it takes to store something in an array, beyond those that are taken
    /// already: an array that copies of the heap share is copied first, and a short one of a primitive type
    /// makes room for terms.
    pub fn growth(&self, of_terms: bool) -> u64 {
        let widens = of_terms && !matches!(self, Self::Values(_) | Self::Fields(_));
        if widens && self.is_long() {
            let shared = matches!(self, Self::Patched(of) if Rc::strong_count(of) > 1);
            return if shared { self.beside() } else { 0 };
        }
        let (shared, element) = match self {
            Self::Fields(of) | Self::Values(of) => (Rc::strong_count(of) > 1, size_of::<Value>()),
            Self::Bytes(of) => (Rc::strong_count(of) > 1, 1),
            Self::Chars(of) => (Rc::strong_count(of) > 1, 2),
            Self::Shorts(of) => (Rc::strong_count(of) > 1, 2),
            Self::Ints(of) => (Rc::strong_count(of) > 1, 4),
            Self::Floats(of) => (Rc::strong_count(of) > 1, 4),
            Self::Longs(of) => (Rc::strong_count(of) > 1, 8),
            Self::Doubles(of) => (Rc::strong_count(of) > 1, 8),
            Self::References(of) => (Rc::strong_count(of) > 1, size_of::<Reference>()),
            Self::Patched(patched) if Rc::strong_count(patched) > 1 => {
                return self.beside() + patched.plain().java_bytes();
            }
            Self::Patched(patched) => return patched.plain().growth(false),
            Self::Elements(_) | Self::Accessed(_) => return 0,
        };
        match (widens, shared) {
            (true, _) => (size_of::<Value>() * self.len()) as u64,
            (false, true) => (element * self.len()) as u64,
            (false, false) => 0,
        }
    }

    /// A field or element; none if there is no such slot or index.
    #[inline]
    pub fn get(&self, index: usize) -> Option<Value> {
        match self {
            Self::Fields(values) | Self::Values(values) => values.get(index).copied(),
            Self::Bytes(values) => values.get(index).map(|&value| Value::Int(value.into())),
            Self::Chars(values) => values.get(index).map(|&value| Value::Int(value.into())),
            Self::Shorts(values) => values.get(index).map(|&value| Value::Int(value.into())),
            Self::Ints(values) => values.get(index).map(|&value| Value::Int(value)),
            Self::Longs(values) => values.get(index).map(|&value| Value::Long(value)),
            Self::Floats(values) => values.get(index).map(|&value| Value::Float(value)),
            Self::Doubles(values) => values.get(index).map(|&value| Value::Double(value)),
            Self::References(values) => values.get(index).map(|&value| Value::Reference(value)),
            Self::Patched(patched) => patched.get(index),
            Self::Accessed(fields) => fields.slot(index),
            Self::Elements(_) => None,
        }
    }

    /// Replaces a field; false if there is no such slot, or these are no fields.
    #[inline]
    pub fn set_field(&mut self, slot: usize, value: Value) -> bool {
        match self {
            Self::Fields(values) => put(values, slot, value),
            _ => false,
        }
    }

    /// Replaces a field or element, an `int` losing what does not fit; false if there is no such
    /// slot or index, or the value is of another kind.
    #[inline]
    pub fn set(&mut self, index: usize, value: Value) -> bool {
        match (&mut *self, value) {
            (Self::Fields(values) | Self::Values(values), _) => put(values, index, value),
            (Self::Bytes(values), Value::Int(value)) => put(values, index, value as i8),
            (Self::Chars(values), Value::Int(value)) => put(values, index, value as u16),
            (Self::Shorts(values), Value::Int(value)) => put(values, index, value as i16),
            (Self::Ints(values), Value::Int(value)) => put(values, index, value),
            (Self::Longs(values), Value::Long(value)) => put(values, index, value),
            (Self::Floats(values), Value::Float(value)) => put(values, index, value),
            (Self::Doubles(values), Value::Double(value)) => put(values, index, value),
            (Self::References(values), Value::Reference(value)) => put(values, index, value),
            (Self::Patched(patched), _) => Rc::make_mut(patched).set(index, value),
            (Self::Elements(_) | Self::Accessed(_), _) => false,
            (_, Value::Term(_)) => {
                self.widen();
                self.set(index, value)
            }
            _ => false,
        }
    }

    /// Makes room for terms: a short array stores its elements as values from now on.
    fn widen(&mut self) {
        *self = if self.is_long() {
            Self::Patched(Patched::new(self.clone()).into())
        } else {
            Self::Values((0..self.len()).filter_map(|index| self.get(index)).collect())
        };
    }

    /// Whether terms are kept beside what is plain.
    fn is_long(&self) -> bool {
        self.len() >= LONG
    }

    /// How many bytes of the host the terms take that are kept beside a long array.
    pub fn beside(&self) -> u64 {
        match self {
            Self::Patched(patched) => patched.copied_bytes(),
            _ => 0,
        }
    }

    /// Copies elements of one array into another of the same type, as if through a third; false
    /// if a range is out of bounds or the types differ.
    pub fn copy(&mut self, to: usize, source: &Self, from: usize, count: usize) -> bool {
        match (&mut *self, source) {
            (Self::Bytes(into), Self::Bytes(of)) => splice(into, to, of, from, count),
            (Self::Chars(into), Self::Chars(of)) => splice(into, to, of, from, count),
            (Self::Shorts(into), Self::Shorts(of)) => splice(into, to, of, from, count),
            (Self::Ints(into), Self::Ints(of)) => splice(into, to, of, from, count),
            (Self::Longs(into), Self::Longs(of)) => splice(into, to, of, from, count),
            (Self::Floats(into), Self::Floats(of)) => splice(into, to, of, from, count),
            (Self::Doubles(into), Self::Doubles(of)) => splice(into, to, of, from, count),
            (Self::References(into), Self::References(of)) => splice(into, to, of, from, count),
            (Self::Values(into), Self::Values(of)) => splice(into, to, of, from, count),
            (Self::Elements(_) | Self::Accessed(_), _)
            | (_, Self::Elements(_) | Self::Accessed(_)) => false,
            (_, Self::Patched(of)) if !of.has_terms(from..from.saturating_add(count)) => {
                self.copy(to, of.plain(), from, count)
            }
            (Self::Values(_), _) | (_, Self::Values(_)) => self.copy_each(to, source, from, count),
            (Self::Patched(into), _) => Rc::make_mut(into).copy(to, source, from, count),
            (_, Self::Patched(_)) => {
                self.widen();
                self.copy(to, source, from, count)
            }
            _ => false,
        }
    }

    /// Copies between two arrays of which a short one holds terms.
    fn copy_each(&mut self, to: usize, source: &Self, from: usize, count: usize) -> bool {
        let fits =
            |start: usize, of: &Self| start.checked_add(count).is_some_and(|end| end <= of.len());
        fits(to, self)
            && fits(from, source)
            && (0..count).all(|offset| {
                source.get(from + offset).is_some_and(|value| self.set(to + offset, value))
            })
    }

    /// Moves elements within the array; false if a range is out of bounds.
    pub fn shift(&mut self, to: usize, from: usize, count: usize) -> bool {
        fn within<T: Clone + Copy>(of: &mut Rc<[T]>, to: usize, from: usize, count: usize) -> bool {
            let fits = |start: usize| start.checked_add(count).is_some_and(|end| end <= of.len());
            let fits = fits(to) && fits(from);
            if fits {
                Rc::make_mut(of).copy_within(from..from + count, to);
            }
            fits
        }
        match self {
            Self::Fields(of) | Self::Values(of) => within(of, to, from, count),
            Self::Bytes(of) => within(of, to, from, count),
            Self::Chars(of) => within(of, to, from, count),
            Self::Shorts(of) => within(of, to, from, count),
            Self::Ints(of) => within(of, to, from, count),
            Self::Longs(of) => within(of, to, from, count),
            Self::Floats(of) => within(of, to, from, count),
            Self::Doubles(of) => within(of, to, from, count),
            Self::References(of) => within(of, to, from, count),
            Self::Patched(patched) => Rc::make_mut(patched).shift(to, from, count),
            Self::Elements(_) | Self::Accessed(_) => false,
        }
    }

    /// How an element, or a constant in its place, is held on the operand stack; fields and arrays
    /// of terms are of several kinds.
    pub const fn kind(&self) -> Option<Kind> {
        match self {
            Self::Fields(_)
            | Self::Values(_)
            | Self::Patched(_)
            | Self::Elements(_)
            | Self::Accessed(_) => None,
            Self::Bytes(_) | Self::Chars(_) | Self::Shorts(_) | Self::Ints(_) => Some(Kind::Int),
            Self::Longs(_) => Some(Kind::Long),
            Self::Floats(_) => Some(Kind::Float),
            Self::Doubles(_) => Some(Kind::Double),
            Self::References(_) => Some(Kind::Reference),
        }
    }
}

#[inline]
fn put<T: Clone + Copy>(values: &mut Rc<[T]>, index: usize, value: T) -> bool {
    // Copying is the exception, so it is out of the way.
    if let Some(values) = Rc::get_mut(values) {
        return match values.get_mut(index) {
            Some(place) => {
                *place = value;
                true
            }
            None => false,
        };
    }
    put_shared(values, index, value)
}

#[cold]
fn put_shared<T: Clone + Copy>(values: &mut Rc<[T]>, index: usize, value: T) -> bool {
    if index >= values.len() {
        return false;
    }
    Rc::make_mut(values)[index] = value;
    true
}

fn splice<T: Clone + Copy>(
    into: &mut Rc<[T]>,
    to: usize,
    of: &Rc<[T]>,
    from: usize,
    count: usize,
) -> bool {
    let source = from.checked_add(count).and_then(|end| of.get(from..end));
    let Some(source) = source else { return false };
    let end = to.checked_add(count).filter(|&end| end <= into.len());
    let Some(end) = end else { return false };
    Rc::make_mut(into)[to..end].copy_from_slice(source);
    true
}

#[cfg(test)]
mod tests {
    use super::Body;
    use crate::value::Value;
    use dalang_classes::Primitive;
    use dalang_term::TermId;

    #[test]
    fn a_term_makes_room_for_itself() {
        let mut array = Body::primitives(Primitive::Byte, 3);
        assert!(array.set(1, Value::Int(300)));
        assert_eq!(array.get(1), Some(Value::Int(44)));
        let term = Value::Term(TermId::from_index(7));
        assert!(array.set(2, term));
        assert_eq!(array.get(1), Some(Value::Int(44)));
        assert_eq!(array.get(2), Some(term));
        assert!(!array.set(3, term));
        assert_eq!(array.get(3), None);
    }

    #[test]
    fn storing_may_take_more_than_an_element() {
        let mut array = Body::primitives(Primitive::Int, 1000);
        let term = Value::Term(TermId::from_index(7));
        assert_eq!((array.growth(false), array.growth(true)), (0, 16_000));
        let copy = array.clone();
        assert_eq!((array.growth(false), array.growth(true)), (4_000, 16_000));
        drop(copy);
        assert!(array.set(0, term));
        assert_eq!((array.growth(false), array.growth(true)), (0, 0));
    }

    #[test]
    fn copies_keep_to_their_bounds() {
        let mut array = Body::primitives(Primitive::Int, 4);
        for index in 0..4 {
            assert!(array.set(index, Value::Int(index as i32)));
        }
        let source = array.clone();
        assert!(array.shift(1, 0, 3));
        assert_eq!(array.get(3), Some(Value::Int(2)));
        assert_eq!(source.get(3), Some(Value::Int(3)));
        assert!(array.copy(0, &source, 2, 2));
        assert_eq!(array.get(0), Some(Value::Int(2)));
        assert!(!array.copy(3, &source, 2, 2));
        assert!(!array.shift(0, usize::MAX, 2));
        assert!(!array.set(0, Value::Long(1)));
    }
}
