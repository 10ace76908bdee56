//! Which types a class mentions: in class constants, and in the descriptors of its members, of the
//! members that it refers to, and of its method types and call sites.

use crate::descriptor::{MethodType, ValueType};
use crate::file::{self, Slot};
use crate::ids::ClassId;
use crate::link::Program;
use crate::names::Name;
use rustc_hash::FxHashSet;

impl Program {
    /// The types that a class mentions, itself among them: classes and arrays as class references
    /// name them, each once, by name. None of them is loaded for this.
    pub fn mentioned(&self, class: ClassId) -> Vec<Name> {
        let own = self.class(class);
        let mut found = FxHashSet::default();
        found.insert(own.name);
        found.extend(own.pool.classes().iter().map(|class| class.name));
        for field in own.fields() {
            value(self.field(field).value, &mut found);
        }
        for field in own.pool.fields() {
            value(field.value, &mut found);
        }
        for id in own.methods() {
            signature(&self.method(id).signature, &mut found);
        }
        for method in own.pool.methods() {
            signature(&method.signature, &mut found);
        }
        for dynamic in own.pool.dynamics() {
            dynamic.signature.iter().for_each(|of| signature(of, &mut found));
            dynamic.value.iter().for_each(|&of| value(of, &mut found));
        }
        for slot in own.pool.slots() {
            if let Slot::MethodType(descriptor) = *slot
                && let Some(of) = self.method_type(descriptor)
            {
                signature(&of, &mut found);
            }
        }
        let mut found: Vec<Name> = found.into_iter().collect();
        found.sort_unstable_by_key(|&name| self.names().text(name));
        found
    }

    /// The names of the superclass and the interfaces of a class of the class path, from its file
    /// and without loading it; none if there is no such file or it cannot be read.
    pub fn parents_in_file(&self, class: &str) -> Option<Vec<String>> {
        file::parents(&self.class_path().find(class).ok()??.bytes)
    }
}

fn signature(of: &MethodType, found: &mut FxHashSet<Name>) {
    of.parameters.iter().for_each(|&parameter| value(parameter, found));
    of.result.iter().for_each(|&result| value(result, found));
}

fn value(of: ValueType, found: &mut FxHashSet<Name>) {
    if let ValueType::Reference(name) = of {
        found.insert(name);
    }
}
