//! The first state of an exploration: a method, called with inputs.

use crate::config::Statics;
use crate::path::Node;
use dalang_classes::{ClassId, MethodId, ValueType};
use dalang_heap::{DomainId, Effect, Facts, InputId, Value};
use dalang_interp::{Globals, Machine, State, Stop};

/// Where an exploration begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A method, whose receiver and parameters are inputs.
    Method(MethodId),
    /// `main`, as `java` would call it without arguments; inputs are only what the program asks
    /// for.
    Main(MethodId),
}

impl Entry {
    /// The method.
    pub const fn method(self) -> MethodId {
        match self {
            Self::Method(method) | Self::Main(method) => method,
        }
    }
}

/// The state before the method runs, from one in which the library is ready; and its parameters.
pub(crate) fn begin<'p>(
    machine: &mut Machine<'p>,
    ready: &State<'p>,
    entry: Entry,
    statics: Statics,
) -> Result<(Node<'p>, Vec<InputId>), Stop> {
    // A whole program is explored by the rules of those who made such programs comparable.
    machine.settings.competition = matches!(entry, Entry::Main(_));
    machine.settings.globals = match (entry, statics) {
        (Entry::Main(_), _) => Globals::Fresh,
        (Entry::Method(_), Statics::Initialized) => Globals::Initialized,
        (Entry::Method(_), Statics::Auto) => Globals::Inputs,
    };
    let mut node = Node::new(ready.clone());
    node.state.knowledge.begin();
    node.state.track.on = true;
    let objects = node.state.heap.len();
    node.state.track.begin(objects);
    node.state.track.base = node.state.frames().len();
    node.state.track.watched = Some(entry.method());
    let (arguments, inputs) = match entry {
        Entry::Method(method) => arguments(machine, &mut node, method)?,
        Entry::Main(method) => (strings(machine, &mut node, method)?, Vec::new()),
    };
    machine.start(&mut node.state, entry.method(), &arguments)?;
    Ok((node, inputs))
}

fn arguments<'p>(
    machine: &mut Machine<'p>,
    node: &mut Node<'p>,
    id: MethodId,
) -> Result<(Vec<Value>, Vec<InputId>), Stop> {
    let method = machine.program.method(id);
    let mut types: Vec<(String, ValueType)> = Vec::new();
    if !method.flags.is_static() {
        let class = ValueType::Reference(machine.program.class(method.class).name);
        types.push(("this".to_owned(), class));
    }
    let names = machine.program.parameter_names(id);
    types.extend(names.into_iter().zip(method.signature.parameters.iter().copied()));
    let mut inputs = Vec::new();
    let mut values = Vec::new();
    for (place, (name, value)) in types.into_iter().enumerate() {
        let (inputs_table, pool) = (&mut machine.unknowns.inputs, &mut machine.pool);
        let input = inputs_table.parameter(machine.program, pool, place as u16, &name, value);
        let Some(input) = input else {
            let what = format!("a parameter of type {}", machine.program.type_spelling(value));
            return Err(Stop::Unsupported(what.into()));
        };
        inputs.push(input);
        values.push(Value::Term(machine.unknowns.inputs.get(input).term));
    }
    if !method.flags.is_static() {
        let facts = receiver(machine, node, id, inputs[0])?;
        node.learn(&machine.pool, &facts);
        values[0] = machine.known_value(&node.state, values[0]);
    }
    Ok((values, inputs))
}

/// The receiver is an object of its own, of a class that runs this very method.
fn receiver<'p>(
    machine: &mut Machine<'p>,
    node: &mut Node<'p>,
    id: MethodId,
    input: InputId,
) -> Result<Facts, Stop> {
    let class = machine.program.method(id).class;
    let domain = machine.unknowns.domains.below(machine.program, class);
    let classes = machine.unknowns.domains.classes(domain).clone();
    let runs =
        |&&class: &&ClassId| machine.program.select(class, id).is_ok_and(|found| found == id);
    let classes: Vec<ClassId> = classes.iter().filter(runs).copied().collect();
    let domain = machine.unknowns.domains.of(&classes);
    if domain == DomainId::EMPTY {
        let class = machine.program.class_spelling(class);
        let what = format!("a receiver: no class in view is a {class} that runs this method");
        return Err(Stop::Unsupported(what.into()));
    }
    if machine.unknowns.policy.is_optimal() && !classes.iter().any(|&class| machine.is_enum(class))
    {
        return Ok(machine.receive(&mut node.state, input, domain));
    }
    // A constant of an enum is not made but chosen, when the method looks at it.
    if classes.iter().any(|&class| machine.is_enum(class)) {
        return Ok(machine.choose(&mut node.state, Effect::Location(input, domain)));
    }
    Ok(machine.choose(&mut node.state, Effect::Fresh(input, domain)))
}

fn strings<'p>(
    machine: &mut Machine<'p>,
    node: &mut Node<'p>,
    id: MethodId,
) -> Result<Vec<Value>, Stop> {
    let method = machine.program.method(id);
    if !method.flags.is_static() {
        return Err(Stop::Unsupported("a `main` that is not static".into()));
    }
    if method.signature.parameters.is_empty() {
        return Ok(Vec::new());
    }
    let string = machine.known.string;
    match machine.allocate_references(&mut node.state, string, &[]) {
        dalang_interp::Flow::Continue(array) => Ok(vec![array.into()]),
        dalang_interp::Flow::Break(_) => Err(Stop::Limit("memory".into())),
    }
}
