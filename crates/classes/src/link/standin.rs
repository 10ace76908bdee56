//! Stand-ins: classes that a program names, that no file describes, and that are known all the same.
//!
//! Whoever runs a program may offer an [`Outline`] of a class whose methods are done elsewhere. It is
//! turned into a class file only when that class is asked for and neither the library nor the class
//! path has it. All methods of a stand-in are static and native.

use super::failure::{JavaError, LinkFailure};
use super::program::Program;
use crate::ids::ClassId;
use crate::names::Name;
use crate::path::{Found, Origin};
use noak::error::EncodeError;
use noak::writer::{ClassWriter, FieldWriter, FieldWriterState, MethodWriter, MethodWriterState};
use noak::{AccessFlags, Version};
use std::sync::PoisonError;

/// What is known of a class without its file. Names of classes are in internal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// Its name.
    pub name: &'static str,
    /// Its superclass.
    pub superclass: &'static str,
    /// Its methods, which are public and static: names and descriptors.
    pub methods: Vec<(&'static str, &'static str)>,
    /// Its fields of type `boolean`, which are public and static and begin as true.
    pub switches: Vec<&'static str>,
}

impl Outline {
    /// The class file.
    fn compose(&self) -> Result<Vec<u8>, EncodeError> {
        ClassWriter::new()
            .version(Version::V8)?
            .access_flags(AccessFlags::PUBLIC | AccessFlags::SUPER)?
            .this_class(self.name)?
            .super_class(self.superclass)?
            .interfaces(|_| Ok(()))?
            .fields(|fields| {
                for name in &self.switches {
                    fields.begin(|field| switch(field, name))?;
                }
                Ok(())
            })?
            .methods(|methods| {
                for (name, descriptor) in &self.methods {
                    methods.begin(|writer| method(writer, name, descriptor))?;
                }
                Ok(())
            })?
            .attributes(|_| Ok(()))?
            .into_bytes()
    }
}

fn switch(
    field: FieldWriter<FieldWriterState::AccessFlags>,
    name: &str,
) -> Result<FieldWriter<FieldWriterState::End>, EncodeError> {
    let field = field.access_flags(AccessFlags::PUBLIC | AccessFlags::STATIC)?;
    field.name(name)?.descriptor("Z")?.attributes(|attributes| {
        attributes.begin(|attribute| attribute.constant_value(1_i32))?;
        Ok(())
    })
}

fn method(
    method: MethodWriter<MethodWriterState::AccessFlags>,
    name: &str,
    descriptor: &str,
) -> Result<MethodWriter<MethodWriterState::End>, EncodeError> {
    let flags = AccessFlags::PUBLIC | AccessFlags::STATIC | AccessFlags::NATIVE;
    method.access_flags(flags)?.name(name)?.descriptor(descriptor)?.attributes(|_| Ok(()))
}

impl Program {
    /// Offers outlines of classes, for those that are asked for and not found. What was not found
    /// before is looked for again; what code has already failed to link to stays as it is.
    pub fn offer(&self, outlines: Vec<Outline>) {
        let mut offered = self.outlines.write().unwrap_or_else(PoisonError::into_inner);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        for outline in outlines {
            let name = self.names().intern(outline.name);
            if offered.insert(name, outline).is_none()
                && known.get(&name).is_some_and(|known| known.as_ref().is_err_and(is_missing))
            {
                known.remove(&name);
            }
        }
    }

    /// The stand-in for a class that was not found, if one was offered.
    pub(super) fn stand_in(&self, name: Name) -> Option<Found> {
        let offered = self.outlines.read().unwrap_or_else(PoisonError::into_inner);
        let bytes = offered.get(&name)?.compose().ok()?;
        Some(Found { bytes, origin: Origin::stand_in() })
    }

    /// Whether a class is a stand-in: the real one may have members that this one lacks.
    pub fn is_stand_in(&self, class: ClassId) -> bool {
        self.class(class).origin == Origin::stand_in()
    }
}

fn is_missing(failure: &LinkFailure) -> bool {
    failure.error == JavaError::NoClassDefFoundError && failure.cause.is_none()
}
