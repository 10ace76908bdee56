//! `java.lang.invoke.MethodHandles`: handles that change what others are given.
//!
//! What they demand is checked by the library's own methods for that, so that it throws what Java
//! throws.

use super::MACHINERY;
use super::handle::{give, insert, returned};
use super::types::{classes, descriptor, parameters};
use crate::table::{Row, required, required_any};
use dalang_classes::{Name, ValueType};
use dalang_heap::{Reference, Value};
use dalang_interp::{
    Behavior, Call, Flow, Form, Outcome, Resume, bug, raise, raise_bare, widens, wrapper,
};

/// Calls a static method of `MethodHandles` that checks something, and goes on if it does not throw.
fn check(
    call: &mut Call<'_, '_>,
    name: &str,
    descriptor: &str,
    arguments: &[Value],
    then: Resume,
) -> Flow<Option<Value>> {
    let class = call.machine.class("java/lang/invoke/MethodHandles")?;
    let descriptor = descriptor
        .replace("MH", "Ljava/lang/invoke/MethodHandle;")
        .replace("MT", "Ljava/lang/invoke/MethodType;");
    let method = call.machine.method(class, name, &descriptor)?;
    call.invoke(method, arguments, then)
}

/// The type object of a handle argument.
fn type_of(call: &Call<'_, '_>, index: usize) -> Flow<Value> {
    call.machine.field(call.state, call.object(index)?, "type")
}

fn insert_arguments(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let count = call.machine.listed(call.state, call.object(2)?)?.len() as i32;
    let arguments = [call.object(0)?.into(), Value::Int(count), call.argument(1)];
    check(call, "insertArgumentsChecks", "(MHII)[Ljava/lang/Class;", &arguments, inserted)
}

fn inserted(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    returned(outcome)?;
    let (handle, at) = (call.object(0)?, call.int(1)? as usize);
    let given = call.machine.listed(call.state, call.object(2)?)?;
    if given.is_empty() {
        return Flow::Continue(Some(handle.into()));
    }
    let own = call.machine.handle_type(call.state, handle)?;
    let mut values = Vec::new();
    for (index, value) in given.into_iter().enumerate() {
        values.push(bindable(call, value, own.parameters[at + index])?);
    }
    insert(call, handle, at, &values)
}

/// An object as a value that is bound to a parameter of a type.
pub(super) fn bindable(call: &mut Call<'_, '_>, value: Value, to: ValueType) -> Flow<Value> {
    if let ValueType::Primitive(primitive) = to
        && let Value::Reference(object) = call.machine.settled(call.state, value)?
    {
        if object.is_null() {
            return raise_bare("java/lang/NullPointerException");
        }
        let class = call.state.heap.class(object);
        let fits = call.machine.boxes(class).is_some_and(|from| widens(from, primitive));
        if !fits {
            let (to, from) = (wrapper(primitive).replace('/', "."), call.machine.java_name(class));
            let message = format!("class {to} is not compatible with class {from}");
            return raise("java/lang/ClassCastException", message);
        }
    }
    let object = call.machine.program.names().intern("java/lang/Object");
    call.machine.coerce(call.state, value, ValueType::Reference(object), to)
}

/// `dropArguments0(target, pos, list)`, in older libraries.
fn drop_listed(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let list = call.object(2)?;
    let class = call.machine.class("java/util/List")?;
    let method = call.machine.method(class, "toArray", "()[Ljava/lang/Object;")?;
    call.invoke_virtual(method, &[list.into()], drop_of_list)
}

fn drop_of_list(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    let array = returned(outcome)?;
    call.save(array);
    let arguments = [type_of(call, 0)?, call.argument(1), call.argument(2)];
    check(call, "dropArgumentChecks", "(MTILjava/util/List;)I", &arguments, drop_checked)
}

fn drop_checked(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    returned(outcome)?;
    let array = call.saved_reference(0)?;
    dropped(call, array)
}

/// `dropArgumentsTrusted(target, pos, classes)`, in newer libraries.
fn drop_trusted(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let arguments = [type_of(call, 0)?, call.argument(1), call.argument(2)];
    check(call, "dropArgumentChecks", "(MTI[Ljava/lang/Class;)I", &arguments, trusted_checked)
}

fn trusted_checked(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    returned(outcome)?;
    let array = call.object(2)?;
    dropped(call, array)
}

fn dropped(call: &mut Call<'_, '_>, array: Reference) -> Flow<Option<Value>> {
    let (handle, at) = (call.object(0)?, call.int(1)? as usize);
    let dropped = classes(call, array)?;
    let dropped = parameters(call, &dropped)?;
    if dropped.is_empty() {
        return Flow::Continue(Some(handle.into()));
    }
    let own = call.machine.handle_type(call.state, handle)?;
    let count = dropped.len() as i32;
    let all = own.parameters[..at].iter().copied().chain(dropped);
    let all = all.chain(own.parameters[at..].iter().copied());
    let descriptor = call.machine.descriptor_of(all, own.result);
    give(call, descriptor, &Behavior::new(Form::Drop, [at as i32, count, 0], &[handle.into()]))
}

fn permute(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let arguments = [call.object(2)?.into(), call.object(1)?.into(), type_of(call, 0)?];
    check(call, "permuteArgumentChecks", "([IMTMT)Z", &arguments, permuted)
}

fn permuted(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    returned(outcome)?;
    let (handle, descriptor) = (call.object(0)?, descriptor(call, 1)?);
    let mut values = vec![Value::Reference(handle)];
    values.extend(call.machine.listed(call.state, call.object(2)?)?);
    give(call, descriptor, &Behavior::new(Form::Permute, [0; 3], &values))
}

fn filter_arguments(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let arguments = [call.object(0)?.into(), call.argument(1), call.object(2)?.into()];
    call.save(Value::Int(-1));
    let descriptor = "(MHI[Ljava/lang/invoke/MethodHandle;)V";
    check(call, "filterArgumentsCheckArity", descriptor, &arguments, check_filter)
}

/// Checks one filter after the other.
fn check_filter(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    returned(outcome)?;
    let filters = call.machine.listed(call.state, call.object(2)?)?;
    let mut next = call.saved_int(0)? + 1;
    while filters.get(next as usize) == Some(&Value::NULL) {
        next += 1;
    }
    call.set_saved(0, Value::Int(next));
    match filters.get(next as usize) {
        Some(&filter) => {
            let at = call.int(1)? + next;
            let arguments = [call.object(0)?.into(), Value::Int(at), filter];
            check(call, "filterArgumentChecks", "(MHIMH)V", &arguments, check_filter)
        }
        None => filters_checked(call, &filters),
    }
}

fn filters_checked(call: &mut Call<'_, '_>, filters: &[Value]) -> Flow<Option<Value>> {
    let (handle, at) = (call.object(0)?, call.int(1)? as usize);
    let own = call.machine.handle_type(call.state, handle)?;
    let mut types = own.parameters.to_vec();
    for (index, filter) in filters.iter().enumerate() {
        if let Value::Reference(filter) = *filter
            && !filter.is_null()
        {
            let filter = call.machine.handle_type(call.state, filter)?;
            types[at + index] = filter.parameters[0];
        }
    }
    let descriptor = call.machine.descriptor_of(types, own.result);
    let mut values = vec![Value::Reference(handle)];
    values.extend(filters);
    give(call, descriptor, &Behavior::new(Form::Filter, [at as i32, 0, 0], &values))
}

/// `filterArgument(target, pos, filter)`
fn filter_argument(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let arguments = [call.object(0)?.into(), call.argument(1), call.object(2)?.into()];
    check(call, "filterArgumentChecks", "(MHIMH)V", &arguments, argument_filtered)
}

fn argument_filtered(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    returned(outcome)?;
    let filter = call.argument(2);
    filters_checked(call, &[filter])
}

fn collect_arguments(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let arguments = [call.object(0)?.into(), call.argument(1), call.object(2)?.into()];
    check(call, "collectArgumentsChecks", "(MHIMH)MT", &arguments, collected)
}

fn collected(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    let Value::Reference(made) = returned(outcome)? else { return bug("a type is no object") };
    let descriptor = call.machine.type_descriptor(call.state, made)?;
    let parts = [call.argument(0), call.argument(2)];
    give(call, descriptor, &Behavior::new(Form::Collect, [call.int(1)?, 0, 0], &parts))
}

fn filter_return(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let arguments = [type_of(call, 0)?, type_of(call, 1)?];
    check(call, "filterReturnValueChecks", "(MTMT)V", &arguments, return_filtered)
}

fn return_filtered(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    returned(outcome)?;
    let (target, filter) = (call.object(0)?, call.object(1)?);
    let own = call.machine.handle_type(call.state, target)?;
    let result = call.machine.handle_type(call.state, filter)?.result;
    let descriptor = call.machine.descriptor_of(own.parameters.iter().copied(), result);
    let parts = [target.into(), filter.into()];
    give(call, descriptor, &Behavior::new(Form::FilterResult, [0; 3], &parts))
}

fn fold_arguments(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let arguments = [call.argument(1), type_of(call, 0)?, type_of(call, 2)?];
    check(call, "foldArgumentChecks", "(IMTMT)Ljava/lang/Class;", &arguments, folded)
}

fn folded(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    returned(outcome)?;
    let (target, at, combiner) = (call.object(0)?, call.int(1)?, call.object(2)?);
    let own = call.machine.handle_type(call.state, target)?;
    let gives = call.machine.handle_type(call.state, combiner)?.result.is_some();
    let behind = at as usize + usize::from(gives);
    let types = own.parameters[..at as usize].iter().chain(&own.parameters[behind..]).copied();
    let descriptor = call.machine.descriptor_of(types, own.result);
    let parts = [target.into(), combiner.into()];
    give(call, descriptor, &Behavior::new(Form::Fold, [at, 0, 0], &parts))
}

/// `dropReturn(target)`
fn drop_return(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let target = call.object(0)?;
    let own = call.machine.handle_type(call.state, target)?;
    let descriptor = call.machine.descriptor_of(own.parameters.iter().copied(), None);
    Flow::Continue(Some(call.machine.as_type(call.state, target, descriptor)?.into()))
}

/// `exactInvoker(type)`
fn exact_invoker(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let wanted = descriptor(call, 0)?;
    invoker(call, wanted, true)
}

/// `invoker(type)`
fn generic_invoker(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let wanted = descriptor(call, 0)?;
    invoker(call, wanted, false)
}

/// `spreadInvoker(type, leading)`: the arguments behind the leading ones are in an array.
fn spread_invoker(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (wanted, leading) = (descriptor(call, 0)?, call.int(1)?);
    let own = call.machine.described(wanted)?;
    let all = own.parameters.len();
    let Some(count) = usize::try_from(leading).ok().and_then(|some| all.checked_sub(some)) else {
        let message = format!("bad argument count: {leading}");
        return raise("java/lang/IllegalArgumentException", message);
    };
    let Some(Value::Reference(invoker)) = invoker(call, wanted, false)? else {
        return bug("an invoker is no object");
    };
    let names = call.machine.program.names();
    let class = |name| ValueType::Reference(names.intern(name));
    let before: Vec<ValueType> = std::iter::once(class("java/lang/invoke/MethodHandle"))
        .chain(own.parameters[..all - count].iter().copied())
        .collect();
    let objects = std::iter::repeat_n(class("java/lang/Object"), count);
    let array = class("[Ljava/lang/Object;");
    let generic = call.machine.descriptor_of(before.iter().copied().chain(objects), own.result);
    let target = call.machine.as_type(call.state, invoker, generic)?;
    let numbers = [before.len() as i32, count as i32, 0];
    let made = call.machine.descriptor_of(before.into_iter().chain([array]), own.result);
    give(call, made, &Behavior::new(Form::Spread, numbers, &[target.into()]))
}

/// A handle that calls its first argument with the others, as one of a type.
pub(super) fn invoker(call: &mut Call<'_, '_>, wanted: Name, exact: bool) -> Flow<Option<Value>> {
    let own = call.machine.described(wanted)?;
    let handle = call.machine.program.names().intern("java/lang/invoke/MethodHandle");
    let types = std::iter::once(ValueType::Reference(handle)).chain(own.parameters.iter().copied());
    let made = call.machine.descriptor_of(types, own.result);
    let numbers = [i32::from(exact), wanted.number() as i32, 0];
    give(call, made, &Behavior::new(Form::Invoker, numbers, &[]))
}

const HANDLE_TYPE_HANDLE: &str = "(Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;";

pub(crate) const ROWS: &[Row] = &[
    required(
        "insertArguments",
        "(Ljava/lang/invoke/MethodHandle;I[Ljava/lang/Object;)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        insert_arguments,
    ),
    required(
        "dropArguments0",
        "(Ljava/lang/invoke/MethodHandle;ILjava/util/List;)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        drop_listed,
    ),
    required(
        "dropArgumentsTrusted",
        "(Ljava/lang/invoke/MethodHandle;I[Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        drop_trusted,
    ),
    required(
        "permuteArguments",
        "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;[I)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        permute,
    ),
    required(
        "filterArguments",
        "(Ljava/lang/invoke/MethodHandle;I[Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        filter_arguments,
    ),
    required(
        "filterArgument",
        "(Ljava/lang/invoke/MethodHandle;ILjava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        filter_argument,
    ),
    required(
        "collectArguments",
        "(Ljava/lang/invoke/MethodHandle;ILjava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        collect_arguments,
    ),
    required(
        "filterReturnValue",
        "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        filter_return,
    ),
    required(
        "foldArguments",
        "(Ljava/lang/invoke/MethodHandle;ILjava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        fold_arguments,
    ),
    required(
        "dropReturn",
        "(Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        drop_return,
    ),
    required_any("spreadInvoker", MACHINERY, spread_invoker),
    required("exactInvoker", HANDLE_TYPE_HANDLE, MACHINERY, exact_invoker),
    required("invoker", HANDLE_TYPE_HANDLE, MACHINERY, generic_invoker),
];
