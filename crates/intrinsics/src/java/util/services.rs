//! `java.util.ServiceLoader`: providers in modules of the library.
//!
//! The library keeps a catalog of providers for each loader, which is filled when the virtual
//! machine starts. Here it is filled with the providers of a service when that is first looked for;
//! providers on the class path are found by the library's own code.

use crate::java::lang::{loader, module};
use crate::table::{Row, required};
use dalang_classes::ClassId;
use dalang_heap::Value;
use dalang_interp::{Call, Flow, Interrupt, Outcome, linked, unsupported};

const KNOWN: &str = "java.util.ServiceLoader services in catalogs";
const CATALOG: &str = "jdk/internal/module/ServicesCatalog";

/// `ServiceLoader(caller, service, loader)`
fn new(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let service = call.object(2)?;
    let name = call.machine.program.class_spelling(call.class(2)?);
    let is_asked = call.machine.is_called_through(call.state, &["java/util/ServiceLoader"]);
    // The library asks for these on behalf of programs, to have them choose what does its work.
    if is_asked || name.starts_with("javax.") {
        let what = format!("providers of {name}: those of the JDK and the class path");
        call.machine.assume(call.state, &what);
    }
    let known = module::listed(call, KNOWN);
    if known.contains(&service) || providers(call)?.is_empty() {
        return call.proceed();
    }
    call.save(Value::Int(0));
    step(call)
}

/// The providers of the service: modules and classes.
fn providers(call: &Call<'_, '_>) -> Flow<Vec<(String, Box<str>)>> {
    let program = call.machine.program;
    let class = call.class(2)?;
    let service = program.names().text(program.class(class).name);
    let mut modules = program.library().modules();
    modules.sort_unstable();
    let mut found = Vec::new();
    for module in modules {
        let Some(info) = program.module_info(module) else { continue };
        let provided = info.provides.iter().filter(|(provided, _)| **provided == *service);
        for (_, with) in provided {
            found.extend(with.iter().map(|class| (module.to_owned(), class.clone())));
        }
    }
    Flow::Continue(found)
}

/// Puts the next provider into its catalog; the library's own code goes on after the last.
fn step(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let providers = providers(call)?;
    let Some((module, _)) = providers.get(call.saved_int(0)? as usize) else {
        let mut known = module::listed(call, KNOWN);
        known.push(call.object(2)?);
        module::keep(call, KNOWN, &known)?;
        return call.proceed();
    };
    let loader = loader::of_module(call, module)?;
    if loader.is_null() {
        let boot = call.machine.class("jdk/internal/loader/BootLoader")?;
        let descriptor = format!("()L{CATALOG};");
        let method = call.machine.method(boot, "getServicesCatalog", &descriptor)?;
        return call.invoke(method, &[], add);
    }
    let catalogs = call.machine.class(CATALOG)?;
    let descriptor = format!("(Ljava/lang/ClassLoader;)L{CATALOG};");
    let method = call.machine.method(catalogs, "getServicesCatalog", &descriptor)?;
    call.invoke(method, &[loader.into()], add)
}

fn add(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    let catalog = match outcome {
        Outcome::Returned(value) => value.unwrap_or(Value::NULL),
        Outcome::Threw(exception) => return Flow::Break(Interrupt::Throw(exception)),
    };
    let providers = providers(call)?;
    let (module, class) = &providers[call.saved_int(0)? as usize];
    let class: ClassId = linked(call.machine.program.load(class))?;
    let module = module::library_module(call, module)?;
    let class = call.machine.mirror(call.state, class)?;
    let catalogs = call.machine.class(CATALOG)?;
    let descriptor = "(Ljava/lang/Module;Ljava/lang/Class;Ljava/lang/Class;)V";
    let method = call.machine.method(catalogs, "addProvider", descriptor)?;
    let arguments = [catalog, module.into(), call.argument(2), class.into()];
    call.invoke(method, &arguments, |call, outcome| {
        if let Outcome::Threw(exception) = outcome {
            return Flow::Break(Interrupt::Throw(exception));
        }
        let next = call.saved_int(0)? + 1;
        call.set_saved(0, next);
        step(call)
    })
}

fn by_layer(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    unsupported("services of a module layer (java.util.ServiceLoader)")
}

/// Modules of the library are explicit ones; nobody need read their descriptors for that.
fn in_explicit_module(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(1)?;
    match call.machine.module(class) {
        Some(_) => Flow::Continue(Some(true.into())),
        None => call.proceed(),
    }
}

const NO_LAYERS: &str = "there are no module layers";

pub(crate) const ROWS: &[Row] = &[
    required("inExplicitModule", "(Ljava/lang/Class;)Z", NO_LAYERS, in_explicit_module),
    required(
        "<init>",
        "(Ljava/lang/Class;Ljava/lang/Class;Ljava/lang/ClassLoader;)V",
        NO_LAYERS,
        new,
    ),
    required(
        "<init>",
        "(Ljava/lang/Module;Ljava/lang/Class;Ljava/lang/ClassLoader;)V",
        NO_LAYERS,
        new,
    ),
    required(
        "<init>",
        "(Ljava/lang/Class;Ljava/lang/ModuleLayer;Ljava/lang/Class;)V",
        NO_LAYERS,
        by_layer,
    ),
];
