//! Finding fields and methods by name and descriptor (JVMS 5.4.3.2 to 5.4.3.4), without checks.

use super::program::Program;
use crate::ids::{ClassId, FieldId, MethodId};
use crate::names::Name;

impl Program {
    /// The field that a reference to `class` means: its own, of an interface above, of a superclass.
    pub fn find_field(&self, class: ClassId, name: Name, descriptor: Name) -> Option<FieldId> {
        let lineage = self.class(class).lineage();
        for &ancestor in lineage.iter().rev() {
            let ancestor = self.class(ancestor);
            if let Some(found) = ancestor.declared_field(name, descriptor) {
                return Some(found);
            }
            // The interfaces that a class names itself come before its superclass, and those that
            // the superclass names after.
            for &interface in &ancestor.interfaces {
                let above = self.class(interface).all_interfaces().iter();
                let found = above.filter_map(|&id| self.class(id).declared_field(name, descriptor));
                if let Some(found) = self.nearest_field(found) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// Of fields of several interfaces, one whose interface is not above another's.
    fn nearest_field(&self, found: impl Iterator<Item = FieldId>) -> Option<FieldId> {
        found.reduce(|best, next| {
            let (best_class, next_class) = (self.field(best).class, self.field(next).class);
            if self.is_subtype(next_class, best_class) { next } else { best }
        })
    }

    /// The method that a reference to a class means (JVMS 5.4.3.3).
    pub fn find_method(&self, class: ClassId, name: Name, descriptor: Name) -> Option<MethodId> {
        let lineage = self.class(class).lineage();
        for &ancestor in lineage.iter().rev() {
            let ancestor = self.class(ancestor);
            let found = self.polymorphic(ancestor.id, name);
            if let Some(found) = found.or_else(|| ancestor.declared_method(name, descriptor)) {
                return Some(found);
            }
        }
        self.in_interfaces(class, name, descriptor)
    }

    /// The method that a reference to an interface means (JVMS 5.4.3.4).
    pub fn find_interface_method(
        &self,
        class: ClassId,
        name: Name,
        descriptor: Name,
    ) -> Option<MethodId> {
        let own = self.class(class).declared_method(name, descriptor);
        let of_object = || {
            let found = self.class(self.object()).declared_method(name, descriptor)?;
            let flags = self.method(found).flags;
            (flags.is_public() && !flags.is_static()).then_some(found)
        };
        own.or_else(of_object).or_else(|| self.in_interfaces(class, name, descriptor))
    }

    fn in_interfaces(&self, class: ClassId, name: Name, descriptor: Name) -> Option<MethodId> {
        let specific = self.maximally_specific(class, name, descriptor);
        let mut bodies = specific.iter().filter(|&&id| !self.method(id).flags.is_abstract());
        match (bodies.next(), bodies.next()) {
            (Some(&only), None) => Some(only),
            // Any will do; ids depend on the order of loading, names do not.
            _ => specific
                .into_iter()
                .min_by_key(|&id| self.names().text(self.class(self.method(id).class).name)),
        }
    }

    /// The maximally-specific superinterface methods (JVMS 5.4.3.3): neither private nor static, and
    /// not declared above another of them.
    pub(super) fn maximally_specific(
        &self,
        class: ClassId,
        name: Name,
        descriptor: Name,
    ) -> Vec<MethodId> {
        let interfaces = self.class(class).all_interfaces().iter().filter(|&&id| id != class);
        let declared =
            interfaces.filter_map(|&id| self.class(id).declared_method(name, descriptor));
        let inherited = declared.filter(|&id| {
            let flags = self.method(id).flags;
            !flags.is_private() && !flags.is_static()
        });
        let all: Vec<MethodId> = inherited.collect();
        let owner = |id: MethodId| self.method(id).class;
        let is_specific = |&id: &MethodId| {
            all.iter().all(|&other| other == id || !self.is_subtype(owner(other), owner(id)))
        };
        all.iter().copied().filter(is_specific).collect()
    }

    /// JVMS 2.9.3: a signature polymorphic method is found by its name alone.
    fn polymorphic(&self, class: ClassId, name: Name) -> Option<MethodId> {
        let class = self.class(class);
        let own = self.names().text(class.name);
        if own != "java/lang/invoke/MethodHandle" && own != "java/lang/invoke/VarHandle" {
            return None;
        }
        let mut named = class.methods().map(|id| self.method(id)).filter(|m| m.name == name);
        let first = named.next()?;
        (first.is_signature_polymorphic && named.next().is_none()).then_some(first.id)
    }
}
