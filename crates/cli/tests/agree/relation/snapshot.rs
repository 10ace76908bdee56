//! The final state of a path, copied out of the engine: its condition, its inputs, and what of the
//! heap inputs and the result lead to. All terms are of a pool that the test owns.

use dalang_classes::{ClassId, FieldId, Program};
use dalang_explore::End;
use dalang_heap::{Body, InputId, Reference, Resolution, Step, Value};
use dalang_term::{Op, Pool, Sort, SymbolId, TermId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A program path: its fingerprint, and how it ends.
pub type Path = (u64, String);

/// The number of an object of a heap; none is zero, which is null.
pub type Place = u32;

pub struct Snapshot {
    pub path: Path,
    /// A conjunction.
    pub condition: Vec<TermId>,
    pub result: Option<TermId>,
    pub inputs: BTreeMap<InputId, Input>,
    /// What was decided of inputs that are references; of the others nothing was.
    pub known: BTreeMap<InputId, Known>,
    /// The input objects, the oldest first.
    pub locations: Vec<Location>,
    pub objects: BTreeMap<Place, Object>,
    by_name: BTreeMap<String, InputId>,
    /// Pairs of classes of which the first is the second, or extends it.
    below: BTreeSet<(ClassId, ClassId)>,
}

pub struct Input {
    pub name: String,
    pub step: Step,
    /// Its value, as fields hold it.
    pub term: TermId,
    /// Its symbol.
    pub symbol: TermId,
    /// The declared class of a reference.
    pub class: Option<ClassId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    Null,
    Object(Place),
}

#[derive(Clone)]
pub struct Location {
    pub place: Place,
    /// The input that led to it first.
    pub input: InputId,
    /// What its class can be.
    pub classes: Rc<[ClassId]>,
    /// Whether the path has settled that its input is an older one, so that nothing is there.
    vacant: bool,
}

pub struct Object {
    pub class: ClassId,
    /// The fields that are there: all, or of an object of a summary those that were accessed.
    pub fields: BTreeMap<FieldId, TermId>,
}

impl Snapshot {
    /// Copies what is needed of an end; terms go to `pool`.
    pub fn new(program: &Program, end: &End<'_>, pool: &mut Pool) -> Self {
        let mut copy = Copy {
            program,
            end,
            pool,
            objects: BTreeMap::new(),
            waiting: Vec::new(),
            symbols: BTreeSet::new(),
        };
        let condition: Vec<TermId> = end.condition.iter().map(|&term| copy.import(term)).collect();
        let result = end.value.map(|value| copy.value(value));
        copy.waiting.extend(end.knowledge.objects().iter().map(|object| object.reference.number()));
        copy.follow();
        let (objects, symbols) = (copy.objects, copy.symbols);
        let mut snapshot = Self {
            path: (end.trace, format!("{:?} {:?}", end.kind, end.exception)),
            condition,
            result,
            inputs: BTreeMap::new(),
            known: BTreeMap::new(),
            locations: Vec::new(),
            objects,
            by_name: BTreeMap::new(),
            below: BTreeSet::new(),
        };
        snapshot.locations = end
            .knowledge
            .objects()
            .iter()
            .map(|object| Location {
                place: object.reference.number(),
                input: object.input,
                classes: Rc::clone(end.domains.classes(object.domain)),
                vacant: end.knowledge.is_vacant(object.reference),
            })
            .collect();
        for &(input, resolution) in end.knowledge.resolutions() {
            let known = match resolution {
                Resolution::Null => Known::Null,
                Resolution::Object(object) => Known::Object(object.number()),
                _ => continue,
            };
            snapshot.known.insert(input, known);
        }
        snapshot.collect_inputs(end, pool, &symbols);
        let mut classes: BTreeSet<ClassId> =
            snapshot.inputs.values().filter_map(|input| input.class).collect();
        classes.extend(snapshot.locations.iter().flat_map(|location| location.classes.iter()));
        for &a in &classes {
            let kin = classes.iter().filter(|&&b| program.is_subtype(a, b));
            snapshot.below.extend(kin.map(|&b| (a, b)));
        }
        snapshot
    }

    /// Takes down the inputs that matter: parameters, those that something is known of, those that
    /// occur in a term, and the way to each.
    fn collect_inputs(&mut self, end: &End<'_>, pool: &mut Pool, symbols: &BTreeSet<SymbolId>) {
        let mut waiting: Vec<InputId> = end.parameters.to_vec();
        waiting.extend(self.locations.iter().map(|location| location.input));
        waiting.extend(self.known.keys());
        waiting.extend(symbols.iter().filter_map(|&symbol| end.inputs.of_symbol(symbol)));
        while let Some(id) = waiting.pop() {
            if self.inputs.contains_key(&id) {
                continue;
            }
            let input = end.inputs.get(id);
            if let Step::Field(owner, _) | Step::Class(owner) = input.step {
                waiting.push(owner);
            }
            let term = pool.import(end.pool, input.term);
            let symbol = pool.import(end.pool, end.pool.symbol_term(input.symbol));
            let (name, step, class) = (input.name.to_string(), input.step, input.class);
            self.by_name.insert(name.clone(), id);
            self.inputs.insert(id, Input { name, step, term, symbol, class });
        }
    }

    /// The input that is reached in this way.
    pub fn find(&self, step: Step) -> Option<InputId> {
        self.inputs.iter().find(|(_, input)| input.step == step).map(|(&id, _)| id)
    }

    /// The input with this name.
    pub fn named(&self, name: &str) -> Option<InputId> {
        self.by_name.get(name).copied()
    }

    /// The input whose symbol a reference is.
    pub fn of_symbol(&self, pool: &Pool, term: TermId) -> Option<InputId> {
        self.named(pool.symbol_name(pool.as_symbol(term)?))
    }

    /// The inputs that are references.
    pub fn references(&self) -> impl Iterator<Item = (InputId, &Input)> {
        self.inputs
            .iter()
            .filter(|(_, input)| input.class.is_some())
            .map(|(&id, input)| (id, input))
    }

    /// The input object at a place.
    pub fn location(&self, place: Place) -> Option<&Location> {
        self.locations.iter().find(|location| location.place == place)
    }

    /// The place of an input's own object.
    pub fn place_of(&self, input: InputId) -> Option<Place> {
        let own = self.locations.iter().find(|location| location.input == input);
        own.map(|location| location.place)
    }

    /// The locations that an input can be an alias of: those that were there before its own, or all
    /// if it has none.
    pub fn older(&self, input: InputId) -> Vec<Location> {
        let older = self.met_before(self.place_of(input)).iter().filter(|other| !other.vacant);
        older.filter(|other| self.can_be_one(input, other.input)).cloned().collect()
    }

    /// The locations that were met before one, or all.
    pub fn met_before(&self, place: Option<Place>) -> &[Location] {
        let own = self.locations.iter().position(|location| Some(location.place) == place);
        &self.locations[..own.unwrap_or(self.locations.len())]
    }

    /// Whether the types of two references allow that they are the same object. There are no
    /// interfaces, so one class is below the other.
    pub fn can_be_one(&self, a: InputId, b: InputId) -> bool {
        let (Some(a), Some(b)) = (self.inputs[&a].class, self.inputs[&b].class) else {
            return false;
        };
        self.below.contains(&(a, b)) || self.below.contains(&(b, a))
    }

    /// The classes that an input's object can be of, as far as some location can be of them.
    pub fn classes_of(&self, input: InputId) -> impl Iterator<Item = ClassId> {
        let declared = self.inputs[&input].class;
        self.below.iter().filter(move |pair| Some(pair.1) == declared).map(|pair| pair.0)
    }

    /// The symbol for the class of an input's object, if there is one.
    pub fn class_symbol(&self, input: InputId) -> Option<TermId> {
        self.find(Step::Class(input)).map(|class| self.inputs[&class].symbol)
    }
}

/// What is copied, and to where.
struct Copy<'a> {
    program: &'a Program,
    end: &'a End<'a>,
    pool: &'a mut Pool,
    objects: BTreeMap<Place, Object>,
    waiting: Vec<Place>,
    /// The symbols of all terms that were copied, as the engine numbers them.
    symbols: BTreeSet<SymbolId>,
}

impl Copy<'_> {
    fn import(&mut self, term: TermId) -> TermId {
        self.symbols.extend(self.end.pool.symbols_of(term).iter());
        self.pool.import(self.end.pool, term)
    }

    fn value(&mut self, value: Value) -> TermId {
        let term = match value {
            Value::Int(value) => self.pool.int(value),
            Value::Reference(Reference::NULL) => Pool::NULL,
            Value::Reference(reference) => self.pool.identity(reference.number()),
            Value::Term(term) => self.import(term),
            other => panic!("Javalite has no {other:?}"),
        };
        if self.pool.sort(term) == Sort::Ref {
            self.leaves(term);
        }
        term
    }

    /// Has the objects that a reference can be copied as well.
    fn leaves(&mut self, reference: TermId) {
        let node = self.pool.node(reference);
        match (node.op, self.pool.bits(reference)) {
            (Op::Ite, _) => {
                self.leaves(node.arg(1));
                self.leaves(node.arg(2));
            }
            (_, Some(bits)) => self.waiting.push(bits as Place),
            // What a symbol was found to be is an input object, and all those are copied.
            (_, None) => {}
        }
    }

    fn follow(&mut self) {
        while let Some(place) = self.waiting.pop() {
            if place == 0 || self.objects.contains_key(&place) {
                continue;
            }
            let object = self.end.heap.object(Reference::new(place));
            let (class, body) = (object.class, object.body.clone());
            self.objects.insert(place, Object { class, fields: BTreeMap::new() });
            let fields: Vec<(FieldId, Value)> = match body {
                Body::Fields(values) => {
                    let ids = &self.program.class(class).instance_fields;
                    ids.iter().copied().zip(values.iter().copied()).collect()
                }
                Body::Accessed(fields) => fields.entries(self.program, class),
                other => panic!("Javalite has no {other:?}"),
            };
            let fields =
                fields.into_iter().map(|(field, value)| (field, self.value(value))).collect();
            self.objects.insert(place, Object { class, fields });
        }
    }
}
