//! The owner of all classes, methods and fields.
//!
//! A program can be shared between threads: looking something up by id takes no lock, and what an id
//! names never changes. Only loading a class and making an array class exclude each other.

use super::class::{Class, Shape};
use super::failure::LinkFailure;
use super::member::{Field, Method, Parameter};
use super::standin::Outline;
use crate::code::{self, Code};
use crate::descriptor::{MethodType, MethodTypes, Primitive, ValueType};
use crate::error::ClassError;
use crate::file::{self, ModuleInfo};
use crate::flags::Flags;
use crate::ids::{ClassId, FieldId, MethodId};
use crate::names::{Name, Names};
use crate::path::{ClassPath, Library};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// All classes that were needed so far, and where more can be had.
pub struct Program {
    names: Names,
    types: MethodTypes,
    pub(super) library: Library,
    pub(super) path: ClassPath,
    classes: boxcar::Vec<Class>,
    methods: boxcar::Vec<Method>,
    fields: boxcar::Vec<Field>,
    /// Every class that was looked for, found or not.
    pub(super) known: RwLock<FxHashMap<Name, Result<ClassId, LinkFailure>>>,
    /// Classes that are known without their files.
    pub(super) outlines: RwLock<FxHashMap<Name, Outline>>,
    /// Held while ids are given out.
    pub(super) growing: Mutex<()>,
    well_known: Option<WellKnown>,
    /// What modules of the library say of themselves, each read once.
    modules: RwLock<FxHashMap<Box<str>, Option<Arc<ModuleInfo>>>>,
}

/// Classes that array classes are made of.
#[derive(Clone, Copy)]
pub(super) struct WellKnown {
    pub(super) object: ClassId,
    pub(super) cloneable: ClassId,
    pub(super) serializable: ClassId,
}

impl Program {
    /// A program with nothing in it but the primitive classes and what arrays need.
    ///
    /// # Errors
    /// A library without `java.lang.Object`.
    pub fn new(library: Library, path: ClassPath) -> Result<Self, ClassError> {
        let mut program = Self {
            names: Names::default(),
            types: MethodTypes::default(),
            library,
            path,
            classes: boxcar::Vec::new(),
            methods: boxcar::Vec::new(),
            fields: boxcar::Vec::new(),
            known: RwLock::default(),
            outlines: RwLock::default(),
            growing: Mutex::new(()),
            well_known: None,
            modules: RwLock::default(),
        };
        for primitive in Primitive::ALL.map(Some).into_iter().chain([None]) {
            program.add_primitive(primitive);
        }
        let base = |name: &str| {
            program.load(name).map_err(|failure| match failure.cause {
                Some(cause) => (*cause).clone(),
                None => ClassError::NotAJdk {
                    path: "the class library".into(),
                    what: format!("{}: {}", failure.error.class_name(), failure.message),
                },
            })
        };
        program.well_known = Some(WellKnown {
            object: base("java/lang/Object")?,
            cloneable: base("java/lang/Cloneable")?,
            serializable: base("java/io/Serializable")?,
        });
        Ok(program)
    }

    fn add_primitive(&self, primitive: Option<Primitive>) {
        let name = self.names.intern(primitive.map_or("void", Primitive::keyword));
        let flags = Flags::new(Flags::PUBLIC | Flags::FINAL | Flags::ABSTRACT);
        let package = self.names.intern("java/lang");
        let shape = Shape::Primitive(primitive);
        self.classes.push(Class::bare(self.next_class(), name, flags, shape, package));
    }

    /// The class of a primitive type; none is `void`.
    pub fn primitive(&self, primitive: Option<Primitive>) -> ClassId {
        ClassId::new(primitive.map_or(Primitive::ALL.len() as u32, |primitive| primitive as u32))
    }

    /// The class of a type, loaded if need be.
    ///
    /// # Errors
    /// A class that cannot be loaded.
    pub fn class_of_type(&self, value: ValueType) -> Result<ClassId, LinkFailure> {
        match value {
            ValueType::Primitive(primitive) => Ok(self.primitive(Some(primitive))),
            ValueType::Reference(name) => self.load_name(name),
        }
    }

    /// `java.lang.Object`.
    pub fn object(&self) -> ClassId {
        self.well_known().object
    }

    /// The version of the library's own class files, which is the newest that it runs; none while a
    /// program is being made.
    pub(super) fn library_version(&self) -> Option<u16> {
        self.well_known.map(|known| self.class(known.object).major)
    }

    pub(super) fn well_known(&self) -> WellKnown {
        // Only while a program is being made is there none, and arrays are not made then.
        let none = ClassId::new(0);
        self.well_known.unwrap_or(WellKnown { object: none, cloneable: none, serializable: none })
    }

    /// The names of classes, members and descriptors.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The parameters and result that a descriptor stands for, if it is one of a method.
    pub fn method_type(&self, descriptor: Name) -> Option<Arc<MethodType>> {
        self.types.get(descriptor, &self.names)
    }

    pub(super) fn method_types(&self) -> &MethodTypes {
        &self.types
    }

    /// The library that classes are looked for in first.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// The class path that they are looked for in after that.
    pub fn class_path(&self) -> &ClassPath {
        &self.path
    }

    /// What a module of the library says of itself; none if there is no such module.
    pub fn module_info(&self, module: &str) -> Option<Arc<ModuleInfo>> {
        let known = self.modules.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(module) {
            return known.clone();
        }
        drop(known);
        let found = self.library.module_info(module).ok().flatten();
        let info = found.and_then(|found| file::module::parse(&found.bytes)).map(Arc::new);
        let mut known = self.modules.write().unwrap_or_else(PoisonError::into_inner);
        known.entry(module.into()).or_insert(info).clone()
    }

    /// The class with this id. Ids come from this program, so there is one.
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    /// The method with this id.
    pub fn method(&self, id: MethodId) -> &Method {
        &self.methods[id.index()]
    }

    /// The field with this id.
    pub fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.index()]
    }

    /// All classes that are loaded, in the order in which they were.
    pub fn classes(&self) -> impl Iterator<Item = &Class> {
        self.classes.iter().map(|(_, class)| class)
    }

    /// How many classes, methods and fields there are.
    pub fn counts(&self) -> [usize; 3] {
        [self.classes.count(), self.methods.count(), self.fields.count()]
    }

    pub(super) fn next_class(&self) -> ClassId {
        ClassId::new(self.classes.count() as u32)
    }

    pub(super) fn next_method(&self) -> u32 {
        self.methods.count() as u32
    }

    pub(super) fn next_field(&self) -> u32 {
        self.fields.count() as u32
    }

    /// Adds a class with its members, whose ids are those that come next.
    pub(super) fn add(&self, class: Class, methods: Vec<Method>, fields: Vec<Field>) -> ClassId {
        for method in methods {
            self.methods.push(method);
        }
        for field in fields {
            self.fields.push(field);
        }
        ClassId::new(self.classes.push(class) as u32)
    }

    /// The class with this name if it is loaded already.
    pub fn loaded(&self, name: &str) -> Option<ClassId> {
        let name = self.names.find(name)?;
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.get(&name).and_then(|known| known.as_ref().ok().copied())
    }

    /// The body of a method, decoded when it is first asked for; none if it is native or abstract.
    ///
    /// # Errors
    /// Bytecode that breaks a rule: a `VerifyError`.
    pub fn code(&self, id: MethodId) -> Result<Option<&Code>, &LinkFailure> {
        let method = self.method(id);
        let Some(content) = method.content else { return Ok(None) };
        let decoded = method.code.get_or_init(|| {
            let class = self.class(method.class);
            let context = code::Method {
                major: class.major,
                is_static: method.flags.is_static(),
                signature: &method.signature,
                pool: &class.pool,
                names: &self.names,
            };
            let decoded = code::decode(content.of(class.pool.bytes()), &context);
            decoded.map_err(|defect| Box::new(self.bad_code(id, defect)))
        });
        decoded.as_ref().map(Some).map_err(|failure| &**failure)
    }

    /// What `MethodParameters` says of the parameters, if the class was compiled with it.
    pub fn parameters(&self, id: MethodId) -> Option<Vec<Parameter>> {
        let method = self.method(id);
        let class = self.class(method.class);
        let attribute = self.names.find("MethodParameters")?;
        let raw = method.attributes.iter().find(|raw| raw.name == attribute)?;
        let entries = class.attribute_bytes(*raw).get(1..)?.chunks_exact(4);
        let parameter = |entry: &[u8]| {
            let text = class.pool.text(u16::from_be_bytes([entry[0], entry[1]]));
            let name = text.map(|text| self.names.intern(&text.to_str()));
            Parameter { name, flags: Flags::new(u16::from_be_bytes([entry[2], entry[3]])) }
        };
        Some(entries.map(parameter).collect())
    }

    /// The classes of checked exceptions that a method declares, from `Exceptions`.
    pub fn declared_exceptions(&self, id: MethodId) -> Vec<Name> {
        let method = self.method(id);
        let class = self.class(method.class);
        let attribute = self.names.find("Exceptions");
        let raw = method.attributes.iter().find(|raw| Some(raw.name) == attribute);
        let bytes = raw.map_or(&[][..], |raw| class.attribute_bytes(*raw));
        let entries = bytes.get(2..).unwrap_or_default().chunks_exact(2);
        let exception =
            |entry: &[u8]| match class.pool.slot(u16::from_be_bytes([entry[0], entry[1]])) {
                crate::file::Slot::Class(id) => Some(class.pool.class(id).name),
                _ => None,
            };
        entries.filter_map(exception).collect()
    }
}
