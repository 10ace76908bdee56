//! Which inputs are one object, by the values that a solver gave to references.
//!
//! Where a policy does not divide paths, a path does not say which object a reference is: the values
//! of the symbols do. Equal values are equal references, wherever the path looked; where it did not,
//! it does not matter.

use dalang_classes::{ClassId, FieldId, ValueType};
use dalang_heap::{Body, DomainId, InputId, Reference, Resolution, Step};
use dalang_interp::{Machine, State};
use dalang_term::Assignment;
use rustc_hash::FxHashMap;

/// The objects of a witness under a policy that does not divide paths.
pub(crate) struct Labels {
    /// For each input that is not null, the inputs that lead to the same object, the one that was
    /// used first at the front.
    groups: Vec<Vec<InputId>>,
    group_of: FxHashMap<InputId, usize>,
    classes: Vec<Option<ClassId>>,
}

impl Labels {
    /// Groups the inputs that have values. Where the path tells which inputs are one object, this is
    /// the input that stands for each.
    pub(crate) fn new(
        machine: &mut Machine<'_>,
        state: &State<'_>,
        values: &Assignment,
        first: &FxHashMap<InputId, InputId>,
    ) -> Option<Self> {
        if !machine.unknowns.policy.keeps_references() {
            return None;
        }
        let mut labels =
            Self { groups: Vec::new(), group_of: FxHashMap::default(), classes: Vec::new() };
        for input in ordered(machine, state, values) {
            labels.add(machine, state, (values, first), input);
        }
        for group in 0..labels.groups.len() {
            let class = labels.find_class(machine, state, values, group);
            labels.classes.push(class);
        }
        Some(labels)
    }

    fn add(
        &mut self,
        machine: &mut Machine<'_>,
        state: &State<'_>,
        (values, twins): (&Assignment, &FxHashMap<InputId, InputId>),
        input: InputId,
    ) {
        let label = value(machine, values, input);
        let object = |input: InputId| twins.get(&input).copied().unwrap_or(input);
        let found = self.groups.iter().position(|group| {
            let first = group[0];
            are_identical(state, first, input)
                || (value(machine, values, first) == label
                    && object(first) == object(input)
                    && group.iter().all(|&other| can_be_one(machine, state, values, other, input)))
        });
        let place = found.unwrap_or_else(|| {
            self.groups.push(Vec::new());
            self.groups.len() - 1
        });
        self.groups[place].push(input);
        self.group_of.insert(input, place);
    }

    /// The group of an input; none if it is null or nothing depends on it.
    pub(crate) fn group(&self, input: InputId) -> Option<usize> {
        self.group_of.get(&input).copied()
    }

    /// The class of a group's object.
    pub(crate) fn class(&self, group: usize) -> Option<ClassId> {
        self.classes[group]
    }

    /// The classes of all objects.
    pub(crate) fn classes(&self) -> impl Iterator<Item = ClassId> + use<'_> {
        self.classes.iter().copied().flatten()
    }

    /// The inputs of a group.
    pub(crate) fn members(&self, group: usize) -> &[InputId] {
        &self.groups[group]
    }

    /// The input that stands for a group.
    pub(crate) fn first(&self, group: usize) -> InputId {
        self.groups[group][0]
    }

    fn find_class(
        &self,
        machine: &mut Machine<'_>,
        state: &State<'_>,
        values: &Assignment,
        group: usize,
    ) -> Option<ClassId> {
        let mut possible: Option<DomainId> = None;
        for &input in &self.groups[group] {
            let domain = domain(machine, state, input);
            let met = possible.map_or(domain, |known| machine.unknowns.domains.meet(known, domain));
            possible = Some(if met == DomainId::EMPTY { domain } else { met });
        }
        let classes = machine.unknowns.domains.classes(possible?);
        let told = self.owners(machine, group).iter().find_map(|&input| {
            let number = told_class(machine, values, input)?;
            classes.iter().copied().find(|class| class.index() as u64 == number)
        });
        told.or(classes.first().copied())
    }

    /// The inputs of a group that tell what its object is like.
    fn owners(&self, machine: &Machine<'_>, group: usize) -> &[InputId] {
        let owners = self.groups[group].as_slice();
        if machine.unknowns.policy.spells_places() { &owners[..1] } else { owners }
    }

    /// What a field of a group's object was before the run; none if nobody has looked at it.
    pub(crate) fn field(
        &self,
        machine: &Machine<'_>,
        state: &State<'_>,
        group: usize,
        field: FieldId,
    ) -> Option<InputId> {
        let owners = self.owners(machine, group);
        let looked_at = state.knowledge.fields().iter().copied();
        let found = looked_at.into_iter().find(|&id| {
            matches!(machine.unknowns.inputs.get(id).step,
                Step::Field(owner, of) if of == field && owners.contains(&owner))
        });
        // Boxes have all their fields from the start.
        found.or_else(|| machine.unknowns.inputs.find(Step::Field(self.first(group), field)))
    }

    /// The place of a group's object: that in which the elements of an array are kept, or that of the
    /// first input.
    pub(crate) fn place(
        &self,
        machine: &Machine<'_>,
        state: &State<'_>,
        group: usize,
    ) -> Option<Reference> {
        let class = self.classes[group]?;
        let is_array = |place: &Reference| match &state.heap.object(*place).body {
            Body::Elements(elements) => {
                machine.program.class(class).is_array()
                    && alike(elements.element, machine.element_type(class))
            }
            _ => false,
        };
        let places = self.groups[group].iter().filter_map(|&input| place(state, input));
        let mut places = places.flat_map(|place| state.knowledge.arrays_of(place).chain([place]));
        // The input that was used first owns the elements.
        places.find(is_array).or_else(|| place(state, self.first(group)))
    }
}

/// The inputs that are references with a value, those that were used first, in that order.
fn ordered(machine: &Machine<'_>, state: &State<'_>, values: &Assignment) -> Vec<InputId> {
    let inputs = &machine.unknowns.inputs;
    let used = state.knowledge.objects().iter().map(|object| object.input);
    let mut all: Vec<InputId> = used.collect();
    let mut rest: Vec<InputId> = values
        .iter()
        .filter_map(|(symbol, _)| inputs.of_symbol(symbol))
        .filter(|&input| inputs.get(input).primitive.is_none() && !all.contains(&input))
        .collect();
    // Numbers of inputs depend on what else was explored; names do not.
    rest.sort_by_key(|&input| std::rc::Rc::clone(&inputs.get(input).name));
    all.append(&mut rest);
    all.retain(|&input| value(machine, values, input) != 0);
    all
}

/// Whether elements of two types are kept in the same way.
fn alike(a: ValueType, b: ValueType) -> bool {
    a == b || matches!((a, b), (ValueType::Reference(_), ValueType::Reference(_)))
}

pub(crate) fn value(machine: &Machine<'_>, values: &Assignment, input: InputId) -> u64 {
    values.get(machine.unknowns.inputs.get(input).symbol)
}

/// Whether two inputs of a value class were found to be one object.
fn are_identical(state: &State<'_>, a: InputId, b: InputId) -> bool {
    match (place(state, a), place(state, b)) {
        (Some(a), Some(b)) => state.knowledge.identity(a, b) == Some(true),
        _ => false,
    }
}

/// The number of the class that an input was given, if it was given one.
fn told_class(machine: &Machine<'_>, values: &Assignment, input: InputId) -> Option<u64> {
    let kind = machine.unknowns.inputs.find(Step::Class(input))?;
    let kind = machine.unknowns.inputs.get(kind).symbol;
    values.iter().find(|(symbol, _)| *symbol == kind).map(|(_, number)| number)
}

fn place(state: &State<'_>, input: InputId) -> Option<Reference> {
    match state.knowledge.resolution(input) {
        Some(Resolution::Bound(place)) => Some(place),
        _ => None,
    }
}

/// The classes that the object of an input can have; none at all if it was decided which object it is.
pub(crate) fn domain(machine: &mut Machine<'_>, state: &State<'_>, input: InputId) -> DomainId {
    known_domain(machine, state, input).unwrap_or(DomainId::EMPTY)
}

/// The same, unless it was decided which object it is.
pub(crate) fn known_domain(
    machine: &mut Machine<'_>,
    state: &State<'_>,
    input: InputId,
) -> Option<DomainId> {
    let bound = place(state, input).and_then(|place| state.knowledge.object(place));
    if let Some(bound) = bound {
        return Some(bound.domain);
    }
    match machine.unknowns.resolution(machine.program, &state.knowledge, input) {
        Resolution::Maybe(domain) | Resolution::Location(domain) => Some(domain),
        _ => None,
    }
}

/// Whether two inputs with the same value can be one object. A solver may give the same value to
/// what nothing compares: objects of different types are not the same for that, nor are boxes and
/// strings, whose values were not tied to each other.
fn can_be_one(
    machine: &mut Machine<'_>,
    state: &State<'_>,
    values: &Assignment,
    a: InputId,
    b: InputId,
) -> bool {
    let (x, y) = (domain(machine, state, a), domain(machine, state, b));
    let met = machine.unknowns.domains.meet(x, y);
    if met == DomainId::EMPTY {
        return false;
    }
    // The class of a location that is an alias means nothing: the older one's counts.
    if !machine.unknowns.policy.spells_places() {
        let has = |class: u64, domain: DomainId| {
            let classes = machine.unknowns.domains.classes(domain);
            classes.iter().any(|one| one.index() as u64 == class)
        };
        let told = (told_class(machine, values, a), told_class(machine, values, b));
        let fits = match told {
            (Some(a), Some(b)) => a == b,
            (Some(a), None) => has(a, y),
            (None, Some(b)) => has(b, x),
            (None, None) => true,
        };
        if !fits {
            return false;
        }
    }
    !(machine.unknowns.is_value(x) || machine.unknowns.is_value(y))
}
