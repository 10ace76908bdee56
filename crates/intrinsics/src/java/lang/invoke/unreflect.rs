//! `java.lang.invoke.MethodHandles.Lookup`: handles of members that were found by reflection.

use super::MACHINERY;
use super::members::{Lookup, Spelling, lookup};
use crate::java::lang::class::members::{reflected_field, reflected_method};
use crate::table::{Row, required_any};
use dalang_classes::{FieldId, MethodId};
use dalang_heap::Value;
use dalang_interp::{Call, Flow, Form, Variable};

/// Whether a member was made accessible, which lets anyone use it.
fn is_open(call: &Call<'_, '_>) -> Flow<bool> {
    Flow::Continue(call.machine.field(call.state, call.object(1)?, "override")? == Value::Int(1))
}

fn check_method(call: &Call<'_, '_>, lookup: Lookup, method: MethodId, kind: &str) -> Flow {
    let target = call.machine.program.method(method);
    let described = call.machine.spell(&target.signature);
    let name = call.machine.program.names().text(target.name);
    let member = Spelling { class: target.class, name, rest: format!("{described}/{kind}") };
    if is_open(call)? {
        return Flow::Continue(());
    }
    lookup.check(call, target.class, target.class, target.flags, &member)
}

fn method(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let lookup = lookup(call)?;
    let found = reflected_method(call, call.object(1)?)?;
    let target = call.machine.program.method(found);
    let (form, kind) = if target.flags.is_static() {
        (Form::Static, "invokeStatic")
    } else {
        (Form::Virtual, "invokeVirtual")
    };
    check_method(call, lookup, found, kind)?;
    let class = lookup.receiver(call, target.class, target.class, target.flags);
    let handle = call.machine.handle_of_method(call.state, form, found, class, lookup.class)?;
    Flow::Continue(Some(handle.into()))
}

fn constructor(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let lookup = lookup(call)?;
    let found = reflected_method(call, call.object(1)?)?;
    check_method(call, lookup, found, "newInvokeSpecial")?;
    let class = call.machine.program.method(found).class;
    let handle =
        call.machine.handle_of_method(call.state, Form::New, found, class, lookup.class)?;
    Flow::Continue(Some(handle.into()))
}

/// A field and whether it is static; `verb` is `get` or `put`.
fn field(call: &Call<'_, '_>, verb: &str) -> Flow<(FieldId, bool)> {
    let lookup = lookup(call)?;
    let found = reflected_field(call, call.object(1)?)?;
    let target = call.machine.program.field(found);
    let is_static = target.flags.is_static();
    let kind = if is_static { "Static" } else { "Field" };
    let value = dalang_interp::linked(call.machine.program.class_of_type(target.value))?;
    let rest = format!("/{}/{verb}{kind}", call.machine.java_name(value));
    let name = call.machine.program.names().text(target.name);
    let member = Spelling { class: target.class, name, rest };
    let open = is_open(call)?;
    if !open {
        lookup.check(call, target.class, target.class, target.flags, &member)?;
    }
    if verb == "put" && target.flags.is_final() && (is_static || !open) {
        return lookup.refuse(call, "unexpected set of a final field", &member);
    }
    Flow::Continue((found, is_static))
}

fn of_field(call: &mut Call<'_, '_>, verb: &str, forms: [Form; 2]) -> Flow<Option<Value>> {
    let (field, is_static) = field(call, verb)?;
    let form = forms[usize::from(is_static)];
    let class = call.machine.program.field(field).class;
    let handle = call.machine.handle_of_field(call.state, form, field, class)?;
    Flow::Continue(Some(handle.into()))
}

fn getter(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    of_field(call, "get", [Form::GetField, Form::GetStatic])
}

fn setter(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    of_field(call, "put", [Form::PutField, Form::PutStatic])
}

fn variable(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (field, is_static) = field(call, "get")?;
    let class = call.machine.program.field(field).class;
    let variable = if is_static { Variable::Static(field) } else { Variable::Field(field, class) };
    let handle = call.machine.new_variable(call.state, variable)?;
    Flow::Continue(Some(handle.into()))
}

pub(crate) const ROWS: &[Row] = &[
    required_any("unreflect", MACHINERY, method),
    required_any("unreflectConstructor", MACHINERY, constructor),
    required_any("unreflectGetter", MACHINERY, getter),
    required_any("unreflectSetter", MACHINERY, setter),
    required_any("unreflectVarHandle", MACHINERY, variable),
];
