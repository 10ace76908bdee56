//! From a path to concrete inputs: values from a solver, made small, and the heap that they and the
//! path's decisions describe.
//!
//! The solver is a fresh one, so that the values do not depend on what was asked before. What the
//! path does not constrain is zero or null.

use crate::explorer::Explorer;
use crate::path::Node;
use crate::replay::Unfinished;
use crate::witness::{Witness, WitnessBody, WitnessObject, WitnessValue};
use dalang_classes::{ClassId, FieldId, Primitive};
use dalang_heap::{Body, InputId, Reference, Resolution, Step, Value};
use dalang_interp::{Machine, State};
use dalang_solver::{Answer, Layers, Limits, PathCondition, Query, Solver};
use dalang_term::{Assignment, Evaluation, Pool, SymbolId, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

impl<'p> Explorer<'p> {
    /// Inputs on which the program goes the way of a path; none if the solver finds none in time.
    pub(crate) fn witness(&mut self, node: &Node<'p>, parameters: &[InputId]) -> Option<Witness> {
        let conjuncts = node.condition.conjuncts();
        let pool = &self.machine.pool;
        let mut path = PathCondition::new();
        for &conjunct in &conjuncts {
            path = path.and(pool, conjunct);
        }
        let (time, until) = (self.config.query_time, self.deadline);
        let limits = Limits { time, until, ..Limits::default() };
        let mut solver = Solver::builtin(Layers::ALL, limits);
        let query = Query::new(pool, &path, Pool::TRUE);
        let Answer::Sat(assignment) = solver.check(pool, &query) else { return None };
        let assignment = self.smaller(&conjuncts, assignment);
        let constants = self.open_constants(&node.state)?;
        let mut building = Building {
            machine: &self.machine,
            state: &node.state,
            values: Evaluation::new(assignment),
            numbers: FxHashMap::default(),
            waiting: Vec::new(),
            objects: Vec::new(),
            constants,
        };
        Some(building.build(parameters))
    }

    /// A constant for each class of an enum of which some input is, without that it was decided
    /// which constant it is. None if there is no time to initialize an enum.
    fn open_constants(&mut self, state: &State<'p>) -> Option<FxHashMap<ClassId, String>> {
        let mut constants = FxHashMap::default();
        for &(_, resolution) in state.knowledge.resolutions() {
            let Resolution::Location(domain) = resolution else { continue };
            let Some(&class) = self.machine.unknowns.domains.classes(domain).first() else {
                continue;
            };
            if !self.machine.is_enum(class) {
                continue;
            }
            match self.first_constant(class) {
                Ok(Some(name)) => {
                    constants.insert(class, name);
                }
                Err(Unfinished::Late) => return None,
                Ok(None) | Err(Unfinished::Failed(_)) => {}
            }
        }
        Some(constants)
    }

    /// The same values, made small where the constraints leave the choice and there is time.
    fn smaller(&self, conjuncts: &[TermId], mut assignment: Assignment) -> Assignment {
        let pool = &self.machine.pool;
        let symbols: Vec<(SymbolId, u64)> = assignment.iter().collect();
        let holds = |assignment: &Assignment, symbol: SymbolId| {
            let mut evaluation = Evaluation::new(assignment.clone());
            let about = |term: &&TermId| pool.symbols_of(**term).contains(&symbol);
            conjuncts.iter().filter(about).all(|&term| evaluation.holds(pool, term))
        };
        for (symbol, bits) in symbols {
            if self.is_late() {
                break;
            }
            let input = self.machine.unknowns.inputs.of_symbol(symbol);
            let is_length = input.is_some_and(|input| {
                matches!(self.machine.unknowns.inputs.get(input).step, Step::Length(_))
            });
            let most = if is_length { bits.min(64) } else { 3.min(bits) };
            for candidate in 0..most {
                let mut changed = assignment.clone();
                changed.set(symbol, candidate);
                if holds(&changed, symbol) {
                    assignment = changed;
                    break;
                }
            }
        }
        assignment
    }
}

/// A witness that is being built.
struct Building<'a, 'p> {
    machine: &'a Machine<'p>,
    state: &'a State<'p>,
    values: Evaluation,
    numbers: FxHashMap<Origin, u32>,
    waiting: Vec<(u32, Origin)>,
    objects: Vec<Option<WitnessObject>>,
    /// A constant of each class of an enum that an input is known to be of, and no more.
    constants: FxHashMap<ClassId, String>,
}

/// What an object of a witness is made from.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Origin {
    /// An object in the heap of the path's end.
    Heap(Reference),
    /// An input of which only is known that it is some object of this class.
    Some(InputId, ClassId),
}

impl Building<'_, '_> {
    fn build(&mut self, parameters: &[InputId]) -> Witness {
        let mut inputs = Vec::new();
        for &input in parameters {
            let name = self.machine.unknowns.inputs.get(input).name.to_string();
            inputs.push((name, self.input(input)));
        }
        for &input in self.state.knowledge.asked() {
            let name = self.machine.unknowns.inputs.get(input).name.to_string();
            inputs.push((name, self.input(input)));
        }
        let mut next = 0;
        while next < self.waiting.len() {
            let (number, origin) = self.waiting[next];
            let object = self.object(origin);
            self.objects[number as usize - 1] = Some(object);
            next += 1;
        }
        Witness { inputs, objects: self.objects.drain(..).flatten().collect() }
    }

    /// The value of an input before the method runs.
    fn input(&mut self, id: InputId) -> WitnessValue {
        let input = self.machine.unknowns.inputs.get(id);
        let Some(primitive) = input.primitive else { return self.reference(id) };
        let bits = self.values.assignment().get(input.symbol);
        primitive_value(primitive, bits)
    }

    fn reference(&mut self, id: InputId) -> WitnessValue {
        match self.state.knowledge.resolution(id) {
            None | Some(Resolution::Null | Resolution::Maybe(_)) => WitnessValue::Null,
            Some(Resolution::Object(object)) => {
                let object = self.state.knowledge.representative(object);
                self.number(Origin::Heap(object))
            }
            Some(Resolution::Location(domain)) => {
                let classes = self.machine.unknowns.domains.classes(domain);
                match classes.first() {
                    Some(&class) => self.number(Origin::Some(id, class)),
                    None => WitnessValue::Null,
                }
            }
        }
    }

    fn number(&mut self, origin: Origin) -> WitnessValue {
        if let Some(&known) = self.numbers.get(&origin) {
            return WitnessValue::Object(known);
        }
        self.objects.push(None);
        let number = self.objects.len() as u32;
        self.numbers.insert(origin, number);
        self.waiting.push((number, origin));
        WitnessValue::Object(number)
    }

    fn object(&mut self, origin: Origin) -> WitnessObject {
        if let Origin::Some(_, class) = origin
            && let Some(name) = self.constants.get(&class)
        {
            let body = WitnessBody::Constant(name.clone());
            let host = self.machine.enum_host(class);
            return WitnessObject { class: self.machine.program.java_name(host), body };
        }
        let (class, input, reference) = match origin {
            Origin::Some(input, class) => (class, input, None),
            Origin::Heap(reference) => match self.state.knowledge.object(reference) {
                Some(symbolic) => {
                    let classes = self.machine.unknowns.domains.classes(symbolic.domain);
                    let class = classes.first().copied();
                    let class = class.unwrap_or_else(|| self.state.heap.class(reference));
                    (class, symbolic.input, Some(reference))
                }
                None => return self.constant(reference),
            },
        };
        let name = self.machine.program.class_spelling(class);
        let body = self.body(class, input, reference);
        WitnessObject { class: name, body }
    }

    /// An object that is there from the beginning: a constant of an enum.
    fn constant(&self, reference: Reference) -> WitnessObject {
        let program = self.machine.program;
        let class = self.state.heap.class(reference);
        let host = program.class(class).superclass.filter(|&c| program.class(c).flags.is_enum());
        let host = host.unwrap_or(class);
        let fields = program.class(host).static_fields.iter().copied();
        let holds = |&field: &FieldId| {
            self.machine.peek_static(self.state, field) == Some(Value::Reference(reference))
        };
        let name = fields.clone().find(holds).map(|field| program.field(field).name);
        let name = name.map_or(String::new(), |name| program.names().text(name).to_owned());
        WitnessObject { class: program.java_name(host), body: WitnessBody::Constant(name) }
    }

    fn body(
        &mut self,
        class: ClassId,
        input: InputId,
        reference: Option<Reference>,
    ) -> WitnessBody {
        let program = self.machine.program;
        let declared = program.class(class);
        if declared.is_array() {
            return self.array(reference);
        }
        if class == self.machine.known.string {
            return self.text(input);
        }
        if self.machine.unknowns.values.contains(&class) {
            let field =
                self.machine.slot(class, "value").map(|slot| declared.instance_fields[slot]);
            return WitnessBody::Boxed(match field {
                Some(field) => {
                    self.field(input, field).unwrap_or_else(|| zero(program.field(field).value))
                }
                None => WitnessValue::Null,
            });
        }
        let mut fields: Vec<(String, WitnessValue)> = Vec::new();
        for &field in &declared.instance_fields {
            let Some(value) = self.field(input, field) else { continue };
            let name = program.names().text(program.field(field).name);
            let hidden = declared.instance_fields.iter().any(|&other| {
                other != field && program.field(other).name == program.field(field).name
            });
            let name = if hidden {
                format!("{}.{name}", program.java_name(program.field(field).class))
            } else {
                name.to_owned()
            };
            fields.push((name, value));
        }
        WitnessBody::Fields(fields)
    }

    /// A field of an input object, if it matters.
    fn field(&mut self, object: InputId, field: FieldId) -> Option<WitnessValue> {
        let inputs = &self.machine.unknowns.inputs;
        let id = inputs.find(Step::Field(object, field))?;
        let input = inputs.get(id);
        if input.primitive.is_some() {
            let mattered =
                self.values.assignment().iter().any(|(symbol, _)| symbol == input.symbol);
            return mattered.then(|| self.input(id));
        }
        match self.state.knowledge.resolution(id) {
            None | Some(Resolution::Maybe(_)) => None,
            Some(_) => Some(self.reference(id)),
        }
    }

    fn array(&mut self, reference: Option<Reference>) -> WitnessBody {
        let elements = reference.and_then(|array| match &self.state.heap.object(array).body {
            Body::Elements(elements) => Some(std::rc::Rc::clone(elements)),
            _ => None,
        });
        let Some(elements) = elements else { return WitnessBody::Array(0, BTreeMap::new()) };
        let pool = &self.machine.pool;
        let length = self.values.value(pool, elements.length) as u32;
        let mut values = BTreeMap::new();
        for &read in &elements.read {
            let Step::Element(_, index) = self.machine.unknowns.inputs.get(read).step else {
                continue;
            };
            let index = self.values.value(pool, index) as u32;
            // Reads that fall together have the same value; the first that was made decides.
            if index < length && !values.contains_key(&index) {
                let value = self.input(read);
                values.insert(index, value);
            }
        }
        WitnessBody::Array(length, values)
    }

    /// A string: its length and its characters are inputs. Characters that do not matter are
    /// plain ones.
    fn text(&mut self, string: InputId) -> WitnessBody {
        let inputs = &self.machine.unknowns.inputs;
        let value = |input: InputId| {
            let symbol = inputs.get(input).symbol;
            let mut all = self.values.assignment().iter();
            all.find(|(assigned, _)| *assigned == symbol).map(|(_, bits)| bits)
        };
        let length = inputs.find(Step::Length(string)).and_then(value).unwrap_or(0);
        let units = inputs.text(string).iter().take(length as usize);
        let text = units.map(|&unit| value(unit).map_or(u16::from(b'a'), |bits| bits as u16));
        WitnessBody::Text(text.collect())
    }
}

fn primitive_value(primitive: Primitive, bits: u64) -> WitnessValue {
    match primitive {
        Primitive::Boolean => WitnessValue::Boolean(bits & 1 == 1),
        Primitive::Byte => WitnessValue::Integer(bits as i8 as i64),
        Primitive::Char => WitnessValue::Char(bits as u16),
        Primitive::Short => WitnessValue::Integer(bits as i16 as i64),
        Primitive::Int => WitnessValue::Integer(bits as i32 as i64),
        Primitive::Long => WitnessValue::Integer(bits as i64),
        Primitive::Float => WitnessValue::Float(f32::from_bits(bits as u32)),
        Primitive::Double => WitnessValue::Double(f64::from_bits(bits)),
    }
}

fn zero(value: dalang_classes::ValueType) -> WitnessValue {
    match value {
        dalang_classes::ValueType::Primitive(primitive) => primitive_value(primitive, 0),
        dalang_classes::ValueType::Reference(_) => WitnessValue::Null,
    }
}
