//! Sets of classes: what the type of a symbolic object can still be.
//!
//! A domain is a set of classes that instances can be of, taken from the classes in view. Sets are
//! shared and numbered, and every cut of a set by a type is made once, so a type test costs a
//! look-up. Because a symbolic object's type is constrained by nothing but tests of its own (an
//! alias is the same object), these sets decide type constraints exactly over the classes in view.

mod above;
mod closed;

pub use closed::Reliance;

use crate::policy::typing::is_void;
use crate::universe::{StandIn, Surroundings, Universe};
use above::Above;
use closed::Closed;
use dalang_classes::{ClassId, Program, Shape};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The number of a set of classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DomainId(u32);

impl DomainId {
    /// The set without classes.
    pub const EMPTY: Self = Self(0);
}

/// All sets that a worker has met, over the classes in view.
pub struct Domains {
    universe: Box<dyn Universe>,
    sets: Vec<Rc<[ClassId]>>,
    uppers: Vec<Option<ClassId>>,
    numbers: FxHashMap<Rc<[ClassId]>, DomainId>,
    below: FxHashMap<ClassId, Below>,
    cuts: FxHashMap<(DomainId, ClassId, bool), DomainId>,
    meets: FxHashMap<(DomainId, DomainId), DomainId>,
    aboves: FxHashMap<DomainId, Rc<Above>>,
    parts: FxHashMap<DomainId, Box<[DomainId]>>,
    /// Assumptions that sets which were handed out rest on, for people.
    used: BTreeSet<Rc<str>>,
    closed: Closed,
}

/// What can be below a type, and what was assumed to say so.
struct Below {
    set: DomainId,
    assumed: Rc<[Rc<str>]>,
}

impl Domains {
    /// No sets yet, over these classes.
    pub fn new(universe: Box<dyn Universe>) -> Self {
        let mut domains = Self {
            universe,
            sets: Vec::new(),
            uppers: Vec::new(),
            numbers: FxHashMap::default(),
            below: FxHashMap::default(),
            cuts: FxHashMap::default(),
            meets: FxHashMap::default(),
            aboves: FxHashMap::default(),
            parts: FxHashMap::default(),
            used: BTreeSet::new(),
            closed: Closed::default(),
        };
        let empty = domains.number(Rc::new([]));
        debug_assert_eq!(empty, DomainId::EMPTY, "the empty set is the first");
        domains
    }

    /// The classes in view, and what their code changes.
    pub fn universe(&self) -> &dyn Universe {
        &*self.universe
    }

    /// What was assumed about types without implementations in view, since this was last asked:
    /// `java.util.List: java.util.ArrayList, java.util.LinkedList`, in order.
    pub fn take_assumptions(&mut self) -> Vec<String> {
        std::mem::take(&mut self.used).iter().map(ToString::to_string).collect()
    }

    /// The classes of a set.
    pub fn classes(&self, id: DomainId) -> &Rc<[ClassId]> {
        &self.sets[id.0 as usize]
    }

    /// The only class of a set, if it has just one.
    #[inline]
    pub fn only(&self, id: DomainId) -> Option<ClassId> {
        match *self.sets[id.0 as usize] {
            [class] => Some(class),
            _ => None,
        }
    }

    /// Every class that an instance of a type can be of.
    pub fn below(&mut self, program: &Program, class: ClassId) -> DomainId {
        if let Some(known) = self.below.get(&class) {
            self.used.extend(known.assumed.iter().cloned());
            return known.set;
        }
        let (found, assumed) = self.find_below(program, class);
        let set = self.number(found.into());
        let assumed: Rc<[Rc<str>]> =
            assumed.iter().map(|stand_in| stand_in.spelling(program).into()).collect();
        self.used.extend(assumed.iter().cloned());
        self.below.insert(class, Below { set, assumed });
        set
    }

    /// Whether there are no instances of a class: only null is of its type.
    pub fn is_void(&self, program: &Program, class: ClassId) -> bool {
        is_void(program, class) || self.universe.is_uninhabited(class)
    }

    fn find_below(&self, program: &Program, class: ClassId) -> (Vec<ClassId>, Vec<StandIn>) {
        let declared = program.class(class);
        let itself = declared.is_array()
            || (declared.is_instantiable()
                && !self.is_void(program, class)
                && self.universe.admits(program, class));
        let mut found: Vec<ClassId> = itself.then_some(class).into_iter().collect();
        if is_lowest(program, class) {
            return (found, Vec::new());
        }
        // The declared class is the plainest choice, so it comes first.
        let below = |&candidate: &ClassId| {
            candidate != class
                && program.is_subtype(candidate, class)
                && !self.is_void(program, candidate)
        };
        let around = self.universe.around(program, class);
        let mut rest: Vec<ClassId> = around.classes.iter().copied().filter(below).collect();
        if let Shape::Array { component, .. } = declared.shape {
            let arrays = self.arrays_of(program, component, &around);
            rest.extend(arrays.iter().copied().filter(below));
            rest.sort_unstable_by_key(|&array| program.names().text(program.class(array).name));
            rest.dedup();
        }
        found.extend(rest);
        if found.is_empty() {
            let stand_in = self.universe.stand_in(program, class);
            found.extend(stand_in.iter().flat_map(|stand_in| stand_in.classes.iter().copied()));
            return (found, stand_in.into_iter().collect());
        }
        let is_used = |stand_in: &&StandIn| stand_in.classes.iter().any(|c| found.contains(c));
        let assumed = around.included.iter().filter(is_used).cloned().collect();
        (found, assumed)
    }

    /// The arrays of what can be below a type of elements, as far as it is declared.
    fn arrays_of(
        &self,
        program: &Program,
        component: ClassId,
        around: &Surroundings,
    ) -> Vec<ClassId> {
        let elements = if program.class(component).is_array() {
            self.find_below(program, component).0
        } else {
            let elements = around.elements.iter().copied();
            elements.filter(|&element| program.is_subtype(element, component)).collect()
        };
        elements.iter().filter_map(|&element| program.array_of(element).ok()).collect()
    }

    /// The set of a single class.
    pub fn single(&mut self, class: ClassId) -> DomainId {
        self.number(Rc::new([class]))
    }

    /// A set of classes.
    pub fn of(&mut self, classes: &[ClassId]) -> DomainId {
        self.number(classes.into())
    }

    /// The classes of a set that are below a type, or those that are not.
    pub fn cut(
        &mut self,
        program: &Program,
        id: DomainId,
        class: ClassId,
        inside: bool,
    ) -> DomainId {
        if let Some(&known) = self.cuts.get(&(id, class, inside)) {
            return known;
        }
        let kept = self.classes(id).iter().copied();
        let kept: Rc<[ClassId]> =
            kept.filter(|&candidate| program.is_subtype(candidate, class) == inside).collect();
        let result = self.number(kept);
        self.cuts.insert((id, class, inside), result);
        result
    }

    /// The classes that are in both sets.
    pub fn meet(&mut self, a: DomainId, b: DomainId) -> DomainId {
        if a == b {
            return a;
        }
        if let Some(&known) = self.meets.get(&(a, b)) {
            return known;
        }
        let other: FxHashSet<ClassId> = self.classes(b).iter().copied().collect();
        let kept = self.classes(a).iter().copied();
        let kept: Rc<[ClassId]> = kept.filter(|class| other.contains(class)).collect();
        let result = self.number(kept);
        self.meets.insert((a, b), result);
        result
    }

    /// The lowest class that all classes of a set are below; an object of the set has at least the
    /// fields of that class.
    pub fn upper(&mut self, program: &Program, id: DomainId) -> ClassId {
        if let Some(known) = self.uppers[id.0 as usize] {
            return known;
        }
        let upper = self.find_upper(program, id);
        self.uppers[id.0 as usize] = Some(upper);
        upper
    }

    fn find_upper(&self, program: &Program, id: DomainId) -> ClassId {
        let mut classes = self.classes(id).iter().copied();
        let Some(first) = classes.next() else { return program.object() };
        // Of arrays, the one that all others are below; often of classes, too.
        let tops = self.classes(id).iter().copied();
        let is_top = |&top: &ClassId| self.classes(id).iter().all(|&c| program.is_subtype(c, top));
        if let Some(top) = tops.clone().find(is_top) {
            return top;
        }
        let lineage = |class: ClassId| {
            let class = program.class(class);
            if class.is_array() { vec![program.object()] } else { class.lineage().to_vec() }
        };
        let mut common = lineage(first);
        for class in classes {
            let other = lineage(class);
            let shared = common.iter().zip(&other).take_while(|(a, b)| a == b).count();
            common.truncate(shared);
        }
        common.last().copied().unwrap_or_else(|| program.object())
    }

    fn number(&mut self, set: Rc<[ClassId]>) -> DomainId {
        if let Some(&known) = self.numbers.get(&set) {
            return known;
        }
        let id = DomainId(self.sets.len() as u32);
        self.sets.push(Rc::clone(&set));
        self.uppers.push(None);
        self.numbers.insert(set, id);
        id
    }
}

/// Whether nothing can be below a type but itself.
fn is_lowest(program: &Program, class: ClassId) -> bool {
    match program.class(class).shape {
        Shape::Declared => program.class(class).flags.is_final(),
        // An array class is final, and yet `String[]` is below `Object[]`.
        Shape::Array { element, .. } => is_lowest(program, element),
        Shape::Primitive(_) => true,
    }
}
