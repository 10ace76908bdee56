//! `java.lang.reflect.Executable` and `Field`: what is asked for only later.

use crate::java::lang::class::members;
use crate::table::{Row, any};
use dalang_heap::Value;
use dalang_interp::{Call, Flow};

const TYPE_ANNOTATIONS: &str = "RuntimeVisibleTypeAnnotations";

/// `Parameter` objects as `MethodParameters` describes them; `null` if the class has none.
fn parameters(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let member = call.object(0)?;
    let id = members::reflected_method(call, member)?;
    let class = call.machine.class("java/lang/reflect/Parameter")?;
    call.machine.require(call.state, class)?;
    let Some(parameters) = call.machine.program.parameters(id) else {
        return Flow::Continue(Some(Value::NULL));
    };
    let mut objects = Vec::with_capacity(parameters.len());
    for (index, parameter) in parameters.iter().enumerate() {
        let object = call.machine.allocate(call.state, class, 0)?;
        let name = members::text(call, parameter.name)?;
        members::set(call, object, "name", name);
        members::set(call, object, "modifiers", Value::Int(parameter.flags.bits().into()));
        members::set(call, object, "executable", member.into());
        members::set(call, object, "index", Value::Int(index as i32));
        objects.push(object);
    }
    let array = call.machine.allocate_references(call.state, class, &objects)?;
    Flow::Continue(Some(array.into()))
}

fn type_annotations(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let member = call.object(0)?;
    let method = call.machine.program.method(members::reflected_method(call, member)?);
    let class = call.machine.program.class(method.class);
    Flow::Continue(Some(members::bytes(call, class, &method.attributes, TYPE_ANNOTATIONS)))
}

fn field_type_annotations(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let member = call.object(0)?;
    let field = call.machine.program.field(members::reflected_field(call, member)?);
    let class = call.machine.program.class(field.class);
    Flow::Continue(Some(members::bytes(call, class, &field.attributes, TYPE_ANNOTATIONS)))
}

pub(crate) const ROWS: &[Row] =
    &[any("getParameters0", parameters), any("getTypeAnnotationBytes0", type_annotations)];

pub(crate) const FIELD: &[Row] = &[any("getTypeAnnotationBytes0", field_type_annotations)];
