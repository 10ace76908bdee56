//! Calls of methods and constructors by reflection: the accessors that are native.
//!
//! Since Java 18 the library calls through method handles and keeps native accessors for its own
//! start. Here all calls go through native ones; where the two differ in what a program can see
//! (messages, and whether boxes are cached), they do as the library of that version does.

use crate::java::lang::boxes;
use crate::java::lang::class::members;
use crate::table::{Row, any, required};
use dalang_classes::{ClassId, MethodId, Primitive, ValueType};
use dalang_heap::{Reference, Value};
use dalang_interp::{Argument, Call, Flow, Interrupt, Outcome, Raise, linked, raise, raise_bare};

const ILLEGAL: &str = "java/lang/IllegalArgumentException";

/// Whether the library of this version calls through method handles.
fn by_handles(call: &Call<'_, '_>) -> bool {
    call.machine.settings.feature >= 18
}

/// `invoke0(method, receiver, arguments)`
fn invoke(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (member, receiver) = (call.object(0)?, call.reference(1)?);
    let id = members::reflected_method(call, member)?;
    let method = call.machine.program.method(id);
    let is_static = method.flags.is_static();
    let mut values = Vec::with_capacity(method.argument_count());
    if is_static {
        call.machine.require(call.state, method.class)?;
    } else {
        check_receiver(call, receiver, method.class)?;
        values.push(receiver.into());
    }
    if !unwrap(call, id, 2, &mut values)? {
        return null_for_primitive(call);
    }
    if is_static {
        return call.invoke(id, &values, invoked);
    }
    call.invoke_virtual(id, &values, invoked)
}

fn check_receiver(call: &Call<'_, '_>, receiver: Reference, declaring: ClassId) -> Flow {
    if receiver.is_null() {
        return raise_bare("java/lang/NullPointerException");
    }
    let class = call.state.heap.class(receiver);
    if call.machine.program.is_subtype(class, declaring) {
        return Flow::Continue(());
    }
    if by_handles(call) {
        let [class, declaring] =
            [class, declaring].map(|class| crate::java::lang::class::java_name(call, class));
        let message = format!("object of type {class} is not an instance of {declaring}");
        return raise(ILLEGAL, message);
    }
    raise(ILLEGAL, "object is not an instance of declaring class")
}

/// Adds the arguments of an `Object[]` as the method takes them; false if there is a `null` for a
/// primitive type, which has a complaint of its own.
fn unwrap(
    call: &mut Call<'_, '_>,
    id: MethodId,
    index: usize,
    values: &mut Vec<Value>,
) -> Flow<bool> {
    let program = call.machine.program;
    let parameters = &program.method(id).signature.parameters;
    let arguments = elements(call, call.reference(index)?)?;
    if arguments.len() != parameters.len() {
        let (given, expected) = (arguments.len(), parameters.len());
        let message = if by_handles(call) {
            format!("wrong number of arguments: {given} expected: {expected}")
        } else {
            "wrong number of arguments".to_owned()
        };
        return raise(ILLEGAL, message);
    }
    for (&parameter, &argument) in parameters.iter().zip(&arguments) {
        let argument = call.machine.settled(call.state, argument)?;
        let value = match parameter {
            ValueType::Primitive(_) if argument == Value::NULL => {
                return Flow::Continue(false);
            }
            ValueType::Primitive(primitive) => primitive_argument(call, argument, primitive)?,
            ValueType::Reference(_) => reference_argument(call, argument, parameter)?,
        };
        match value {
            Some(value) => values.push(value),
            None => return raise(ILLEGAL, "argument type mismatch"),
        }
    }
    Flow::Continue(true)
}

fn elements(call: &mut Call<'_, '_>, array: Reference) -> Flow<Vec<Value>> {
    if array.is_null() {
        return Flow::Continue(Vec::new());
    }
    call.machine.listed(call.state, array)
}

fn primitive_argument(call: &Call<'_, '_>, argument: Value, to: Primitive) -> Flow<Option<Value>> {
    let Value::Reference(argument) = argument else {
        return dalang_interp::unsupported("a symbolic argument of a reflective call");
    };
    match boxes::unbox(call, argument)? {
        Some((from, value)) => boxes::widen(value, from, to),
        None => Flow::Continue(None),
    }
}

fn reference_argument(call: &Call<'_, '_>, argument: Value, to: ValueType) -> Flow<Option<Value>> {
    let Value::Reference(reference) = argument else {
        return dalang_interp::unsupported("a symbolic argument of a reflective call");
    };
    if reference.is_null() {
        return Flow::Continue(Some(argument));
    }
    let to = linked(call.machine.program.class_of_type(to))?;
    let class = call.state.heap.class(reference);
    Flow::Continue(call.machine.program.is_subtype(class, to).then_some(argument))
}

/// Handles lead to `IllegalArgumentException(new NullPointerException())`.
fn null_for_primitive(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if !by_handles(call) {
        return raise_bare(ILLEGAL);
    }
    let class = call.machine.class("java/lang/NullPointerException")?;
    call.machine.require(call.state, class)?;
    let constructor = call.machine.method(class, "<init>", "()V")?;
    let exception = call.machine.allocate(call.state, class, 0)?;
    call.save(exception);
    call.invoke(constructor, &[exception.into()], |call, _| {
        let argument = Argument::Cause(call.saved_reference(0)?);
        Flow::Break(Interrupt::Raise(Box::new(Raise { class: ILLEGAL, argument })))
    })
}

/// What the method threw is wrapped.
fn wrapped<T>(exception: Reference) -> Flow<T> {
    let class = "java/lang/reflect/InvocationTargetException";
    let argument = Argument::Cause(exception);
    Flow::Break(Interrupt::Raise(Box::new(Raise { class, argument })))
}

fn invoked(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    let value = match outcome {
        Outcome::Returned(value) => value,
        Outcome::Threw(exception) => return wrapped(exception),
    };
    let member = call.object(0)?;
    let id = members::reflected_method(call, member)?;
    match (call.machine.program.method(id).signature.result, value) {
        (Some(ValueType::Primitive(primitive)), Some(value)) => boxed(call, primitive, value),
        (Some(_), Some(value)) => Flow::Continue(Some(value)),
        _ => Flow::Continue(Some(Value::NULL)),
    }
}

fn boxed(call: &mut Call<'_, '_>, primitive: Primitive, value: Value) -> Flow<Option<Value>> {
    if by_handles(call) {
        return boxes::value_of(call, primitive, value);
    }
    let class = call.machine.class(dalang_interp::wrapper(primitive))?;
    call.machine.require(call.state, class)?;
    Flow::Continue(Some(boxes::fresh(call, primitive, value)?.into()))
}

/// `newInstance0(constructor, arguments)`
fn new_instance(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let member = call.object(0)?;
    let id = members::reflected_method(call, member)?;
    let class = call.machine.program.method(id).class;
    if !call.machine.program.class(class).is_instantiable() {
        return raise_bare("java/lang/InstantiationException");
    }
    call.machine.require(call.state, class)?;
    let mut values = vec![Value::NULL];
    if !unwrap(call, id, 1, &mut values)? {
        return null_for_primitive(call);
    }
    let object = call.machine.allocate(call.state, class, 0)?;
    values[0] = object.into();
    call.save(object);
    call.invoke(id, &values, |call, outcome| match outcome {
        Outcome::Returned(_) => Flow::Continue(Some(call.saved(0))),
        Outcome::Threw(exception) => wrapped(exception),
    })
}

/// Accessors stay native, however often they are used.
fn never(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(Value::Int(i32::MAX)))
}

fn always(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(true.into()))
}

/// Of the native accessors.
pub(crate) const METHODS: &[Row] = &[any("invoke0", invoke)];
/// Of the native accessors.
pub(crate) const CONSTRUCTORS: &[Row] = &[any("newInstance0", new_instance)];

/// Until Java 21 accessors are generated as classes after some calls.
pub(crate) const FACTORY: &[Row] = &[required(
    "inflationThreshold",
    "()I",
    "generated accessors are not verifiable, and have nothing that native ones lack",
    never,
)];

/// Since Java 18.
pub(crate) const HANDLES: &[Row] = &[required(
    "useNativeAccessor",
    "(Ljava/lang/reflect/Executable;)Z",
    "method handles of the library are compiled to hidden classes at run time",
    always,
)];
