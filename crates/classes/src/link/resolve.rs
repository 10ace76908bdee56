//! Resolution of symbolic references (JVMS 5.4.3), each once, with access checks.

use super::failure::{JavaError, LinkFailure};
use super::program::Program;
use crate::ids::{ClassId, ClassRefId, FieldId, FieldRefId, MethodId, MethodRefId};
use crate::names::Name;

/// The class file version of the library from which on messages are more talkative.
const JAVA_21: u16 = 65;

/// How an instruction calls a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the variants are the names of the instructions")]
pub enum InvokeKind {
    Virtual,
    Special,
    Static,
    Interface,
}

impl Program {
    /// The class that a reference of class `user` means.
    ///
    /// # Errors
    /// A class that cannot be loaded or that `user` may not see.
    pub fn resolve_class(&self, user: ClassId, id: ClassRefId) -> Result<ClassId, &LinkFailure> {
        let reference = self.class(user).pool.class(id);
        let resolved = reference
            .resolved
            .get_or_init(|| self.class_for(user, reference.name).map_err(Box::new));
        resolved.as_ref().copied().map_err(|failure| &**failure)
    }

    /// The class with this name, if code of `user` may name it.
    ///
    /// # Errors
    /// A class that cannot be loaded or that `user` may not see.
    pub fn class_for(&self, user: ClassId, name: Name) -> Result<ClassId, LinkFailure> {
        let class = self.load_name(name)?;
        if self.can_access_class(user, class) {
            return Ok(class);
        }
        let whereabouts = self.whereabouts(user, class);
        let (user, class) = (self.class_spelling(user), self.class_spelling(class));
        let message = format!("failed to access class {class} from class {user} {whereabouts}");
        Err(LinkFailure::new(JavaError::IllegalAccessError, message))
    }

    /// The field that a reference of class `user` means. What an instruction may do with it is for
    /// [`Program::check_field_use`].
    ///
    /// # Errors
    /// A class that cannot be had, or a field that is missing or that `user` may not see.
    pub fn resolve_field(&self, user: ClassId, id: FieldRefId) -> Result<FieldId, &LinkFailure> {
        let reference = self.class(user).pool.field(id);
        let resolved =
            reference.resolved.get_or_init(|| self.field_for(user, id).map_err(Box::new));
        resolved.as_ref().copied().map_err(|failure| &**failure)
    }

    fn field_for(&self, user: ClassId, id: FieldRefId) -> Result<FieldId, LinkFailure> {
        let reference = self.class(user).pool.field(id);
        let class = self.resolve_class(user, reference.class).map_err(Clone::clone)?;
        let Some(found) = self.find_field(class, reference.name, reference.descriptor) else {
            let name = self.names().text(reference.name);
            let (class, value) = (self.class_spelling(class), self.type_spelling(reference.value));
            let member = format!("the field {value} {class}.{name}");
            let message = if self.class(self.object()).major >= JAVA_21 {
                format!("Class {class} does not have member field '{value} {name}'")
            } else {
                name.to_owned()
            };
            return Err(LinkFailure::new(JavaError::NoSuchFieldError, message).of_member(&member));
        };
        let field = self.field(found);
        if !self.can_access_member(user, class, field.class, field.flags) {
            let whereabouts = self.whereabouts(user, field.class);
            let (user, spelling) = (self.class_spelling(user), self.field_spelling(found));
            let visibility = field.flags.visibility();
            let message =
                format!("class {user} tried to access {visibility}field {spelling} {whereabouts}");
            return Err(LinkFailure::new(JavaError::IllegalAccessError, message));
        }
        Ok(found)
    }

    /// The method that a reference of class `user` means. What an instruction may do with it is for
    /// [`Program::check_invoke`].
    ///
    /// # Errors
    /// A class that cannot be had, or a method that is missing or that `user` may not see.
    pub fn resolve_method(&self, user: ClassId, id: MethodRefId) -> Result<MethodId, &LinkFailure> {
        let reference = self.class(user).pool.method(id);
        let resolved =
            reference.resolved.get_or_init(|| self.method_for(user, id).map_err(Box::new));
        resolved.as_ref().copied().map_err(|failure| &**failure)
    }

    fn method_for(&self, user: ClassId, id: MethodRefId) -> Result<MethodId, LinkFailure> {
        let reference = self.class(user).pool.method(id);
        let class = self.resolve_class(user, reference.class).map_err(Clone::clone)?;
        let (name, descriptor) = (reference.name, reference.descriptor);
        if self.class(class).is_interface() != reference.in_interface {
            let spelling = self.class_spelling(class);
            let message = if reference.in_interface {
                format!("Found class {spelling}, but interface was expected")
            } else {
                format!("Found interface {spelling}, but class was expected")
            };
            return Err(LinkFailure::new(JavaError::IncompatibleClassChangeError, message));
        }
        let found = if reference.in_interface {
            self.find_interface_method(class, name, descriptor)
        } else {
            self.find_method(class, name, descriptor)
        };
        let Some(found) = found else {
            let spelling = self.signature_spelling(class, name, descriptor);
            let failure = LinkFailure::new(JavaError::NoSuchMethodError, format!("'{spelling}'"));
            return Err(failure.of_member(&format!("the method {spelling}")));
        };
        self.check_method_access(user, class, found)?;
        Ok(found)
    }

    fn check_method_access(
        &self,
        user: ClassId,
        named: ClassId,
        method: MethodId,
    ) -> Result<(), LinkFailure> {
        let found = self.method(method);
        // `clone` of an array is public, although the method it means is protected (JLS 10.7).
        let array_clone = self.class(named).is_array() && self.names().text(found.name) == "clone";
        if array_clone || self.can_access_member(user, named, found.class, found.flags) {
            return Ok(());
        }
        let spelling = self.signature_spelling(found.class, found.name, found.descriptor);
        let whereabouts = self.whereabouts(user, found.class);
        let (user, visibility) = (self.class_spelling(user), found.flags.visibility());
        let message =
            format!("class {user} tried to access {visibility}method '{spelling}' {whereabouts}");
        Err(LinkFailure::new(JavaError::IllegalAccessError, message))
    }

    /// Whether an instruction may call the method that its reference was resolved to: static or not
    /// as the instruction expects.
    ///
    /// # Errors
    /// The wrong sort of method.
    pub fn check_invoke(&self, method: MethodId, kind: InvokeKind) -> Result<(), LinkFailure> {
        let target = self.method(method);
        let is_static = target.flags.is_static();
        if is_static == (kind == InvokeKind::Static) {
            return Ok(());
        }
        let expected = match kind {
            InvokeKind::Static => "Expected static method",
            InvokeKind::Interface => "Expected instance not static method",
            InvokeKind::Virtual | InvokeKind::Special => "Expecting non-static method",
        };
        let spelling = self.signature_spelling(target.class, target.name, target.descriptor);
        let message = format!("{expected} '{spelling}'");
        Err(LinkFailure::new(JavaError::IncompatibleClassChangeError, message))
    }
}

/// References that have been resolved before, for whoever must not load a class.
impl Program {
    /// The class that a reference was resolved to.
    pub fn resolved_class(&self, user: ClassId, id: ClassRefId) -> Option<ClassId> {
        self.class(user).pool.class(id).resolved.get()?.as_ref().ok().copied()
    }

    /// The field that a reference was resolved to.
    pub fn resolved_field(&self, user: ClassId, id: FieldRefId) -> Option<FieldId> {
        self.class(user).pool.field(id).resolved.get()?.as_ref().ok().copied()
    }

    /// The method that a reference was resolved to.
    pub fn resolved_method(&self, user: ClassId, id: MethodRefId) -> Option<MethodId> {
        self.class(user).pool.method(id).resolved.get()?.as_ref().ok().copied()
    }
}
