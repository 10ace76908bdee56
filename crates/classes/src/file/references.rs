//! Filling a constant pool from a class file, with every index and descriptor checked.

use super::pool::{
    Bootstrap, ClassRef, DynamicRef, FieldRef, HandleKind, HandleTarget, MethodHandle, MethodRef,
    Pool, Slot,
};
use super::{Context, Fault};
use crate::descriptor::{MethodType, ValueType, is_class_reference, is_unqualified_name};
use crate::ids::{ClassRefId, DynamicRefId, FieldRefId, MethodRefId};
use crate::names::Name;
use noak::reader::cpool::{self, Item, MethodKind};
use std::sync::{Arc, OnceLock};

pub(super) fn read(context: &Context<'_>, bootstraps: Vec<Bootstrap>) -> Result<Pool, Fault> {
    let mut pool = Pool::default();
    pool.bootstraps = bootstraps;
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
