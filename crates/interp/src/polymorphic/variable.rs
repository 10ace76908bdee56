//! What a `VarHandle` is about, and how it is kept in the object.
//!
//! The object is of the class that the library would use, but its constructor does not run and its
//! form is not made. Behind its declared fields come three numbers: the kind of variable, a field
//! or class, and a class or an order of bytes.

use crate::flow::{Flow, bug, linked};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, FieldId, Primitive, Shape, ValueType};
use dalang_heap::{Reference, Value};

/// What a `VarHandle` is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// A field of objects of a class, which may be below the one that declares it.
    Field(FieldId, ClassId),
    /// A static field.
    Static(FieldId),
    /// The elements of arrays of a class.
    Element(ClassId),
    /// Bytes of a `byte[]`, read as another type; whether the highest byte comes first.
    Bytes(Primitive, bool),
    /// The same of a `ByteBuffer`.
    Buffer(Primitive, bool),
}

const HIDDEN: usize = 3;

/// The types of coordinates, of which there are at most two.
pub(crate) type Coordinates = ([ValueType; 2], usize);

impl Variable {
    fn numbers(self) -> [i32; HIDDEN] {
        match self {
            Self::Field(field, class) => [0, field.number() as i32, class.number() as i32],
            Self::Static(field) => [1, field.number() as i32, 0],
            Self::Element(class) => [2, class.number() as i32, 0],
            Self::Bytes(of, big) => [3, of as i32, i32::from(big)],
            Self::Buffer(of, big) => [4, of as i32, i32::from(big)],
        }
    }

    fn from_numbers([kind, first, second]: [i32; HIDDEN]) -> Option<Self> {
        let primitive = || Primitive::ALL.get(first as usize).copied();
        Some(match kind {
            0 => Self::Field(FieldId::new(first as u32), ClassId::new(second as u32)),
            1 => Self::Static(FieldId::new(first as u32)),
            2 => Self::Element(ClassId::new(first as u32)),
            3 => Self::Bytes(primitive()?, second == 1),
            4 => Self::Buffer(primitive()?, second == 1),
            _ => return None,
        })
    }
}

impl<'p> Machine<'p> {
    /// A new `VarHandle`.
    pub fn new_variable(&mut self, state: &mut State<'p>, variable: Variable) -> Flow<Reference> {
        let class = self.class(&self.variable_class(variable)?)?;
        let handle = self.allocate(state, class, HIDDEN)?;
        let first = self.program.class(class).instance_fields.len();
        for (place, number) in variable.numbers().into_iter().enumerate() {
            state.heap.set(handle, first + place, Value::Int(number));
        }
        Flow::Continue(handle)
    }

    /// What a `VarHandle` is about.
    pub fn variable(&self, state: &State<'p>, handle: Reference) -> Flow<Variable> {
        let first = self.program.class(state.heap.class(handle)).instance_fields.len();
        let mut numbers = [-1; HIDDEN];
        for (place, number) in numbers.iter_mut().enumerate() {
            if let Some(Value::Int(found)) = state.heap.get(handle, first + place) {
                *number = found;
            }
        }
        match Variable::from_numbers(numbers) {
            Some(variable) => Flow::Continue(variable),
            None => crate::flow::unsupported(format!(
                "a VarHandle of {}",
                self.program.class_spelling(state.heap.class(handle))
            )),
        }
    }

    /// The class of the library that stands for such variables.
    fn variable_class(&self, variable: Variable) -> Flow<String> {
        let of = |value: ValueType| match value {
            ValueType::Reference(_) => "References".to_owned(),
            ValueType::Primitive(primitive) => plural(primitive),
        };
        let access = |field: FieldId| {
            let field = self.program.field(field);
            (of(field.value), if field.flags.is_final() { "ReadOnly" } else { "ReadWrite" })
        };
        let package = "java/lang/invoke/VarHandle";
        Flow::Continue(match variable {
            Variable::Field(field, _) => {
                let (of, access) = access(field);
                format!("{package}{of}$FieldInstance{access}")
            }
            Variable::Static(field) => {
                let (of, access) = access(field);
                format!("{package}{of}$FieldStatic{access}")
            }
            Variable::Element(_) => format!("{package}{}$Array", of(self.variable_type(variable)?)),
            Variable::Bytes(of, _) => format!("{package}ByteArrayAs{}$ArrayHandle", plural(of)),
            Variable::Buffer(of, _) => {
                format!("{package}ByteArrayAs{}$ByteBufferHandle", plural(of))
            }
        })
    }

    /// The type of a variable.
    pub fn variable_type(&self, variable: Variable) -> Flow<ValueType> {
        Flow::Continue(match variable {
            Variable::Field(field, _) | Variable::Static(field) => self.program.field(field).value,
            Variable::Element(array) => {
                let Shape::Array { component, .. } = self.program.class(array).shape else {
                    return bug("elements of something that is no array");
                };
                match self.type_of(component) {
                    Some(value) => value,
                    None => return bug("an array of nothing"),
                }
            }
            Variable::Bytes(of, _) | Variable::Buffer(of, _) => ValueType::Primitive(of),
        })
    }

    /// The types of the arguments that say which variable is meant.
    pub(crate) fn coordinates(&self, variable: Variable) -> Coordinates {
        let int = ValueType::Primitive(Primitive::Int);
        let class = |id: ClassId| ValueType::Reference(self.program.class(id).name);
        match variable {
            Variable::Field(_, receiver) => ([class(receiver), int], 1),
            Variable::Static(_) => ([int, int], 0),
            Variable::Element(array) => ([class(array), int], 2),
            Variable::Bytes(..) => ([class(self.known.byte_array), int], 2),
            Variable::Buffer(..) => {
                let buffer = self.program.names().intern("java/nio/ByteBuffer");
                ([ValueType::Reference(buffer), int], 2)
            }
        }
    }

    /// The classes of the arguments that say which variable is meant.
    pub fn coordinate_classes(&self, variable: Variable) -> Flow<Vec<ClassId>> {
        let (types, count) = self.coordinates(variable);
        let mut classes = Vec::new();
        for &value in &types[..count] {
            classes.push(linked(self.program.class_of_type(value))?);
        }
        Flow::Continue(classes)
    }
}

fn plural(primitive: Primitive) -> String {
    let keyword = primitive.keyword();
    format!("{}{}s", keyword[..1].to_uppercase(), &keyword[1..])
}
