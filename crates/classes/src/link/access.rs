//! Access control (JVMS 5.4.4) and nests (JVMS 5.4.4, "nest host").
//!
//! Modules are not enforced: a public class is seen from everywhere.

use super::failure::{JavaError, LinkFailure};
use super::program::Program;
use crate::flags::Flags;
use crate::ids::{ClassId, FieldId, MethodId};

/// What an instruction does with a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the variants are the names of the instructions")]
pub enum FieldUse {
    GetStatic,
    PutStatic,
    GetField,
    PutField,
}

impl FieldUse {
    const fn is_static(self) -> bool {
        matches!(self, Self::GetStatic | Self::PutStatic)
    }

    const fn is_put(self) -> bool {
        matches!(self, Self::PutStatic | Self::PutField)
    }
}

impl Program {
    /// Whether code of class `user` may name this class.
    pub fn can_access_class(&self, user: ClassId, class: ClassId) -> bool {
        let class = self.class(class);
        class.flags.is_public() || class.package == self.class(user).package || self.is_exempt(user)
    }

    /// The library writes classes at run time that do what reflection does, and every virtual
    /// machine lets them, until Java 21: they extend this one.
    pub(super) fn is_exempt(&self, user: ClassId) -> bool {
        let exempt = self.names().find("jdk/internal/reflect/MagicAccessorImpl");
        let above = |class: &ClassId| Some(self.class(*class).name) == exempt;
        exempt.is_some() && self.class(user).lineage().iter().any(above)
    }

    /// Whether code of class `user` may use a member with these flags that `owner` declares, through
    /// a reference that names class `named`.
    pub fn can_access_member(
        &self,
        user: ClassId,
        named: ClassId,
        owner: ClassId,
        flags: Flags,
    ) -> bool {
        if flags.is_public() || user == owner {
            return true;
        }
        if flags.is_private() {
            return self.nest_host(user) == self.nest_host(owner) || self.is_exempt(user);
        }
        if self.class(user).package == self.class(owner).package {
            return true;
        }
        let related = || self.is_subtype(named, user) || self.is_subtype(user, named);
        let inherits = flags.is_protected() && self.is_subtype(user, owner);
        inherits && (flags.is_static() || related()) || self.is_exempt(user)
    }

    /// The class whose nest a class belongs to. One that names a host which does not agree is a nest
    /// of its own.
    pub fn nest_host(&self, class: ClassId) -> ClassId {
        *self.class(class).nest.get_or_init(|| self.find_nest_host(class).unwrap_or(class))
    }

    fn find_nest_host(&self, class: ClassId) -> Option<ClassId> {
        let member = self.class(class);
        let host = self.load_name(member.attributes.nest_host?).ok()?;
        let agrees = self.class(host).package == member.package
            && self.class(host).nest_members().contains(&member.name);
        agrees.then_some(host)
    }

    /// Whether an instruction of `method` may use a field that its reference was resolved to: static
    /// or not as the instruction expects, and final fields set only where they are initialized.
    ///
    /// # Errors
    /// The wrong sort of field, or a final one.
    pub fn check_field_use(
        &self,
        method: MethodId,
        field: FieldId,
        usage: FieldUse,
    ) -> Result<(), LinkFailure> {
        let target = self.field(field);
        let spelling = || self.field_spelling(field);
        if target.flags.is_static() != usage.is_static() {
            let sort = if usage.is_static() { "static" } else { "non-static" };
            let message = format!("Expected {sort} field {}", spelling());
            return Err(LinkFailure::new(JavaError::IncompatibleClassChangeError, message));
        }
        if !usage.is_put() || !target.flags.is_final() {
            return Ok(());
        }
        let user = self.method(method);
        let sort = if usage.is_static() { "static" } else { "non-static" };
        let update =
            || format!("Update to {sort} final field {} attempted from a different", spelling());
        if user.class != target.class {
            let user = self.class_spelling(user.class);
            let message = format!("{} class ({user}) than the field's declaring class", update());
            return Err(LinkFailure::new(JavaError::IllegalAccessError, message));
        }
        let initializer = if usage.is_static() { "<clinit>" } else { "<init>" };
        let name = self.names().text(user.name);
        // Class files before Java 9 were not held to this.
        if self.class(user.class).major >= 53 && name != initializer {
            let message =
                format!("{} method ({name}) than the initializer method {initializer} ", update());
            return Err(LinkFailure::new(JavaError::IllegalAccessError, message));
        }
        Ok(())
    }
}
