//! The constant pool of a class, with its symbolic references in dense tables.
//!
//! References are checked for form when the class is read. What they refer to is found when they
//! are first used, and kept beside them: `resolved` is set once and never changes, failures
//! included (JVMS 5.4.3).

use super::{Context, Fault};
use crate::descriptor::{Kind, MethodType, ValueType, is_class_reference, is_unqualified_name};
use crate::ids::{
    ClassId, ClassRefId, ConstantId, DynamicRefId, FieldId, FieldRefId, MethodId, MethodRefId,
};
use crate::link::LinkFailure;
use crate::names::Name;
use crate::text::Text;
use noak::reader::cpool::{self, Item, MethodKind};
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
    slots: Vec<Slot>,
    classes: Vec<ClassRef>,
    fields: Vec<FieldRef>,
    methods: Vec<MethodRef>,
    dynamics: Vec<DynamicRef>,
    bootstraps: Vec<Bootstrap>,
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

pub(super) fn read(context: &Context<'_>, bootstraps: Vec<Bootstrap>) -> Result<Pool, Fault> {
    let mut pool = Pool { bootstraps, ..Pool::default() };
    let items = || context.class.pool().iter_indices();
    let last = items().last().map_or(0, |(index, _)| index.as_u16());
    pool.slots = vec![Slot::Other; last as usize + 1];
    // References name classes, handles name references: each round can rely on the one before.
    for round in [Round::Values, Round::References, Round::Handles] {
        for (index, item) in items() {
            if let Some(slot) = pool.enter(context, item, round)? {
                pool.slots[index.as_u16() as usize] = slot;
            }
        }
    }
    pool.check_bootstraps()?;
    Ok(pool)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    Values,
    References,
    Handles,
}

impl Pool {
    fn enter(
        &mut self,
        context: &Context<'_>,
        item: &Item<'_>,
        round: Round,
    ) -> Result<Option<Slot>, Fault> {
        let slot = match round {
            Round::Values => self.value(context, item)?,
            Round::References => self.reference(context, item)?,
            Round::Handles => match item {
                Item::MethodHandle(handle) => self.handle(context, handle)?,
                _ => return Ok(None),
            },
        };
        Ok(Some(slot).filter(|slot| !matches!(slot, Slot::Other)))
    }

    fn value(&mut self, context: &Context<'_>, item: &Item<'_>) -> Result<Slot, Fault> {
        Ok(match item {
            Item::Utf8(utf8) => {
                let span = super::Span::within(context.bytes, utf8.content.as_bytes());
                Slot::Utf8 { start: span.start, length: (span.end - span.start) as u16 }
            }
            Item::Integer(value) => Slot::Int(value.value),
            Item::Float(value) => Slot::Float(value.value),
            Item::Long(value) => Slot::Long(value.value),
            Item::Double(value) => Slot::Double(value.value),
            Item::String(string) => {
                let text = cpool::Index::<cpool::Utf8<'_>>::new(string.string.as_u16())?;
                context.class.pool().get(text)?;
                Slot::String(text.as_u16())
            }
            Item::Class(class) => {
                let name = context.name(class.name)?;
                let text = context.names.text(name);
                if !is_class_reference(text, context.names) {
                    return Err(Fault::Format(format!("`{text}` is not the name of a class")));
                }
                self.classes.push(ClassRef { name, resolved: OnceLock::new() });
                Slot::Class(ClassRefId::new((self.classes.len() - 1) as u16))
            }
            Item::MethodType(kind) => {
                let descriptor = context.name(kind.descriptor)?;
                signature(context, descriptor)?;
                Slot::MethodType(descriptor)
            }
            _ => Slot::Other,
        })
    }

    fn reference(&mut self, context: &Context<'_>, item: &Item<'_>) -> Result<Slot, Fault> {
        Ok(match item {
            Item::FieldRef(field) => {
                let class = self.class_slot(field.class.as_u16())?;
                let (name, descriptor) = pair(context, field.name_and_type.as_u16())?;
                let value = value(context, name, descriptor)?;
                let resolved = OnceLock::new();
                self.fields.push(FieldRef { class, name, descriptor, value, resolved });
                Slot::Field(FieldRefId::new((self.fields.len() - 1) as u16))
            }
            Item::MethodRef(method) => {
                let (class, pair) = (method.class.as_u16(), method.name_and_type.as_u16());
                self.method_slot(context, class, pair, false)?
            }
            Item::InterfaceMethodRef(method) => {
                let (class, pair) = (method.class.as_u16(), method.name_and_type.as_u16());
                self.method_slot(context, class, pair, true)?
            }
            Item::InvokeDynamic(site) => {
                let (name, descriptor) = pair(context, site.name_and_type.as_u16())?;
                let signature = Some(signature(context, descriptor)?);
                let bootstrap = site.bootstrap_method_attr;
                self.dynamics.push(DynamicRef {
                    bootstrap,
                    name,
                    descriptor,
                    signature,
                    value: None,
                });
                Slot::InvokeDynamic(DynamicRefId::new((self.dynamics.len() - 1) as u16))
            }
            Item::Dynamic(constant) => {
                let (name, descriptor) = pair(context, constant.name_and_type.as_u16())?;
                let value = Some(value(context, name, descriptor)?);
                let bootstrap = constant.bootstrap_method_attr;
                self.dynamics.push(DynamicRef {
                    bootstrap,
                    name,
                    descriptor,
                    signature: None,
                    value,
                });
                Slot::Dynamic(DynamicRefId::new((self.dynamics.len() - 1) as u16))
            }
            _ => Slot::Other,
        })
    }

    fn method_slot(
        &mut self,
        context: &Context<'_>,
        class: u16,
        name_and_type: u16,
        in_interface: bool,
    ) -> Result<Slot, Fault> {
        let class = self.class_slot(class)?;
        let (name, descriptor) = pair(context, name_and_type)?;
        let signature = signature(context, descriptor)?;
        let text = context.names.text(name);
        let special = text == "<init>" && signature.result.is_none();
        if !special && (!is_unqualified_name(text) || text.contains(['<', '>'])) {
            return Err(Fault::Format(format!("`{text}` cannot be called")));
        }
        let resolved = OnceLock::new();
        self.methods.push(MethodRef { class, in_interface, name, descriptor, signature, resolved });
        Ok(Slot::Method(MethodRefId::new((self.methods.len() - 1) as u16)))
    }

    fn class_slot(&self, index: u16) -> Result<ClassRefId, Fault> {
        match self.slot(index) {
            Slot::Class(class) => Ok(class),
            _ => Err(Fault::Format(format!("constant {index} is not a class"))),
        }
    }

    fn handle(
        &self,
        context: &Context<'_>,
        handle: &cpool::MethodHandle<'_>,
    ) -> Result<Slot, Fault> {
        let index = handle.reference.as_u16();
        let wrong = || Fault::Format(format!("constant {index} does not fit its method handle"));
        let (kind, field) = handle_kind(handle.kind);
        let target = match self.slot(index) {
            Slot::Field(id) if field => HandleTarget::Field(id),
            Slot::Method(id) if !field => {
                let method = self.method(id);
                let is_init = context.names.text(method.name) == "<init>";
                let fits = match kind {
                    HandleKind::InvokeInterface => method.in_interface,
                    HandleKind::InvokeVirtual | HandleKind::NewInvokeSpecial => {
                        !method.in_interface
                    }
                    _ => true,
                };
                if !fits || is_init != (kind == HandleKind::NewInvokeSpecial) {
                    return Err(wrong());
                }
                HandleTarget::Method(id)
            }
            _ => return Err(wrong()),
        };
        Ok(Slot::MethodHandle(MethodHandle { kind, target }))
    }

    fn check_bootstraps(&self) -> Result<(), Fault> {
        let missing = self.dynamics.iter().any(|d| d.bootstrap as usize >= self.bootstraps.len());
        let mut handles = self.bootstraps.iter().map(|bootstrap| bootstrap.handle);
        let no_handle =
            handles.any(|handle| !matches!(self.slot(handle.number()), Slot::MethodHandle(_)));
        let mut arguments = self.bootstraps.iter().flat_map(|b| b.arguments.iter());
        let not_loadable = arguments.any(|&argument| match self.slot(argument.number()) {
            Slot::String(_) => false,
            _ => self.constant(argument).is_none(),
        });
        if missing || no_handle || not_loadable {
            return Err(Fault::Format("the table of bootstrap methods is not sound".to_owned()));
        }
        Ok(())
    }
}

/// Name and descriptor at an index that must hold both.
fn pair(context: &Context<'_>, index: u16) -> Result<(Name, Name), Fault> {
    let index = cpool::Index::<cpool::NameAndType<'_>>::new(index)?;
    let pair = context.class.pool().get(index)?.clone();
    Ok((context.name(pair.name)?, context.name(pair.descriptor)?))
}

fn signature(context: &Context<'_>, descriptor: Name) -> Result<Arc<MethodType>, Fault> {
    let text = context.names.text(descriptor);
    let wrong = || Fault::Format(format!("`{text}` is not the descriptor of a method"));
    context.types.get(descriptor, context.names).ok_or_else(wrong)
}

fn value(context: &Context<'_>, name: Name, descriptor: Name) -> Result<ValueType, Fault> {
    let (name, text) = (context.names.text(name), context.names.text(descriptor));
    if !is_unqualified_name(name) {
        return Err(Fault::Format(format!("`{name}` is not the name of a field")));
    }
    let wrong = || Fault::Format(format!("`{text}` is not the descriptor of a field"));
    ValueType::parse(text, context.names).ok_or_else(wrong)
}

/// The kind, and whether it is about a field.
fn handle_kind(kind: MethodKind) -> (HandleKind, bool) {
    match kind {
        MethodKind::GetField => (HandleKind::GetField, true),
        MethodKind::GetStatic => (HandleKind::GetStatic, true),
        MethodKind::PutField => (HandleKind::PutField, true),
        MethodKind::PutStatic => (HandleKind::PutStatic, true),
        MethodKind::InvokeVirtual => (HandleKind::InvokeVirtual, false),
        MethodKind::InvokeStatic => (HandleKind::InvokeStatic, false),
        MethodKind::InvokeSpecial => (HandleKind::InvokeSpecial, false),
        MethodKind::NewInvokeSpecial => (HandleKind::NewInvokeSpecial, false),
        MethodKind::InvokeInterface => (HandleKind::InvokeInterface, false),
    }
}
