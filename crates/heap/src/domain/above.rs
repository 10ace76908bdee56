//! What is above the classes of a set, found by going up from each of them: sets can have thousands
//! of classes, and comparing each with each would take seconds.

use super::{DomainId, Domains};
use dalang_classes::{ClassId, Program, Shape};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The types that some class of a set is below.
pub(super) struct Above {
    /// All of them but arrays above arrays.
    types: FxHashSet<ClassId>,
    /// The arrays of the set.
    arrays: Vec<ClassId>,
}

impl Domains {
    /// Whether some class of a set is below a type.
    pub fn touches(&mut self, program: &Program, id: DomainId, class: ClassId) -> bool {
        let above = self.above(program, id);
        above.types.contains(&class)
            || (program.class(class).is_array()
                && above.arrays.iter().any(|&array| program.is_subtype(array, class)))
    }

    fn above(&mut self, program: &Program, id: DomainId) -> Rc<Above> {
        if let Some(known) = self.aboves.get(&id) {
            return Rc::clone(known);
        }
        let mut found = Above { types: FxHashSet::default(), arrays: Vec::new() };
        for &class in self.classes(id).iter() {
            found.types.extend(ancestors(program, class));
            if program.class(class).is_array() {
                found.arrays.push(class);
            }
        }
        let found = Rc::new(found);
        self.aboves.insert(id, Rc::clone(&found));
        found
    }

    /// A set of arrays, divided so that each part has a class that all its classes are below; any
    /// other set as it is.
    pub fn parts(&mut self, program: &Program, id: DomainId) -> Vec<DomainId> {
        if let Some(known) = self.parts.get(&id) {
            return known.to_vec();
        }
        let classes = Rc::clone(self.classes(id));
        let is_array = |&class: &ClassId| program.class(class).is_array();
        let parts = if classes.len() > 1 && classes.iter().all(is_array) {
            divide(program, &classes).iter().map(|part| self.of(part)).collect()
        } else {
            vec![id]
        };
        self.parts.insert(id, parts.as_slice().into());
        parts
    }
}

/// The superclasses and superinterfaces of a class, and itself.
fn ancestors(program: &Program, class: ClassId) -> impl Iterator<Item = ClassId> {
    let class = program.class(class);
    class.lineage().iter().chain(class.all_interfaces()).copied()
}

/// Arrays by the first of those that none is above, which leads its part: it is the one that a
/// witness gives the array, because it allows all elements.
fn divide(program: &Program, arrays: &[ClassId]) -> Vec<Vec<ClassId>> {
    let component = |array: ClassId| match program.class(array).shape {
        Shape::Array { component, .. } => component,
        _ => array,
    };
    let places: FxHashMap<ClassId, usize> =
        arrays.iter().enumerate().map(|(place, &array)| (component(array), place)).collect();
    let nested: Vec<usize> = (0..arrays.len())
        .filter(|&place| program.class(component(arrays[place])).is_array())
        .collect();
    // The places of the arrays above one. Of nested arrays, they are not found by going up.
    let above = |place: usize| {
        let inner = component(arrays[place]);
        let found = ancestors(program, inner).filter_map(|above| places.get(&above).copied());
        let mut found: Vec<usize> = found.filter(|&other| other != place).collect();
        if program.class(inner).is_array() {
            let is_above = |&other: &usize| program.is_subtype(arrays[place], arrays[other]);
            found.extend(nested.iter().copied().filter(|&o| o != place).filter(is_above));
        }
        found
    };
    let above: Vec<Vec<usize>> = (0..arrays.len()).map(above).collect();
    let mut parts: Vec<Vec<ClassId>> = Vec::new();
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
    for place in 0..arrays.len() {
        if above[place].is_empty() {
            numbers.insert(place, parts.len());
            parts.push(vec![arrays[place]]);
        }
    }
    for place in 0..arrays.len() {
        let first = above[place].iter().filter_map(|other| numbers.get(other)).min();
        if let Some(&first) = first {
            parts[first].push(arrays[place]);
        }
    }
    parts
}
