//! `java.lang.Class`: what a class is. What it declares is in files of their own.

pub(crate) mod declared;
pub(crate) mod members;
pub(crate) mod nesting;

use crate::java::lang::{loader, module};
use crate::table::{Row, any, required};
use dalang_classes::{ClassId, JavaError, Primitive, Shape};
use dalang_heap::{Need, Value};
use dalang_interp::{Call, Flow, Interrupt, Outcome, Stop, bug, linked, raise, unsupported};

fn primitive(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let name = call.text(0)?;
    let primitive = Primitive::ALL.into_iter().find(|primitive| primitive.keyword() == name);
    if primitive.is_none() && name != "void" {
        return bug(format!("{name} is no primitive type"));
    }
    let class = call.machine.program.primitive(primitive);
    Flow::Continue(Some(call.machine.mirror(call.state, class)?.into()))
}

fn assertions(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    let on = call.machine.settings.assertions && call.machine.module(class).is_none();
    Flow::Continue(Some(on.into()))
}

fn is_array(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    Flow::Continue(Some(call.machine.program.class(class).is_array().into()))
}

fn is_primitive(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    Flow::Continue(Some((!call.machine.program.is_reference_class(class)).into()))
}

fn is_interface(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    Flow::Continue(Some(call.machine.program.class(class).is_interface().into()))
}

fn name(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let mirror = call.object(0)?;
    let class = call.machine.mirrored(call.state, mirror)?;
    let text = java_name(call, class);
    let name = call.machine.intern(call.state, &text)?;
    call.machine.set_field(call.state, mirror, "name", name)?;
    Flow::Continue(Some(name.into()))
}

/// What `Class.getName` gives: arrays are named as class files name them, with dots.
pub(crate) fn java_name(call: &Call<'_, '_>, class: ClassId) -> String {
    call.machine.program.java_name(class)
}

fn is_instance(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (mirror, object) = (call.argument(0), call.argument(1));
    let Value::Reference(mirror) = call.machine.needed(call.state, mirror, Need::Object)? else {
        return unsupported("Class.isInstance of a class that is not known");
    };
    let class = call.machine.mirrored(call.state, mirror)?;
    call.machine.instance_value(call.state, object, class).map_continue(Some)
}

fn is_assignable_from(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (to, from) = (call.class(0)?, call.class(1)?);
    Flow::Continue(Some(call.machine.program.is_subtype(from, to).into()))
}

fn superclass(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    let target = call.machine.program.class(class);
    match target.superclass.filter(|_| !target.is_interface()) {
        Some(superclass) => {
            Flow::Continue(Some(call.machine.mirror(call.state, superclass)?.into()))
        }
        None => Flow::Continue(Some(Value::NULL)),
    }
}

fn modifiers(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    Flow::Continue(Some(Value::Int(call.machine.modifiers(class))))
}

fn is_hidden(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    Flow::Continue(Some(call.machine.is_made(class).into()))
}

fn is_record(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    let target = call.machine.program.class(class);
    Flow::Continue(Some(target.record().is_some().into()))
}

/// `forName0(name, initialize, loader, caller)`
fn for_name(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let name = match call.text(0) {
        Flow::Break(Interrupt::Stop(stop)) if matches!(*stop, Stop::Symbolic(_)) => {
            return unsupported("Class.forName with a name that depends on inputs");
        }
        name => name?,
    };
    let (initialize, from) = (call.boolean(1)?, call.reference(2)?);
    if loader::which(call, from).is_none() && !name.starts_with('[') {
        let class = call.state.heap.class(from);
        let descriptor = "(Ljava/lang/String;)Ljava/lang/Class;";
        let method = call.machine.method(class, "loadClass", descriptor)?;
        return call.invoke_virtual(method, &[from.into(), call.argument(0)], by_loader);
    }
    let Some(class) = loader::find(call, from, &name)? else {
        if loader::which(call, from).is_none() {
            return unsupported(format!("the array class {name} of a class loader of the program"));
        }
        // What is missing is the class of the elements.
        let element = name.trim_start_matches('[');
        let element = element.strip_prefix('L').and_then(|element| element.strip_suffix(';'));
        let missing = element.filter(|_| name.starts_with('[')).unwrap_or(&name);
        if call.machine.is_called_through(call.state, &["java/lang/Class"]) {
            loader::assume_missing(call, missing);
        }
        return raise("java/lang/ClassNotFoundException", missing);
    };
    found(call, class, initialize)
}

/// A loader of the program has found a class.
fn by_loader(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    match outcome {
        Outcome::Threw(exception) => Flow::Break(Interrupt::Throw(exception)),
        Outcome::Returned(Some(Value::Reference(mirror))) if !mirror.is_null() => {
            let class = call.machine.mirrored(call.state, mirror)?;
            let initialize = call.boolean(1)?;
            found(call, class, initialize)
        }
        Outcome::Returned(_) => {
            let name = call.text(0)?;
            raise("java/lang/ClassNotFoundException", name)
        }
    }
}

fn found(call: &mut Call<'_, '_>, class: ClassId, initialize: bool) -> Flow<Option<Value>> {
    if initialize && call.machine.program.class(class).shape == Shape::Declared {
        call.machine.require(call.state, class)?;
    }
    Flow::Continue(Some(call.machine.mirror(call.state, class)?.into()))
}

/// A class by the name that `Class.getName` gives it, wherever it is; none if there is no such
/// class. Throws if it is there and cannot be used.
pub(crate) fn find(call: &Call<'_, '_>, name: &str) -> Flow<Option<ClassId>> {
    if name.contains('/') || name.is_empty() {
        return Flow::Continue(None);
    }
    let internal = name.replace('.', "/");
    let element = internal.trim_start_matches('[').trim_start_matches('L').trim_end_matches(';');
    match call.machine.program.load(&internal) {
        Ok(class) if call.machine.program.is_reference_class(class) => Flow::Continue(Some(class)),
        Ok(_) => Flow::Continue(None),
        Err(failure)
            if failure.error == JavaError::NoClassDefFoundError
                && (*failure.message == *internal || *failure.message == *element) =>
        {
            Flow::Continue(None)
        }
        Err(failure) => linked(Err(failure)),
    }
}

fn class_loader(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    let loader = loader::of_class(call, class)?;
    Flow::Continue(Some(loader.into()))
}

fn module_of(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let mirror = call.object(0)?;
    let known = call.machine.field(call.state, mirror, "module")?;
    if known != Value::NULL {
        return Flow::Continue(Some(known));
    }
    let class = call.machine.mirrored(call.state, mirror)?;
    let found = module::of_class(call, class)?;
    call.machine.set_field(call.state, mirror, "module", found)?;
    Flow::Continue(Some(found))
}

/// The library's own code reads the loader from its field.
fn with_loader(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    let loader = loader::of_class(call, class)?;
    let mirror = call.object(0)?;
    call.machine.set_field(call.state, mirror, "classLoader", loader)?;
    call.proceed()
}

const LATE: &str = "loaders and modules of classes are made when they are first asked for";

pub(crate) const ROWS: &[Row] = &[
    any("getPrimitiveClass", primitive),
    any("desiredAssertionStatus0", assertions),
    any("desiredAssertionStatus", assertions),
    any("isArray", is_array),
    any("isPrimitive", is_primitive),
    any("isInterface", is_interface),
    any("initClassName", name),
    any("isInstance", is_instance).untouched(),
    any("isAssignableFrom", is_assignable_from),
    any("getSuperclass", superclass),
    any("getModifiers", modifiers),
    any("isHidden", is_hidden),
    any("isRecord0", is_record),
    any("forName0", for_name),
    required("getClassLoader", "()Ljava/lang/ClassLoader;", LATE, class_loader),
    required("getClassLoader0", "()Ljava/lang/ClassLoader;", LATE, class_loader),
    required("getResource", "(Ljava/lang/String;)Ljava/net/URL;", LATE, with_loader),
    required("getResourceAsStream", "(Ljava/lang/String;)Ljava/io/InputStream;", LATE, with_loader),
    required("getModule", "()Ljava/lang/Module;", LATE, module_of),
];
