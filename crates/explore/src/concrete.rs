//! From a path to concrete inputs: values from a solver, made small, and the heap that they and the
//! path's decisions describe.
//!
//! The solver is a fresh one, so that the values do not depend on what was asked before. What the
//! path does not constrain is zero or null.

use crate::congruence::Congruence;
use crate::explorer::Explorer;
use crate::labels::{self, Labels};
use crate::path::Node;
use crate::replay::Unfinished;
use crate::start::limits;
use crate::values::{PLAIN, Search};
use crate::witness::{Global, GlobalStep, Witness, WitnessBody, WitnessObject, WitnessValue};
use dalang_classes::{ClassId, FieldId, Primitive};
use dalang_heap::{Body, DomainId, InputId, Reference, Resolution, Step, Value};
use dalang_interp::{Machine, State, Stop};
use dalang_solver::{Answer, Layers, PathCondition, Solver};
use dalang_term::{Assignment, Evaluation, Pool, SymbolId, TermId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

impl<'p> Explorer<'p> {
    /// Inputs on which the program goes the way of a path; none if the solver finds none in time. A stop if
    /// they would be objects that nobody here can make.
    pub(crate) fn witness(
        &mut self,
        node: &Node<'p>,
        parameters: &[InputId],
    ) -> Result<Option<Witness>, Stop> {
        let mut conjuncts = node.path.conjuncts();
        let unmakeable = self.unmakeable(&node.state, &conjuncts);
        for &input in &unmakeable {
            let null =
                self.machine.pool.eq(self.machine.unknowns.inputs.get(input).term, Pool::NULL);
            conjuncts.push(null);
        }
        conjuncts.extend(self.located(&node.state));
        let (mut path, mut congruence) =
            (PathCondition::new(), Congruence::of_witness(self.config.policy));
        for &conjunct in &conjuncts {
            path = path.and(&self.machine.pool, conjunct);
            congruence.note(&self.machine.pool, conjunct);
        }
        let limits = limits(&self.config, self.deadline, &self.machine.alarm);
        let mut solver = Solver::builtin(Layers::ALL, limits);
        let mut search = Search { path, congruence, state: &node.state, solver: &mut solver };
        match self.values_with(&mut search, Pool::TRUE) {
            Answer::Sat(assignment) => {
                let assignment = self.shortest(&mut search, assignment);
                let Search { congruence, .. } = search;
                if congruence.is_due() {
                    conjuncts.extend(self.ties(&node.state, &congruence, &assignment));
                }
                Ok(self.built(node, parameters, &conjuncts, &congruence, assignment))
            }
            Answer::Unsat if !unmakeable.is_empty() => {
                let declared = unmakeable.iter().map(|&input| self.declared(input));
                let declared: BTreeSet<String> = declared.collect();
                let declared: Vec<String> = declared.into_iter().collect();
                let what = format!("no class in view is a {}", declared.join(" or a "));
                Err(Stop::Unsupported(what.into()))
            }
            Answer::Unsat | Answer::Unknown(_) => Ok(None),
        }
    }

    /// That inputs which are objects from the start are not null, where a path leaves it to the values of
    /// symbols what references are: nothing on the path need have asked.
    fn located(&mut self, state: &State<'p>) -> Vec<TermId> {
        if !self.config.policy.keeps_references() {
            return Vec::new();
        }
        let Machine { pool, unknowns, .. } = &mut self.machine;
        let located = state.knowledge.resolutions().iter().filter_map(|&(input, resolution)| {
            matches!(resolution, Resolution::Location(_)).then_some(input)
        });
        let used = state.knowledge.objects().iter();
        let used = used.filter(|object| object.used == Pool::TRUE).map(|object| object.input);
        let inputs: BTreeSet<InputId> = located.chain(used).collect();
        let exists = |input: InputId| {
            let null = pool.eq(unknowns.inputs.get(input).term, Pool::NULL);
            pool.not(null)
        };
        inputs.into_iter().map(exists).collect()
    }

    /// The references that a path is about and that can only be null here: no class in view has their type.
    fn unmakeable(&mut self, state: &State<'p>, conjuncts: &[TermId]) -> Vec<InputId> {
        let symbols: BTreeSet<SymbolId> = conjuncts
            .iter()
            .flat_map(|&conjunct| self.machine.pool.symbols_of(conjunct).to_vec())
            .collect();
        let inputs = &self.machine.unknowns.inputs;
        let inputs = symbols.into_iter().filter_map(|symbol| inputs.of_symbol(symbol));
        let mut inputs: Vec<InputId> = inputs.collect();
        inputs.retain(|&input| {
            let known = self.machine.unknowns.inputs.get(input);
            let is_reference = known.primitive.is_none();
            is_reference
                && labels::known_domain(&mut self.machine, state, input) == Some(DomainId::EMPTY)
        });
        inputs
    }

    fn declared(&self, input: InputId) -> String {
        let input = self.machine.unknowns.inputs.get(input);
        let program = self.machine.program;
        input.class.map_or_else(
            || program.type_spelling(input.declared),
            |class| program.class_spelling(class),
        )
    }

    /// The inputs that have the values which a solver gave; none if there is no time to make them.
    fn built(
        &mut self,
        node: &Node<'p>,
        parameters: &[InputId],
        conjuncts: &[TermId],
        congruence: &Congruence,
        assignment: Assignment,
    ) -> Option<Witness> {
        let classes = self.class_choices(&node.state, &assignment);
        let found = assignment.clone();
        let assignment = self.smaller(conjuncts, assignment, &classes);
        let mut assignment = self.spelled_out(conjuncts, assignment);
        // What was made plainer may have made inputs one object that were none.
        let state = &node.state;
        if congruence.is_due() && self.twins(state, congruence, &assignment).is_broken() {
            assignment = found;
        }
        let first = self.twins(state, congruence, &assignment).into_first();
        let mut constants = self.open_constants(&node.state)?;
        let labels = Labels::new(&mut self.machine, &node.state, &assignment, &first);
        let kept = self.kept_objects(&node.state, &assignment);
        for class in labels.iter().flat_map(Labels::classes) {
            if self.machine.is_enum(class)
                && let Ok(Some(name)) = self.first_constant(class)
            {
                constants.insert(class, name);
            }
        }
        let mut building = Building {
            machine: &self.machine,
            state: &node.state,
            values: Evaluation::new(assignment),
            numbers: FxHashMap::default(),
            waiting: Vec::new(),
            objects: Vec::new(),
            constants,
            kept,
            labels,
        };
        Some(building.build(parameters))
    }

    /// The objects that static fields lead to and that inputs are, by their values.
    fn kept_objects(
        &mut self,
        state: &State<'p>,
        assignment: &Assignment,
    ) -> FxHashMap<InputId, Reference> {
        let mut kept = FxHashMap::default();
        for held in state.knowledge.held().iter().filter(|held| held.escapes) {
            let number = held.object.number();
            for (symbol, bits) in assignment.iter() {
                let machine = &mut self.machine;
                let Some(input) = machine.unknowns.inputs.of_symbol(symbol) else { continue };
                if bits != u64::from(number)
                    || machine.unknowns.inputs.get(input).primitive.is_some()
                {
                    continue;
                }
                // Where nothing compared the two, equal values mean nothing.
                let place = machine.pool.identity(number);
                let equal = machine.pool.eq(machine.unknowns.inputs.get(input).term, place);
                if state.knowledge.is_tied(equal) {
                    kept.insert(input, held.object);
                }
            }
        }
        kept
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
                Err(Unfinished::Late(_)) => return None,
                Ok(None) | Err(Unfinished::Failed(_) | Unfinished::Unfit(_)) => {}
            }
        }
        Some(constants)
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
    /// Inputs that are objects which static fields lead to, where the path does not say.
    kept: FxHashMap<InputId, Reference>,
    /// Which inputs are one object, where the path does not say.
    labels: Option<Labels>,
}

/// What an object of a witness is made from.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Origin {
    /// An object in the heap of the path's end.
    Heap(Reference),
    /// An input of which only is known that it is some object of this class.
    Some(InputId, ClassId),
    /// A group of inputs.
    Group(usize),
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
        let statics = self.statics();
        let mut next = 0;
        while next < self.waiting.len() {
            let (number, origin) = self.waiting[next];
            let object = self.object(origin);
            self.objects[number as usize - 1] = Some(object);
            next += 1;
        }
        let stdin = self.state.supplied.then(|| self.stdin());
        Witness { inputs, statics, stdin, objects: self.objects.drain(..).flatten().collect() }
    }

    /// Standard input. Bytes that do not matter are plain ones.
    fn stdin(&self) -> Vec<u8> {
        let inputs = &self.machine.unknowns.inputs;
        let value = |input: InputId| {
            let symbol = inputs.get(input).symbol;
            let mut all = self.values.assignment().iter();
            all.find(|(assigned, _)| *assigned == symbol).map(|(_, bits)| bits)
        };
        let length = inputs.find(Step::Supply).and_then(value).unwrap_or(0);
        let byte = |place| inputs.find(Step::Supplied(place)).and_then(value);
        (0..length as u32).map(|place| byte(place).map_or(PLAIN as u8, |bits| bits as u8)).collect()
    }

    /// The static fields that matter, and what matters of the objects that they keep.
    fn statics(&mut self) -> Vec<(Global, WitnessValue)> {
        let opened = self.state.opened.iter();
        let known = opened.filter_map(|&input| Some((self.global(input)?, input)));
        let mut known: Vec<(Global, InputId)> = known.collect();
        known.sort_by_key(|(field, _)| field.to_string());
        let value = |(field, input)| Some((field, self.mattering(input)?));
        known.into_iter().filter_map(value).collect()
    }

    /// The way from a static field to an input.
    fn global(&self, input: InputId) -> Option<Global> {
        let program = self.machine.program;
        let spelled = |field: FieldId| {
            let declared = program.field(field);
            let name = program.names().text(declared.name).to_owned();
            (program.java_name(declared.class), name)
        };
        let (owner, step) = match self.machine.unknowns.inputs.get(input).step {
            Step::Static(field) => {
                let (class, field) = spelled(field);
                return Some(Global { class, field, way: Vec::new() });
            }
            Step::Field(owner, field) => {
                let (class, field) = spelled(field);
                (owner, GlobalStep::Field(class, field))
            }
            Step::Element(owner, index, kind) => {
                let index = self.machine.pool.bits(index)? as u32;
                (owner, GlobalStep::Element(index, kind))
            }
            _ => return None,
        };
        let mut global = self.global(owner)?;
        global.way.push(step);
        Some(global)
    }

    /// The value of an input before the method runs.
    fn input(&mut self, id: InputId) -> WitnessValue {
        let input = self.machine.unknowns.inputs.get(id);
        let Some(primitive) = input.primitive else { return self.reference(id) };
        let bits = self.values.assignment().get(input.symbol);
        primitive_value(primitive, bits)
    }

    /// An input reference, by its value.
    fn labelled(&mut self, labels: &Labels, id: InputId) -> Option<WitnessValue> {
        if let Some(group) = labels.group(id) {
            let kept = labels.members(group).iter().find_map(|input| self.kept.get(input));
            if let Some(&object) = kept {
                return Some(self.number(Origin::Heap(object)));
            }
            let value = labels::value(self.machine, self.values.assignment(), id);
            let class = labels.class(group);
            if let Some(class) = class.filter(|&class| self.machine.is_enum(class)) {
                let place = Reference::new(value as u32);
                let found = self.state.heap.find(place);
                let host = self.machine.enum_host(class);
                let is_one = found.is_some_and(|one| self.machine.enum_host(one.class) == host);
                // Where nothing was compared with the constants, any of them will do.
                let any = Origin::Some(labels.first(group), class);
                return Some(self.number(if is_one { Origin::Heap(place) } else { any }));
            }
            return Some(self.number(Origin::Group(group)));
        }
        // What must not be null is an object, even if nothing depends on which.
        let located = matches!(
            self.state.knowledge.resolution(id),
            Some(Resolution::Location(_) | Resolution::Null | Resolution::Object(_))
        );
        (!located).then_some(WitnessValue::Null)
    }

    fn reference(&mut self, id: InputId) -> WitnessValue {
        if let Some(labels) = self.labels.take() {
            let found = self.labelled(&labels, id);
            self.labels = Some(labels);
            if let Some(found) = found {
                return found;
            }
        }
        match self.state.knowledge.resolution(id) {
            None | Some(Resolution::Null | Resolution::Maybe(_) | Resolution::Bound(_)) => {
                WitnessValue::Null
            }
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

    /// The object of a group of inputs.
    fn group(&mut self, group: usize) -> WitnessObject {
        let labels = self.labels.as_ref();
        let class = labels.and_then(|labels| labels.class(group));
        let telling = labels.map(|labels| self.telling(labels, group));
        let place = labels.and_then(|labels| labels.place(self.machine, self.state, group));
        let (Some(class), Some(telling)) = (class, telling) else {
            let class = "java.lang.Object".to_owned();
            return WitnessObject { class, body: WitnessBody::Fields(Vec::new()) };
        };
        let name = self.machine.program.class_spelling(class);
        WitnessObject { class: name, body: self.body(class, telling, place) }
    }

    /// The input of a group by way of which the path knows the value of a box or string. Nobody reads such
    /// a value by way of all inputs that are the same.
    fn telling(&self, labels: &Labels, group: usize) -> InputId {
        let inputs = &self.machine.unknowns.inputs;
        let has_value = |input: InputId| {
            let symbol = inputs.get(input).symbol;
            self.values.assignment().iter().any(|(assigned, _)| assigned == symbol)
        };
        let tells = |input: &&InputId| {
            let value = self.machine.unknowns.values.iter().find_map(|&class| {
                let slot = self.machine.slot(class, "value")?;
                let field = self.machine.program.class(class).instance_fields[slot];
                inputs.find(Step::Field(**input, field)).filter(|&value| has_value(value))
            });
            let length = inputs.find(Step::Characters(**input));
            value.is_some() || length.is_some_and(has_value)
        };
        labels.members(group).iter().find(tells).copied().unwrap_or(labels.first(group))
    }

    fn object(&mut self, origin: Origin) -> WitnessObject {
        if let Origin::Group(group) = origin {
            return self.group(group);
        }
        if let Origin::Some(_, class) = origin
            && let Some(name) = self.constants.get(&class)
        {
            let body = WitnessBody::Constant(name.clone());
            let host = self.machine.enum_host(class);
            return WitnessObject { class: self.machine.program.java_name(host), body };
        }
        let (class, input, reference) = match origin {
            Origin::Group(_) => unreachable!("a group was made above"),
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

    /// An object that is there from the beginning: what a static field leads to, or a constant of an
    /// enum.
    fn constant(&self, reference: Reference) -> WitnessObject {
        let program = self.machine.program;
        let class = self.state.heap.class(reference);
        let held = self.state.knowledge.holding(reference);
        if let Some(global) = held.and_then(|held| self.global(held.input)) {
            let class = program.class_spelling(class);
            return WitnessObject { class, body: WitnessBody::Static(global) };
        }
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
            let text = self.text(input);
            return if self.is_kept(reference, input) {
                WitnessBody::Interned(text)
            } else {
                WitnessBody::Text(text)
            };
        }
        if self.machine.unknowns.values.contains(&class) {
            let field =
                self.machine.slot(class, "value").map(|slot| declared.instance_fields[slot]);
            let value = match field {
                Some(field) => {
                    let known = self.machine.unknowns.inputs.find(Step::Field(input, field));
                    let value = known.and_then(|known| self.mattering(known));
                    value.unwrap_or_else(|| zero(program.field(field).value))
                }
                None => WitnessValue::Null,
            };
            return if self.is_kept(reference, input) && is_small(&value) {
                WitnessBody::Cached(value)
            } else {
                WitnessBody::Boxed(value)
            };
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
        let grouped = self.labels.as_ref().and_then(|labels| Some((labels, labels.group(object)?)));
        let id = match grouped {
            Some((labels, group)) => labels.field(self.machine, self.state, group, field)?,
            None => inputs.find(Step::Field(object, field))?,
        };
        self.mattering(id)
    }

    /// The value of an input, if it matters.
    fn mattering(&mut self, id: InputId) -> Option<WitnessValue> {
        let input = self.machine.unknowns.inputs.get(id);
        if input.primitive.is_some() {
            let mattered =
                self.values.assignment().iter().any(|(symbol, _)| symbol == input.symbol);
            return mattered.then(|| self.input(id));
        }
        if let Some(labels) = &self.labels {
            // Null is worth telling where the path depends on it.
            let (symbol, grouped) = (input.symbol, labels.group(id).is_some());
            let matters = grouped || self.values.assignment().iter().any(|one| one.0 == symbol);
            return matters.then(|| self.reference(id));
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
            let Step::Element(_, index, _) = self.machine.unknowns.inputs.get(read).step else {
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
    fn text(&self, string: InputId) -> Vec<u16> {
        let inputs = &self.machine.unknowns.inputs;
        let value = |input: InputId| {
            let symbol = inputs.get(input).symbol;
            let mut all = self.values.assignment().iter();
            all.find(|(assigned, _)| *assigned == symbol).map(|(_, bits)| bits)
        };
        let length = inputs.find(Step::Characters(string)).and_then(value).unwrap_or(0);
        let units = inputs.text(string).iter().take(length as usize);
        let text = units.map(|&unit| value(unit).map_or(PLAIN, |bits| bits as u16));
        text.collect()
    }

    /// Whether an object of a value class is the one that the library keeps for its value.
    fn is_kept(&self, reference: Option<Reference>, input: InputId) -> bool {
        let inputs = &self.machine.unknowns.inputs;
        reference.is_some_and(|object| self.state.knowledge.is_compared(object))
            && inputs.find(Step::Identity(input)).is_some_and(|identity| {
                self.values.assignment().get(inputs.get(identity).symbol) == 0
            })
    }
}

/// Whether the library keeps boxes of a value.
fn is_small(value: &WitnessValue) -> bool {
    match *value {
        WitnessValue::Boolean(_) => true,
        WitnessValue::Integer(value) => (-128..=127).contains(&value),
        WitnessValue::Char(value) => value <= 127,
        _ => false,
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
