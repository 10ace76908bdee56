//! The constant pool of a class, with its symbolic references in dense tables.
//!
//! References are checked for form when the class is read. What they refer to is found when they
//! are first used, and kept beside them: `resolved` is set once and never changes, failures
//! included (JVMS 5.4.3).

use crate::descriptor::{Kind, MethodType, ValueType};
use crate::ids::{
    ClassId, ClassRefId, ConstantId, DynamicRefId, FieldId, FieldRefId, MethodId, MethodRefId,
};
use crate::link::LinkFailure;
use crate::names::Name;
use crate::text::Text;
use std::sync::{Arc, OnceLock};

/// What a reference turned out to mean.
pub(crate) type Resolved<T> = OnceLock<Result<T, Box<LinkFailure>>>;

/// A symbolic reference to a class.
#[derive(Debug)]
pub struct ClassRef {
    /// The name of the class, or the descriptor of an array class.
    pub name: Name,
    pub(crate) resolved: Resolved<ClassId>,
}

/// A symbolic reference to a field.
#[derive(Debug)]
pub struct FieldRef {
    /// The class in which the search begins.
    pub class: ClassRefId,
    /// The name of the field.
    pub name: Name,
    /// The descriptor of its type.
    pub descriptor: Name,
    /// Its type.
    pub value: ValueType,
    pub(crate) resolved: Resolved<FieldId>,
}

/// A symbolic reference to a method.
#[derive(Debug)]
pub struct MethodRef {
    /// The class in which the search begins.
    pub class: ClassRefId,
    /// Whether the reference says that this class is an interface.
    pub in_interface: bool,
    /// The name of the method.
    pub name: Name,
    /// Its descriptor.
    pub descriptor: Name,
    /// Its parameters and result.
    pub signature: Arc<MethodType>,
    pub(crate) resolved: Resolved<MethodId>,
}

/// A call site or constant that a bootstrap method computes.
#[derive(Debug)]
pub struct DynamicRef {
    /// The entry of `BootstrapMethods`.
    pub bootstrap: u16,
    /// The name that is passed to the bootstrap method.
    pub name: Name,
    /// The descriptor: of a method for a call site, of a field for a constant.
    pub descriptor: Name,
    /// The type of a call site; none for a constant.
    pub signature: Option<Arc<MethodType>>,
    /// The type of a constant; none for a call site.
    pub value: Option<ValueType>,
}

/// An entry of `BootstrapMethods`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bootstrap {
    /// The bootstrap method, always a method handle.
    pub handle: ConstantId,
    /// Its static arguments, always constants that can be loaded.
    pub arguments: Box<[ConstantId]>,
}

/// What a method handle does (JVMS 5.4.3.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the variants are named as in the table of JVMS 5.4.3.5")]
pub enum HandleKind {
    GetField,
    GetStatic,
    PutField,
    PutStatic,
    InvokeVirtual,
    InvokeStatic,
    InvokeSpecial,
    NewInvokeSpecial,
    InvokeInterface,
}

/// The member that a method handle is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HandleTarget {
    /// For the kinds that read or write a field.
    Field(FieldRefId),
    /// For the kinds that invoke.
    Method(MethodRefId),
}

/// A method handle constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MethodHandle {
    /// What it does.
    pub kind: HandleKind,
    /// To which member.
    pub target: HandleTarget,
}

/// A constant that `ldc` or a bootstrap method can be given.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the variants are the loadable constants of JVMS table 5.1-A")]
pub enum Constant<'a> {
    Int(i32),
    Float(f32),
    Long(i64),
    Double(f64),
    String(Text<'a>),
    Class(ClassRefId),
    MethodType(Name),
    MethodHandle(MethodHandle),
    Dynamic(DynamicRefId),
}

/// One entry, by its index in the class file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slot {
    /// Not an entry, or one that only other entries refer to.
    Other,
    Utf8 {
        start: u32,
        length: u16,
    },
    Int(i32),
    Float(f32),
    Long(i64),
    Double(f64),
    String(u16),
    Class(ClassRefId),
    Field(FieldRefId),
    Method(MethodRefId),
    MethodType(Name),
    MethodHandle(MethodHandle),
    Dynamic(DynamicRefId),
    InvokeDynamic(DynamicRefId),
}

/// The constant pool of one class.
#[derive(Debug, Default)]
pub struct Pool {
    bytes: Box<[u8]>,
    pub(super) slots: Vec<Slot>,
    pub(super) classes: Vec<ClassRef>,
    pub(super) fields: Vec<FieldRef>,
    pub(super) methods: Vec<MethodRef>,
    pub(super) dynamics: Vec<DynamicRef>,
    pub(super) bootstraps: Vec<Bootstrap>,
}

impl Pool {
    /// The class reference with this id. Ids come from this pool's own class, so there is one.
    pub fn class(&self, id: ClassRefId) -> &ClassRef {
        &self.classes[id.index()]
    }

    /// The field reference with this id.
    pub fn field(&self, id: FieldRefId) -> &FieldRef {
        &self.fields[id.index()]
    }

    /// The method reference with this id.
    pub fn method(&self, id: MethodRefId) -> &MethodRef {
        &self.methods[id.index()]
    }

    /// The dynamic call site or constant with this id.
    pub fn dynamic(&self, id: DynamicRefId) -> &DynamicRef {
        &self.dynamics[id.index()]
    }

    /// The bootstrap method of a dynamic call site or constant.
    pub fn bootstrap(&self, id: DynamicRefId) -> &Bootstrap {
        &self.bootstraps[self.dynamics[id.index()].bootstrap as usize]
    }

    pub(crate) fn slots(&self) -> &[Slot] {
        &self.slots
    }

    pub(crate) fn classes(&self) -> &[ClassRef] {
        &self.classes
    }

    pub(crate) fn fields(&self) -> &[FieldRef] {
        &self.fields
    }

    pub(crate) fn methods(&self) -> &[MethodRef] {
        &self.methods
    }

    pub(crate) fn dynamics(&self) -> &[DynamicRef] {
        &self.dynamics
    }

    /// How many references to classes, fields and methods there are.
    pub fn reference_counts(&self) -> [u16; 3] {
        [self.classes.len(), self.fields.len(), self.methods.len()].map(|count| count as u16)
    }

    /// The constant with this id, if there is one that can be loaded.
    pub fn constant(&self, id: ConstantId) -> Option<Constant<'_>> {
        Some(match *self.slots.get(id.index())? {
            Slot::Int(value) => Constant::Int(value),
            Slot::Float(value) => Constant::Float(value),
            Slot::Long(value) => Constant::Long(value),
            Slot::Double(value) => Constant::Double(value),
            Slot::String(text) => Constant::String(self.text(text)?),
            Slot::Class(class) => Constant::Class(class),
            Slot::MethodType(descriptor) => Constant::MethodType(descriptor),
            Slot::MethodHandle(handle) => Constant::MethodHandle(handle),
            Slot::Dynamic(dynamic) => Constant::Dynamic(dynamic),
            _ => return None,
        })
    }

    /// How the value of a constant is held on the operand stack.
    pub(crate) fn constant_kind(&self, id: ConstantId) -> Option<Kind> {
        Some(match self.constant(id)? {
            Constant::Int(_) => Kind::Int,
            Constant::Float(_) => Kind::Float,
            Constant::Long(_) => Kind::Long,
            Constant::Double(_) => Kind::Double,
            Constant::Dynamic(dynamic) => self.dynamic(dynamic).value?.kind(),
            _ => Kind::Reference,
        })
    }

    /// The text at an index of the constant pool.
    pub fn text(&self, index: u16) -> Option<Text<'_>> {
        let &Slot::Utf8 { start, length } = self.slots.get(index as usize)? else { return None };
        self.bytes.get(start as usize..start as usize + length as usize).map(Text::new)
    }

    pub(crate) fn slot(&self, index: u16) -> Slot {
        self.slots.get(index as usize).copied().unwrap_or(Slot::Other)
    }

    /// The bytes of the class file.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn keep(&mut self, bytes: Box<[u8]>) {
        self.bytes = bytes;
    }
}
