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

    /// Whether elements of the array that a field of the target holds can change after a class was
    /// initialized.
    fn can_change_array(&self, _: &Program, _: FieldId, _after: ClassId) -> bool {
        false
    }

    /// What is assumed to implement a type that nothing in view does.
    fn stand_in(&self, program: &Program, class: ClassId) -> Option<StandIn>;
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
