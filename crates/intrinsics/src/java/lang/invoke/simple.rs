//! `java.lang.invoke.MethodHandles`: handles that need no other: constants, and uses of arrays.

use super::MACHINERY;
use super::handle::give;
use super::variables::component;
use crate::table::{Row, required};
use dalang_classes::{ClassId, Primitive, ValueType};
use dalang_heap::Value;
use dalang_interp::{Behavior, Call, Flow, Form, linked, raise};

const INT: ValueType = ValueType::Primitive(Primitive::Int);

/// `identity(type)`
fn identity(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    let Some(value) = call.machine.type_of(class) else {
        return raise("java/lang/IllegalArgumentException", "void type");
    };
    let descriptor = call.machine.descriptor_of([value], Some(value));
    give(call, descriptor, &Behavior::new(Form::Identity, [0; 3], &[]))
}

/// `zero(type)`
fn zero(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    let value = call.machine.type_of(class);
    let descriptor = call.machine.descriptor_of([], value);
    let zero: Vec<Value> = value.iter().map(|value| Value::zero(value.kind())).collect();
    give(call, descriptor, &Behavior::new(Form::Constant, [0; 3], &zero))
}

/// `constant(type, value)`
fn constant(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    let Some(to) = call.machine.type_of(class) else {
        return raise("java/lang/IllegalArgumentException", "void type");
    };
    let value = super::combine::bindable(call, call.argument(1), to)?;
    let descriptor = call.machine.descriptor_of([], Some(to));
    give(call, descriptor, &Behavior::new(Form::Constant, [0; 3], &[value]))
}

/// The type of an array class, and that of its elements.
fn array(call: &Call<'_, '_>) -> Flow<(ClassId, ValueType, ValueType)> {
    let class = call.class(0)?;
    let element = component(call, class)?;
    match (call.machine.type_of(class), call.machine.type_of(element)) {
        (Some(array), Some(element)) => Flow::Continue((class, array, element)),
        _ => dalang_interp::bug("an array of nothing"),
    }
}

fn element_getter(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (class, array, element) = array(call)?;
    let descriptor = call.machine.descriptor_of([array, INT], Some(element));
    give(call, descriptor, &of_class(Form::GetElement, class))
}

fn element_setter(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (class, array, element) = array(call)?;
    let descriptor = call.machine.descriptor_of([array, INT, element], None);
    give(call, descriptor, &of_class(Form::PutElement, class))
}

fn array_length(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (class, array, _) = array(call)?;
    let descriptor = call.machine.descriptor_of([array], Some(INT));
    give(call, descriptor, &of_class(Form::Length, class))
}

fn array_constructor(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (class, array, _) = array(call)?;
    linked(call.machine.program.class_of_type(array))?;
    let descriptor = call.machine.descriptor_of([INT], Some(array));
    give(call, descriptor, &of_class(Form::NewArray, class))
}

fn of_class(form: Form, class: ClassId) -> Behavior {
    Behavior::new(form, [class.number() as i32, 0, 0], &[])
}

const OF_CLASS: &str = "(Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;";

pub(crate) const ROWS: &[Row] = &[
    required("identity", OF_CLASS, MACHINERY, identity),
    required("zero", OF_CLASS, MACHINERY, zero),
    required(
        "constant",
        "(Ljava/lang/Class;Ljava/lang/Object;)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        constant,
    ),
    required("arrayElementGetter", OF_CLASS, MACHINERY, element_getter),
    required("arrayElementSetter", OF_CLASS, MACHINERY, element_setter),
    required("arrayLength", OF_CLASS, MACHINERY, array_length),
    required("arrayConstructor", OF_CLASS, MACHINERY, array_constructor),
];
