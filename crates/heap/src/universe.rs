//! Which classes there are for inputs to be of: what sets of classes are taken from.

use dalang_classes::{ClassId, FieldId, Program};
use std::sync::Arc;

/// The classes in view. They are asked for when a type is met that something could be below, so
/// nothing is loaded for a method whose inputs are of primitive and final types only.
pub trait Universe {
    /// The classes in view, or a part of them that has all that are below a type.
    fn around(&self, program: &Program, class: ClassId) -> Surroundings;

    /// Whether an input that is declared as this class can be of it, be it in view or not. Objects
    /// that the virtual machine itself works with cannot be made up.
    fn admits(&self, program: &Program, class: ClassId) -> bool;

    /// Whether a class has no instances because its initializer always fails.
    fn is_uninhabited(&self, _: ClassId) -> bool {
        false
    }

    /// The static fields of a class that code in view, or any code, can change after the class was
    /// initialized; none if the class is not the target's.
    fn changing(&self, _: &Program, _: ClassId) -> Arc<[FieldId]> {
        Arc::new([])
    }

    /// Whether a class is the target's.
    fn is_own(&self, _: &Program, _: ClassId) -> bool {
        false
    }

    /// Whether an instance field of the target can change after a class was initialized, in an object
    /// that this class holds.
    fn can_change(&self, _: &Program, _: FieldId, _after: ClassId) -> bool {
        false
    }

    /// What can become of that which a field of the target holds, after a class was initialized.
    fn fate(&self, _: &Program, _: FieldId, _after: ClassId) -> Fate {
        Fate::default()
    }

    /// Whether a static field of a class of the target that does not change can hold an object of another
    /// class which somebody else can get hold of.
    fn keeps(&self, _: &Program, _holder: ClassId, _: ClassId) -> bool {
        false
    }

    /// Whether a class of the target keeps objects in static fields which do not change and which
    /// somebody else can get hold of.
    fn is_keeper(&self, _: &Program, _: ClassId) -> bool {
        false
    }

    /// What is assumed to implement a type that nothing in view does.
    fn stand_in(&self, program: &Program, class: ClassId) -> Option<StandIn>;
}

/// What can become of that which a field holds, once a class is initialized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub struct Fate {
    /// Whether elements of it can change, if it is an array, or whatever is in it, if it is an object of
    /// the library.
    pub changes: bool,
    /// Whether elements of the arrays in it can change, if it is an array of arrays.
    pub inner: bool,
    /// Whether somebody else can have it.
    pub escapes: bool,
    /// Whether somebody else can have what is in it, if it is an array.
    pub parts: bool,
    /// Whether its initializer has given it to somebody else, who may keep it.
    pub shared: bool,
}

impl Fate {
    /// What can become of the elements of an array.
    #[must_use]
    pub const fn of_elements(self) -> Self {
        let escapes = self.escapes || self.parts;
        Self {
            changes: self.inner,
            inner: self.inner,
            escapes,
            parts: escapes,
            shared: self.shared,
        }
    }

    /// What can become of an object of the library that holds more than itself: who has it can get at
    /// what is in it.
    #[must_use]
    pub const fn of_whole(self) -> Self {
        Self { inner: self.inner || self.escapes, parts: self.parts || self.escapes, ..self }
    }

    /// What can become of something that two ways lead to.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self {
            changes: self.changes || other.changes,
            inner: self.inner || other.inner,
            escapes: self.escapes || other.escapes,
            parts: self.parts || other.parts,
            shared: self.shared || other.shared,
        }
    }
}

/// Classes in view, in an order that does not depend on the order of loading.
#[derive(Clone)]
pub struct Surroundings {
    /// Classes that instances can be of: classes that `new` can make, and arrays.
    pub classes: Arc<[ClassId]>,
    /// Classes and interfaces, abstract ones too, that elements of arrays can be declared as.
    pub elements: Arc<[ClassId]>,
    /// Why some classes are in view: a type would have no implementation otherwise.
    pub included: Arc<[StandIn]>,
}

impl Default for Surroundings {
    fn default() -> Self {
        Self { classes: Arc::new([]), elements: Arc::new([]), included: Arc::new([]) }
    }
}

/// Classes that are taken as the implementations of a type that has none in view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandIn {
    /// The type.
    pub of: ClassId,
    /// What is assumed to implement it.
    pub classes: Vec<ClassId>,
}

impl StandIn {
    /// The assumption, for people: `java.util.List: java.util.ArrayList, java.util.LinkedList`.
    pub fn spelling(&self, program: &Program) -> String {
        let classes: Vec<String> =
            self.classes.iter().map(|&class| program.class_spelling(class)).collect();
        format!("{}: {}", program.class_spelling(self.of), classes.join(", "))
    }
}

/// No class but those that are declared: enough for runs without inputs.
pub struct Nothing;

impl Universe for Nothing {
    fn around(&self, _: &Program, _: ClassId) -> Surroundings {
        Surroundings::default()
    }

    fn admits(&self, _: &Program, _: ClassId) -> bool {
        true
    }

    fn stand_in(&self, _: &Program, _: ClassId) -> Option<StandIn> {
        None
    }
}
