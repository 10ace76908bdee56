//! Where the variable of a `VarHandle` is: a slot of an object or array, or some bytes of one.

use super::mode::Mode;
use super::variable::Variable;
use crate::flow::{Flow, bug, malformed, raise, raise_bare, unsupported};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{Primitive, ValueType};
use dalang_heap::{Body, Reference, Value};

/// Where a variable is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// A field or an element.
    Slot(Reference, usize),
    /// An element, where the array or the index is symbolic.
    Element(Reference, Value),
    /// Bytes of a `byte[]` from an index on; whether the highest comes first.
    Bytes(Reference, usize, Primitive, bool),
}

const fn width(primitive: Primitive) -> usize {
    match primitive {
        Primitive::Boolean | Primitive::Byte => 1,
        Primitive::Char | Primitive::Short => 2,
        Primitive::Int | Primitive::Float => 4,
        Primitive::Long | Primitive::Double => 8,
    }
}

fn out_of_bounds<T>(class: &'static str, index: i32, length: i32) -> Flow<T> {
    raise(class, format!("Index {index} out of bounds for length {length}"))
}

impl<'p> Machine<'p> {
    /// Where the variable is that coordinates lead to.
    pub(crate) fn find_place(
        &mut self,
        state: &mut State<'p>,
        variable: Variable,
        mode: Mode,
        coordinates: &[Value],
    ) -> Flow<Place> {
        match variable {
            Variable::Static(field) => {
                let field = self.program.field(field);
                self.require(state, field.class)?;
                let statics = self.statics(state, field.class);
                Flow::Continue(Place::Slot(statics, field.slot as usize))
            }
            Variable::Field(field, receiver) => {
                let object = self.non_null(state, coordinates[0])?;
                let receiver = ValueType::Reference(self.program.class(receiver).name);
                self.cast(state, coordinates[0], receiver)?;
                Flow::Continue(Place::Slot(object, self.program.field(field).slot as usize))
            }
            Variable::Element(_) => {
                let array = self.non_null(state, coordinates[0])?;
                let index = coordinates[1];
                if !state.heap.object(array).body.is_array() {
                    return malformed("an element is used of something that is no array");
                }
                self.check_index(state, array, index)?;
                match (&state.heap.object(array).body, index) {
                    (Body::Elements(_), _) | (_, Value::Term(_)) => {
                        Flow::Continue(Place::Element(array, index))
                    }
                    (_, Value::Int(index)) => Flow::Continue(Place::Slot(array, index as usize)),
                    _ => malformed("something else than an int is used as an index"),
                }
            }
            Variable::Bytes(of, big) => {
                let array = self.non_null(state, coordinates[0])?;
                let index = self.concrete_int(coordinates[1])?;
                let length = self.array_length_value(state, array);
                let length = self.concrete_int(length)?;
                let last = (length - width(of) as i32 + 1).max(0);
                if !(0..last).contains(&index) {
                    let class = "java/lang/ArrayIndexOutOfBoundsException";
                    return out_of_bounds(class, index, last);
                }
                check_aligned(index, index as usize, of, mode)?;
                Flow::Continue(Place::Bytes(array, index as usize, of, big))
            }
            Variable::Buffer(of, big) => self.buffer_place(state, of, big, mode, coordinates),
        }
    }

    fn buffer_place(
        &mut self,
        state: &mut State<'p>,
        of: Primitive,
        big: bool,
        mode: Mode,
        coordinates: &[Value],
    ) -> Flow<Place> {
        let buffer = self.non_null(state, coordinates[0])?;
        let index = self.concrete_int(coordinates[1])?;
        let (Value::Int(limit), Value::Int(offset), Value::Reference(array)) = (
            self.field(state, buffer, "limit")?,
            self.field(state, buffer, "offset")?,
            self.field(state, buffer, "hb")?,
        ) else {
            return unsupported("a VarHandle of a ByteBuffer of the input");
        };
        if array.is_null() {
            return unsupported("a VarHandle of a direct ByteBuffer");
        }
        if !mode.plain && self.settings.feature > 17 {
            return unsupported("an ordered access to a ByteBuffer by a VarHandle");
        }
        let writes = mode.action != super::mode::Action::Get;
        if writes {
            match self.field(state, buffer, "isReadOnly")? {
                Value::Int(0) => {}
                Value::Int(_) => return raise_bare("java/nio/ReadOnlyBufferException"),
                _ => return unsupported("a VarHandle of a ByteBuffer of the input"),
            }
        }
        let last = (limit - width(of) as i32 + 1).max(0);
        if !(0..last).contains(&index) {
            return out_of_bounds("java/lang/IndexOutOfBoundsException", index, last);
        }
        let at = (offset + index) as usize;
        check_aligned(index, at, of, mode)?;
        Flow::Continue(Place::Bytes(array, at, of, big))
    }
}

fn check_aligned(index: i32, at: usize, of: Primitive, mode: Mode) -> Flow {
    if mode.plain || at.is_multiple_of(width(of)) {
        return Flow::Continue(());
    }
    let message = format!("Misaligned access at index: {index}");
    raise("java/lang/IllegalStateException", message)
}

/// The value of a variable.
pub(crate) fn read_place<'p>(
    machine: &mut Machine<'p>,
    state: &mut State<'p>,
    place: Place,
) -> Flow<Value> {
    let found = match place {
        Place::Slot(object, slot) => match state.heap.get(object, slot) {
            Some(value) => Some(machine.read(state, value)?),
            None => None,
        },
        Place::Element(array, index) => Some(machine.load_element(state, array, index)?),
        Place::Bytes(array, at, of, big) => {
            let mut bits = 0;
            for place in 0..width(of) {
                let place = if big { at + place } else { at + width(of) - 1 - place };
                match state.heap.get(array, place) {
                    Some(Value::Int(byte)) => bits = bits << 8 | u64::from(byte as u8),
                    Some(_) => {
                        return unsupported("a symbolic byte, read as part of another type");
                    }
                    None => return bug("bytes are read that are none"),
                }
            }
            let value = Value::from_bits(of.kind(), bits);
            Some(value.narrowed(ValueType::Primitive(of)))
        }
    };
    match found {
        Some(value) => Flow::Continue(value),
        None => bug("a variable is not there"),
    }
}

/// Replaces the value of a variable.
pub(crate) fn write_place<'p>(
    machine: &mut Machine<'p>,
    state: &mut State<'p>,
    place: Place,
    value: Value,
) -> Flow {
    let done = match place {
        Place::Element(array, index) => {
            return machine.store_element(state, array, index, value);
        }
        Place::Slot(object, slot) => machine.store_slot(state, object, slot, value),
        Place::Bytes(array, at, of, big) => {
            let Some(bits) = value.bits() else {
                return unsupported("a symbolic value, written as bytes");
            };
            (0..width(of)).all(|number| {
                let place = if big { at + width(of) - 1 - number } else { at + number };
                let byte = (bits >> (8 * number)) as u8 as i8;
                state.heap.set(array, place, Value::Int(byte.into()))
            })
        }
    };
    if done { Flow::Continue(()) } else { bug("a variable is not there") }
}
