//! Array classes (JVMS 5.3.3), and which class is a subtype of which.

use super::class::{Class, Shape};
use super::failure::{JavaError, LinkFailure};
use super::program::Program;
use crate::descriptor::{Primitive, ValueType};
use crate::flags::Flags;
use crate::ids::ClassId;
use crate::names::Name;
use std::sync::PoisonError;

impl Program {
    /// The class of arrays whose elements are of this class.
    ///
    /// # Errors
    /// Arrays of 255 dimensions and of `void` cannot be elements; as in Java, that is a
    /// `NoClassDefFoundError`.
    pub fn array_of(&self, component: ClassId) -> Result<ClassId, LinkFailure> {
        if let Some(&array) = self.class(component).array.get() {
            return Ok(array);
        }
        let _growing = self.growing.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been faster.
        if let Some(&array) = self.class(component).array.get() {
            return Ok(array);
        }
        let array = self.make_array(component)?;
        let _ = self.class(component).array.set(array);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(self.class(array).name, Ok(array));
        Ok(array)
    }

    fn make_array(&self, component: ClassId) -> Result<ClassId, LinkFailure> {
        let inner = self.class(component);
        let (element, dimensions) = match inner.shape {
            Shape::Array { element, dimensions, .. } => (element, dimensions.checked_add(1)),
            Shape::Declared | Shape::Primitive(Some(_)) => (component, Some(1)),
            Shape::Primitive(None) => (component, None),
        };
        let text = self.names().text(inner.name);
        let Some(dimensions) = dimensions else {
            return Err(LinkFailure::new(JavaError::NoClassDefFoundError, format!("[{text}")));
        };
        let name = match inner.shape {
            Shape::Array { .. } => format!("[{text}"),
            Shape::Primitive(Some(primitive)) => format!("[{}", primitive.letter()),
            _ => format!("[L{text};"),
        };
        let name = self.names().intern(&name);
        let flags = inner.flags.bits() & Flags::PUBLIC | Flags::FINAL | Flags::ABSTRACT;
        let shape = Shape::Array { component, element, dimensions };
        let id = self.next_class();
        let mut array = Class::bare(id, name, Flags::new(flags), shape, inner.package);
        let above = self.well_known();
        let mut interfaces = [above.cloneable, above.serializable];
        array.superclass = Some(above.object);
        array.interfaces = interfaces.into();
        interfaces.sort_unstable();
        array.all_interfaces = interfaces.into();
        array.lineage = [above.object, id].into();
        array.virtuals.clone_from(&self.class(above.object).virtuals);
        array.height = 1;
        Ok(self.add(array, Vec::new(), Vec::new()))
    }

    /// The array class with this descriptor, its element class loaded if need be.
    pub(super) fn load_array(&self, name: Name) -> Result<ClassId, LinkFailure> {
        let text = self.names().text(name);
        let element = text.trim_start_matches('[');
        let missing = || LinkFailure::new(JavaError::NoClassDefFoundError, text);
        let dimensions = text.len() - element.len();
        if dimensions > 255 {
            return Err(missing());
        }
        let mut class = match ValueType::parse(element, self.names()) {
            Some(ValueType::Primitive(primitive)) => self.primitive(Some(primitive)),
            Some(ValueType::Reference(name)) => self.load_name(name)?,
            None => return Err(missing()),
        };
        for _ in 0..dimensions {
            class = self.array_of(class)?;
        }
        Ok(class)
    }

    /// Whether a value of class `sub` is also one of class `sup`: same class, superclass,
    /// superinterface, or arrays of which that holds (JVMS 6.5, `checkcast`).
    pub fn is_subtype(&self, sub: ClassId, sup: ClassId) -> bool {
        let (mut sub, mut sup) = (sub, sup);
        // Each round takes one dimension off both; there are at most 255.
        loop {
            if sub == sup {
                return true;
            }
            let (lower, upper) = (self.class(sub), self.class(sup));
            match (lower.shape, upper.shape) {
                (Shape::Array { component: s, .. }, Shape::Array { component: t, .. }) => {
                    (sub, sup) = (s, t);
                }
                (Shape::Primitive(_), _) | (_, Shape::Primitive(_) | Shape::Array { .. }) => {
                    return false;
                }
                (_, Shape::Declared) if upper.is_interface() => {
                    return lower.all_interfaces.binary_search(&sup).is_ok();
                }
                (_, Shape::Declared) => {
                    return lower.lineage.get(upper.lineage.len() - 1) == Some(&sup);
                }
            }
        }
    }

    /// The class of arrays of a primitive type.
    ///
    /// # Errors
    /// None in practice; the signature is that of [`Program::array_of`].
    pub fn primitive_array(&self, primitive: Primitive) -> Result<ClassId, LinkFailure> {
        self.array_of(self.primitive(Some(primitive)))
    }
}
