//! How unknown references become known: the initialization policies.
//!
//! A policy proposes [`Alternative`]s, each with the rule that it comes from; it drops none, and it
//! asks no solver. What they do to a state is [`Unknowns::apply`]'s, and which of them are feasible
//! is for whoever explores to find out.

pub mod bounds;
pub mod guarded;
pub mod lazier;
pub mod lazier_sharp;
pub mod lazy;
pub mod pose;
pub mod summary;
pub mod typing;

use crate::array::Held;
use crate::domain::{DomainId, Domains, Reliance};
use crate::input::{InputId, Inputs};
use crate::knowledge::{Knowledge, Resolution};
use crate::patience::Patience;
use crate::reference::Reference;
use crate::rules::Rules;
use crate::text::Layout;
pub use bounds::Bounds;
use dalang_classes::{ClassId, MethodId, Program, ValueType};
use dalang_term::TermId;

/// Which policy initializes references.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Policy {
    /// When a reference is read, it is decided which object it is.
    Lazy,
    /// When a reference is read, it is decided whether it is null; which object it is, when it is
    /// used.
    Lazier,
    /// Both are decided when they are needed.
    LazierSharp,
    /// Nothing is decided: a reference is a set of locations, each under a condition.
    Summary,
    /// Nothing is decided: a field is an ite over what aliases make of it.
    Pose,
}

impl Policy {
    /// All policies, the most eager first.
    pub const ALL: [Self; 5] =
        [Self::Lazy, Self::Lazier, Self::LazierSharp, Self::Summary, Self::Pose];

    /// Whether a path is divided only where the program itself decides something.
    pub const fn is_optimal(self) -> bool {
        matches!(self, Self::Summary | Self::Pose)
    }

    /// Whether a reference may stay unresolved while it is used: which object it is, and of which class, is
    /// then said by conditions.
    pub const fn keeps_references(self) -> bool {
        self.is_optimal()
    }

    /// Whether an unresolved reference is spelled as the places that it can lead to, each under a condition,
    /// and not as its symbol. Of places that would be one object, only that of the first input is in use.
    pub const fn spells_places(self) -> bool {
        matches!(self, Self::Summary)
    }

    /// Whether an element of an array can be one of several references, without that it is decided which.
    pub const fn merges_references(self) -> bool {
        self.is_optimal()
    }

    /// Whether what a decision settles is looked for in conditions that were decided before: an alias that
    /// has been excluded leaves a plain comparison.
    pub const fn follows_conditions(self) -> bool {
        self.is_optimal()
    }

    /// Whether it is decided as soon as a reference is read whether it is null.
    pub const fn decides_when_read(self) -> bool {
        matches!(self, Self::Lazy)
    }

    /// The rule by which references are compared that stay unresolved.
    pub const fn equality_rule(self) -> &'static str {
        if self.spells_places() { "summary/equals" } else { "pose/equality" }
    }

    /// Whether each of several inputs that are one object has symbols of its own for the object's fields,
    /// so that these must be equal where the inputs are.
    pub const fn has_congruence(self) -> bool {
        matches!(self, Self::Pose)
    }

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lazy => "lazy",
            Self::Lazier => "lazier",
            Self::LazierSharp => "lazier#",
            Self::Summary => "summary",
            Self::Pose => "pose",
        }
    }
}

/// What must be known of a reference for execution to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// It was read, and may be passed on.
    Read,
    /// Whether it is null.
    Nullness,
    /// Which object it is.
    Object,
}

/// A bound that cuts a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bound {
    /// The length of an initialization chain.
    K,
    /// The number of input objects of a class.
    N,
    /// The length of an input array, or of its accessed part.
    Array,
    /// The length of an input string.
    String,
    /// The length of standard input.
    Stdin,
    /// The length of an array or string that the program makes: no bound on inputs.
    Allocation,
}

/// One way to go on. It is possible if its condition can hold.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The rule that it comes from: a heading in `docs/semantics`.
    pub rule: &'static str,
    /// What it does to the state.
    pub effect: Effect,
    /// What holds in it.
    pub condition: Option<TermId>,
}

/// What choosing an alternative does to a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: only its condition counts.
    Nothing,
    /// An input is null.
    Null(InputId),
    /// An input is some object of these classes.
    Location(InputId, DomainId),
    /// An input is null, or an object of these classes.
    Maybe(InputId, DomainId),
    /// An input is an object that exists: an input object, or a constant of an enum.
    Alias(InputId, Reference),
    /// An input is an object of its own, of one of these classes.
    Fresh(InputId, DomainId),
    /// The class of an input object is one of these.
    Narrow(Reference, DomainId),
    /// An input array of uncertain class can hold a value.
    Hold(Reference, Held),
    /// An input array is of one of these classes, and a value, which is not null, of one of those:
    /// the array cannot hold it.
    Unfit(Reference, DomainId, Held, DomainId),
    /// Two objects of a value class are the same object, or are not.
    Identity(Reference, Reference, bool),
    /// The path ends here because of a bound.
    Cut(Bound),
    /// The path ends here because no class in view implements a type.
    NoClass(ClassId),
    /// The path ends here because the class that an input is declared as cannot be loaded.
    Unloadable(ValueType),
}

/// What all states of a worker share about unknown values.
pub struct Unknowns {
    /// The inputs.
    pub inputs: Inputs,
    /// What types can be.
    pub domains: Domains,
    /// The policy.
    pub policy: Policy,
    /// The bounds.
    pub bounds: Bounds,
    /// Classes whose instances are told apart by value: their identity is decided only if the
    /// program compares it. They are immutable, so aliases cannot be observed otherwise.
    pub values: Vec<ClassId>,
    /// How strings are stored.
    pub strings: Option<Layout>,
    /// How often each rule was applied that divides nothing.
    pub rules: Rules,
    /// How often a field of an input object was read by its slot, because it was accessed before.
    pub reads_by_slot: u64,
    /// Whether anybody waits for what is made.
    pub patience: Patience,
}

impl Unknowns {
    /// What is known of an input reference.
    #[inline]
    pub fn resolution(
        &mut self,
        program: &Program,
        knowledge: &Knowledge,
        input: InputId,
    ) -> Resolution {
        if let Some(known) = knowledge.resolution(input) {
            return known;
        }
        Resolution::Maybe(match self.inputs.get(input).class {
            Some(class) => self.domains.below(program, class),
            None => DomainId::EMPTY,
        })
    }

    /// The ways to find out what is needed of an input reference; none if it is known already.
    pub fn alternatives(
        &mut self,
        program: &Program,
        heap: &crate::Heap,
        knowledge: &Knowledge,
        input: InputId,
        need: Need,
    ) -> Option<Vec<Alternative>> {
        let known = self.resolution(program, knowledge, input);
        let mut asking = Asking { unknowns: self, program, heap, knowledge, input };
        match asking.unknowns.policy {
            Policy::Lazy => lazy::resolve(&mut asking, known),
            Policy::Lazier => lazier::resolve(&mut asking, known, need),
            Policy::LazierSharp => lazier_sharp::resolve(&mut asking, known, need),
            Policy::Summary | Policy::Pose => None,
        }
    }

    /// Notes that the set of an input's classes has answered whether it is of a type.
    #[inline]
    pub fn rely_on_test(&mut self, input: InputId, class: ClassId) {
        if let Some(declared) = self.inputs.get(input).class {
            self.domains.rely(Reliance::Test(declared, class));
        }
    }

    /// Notes that the sets of two inputs' classes have answered whether they can be one object.
    #[inline]
    pub fn rely_on_alias(&mut self, a: InputId, b: InputId) {
        if let (Some(a), Some(b)) = (self.inputs.get(a).class, self.inputs.get(b).class)
            && a != b
        {
            self.domains.rely(Reliance::Alias(a, b));
        }
    }

    /// Notes that something depends on all classes that an input can be of.
    pub fn rely_on_all(&mut self, input: InputId) {
        if let Some(declared) = self.inputs.get(input).class {
            self.domains.rely(Reliance::All(declared));
        }
    }

    /// Notes that a call on an input has run what its classes select for a method.
    pub fn rely_on_dispatch(&mut self, program: &Program, input: InputId, resolved: MethodId) {
        let method = program.method(resolved);
        if method.flags.is_final() || method.flags.is_private() {
            return;
        }
        let Some(declared) = self.inputs.get(input).class else { return };
        // What was declared as something more general has passed a test for the method's class.
        let general = !program.is_subtype(declared, method.class);
        self.domains.rely(Reliance::All(if general { method.class } else { declared }));
    }

    pub(crate) fn note_object(&mut self, program: &Program, input: InputId, domain: DomainId) {
        let declared = self.inputs.get(input).class;
        self.domains.note_object(program, declared, domain);
    }

    /// Whether an input is null because its type has no instances.
    pub fn is_void(&self, program: &Program, input: InputId) -> bool {
        self.inputs.get(input).class.is_some_and(|class| self.domains.is_void(program, class))
    }

    /// Whether all classes of a set are value classes.
    pub fn is_value(&self, domain: DomainId) -> bool {
        let classes = self.domains.classes(domain);
        !classes.is_empty() && classes.iter().all(|class| self.values.contains(class))
    }

    /// The value classes of a set.
    pub fn values_of(&mut self, domain: DomainId) -> DomainId {
        let classes = self.domains.classes(domain).iter().copied();
        let values: Vec<ClassId> = classes.filter(|class| self.values.contains(class)).collect();
        self.domains.of(&values)
    }
}

/// A question about one input reference in one state.
pub struct Asking<'a> {
    /// What all states share.
    pub unknowns: &'a mut Unknowns,
    /// The classes.
    pub program: &'a Program,
    /// The heap of the state.
    pub heap: &'a crate::Heap,
    /// What the state knows.
    pub knowledge: &'a Knowledge,
    /// The input in question.
    pub input: InputId,
}

impl Asking<'_> {
    /// Whether the input is null because its type has no instances (docs/semantics/typing.md).
    pub(crate) fn is_void(&self) -> bool {
        self.unknowns.is_void(self.program, self.input)
    }

    /// The bound that forbids a fresh object for the input, if one does.
    ///
    /// Values are not counted: [Kiasan]'s subjects have `int` keys where Java's library has boxes.
    pub(crate) fn bound(&mut self, domain: DomainId) -> Option<Bound> {
        if self.unknowns.is_value(domain) {
            return None;
        }
        let k = self.unknowns.bounds.k;
        if k.is_some_and(|k| self.unknowns.inputs.get(self.input).depth > k) {
            return Some(Bound::K);
        }
        self.unknowns.is_full(self.knowledge, domain).then_some(Bound::N)
    }
}
