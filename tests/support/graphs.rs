//! All small concrete heaps, and what they say of inputs: the symbols of inputs get the values that a
//! heap gives them, so that every term about inputs has a value on every heap.
//!
//! Heaps are canonical: everything in one is reached from its roots, and its objects are numbered in the
//! order in which they are, so no two heaps differ in names alone. Equal inputs have equal fields by
//! construction. Nothing here knows a policy, and nothing decides what is right.

use dalang_classes::{ClassId, FieldId, Primitive, Program, ValueType};
use dalang_heap::{Effect, InputId, Inputs, Knowledge, Step, Unknowns};
use dalang_term::{Assignment, Evaluation, Pool, TermId};
use std::fmt::{self, Display};

/// What a root or a field can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// True or false.
    Truth,
    /// Null or an object of this kind.
    Link(usize),
    /// An object of this kind.
    Some(usize),
}

/// A class whose objects are enumerated.
#[derive(Clone, Debug)]
pub struct Kind {
    pub class: ClassId,
    /// The most objects of it in a heap.
    pub most: usize,
    /// Its fields, by slot.
    pub fields: Vec<(FieldId, Place)>,
}

/// What a root or a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Datum {
    Truth(bool),
    Null,
    /// The object with this number.
    Object(usize),
}

/// An object of a heap.
#[derive(Clone, Debug)]
pub struct Node {
    pub kind: usize,
    pub fields: Vec<Datum>,
}

/// A concrete heap.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub roots: Vec<Datum>,
    pub objects: Vec<Node>,
}

/// The classes with these names and sizes, each with its fields.
pub fn kinds(program: &Program, sizes: &[(&str, usize)]) -> Vec<Kind> {
    let number = |value: ValueType| match value {
        ValueType::Primitive(Primitive::Boolean) => Place::Truth,
        ValueType::Primitive(_) => panic!("a field of another type than those of Javalite"),
        ValueType::Reference(name) => {
            let name = program.names().text(name);
            Place::Link(sizes.iter().position(|size| size.0 == name).expect("a kind of its own"))
        }
    };
    let kind = |&(name, most): &(&str, usize)| {
        let class = program.load(name).unwrap();
        let fields = program.class(class).instance_fields.iter();
        let fields = fields.map(|&field| (field, number(program.field(field).value))).collect();
        Kind { class, most, fields }
    };
    sizes.iter().map(kind).collect()
}

/// All heaps with these roots and at most so many objects of each kind.
pub fn graphs(kinds: &[Kind], roots: &[Place]) -> Vec<Graph> {
    let mut all = Vec::new();
    fill(kinds, roots, &mut Graph::default(), &mut all);
    all
}

/// Gives the next place without a value each of its values in turn: first the roots have theirs, then
/// the objects in their order.
fn fill(kinds: &[Kind], roots: &[Place], graph: &mut Graph, all: &mut Vec<Graph>) {
    let owner = if graph.roots.len() < roots.len() {
        None
    } else {
        let is_open = |node: &Node| node.fields.len() < kinds[node.kind].fields.len();
        match graph.objects.iter().position(is_open) {
            Some(owner) => Some(owner),
            None => return all.push(graph.clone()),
        }
    };
    let place = match owner {
        None => roots[graph.roots.len()],
        Some(owner) => {
            let node = &graph.objects[owner];
            kinds[node.kind].fields[node.fields.len()].1
        }
    };
    for datum in choices(kinds, graph, place) {
        let before = graph.objects.len();
        if datum == Datum::Object(before)
            && let Place::Link(kind) | Place::Some(kind) = place
        {
            graph.objects.push(Node { kind, fields: Vec::new() });
        }
        list(graph, owner).push(datum);
        fill(kinds, roots, graph, all);
        list(graph, owner).pop();
        graph.objects.truncate(before);
    }
}

fn list(graph: &mut Graph, owner: Option<usize>) -> &mut Vec<Datum> {
    match owner {
        None => &mut graph.roots,
        Some(owner) => &mut graph.objects[owner].fields,
    }
}

/// What a place can be: an object that is there, or the next one.
fn choices(kinds: &[Kind], graph: &Graph, place: Place) -> Vec<Datum> {
    let (kind, may_be_null) = match place {
        Place::Truth => return vec![Datum::Truth(false), Datum::Truth(true)],
        Place::Link(kind) => (kind, true),
        Place::Some(kind) => (kind, false),
    };
    let is_one = |&object: &usize| graph.objects[object].kind == kind;
    let known: Vec<usize> = (0..graph.objects.len()).filter(is_one).collect();
    let new = (known.len() < kinds[kind].most).then_some(graph.objects.len());
    let null = may_be_null.then_some(Datum::Null);
    null.into_iter().chain(known.into_iter().chain(new).map(Datum::Object)).collect()
}

impl Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.roots)?;
        for (number, object) in self.objects.iter().enumerate() {
            write!(f, " {number}:{:?}", object.fields)?;
        }
        Ok(())
    }
}

/// The values that a heap gives to inputs. Parameters are its roots.
pub struct Reading<'a> {
    pub graph: &'a Graph,
    kinds: &'a [Kind],
    values: Evaluation,
}

impl<'a> Reading<'a> {
    pub fn new(graph: &'a Graph, kinds: &'a [Kind]) -> Self {
        Self { graph, kinds, values: Evaluation::default() }
    }

    /// What an input is; none where nothing leads to it.
    pub fn datum(&self, inputs: &Inputs, input: InputId) -> Option<Datum> {
        match inputs.get(input).step {
            Step::Parameter(place) => Some(self.graph.roots[usize::from(place)]),
            Step::Field(owner, field) => {
                let Datum::Object(owner) = self.datum(inputs, owner)? else { return None };
                let object = &self.graph.objects[owner];
                let fields = &self.kinds[object.kind].fields;
                let slot = fields.iter().position(|entry| entry.0 == field)?;
                Some(object.fields[slot])
            }
            step => panic!("an input that no heap of these has: {step:?}"),
        }
    }

    /// The object that an input leads to, if there is one.
    pub fn object(&self, inputs: &Inputs, input: InputId) -> Option<usize> {
        match self.datum(inputs, input)? {
            Datum::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Whether a heap is one of those that a choice leaves.
    pub fn agrees(&self, unknowns: &Unknowns, knowledge: &Knowledge, effect: Effect) -> bool {
        let object = |input| self.object(&unknowns.inputs, input);
        let fits = |object: usize, domain| {
            let class = self.kinds[self.graph.objects[object].kind].class;
            unknowns.domains.classes(domain).contains(&class)
        };
        match effect {
            Effect::Null(input) => self.datum(&unknowns.inputs, input) == Some(Datum::Null),
            Effect::Location(input, domain) => object(input).is_some_and(|it| fits(it, domain)),
            Effect::Alias(input, place) => {
                let known = knowledge.object(place).expect("an alias is an input object");
                object(input).is_some() && object(input) == object(known.input)
            }
            Effect::Fresh(input, domain) => object(input).is_some_and(|it| {
                let mut known = knowledge.objects().iter();
                fits(it, domain) && known.all(|known| object(known.input) != Some(it))
            }),
            Effect::Cut(_) => false,
            effect => panic!("nothing is chosen like this here: {effect:?}"),
        }
    }

    /// The value of a term, as bits; a reference to an object of the heap is its [number](number_of).
    pub fn value(&mut self, pool: &Pool, inputs: &Inputs, term: TermId) -> u64 {
        let mut missing: Option<Assignment> = None;
        for &symbol in pool.symbols_of(term).iter() {
            let known = missing.as_ref().unwrap_or_else(|| self.values.assignment());
            if known.find(symbol).is_some() {
                continue;
            }
            let input = inputs.of_symbol(symbol).expect("every symbol is an input's");
            let bits = self.bits(inputs, input);
            missing.get_or_insert_with(|| self.values.assignment().clone()).set(symbol, bits);
        }
        if let Some(assignment) = missing {
            self.values = Evaluation::new(assignment);
        }
        self.values.value(pool, term)
    }

    /// The value of an input. An array is as long as its number says, so that no two have one length.
    fn bits(&self, inputs: &Inputs, input: InputId) -> u64 {
        if let Step::Length(array) = inputs.get(input).step {
            return self.object(inputs, array).map_or(0, |array| array as u64 + 1);
        }
        match self.datum(inputs, input) {
            None | Some(Datum::Null | Datum::Truth(false)) => 0,
            Some(Datum::Truth(true)) => 1,
            Some(Datum::Object(object)) => number_of(object),
        }
    }

    /// The values of the symbols that were asked for.
    pub fn assignment(&self) -> &Assignment {
        self.values.assignment()
    }

    /// Whether a condition holds.
    pub fn holds(&mut self, pool: &Pool, inputs: &Inputs, condition: TermId) -> bool {
        self.value(pool, inputs, condition) == 1
    }
}

/// The value of a reference to an object of a heap: no place of a run has this number.
pub fn number_of(object: usize) -> u64 {
    u64::from(Pool::FIRST_ANONYMOUS_IDENTITY) + object as u64
}

/// The object that has a number.
pub fn numbered(bits: u64) -> Option<usize> {
    Some(bits.checked_sub(u64::from(Pool::FIRST_ANONYMOUS_IDENTITY))? as usize)
}
