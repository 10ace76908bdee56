//! The k- and n-bounds: which heaps are within them, the same ones under every policy.
//!
//! # Source
//! [Kiasan] section 3.4: at most so many objects of each *instantiable* type, and chains of references
//! no longer than k.
//!
//! # Guarantee
//! A path is followed if some heap of it is within the bounds: if classes can be chosen for its input
//! objects, each among those that the object can be of, such that no class has too many.
//!
//! # Not covered
//! That the elements of an array inside an array become of a smaller type is not looked at.
//!
//! # Invariant
//! Objects of value classes, which nothing but a comparison tells apart, are not counted.
//!
//! # Deviations
//! D6 of [`lazy`](super::lazy), D7 of [`pose`](super::pose).

use crate::array::Held;
use crate::domain::DomainId;
use crate::input::{InputId, Step};
use crate::knowledge::{Knowledge, Resolution, Symbolic};
use crate::policy::guarded::Guarded;
use crate::policy::{Bound, Effect, Policy, Unknowns};
use crate::reference::Reference;
use crate::store::Heap;
use dalang_classes::{ClassId, Program};
use dalang_term::{Pool, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Bounds on the heap that inputs lead to.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// The longest initialization chain from an input.
    pub k: Option<u32>,
    /// The most input objects of a class, for those that are not in `n_of`.
    pub n: Option<u32>,
    /// The most input objects of these classes.
    pub n_of: Rc<[(ClassId, u32)]>,
    /// The longest input array.
    pub array: Option<u32>,
    /// The longest input string.
    pub string: Option<u32>,
    /// The longest standard input, in bytes.
    pub stdin: Option<u32>,
    /// The longest array that the program makes and of which all elements are needed, where the lengths
    /// of inputs do not limit it. It is no bound on inputs.
    pub made: Option<u32>,
}

impl Bounds {
    /// Whether objects are counted by class.
    pub fn counts_objects(&self) -> bool {
        self.n.is_some() || !self.n_of.is_empty()
    }

    /// Whether there is a bound on input objects.
    pub fn limits_objects(&self) -> bool {
        self.k.is_some() || self.counts_objects()
    }

    /// How many input objects there can be, whatever their classes.
    fn least(&self) -> usize {
        let all = self.n_of.iter().map(|entry| entry.1).chain(self.n);
        all.min().map_or(usize::MAX, |least| least as usize)
    }

    /// Whether objects of these classes are not too many of any.
    fn fit(&self, mut classes: Vec<ClassId>) -> bool {
        classes.sort_unstable();
        let mut kinds = classes.chunk_by(|a, b| a == b);
        kinds.all(|kind| self.most(kind[0]).is_none_or(|most| kind.len() <= most as usize))
    }

    /// How many input objects of a class there can be.
    fn most(&self, class: ClassId) -> Option<u32> {
        let own = self.n_of.iter().find(|entry| entry.0 == class);
        own.map(|entry| entry.1).or(self.n)
    }
}

impl Unknowns {
    /// Whether there is room for an object for each of these sets of classes: each can be of one of
    /// its classes, so that no class has more objects than the bound allows.
    pub fn has_room(&self, sets: &[DomainId]) -> bool {
        if sets.len() <= self.bounds.least() {
            return true;
        }
        let is_limited =
            |class: &ClassId| !self.values.contains(class) && self.bounds.most(*class).is_some();
        let classes = sets.iter().map(|&set| Rc::clone(self.domains.classes(set)));
        let choices: Vec<Rc<[ClassId]>> = classes
            .filter(|classes| !classes.is_empty() && classes.iter().all(is_limited))
            .collect();
        if choices.iter().all(|classes| classes.len() == 1) {
            return self.bounds.fit(choices.iter().map(|classes| classes[0]).collect());
        }
        let mut seating = Seating { bounds: &self.bounds, choices, seats: FxHashMap::default() };
        (0..seating.choices.len()).all(|object| seating.seat(object, &mut FxHashSet::default()))
    }

    /// Whether the bound on objects forbids one more, of a class of this set.
    pub fn is_full(&self, knowledge: &Knowledge, domain: DomainId) -> bool {
        if knowledge.objects().len() < self.bounds.least() {
            return false;
        }
        let mut sets: Vec<DomainId> =
            knowledge.objects().iter().map(|object| object.domain).collect();
        sets.push(domain);
        !self.has_room(&sets)
    }

    /// Whether an effect makes objects of smaller types, and there is then no choice of classes left
    /// that is within the bound on objects. (A fresh object is looked at when it is proposed.)
    pub fn is_beyond(
        &mut self,
        program: &Program,
        heap: &Heap,
        knowledge: &Knowledge,
        effect: Effect,
    ) -> bool {
        if !self.bounds.counts_objects() {
            return false;
        }
        let narrowed: Vec<(Reference, DomainId)> = match effect {
            Effect::Alias(input, object) => {
                let (Resolution::Maybe(domain) | Resolution::Location(domain)) =
                    self.resolution(program, knowledge, input)
                else {
                    return false;
                };
                let own = self.possible(program, heap, knowledge, object);
                vec![(object, self.domains.meet(own, domain))]
            }
            Effect::Narrow(object, domain) => vec![(object, domain)],
            Effect::Unfit(array, classes, Held::Object(object), domain) => {
                vec![(array, classes), (object, domain)]
            }
            Effect::Unfit(array, classes, Held::Input(_), _) => vec![(array, classes)],
            _ => return false,
        };
        let set = |object: &Symbolic| {
            let found = narrowed.iter().find(|entry| entry.0 == object.reference);
            found.map_or(object.domain, |entry| entry.1)
        };
        let sets: Vec<DomainId> = knowledge.objects().iter().map(set).collect();
        !self.has_room(&sets)
    }
}

/// A choice of classes for objects, each with as many seats as the bound allows.
struct Seating<'a> {
    bounds: &'a Bounds,
    /// The classes that each object can be of.
    choices: Vec<Rc<[ClassId]>>,
    /// Which objects are of a class.
    seats: FxHashMap<ClassId, Vec<usize>>,
}

impl Seating<'_> {
    /// Finds a class for one more object, if need be by moving others: an augmenting path.
    fn seat(&mut self, object: usize, tried: &mut FxHashSet<ClassId>) -> bool {
        for &class in Rc::clone(&self.choices[object]).iter() {
            if !tried.insert(class) {
                continue;
            }
            let most = self.bounds.most(class).unwrap_or(u32::MAX) as usize;
            let seated = self.seats.entry(class).or_default();
            if seated.len() < most {
                seated.push(object);
                return true;
            }
            for place in 0..seated.len() {
                let other = self.seats[&class][place];
                if self.seat(other, tried) {
                    if let Some(seated) = self.seats.get_mut(&class) {
                        seated[place] = object;
                    }
                    return true;
                }
            }
        }
        false
    }
}

impl Guarded<'_> {
    /// When an input that is used is not the same as one that was used before it.
    fn is_fresh(&mut self, input: InputId, before: &[Symbolic]) -> TermId {
        let mut fresh = Pool::TRUE;
        // A location of a summary is used only where it is no alias.
        if self.unknowns.policy == Policy::Summary {
            return fresh;
        }
        for object in before {
            let same = self.same_inputs(input, object.input);
            let taken = self.pool.and(same, object.used);
            let free = self.pool.not(taken);
            fresh = self.pool.and(fresh, free);
        }
        fresh
    }

    /// Bounds that must hold if inputs are used, each under its condition; what does not matter is
    /// left out. An object counts once, however many inputs lead to it, and only where it is used.
    pub fn bounds(&mut self, uses: &[(TermId, InputId)]) -> Vec<(Bound, TermId)> {
        let mut bounds = Vec::new();
        if !self.unknowns.bounds.limits_objects() {
            return bounds;
        }
        for &(condition, input) in uses {
            let before = self.others(input);
            if self.is_used(input) {
                continue;
            }
            let counts = self.counts(input);
            let condition = self.pool.and(condition, counts);
            if condition == Pool::FALSE {
                continue;
            }
            if let Some(k) = self.unknowns.bounds.k {
                let far = self.is_far(input, i64::from(k), &mut FxHashMap::default());
                if far != Pool::FALSE {
                    let fresh = self.is_fresh(input, &before);
                    let beyond = self.pool.and_all([condition, far, fresh]);
                    bounds.push((Bound::K, self.pool.not(beyond)));
                }
            }
            if self.unknowns.bounds.counts_objects() {
                bounds.push((Bound::N, self.at_most(condition, input, &before)));
            }
        }
        bounds.retain(|bound| bound.1 != Pool::TRUE);
        bounds
    }

    /// When more than so many references lead to an input. Where the object that it is in is the same as
    /// one that was used before, the way to that one counts, as it does for the lazy family, whose
    /// input is named after it.
    fn is_far(
        &mut self,
        input: InputId,
        most: i64,
        known: &mut FxHashMap<(InputId, i64), TermId>,
    ) -> TermId {
        let found = self.unknowns.inputs.get(input);
        let (Step::Field(parent, _) | Step::Element(parent, ..)) = found.step else {
            let is_far = i64::from(found.depth) > most;
            return self.pool.boolean(is_far);
        };
        if let Some(&far) = known.get(&(input, most)) {
            return far;
        }
        let mut far = self.is_far(parent, most - 1, known);
        if self.unknowns.policy != Policy::Summary
            && let Some(own) = self.bound(parent)
        {
            let older: Vec<Symbolic> =
                self.others(parent).into_iter().take_while(|other| other.met < own.met).collect();
            for other in older.iter().rev() {
                let same = self.same_inputs(parent, other.input);
                let same = self.pool.and(same, other.used);
                if same != Pool::FALSE {
                    let theirs = self.is_far(other.input, most - 1, known);
                    far = self.pool.ite(same, theirs, far);
                }
            }
        }
        known.insert((input, most), far);
        far
    }

    /// When the object of an input counts towards a bound: boxes and strings do not.
    fn counts(&mut self, input: InputId) -> TermId {
        let domain = self.domain(input);
        let values = self.unknowns.values_of(domain);
        let is_value = self.is_among(input, values);
        self.pool.not(is_value)
    }

    /// The input objects other than an input's own that can be the same.
    pub(crate) fn others(&mut self, input: InputId) -> Vec<Symbolic> {
        let all = self.knowledge.objects().to_vec();
        all.into_iter()
            .filter(|object| object.input != input && !self.unknowns.is_value(object.domain))
            .collect()
    }

    /// When no class has more objects than the bound allows, if an input is used as well: only the
    /// classes that it can be of can have got one too many.
    fn at_most(&mut self, condition: TermId, input: InputId, before: &[Symbolic]) -> TermId {
        let domain = self.domain(input);
        let mut within = Pool::TRUE;
        for &class in Rc::clone(self.unknowns.domains.classes(domain)).iter() {
            let Some(most) = self.unknowns.bounds.most(class) else { continue };
            if self.unknowns.values.contains(&class) {
                continue;
            }
            let can_be = |this: &Self, object: &Symbolic| {
                this.unknowns.domains.classes(object.domain).contains(&class)
            };
            let count = before.iter().filter(|object| can_be(self, object)).count();
            if count < most as usize {
                continue;
            }
            let single = self.unknowns.domains.single(class);
            let mut counted = Vec::with_capacity(count + 1);
            for (place, object) in before.iter().enumerate() {
                if can_be(self, object) {
                    let fresh = self.is_fresh(object.input, &before[..place]);
                    let is = self.is_among(object.input, single);
                    counted.push(self.pool.and_all([object.used, fresh, is]));
                }
            }
            let fresh = self.is_fresh(input, before);
            let is = self.is_among(input, single);
            counted.push(self.pool.and_all([condition, fresh, is]));
            let few = self.few(&counted, most as usize);
            within = self.pool.and(within, few);
        }
        within
    }

    /// When at most so many of these hold. Ites over the conditions themselves, not a sum: what is
    /// settled later makes them smaller, and what was asked before is part of what is asked now.
    fn few(&mut self, conditions: &[TermId], most: usize) -> TermId {
        // At each place, what must hold if there is room for 0, 1, ... of the conditions so far.
        let mut within = vec![Pool::TRUE; most + 1];
        for &condition in conditions {
            let mut room = Pool::FALSE;
            for place in &mut within {
                let more = self.pool.ite(condition, room, *place);
                room = std::mem::replace(place, more);
            }
        }
        within[most]
    }

    /// Notes that inputs are used.
    pub fn note_uses(&mut self, uses: &[(TermId, InputId)]) {
        for &(condition, input) in uses {
            let Some(bound) = self.bound(input) else { continue };
            let used = self.pool.or(bound.used, condition);
            if used != bound.used {
                self.knowledge.note_use(bound.reference, used);
            }
        }
    }

    /// Whether an object for an input would be beyond a bound, if it were none that is there.
    pub(crate) fn is_too_many(&self, input: InputId, domain: DomainId) -> bool {
        let depth = self.unknowns.inputs.get(input).depth;
        self.unknowns.bounds.k.is_some_and(|most| depth > most)
            || self.unknowns.is_full(self.knowledge, domain)
    }
}
