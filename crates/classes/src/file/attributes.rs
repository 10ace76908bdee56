//! Attributes of classes (JVMS 4.7): those that linking and reflection ask for, and the rest as bytes.
//!
//! An attribute that is newer than its class file is ignored, as the specification says.

use super::pool::Bootstrap;
use super::{Context, Fault};
use crate::descriptor::ValueType;
use crate::flags::Flags;
use crate::ids::ConstantId;
use crate::names::Name;
use crate::text::Text;
use noak::reader::{Attribute, AttributeContent, DecodeMany};

/// Part of the bytes of a class file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    /// Where `part`, which was borrowed from `whole`, is in it.
    pub(super) fn within(whole: &[u8], part: &[u8]) -> Self {
        let start = (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize);
        Self { start: start as u32, end: (start + part.len()) as u32 }
    }

    pub(crate) fn of(self, bytes: &[u8]) -> &[u8] {
        bytes.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// An attribute that nobody looked into: annotations, and what compilers other than javac add.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RawAttribute {
    /// The name of the attribute.
    pub name: Name,
    pub(crate) span: Span,
}

/// An entry of `InnerClasses` (JVMS 4.7.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InnerClass {
    /// The class in question.
    pub inner: Name,
    /// The class that it is a member of, if it is a member.
    pub outer: Option<Name>,
    /// Its simple name, unless it is anonymous.
    pub simple_name: Option<Name>,
    /// The flags as written in the source.
    pub flags: Flags,
}

/// The `EnclosingMethod` of a local or anonymous class (JVMS 4.7.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enclosing {
    /// The innermost class around it.
    pub class: Name,
    /// Name and descriptor of the method around it, if a method is.
    pub method: Option<(Name, Name)>,
}

/// A component of a record (JVMS 4.7.30).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordComponent {
    /// Its name.
    pub name: Name,
    /// The descriptor of its type.
    pub descriptor: Name,
    /// Its type.
    pub value: ValueType,
    /// Its generic signature, if it has one.
    pub signature: Option<Name>,
    /// Its annotations.
    pub attributes: Box<[RawAttribute]>,
}

/// What a class file says of its class, beside members and code.
#[derive(Debug, Default)]
pub(crate) struct ClassAttributes {
    pub(crate) source_file: Option<Name>,
    pub(crate) signature: Option<Name>,
    pub(crate) nest_host: Option<Name>,
    pub(crate) nest_members: Vec<Name>,
    pub(crate) permitted: Option<Vec<Name>>,
    pub(crate) record: Option<Vec<RecordComponent>>,
    pub(crate) inner_classes: Vec<InnerClass>,
    pub(crate) enclosing: Option<Enclosing>,
    pub(crate) raw: Vec<RawAttribute>,
}

const JAVA_5: u16 = 49;
const JAVA_7: u16 = 51;
const JAVA_11: u16 = 55;
const JAVA_16: u16 = 60;
const JAVA_17: u16 = 61;

/// The first version whose class files mean something by this attribute, if we look into it.
fn since(name: &[u8]) -> Option<u16> {
    match name {
        b"SourceFile" | b"InnerClasses" => Some(0),
        b"Signature" | b"EnclosingMethod" => Some(JAVA_5),
        b"BootstrapMethods" => Some(JAVA_7),
        b"NestHost" | b"NestMembers" => Some(JAVA_11),
        b"Record" => Some(JAVA_16),
        b"PermittedSubclasses" => Some(JAVA_17),
        _ => None,
    }
}

pub(super) fn of_class(
    context: &Context<'_>,
    major: u16,
) -> Result<(ClassAttributes, Vec<Bootstrap>), Fault> {
    let mut found = ClassAttributes::default();
    let mut bootstraps = Vec::new();
    let pool = context.class.pool();
    for attribute in context.class.attributes() {
        let attribute = attribute?;
        let name = context.attribute_name(&attribute)?;
        match since(name) {
            None => found.raw.push(raw(context, &attribute, name)),
            Some(first) if major >= first => {
                found.take(context, attribute.read_content(pool)?, &mut bootstraps)?;
            }
            Some(_) => {}
        }
    }
    Ok((found, bootstraps))
}

impl ClassAttributes {
    fn take(
        &mut self,
        context: &Context<'_>,
        content: AttributeContent<'_>,
        bootstraps: &mut Vec<Bootstrap>,
    ) -> Result<(), Fault> {
        match content {
            AttributeContent::SourceFile(source) => {
                self.source_file = Some(context.name(source.source_file())?);
            }
            AttributeContent::Signature(signature) => {
                self.signature = Some(context.name(signature.signature())?);
            }
            AttributeContent::NestHost(host) => {
                self.nest_host = Some(context.class_name(host.host_class())?);
            }
            AttributeContent::NestMembers(members) => {
                for member in members.classes() {
                    self.nest_members.push(context.class_name(member?)?);
                }
            }
            AttributeContent::PermittedSubclasses(permitted) => {
                let classes = self.permitted.get_or_insert_default();
                for class in permitted.classes() {
                    classes.push(context.class_name(class?)?);
                }
            }
            AttributeContent::EnclosingMethod(enclosing) => {
                let method = enclosing.method().map(|index| {
                    let pair = context.class.pool().get(index)?.clone();
                    Ok::<_, Fault>((context.name(pair.name)?, context.name(pair.descriptor)?))
                });
                let class = context.class_name(enclosing.class())?;
                self.enclosing = Some(Enclosing { class, method: method.transpose()? });
            }
            AttributeContent::InnerClasses(classes) => {
                for class in classes.classes() {
                    self.inner_classes.push(inner_class(context, &class?)?);
                }
            }
            AttributeContent::Record(record) => {
                let components = self.record.get_or_insert_default();
                for component in record.components() {
                    components.push(record_component(context, &component?)?);
                }
            }
            AttributeContent::BootstrapMethods(methods) => {
                for method in methods.methods() {
                    let method = method?;
                    let mut arguments = Vec::new();
                    for argument in method.arguments() {
                        arguments.push(ConstantId::new(argument?.as_u16()));
                    }
                    let handle = ConstantId::new(method.method_ref().as_u16());
                    bootstraps.push(Bootstrap { handle, arguments: arguments.into() });
                }
            }
            _ => {}
        }
        Ok(())
    }
}

fn inner_class(
    context: &Context<'_>,
    class: &noak::reader::attributes::InnerClass<'_>,
) -> Result<InnerClass, Fault> {
    Ok(InnerClass {
        inner: context.class_name(class.inner_class())?,
        outer: class.outer_class().map(|index| context.class_name(index)).transpose()?,
        simple_name: class.inner_name().map(|index| context.name(index)).transpose()?,
        flags: Flags::new(class.inner_access_flags().bits()),
    })
}

fn record_component(
    context: &Context<'_>,
    component: &noak::reader::attributes::RecordComponent<'_>,
) -> Result<RecordComponent, Fault> {
    let name = context.name(component.name())?;
    let descriptor = context.name(component.descriptor())?;
    let text = context.names.text(descriptor);
    let value = ValueType::parse(text, context.names)
        .ok_or_else(|| format!("`{text}` is not the type of a record component"))?;
    let (attributes, signature) = of_component(context, &component.attributes())?;
    Ok(RecordComponent { name, descriptor, value, signature, attributes })
}

fn of_component(
    context: &Context<'_>,
    attributes: &DecodeMany<'_, Attribute<'_>, u16>,
) -> Result<(Box<[RawAttribute]>, Option<Name>), Fault> {
    let mut kept = Vec::new();
    let mut signature = None;
    for attribute in attributes {
        let attribute = attribute?;
        let name = context.attribute_name(&attribute)?;
        if name == b"Signature" {
            signature = Some(name_at(context, attribute.content())?);
        } else {
            kept.push(raw(context, &attribute, name));
        }
    }
    Ok((kept.into(), signature))
}

/// The name at the index that is all of an attribute's content.
pub(super) fn name_at(context: &Context<'_>, content: &[u8]) -> Result<Name, Fault> {
    let &[high, low] = content else {
        return Err(Fault::Format("an attribute has the wrong length".to_owned()));
    };
    context.name(noak::reader::cpool::Index::new(u16::from_be_bytes([high, low]))?)
}

pub(super) fn raw(context: &Context<'_>, attribute: &Attribute<'_>, name: &[u8]) -> RawAttribute {
    let name = context.names.intern(&Text::new(name).to_str());
    RawAttribute { name, span: Span::within(context.bytes, attribute.content()) }
}
