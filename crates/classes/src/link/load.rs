//! Loading (JVMS 5.3): from a name to a class whose superclass and interfaces are loaded as well.
//!
//! What a class needs above it is put on a list, not on the machine's stack, so that no hierarchy,
//! however deep, can exhaust it. Whether it worked or not, the outcome for a name is kept.

use super::class::{Class, Shape};
use super::dispatch;
use super::failure::{JavaError, LinkFailure};
use super::member::{Dispatch, Field, Method};
use super::program::Program;
use crate::error::ClassError;
use crate::file::{self, ClassFile, Fault, FieldInfo, MethodInfo};
use crate::flags::Flags;
use crate::ids::{ClassId, FieldId, MethodId};
use crate::names::Name;
use crate::path::{Found, Origin};
use rustc_hash::FxHashSet;
use std::sync::{OnceLock, PoisonError};

/// The most classes above a class, on the longest way. Every class keeps a list of what is above it;
/// the bound keeps those lists from growing with the square of a hostile hierarchy.
const MOST_HEIGHT: u32 = 1000;

/// The most interfaces above a class. Selecting methods goes through pairs of them.
const MOST_INTERFACES: usize = 2000;

/// A class that was read and waits for those above it.
struct Waiting {
    file: ClassFile,
    origin: Origin,
    /// Superclass and interfaces, and how many of them are loaded.
    above: Vec<Name>,
    done: usize,
}

impl Program {
    /// The class with this name in internal form (`java/lang/String`, `[I`), loaded if need be.
    ///
    /// # Errors
    /// A class that is missing or cannot be used, or one above it.
    pub fn load(&self, name: &str) -> Result<ClassId, LinkFailure> {
        self.load_name(self.names().intern(name))
    }

    /// The same, by name.
    ///
    /// # Errors
    /// A class that is missing or cannot be used, or one above it.
    pub fn load_name(&self, name: Name) -> Result<ClassId, LinkFailure> {
        if let Some(known) = self.known(name) {
            return known;
        }
        if self.names().text(name).starts_with('[') {
            return self.load_array(name);
        }
        let _growing = self.growing.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been faster.
        if let Some(known) = self.known(name) {
            return known;
        }
        let outcome = match self.read(name) {
            Ok(waiting) => self.load_all(waiting),
            Err(failure) => Err(failure),
        };
        self.keep(name, outcome.clone());
        outcome
    }

    /// Makes a class of these bytes, under the name that they give it.
    ///
    /// # Errors
    /// Bytes that are no class that can be used, or a name that is taken.
    pub fn define(&self, bytes: Vec<u8>, origin: Origin) -> Result<ClassId, LinkFailure> {
        let _growing = self.growing.lock().unwrap_or_else(PoisonError::into_inner);
        // A file that does not even say its name is told by where it came from.
        let name = file::own_name(&bytes).unwrap_or_else(|_| "a class without a name".to_owned());
        let waiting = self.waiting(&name, Found { bytes, origin })?;
        let name = waiting.file.name;
        if let Some(Ok(_)) = self.known(name) {
            let text = self.names().text(name);
            let message = format!("duplicate class definition for name: {text}");
            return Err(LinkFailure::new(JavaError::NoClassDefFoundError, message));
        }
        let outcome = self.load_all(waiting);
        if outcome.is_ok() {
            self.keep(name, outcome.clone());
        }
        outcome
    }

    /// The name in internal form that bytes give the class that they describe, if they are a class
    /// file at all.
    pub fn name_in(&self, bytes: &[u8]) -> Option<String> {
        file::own_name(bytes).ok()
    }

    /// As [`Program::define`], except that a class of the same name that was made of the same bytes is taken as
    /// it is: several states of one program may come to make it.
    ///
    /// # Errors
    /// As those of [`Program::define`].
    pub fn define_again(&self, bytes: Vec<u8>, origin: Origin) -> Result<ClassId, LinkFailure> {
        let name = file::own_name(&bytes).ok();
        match name.and_then(|name| self.loaded(&name)) {
            Some(known)
                if self.class(known).origin == origin
                    && self.class(known).pool.bytes() == bytes =>
            {
                Ok(known)
            }
            _ => self.define(bytes, origin),
        }
    }

    /// Makes a final class without members below `java.lang.Object`, for objects whose methods are
    /// not bytecode: those of lambdas, for instance. It cannot be found by name, and it is in the
    /// package, module and nest of its host.
    pub fn define_opaque(&self, name: &str, host: ClassId, interfaces: &[ClassId]) -> ClassId {
        let nest = self.nest_host(host);
        let _growing = self.growing.lock().unwrap_or_else(PoisonError::into_inner);
        let flags = Flags::new(Flags::FINAL | Flags::SYNTHETIC | Flags::SUPER);
        let (id, name) = (self.next_class(), self.names().intern(name));
        let package = self.class(host).package;
        let mut class = Class::bare(id, name, flags, Shape::Declared, package);
        class.origin.module.clone_from(&self.class(host).origin.module);
        let _ = class.nest.set(nest);
        let object = self.class(self.object());
        class.superclass = Some(object.id);
        class.lineage = [object.id, id].into();
        class.interfaces = interfaces.into();
        let above = interfaces.iter().flat_map(|&interface| self.class(interface).all_interfaces());
        let mut above: Vec<ClassId> = above.copied().collect();
        above.sort_unstable();
        above.dedup();
        class.all_interfaces = above.into();
        class.virtuals.clone_from(&object.virtuals);
        let heights = interfaces.iter().map(|&interface| self.class(interface).height);
        class.height = heights.max().unwrap_or(0) + 1;
        self.add(class, Vec::new(), Vec::new())
    }

    fn known(&self, name: Name) -> Option<Result<ClassId, LinkFailure>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).get(&name).cloned()
    }

    fn keep(&self, name: Name, outcome: Result<ClassId, LinkFailure>) {
        self.known.write().unwrap_or_else(PoisonError::into_inner).insert(name, outcome);
    }

    /// Loads what is above a class, and then the class.
    fn load_all(&self, first: Waiting) -> Result<ClassId, LinkFailure> {
        let mut begun = FxHashSet::from_iter([first.file.name]);
        let mut stack = vec![first];
        let mut last = None;
        while let Some(top) = stack.last_mut() {
            let Some(&name) = top.above.get(top.done) else {
                if let Some(ready) = stack.pop() {
                    let name = ready.file.name;
                    let outcome = self.link(ready);
                    // The first one is kept by the caller, who knows under which name.
                    if !stack.is_empty() {
                        self.keep(name, outcome.clone());
                    }
                    last = Some(self.or_fail_all(&stack, outcome)?);
                }
                continue;
            };
            top.done += 1;
            let next = match self.known(name) {
                Some(Ok(_)) => continue,
                Some(Err(failure)) => Err(failure),
                None if !begun.insert(name) => {
                    let text = self.names().text(name);
                    Err(LinkFailure::new(JavaError::ClassCircularityError, text))
                }
                None => {
                    self.read(name).inspect_err(|failure| self.keep(name, Err(failure.clone())))
                }
            };
            stack.push(self.or_fail_all(&stack, next)?);
        }
        let missing = || LinkFailure::new(JavaError::NoClassDefFoundError, "");
        last.ok_or_else(missing)
    }

    /// A class that cannot be loaded takes all with it that are below it.
    fn or_fail_all<T>(
        &self,
        below: &[Waiting],
        outcome: Result<T, LinkFailure>,
    ) -> Result<T, LinkFailure> {
        outcome.inspect_err(|failure| {
            for waiting in below.iter().skip(1) {
                self.keep(waiting.file.name, Err(failure.clone()));
            }
        })
    }

    fn read(&self, name: Name) -> Result<Waiting, LinkFailure> {
        let text = self.names().text(name);
        let found = match self.library.find(text) {
            Ok(None) => self.path.find(text),
            found => found,
        };
        let missing = || LinkFailure::new(JavaError::NoClassDefFoundError, text);
        let found = found.map_err(|error| LinkFailure::from_file(text, error))?;
        let found = found.or_else(|| self.stand_in(name));
        let waiting = self.waiting(text, found.ok_or_else(missing)?)?;
        if waiting.file.name != name {
            let own = self.names().text(waiting.file.name);
            let message = format!("{text} (wrong name: {own})");
            return Err(LinkFailure::new(JavaError::NoClassDefFoundError, message));
        }
        Ok(waiting)
    }

    fn waiting(&self, name: &str, found: Found) -> Result<Waiting, LinkFailure> {
        let Found { bytes, origin } = found;
        let parsed = file::parse(bytes, self.names(), self.method_types());
        let file = parsed.map_err(|fault| {
            let (class, from) = (name.replace('/', "."), origin.to_string());
            match fault {
                Fault::Format(what) => {
                    let error = ClassError::Malformed { class, origin: from, what };
                    LinkFailure::from_file(name, error)
                }
                Fault::Version { major, minor } => {
                    let error =
                        ClassError::UnsupportedVersion { class, origin: from, major, minor };
                    LinkFailure::from_file(name, error)
                }
                Fault::Module => LinkFailure::new(
                    JavaError::NoClassDefFoundError,
                    format!("{name} is not a class because access_flag ACC_MODULE is set"),
                ),
            }
        })?;
        self.check_version(name, &file, &origin)?;
        let above = file.superclass.into_iter().chain(file.interfaces.iter().copied()).collect();
        Ok(Waiting { file, origin, above, done: 0 })
    }

    /// Java runs no class that is newer than its library.
    fn check_version(
        &self,
        name: &str,
        file: &ClassFile,
        origin: &Origin,
    ) -> Result<(), LinkFailure> {
        let Some(newest) = self.library_version() else { return Ok(()) };
        if file.major <= newest || origin.module.is_some() {
            return Ok(());
        }
        let (class, origin) = (name.replace('/', "."), origin.to_string());
        let (major, minor) = (file.major, file.minor);
        let error = ClassError::NewerThanJdk { class, origin, major, minor, newest };
        Err(LinkFailure::from_file(name, error))
    }

    /// Puts a class in its place, now that everything above it is loaded.
    fn link(&self, waiting: Waiting) -> Result<ClassId, LinkFailure> {
        let Waiting { file, origin, above, .. } = waiting;
        let missing =
            |name| Err(LinkFailure::new(JavaError::NoClassDefFoundError, self.names().text(name)));
        let above = above.iter().map(|&name| self.known(name).unwrap_or_else(|| missing(name)));
        let mut above = above.collect::<Result<Vec<ClassId>, _>>()?;
        let superclass = file.superclass.is_some().then(|| above.remove(0));
        let text = self.names().text(file.name);
        let package = text.rsplit_once('/').map_or("", |(package, _)| package);
        let id = self.next_class();
        let mut class =
            Class::bare(id, file.name, file.flags, Shape::Declared, self.names().intern(package));
        class.superclass = superclass;
        class.interfaces = above.into();
        self.check_above(&class)?;
        self.place(&mut class)?;
        let fields = self.lay_out(&mut class, file.fields);
        let methods = self.methods_of(&mut class, file.methods);
        class.pool = file.pool;
        class.origin = origin;
        class.major = file.major;
        class.attributes = file.attributes;
        let methods = dispatch::assign(self, &mut class, methods)?;
        Ok(self.add(class, methods, fields))
    }

    /// JVMS 5.3.5: who may extend what.
    fn check_above(&self, class: &Class) -> Result<(), LinkFailure> {
        let name = self.class_spelling_of(class);
        let change =
            |message| Err(LinkFailure::new(JavaError::IncompatibleClassChangeError, message));
        let parents = class.superclass.iter().map(|&parent| (parent, false));
        let parents = parents.chain(class.interfaces.iter().map(|&parent| (parent, true)));
        for (parent, as_interface) in parents {
            let upper = self.class(parent);
            let above = self.class_spelling(parent);
            if upper.is_interface() && !as_interface {
                return change(format!("class {name} has interface {above} as super class"));
            }
            if !upper.is_interface() && as_interface {
                return change(format!(
                    "class {name} can not implement {above}, because it is not an interface ({above})"
                ));
            }
            if upper.flags.is_final() {
                return change(format!("class {name} cannot inherit from final class {above}"));
            }
            if upper
                .permitted_subclasses()
                .is_some_and(|permitted| !permitted.contains(&class.name))
            {
                let verb = if as_interface && !class.is_interface() {
                    "implement"
                } else {
                    "inherit from"
                };
                let sort = if as_interface { "interface" } else { "class" };
                return change(format!("class {name} cannot {verb} sealed {sort} {above}"));
            }
            if !upper.flags.is_public() && upper.package != class.package {
                let sort = if as_interface { "superinterface" } else { "superclass" };
                let message = format!("class {name} cannot access its {sort} {above}");
                return Err(LinkFailure::new(JavaError::IllegalAccessError, message));
            }
        }
        Ok(())
    }

    fn class_spelling_of(&self, class: &Class) -> String {
        self.names().text(class.name).replace('/', ".")
    }

    /// Fills in everything that is above a class.
    fn place(&self, class: &mut Class) -> Result<(), LinkFailure> {
        let parents = || class.superclass.iter().chain(&*class.interfaces);
        let height = parents().map(|&parent| self.class(parent).height + 1).max().unwrap_or(0);
        let mut interfaces: Vec<ClassId> =
            class.is_interface().then_some(class.id).into_iter().collect();
        for &parent in parents() {
            interfaces.extend(self.class(parent).all_interfaces());
        }
        interfaces.sort_unstable();
        interfaces.dedup();
        if height > MOST_HEIGHT || interfaces.len() > MOST_INTERFACES {
            let name = self.class_spelling_of(class);
            let count = interfaces.len();
            let message =
                format!("class {name} has {height} levels and {count} interfaces above it");
            return Err(LinkFailure::new(JavaError::StackOverflowError, message));
        }
        let above = class.superclass.map_or(&[][..], |parent| self.class(parent).lineage());
        class.lineage = above.iter().copied().chain([class.id]).collect();
        class.all_interfaces = interfaces.into();
        class.height = height;
        Ok(())
    }

    /// Gives fields their slots: inherited instance fields first, then the class's own.
    fn lay_out(&self, class: &mut Class, infos: Vec<FieldInfo>) -> Vec<Field> {
        let base = self.next_field();
        let inherited =
            class.superclass.map_or(&[][..], |parent| &self.class(parent).instance_fields);
        let mut instance = inherited.to_vec();
        let mut statics = Vec::new();
        let mut fields = Vec::with_capacity(infos.len());
        for (number, info) in (base..).zip(infos) {
            let id = FieldId::new(number);
            let list = if info.flags.is_static() { &mut statics } else { &mut instance };
            let slot = list.len() as u32;
            list.push(id);
            let FieldInfo { flags, name, descriptor, value, constant, signature, raw } = info;
            let class = class.id;
            let attributes = raw;
            fields.push(Field {
                id,
                class,
                flags,
                name,
                descriptor,
                value,
                slot,
                constant,
                signature,
                attributes,
            });
        }
        class.fields = base..base + fields.len() as u32;
        class.instance_fields = instance.into();
        class.static_fields = statics.into();
        let mut index: Vec<_> = fields.iter().map(|f| (f.name, f.descriptor, f.id)).collect();
        index.sort_unstable();
        class.field_index = index.into();
        fields
    }

    fn methods_of(&self, class: &mut Class, infos: Vec<MethodInfo>) -> Vec<Method> {
        let base = self.next_method();
        let name = self.names().text(class.name);
        let has_polymorphic =
            name == "java/lang/invoke/MethodHandle" || name == "java/lang/invoke/VarHandle";
        let mut methods = Vec::with_capacity(infos.len());
        for (number, info) in (base..).zip(infos) {
            let native_varargs = info.flags.has(Flags::NATIVE | Flags::VARARGS);
            let takes_array =
                self.names().text(info.descriptor).starts_with("([Ljava/lang/Object;)");
            methods.push(Method {
                id: MethodId::new(number),
                class: class.id,
                flags: info.flags,
                name: info.name,
                descriptor: info.descriptor,
                signature: info.signature,
                dispatch: Dispatch::Exact,
                is_signature_polymorphic: has_polymorphic && native_varargs && takes_array,
                generic: info.generic,
                attributes: info.raw,
                content: info.code,
                code: OnceLock::new(),
            });
        }
        class.methods = base..base + methods.len() as u32;
        let mut index: Vec<_> = methods.iter().map(|m| (m.name, m.descriptor, m.id)).collect();
        index.sort_unstable();
        class.method_index = index.into();
        methods
    }
}
