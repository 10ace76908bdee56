//! Fields and methods as a class file declares them (JVMS 4.5, 4.6).
//!
//! Code stays a span of bytes until the method is first needed.

use super::attributes::{RawAttribute, Span, name_at, raw};
use super::pool::{Pool, Slot};
use super::{Context, Fault};
use crate::descriptor::{Kind, MethodType, ValueType};
use crate::flags::Flags;
use crate::ids::ConstantId;
use crate::names::Name;
use noak::reader::{Attribute, DecodeMany};
use std::sync::Arc;

pub(crate) struct FieldInfo {
    pub(crate) flags: Flags,
    pub(crate) name: Name,
    pub(crate) descriptor: Name,
    pub(crate) value: ValueType,
    pub(crate) constant: Option<ConstantId>,
    pub(crate) signature: Option<Name>,
    pub(crate) raw: Box<[RawAttribute]>,
}

pub(crate) struct MethodInfo {
    pub(crate) flags: Flags,
    pub(crate) name: Name,
    pub(crate) descriptor: Name,
    pub(crate) signature: Arc<MethodType>,
    pub(crate) code: Option<Span>,
    pub(crate) generic: Option<Name>,
    pub(crate) raw: Box<[RawAttribute]>,
}

/// Attributes of a member that are looked into, and the rest.
#[derive(Default)]
struct Attributes {
    code: Option<Span>,
    constant: Option<ConstantId>,
    signature: Option<Name>,
    raw: Vec<RawAttribute>,
}

pub(super) fn fields(
    context: &Context<'_>,
    class: Flags,
    pool: &Pool,
) -> Result<Vec<FieldInfo>, Fault> {
    let mut fields = Vec::new();
    for field in context.class.fields() {
        let field = field?;
        let name = context.name(field.name())?;
        let descriptor = context.name(field.descriptor())?;
        let text = context.names.text(descriptor);
        let value = ValueType::parse(text, context.names)
            .ok_or_else(|| format!("`{text}` is not the type of a field"))?;
        let flags = Flags::new(field.access_flags().bits());
        let attributes = attributes(context, &field.attributes())?;
        // On a field that is not static, the attribute means nothing to the machine: it tells only what
        // compilers put in the place of the field.
        let constant = attributes.constant;
        if let Some(constant) = constant.filter(|_| flags.is_static() || class.is_interface()) {
            check_constant(pool, constant, value, context)?;
        }
        let signature = attributes.signature;
        let raw = attributes.raw.into();
        fields.push(FieldInfo { flags, name, descriptor, value, constant, signature, raw });
    }
    Ok(fields)
}

/// JVMS 4.7.2: the constant must be of the field's own type.
fn check_constant(
    pool: &Pool,
    constant: ConstantId,
    value: ValueType,
    context: &Context<'_>,
) -> Result<(), Fault> {
    let fits = match (pool.slot(constant.number()), value) {
        (Slot::Int(_), value) => value.kind() == Kind::Int,
        (Slot::Long(_), value) => value.kind() == Kind::Long,
        (Slot::Float(_), value) => value.kind() == Kind::Float,
        (Slot::Double(_), value) => value.kind() == Kind::Double,
        (Slot::String(_), ValueType::Reference(name)) => {
            context.names.text(name) == "java/lang/String"
        }
        _ => false,
    };
    if fits { Ok(()) } else { Err(Fault::Format("a constant does not fit its field".to_owned())) }
}

pub(super) fn methods(
    context: &Context<'_>,
    class: Flags,
    major: u16,
) -> Result<Vec<MethodInfo>, Fault> {
    let mut methods = Vec::new();
    for method in context.class.methods() {
        let method = method?;
        let name = context.name(method.name())?;
        let descriptor = context.name(method.descriptor())?;
        let (text, own) = (context.names.text(descriptor), context.names.text(name));
        let signature = context
            .types
            .get(descriptor, context.names)
            .ok_or_else(|| format!("method {own}: `{text}` is not a method descriptor"))?;
        let flags = method_flags(Flags::new(method.access_flags().bits()), own, major);
        let slots = signature.slots() + u16::from(!flags.is_static());
        if slots > 255 {
            return Err(Fault::Format(format!("method {own} has {slots} arguments")));
        }
        let attributes = attributes(context, &method.attributes())?;
        if attributes.code.is_some() == (flags.is_native() || flags.is_abstract()) {
            let what = if attributes.code.is_some() { "has code" } else { "has no code" };
            let where_ = if class.is_interface() { "interface method" } else { "method" };
            return Err(Fault::Format(format!("{where_} {own} {what}, against its flags")));
        }
        let Attributes { code, signature: generic, raw, .. } = attributes;
        let raw = raw.into();
        methods.push(MethodInfo { flags, name, descriptor, signature, code, generic, raw });
    }
    Ok(methods)
}

/// JVMS 4.6: of the flags of `<clinit>` only `static` means anything, and old files lack even that.
fn method_flags(flags: Flags, name: &str, major: u16) -> Flags {
    if name != "<clinit>" {
        return flags;
    }
    if major < 51 { Flags::new(Flags::STATIC) } else { Flags::new(flags.bits() & Flags::STATIC) }
}

fn attributes(
    context: &Context<'_>,
    list: &DecodeMany<'_, Attribute<'_>, u16>,
) -> Result<Attributes, Fault> {
    let mut found = Attributes::default();
    for attribute in list {
        let attribute = attribute?;
        let content = attribute.content();
        match context.attribute_name(&attribute)? {
            b"Code" => {
                let first = found.code.replace(Span::within(context.bytes, content)).is_none();
                if !first {
                    return Err(Fault::Format("a method has code twice".to_owned()));
                }
            }
            b"ConstantValue" => {
                let &[high, low] = content else {
                    return Err(Fault::Format("ConstantValue has the wrong length".to_owned()));
                };
                found.constant = Some(ConstantId::new(u16::from_be_bytes([high, low])));
            }
            b"Signature" => found.signature = Some(name_at(context, content)?),
            name => found.raw.push(raw(context, &attribute, name)),
        }
    }
    Ok(found)
}
