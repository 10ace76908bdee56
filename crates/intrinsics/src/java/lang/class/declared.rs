//! What a class declares, as `java.lang.Class` asks for it.

use super::members;
use crate::table::{Row, any};
use dalang_classes::{ClassId, MethodId};
use dalang_heap::{Reference, Value};
use dalang_interp::{Call, Flow, linked, unsupported};

/// Reflected members are made without constructors, but what their classes set up must be there.
fn ready(call: &mut Call<'_, '_>, class: &str) -> Flow<ClassId> {
    let class = call.machine.class(class)?;
    call.machine.require(call.state, class)?;
    Flow::Continue(class)
}

fn array(
    call: &mut Call<'_, '_>,
    component: ClassId,
    elements: &[Reference],
) -> Flow<Option<Value>> {
    let array = call.machine.allocate_references(call.state, component, elements)?;
    Flow::Continue(Some(array.into()))
}

/// The class of a lambda has none of the members that Java would generate, so it cannot show them.
fn no_lambda(call: &Call<'_, '_>, class: ClassId) -> Flow {
    if call.machine.is_made(class) {
        return unsupported("reflection on the members of a lambda's class");
    }
    Flow::Continue(())
}

fn fields(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (class, public) = (call.class(0)?, call.boolean(1)?);
    if !public {
        no_lambda(call, class)?;
    }
    let component = ready(call, "java/lang/reflect/Field")?;
    let program = call.machine.program;
    let wanted = |&field: &_| !public || program.field(field).flags.is_public();
    let mut fields = Vec::new();
    for field in program.class(class).fields().filter(wanted) {
        fields.push(members::field(call, field)?);
    }
    array(call, component, &fields)
}

fn executables(call: &mut Call<'_, '_>, made: &str) -> Flow<Option<Value>> {
    let (class, public) = (call.class(0)?, call.boolean(1)?);
    if !public || made == members::METHOD {
        no_lambda(call, class)?;
    }
    let component = ready(call, made)?;
    let program = call.machine.program;
    let wanted = |&method: &MethodId| {
        let method = program.method(method);
        let fits = match program.names().text(method.name) {
            "<init>" => made == members::CONSTRUCTOR,
            "<clinit>" => false,
            _ => made == members::METHOD,
        };
        fits && (!public || method.flags.is_public())
    };
    let mut methods = Vec::new();
    for method in program.class(class).methods().filter(wanted) {
        methods.push(members::executable(call, method)?);
    }
    array(call, component, &methods)
}

fn methods(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    executables(call, members::METHOD)
}

fn constructors(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    executables(call, members::CONSTRUCTOR)
}

fn record_components(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    ready(call, members::METHOD)?;
    let component = ready(call, "java/lang/reflect/RecordComponent")?;
    let Some(record) = call.machine.program.class(class).record() else {
        return Flow::Continue(Some(Value::NULL));
    };
    let mut components = Vec::new();
    for part in record {
        components.push(members::component(call, class, part)?);
    }
    array(call, component, &components)
}

/// The member classes, in the order in which the class file lists them.
fn classes(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    let program = call.machine.program;
    let target = program.class(class);
    let mut members = Vec::new();
    for inner in target.inner_classes() {
        if inner.outer == Some(target.name) && inner.inner != target.name {
            members.push(linked(program.load_name(inner.inner))?);
        }
    }
    Flow::Continue(Some(members::class_array(call, &members)?.into()))
}

fn interfaces(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    let interfaces = &call.machine.program.class(class).interfaces;
    Flow::Continue(Some(members::class_array(call, interfaces)?.into()))
}

fn permitted(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    let program = call.machine.program;
    let Some(names) = program.class(class).permitted_subclasses() else {
        return Flow::Continue(Some(Value::NULL));
    };
    // Those that are not there, or are below something else, are left out.
    let found = names.iter().filter_map(|&name| program.load_name(name).ok());
    let direct = |&sub: &ClassId| {
        let sub = program.class(sub);
        sub.superclass == Some(class) || sub.interfaces.contains(&class)
    };
    let found: Vec<ClassId> = found.filter(direct).collect();
    Flow::Continue(Some(members::class_array(call, &found)?.into()))
}

fn nest_host(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    let host = call.machine.program.nest_host(class);
    Flow::Continue(Some(call.machine.mirror(call.state, host)?.into()))
}

fn nest_members(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    let program = call.machine.program;
    let host = program.nest_host(class);
    let names = program.class(host).nest_members();
    let members = names.iter().filter_map(|&name| program.load_name(name).ok());
    let members = members.filter(|&member| program.nest_host(member) == host);
    let members: Vec<ClassId> = [host].into_iter().chain(members).collect();
    Flow::Continue(Some(members::class_array(call, &members)?.into()))
}

pub(crate) const ROWS: &[Row] = &[
    any("getDeclaredFields0", fields),
    any("getDeclaredMethods0", methods),
    any("getDeclaredConstructors0", constructors),
    any("getDeclaredClasses0", classes),
    any("getRecordComponents0", record_components),
    any("getInterfaces0", interfaces),
    any("getPermittedSubclasses0", permitted),
    any("getNestHost0", nest_host),
    any("getNestMembers0", nest_members),
];
