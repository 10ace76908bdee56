//! `java.lang.ClassLoader`: which loader a class has, and classes that are made at run time.
//!
//! All classes are in one namespace, and the built-in loaders find in it what they would find
//! themselves: they are the library's own objects, made by its own code, and are told that every
//! class that can be found is loaded already. Loaders of the program run their own code.

use crate::java::lang::class::members;
use crate::java::lang::{class, module};
use crate::table::{Row, any, required};
use dalang_classes::path::Origin;
use dalang_classes::{ClassId, Primitive, Shape, one_line};
use dalang_heap::{Body, Reference, Value};
use dalang_interp::{Call, Flow, bug, linked, raise, unsupported};

const LOADERS: &str = "jdk/internal/loader/ClassLoaders";

/// One of the built-in loaders.
fn built_in(call: &mut Call<'_, '_>, field: &str) -> Flow<Reference> {
    let class = call.machine.class(LOADERS)?;
    call.machine.require(call.state, class)?;
    let field = call.machine.static_field(class, field)?;
    match call.machine.get_static(call.state, field)? {
        Value::Reference(loader) => Flow::Continue(loader),
        _ => bug("a class loader that is no object"),
    }
}

/// The loader of the class path.
pub(crate) fn application(call: &mut Call<'_, '_>) -> Flow<Reference> {
    built_in(call, "APP_LOADER")
}

/// The loader of a module of the library; `null` is the bootstrap loader. The library has lists
/// of them.
pub(crate) fn of_module(call: &mut Call<'_, '_>, module: &str) -> Flow<Reference> {
    if module == "java.base" || lists(call, "bootModules", module)? {
        return Flow::Continue(Reference::NULL);
    }
    if lists(call, "platformModules", module)? {
        return built_in(call, "PLATFORM_LOADER");
    }
    application(call)
}

/// Whether one of the library's lists of modules has a name in it.
fn lists(call: &mut Call<'_, '_>, list: &str, module: &str) -> Flow<bool> {
    let class = call.machine.class("jdk/internal/module/ModuleLoaderMap$Modules")?;
    call.machine.require(call.state, class)?;
    let field = call.machine.static_field(class, list)?;
    let Value::Reference(set) = call.machine.get_static(call.state, field)? else {
        return bug("a list of modules is no object");
    };
    let elements = call.machine.field(call.state, set, "elements")?;
    let Value::Reference(elements) = elements else { return bug("a set without elements") };
    let Body::References(elements) = &call.state.heap.object(elements).body else {
        return bug("a set whose elements are no objects");
    };
    for &element in elements.iter().filter(|element| !element.is_null()) {
        if call.machine.text(call.state, element)? == module {
            return Flow::Continue(true);
        }
    }
    Flow::Continue(false)
}

/// The loader of a class; `null` is the bootstrap loader.
pub(crate) fn of_class(call: &mut Call<'_, '_>, class: ClassId) -> Flow<Reference> {
    let class = match call.machine.program.class(class).shape {
        Shape::Array { element, .. } => element,
        _ => class,
    };
    if let Some(module) = call.machine.module(class).map(str::to_owned) {
        return of_module(call, &module);
    }
    let mirror = call.machine.mirror(call.state, class)?;
    match call.machine.field(call.state, mirror, "classLoader")? {
        Value::Reference(loader) if !loader.is_null() => Flow::Continue(loader),
        _ => {
            let loader = application(call)?;
            call.machine.set_field(call.state, mirror, "classLoader", loader)?;
            Flow::Continue(loader)
        }
    }
}

/// Which of the built-in loaders an object is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BuiltIn {
    Bootstrap,
    Platform,
    Application,
}

/// Whether a loader is built in; `null` is the bootstrap loader.
pub(crate) fn which(call: &Call<'_, '_>, loader: Reference) -> Option<BuiltIn> {
    if loader.is_null() {
        return Some(BuiltIn::Bootstrap);
    }
    let class = call.machine.program.class(call.state.heap.class(loader)).name;
    match call.machine.program.names().text(class) {
        "jdk/internal/loader/ClassLoaders$BootClassLoader" => Some(BuiltIn::Bootstrap),
        "jdk/internal/loader/ClassLoaders$PlatformClassLoader" => Some(BuiltIn::Platform),
        "jdk/internal/loader/ClassLoaders$AppClassLoader" => Some(BuiltIn::Application),
        _ => None,
    }
}

/// The class that a loader finds under a name with dots, if there is one.
pub(crate) fn find(
    call: &mut Call<'_, '_>,
    loader: Reference,
    name: &str,
) -> Flow<Option<ClassId>> {
    let Some(found) = class::find(call, name)? else { return Flow::Continue(None) };
    // Another state may have made it.
    let made = call.machine.program.class(found).origin.place == Origin::made().place;
    if made
        && !call.machine.program.class(found).is_array()
        && !call.machine.has_mirror(call.state, found)
    {
        return Flow::Continue(None);
    }
    let home = of_class(call, found)?;
    let seen = match which(call, loader) {
        Some(BuiltIn::Bootstrap) => home.is_null(),
        Some(BuiltIn::Platform) => which(call, home) != Some(BuiltIn::Application),
        Some(BuiltIn::Application) => which(call, home).is_some(),
        None => home == loader,
    };
    Flow::Continue(seen.then_some(found))
}

fn mirror(call: &mut Call<'_, '_>, class: Option<ClassId>) -> Flow<Option<Value>> {
    match class {
        Some(class) => Flow::Continue(Some(call.machine.mirror(call.state, class)?.into())),
        None => Flow::Continue(Some(Value::NULL)),
    }
}

fn find_bootstrap(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let name = call.text(0)?;
    let found = find(call, Reference::NULL, &name)?;
    mirror(call, found)
}

fn find_loaded(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (loader, name) = (call.object(0)?, call.text(1)?);
    let found = find(call, loader, &name)?;
    if found.is_none()
        && which(call, loader) == Some(BuiltIn::Application)
        && call.machine.is_called_through(call.state, &BY_NAME)
    {
        assume_missing(call, &name);
    }
    mirror(call, found)
}

/// What is between a program that asks a loader for a class and the loader's look at its classes.
const BY_NAME: [&str; 3] = [
    "java/lang/ClassLoader",
    "jdk/internal/loader/BuiltinClassLoader",
    "jdk/internal/loader/ClassLoaders",
];

/// The program has asked for a class by name, and what it does next rests on the class not being
/// there.
pub(crate) fn assume_missing(call: &mut Call<'_, '_>, name: &str) {
    let what = format!("{} is not on the class path", one_line(name));
    call.machine.assume(call.state, &what);
}

fn system(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(application(call)?.into()))
}

/// `defineClass1(loader, name, bytes, offset, length, domain, source)`
fn define_1(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let bytes = part(call, 2)?;
    define(call, bytes, false)
}

/// `defineClass0(loader, lookup, name, bytes, offset, length, domain, initialize, flags, data)`
fn define_0(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    const HIDDEN: i32 = 2;
    if call.int(8)? & HIDDEN != 0 {
        return unsupported("a hidden class");
    }
    let (bytes, initialize) = (part(call, 3)?, call.boolean(7)?);
    define(call, bytes, initialize)
}

/// Part of a `byte[]`, which is followed by offset and length.
fn part(call: &Call<'_, '_>, index: usize) -> Flow<Vec<u8>> {
    let (offset, length) = (call.int(index + 1)? as usize, call.int(index + 2)? as usize);
    let Body::Bytes(bytes) = &call.state.heap.object(call.object(index)?).body else {
        return unsupported("a class made of symbolic bytes");
    };
    match bytes.get(offset..offset + length) {
        Some(bytes) => Flow::Continue(bytes.iter().map(|&byte| byte as u8).collect()),
        None => raise("java/lang/ArrayIndexOutOfBoundsException", "bytes of a class"),
    }
}

/// Makes a class, or finds the one that another state made of the same bytes.
fn define(call: &mut Call<'_, '_>, bytes: Vec<u8>, initialize: bool) -> Flow<Option<Value>> {
    let loader = call.reference(0)?;
    if let Some(name) = call.machine.program.name_in(&bytes) {
        check_name(call, loader, &name, initialize)?;
    }
    let mut origin = Origin::made();
    if loader.is_null() {
        origin.module = Some("java.base".into());
    }
    let class = linked(call.machine.program.define_again(bytes, origin))?;
    if initialize {
        call.machine.require(call.state, class)?;
    }
    let mirror = call.machine.mirror(call.state, class)?;
    members::set(call, mirror, "classLoader", loader.into());
    let package = call.machine.program.class(class).package;
    let package = call.machine.program.names().text(package).replace('/', ".");
    if let Some(module) = module::of_package(call, loader, &package)? {
        members::set(call, mirror, "module", module.into());
    }
    Flow::Continue(Some(mirror.into()))
}

/// Two loaders may define classes of one name, but here is only one namespace.
fn check_name(call: &mut Call<'_, '_>, loader: Reference, name: &str, initialize: bool) -> Flow {
    let Ok(known) = call.machine.program.load(name) else { return Flow::Continue(()) };
    let is_made = call.machine.program.class(known).origin.place == Origin::made().place;
    if is_made && (initialize || !call.machine.has_mirror(call.state, known)) {
        return Flow::Continue(());
    }
    let home = of_class(call, known)?;
    let name = class::java_name(call, known);
    if is_made && home == loader {
        let message = format!("duplicate class definition for {name}");
        return raise("java/lang/LinkageError", message);
    }
    unsupported(format!("a second class named {name}, of another class loader"))
}

/// `-ea` and its like: nothing is said of single classes and packages.
fn directives(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.machine.class("java/lang/AssertionStatusDirectives")?;
    let none = call.machine.allocate_references(call.state, call.machine.known.string, &[])?;
    let flags = linked(call.machine.program.primitive_array(Primitive::Boolean))?;
    let flags = call.machine.allocate_array(call.state, flags, 0)?;
    let directives = call.machine.allocate(call.state, class, 0)?;
    for (field, value) in [
        ("classes", none.into()),
        ("classEnabled", flags.into()),
        ("packages", none.into()),
        ("packageEnabled", flags.into()),
        ("deflt", Value::boolean(call.machine.settings.assertions)),
    ] {
        call.machine.set_field(call.state, directives, field, value)?;
    }
    Flow::Continue(Some(directives.into()))
}

const ONE_NAMESPACE: &str = "the phases of the virtual machine's start are not run";

pub(crate) const ROWS: &[Row] = &[
    any("findBootstrapClass", find_bootstrap),
    any("findLoadedClass0", find_loaded),
    any("retrieveDirectives", directives),
    any("defineClass0", define_0),
    any("defineClass1", define_1),
    required("getSystemClassLoader", "()Ljava/lang/ClassLoader;", ONE_NAMESPACE, system),
];
