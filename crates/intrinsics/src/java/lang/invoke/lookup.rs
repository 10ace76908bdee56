//! `java.lang.invoke.MethodHandles.Lookup`: finding members.

use super::MACHINERY;
use super::members::{Wanted, find_field, find_method, lookup};
use super::types::descriptor;
use crate::table::{Row, required, required_any};
use dalang_heap::Value;
use dalang_interp::{Call, Flow, Form, Variable, raise, unsupported};

fn find_var_handle(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let lookup = lookup(call)?;
    let (class, name, value) = (call.class(1)?, call.text(2)?, call.class(3)?);
    let field = find_field(call, lookup, (class, &name, value), "get", false)?;
    let target = call.machine.program.field(field);
    let class = lookup.receiver(call, class, target.class, target.flags);
    let handle = call.machine.new_variable(call.state, Variable::Field(field, class))?;
    Flow::Continue(Some(handle.into()))
}

fn find_static_var_handle(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let lookup = lookup(call)?;
    let (class, name, value) = (call.class(1)?, call.text(2)?, call.class(3)?);
    let field = find_field(call, lookup, (class, &name, value), "get", true)?;
    // Later libraries leave this to the first use of the variable.
    if call.machine.program.load("java/lang/invoke/LazyInitializingVarHandle").is_err() {
        call.machine.require(call.state, call.machine.program.field(field).class)?;
    }
    let handle = call.machine.new_variable(call.state, Variable::Static(field))?;
    Flow::Continue(Some(handle.into()))
}

fn find_static(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    find(call, Form::Static)
}

fn find_virtual(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    find(call, Form::Virtual)
}

fn find(call: &mut Call<'_, '_>, form: Form) -> Flow<Option<Value>> {
    let lookup = lookup(call)?;
    let (class, name, wanted) = (call.class(1)?, call.text(2)?, descriptor(call, 3)?);
    let wanted = Wanted { form, class, name: &name, descriptor: wanted };
    let method = find_method(call, lookup, &wanted)?;
    if call.machine.program.method(method).is_signature_polymorphic {
        return polymorphic(call, &wanted);
    }
    let target = call.machine.program.method(method);
    let class = lookup.receiver(call, class, target.class, target.flags);
    let handle = call.machine.handle_of_method(call.state, form, method, class, lookup.class)?;
    Flow::Continue(Some(handle.into()))
}

/// A handle of `MethodHandle.invokeExact` or the like.
fn polymorphic(call: &mut Call<'_, '_>, wanted: &Wanted<'_>) -> Flow<Option<Value>> {
    let of_variable = call.machine.java_name(wanted.class) == "java.lang.invoke.VarHandle";
    if of_variable {
        let name = call.machine.intern(call.state, wanted.name)?;
        return super::variable::invoker(call, wanted.descriptor, name, false);
    }
    super::combine::invoker(call, wanted.descriptor, wanted.name == "invokeExact")
}

/// `findSpecial(class, name, type, caller)`
fn find_special(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let lookup = lookup(call)?;
    let (class, name, wanted) = (call.class(1)?, call.text(2)?, descriptor(call, 3)?);
    let caller = call.class(4)?;
    if caller != lookup.class {
        let why = "no private access for invokespecial";
        return lookup.refuse_class(call, why, caller);
    }
    let wanted = Wanted { form: Form::Special, class, name: &name, descriptor: wanted };
    let method = find_method(call, lookup, &wanted)?;
    let handle = call.machine.handle_of_method(call.state, Form::Special, method, class, caller)?;
    Flow::Continue(Some(handle.into()))
}

/// `findConstructor(class, type)`
fn find_constructor(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let lookup = lookup(call)?;
    let (class, wanted) = (call.class(1)?, descriptor(call, 2)?);
    if call.machine.program.class(class).is_array() {
        let message = format!("no constructor for array class: {}", call.machine.java_name(class));
        return raise("java/lang/NoSuchMethodException", message);
    }
    let wanted = Wanted { form: Form::New, class, name: "<init>", descriptor: wanted };
    let method = find_method(call, lookup, &wanted)?;
    let handle =
        call.machine.handle_of_method(call.state, Form::New, method, class, lookup.class)?;
    Flow::Continue(Some(handle.into()))
}

fn of_field(call: &mut Call<'_, '_>, form: Form) -> Flow<Option<Value>> {
    let lookup = lookup(call)?;
    let (class, name, value) = (call.class(1)?, call.text(2)?, call.class(3)?);
    let is_static = matches!(form, Form::GetStatic | Form::PutStatic);
    let verb = if matches!(form, Form::GetField | Form::GetStatic) { "get" } else { "put" };
    let field = find_field(call, lookup, (class, &name, value), verb, is_static)?;
    let target = call.machine.program.field(field);
    let class = lookup.receiver(call, class, target.class, target.flags);
    let handle = call.machine.handle_of_field(call.state, form, field, class)?;
    Flow::Continue(Some(handle.into()))
}

fn find_getter(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    of_field(call, Form::GetField)
}

fn find_setter(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    of_field(call, Form::PutField)
}

fn find_static_getter(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    of_field(call, Form::GetStatic)
}

fn find_static_setter(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    of_field(call, Form::PutStatic)
}

/// `bind(receiver, name, type)`
fn bind(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let lookup = lookup(call)?;
    let (receiver, name, wanted) = (call.object(1)?, call.text(2)?, descriptor(call, 3)?);
    let class = call.state.heap.class(receiver);
    let wanted = Wanted { form: Form::Virtual, class, name: &name, descriptor: wanted };
    let method = find_method(call, lookup, &wanted)?;
    let handle =
        call.machine.handle_of_method(call.state, Form::Virtual, method, class, lookup.class)?;
    super::handle::bound(call, handle, receiver)
}

/// What a direct handle is about is not told yet.
fn reveal(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    unsupported("java.lang.invoke.MethodHandles.Lookup.revealDirect")
}

const FIND: &str = "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;";
const FIND_FIELD: &str =
    "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;";
const FIND_VARIABLE: &str =
    "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;";

pub(crate) const ROWS: &[Row] = &[
    required("findStatic", FIND, MACHINERY, find_static),
    required("findVirtual", FIND, MACHINERY, find_virtual),
    required(
        "findSpecial",
        "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        find_special,
    ),
    required(
        "findConstructor",
        "(Ljava/lang/Class;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        find_constructor,
    ),
    required(
        "bind",
        "(Ljava/lang/Object;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        bind,
    ),
    required_any("revealDirect", MACHINERY, reveal),
    required("findGetter", FIND_FIELD, MACHINERY, find_getter),
    required("findSetter", FIND_FIELD, MACHINERY, find_setter),
    required("findStaticGetter", FIND_FIELD, MACHINERY, find_static_getter),
    required("findStaticSetter", FIND_FIELD, MACHINERY, find_static_setter),
    required("findVarHandle", FIND_VARIABLE, MACHINERY, find_var_handle),
    required("findStaticVarHandle", FIND_VARIABLE, MACHINERY, find_static_var_handle),
];
