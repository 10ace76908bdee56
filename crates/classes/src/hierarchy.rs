//! Questions about the classes that are loaded: what is below a type, what a call could run.
//!
//! The answers cover the classes in view and no others; loading more can make them longer. They
//! come in the order of class names, so that they do not depend on the order of loading.

use crate::ids::{ClassId, MethodId};
use crate::link::Program;
use rustc_hash::FxHashMap;

/// A body that a call could run, and for which classes of receivers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implementation {
    /// The method that is run.
    pub method: MethodId,
    /// The classes whose instances run it, by name.
    pub receivers: Vec<ClassId>,
}

impl Program {
    /// The loaded classes below a type, itself included: classes, interfaces and arrays, by name.
    pub fn subtypes(&self, of: ClassId) -> Vec<ClassId> {
        let below = self.classes().filter(|class| self.is_subtype(class.id, of));
        let mut found: Vec<ClassId> = below.map(|class| class.id).collect();
        found.sort_unstable_by_key(|&class| self.names().text(self.class(class).name));
        found
    }

    /// Those of them that `new` can make instances of.
    pub fn instantiable_subtypes(&self, of: ClassId) -> Vec<ClassId> {
        let mut found = self.subtypes(of);
        found.retain(|&class| self.class(class).is_instantiable());
        found
    }

    /// What a call could run that was resolved to `method` and whose receiver is of type `receiver`,
    /// each body once. Classes that have nothing to run are left out.
    pub fn implementations(&self, method: MethodId, receiver: ClassId) -> Vec<Implementation> {
        let mut found: Vec<Implementation> = Vec::new();
        let mut places: FxHashMap<MethodId, usize> = FxHashMap::default();
        for class in self.instantiable_subtypes(receiver) {
            let Ok(selected) = self.select(class, method) else { continue };
            let place = *places.entry(selected).or_insert_with(|| {
                found.push(Implementation { method: selected, receivers: Vec::new() });
                found.len() - 1
            });
            found[place].receivers.push(class);
        }
        found
    }
}
