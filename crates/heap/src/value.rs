//! What a local variable, a stack entry or a field holds: a constant, or a term that stands for one.
//!
//! A value is sixteen bytes and is copied. Concrete code never builds a term.

use crate::reference::Reference;
use dalang_classes::{Kind, Primitive, ValueType};
use dalang_term::{Pool, Sort, TermId};

/// A value. `boolean`, `byte`, `char` and `short` are held as `int`s, as on Java's operand stack.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the variants are the computational types of JVMS 2.11.1")]
pub enum Value {
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Reference(Reference),
    /// A symbolic value; its sort says of which kind.
    Term(TermId),
    /// Where a subroutine returns to: an index of an instruction.
    Address(u16),
}

const _: () = assert!(size_of::<Value>() == 16);

/// Floats are equal if their bits are: a NaN equals itself, and the zeros differ.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (*self, *other) {
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Long(a), Self::Long(b)) => a == b,
            (Self::Float(a), Self::Float(b)) => a.to_bits() == b.to_bits(),
            (Self::Double(a), Self::Double(b)) => a.to_bits() == b.to_bits(),
            (Self::Reference(a), Self::Reference(b)) => a == b,
            (Self::Term(a), Self::Term(b)) => a == b,
            (Self::Address(a), Self::Address(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Value {}

impl Value {
    /// The null reference.
    pub const NULL: Self = Self::Reference(Reference::NULL);

    /// What a field or array element of this kind holds before anything is stored in it.
    pub const fn zero(kind: Kind) -> Self {
        match kind {
            Kind::Int => Self::Int(0),
            Kind::Long => Self::Long(0),
            Kind::Float => Self::Float(0.0),
            Kind::Double => Self::Double(0.0),
            Kind::Reference => Self::NULL,
        }
    }

    /// The kind of a constant; a term's kind is told by its sort.
    pub const fn kind(self) -> Option<Kind> {
        match self {
            Self::Int(_) => Some(Kind::Int),
            Self::Long(_) => Some(Kind::Long),
            Self::Float(_) => Some(Kind::Float),
            Self::Double(_) => Some(Kind::Double),
            Self::Reference(_) => Some(Kind::Reference),
            Self::Term(_) | Self::Address(_) => None,
        }
    }

    /// The bits of a constant, the way terms hold them.
    pub const fn bits(self) -> Option<u64> {
        match self {
            Self::Int(value) => Some(value as u32 as u64),
            Self::Long(value) => Some(value as u64),
            Self::Float(value) => Some(value.to_bits() as u64),
            Self::Double(value) => Some(value.to_bits()),
            Self::Reference(value) => Some(value.number() as u64),
            Self::Term(_) | Self::Address(_) => None,
        }
    }

    /// The constant of a kind that has these bits.
    pub const fn from_bits(kind: Kind, bits: u64) -> Self {
        match kind {
            Kind::Int => Self::Int(bits as i32),
            Kind::Long => Self::Long(bits as i64),
            Kind::Float => Self::Float(f32::from_bits(bits as u32)),
            Kind::Double => Self::Double(f64::from_bits(bits)),
            Kind::Reference => Self::Reference(Reference::new(bits as u32)),
        }
    }

    /// The value that a term stands for: a constant, if the term is one. A condition is an `int`.
    pub fn of(pool: &mut Pool, term: TermId) -> Self {
        let kind = match pool.sort(term) {
            Sort::Bool => {
                let (one, zero) = (pool.int(1), pool.int(0));
                let int = pool.ite(term, one, zero);
                return Self::of(pool, int);
            }
            Sort::F32 => Kind::Float,
            Sort::F64 => Kind::Double,
            Sort::Ref => Kind::Reference,
            Sort::BitVec(64) => Kind::Long,
            Sort::BitVec(_) => Kind::Int,
        };
        match pool.bits(term) {
            Some(bits) => Self::from_bits(kind, bits),
            None => Self::Term(term),
        }
    }

    /// The term of a value.
    ///
    /// # Panics
    /// If the value is the return address of a subroutine.
    pub fn term(self, pool: &mut Pool) -> TermId {
        match self {
            Self::Int(value) => pool.int(value),
            Self::Long(value) => pool.long(value),
            Self::Float(value) => pool.f32(value),
            Self::Double(value) => pool.f64(value),
            Self::Reference(value) if value.is_null() => Pool::NULL,
            Self::Reference(value) => pool.identity(value.number()),
            Self::Term(term) => term,
            Self::Address(_) => panic!("the address of a subroutine is no value of Java"),
        }
    }

    /// A truth value, as Java holds it.
    pub const fn boolean(value: bool) -> Self {
        Self::Int(value as i32)
    }

    /// What is left of an `int` constant in a field or array of a small type; any other value as
    /// it is.
    #[must_use]
    pub const fn narrowed(self, to: ValueType) -> Self {
        match (self, to) {
            (Self::Int(value), ValueType::Primitive(primitive)) => {
                Self::Int(narrow(value, primitive))
            }
            _ => self,
        }
    }
}

const fn narrow(value: i32, to: Primitive) -> i32 {
    match to {
        Primitive::Boolean => value & 1,
        Primitive::Byte => value as i8 as i32,
        Primitive::Char => value as u16 as i32,
        Primitive::Short => value as i16 as i32,
        _ => value,
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Self::Int(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Long(value)
    }
}

impl From<f32> for Value {
    fn from(value: f32) -> Self {
        Self::Float(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Double(value)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::boolean(value)
    }
}

impl From<Reference> for Value {
    fn from(value: Reference) -> Self {
        Self::Reference(value)
    }
}

#[cfg(test)]
mod tests {
    use super::Value;
    use dalang_classes::{Kind, Primitive, ValueType};

    #[test]
    fn bits_and_back() {
        for (kind, value) in [
            (Kind::Int, Value::Int(-1)),
            (Kind::Long, Value::Long(i64::MIN)),
            (Kind::Float, Value::Float(-0.0)),
            (Kind::Double, Value::Double(f64::NAN)),
        ] {
            assert_eq!(Value::from_bits(kind, value.bits().unwrap()), value);
            assert_eq!(value.kind(), Some(kind));
        }
        assert_ne!(Value::Double(0.0), Value::Double(-0.0));
    }

    #[test]
    fn small_types_keep_their_low_bits() {
        let narrowed = |value, to| Value::Int(value).narrowed(ValueType::Primitive(to));
        assert_eq!(narrowed(3, Primitive::Boolean), Value::Int(1));
        assert_eq!(narrowed(200, Primitive::Byte), Value::Int(-56));
        assert_eq!(narrowed(-1, Primitive::Char), Value::Int(65_535));
        assert_eq!(narrowed(70_000, Primitive::Short), Value::Int(4_464));
        assert_eq!(narrowed(70_000, Primitive::Int), Value::Int(70_000));
    }
}
