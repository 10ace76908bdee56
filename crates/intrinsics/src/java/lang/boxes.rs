//! Boxing and unboxing, for what calls methods and fields by reflection.

use dalang_classes::{Primitive, ValueType};
use dalang_heap::{Reference, Value};
use dalang_interp::{Call, Flow, Interrupt, Stop, bug, pass_on, wrapper};

/// The value in a box and its type; none if the object is no box.
pub(crate) fn unbox(call: &Call<'_, '_>, object: Reference) -> Flow<Option<(Primitive, Value)>> {
    if object.is_null() {
        return Flow::Continue(None);
    }
    let class = call.machine.program.class(call.state.heap.class(object));
    let name = call.machine.program.names().text(class.name);
    let primitive = Primitive::ALL.into_iter().find(|&primitive| wrapper(primitive) == name);
    match primitive {
        Some(primitive) => {
            let value = call.machine.field(call.state, object, "value")?;
            Flow::Continue(Some((primitive, value)))
        }
        None => Flow::Continue(None),
    }
}

/// A new box around a value, one that no cache knows. Its class must be initialized.
pub(crate) fn fresh(
    call: &mut Call<'_, '_>,
    primitive: Primitive,
    value: Value,
) -> Flow<Reference> {
    let class = call.machine.class(wrapper(primitive))?;
    let object = call.machine.allocate(call.state, class, 0)?;
    let value = value.narrowed(ValueType::Primitive(primitive));
    call.machine.set_field(call.state, object, "value", value)?;
    Flow::Continue(object)
}

/// What `valueOf` gives for a value, as the result of the intrinsic.
pub(crate) fn value_of<T>(call: &mut Call<'_, '_>, primitive: Primitive, value: Value) -> Flow<T> {
    let class = wrapper(primitive);
    let descriptor = format!("({})L{class};", primitive.letter());
    let id = call.machine.class(class)?;
    let method = call.machine.method(id, "valueOf", &descriptor)?;
    call.invoke(method, &[value], pass_on)
}

/// A value after widening (JLS 5.1.2), or none if the types do not allow it.
pub(crate) fn widen(value: Value, from: Primitive, to: Primitive) -> Flow<Option<Value>> {
    if from == to {
        return Flow::Continue(Some(value));
    }
    if !widens(from, to) {
        return Flow::Continue(None);
    }
    let wide = match (value, to) {
        (Value::Int(_), Primitive::Int | Primitive::Short) => value,
        (Value::Int(value), Primitive::Long) => Value::Long(value.into()),
        (Value::Int(value), Primitive::Float) => Value::Float(value as f32),
        (Value::Int(value), Primitive::Double) => Value::Double(value.into()),
        (Value::Long(value), Primitive::Float) => Value::Float(value as f32),
        (Value::Long(value), Primitive::Double) => Value::Double(value as f64),
        (Value::Float(value), Primitive::Double) => Value::Double(value.into()),
        (Value::Term(_), _) => {
            let what = "widening an argument of a reflective call".into();
            return Flow::Break(Interrupt::Stop(Box::new(Stop::Symbolic(what))));
        }
        _ => return bug("a box holds a value of another type"),
    };
    Flow::Continue(Some(wide))
}

const fn widens(from: Primitive, to: Primitive) -> bool {
    use Primitive::{Boolean, Byte, Char, Double, Float, Int, Long, Short};
    match (from, to) {
        (Boolean, _) | (_, Boolean | Byte | Char) => false,
        (_, Short) => matches!(from, Byte),
        (_, Int) => matches!(from, Byte | Char | Short),
        (_, Long) => matches!(from, Byte | Char | Short | Int),
        (_, Float) => !matches!(from, Double),
        (_, Double) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::widens;
    use dalang_classes::Primitive;

    #[test]
    fn widening_is_that_of_the_language() {
        let from = |from| {
            let to = Primitive::ALL.into_iter().filter(|&to| to != from && widens(from, to));
            to.map(Primitive::letter).collect::<String>()
        };
        let all: Vec<String> = Primitive::ALL.into_iter().map(from).collect();
        assert_eq!(all, ["", "SIJFD", "IJFD", "IJFD", "JFD", "FD", "D", ""]);
    }
}
