//! Which method a call runs (JVMS 5.4.5, 5.4.6): virtual slots, and selection for interface calls.
//!
//! A method that subclasses can override has a slot, and each class says for each slot which method
//! is in it. A method takes over the slot of one that it overrides only if whatever overrides the
//! one overrides the other, that is, if both are public or protected. In all other cases it gets a
//! slot of its own beside those that it appears in; so a slot always answers for exactly the
//! method that began it, and package-private methods in several packages are kept apart.

use super::class::{Class, Shape};
use super::failure::{JavaError, LinkFailure};
use super::member::{Dispatch, Method};
use super::program::Program;
use crate::flags::Flags;
use crate::ids::{ClassId, MethodId};
use crate::names::Name;
use rustc_hash::FxHashMap;

/// A slot, as one class has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VirtualSlot {
    /// The method that began the slot.
    origin: MethodId,
    /// The method that is in it.
    method: MethodId,
}

/// What a class runs for a method of one of its interfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Selected {
    Method(MethodId),
    /// Nothing is declared that could be run.
    Missing,
    /// Several interfaces have something to run, and none is above the others.
    Conflict,
}

/// What 5.4.5 asks of a method.
#[derive(Clone, Copy)]
struct Candidate {
    id: MethodId,
    flags: Flags,
    package: Name,
    dispatch: Dispatch,
}

fn can_be_overridden(flags: Flags, name: &str) -> bool {
    !flags.is_private() && !flags.is_static() && !name.starts_with('<')
}

fn is_open(flags: Flags) -> bool {
    flags.is_public() || flags.is_protected()
}

/// Gives the methods of a class their slots, and the class its table.
pub(super) fn assign(
    program: &Program,
    class: &mut Class,
    mut methods: Vec<Method>,
) -> Result<Vec<Method>, LinkFailure> {
    if class.is_interface() {
        // Nothing is ever an instance of just an interface, but calls to its methods are looked up.
        for method in &mut methods {
            if can_be_overridden(method.flags, program.names().text(method.name)) {
                method.dispatch = Dispatch::Interface;
            }
        }
        return Ok(methods);
    }
    let inherited = class.superclass.map_or(&[][..], |parent| &program.class(parent).virtuals);
    let mut slots = inherited.to_vec();
    for method in &mut methods {
        if can_be_overridden(method.flags, program.names().text(method.name)) {
            enter(program, class, method, &mut slots)?;
        }
    }
    class.virtuals = slots.into();
    Ok(methods)
}

fn enter(
    program: &Program,
    class: &Class,
    method: &mut Method,
    slots: &mut Vec<VirtualSlot>,
) -> Result<(), LinkFailure> {
    let above = candidates(program, class, method);
    let mut own = None;
    for (place, old) in above.iter().enumerate() {
        let Dispatch::Virtual(slot) = old.dispatch else { continue };
        // A method that shares a slot was counted with the method that began it.
        let begins = slots[slot as usize].origin == old.id;
        if !begins || !overrides(class.package, &above[..=place]) {
            continue;
        }
        slots[slot as usize].method = method.id;
        if is_open(old.flags) && is_open(method.flags) {
            own = Some(slot);
        }
    }
    check_final(program, class, &above)?;
    let slot = own.unwrap_or_else(|| {
        slots.push(VirtualSlot { origin: method.id, method: method.id });
        (slots.len() - 1) as u32
    });
    method.dispatch = Dispatch::Virtual(slot);
    Ok(())
}

/// Methods of superclasses with the same name and descriptor that can be overridden, nearest first.
fn candidates(program: &Program, class: &Class, method: &Method) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut next = class.superclass;
    while let Some(parent) = next {
        let parent = program.class(parent);
        next = parent.superclass;
        let Some(id) = parent.declared_method(method.name, method.descriptor) else { continue };
        let Method { flags, dispatch, .. } = *program.method(id);
        if dispatch != Dispatch::Exact {
            found.push(Candidate { id, flags, package: parent.package, dispatch });
        }
    }
    found
}

/// Whether a method of this package overrides the last of these, perhaps by way of those before, which are nearer to
/// it (JVMS 5.4.5). The ways from the last one down are followed step by step.
fn overrides(package: Name, nearest_first: &[Candidate]) -> bool {
    let Some((last, between)) = nearest_first.split_last() else { return false };
    // What is known to be overridden: anything open, or anything in one of these packages.
    let mut open = is_open(last.flags);
    let mut packages = vec![last.package];
    for step in between.iter().rev() {
        if open || packages.contains(&step.package) {
            open |= is_open(step.flags);
            if !packages.contains(&step.package) {
                packages.push(step.package);
            }
        }
    }
    open || packages.contains(&package)
}

fn check_final(program: &Program, class: &Class, above: &[Candidate]) -> Result<(), LinkFailure> {
    for (place, old) in above.iter().enumerate() {
        if old.flags.is_final() && overrides(class.package, &above[..=place]) {
            let name = program.names().text(class.name).replace('/', ".");
            let spelling = program.method_spelling(old.id);
            let message = format!("class {name} overrides final method {spelling}");
            return Err(LinkFailure::new(JavaError::IncompatibleClassChangeError, message));
        }
    }
    Ok(())
}

impl Program {
    /// The method that a call runs: `resolved` is what its reference means, `receiver` the class of
    /// the object (JVMS 5.4.6).
    ///
    /// # Errors
    /// Nothing that can be run, or too much.
    pub fn select(&self, receiver: ClassId, resolved: MethodId) -> Result<MethodId, LinkFailure> {
        let class = self.class(receiver);
        let method = self.method(resolved);
        let selected = match method.dispatch {
            Dispatch::Exact => resolved,
            Dispatch::Virtual(slot) => match class.virtuals.get(slot as usize) {
                Some(slot) => slot.method,
                None => return Err(self.not_a_receiver(receiver, resolved)),
            },
            Dispatch::Interface => match self.select_interface(class, resolved) {
                Selected::Method(selected) => selected,
                Selected::Missing => return Err(self.nothing_to_run(receiver, resolved)),
                Selected::Conflict => return Err(self.conflict(receiver, resolved)),
            },
        };
        if self.method(selected).flags.is_abstract() {
            return Err(self.nothing_to_run(receiver, resolved));
        }
        Ok(selected)
    }

    /// All answers of a class for its interfaces are found when the first is asked for.
    fn select_interface(&self, class: &Class, resolved: MethodId) -> Selected {
        let calls = class.interface_calls.get_or_init(|| {
            let mut calls = FxHashMap::default();
            for &interface in class.all_interfaces() {
                for id in self.class(interface).methods() {
                    if self.method(id).dispatch == Dispatch::Interface {
                        calls.insert(id, self.search(class, id));
                    }
                }
            }
            calls
        });
        // A receiver that does not implement the interface finds nothing here.
        calls.get(&resolved).copied().unwrap_or(Selected::Missing)
    }

    fn search(&self, class: &Class, resolved: MethodId) -> Selected {
        let Method { name, descriptor, .. } = *self.method(resolved);
        for &ancestor in class.lineage().iter().rev() {
            let ancestor = self.class(ancestor);
            if let Some(found) = ancestor.declared_method(name, descriptor)
                && self.method(found).dispatch != Dispatch::Exact
                && !ancestor.is_interface()
            {
                return Selected::Method(found);
            }
        }
        let specific = self.maximally_specific(class.id, name, descriptor);
        let mut bodies = specific.iter().filter(|&&id| !self.method(id).flags.is_abstract());
        match (bodies.next(), bodies.next()) {
            (Some(&only), None) => Selected::Method(only),
            (Some(_), Some(_)) => Selected::Conflict,
            (None, _) => Selected::Missing,
        }
    }

    /// The method that `invokespecial` in class `user` runs, where the reference names class
    /// `named` (JVMS 6.5, `invokespecial`).
    ///
    /// # Errors
    /// Nothing that can be run.
    pub fn select_special(
        &self,
        user: ClassId,
        named: ClassId,
        resolved: MethodId,
    ) -> Result<MethodId, LinkFailure> {
        let method = self.method(resolved);
        if self.names().text(method.name) == "<init>" || method.flags.is_private() {
            return Ok(resolved);
        }
        let target = self.class(named);
        let above = !target.is_interface() && user != named && self.is_subtype(user, named);
        let start = self.class(user).superclass.filter(|_| above).unwrap_or(named);
        let selected = match self.search(self.class(start), resolved) {
            // The search sees no method of the interface that it starts in.
            _ if start == method.class => resolved,
            Selected::Method(selected) => selected,
            Selected::Missing => return Err(self.nothing_to_run(start, resolved)),
            Selected::Conflict => return Err(self.conflict(start, resolved)),
        };
        if self.method(selected).flags.is_abstract() {
            return Err(self.nothing_to_run(start, resolved));
        }
        Ok(selected)
    }

    fn nothing_to_run(&self, receiver: ClassId, resolved: MethodId) -> LinkFailure {
        let method = self.method(resolved);
        let receiver = self.class_spelling(receiver);
        let spelling = self.signature_spelling(method.class, method.name, method.descriptor);
        let flags = self.class(method.class).flags;
        let sort = match (flags.is_interface(), flags.is_abstract()) {
            (true, _) => "interface",
            (_, true) => "abstract class",
            _ => "class",
        };
        let modifier = if method.flags.is_abstract() { "abstract " } else { "" };
        let owner = self.class_spelling(method.class);
        // The message of the JVM has the signature without the class.
        let short = spelling.replacen(&format!("{owner}."), "", 1);
        let message = format!(
            "Receiver class {receiver} does not define or inherit an implementation of the \
             resolved method '{modifier}{short}' of {sort} {owner}."
        );
        LinkFailure::new(JavaError::AbstractMethodError, message)
    }

    fn conflict(&self, receiver: ClassId, resolved: MethodId) -> LinkFailure {
        let method = self.method(resolved);
        let found = self.maximally_specific(receiver, method.name, method.descriptor);
        let spell = |id: &MethodId| {
            let owner = self.class(self.method(*id).class).name;
            format!("{}.{}", self.names().text(owner), self.names().text(method.name))
        };
        let mut names: Vec<String> = found.iter().map(spell).collect();
        names.sort_unstable();
        let message = format!("Conflicting default methods: {}", names.join(" "));
        LinkFailure::new(JavaError::IncompatibleClassChangeError, message)
    }

    fn not_a_receiver(&self, receiver: ClassId, resolved: MethodId) -> LinkFailure {
        let receiver = self.class_spelling(receiver);
        let message = format!("{receiver} does not have {}", self.method_spelling(resolved));
        LinkFailure::new(JavaError::IncompatibleClassChangeError, message)
    }

    /// How many virtual slots a class has.
    pub fn virtual_slots(&self, class: ClassId) -> usize {
        self.class(class).virtuals.len()
    }

    /// Whether values of this class are objects that methods can be called on.
    pub fn is_reference_class(&self, class: ClassId) -> bool {
        !matches!(self.class(class).shape, Shape::Primitive(_))
    }
}
