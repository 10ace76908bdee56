//! Which type may stand for which (JVMS 4.10.1.2), and what two types have in common.
//!
//! Interfaces are treated like `java.lang.Object`: calls through them are checked when they happen.
//! Classes are loaded only where names do not decide, as every virtual machine does it, because
//! whether a class is there can be noticed.

use super::frame::{Type, component};
use super::{Judge, Trouble};
use crate::ids::ClassId;
use crate::names::Name;

impl Judge<'_> {
    /// Whether a value of one type may be where another is expected.
    pub(super) fn fits(&self, from: Type, to: Type) -> Result<bool, Trouble> {
        if from == to || to == Type::Top {
            return Ok(true);
        }
        match (from, to) {
            (Type::Null, Type::Class(_)) => Ok(true),
            (Type::Class(from), Type::Class(to)) => {
                if self.is_inferring {
                    Ok(self.merged(from, to, true)? == to)
                } else {
                    self.class_fits(from, to)
                }
            }
            _ => Ok(false),
        }
    }

    fn class_fits(&self, mut from: Name, mut to: Name) -> Result<bool, Trouble> {
        loop {
            if from == to || to == self.known.object {
                return Ok(true);
            }
            match (component(from, self.names()), component(to, self.names())) {
                (Some(inner), Some(outer)) => match (Type::of(inner), Type::of(outer)) {
                    (Type::Class(inner), Type::Class(outer)) => (from, to) = (inner, outer),
                    // Arrays of `int` and of `char` are not alike, although their elements are.
                    _ => return Ok(inner == outer),
                },
                (None, Some(_)) => return Ok(false),
                (Some(_), None) => return Ok(self.takes_arrays(to)),
                (None, None) => {
                    let upper = self.load(to)?;
                    if self.program.class(upper).is_interface() {
                        return Ok(true);
                    }
                    let lower = self.load(from)?;
                    return Ok(self.program.class(lower).lineage().contains(&upper));
                }
            }
        }
    }

    /// The interfaces that arrays implement.
    fn takes_arrays(&self, class: Name) -> bool {
        class == self.known.cloneable || class == self.known.serializable
    }

    /// The class with this name. The class that is verified is itself, whatever else has its name.
    pub(super) fn load(&self, name: Name) -> Result<ClassId, Trouble> {
        if name == self.class.name {
            return Ok(self.class.id);
        }
        self.program.load_name(name).map_err(Trouble::Missing)
    }

    /// What two classes have in common, as the verifier for old class files sees it: the nearest
    /// common superclass, with interfaces as `java.lang.Object`. For an assignment of one to the
    /// other, an interface is what it is, and the answer is the other one if it may be assigned.
    pub(super) fn merged(&self, value: Name, target: Name, assigns: bool) -> Result<Name, Trouble> {
        let object = self.known.object;
        if value == target || target == object {
            return Ok(target);
        }
        let (value_text, target_text) = (self.names().text(value), self.names().text(target));
        let is_array = |text: &str| text.starts_with('[');
        if value == object {
            let taken = assigns && !is_array(target_text) && self.is_interface(target)?;
            return Ok(if taken { target } else { object });
        }
        if is_array(value_text) || is_array(target_text) {
            return self.merged_arrays(value, target, assigns);
        }
        let upper = self.load(target)?;
        if self.program.class(upper).is_interface() {
            return Ok(if assigns { target } else { object });
        }
        let lower = self.load(value)?;
        if self.program.class(lower).is_interface() {
            return Ok(object);
        }
        let (one, other) = (self.program.class(lower), self.program.class(upper));
        let shared = one.lineage().iter().zip(other.lineage()).take_while(|(a, b)| a == b).last();
        Ok(shared.map_or(object, |(&id, _)| self.program.class(id).name))
    }

    /// The same if at least one is an array, neither is `java.lang.Object`, and they differ.
    fn merged_arrays(&self, value: Name, target: Name, assigns: bool) -> Result<Name, Trouble> {
        for class in [target, value] {
            if self.takes_arrays(class) {
                return Ok(class);
            }
        }
        let (value_base, value_depth) = self.taken_apart(value);
        let (target_base, target_depth) = self.taken_apart(target);
        if value_depth == target_depth {
            let base = self.merged(value_base, target_base, assigns)?;
            return Ok(self.put_together(base, value_depth));
        }
        let (shallow_base, shallow_depth) = if value_depth < target_depth {
            (value_base, value_depth)
        } else {
            (target_base, target_depth)
        };
        let base = if self.takes_arrays(shallow_base) { shallow_base } else { self.known.object };
        Ok(self.put_together(base, shallow_depth))
    }

    /// The innermost class and how many dimensions are around it. An array of a primitive type is an
    /// object.
    fn taken_apart(&self, class: Name) -> (Name, usize) {
        let text = self.names().text(class);
        let inner = text.trim_start_matches('[');
        let depth = text.len() - inner.len();
        match inner.strip_prefix('L').filter(|_| depth > 0) {
            Some(name) => (self.names().intern(name.trim_end_matches(';')), depth),
            None if depth > 0 => (self.known.object, depth - 1),
            None => (class, 0),
        }
    }

    fn put_together(&self, base: Name, depth: usize) -> Name {
        if depth == 0 {
            return base;
        }
        self.names().intern(&format!("{}L{};", "[".repeat(depth), self.names().text(base)))
    }

    fn is_interface(&self, class: Name) -> Result<bool, Trouble> {
        Ok(self.program.class(self.load(class)?).is_interface())
    }

    /// Whether a member that a reference names is protected, and declared by a class above this one
    /// in another package (JVMS 4.10.1.8).
    pub(super) fn is_protected_elsewhere(&self, named: Name, member: Member) -> bool {
        let above = &self.class.lineage()[..self.class.lineage().len().saturating_sub(1)];
        let Some(&owner) = above.iter().find(|&&id| self.program.class(id).name == named) else {
            return false;
        };
        let found = match member {
            Member::Field(name, descriptor) => {
                let field = self.program.find_field(owner, name, descriptor);
                field.map(|id| self.program.field(id)).map(|field| (field.class, field.flags))
            }
            Member::Method(name, descriptor) => {
                let method = self.program.find_method(owner, name, descriptor);
                method.map(|id| self.program.method(id)).map(|method| (method.class, method.flags))
            }
        };
        found.is_some_and(|(class, flags)| {
            flags.is_protected() && self.program.class(class).package != self.class.package
        })
    }
}

/// A member by name and descriptor.
#[derive(Clone, Copy)]
pub(super) enum Member {
    Field(Name, Name),
    Method(Name, Name),
}
