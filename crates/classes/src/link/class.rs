//! A class of a program: declared in a class file, an array class, or a primitive class.
//!
//! Everything here is fixed when the class is loaded, except what is found out later and then kept:
//! its array class, its nest host, whether it can be verified, and which methods it selects for
//! interface calls.

use super::dispatch::{Selected, VirtualSlot};
use super::verify::Verified;
use crate::descriptor::Primitive;
use crate::file::{ClassAttributes, Enclosing, InnerClass, Pool, RawAttribute, RecordComponent};
use crate::flags::Flags;
use crate::ids::{ClassId, FieldId, MethodId};
use crate::names::Name;
use crate::path::Origin;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::OnceLock;

/// Which sort of class it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A class or interface.
    Declared,
    /// An array class.
    Array {
        /// The class of the elements.
        component: ClassId,
        /// The class of the elements of the innermost arrays.
        element: ClassId,
        /// How many dimensions there are.
        dimensions: u8,
    },
    /// The class of a primitive type; none is `void`.
    Primitive(Option<Primitive>),
}

/// A class, interface, array class or primitive class.
pub struct Class {
    /// Its own id.
    pub id: ClassId,
    /// Its name in internal form: `java/lang/String`, `[I`, `int`.
    pub name: Name,
    /// Its flags, as in its class file. Nested classes have their source's flags in
    /// [`Class::inner_classes`].
    pub flags: Flags,
    /// Which sort of class it is.
    pub shape: Shape,
    /// Its package in internal form, `java/lang`; the unnamed package is the empty name.
    pub package: Name,
    /// Its superclass. For an interface, `java.lang.Object`.
    pub superclass: Option<ClassId>,
    /// The interfaces that it names itself.
    pub interfaces: Box<[ClassId]>,
    /// The fields of its instances, inherited ones first: the slot of a field is its place here.
    pub instance_fields: Box<[FieldId]>,
    /// Its own static fields: the slot of a field is its place here.
    pub static_fields: Box<[FieldId]>,
    /// Its constants and references.
    pub pool: Pool,
    /// Where it came from.
    pub origin: Origin,
    /// The major version of its class file.
    pub major: u16,
    pub(crate) attributes: ClassAttributes,
    pub(crate) fields: Range<u32>,
    pub(crate) methods: Range<u32>,
    /// Fields and methods by name and descriptor.
    pub(crate) field_index: Box<[(Name, Name, FieldId)]>,
    pub(crate) method_index: Box<[(Name, Name, MethodId)]>,
    /// All superclasses from `java.lang.Object` down to the class itself.
    pub(crate) lineage: Box<[ClassId]>,
    /// All superinterfaces, itself included if it is one, sorted.
    pub(crate) all_interfaces: Box<[ClassId]>,
    /// How many classes and interfaces are above it, on the longest way.
    pub(crate) height: u32,
    pub(crate) virtuals: Box<[VirtualSlot]>,
    pub(crate) interface_calls: OnceLock<FxHashMap<MethodId, Selected>>,
    pub(crate) array: OnceLock<ClassId>,
    pub(crate) nest: OnceLock<ClassId>,
    pub(crate) verified: OnceLock<Verified>,
}

impl Class {
    /// A class of which nothing but this is known.
    pub(super) fn bare(id: ClassId, name: Name, flags: Flags, shape: Shape, package: Name) -> Self {
        Self {
            id,
            name,
            flags,
            shape,
            package,
            superclass: None,
            interfaces: Box::default(),
            instance_fields: Box::default(),
            static_fields: Box::default(),
            pool: Pool::default(),
            origin: Origin::made(),
            major: 0,
            attributes: ClassAttributes::default(),
            fields: 0..0,
            methods: 0..0,
            field_index: Box::default(),
            method_index: Box::default(),
            lineage: [id].into(),
            all_interfaces: Box::default(),
            height: 0,
            virtuals: Box::default(),
            interface_calls: OnceLock::new(),
            array: OnceLock::new(),
            nest: OnceLock::new(),
            verified: OnceLock::new(),
        }
    }

    /// Whether it is an interface.
    pub fn is_interface(&self) -> bool {
        self.flags.is_interface()
    }

    /// Whether it is an array class.
    pub fn is_array(&self) -> bool {
        matches!(self.shape, Shape::Array { .. })
    }

    /// Whether `new` can make an instance: it is declared, and neither an interface nor abstract.
    pub fn is_instantiable(&self) -> bool {
        self.shape == Shape::Declared && !self.flags.is_abstract() && !self.flags.is_interface()
    }

    /// The fields that it declares itself, in order.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = FieldId> + use<> {
        self.fields.clone().map(FieldId::new)
    }

    /// The methods that it declares itself, in order.
    pub fn methods(&self) -> impl ExactSizeIterator<Item = MethodId> + use<> {
        self.methods.clone().map(MethodId::new)
    }

    /// The field that it declares itself with this name and descriptor.
    pub fn declared_field(&self, name: Name, descriptor: Name) -> Option<FieldId> {
        declared(&self.field_index, name, descriptor)
    }

    /// The method that it declares itself with this name and descriptor.
    pub fn declared_method(&self, name: Name, descriptor: Name) -> Option<MethodId> {
        declared(&self.method_index, name, descriptor)
    }

    /// All superclasses from `java.lang.Object` down to the class itself. An interface is below
    /// `java.lang.Object` only.
    pub fn lineage(&self) -> &[ClassId] {
        &self.lineage
    }

    /// All interfaces above it, and itself if it is one, in no particular order.
    pub fn all_interfaces(&self) -> &[ClassId] {
        &self.all_interfaces
    }

    /// The name of its source file.
    pub fn source_file(&self) -> Option<Name> {
        self.attributes.source_file
    }

    /// Its generic signature.
    pub fn signature(&self) -> Option<Name> {
        self.attributes.signature
    }

    /// The components of a record, in order; none if it is not a record.
    pub fn record(&self) -> Option<&[RecordComponent]> {
        self.attributes.record.as_deref()
    }

    /// The classes that may extend it; none if it is not sealed.
    pub fn permitted_subclasses(&self) -> Option<&[Name]> {
        self.attributes.permitted.as_deref()
    }

    /// What it says of nested classes, itself among them if it is nested.
    pub fn inner_classes(&self) -> &[InnerClass] {
        &self.attributes.inner_classes
    }

    /// The method or class around a local or anonymous class.
    pub fn enclosing(&self) -> Option<Enclosing> {
        self.attributes.enclosing
    }

    /// The classes that it lets into its nest.
    pub fn nest_members(&self) -> &[Name] {
        &self.attributes.nest_members
    }

    /// Attributes that were not looked into, annotations for instance.
    pub fn attributes(&self) -> &[RawAttribute] {
        &self.attributes.raw
    }

    /// The content of such an attribute of this class, or of a member or component of it.
    pub fn attribute_bytes(&self, attribute: RawAttribute) -> &[u8] {
        attribute.span.of(self.pool.bytes())
    }
}

fn declared<T: Copy>(index: &[(Name, Name, T)], name: Name, descriptor: Name) -> Option<T> {
    let place = index.binary_search_by_key(&(name, descriptor), |&(n, d, _)| (n, d)).ok()?;
    Some(index[place].2)
}
