//! What choosing an alternative does to a state.

use crate::array::Elements;
use crate::domain::DomainId;
use crate::input::InputId;
use crate::knowledge::{Knowledge, Resolution, Symbolic};
use crate::object::Body;
use crate::policy::{Bound, Effect, Unknowns};
use crate::reference::Reference;
use crate::store::Heap;
use crate::value::Value;
use dalang_classes::{ClassId, Primitive, Program, Shape, ValueType};
use dalang_term::{Pool, TermId};

/// What holds from now on, without having been decided.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Constraints on new symbols, which can always be met.
    pub holds: Vec<TermId>,
    /// Constraints that are there because of a bound: what they exclude is cut, and counted.
    pub bounds: Vec<(Bound, TermId)>,
}

/// The parts of a state that a choice changes, and what it is made with.
pub struct Change<'a> {
    /// The classes.
    pub program: &'a Program,
    /// The terms.
    pub pool: &'a mut Pool,
    /// What all states share about unknown values.
    pub unknowns: &'a mut Unknowns,
    /// The heap of the state.
    pub heap: &'a mut Heap,
    /// What the state knows.
    pub knowledge: &'a mut Knowledge,
}

impl Change<'_> {
    /// Makes an effect. Those that end a path have none.
    pub fn apply(&mut self, effect: Effect) -> Facts {
        match effect {
            Effect::Nothing | Effect::Cut(_) | Effect::NoClass(_) => {}
            Effect::Null(input) => self.knowledge.resolve(input, Resolution::Null),
            Effect::Location(input, domain) => {
                self.knowledge.resolve(input, Resolution::Location(domain));
            }
            Effect::Maybe(input, domain) => {
                self.knowledge.resolve(input, Resolution::Maybe(domain));
            }
            Effect::Alias(input, object) => return self.alias(input, object),
            Effect::Fresh(input, domain) => return self.fresh(input, domain),
            Effect::Narrow(object, domain) => return self.narrow(object, domain),
            Effect::Identity(a, b, same) => self.knowledge.identify(a, b, same),
        }
        Facts::default()
    }

    fn alias(&mut self, input: InputId, object: Reference) -> Facts {
        let known = self.unknowns.resolution(self.program, self.knowledge, input);
        self.knowledge.resolve(input, Resolution::Object(object));
        let (Resolution::Maybe(domain) | Resolution::Location(domain)) = known else {
            return Facts::default();
        };
        // A constant of an enum is no input object, and its class is known.
        let Some(&Symbolic { domain: own, .. }) = self.knowledge.object(object) else {
            return Facts::default();
        };
        let shared = self.unknowns.domains.meet(own, domain);
        self.narrow(object, shared)
    }

    /// A new input object for an input.
    pub fn fresh(&mut self, input: InputId, domain: DomainId) -> Facts {
        let mut facts = Facts::default();
        let class = self.unknowns.domains.upper(self.program, domain);
        let body = self.body(input, class, &mut facts);
        let reference = self.heap.allocate(class, body);
        self.heap.object_mut(reference).inexact = self.unknowns.domains.only(domain).is_none();
        self.knowledge.add(Symbolic { reference, input, domain });
        self.knowledge.resolve(input, Resolution::Object(reference));
        facts
    }

    fn narrow(&mut self, object: Reference, domain: DomainId) -> Facts {
        let mut facts = Facts::default();
        let Some(&Symbolic { input, domain: old, .. }) = self.knowledge.object(object) else {
            return facts;
        };
        if old == domain {
            return facts;
        }
        self.knowledge.narrow(object, domain);
        let class = self.unknowns.domains.upper(self.program, domain);
        let changes = self.heap.class(object) != class;
        if changes {
            let body = self.body(input, class, &mut facts);
            self.extend(object, class, body);
        }
        self.heap.object_mut(object).inexact = self.unknowns.domains.only(domain).is_none();
        facts
    }

    /// Gives an object the fields that it turns out to have beside those it is known to have.
    fn extend(&mut self, object: Reference, class: ClassId, body: Body) {
        let old = self.heap.object(object).body.clone();
        let target = self.heap.object_mut(object);
        target.class = class;
        // An array stays one, and what is in it stays as well.
        if old.is_array() {
            return;
        }
        target.body = body;
        for slot in 0..old.len() {
            if let Some(value) = old.get(slot) {
                target.body.set_field(slot, value);
            }
        }
    }

    fn body(&mut self, input: InputId, class: ClassId, facts: &mut Facts) -> Body {
        if let Shape::Array { component, .. } = self.program.class(class).shape {
            return Body::Elements(self.elements(input, component, facts).into());
        }
        Body::Fields(self.unknowns.inputs.fields(self.program, self.pool, input, class))
    }

    fn elements(&mut self, array: InputId, component: ClassId, facts: &mut Facts) -> Elements {
        let length = self.unknowns.inputs.length(self.program, self.pool, array);
        let length = self.unknowns.inputs.get(length).term;
        let zero = self.pool.int(0);
        facts.holds.push(self.pool.sge(length, zero));
        if let Some(most) = self.unknowns.bounds.array {
            let most = self.pool.int(most.min(i32::MAX as u32) as i32);
            facts.bounds.push((Bound::Array, self.pool.sle(length, most)));
        }
        let element = value_type(self.program, component);
        Elements { input: array, length, element, known: Vec::new(), read: Vec::new() }
    }
}

/// The type of values that a class stands for.
fn value_type(program: &Program, class: ClassId) -> ValueType {
    match program.class(class).shape {
        Shape::Primitive(primitive) => ValueType::Primitive(primitive.unwrap_or(Primitive::Int)),
        _ => ValueType::Reference(program.class(class).name),
    }
}

impl Knowledge {
    /// A value, with what is known of it put in its place: null or an object for an input
    /// reference that was resolved.
    #[inline]
    pub fn known(&self, unknowns: &Unknowns, pool: &Pool, value: Value) -> Value {
        let Value::Term(term) = value else { return value };
        let Some(input) = unknowns.inputs.of_term(pool, term) else { return value };
        match self.resolution(input) {
            Some(Resolution::Null) => Value::NULL,
            Some(Resolution::Object(reference)) => Value::Reference(reference),
            _ => value,
        }
    }
}
