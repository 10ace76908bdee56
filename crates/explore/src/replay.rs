//! Running a method on concrete inputs: does a path's witness go its way?

use crate::entry::{self, Entry};
use crate::explorer::{Explorer, stop_kind};
use crate::finish::{Class, Ending};
use crate::ledger::Ledger;
use crate::outcome::{Outcome, OutcomeKind, Replay, StopKind};
use crate::path::Node;
use crate::witness::{Global, GlobalStep, Witness, WitnessBody, WitnessObject, WitnessValue};
use dalang_classes::{ClassId, FieldId, Shape, ValueType};
use dalang_heap::{Reference, Value};
use dalang_interp::{Flow, Hop, Preset, State, Step, Stop, Way};
use std::time::Instant;

/// A run that takes longer than this does not end, for all we know.
const LONGEST: u64 = 200_000_000;

/// How many instructions are executed before the clock is looked at again.
const SLICE: u64 = 200_000;

/// Why a concrete run did not come to its end.
pub(crate) enum Unfinished {
    /// The time or the memory of the method was up.
    Late(StopKind),
    /// The inputs cannot be made, or something stopped the run.
    Failed(String),
    /// The inputs may not exist: the initializer of a class that one of them is of fails.
    Unfit(Stop),
}

impl From<String> for Unfinished {
    fn from(why: String) -> Self {
        Self::Failed(why)
    }
}

/// How a concrete run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConcreteRun {
    /// What the ending counts as.
    pub kind: OutcomeKind,
    /// The class of the exception that ended it.
    pub exception: Option<String>,
    /// A fingerprint of the way it went: [`Outcome::trace`].
    pub trace: u64,
    /// What was returned, for people.
    pub value: Option<String>,
}

impl<'p> Explorer<'p> {
    /// Runs a method on concrete inputs.
    ///
    /// # Errors
    /// The inputs cannot be made, or the run was stopped: why.
    pub fn run_on(&mut self, entry: Entry, witness: &Witness) -> Result<ConcreteRun, String> {
        let (state, ending) =
            self.concrete(entry, witness, true).map_err(|unfinished| match unfinished {
                Unfinished::Late(StopKind::Memory) => "the memory does not suffice".to_owned(),
                Unfinished::Late(_) => "the time was up".to_owned(),
                Unfinished::Failed(why) => why,
                Unfinished::Unfit(stop) => stop.to_string(),
            })?;
        let class = self.classify(&state, &ending);
        let value = match ending {
            Ending::Outcome(dalang_interp::Outcome::Returned(Some(value))) => Some(match value {
                Value::Reference(reference) => {
                    if reference.is_null() {
                        "null".into()
                    } else {
                        "an object".to_owned()
                    }
                }
                other => format!("{other:?}"),
            }),
            _ => None,
        };
        let trace = state.track.trace;
        Ok(ConcreteRun { kind: class.kind, exception: class.exception, trace, value })
    }

    /// Runs a path's witness, and notes whether it went the path's way; gives why the path stops instead, if
    /// there may be no such input.
    pub(crate) fn confirm(
        &mut self,
        ledger: &Ledger,
        node: &Node<'p>,
        class: &Class,
        outcome: &mut Outcome,
    ) -> Option<Stop> {
        let witness = outcome.witness.as_ref()?;
        let (state, ending) = match self.concrete(ledger.entry, witness, class.kind.is_endless()) {
            Ok(ended) => ended,
            // Nothing is known then, and nothing is claimed.
            Err(Unfinished::Late(kind)) => {
                self.hindrance = Some(kind);
                return None;
            }
            Err(Unfinished::Failed(_)) => {
                outcome.replay = Replay::Refuted;
                return None;
            }
            Err(Unfinished::Unfit(stop)) => return Some(stop),
        };
        // A witness that goes wrong elsewhere does not show what was claimed.
        let same = self.classify(&state, &ending) == *class
            && (class.kind.is_endless() || self.ended_at(&state, &ending) == outcome.at)
            && (!self.config.retrace
                || class.kind.is_endless()
                || state.track.trace == node.state.track.trace);
        outcome.replay = if same { Replay::Confirmed } else { Replay::Refuted };
        if same && let Ending::Outcome(dalang_interp::Outcome::Threw(exception)) = ending {
            // Concrete values make the message that Java would show.
            outcome.message = self.message(&state, exception).or(outcome.message.take());
        }
        None
    }

    /// Whether the time of the method that is explored is up.
    pub(crate) fn is_late(&self) -> bool {
        self.machine.alarm.rings()
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Runs a state without symbols, as long as there is time and memory. Garbage is collected once all
    /// that was made for the run is in its place.
    fn run_concretely(
        &mut self,
        state: &mut State<'p>,
        is_complete: bool,
    ) -> Result<Step, Unfinished> {
        let mut left = LONGEST;
        loop {
            let before = state.instructions;
            match self.machine.run(state, &Way::default(), SLICE) {
                Step::Paused if self.is_late() => return Err(Unfinished::Late(StopKind::Time)),
                Step::Stopped(stop @ (Stop::Alarm | Stop::Late | Stop::Memory(_))) => {
                    return Err(Unfinished::Late(stop_kind(&stop)));
                }
                Step::Paused => {
                    if !self.machine.is_collection_due(state) {
                    } else if !is_complete {
                        state.postpone_collection();
                    } else if self.machine.collect(state, &[]).is_err() {
                        return Err(Unfinished::Late(StopKind::Memory));
                    }
                }
                step => return Ok(step),
            }
            left = left.saturating_sub(state.instructions - before);
            if left == 0 {
                return Ok(Step::Paused);
            }
        }
    }

    fn concrete(
        &mut self,
        entry: Entry,
        witness: &Witness,
        looks_at_loops: bool,
    ) -> Result<(State<'p>, Ending), Unfinished> {
        let mut state = self.ready.clone();
        state.heap.part();
        let mut places = Vec::new();
        for object in &witness.objects {
            places.push(self.allocate(&mut state, object)?);
        }
        for (object, &place) in witness.objects.iter().zip(&places) {
            self.fill(&mut state, object, place, &places)?;
        }
        for &place in &places {
            let class = state.heap.class(place);
            self.machine.bring_up_later(&mut state, class);
        }
        let method = self.machine.program.method(entry.method());
        let mut kinds: Vec<ValueType> = Vec::new();
        let made = entry::made(&mut self.machine, &mut state, entry.method());
        let made = made.map_err(|stop| stop.to_string())?;
        if !method.flags.is_static() && made.is_none() {
            kinds.push(ValueType::Reference(self.machine.program.class(method.class).name));
        }
        kinds.extend(method.signature.parameters.iter().copied());
        let mut arguments: Vec<Value> = made.into_iter().map(Value::from).collect();
        let mut given = witness.inputs.iter();
        for (kind, (_, value)) in kinds.iter().zip(given.by_ref()) {
            arguments.push(concrete_value(value, *kind, &places)?);
        }
        let script: Vec<WitnessValue> = given.map(|(_, value)| value.clone()).collect();
        let script: Result<Vec<Value>, String> =
            script.iter().map(|value| scripted(value, &places)).collect();
        state.given = Some(script?.into());
        state.supply = Some(witness.stdin.clone().unwrap_or_default().into());
        let preset = self.preset(witness, &places)?;
        self.machine.preset(&mut state, preset);
        state.track.on = true;
        state.track.loops = looks_at_loops;
        let started = self.machine.start(&mut state, entry.method(), &arguments);
        started.map_err(|stop| stop.to_string())?;
        match self.run_concretely(&mut state, true)? {
            Step::Ended(outcome) => Ok((state, Ending::Outcome(outcome))),
            Step::Exited(code) => Ok((state, Ending::Exit(code))),
            Step::Violated(message) => Ok((state, Ending::Check(message))),
            Step::Diverged => Ok((state, Ending::Diverges)),
            Step::Stopped(stop) if self.is_unfit(&state, &places, &stop) => {
                Err(Unfinished::Unfit(stop))
            }
            other => Err(Unfinished::Failed(format!("{other:?}"))),
        }
    }

    /// Whether a run stopped because the initializer of an input's class fails.
    fn is_unfit(&self, state: &State<'p>, places: &[Reference], stop: &Stop) -> bool {
        let Stop::Unsupported(what) = stop else { return false };
        let is_it = |class| matches!(self.machine.unfit_for_inputs(class), Stop::Unsupported(why) if why == *what);
        places.iter().any(|&place| is_it(state.heap.class(place)))
    }

    /// What static fields, and what they lead to, hold when the method begins.
    fn preset(&self, witness: &Witness, places: &[Reference]) -> Result<Vec<Preset>, String> {
        let mut preset = Vec::with_capacity(witness.statics.len());
        for (global, value) in &witness.statics {
            let (field, way, kind) = self.way_to(global)?;
            preset.push(Preset { field, way, value: concrete_value(value, kind, places)? });
        }
        Ok(preset)
    }

    /// The static field, the way from there, and the type of what is at its end.
    fn way_to(&self, global: &Global) -> Result<(FieldId, Vec<Hop>, ValueType), String> {
        let program = self.machine.program;
        let class = self.class_named(&global.class)?;
        let field = value_of(self.machine.static_field(class, &global.field))?;
        let mut kind = program.field(field).value;
        let mut way = Vec::with_capacity(global.way.len());
        for step in &global.way {
            way.push(match step {
                GlobalStep::Field(class, name) => {
                    let class = self.class_named(class)?;
                    let mut fields = program.class(class).fields();
                    let is_one = |&id: &FieldId| {
                        let field = program.field(id);
                        program.names().text(field.name) == name && !field.flags.is_static()
                    };
                    let field = fields.find(is_one).ok_or_else(|| format!("no field {name}"))?;
                    kind = program.field(field).value;
                    Hop::Field(field)
                }
                GlobalStep::Element(index, of) => {
                    if let Some(primitive) = *of {
                        kind = ValueType::Primitive(primitive);
                    } else if let Ok(class) = program.class_of_type(kind) {
                        kind = self.machine.element_type(class);
                    }
                    Hop::Element(*index)
                }
            });
        }
        Ok((field, way, kind))
    }

    /// The object that a static field leads to, whose class is initialized for it.
    fn kept(&mut self, state: &mut State<'p>, global: &Global) -> Result<Reference, Unfinished> {
        let (field, way, _) = self.way_to(global)?;
        let class = self.machine.program.field(field).class;
        if self.machine.start_class(state, class) {
            match self.run_concretely(state, false)? {
                Step::Ended(dalang_interp::Outcome::Returned(_)) => {}
                _ => return Err(format!("{global}: its class cannot be initialized").into()),
            }
        }
        match self.machine.object_at(state, field, &way) {
            Some(object) => Ok(object),
            None => Err(format!("{global} holds no object").into()),
        }
    }

    fn allocate(
        &mut self,
        state: &mut State<'p>,
        object: &WitnessObject,
    ) -> Result<Reference, Unfinished> {
        let class = self.class_named(&object.class)?;
        Ok(match &object.body {
            WitnessBody::Array(length, _) => {
                value_of(self.machine.allocate_array(state, class, *length as usize))?
            }
            WitnessBody::Text(text) => value_of(self.machine.new_utf16(state, text))?,
            WitnessBody::Interned(text) => value_of(self.machine.intern_utf16(state, text))?,
            WitnessBody::Cached(value) => self.cached(state, class, value)?,
            WitnessBody::Constant(name) => self.constant(state, class, name)?,
            WitnessBody::Static(global) => self.kept(state, global)?,
            WitnessBody::Fields(_) | WitnessBody::Boxed(_) => {
                value_of(self.machine.allocate(state, class, 0))?
            }
        })
    }

    fn class_named(&self, name: &str) -> Result<ClassId, String> {
        let (element, dimensions) = match name.find('[') {
            Some(at) => (&name[..at], name[at..].len() / 2),
            None => (name, 0),
        };
        let program = self.machine.program;
        let primitive = dalang_classes::Primitive::ALL.iter().find(|p| p.keyword() == element);
        let mut class = match primitive {
            Some(&primitive) => program.primitive(Some(primitive)),
            None => program.load(&element.replace('.', "/")).map_err(|e| e.message.to_string())?,
        };
        for _ in 0..dimensions {
            class = program.array_of(class).map_err(|failure| failure.message.to_string())?;
        }
        Ok(class)
    }

    /// A constant of an enum, whose class is initialized for it.
    fn constant(
        &mut self,
        state: &mut State<'p>,
        class: ClassId,
        name: &str,
    ) -> Result<Reference, Unfinished> {
        self.initialize_enum(state, class)?;
        let Flow::Continue(field) = self.machine.static_field(class, name) else {
            return Err(format!("there is no constant {name}").into());
        };
        match self.machine.peek_static(state, field) {
            Some(Value::Reference(constant)) => Ok(constant),
            _ => Err(format!("the constant {name} has no value").into()),
        }
    }

    /// The box of a value that the library keeps.
    fn cached(
        &mut self,
        state: &mut State<'p>,
        class: ClassId,
        value: &WitnessValue,
    ) -> Result<Reference, Unfinished> {
        let program = self.machine.program;
        let spelled = program.names().text(program.class(class).name);
        let slot =
            self.machine.slot(class, "value").ok_or_else(|| "a box without a value".to_owned())?;
        let kind = program.field(program.class(class).instance_fields[slot]).value;
        let ValueType::Primitive(primitive) = kind else {
            return Err(format!("{spelled} is no box").into());
        };
        let descriptor = format!("({})L{spelled};", primitive.letter());
        let Flow::Continue(method) = self.machine.method(class, "valueOf", &descriptor) else {
            return Err(format!("{spelled} has no valueOf").into());
        };
        let value = concrete_value(value, kind, &[])?;
        self.machine.start(state, method, &[value]).map_err(|stop| stop.to_string())?;
        match self.run_concretely(state, false)? {
            Step::Ended(dalang_interp::Outcome::Returned(Some(Value::Reference(made)))) => Ok(made),
            other => Err(format!("{spelled}.valueOf: {other:?}").into()),
        }
    }

    /// Runs a state until an enum is initialized.
    fn initialize_enum(&mut self, state: &mut State<'p>, class: ClassId) -> Result<(), Unfinished> {
        let spelled = self.machine.program.names().text(self.machine.program.class(class).name);
        let values = self.machine.method(class, "values", &format!("()[L{spelled};"));
        let Flow::Continue(values) = values else {
            return Err(format!("{spelled} is no enum").into());
        };
        self.machine.start(state, values, &[]).map_err(|stop| stop.to_string())?;
        match self.run_concretely(state, false)? {
            Step::Ended(dalang_interp::Outcome::Returned(_)) => Ok(()),
            _ => Err(format!("{spelled} cannot be initialized").into()),
        }
    }

    /// The first constant of an enum that is of exactly this class.
    pub(crate) fn first_constant(&mut self, class: ClassId) -> Result<Option<String>, Unfinished> {
        let host = self.machine.enum_host(class);
        let mut state = self.ready.clone();
        state.heap.part();
        self.initialize_enum(&mut state, host)?;
        let program = self.machine.program;
        let fields = program.class(host).static_fields.iter().copied();
        let mut constants = fields.filter(|&field| program.field(field).flags.is_enum());
        let is_one = |&field: &dalang_classes::FieldId| {
            let value = self.machine.peek_static(&state, field);
            matches!(value, Some(Value::Reference(one))
                if !one.is_null() && state.heap.class(one) == class)
        };
        let constant = constants.find(is_one).map(|field| program.field(field).name);
        Ok(constant.map(|name| program.names().text(name).to_owned()))
    }

    fn fill(
        &mut self,
        state: &mut State<'p>,
        object: &WitnessObject,
        place: Reference,
        places: &[Reference],
    ) -> Result<(), String> {
        let class = state.heap.class(place);
        match &object.body {
            WitnessBody::Text(_)
            | WitnessBody::Interned(_)
            | WitnessBody::Cached(_)
            | WitnessBody::Constant(_)
            | WitnessBody::Static(_) => Ok(()),
            WitnessBody::Boxed(value) => self.set(state, place, class, "value", value, places),
            WitnessBody::Fields(fields) => {
                for (name, value) in fields {
                    self.set(state, place, class, name, value, places)?;
                }
                Ok(())
            }
            WitnessBody::Array(_, values) => {
                let Shape::Array { component, .. } = self.machine.program.class(class).shape else {
                    return Err("an array of a class that is none".to_owned());
                };
                let kind = match self.machine.program.class(component).shape {
                    Shape::Primitive(Some(primitive)) => ValueType::Primitive(primitive),
                    _ => ValueType::Reference(self.machine.program.class(component).name),
                };
                for (&index, value) in values {
                    let value = concrete_value(value, kind, places)?;
                    if !state.heap.set(place, index as usize, value) {
                        return Err(format!("no element {index}"));
                    }
                }
                Ok(())
            }
        }
    }

    fn set(
        &mut self,
        state: &mut State<'p>,
        place: Reference,
        class: ClassId,
        name: &str,
        value: &WitnessValue,
        places: &[Reference],
    ) -> Result<(), String> {
        let program = self.machine.program;
        let (owner, name) = match name.rsplit_once('.') {
            Some((owner, name)) => (Some(owner), name),
            None => (None, name),
        };
        let fields = &program.class(class).instance_fields;
        let slot = fields.iter().rposition(|&field| {
            let field = program.field(field);
            program.names().text(field.name) == name
                && owner.is_none_or(|owner| program.java_name(field.class) == owner)
        });
        let Some(slot) = slot else { return Err(format!("no field {name}")) };
        let value = concrete_value(value, program.field(fields[slot]).value, places)?;
        if state.heap.set(place, slot, value) { Ok(()) } else { Err(format!("no field {name}")) }
    }
}

fn value_of<T>(flow: Flow<T>) -> Result<T, String> {
    match flow {
        Flow::Continue(value) => Ok(value),
        Flow::Break(interrupt) => Err(format!("{interrupt:?}")),
    }
}

fn concrete_value(
    value: &WitnessValue,
    kind: ValueType,
    places: &[Reference],
) -> Result<Value, String> {
    use dalang_classes::Primitive;
    let is_long = kind == ValueType::Primitive(Primitive::Long);
    Ok(match *value {
        WitnessValue::Null => Value::NULL,
        WitnessValue::Boolean(value) => Value::boolean(value),
        WitnessValue::Char(value) => Value::Int(value.into()),
        WitnessValue::Integer(value) if is_long => Value::Long(value),
        WitnessValue::Integer(value) => Value::Int(value as i32),
        WitnessValue::Float(value) => Value::Float(value),
        WitnessValue::Double(value) => Value::Double(value),
        WitnessValue::Object(number) => {
            let place = (number as usize).checked_sub(1).and_then(|place| places.get(place));
            Value::Reference(*place.ok_or_else(|| format!("no object #{number}"))?)
        }
    })
}

/// A value that the program will ask for; who asks knows its type.
fn scripted(value: &WitnessValue, places: &[Reference]) -> Result<Value, String> {
    let kind = ValueType::Primitive(dalang_classes::Primitive::Long);
    concrete_value(value, kind, places)
}
