//! `java.lang.invoke.MethodHandles`: the variables that need no lookup.

use super::MACHINERY;
use crate::table::{Row, required};
use dalang_classes::{ClassId, Primitive, Shape};
use dalang_heap::Value;
use dalang_interp::{Call, Flow, Variable, bug, raise, raise_bare};

fn of_elements(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    component(call, class)?;
    let handle = call.machine.new_variable(call.state, Variable::Element(class))?;
    Flow::Continue(Some(handle.into()))
}

/// The class of the elements of an array class.
pub(super) fn component(call: &Call<'_, '_>, class: ClassId) -> Flow<ClassId> {
    match call.machine.program.class(class).shape {
        Shape::Array { component, .. } => Flow::Continue(component),
        shape => {
            let sort = match shape {
                Shape::Primitive(_) => "",
                _ if call.machine.program.class(class).is_interface() => "interface ",
                _ => "class ",
            };
            let name = call.machine.java_name(class);
            raise("java/lang/IllegalArgumentException", format!("not an array: {sort}{name}"))
        }
    }
}

/// The type of a view of bytes, and whether the highest byte comes first.
fn view(call: &mut Call<'_, '_>) -> Flow<(Primitive, bool)> {
    let class = call.class(0)?;
    let order = call.object(1)?;
    let component = component(call, class)?;
    let primitive = match call.machine.program.class(component).shape {
        Shape::Primitive(Some(primitive))
            if !matches!(primitive, Primitive::Boolean | Primitive::Byte) =>
        {
            primitive
        }
        _ => return raise_bare("java/lang/UnsupportedOperationException"),
    };
    let orders = call.machine.class("java/nio/ByteOrder")?;
    let field = call.machine.static_field(orders, "BIG_ENDIAN")?;
    match call.machine.get_static(call.state, field)? {
        Value::Reference(big) => Flow::Continue((primitive, big == order)),
        _ => bug("ByteOrder.BIG_ENDIAN is no object"),
    }
}

fn of_bytes(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (primitive, big) = view(call)?;
    let handle = call.machine.new_variable(call.state, Variable::Bytes(primitive, big))?;
    Flow::Continue(Some(handle.into()))
}

fn of_buffer(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (primitive, big) = view(call)?;
    let handle = call.machine.new_variable(call.state, Variable::Buffer(primitive, big))?;
    Flow::Continue(Some(handle.into()))
}

const VIEW: &str = "(Ljava/lang/Class;Ljava/nio/ByteOrder;)Ljava/lang/invoke/VarHandle;";

pub(crate) const ROWS: &[Row] = &[
    required(
        "arrayElementVarHandle",
        "(Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
        MACHINERY,
        of_elements,
    ),
    required("byteArrayViewVarHandle", VIEW, MACHINERY, of_bytes),
    required("byteBufferViewVarHandle", VIEW, MACHINERY, of_buffer),
];
