//! What choosing an alternative does to a state.

use crate::array::{Elements, Held, Origin, contents};
use crate::domain::DomainId;
use crate::input::InputId;
use crate::knowledge::{Knowledge, Resolution, Symbolic};
use crate::object::Body;
use crate::places::Named;
use crate::policy::{Bound, Effect, Unknowns};
use crate::reference::Reference;
use crate::store::Heap;
use crate::text::{Layout, Text};
use crate::value::Value;
use dalang_classes::{ClassId, Primitive, Program, Shape, ValueType};
use dalang_term::{Pool, Sort, TermId};
use std::rc::Rc;

/// The longest input string, if nobody has said how long one can be.
const LONGEST_STRING: u32 = 8;

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
            Effect::Nothing | Effect::Cut(_) | Effect::NoClass(_) | Effect::Unloadable(_) => {}
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
            Effect::Hold(array, held) => {
                if let Body::Elements(elements) = &mut self.heap.object_mut(array).body {
                    Rc::make_mut(elements).held.push(held);
                }
            }
            Effect::Unfit(array, classes, held, domain) => {
                return self.unfit(array, classes, held, domain);
            }
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
        if self.knowledge.object(object).is_none() {
            return Facts::default();
        }
        let own = self.unknowns.possible(self.program, self.heap, self.knowledge, object);
        let shared = self.unknowns.domains.meet(own, domain);
        self.narrow(object, shared)
    }

    /// A new input object for an input.
    pub fn fresh(&mut self, input: InputId, domain: DomainId) -> Facts {
        let mut facts = Facts::default();
        let class = self.unknowns.domains.upper(self.program, domain);
        let body = self.body(input, class, &mut facts);
        let reference = self.heap.allocate_as(Named::Storage(input), class, body);
        self.heap.object_mut(reference).inexact = self.unknowns.domains.only(domain).is_none();
        self.unknowns.note_object(self.program, input, domain);
        self.knowledge.add(input, reference, domain, Pool::TRUE);
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
        if domain == DomainId::EMPTY {
            // Nested arrays can contradict each other in a way that proposing does not see.
            facts.holds.push(Pool::FALSE);
            return facts;
        }
        self.knowledge.narrow(object, domain);
        let inexact = self.unknowns.domains.only(domain).is_none();
        self.heap.object_mut(object).inexact = inexact;
        self.unknowns.note_object(self.program, input, domain);
        let class = self.unknowns.domains.upper(self.program, domain);
        if self.heap.class(object) == class {
            return facts;
        }
        if let Body::Elements(elements) = &self.heap.object(object).body {
            let contents = contents(elements);
            return self.narrow_array(object, class, &contents);
        }
        let body = self.body(input, class, &mut facts);
        self.extend(object, class, body);
        facts
    }

    fn unfit(
        &mut self,
        array: Reference,
        classes: DomainId,
        held: Held,
        domain: DomainId,
    ) -> Facts {
        let mut facts = self.narrow(array, classes);
        match held {
            Held::Input(input) => self.knowledge.resolve(input, Resolution::Location(domain)),
            Held::Object(object) => {
                let more = self.narrow(object, domain);
                facts.holds.extend(more.holds);
                facts.bounds.extend(more.bounds);
            }
        }
        facts
    }

    /// Gives an array another class; what is in it is of its elements' class.
    fn narrow_array(&mut self, array: Reference, class: ClassId, contents: &[Held]) -> Facts {
        let mut facts = Facts::default();
        let Shape::Array { component, .. } = self.program.class(class).shape else {
            return facts;
        };
        self.heap.object_mut(array).class = class;
        for &held in contents {
            let known = self.unknowns.held_by(self.program, self.knowledge, held);
            // An array that holds itself is narrowed already.
            if known == Resolution::Object(array) {
                continue;
            }
            let more = self.restrict(held, known, component);
            facts.holds.extend(more.holds);
            facts.bounds.extend(more.bounds);
        }
        facts
    }

    /// A value turns out to be null or of a type.
    fn restrict(&mut self, held: Held, known: Resolution, class: ClassId) -> Facts {
        match (held, known) {
            (Held::Input(input), Resolution::Maybe(domain)) => {
                let domain = self.unknowns.domains.cut(self.program, domain, class, true);
                self.knowledge.resolve(input, Resolution::Maybe(domain));
            }
            (Held::Input(input), Resolution::Location(domain)) => {
                let domain = self.unknowns.domains.cut(self.program, domain, class, true);
                self.knowledge.resolve(input, Resolution::Location(domain));
            }
            (_, Resolution::Object(object)) => {
                if let Some(&Symbolic { domain, .. }) = self.knowledge.object(object) {
                    let domain = self.unknowns.domains.cut(self.program, domain, class, true);
                    return self.narrow(object, domain);
                }
            }
            _ => {}
        }
        Facts::default()
    }

    /// Gives an object the fields that it turns out to have beside those it is known to have.
    fn extend(&mut self, object: Reference, class: ClassId, body: Body) {
        let old = self.heap.object(object).body.clone();
        let target = self.heap.object_mut(object);
        target.class = class;
        target.body = body;
        for slot in 0..old.len() {
            if let Some(value) = old.get(slot) {
                target.body.set_field(slot, value);
            }
        }
    }

    pub(crate) fn body(&mut self, input: InputId, class: ClassId, facts: &mut Facts) -> Body {
        if let Shape::Array { component, .. } = self.program.class(class).shape {
            return Body::Elements(self.elements(input, component, facts).into());
        }
        if let Some(layout) = self.unknowns.strings.filter(|layout| layout.string == class) {
            return self.string(layout, input, facts);
        }
        Body::Fields(self.unknowns.inputs.fields(self.program, self.pool, input, class))
    }

    /// A string: its length and its characters are inputs, and all else follows from them.
    fn string(&mut self, layout: Layout, input: InputId, facts: &mut Facts) -> Body {
        let (program, inputs) = (self.program, &mut self.unknowns.inputs);
        let length = inputs.characters(program, self.pool, input);
        let length = inputs.get(length).term;
        let most = self.unknowns.bounds.string.unwrap_or(LONGEST_STRING);
        let mut units = Vec::with_capacity(most as usize);
        for place in 0..most as usize {
            if self.unknowns.patience.is_over_at(place) {
                break;
            }
            let unit = inputs.character(program, self.pool, input, place);
            let unit = inputs.get(unit).term;
            units.push(self.pool.extract(unit, 15, 0));
        }
        let (zero, most) = (self.pool.int(0), self.pool.int(most as i32));
        facts.holds.push(self.pool.sge(length, zero));
        facts.bounds.push((Bound::String, self.pool.sle(length, most)));
        let fields = &program.class(layout.string).instance_fields;
        let fields = fields.iter().map(|&field| Value::zero(program.field(field).value.kind()));
        let mut body = Body::Fields(fields.collect());
        let text = Text { length, units: units.into(), narrow: false };
        let array = match layout.coder {
            Some(slot) => {
                let (coder, array) = text.stored(self.pool, &self.unknowns.patience);
                body.set_field(slot, coder);
                array
            }
            None => text.stored_as_chars(self.pool),
        };
        let array = self.heap.allocate_as(Named::Text(input), layout.array, array);
        body.set_field(layout.value, Value::Reference(array));
        body
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
        let mut elements = Elements::new(Origin::Input(array), length, element);
        elements.most = self.unknowns.bounds.k;
        elements.longest = self.unknowns.bounds.array;
        elements
    }
}

/// The type of values that a class stands for.
pub(crate) fn value_type(program: &Program, class: ClassId) -> ValueType {
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
        if pool.sort(term) != Sort::Ref {
            return value;
        }
        let Some(input) = unknowns.inputs.of_term(pool, term) else { return value };
        match self.resolution(input) {
            Some(Resolution::Null) => Value::NULL,
            Some(Resolution::Object(reference)) => Value::Reference(reference),
            _ => value,
        }
    }
}
