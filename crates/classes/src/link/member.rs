//! Fields and methods of a program.

use super::failure::LinkFailure;
use crate::code::Code;
use crate::descriptor::{MethodType, ValueType};
use crate::file::{RawAttribute, Span};
use crate::flags::Flags;
use crate::ids::{ClassId, ConstantId, FieldId, MethodId};
use crate::names::Name;
use std::sync::{Arc, OnceLock};

/// A field.
pub struct Field {
    /// Its own id.
    pub id: FieldId,
    /// The class that declares it.
    pub class: ClassId,
    /// Its flags.
    pub flags: Flags,
    /// Its name.
    pub name: Name,
    /// The descriptor of its type.
    pub descriptor: Name,
    /// Its type.
    pub value: ValueType,
    /// Its place among the instance fields, or among the static fields of its class.
    pub slot: u32,
    /// The constant that a static field has from the beginning, among the constants of its class. That
    /// of another field was not checked, and nothing is initialized with it.
    pub constant: Option<ConstantId>,
    /// Its generic signature.
    pub signature: Option<Name>,
    /// Attributes that were not looked into.
    pub attributes: Box<[RawAttribute]>,
}

/// How the method that a call runs is found, once its reference is resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dispatch {
    /// It is this very method: static or private, or a constructor.
    Exact,
    /// It is in this slot of the receiver's class.
    Virtual(u32),
    /// It is looked for in the receiver's class, because an interface declares it.
    Interface,
}

/// A parameter as `MethodParameters` describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// Its flags: final, synthetic, mandated.
    pub flags: Flags,
}

/// A method.
pub struct Method {
    /// Its own id.
    pub id: MethodId,
    /// The class that declares it.
    pub class: ClassId,
    /// Its flags.
    pub flags: Flags,
    /// Its name; `<init>` for constructors, `<clinit>` for class initializers.
    pub name: Name,
    /// Its descriptor.
    pub descriptor: Name,
    /// Its parameters and result.
    pub signature: Arc<MethodType>,
    /// How calls to it are dispatched.
    pub dispatch: Dispatch,
    /// Whether it can be called with any arguments (JVMS 2.9.3): `MethodHandle.invokeExact` and its
    /// like. A call then has the type that the reference gives it.
    pub is_signature_polymorphic: bool,
    /// Its generic signature.
    pub generic: Option<Name>,
    /// Attributes that were not looked into.
    pub attributes: Box<[RawAttribute]>,
    pub(crate) content: Option<Span>,
    pub(crate) code: OnceLock<Result<Code, Box<LinkFailure>>>,
}

impl Method {
    /// How many local variables its arguments take, the receiver included.
    pub fn argument_slots(&self) -> u16 {
        self.signature.slots() + u16::from(!self.flags.is_static())
    }

    /// How many arguments a call passes, the receiver included.
    pub fn argument_count(&self) -> usize {
        self.signature.parameters.len() + usize::from(!self.flags.is_static())
    }

    /// Whether it has bytecode.
    pub fn has_code(&self) -> bool {
        self.content.is_some()
    }
}
