//! The first state of an exploration: a method, called with inputs.

use crate::config::Statics;
use crate::congruence::Congruence;
use crate::path::Node;
use dalang_classes::{ClassId, MethodId, ValueType};
use dalang_heap::policy::typing;
use dalang_heap::{DomainId, Effect, Facts, InputId, Reference, Value};
use dalang_interp::{Flow, Globals, Machine, State, Stop};

/// Where an exploration begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A method, whose receiver and parameters are inputs.
    Method(MethodId),
    /// `main`, as `java` would call it; inputs are its arguments, and what the program asks for.
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

/// The state before the method runs, from one in which the library is ready, and its parameters; none if
/// there is no object that the method could be called on.
pub(crate) fn begin<'p>(
    machine: &mut Machine<'p>,
    ready: &State<'p>,
    entry: Entry,
    statics: Statics,
) -> Result<Option<(Node<'p>, Vec<InputId>)>, Stop> {
    // A whole program is explored by the rules of those who made such programs comparable.
    machine.settings.competition = matches!(entry, Entry::Main(_));
    machine.settings.globals = match (entry, statics) {
        (Entry::Main(_), _) => Globals::Fresh,
        (Entry::Method(_), Statics::Initialized) => Globals::Initialized,
        (Entry::Method(_), Statics::Auto) => Globals::Inputs,
    };
    if has_no_receiver(machine, entry) {
        return Ok(None);
    }
    let class = machine.program.method(entry.method()).class;
    if machine.needs_receiver(entry.method())
        && machine.unknowns.domains.is_void(machine.program, class)
    {
        return Err(machine.unfit_for_inputs(class));
    }
    let congruence = Congruence::new(machine.unknowns.policy.has_congruence());
    let mut node = Node::new(ready.clone(), congruence);
    node.state.heap.part();
    node.state.knowledge.begin();
    node.state.begin_track(entry.method());
    let (arguments, inputs) = match entry {
        Entry::Method(method) => arguments(machine, &mut node, method)?,
        Entry::Main(method) => strings(machine, &mut node, method)?,
    };
    machine.start(&mut node.state, entry.method(), &arguments)?;
    machine.bring_up_keepers(&mut node.state, entry.method());
    Ok(Some((node, inputs)))
}

/// Whether the receiver would have to be a constant of an enum that has none.
fn has_no_receiver(machine: &Machine<'_>, entry: Entry) -> bool {
    let method = machine.program.method(entry.method());
    !method.flags.is_static() && typing::is_void(machine.program, method.class)
}

fn arguments<'p>(
    machine: &mut Machine<'p>,
    node: &mut Node<'p>,
    id: MethodId,
) -> Result<(Vec<Value>, Vec<InputId>), Stop> {
    let method = machine.program.method(id);
    let mut inputs = Vec::new();
    let mut values = Vec::new();
    let made = made(machine, &mut node.state, id)?;
    let mut types: Vec<(String, ValueType)> = Vec::new();
    if let Some(object) = made {
        values.push(object.into());
    } else if !method.flags.is_static() {
        let class = ValueType::Reference(machine.program.class(method.class).name);
        types.push(("this".to_owned(), class));
    }
    let names = machine.program.parameter_names(id);
    types.extend(names.into_iter().zip(method.signature.parameters.iter().copied()));
    for (name, value) in types {
        let input = parameter(machine, values.len(), &name, value)?;
        inputs.push(input);
        values.push(Value::Term(machine.unknowns.inputs.get(input).term));
    }
    if !method.flags.is_static() && made.is_none() {
        let facts = receiver(machine, node, id, inputs[0])?;
        node.path.learn(&machine.pool, &facts);
        values[0] = machine.known_value(&node.state, values[0]);
    }
    Ok((values, inputs))
}

fn parameter(
    machine: &mut Machine<'_>,
    place: usize,
    name: &str,
    value: ValueType,
) -> Result<InputId, Stop> {
    let (inputs, pool) = (&mut machine.unknowns.inputs, &mut machine.pool);
    let input = inputs.parameter(machine.program, pool, place as u16, name, value);
    input.ok_or_else(|| {
        let what = format!("a parameter of type {}", machine.program.type_spelling(value));
        Stop::Unsupported(what.into())
    })
}

/// The object that a constructor is called on, whose fields hold their default values; none if the
/// method is no constructor. A class that is abstract is made as part of one below it.
pub(crate) fn made<'p>(
    machine: &mut Machine<'p>,
    state: &mut State<'p>,
    id: MethodId,
) -> Result<Option<Reference>, Stop> {
    let method = machine.program.method(id);
    if machine.program.names().text(method.name) != "<init>" {
        return Ok(None);
    }
    let mut class = method.class;
    if !machine.program.class(class).is_instantiable() {
        let domain = machine.unknowns.domains.below(machine.program, class);
        let spelled = machine.program.class_spelling(class);
        let Some(&below) = machine.unknowns.domains.classes(domain).first() else {
            let what = format!("a receiver: no class in view is a {spelled}");
            return Err(Stop::Unsupported(what.into()));
        };
        class = below;
        let below = machine.program.class_spelling(class);
        machine.assume(state, &format!("{spelled}: what is made is a {below}"));
    }
    machine.bring_up_later(state, class);
    match machine.allocate(state, class, 0) {
        Flow::Continue(object) => Ok(Some(object)),
        Flow::Break(_) => Err(Stop::Limit("memory".into())),
    }
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
    // A constant of an enum is not made but chosen, when the method looks at it; and so is what may be
    // an object that a static field holds.
    let is_open =
        classes.iter().any(|&class| machine.is_enum(class)) || machine.can_be_kept(&classes, id);
    if is_open {
        return Ok(machine.choose(&mut node.state, Effect::Location(input, domain)));
    }
    if machine.unknowns.policy.keeps_references() {
        return Ok(machine.receive(&mut node.state, input, domain));
    }
    Ok(machine.choose(&mut node.state, Effect::Fresh(input, domain)))
}

/// The arguments of a program: an array of any length, of any strings that are not null.
fn strings<'p>(
    machine: &mut Machine<'p>,
    node: &mut Node<'p>,
    id: MethodId,
) -> Result<(Vec<Value>, Vec<InputId>), Stop> {
    let method = machine.program.method(id);
    if !method.flags.is_static() {
        return Err(Stop::Unsupported("a `main` that is not static".into()));
    }
    let Some(&strings) = method.signature.parameters.first() else {
        return Ok((Vec::new(), Vec::new()));
    };
    let names = machine.program.parameter_names(id);
    let name = names.first().map_or("args", |name| name);
    let input = parameter(machine, 0, name, strings)?;
    machine.rule_out_null(&mut node.state, input);
    Ok((vec![Value::Term(machine.unknowns.inputs.get(input).term)], vec![input]))
}
