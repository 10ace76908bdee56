//! Verification types (JVMS 4.10.1.2), and what is known of local variables and the operand stack.
//!
//! A `long` or `double` takes two places, in local variables and on the stack alike: that is how
//! stack maps describe them.

use crate::descriptor::{Kind, Primitive, ValueType};
use crate::names::{Name, Names};

/// What a place holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// Nothing that can be used.
    Top,
    Int,
    Float,
    Long,
    Double,
    /// The second half of a `long` or `double`.
    Second,
    Null,
    /// An object of this class, or of an array class.
    Class(Name),
    /// The receiver of a constructor that has not called another constructor yet.
    This,
    /// What the `new` at this instruction made, before its constructor was called.
    New(u16),
    /// A return address of the subroutine that begins at this instruction.
    Return(u16),
}

impl Type {
    pub(super) const fn is_wide(self) -> bool {
        matches!(self, Self::Long | Self::Double)
    }

    /// Whether it is a reference of any sort, to an object whose constructor was not called too.
    pub(super) const fn is_reference(self) -> bool {
        matches!(self, Self::Null | Self::Class(_) | Self::This | Self::New(_))
    }

    /// Whether it is an object that may be used, or `null`.
    pub(super) const fn is_made(self) -> bool {
        matches!(self, Self::Null | Self::Class(_))
    }

    pub(super) const fn of_kind(kind: Kind) -> Option<Self> {
        match kind {
            Kind::Int => Some(Self::Int),
            Kind::Long => Some(Self::Long),
            Kind::Float => Some(Self::Float),
            Kind::Double => Some(Self::Double),
            Kind::Reference => None,
        }
    }

    pub(super) const fn of(value: ValueType) -> Self {
        match value {
            ValueType::Reference(name) => Self::Class(name),
            ValueType::Primitive(Primitive::Long) => Self::Long,
            ValueType::Primitive(Primitive::Float) => Self::Float,
            ValueType::Primitive(Primitive::Double) => Self::Double,
            ValueType::Primitive(_) => Self::Int,
        }
    }

    /// For messages.
    pub(super) fn spelled(self, names: &Names) -> String {
        match self {
            Self::Top => "nothing usable".to_owned(),
            Self::Int => "an int".to_owned(),
            Self::Float => "a float".to_owned(),
            Self::Long => "a long".to_owned(),
            Self::Double => "a double".to_owned(),
            Self::Second => "half of a long or double".to_owned(),
            Self::Null => "null".to_owned(),
            Self::Class(name) => names.text(name).to_owned(),
            Self::This => "this before its constructor was called".to_owned(),
            Self::New(_) => "an object before its constructor was called".to_owned(),
            Self::Return(_) => "a return address".to_owned(),
        }
    }
}

/// The class of elements of an array type, as a type of its own; none if it is not an array.
pub(super) fn component(array: Name, names: &Names) -> Option<ValueType> {
    ValueType::parse(names.text(array).strip_prefix('[')?, names)
}

/// The array type with these elements.
pub(super) fn array_of(element: Name, names: &Names) -> Name {
    let text = names.text(element);
    names.intern(&if text.starts_with('[') { format!("[{text}") } else { format!("[L{text};") })
}

/// What is known at an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// Those after the last hold nothing.
    pub(super) locals: Vec<Type>,
    /// The top is last.
    pub(super) stack: Vec<Type>,
    /// Whether a constructor may have come here without calling another constructor.
    pub(super) unset_this: bool,
}

/// What a local variable holds.
pub(super) fn local(locals: &[Type], slot: usize) -> Type {
    locals.get(slot).copied().unwrap_or(Type::Top)
}

impl Frame {
    /// Puts a value into a local variable. It ends values of two places that it overlaps.
    pub(super) fn set(&mut self, slot: usize, value: Type) {
        let end = slot + if value.is_wide() { 2 } else { 1 };
        if self.locals.len() < end {
            self.locals.resize(end, Type::Top);
        }
        if self.locals[slot] == Type::Second {
            self.locals[slot - 1] = Type::Top;
        }
        if self.locals[end - 1].is_wide() {
            self.locals[end] = Type::Top;
        }
        self.locals[slot] = value;
        if value.is_wide() {
            self.locals[slot + 1] = Type::Second;
        }
    }

    /// Puts one type for another everywhere.
    pub(super) fn replace(&mut self, old: Type, new: Type) {
        for place in self.locals.iter_mut().chain(&mut self.stack) {
            if *place == old {
                *place = new;
            }
        }
    }
}
