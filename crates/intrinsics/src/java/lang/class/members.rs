//! Fields, methods, constructors and record components as objects, the way reflection sees them.
//!
//! They are made without their constructors, as the virtual machine makes them. The `slot` of a
//! member is its place among those that its class declares; nothing but this crate reads it.

use dalang_classes::{
    Class, ClassId, Field, FieldId, Method, MethodId, Name, RawAttribute, RecordComponent,
    ValueType,
};
use dalang_heap::{Body, Reference, Value};
use dalang_interp::{Call, Flow, bug, linked};

/// A new object whose fields are set by name; libraries differ in which there are.
pub(crate) fn set(call: &mut Call<'_, '_>, object: Reference, name: &str, value: Value) {
    if let Some(slot) = call.machine.slot(call.state.heap.class(object), name) {
        call.state.heap.set(object, slot, value);
    }
}

/// The `Class` of a type.
fn mirror_of(call: &mut Call<'_, '_>, value: Option<ValueType>) -> Flow<Value> {
    let program = call.machine.program;
    let class = match value {
        Some(value) => linked(program.class_of_type(value))?,
        None => program.primitive(None),
    };
    Flow::Continue(call.machine.mirror(call.state, class)?.into())
}

/// An array of `Class` objects.
pub(crate) fn class_array(call: &mut Call<'_, '_>, classes: &[ClassId]) -> Flow<Reference> {
    let mut mirrors = Vec::with_capacity(classes.len());
    for &class in classes {
        mirrors.push(call.machine.mirror(call.state, class)?);
    }
    call.machine.allocate_references(call.state, call.machine.known.class, &mirrors)
}

/// The interned string of a name, or `null`.
pub(crate) fn text(call: &mut Call<'_, '_>, name: Option<Name>) -> Flow<Value> {
    match name {
        Some(name) => {
            let text = call.machine.program.names().text(name);
            Flow::Continue(call.machine.intern(call.state, text)?.into())
        }
        None => Flow::Continue(Value::NULL),
    }
}

/// The bytes of an attribute as a `byte[]`, or `null`.
pub(crate) fn bytes(
    call: &mut Call<'_, '_>,
    class: &Class,
    attributes: &[RawAttribute],
    name: &str,
) -> Value {
    let name = call.machine.program.names().find(name);
    let Some(&raw) = attributes.iter().find(|raw| Some(raw.name) == name) else {
        return Value::NULL;
    };
    let bytes = class.attribute_bytes(raw).iter().map(|&byte| byte as i8).collect();
    let array = call.machine.known.byte_array;
    call.state.heap.allocate(array, Body::Bytes(bytes)).into()
}

const VISIBLE: &str = "RuntimeVisibleAnnotations";

/// A `java.lang.reflect.Field`. Its class must be initialized.
pub(crate) fn field(call: &mut Call<'_, '_>, id: FieldId) -> Flow<Reference> {
    let program = call.machine.program;
    let field: &Field = program.field(id);
    let class = program.class(field.class);
    let slot = class.fields().position(|own| own == id).unwrap_or_default();
    let object = new(call, "java/lang/reflect/Field")?;
    let mirror = call.machine.mirror(call.state, field.class)?;
    set(call, object, "clazz", mirror.into());
    set(call, object, "slot", Value::Int(slot as i32));
    let name = text(call, Some(field.name))?;
    set(call, object, "name", name);
    let kind = mirror_of(call, Some(field.value))?;
    set(call, object, "type", kind);
    set(call, object, "modifiers", Value::Int(i32::from(field.flags.bits())));
    // Static final fields and those of records and hidden classes are never written.
    let trusted = field.flags.is_final()
        && (field.flags.is_static()
            || class.record().is_some()
            || call.machine.is_made(field.class));
    set(call, object, "trustedFinal", trusted.into());
    let signature = text(call, field.signature)?;
    set(call, object, "signature", signature);
    let annotations = bytes(call, class, &field.attributes, VISIBLE);
    set(call, object, "annotations", annotations);
    Flow::Continue(object)
}

fn new(call: &mut Call<'_, '_>, class: &str) -> Flow<Reference> {
    let class = call.machine.class(class)?;
    call.machine.allocate(call.state, class, 0)
}

/// A `java.lang.reflect.Method` or `Constructor`. Its class must be initialized.
pub(crate) fn executable(call: &mut Call<'_, '_>, id: MethodId) -> Flow<Reference> {
    let program = call.machine.program;
    let method: &Method = program.method(id);
    let class = program.class(method.class);
    let is_constructor = program.names().text(method.name) == "<init>";
    let slot = class.methods().position(|own| own == id).unwrap_or_default();
    let made = if is_constructor { CONSTRUCTOR } else { METHOD };
    let mut parameters = Vec::with_capacity(method.signature.parameters.len());
    for &parameter in &method.signature.parameters {
        parameters.push(linked(program.class_of_type(parameter))?);
    }
    let mut exceptions = Vec::new();
    for name in program.declared_exceptions(id) {
        exceptions.push(linked(program.load_name(name))?);
    }
    let object = new(call, made)?;
    let mirror = call.machine.mirror(call.state, method.class)?;
    set(call, object, "clazz", mirror.into());
    set(call, object, "slot", Value::Int(slot as i32));
    if !is_constructor {
        let name = text(call, Some(method.name))?;
        set(call, object, "name", name);
        let result = mirror_of(call, method.signature.result)?;
        set(call, object, "returnType", result);
    }
    let parameters = class_array(call, &parameters)?;
    set(call, object, "parameterTypes", parameters.into());
    let exceptions = class_array(call, &exceptions)?;
    set(call, object, "exceptionTypes", exceptions.into());
    set(call, object, "modifiers", Value::Int(i32::from(method.flags.bits())));
    let signature = text(call, method.generic)?;
    set(call, object, "signature", signature);
    for (field, attribute) in [
        ("annotations", VISIBLE),
        ("parameterAnnotations", "RuntimeVisibleParameterAnnotations"),
        ("annotationDefault", "AnnotationDefault"),
    ] {
        let value = bytes(call, class, &method.attributes, attribute);
        set(call, object, field, value);
    }
    Flow::Continue(object)
}

/// The class that methods are objects of.
pub(crate) const METHOD: &str = "java/lang/reflect/Method";
/// The class that constructors are objects of.
pub(crate) const CONSTRUCTOR: &str = "java/lang/reflect/Constructor";

/// A `java.lang.reflect.RecordComponent`. Its class must be initialized, and that of methods.
pub(crate) fn component(
    call: &mut Call<'_, '_>,
    owner: ClassId,
    component: &RecordComponent,
) -> Flow<Reference> {
    let program = call.machine.program;
    let class = program.class(owner);
    let object = new(call, "java/lang/reflect/RecordComponent")?;
    let mirror = call.machine.mirror(call.state, owner)?;
    set(call, object, "clazz", mirror.into());
    let name = text(call, Some(component.name))?;
    set(call, object, "name", name);
    let kind = mirror_of(call, Some(component.value))?;
    set(call, object, "type", kind);
    let descriptor = format!("(){}", program.names().text(component.descriptor));
    let descriptor = program.names().intern(&descriptor);
    if let Some(accessor) = class.declared_method(component.name, descriptor) {
        let accessor = executable(call, accessor)?;
        set(call, object, "accessor", accessor.into());
    }
    let signature = text(call, component.signature)?;
    set(call, object, "signature", signature);
    for (field, attribute) in
        [("annotations", VISIBLE), ("typeAnnotations", "RuntimeVisibleTypeAnnotations")]
    {
        let value = bytes(call, class, &component.attributes, attribute);
        set(call, object, field, value);
    }
    Flow::Continue(object)
}

/// The class and the place that a reflected member says it has.
fn place(call: &Call<'_, '_>, member: Reference) -> Flow<(ClassId, usize)> {
    let mirror = call.machine.field(call.state, member, "clazz")?;
    let slot = call.machine.field(call.state, member, "slot")?;
    match (mirror, slot) {
        (Value::Reference(mirror), Value::Int(slot)) if !mirror.is_null() => {
            Flow::Continue((call.machine.mirrored(call.state, mirror)?, slot as usize))
        }
        _ => bug("a reflected member without a class"),
    }
}

/// The method that a `java.lang.reflect.Method` or `Constructor` stands for.
pub(crate) fn reflected_method(call: &Call<'_, '_>, member: Reference) -> Flow<MethodId> {
    let (class, slot) = place(call, member)?;
    match call.machine.program.class(class).methods().nth(slot) {
        Some(method) => Flow::Continue(method),
        None => bug("a method that its class does not have"),
    }
}

/// The field that a `java.lang.reflect.Field` stands for.
pub(crate) fn reflected_field(call: &Call<'_, '_>, member: Reference) -> Flow<FieldId> {
    let (class, slot) = place(call, member)?;
    match call.machine.program.class(class).fields().nth(slot) {
        Some(field) => Flow::Continue(field),
        None => bug("a field that its class does not have"),
    }
}
