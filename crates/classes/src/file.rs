//! Class files: their structure, taken from bytes and checked, with names interned.
//!
//! The format is parsed by `noak`, which borrows, allocates nothing that a count in the file asks
//! for, and does not recurse as long as annotations stay bytes; so they do. Code stays bytes as
//! well until it is decoded (`code/`). What is checked here is JVMS 4.1 to 4.9.1 as far as later
//! stages rely on it; relations between classes are checked when they are linked.

mod attributes;
mod checks;
mod members;
pub(crate) mod module;
mod pool;
mod references;

pub(crate) use attributes::{ClassAttributes, Span};
pub use attributes::{Enclosing, InnerClass, RawAttribute, RecordComponent};
pub(crate) use members::{FieldInfo, MethodInfo};
pub use module::{ModuleInfo, Shown};
pub(crate) use pool::Slot;
pub use pool::{
    Bootstrap, ClassRef, Constant, DynamicRef, FieldRef, HandleKind, HandleTarget, MethodHandle,
    MethodRef, Pool,
};

use crate::descriptor::MethodTypes;
use crate::flags::Flags;
use crate::names::{Name, Names};
use crate::text::Text;
use noak::error::DecodeError;
use noak::reader::{Attribute, Class, cpool};

/// Everything that one class file says, except code and annotations, which stay bytes.
pub(crate) struct ClassFile {
    pub(crate) major: u16,
    pub(crate) minor: u16,
    pub(crate) flags: Flags,
    pub(crate) name: Name,
    pub(crate) superclass: Option<Name>,
    pub(crate) interfaces: Vec<Name>,
    pub(crate) pool: Pool,
    pub(crate) fields: Vec<FieldInfo>,
    pub(crate) methods: Vec<MethodInfo>,
    pub(crate) attributes: ClassAttributes,
}

/// Why bytes are not a class that can be used.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A rule of the format is broken.
    Format(String),
    /// The version is one that nobody here knows.
    Version { major: u16, minor: u16 },
    /// The file describes a module.
    Module,
}

impl From<String> for Fault {
    fn from(what: String) -> Self {
        Self::Format(what)
    }
}

impl From<DecodeError> for Fault {
    fn from(error: DecodeError) -> Self {
        Self::Format(error.to_string())
    }
}

/// What a parser of one part needs to know of the rest.
pub(crate) struct Context<'a> {
    pub(crate) class: &'a Class<'a>,
    pub(crate) bytes: &'a [u8],
    pub(crate) names: &'a Names,
    pub(crate) types: &'a MethodTypes,
}

impl Context<'_> {
    /// The name at an index that must be text.
    pub(crate) fn name(&self, index: cpool::Index<cpool::Utf8<'_>>) -> Result<Name, Fault> {
        let index = cpool::Index::<cpool::Utf8<'_>>::new(index.as_u16())?;
        let text = self.class.pool().retrieve(index)?;
        Ok(self.names.intern(&Text::new(text.as_bytes()).to_str()))
    }

    /// The bytes of the name of an attribute.
    pub(crate) fn attribute_name(&self, attribute: &Attribute<'_>) -> Result<&[u8], Fault> {
        let index = cpool::Index::<cpool::Utf8<'_>>::new(attribute.name().as_u16())?;
        Ok(self.class.pool().retrieve(index)?.as_bytes())
    }

    /// The name of the class at an index that must be a class reference.
    pub(crate) fn class_name(&self, index: cpool::Index<cpool::Class<'_>>) -> Result<Name, Fault> {
        let index = cpool::Index::<cpool::Class<'_>>::new(index.as_u16())?;
        let name = self.class.pool().retrieve(index)?.name;
        Ok(self.names.intern(&Text::new(name.as_bytes()).to_str()))
    }
}

/// The name that a class file gives its own class.
pub(crate) fn own_name(bytes: &[u8]) -> Result<String, String> {
    let name = |class: Class<'_>| {
        let name = class.pool().retrieve(class.this_class())?.name;
        Ok(Text::new(name.as_bytes()).to_str().into_owned())
    };
    Class::new(bytes).and_then(name).map_err(|error: DecodeError| error.to_string())
}

/// The names of the superclass and the interfaces that a class file gives its class. Nothing else
/// of the file is looked at.
pub(crate) fn parents(bytes: &[u8]) -> Option<Vec<String>> {
    let class = Class::new(bytes).ok()?;
    let text = |index: cpool::Index<cpool::Class<'_>>| {
        let name = class.pool().retrieve(index).ok()?.name;
        Some(Text::new(name.as_bytes()).to_str().into_owned())
    };
    let mut parents: Vec<String> = class.super_class().and_then(text).into_iter().collect();
    for index in class.interfaces() {
        parents.push(text(index.ok()?)?);
    }
    Some(parents)
}

/// Parses and checks one class file.
pub(crate) fn parse(
    bytes: Vec<u8>,
    names: &Names,
    types: &MethodTypes,
) -> Result<ClassFile, Fault> {
    let bytes = bytes.into_boxed_slice();
    let class = Class::new(&bytes)?;
    let version = class.version();
    checks::version(version)?;
    if class.buffer_size() != bytes.len() {
        return Err(Fault::Format("there are extra bytes at the end".to_owned()));
    }
    let flags = Flags::new(class.access_flags().bits());
    if flags.has(Flags::MODULE) {
        return Err(Fault::Module);
    }
    let context = Context { class: &class, bytes: &bytes, names, types };
    let name = context.class_name(class.this_class())?;
    let superclass = class.super_class().map(|index| context.class_name(index)).transpose()?;
    let mut interfaces = Vec::new();
    for index in class.interfaces() {
        interfaces.push(context.class_name(index?)?);
    }
    let (attributes, bootstraps) = attributes::of_class(&context, version.major)?;
    let pool = references::read(&context, bootstraps)?;
    let fields = members::fields(&context, flags, &pool)?;
    let methods = members::methods(&context, flags, version.major)?;
    let mut file = ClassFile {
        major: version.major,
        minor: version.minor,
        flags,
        name,
        superclass,
        interfaces,
        pool,
        fields,
        methods,
        attributes,
    };
    checks::class(&file, names)?;
    checks::members(&file, names)?;
    file.pool.keep(bytes);
    Ok(file)
}
