//! `java.lang.Module`, without module layers.
//!
//! Each module of the library is one object that has a name and nothing else: what it exports and
//! opens is read from its description when it is asked for. Modules that the library makes itself,
//! for proxies, have descriptors and are left to the library's own code. The unnamed modules are
//! those of class loaders.

use crate::java::lang::loader;
use crate::jdk::internal::loader::resources;
use crate::table::{Row, any, required};
use dalang_classes::ClassId;
use dalang_heap::{Body, Reference, Value};
use dalang_interp::{Call, Flow, Interrupt, Outcome, bug, unsupported};

const MODULES: &str = "java.lang.Module of the library";
/// Modules, each followed by its packages.
const MADE: &str = "java.lang.Module made at run time";
/// Modules, each followed by its descriptor.
const DESCRIPTORS: &str = "java.lang.Module descriptors";
/// Modules, each followed by a package, who sees it, and itself if it is open.
const ADDED: &str = "java.lang.Module exports added at run time";

/// The module of a class.
pub(crate) fn of_class(call: &mut Call<'_, '_>, class: ClassId) -> Flow<Value> {
    if let Some(name) = call.machine.module(class).map(str::to_owned) {
        return Flow::Continue(library_module(call, &name)?.into());
    }
    let loader = loader::of_class(call, class)?;
    call.machine.field(call.state, loader, "unnamedModule")
}

/// The object of a module of the library.
pub(crate) fn library_module(call: &mut Call<'_, '_>, name: &str) -> Flow<Reference> {
    let class = call.machine.class("java/lang/Module")?;
    call.machine.require(call.state, class)?;
    let mut known = listed(call, MODULES);
    for &module in &known {
        if name_of(call, module)?.as_deref() == Some(name) {
            return Flow::Continue(module);
        }
    }
    let text = call.machine.intern(call.state, name)?;
    let module = call.machine.allocate(call.state, class, 0)?;
    call.machine.set_field(call.state, module, "name", text)?;
    known.push(module);
    keep(call, MODULES, &known)?;
    Flow::Continue(module)
}

/// The name of a module; an unnamed one has none.
fn name_of(call: &Call<'_, '_>, module: Reference) -> Flow<Option<String>> {
    match call.machine.field(call.state, module, "name")? {
        Value::Reference(name) if !name.is_null() => {
            Flow::Continue(Some(call.machine.text(call.state, name)?))
        }
        _ => Flow::Continue(None),
    }
}

/// The name of the receiver if it is a module of the library.
fn own_name(call: &Call<'_, '_>) -> Flow<Option<String>> {
    let module = call.object(0)?;
    if call.machine.field(call.state, module, "descriptor")? != Value::NULL {
        return Flow::Continue(None);
    }
    name_of(call, module)
}

/// `implIsExportedOrOpen(package, other, open)`
fn is_exported_or_open(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let Some(name) = own_name(call)? else { return call.proceed() };
    let (module, other) = (call.object(0)?, call.object(2)?);
    let (package, open) = (call.text(1)?.replace('.', "/"), call.boolean(3)?);
    let Some(info) = call.machine.program.module_info(&name) else {
        return unsupported(format!("what the module {name} exports"));
    };
    if module == other {
        return Flow::Continue(Some(true.into()));
    }
    let class = call.state.heap.class(module);
    let everyone = call.machine.static_field(class, "EVERYONE_MODULE")?;
    let to = if call.machine.get_static(call.state, everyone)? == Value::Reference(other) {
        None
    } else {
        name_of(call, other)?
    };
    let shows =
        info.shows(&package, to.as_deref(), open) || is_added(call, module, other, &package, open)?;
    Flow::Continue(Some(shows.into()))
}

/// `implAddExportsOrOpens(package, other, open, sync)`: the library shows more of itself to the
/// modules that it makes at run time.
fn add_export(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    if own_name(call)?.is_none() {
        return call.proceed();
    }
    let (module, package, other) = (call.object(0)?, call.object(1)?, call.object(2)?);
    // What is open has the module twice, which nothing else does.
    let open = if call.boolean(3)? { module } else { Reference::NULL };
    let mut added = listed(call, ADDED);
    added.extend([module, package, other, open]);
    keep(call, ADDED, &added)
}

fn is_added(
    call: &Call<'_, '_>,
    module: Reference,
    other: Reference,
    package: &str,
    open: bool,
) -> Flow<bool> {
    for entry in listed(call, ADDED).chunks_exact(4) {
        if entry[0] == module
            && entry[2] == other
            && (!open || !entry[3].is_null())
            && call.machine.text(call.state, entry[1])?.replace('.', "/") == package
        {
            return Flow::Continue(true);
        }
    }
    Flow::Continue(false)
}

/// Objects that are kept under a name.
pub(crate) fn listed(call: &Call<'_, '_>, name: &'static str) -> Vec<Reference> {
    match call.state.singleton(name) {
        Some(Value::Reference(list)) => match &call.state.heap.object(list).body {
            Body::References(list) => list.to_vec(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

pub(crate) fn keep(
    call: &mut Call<'_, '_>,
    name: &'static str,
    objects: &[Reference],
) -> Flow<Option<Value>> {
    let object = call.machine.known.object;
    let list = call.machine.allocate_references(call.state, object, objects)?;
    call.state.set_singleton(name, list.into());
    Flow::Continue(None)
}

/// Whether a module of the library reads another: it requires it, or requires one that passes it
/// on.
fn can_read(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let Some(name) = own_name(call)? else { return call.proceed() };
    let other = call.object(1)?;
    let Some(other) = name_of(call, other)? else {
        return Flow::Continue(Some(false.into()));
    };
    let program = call.machine.program;
    let mut read: Vec<Box<str>> = vec!["java.base".into(), name.as_str().into()];
    let own = program.module_info(&name);
    read.extend(own.iter().flat_map(|own| &own.requires).map(|(module, _)| module.clone()));
    let mut at = 2;
    while let Some(module) = read.get(at) {
        let info = program.module_info(module);
        for (next, passed_on) in info.iter().flat_map(|info| &info.requires) {
            if *passed_on && !read.contains(next) {
                read.push(next.clone());
            }
        }
        at += 1;
    }
    Flow::Continue(Some(read.iter().any(|module| **module == *other).into()))
}

/// Whether a module of the library looks for a service.
fn can_use(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let Some(name) = own_name(call)? else { return call.proceed() };
    let program = call.machine.program;
    let service = program.names().text(program.class(call.class(1)?).name);
    let info = program.module_info(&name);
    let uses = info.is_some_and(|info| info.uses.iter().any(|used| **used == *service));
    Flow::Continue(Some(uses.into()))
}

fn class_loader(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    match own_name(call)? {
        Some(name) => {
            let loader = loader::of_module(call, &name)?;
            Flow::Continue(Some(loader.into()))
        }
        None => call.proceed(),
    }
}

/// The descriptor of a module of the library, which the library's own code reads from the file.
fn descriptor(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let Some(name) = own_name(call)? else { return call.proceed() };
    let module = call.object(0)?;
    if let Some(pair) = listed(call, DESCRIPTORS).chunks_exact(2).find(|pair| pair[0] == module) {
        return Flow::Continue(Some(pair[1].into()));
    }
    let Ok(Some(found)) = call.machine.program.library().module_info(&name) else {
        return unsupported(format!("the descriptor of the module {name}"));
    };
    let stream = resources::stream_of(call, found.bytes)?;
    let class = call.machine.class("java/lang/module/ModuleDescriptor")?;
    let descriptor = "(Ljava/io/InputStream;)Ljava/lang/module/ModuleDescriptor;";
    let method = call.machine.method(class, "read", descriptor)?;
    call.invoke(method, &[stream.into()], |call, outcome| match outcome {
        Outcome::Returned(Some(Value::Reference(read))) => {
            let mut known = listed(call, DESCRIPTORS);
            known.extend([call.object(0)?, read]);
            keep(call, DESCRIPTORS, &known)?;
            Flow::Continue(Some(read.into()))
        }
        Outcome::Returned(_) => bug("a module without a descriptor"),
        Outcome::Threw(exception) => Flow::Break(Interrupt::Throw(exception)),
    })
}

/// What is asked of a module of the library and would need its layer or descriptor.
fn needs_layer(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    match own_name(call)? {
        Some(name) => {
            let what = call.spelling();
            unsupported(format!("{what} for the module {name}"))
        }
        None => call.proceed(),
    }
}

/// Modules of the library show their files to the library; which of them a program sees is another
/// question.
fn resource(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let Some(module) = own_name(call)? else { return call.proceed() };
    let path = call.text(1)?;
    let path = path.strip_prefix('/').unwrap_or(&path);
    let frames = call.state.frames();
    let caller = frames.iter().rev().filter(|frame| !frame.is_hidden()).nth(1);
    if caller.is_none_or(|caller| call.machine.module(caller.class).is_none()) {
        return unsupported(format!("the resource {path} of the module {module}"));
    }
    crate::jdk::internal::loader::resources::library_stream(call, &module, path)
}

/// `defineModule0(module, isOpen, version, location, packages)`: a module that the library makes at
/// run time, kept with its packages for the classes that are defined in them.
fn define_module(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (module, packages) = (call.object(0)?, call.object(4)?);
    let mut made = listed(call, MADE);
    made.extend([module, packages]);
    keep(call, MADE, &made)
}

/// The module made at run time that has a package of a loader; the package with dots.
pub(crate) fn of_package(
    call: &Call<'_, '_>,
    loader: Reference,
    package: &str,
) -> Flow<Option<Reference>> {
    for pair in listed(call, MADE).chunks_exact(2) {
        if call.machine.field(call.state, pair[0], "loader")? != Value::Reference(loader) {
            continue;
        }
        let Body::References(packages) = &call.state.heap.object(pair[1]).body else {
            return bug("the packages of a module are no objects");
        };
        for &own in &**packages {
            if call.machine.text(call.state, own)? == package {
                return Flow::Continue(Some(pair[0]));
            }
        }
    }
    Flow::Continue(None)
}

fn nothing(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(None)
}

/// `ModuleLayer.boot()`
fn boot_layer(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    unsupported("the boot layer of modules (java.lang.ModuleLayer.boot)")
}

/// Of `java.lang.ModuleLayer`.
pub(crate) const LAYER: &[Row] =
    &[required("boot", "()Ljava/lang/ModuleLayer;", NO_LAYERS, boot_layer)];

const NO_LAYERS: &str = "there are no module layers";

pub(crate) const ROWS: &[Row] = &[
    any("defineModule0", define_module),
    any("addReads0", nothing),
    any("addExports0", nothing),
    any("addExportsToAll0", nothing),
    any("addExportsToAllUnnamed0", nothing),
    required(
        "implIsExportedOrOpen",
        "(Ljava/lang/String;Ljava/lang/Module;Z)Z",
        NO_LAYERS,
        is_exported_or_open,
    ),
    required("canRead", "(Ljava/lang/Module;)Z", NO_LAYERS, can_read),
    required("getClassLoader", "()Ljava/lang/ClassLoader;", NO_LAYERS, class_loader),
    required("getDescriptor", "()Ljava/lang/module/ModuleDescriptor;", NO_LAYERS, descriptor),
    required("getLayer", "()Ljava/lang/ModuleLayer;", NO_LAYERS, needs_layer),
    required("getPackages", "()Ljava/util/Set;", NO_LAYERS, needs_layer),
    required("canUse", "(Ljava/lang/Class;)Z", NO_LAYERS, can_use),
    required("implAddReads", "(Ljava/lang/Module;Z)V", NO_LAYERS, needs_layer),
    required(
        "implAddExportsOrOpens",
        "(Ljava/lang/String;Ljava/lang/Module;ZZ)V",
        NO_LAYERS,
        add_export,
    ),
    required("addUses", "(Ljava/lang/Class;)Ljava/lang/Module;", NO_LAYERS, needs_layer),
    required("implAddUses", "(Ljava/lang/Class;)V", NO_LAYERS, needs_layer),
    required("moduleInfoClass", "()Ljava/lang/Class;", NO_LAYERS, needs_layer),
    required(
        "getResourceAsStream",
        "(Ljava/lang/String;)Ljava/io/InputStream;",
        NO_LAYERS,
        resource,
    ),
];
