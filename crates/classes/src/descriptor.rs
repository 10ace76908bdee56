//! Types of fields and methods, parsed from descriptors (JVMS 4.3).
//!
//! A reference type is named the way class references name it: `java/lang/String`, `[I`,
//! `[Ljava/lang/String;`. Generic signatures are not descriptors and stay text.

use crate::names::{Name, Names};
use rustc_hash::FxHashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// A primitive type other than `void`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "the variants are Java's own words")]
pub enum Primitive {
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
}

impl Primitive {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 8] = [
        Self::Boolean,
        Self::Byte,
        Self::Char,
        Self::Short,
        Self::Int,
        Self::Long,
        Self::Float,
        Self::Double,
    ];

    /// Java's keyword.
    pub const fn keyword(self) -> &'static str {
        ["boolean", "byte", "char", "short", "int", "long", "float", "double"][self as usize]
    }

    /// The letter in descriptors.
    pub const fn letter(self) -> char {
        ['Z', 'B', 'C', 'S', 'I', 'J', 'F', 'D'][self as usize]
    }

    fn from_letter(letter: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|primitive| primitive.letter() == char::from(letter))
    }

    /// How a value of this type is held on the operand stack.
    pub const fn kind(self) -> Kind {
        match self {
            Self::Long => Kind::Long,
            Self::Float => Kind::Float,
            Self::Double => Kind::Double,
            _ => Kind::Int,
        }
    }
}

/// What kind of value the operand stack or a local variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "the variants are the computational types of JVMS 2.11.1")]
pub enum Kind {
    Int,
    Long,
    Float,
    Double,
    Reference,
}

impl Kind {
    /// How many local variables a value takes: two for `long` and `double`.
    pub const fn slots(self) -> u16 {
        if matches!(self, Self::Long | Self::Double) { 2 } else { 1 }
    }
}

/// The type of a field, a parameter or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueType {
    /// A primitive type.
    Primitive(Primitive),
    /// A class, interface or array type, named as a class reference names it.
    Reference(Name),
}

impl ValueType {
    /// How a value of this type is held on the operand stack.
    pub const fn kind(self) -> Kind {
        match self {
            Self::Primitive(primitive) => primitive.kind(),
            Self::Reference(_) => Kind::Reference,
        }
    }

    pub(crate) fn parse(descriptor: &str, names: &Names) -> Option<Self> {
        let mut scan = Scan { text: descriptor, at: 0, names };
        let value = scan.value()?;
        (scan.at == descriptor.len()).then_some(value)
    }
}

/// The parameters and the result of a method.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MethodType {
    /// The parameters in order, the receiver left out.
    pub parameters: Box<[ValueType]>,
    /// The result; `void` is none.
    pub result: Option<ValueType>,
}

impl MethodType {
    /// How many local variables the parameters take, the receiver left out.
    pub fn slots(&self) -> u16 {
        self.parameters.iter().map(|parameter| parameter.kind().slots()).sum()
    }

    pub(crate) fn parse(descriptor: &str, names: &Names) -> Option<Self> {
        let mut scan = Scan { text: descriptor, at: 0, names };
        scan.expect(b'(')?;
        let mut parameters = Vec::new();
        while scan.peek()? != b')' {
            parameters.push(scan.value()?);
            // No method has more; the bound keeps hostile descriptors short.
            if parameters.len() > 255 {
                return None;
            }
        }
        scan.expect(b')')?;
        let result = if scan.peek()? == b'V' {
            scan.at += 1;
            None
        } else {
            Some(scan.value()?)
        };
        let whole = scan.at == descriptor.len();
        whole.then(|| Self { parameters: parameters.into(), result })
    }
}

/// The parsed descriptors of all methods and references of a program, each parsed once.
#[derive(Default)]
pub(crate) struct MethodTypes {
    parsed: RwLock<FxHashMap<Name, Option<Arc<MethodType>>>>,
}

impl MethodTypes {
    /// The type that a descriptor stands for, if it is one.
    pub(crate) fn get(&self, descriptor: Name, names: &Names) -> Option<Arc<MethodType>> {
        let parsed = self.parsed.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = parsed.get(&descriptor) {
            return known.clone();
        }
        drop(parsed);
        let fresh = MethodType::parse(names.text(descriptor), names).map(Arc::new);
        let mut parsed = self.parsed.write().unwrap_or_else(PoisonError::into_inner);
        parsed.entry(descriptor).or_insert(fresh).clone()
    }
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    names: &'a Names,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn expect(&mut self, letter: u8) -> Option<()> {
        (self.peek()? == letter).then(|| self.at += 1)
    }

    fn value(&mut self) -> Option<ValueType> {
        let start = self.at;
        while self.peek()? == b'[' {
            self.at += 1;
        }
        let dimensions = self.at - start;
        if dimensions > 255 {
            return None;
        }
        let element = self.element()?;
        if dimensions == 0 {
            return Some(element);
        }
        Some(ValueType::Reference(self.names.intern(&self.text[start..self.at])))
    }

    fn element(&mut self) -> Option<ValueType> {
        let letter = self.peek()?;
        self.at += 1;
        if letter != b'L' {
            return Primitive::from_letter(letter).map(ValueType::Primitive);
        }
        let rest = &self.text[self.at..];
        let name = &rest[..rest.find(';')?];
        self.at += name.len() + 1;
        is_class_name(name).then(|| ValueType::Reference(self.names.intern(name)))
    }
}

/// Whether this is the internal name of a class or interface (JVMS 4.2.1), not of an array.
pub(crate) fn is_class_name(name: &str) -> bool {
    name.split('/').all(is_unqualified_name)
}

/// Whether a field or class may have this name, or form one part of it (JVMS 4.2.2).
pub(crate) fn is_unqualified_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['.', ';', '[', '/'])
}

/// Whether a class reference may have this name: a class name or an array descriptor.
pub(crate) fn is_class_reference(name: &str, names: &Names) -> bool {
    if name.starts_with('[') {
        ValueType::parse(name, names).is_some()
    } else {
        is_class_name(name)
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, MethodType, Primitive, ValueType, is_class_reference};
    use crate::names::Names;

    #[test]
    fn method_descriptors() {
        let names = Names::default();
        let parsed = MethodType::parse("(IJ[[DLa/B;)[I", &names).unwrap();
        let kinds: Vec<Kind> = parsed.parameters.iter().map(|p| p.kind()).collect();
        assert_eq!(kinds, [Kind::Int, Kind::Long, Kind::Reference, Kind::Reference]);
        assert_eq!(parsed.slots(), 5);
        assert_eq!(parsed.result, Some(ValueType::Reference(names.intern("[I"))));
        assert_eq!(MethodType::parse("()V", &names).unwrap().result, None);
    }

    #[test]
    fn wrong_descriptors() {
        let names = Names::default();
        for wrong in
            ["", "(", "()", "()VV", "(V)V", "(L;)V", "(La.b;)V", "(La;", "([)V", "I", "(II"]
        {
            assert_eq!(MethodType::parse(wrong, &names), None, "{wrong}");
        }
        for wrong in ["", "V", "II", "L", "La", "[", "[V", "La//b;", "L[a;"] {
            assert_eq!(ValueType::parse(wrong, &names), None, "{wrong}");
        }
        let deep = format!("{}I", "[".repeat(256));
        assert_eq!(ValueType::parse(&deep, &names), None);
        assert!(is_class_reference(&deep[1..], &names));
        assert_eq!(ValueType::parse("Z", &names), Some(ValueType::Primitive(Primitive::Boolean)));
    }
}
