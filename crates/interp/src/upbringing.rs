//! Initialization of the classes that input objects are of.
//!
//! An object that was there before the method ran is of a class that was initialized before the
//! method ran (JVMS 5.5). Of which class an input is turns out on the way, and its class is then
//! initialized before anything else happens. If the initializer touches nothing but its own class and
//! what it makes, that is the same as if it had run before the method; if it may touch more, the
//! result says that this was assumed. An initializer that fails means that there is no such object.
//!
//! Classes of the library are left alone: they are initialized when they are used, and nothing that
//! a program does to its own classes can make a difference to that.

use crate::flow::{Flow, Interrupt, Step, Stop};
use crate::machine::Machine;
use crate::state::{Initialization, State};
use dalang_classes::code::Instruction;
use dalang_classes::{ClassId, FieldId, MethodId};
use dalang_heap::Effect;
use std::rc::Rc;

/// What initializing a class, and those above it, takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Upbringing {
    /// That was not asked yet.
    #[default]
    Unknown,
    /// Nothing that anybody could see.
    Nothing,
    /// Code that touches only its own class and what it makes.
    Alone,
    /// Code that may touch what others see, or see what others touch.
    Among,
}

/// More methods than these are not looked at.
const MOST: usize = 64;

impl<'p> Machine<'p> {
    /// Notes which class is to be initialized after a choice.
    pub(crate) fn grow_up(&mut self, state: &mut State<'p>, effect: Effect) {
        let class = match effect {
            Effect::Location(_, domain) | Effect::Fresh(_, domain) => {
                self.unknowns.domains.upper(self.program, domain)
            }
            Effect::Alias(_, object) | Effect::Narrow(object, _)
                if !state.heap.object(object).body.is_array() =>
            {
                state.heap.class(object)
            }
            // What is known of an array tells something of what is in it.
            Effect::Alias(..) | Effect::Narrow(..) | Effect::Unfit(..) => {
                let objects: Vec<_> = state.knowledge.objects().to_vec();
                for object in objects {
                    let class = state.heap.class(object.reference);
                    self.bring_up_later(state, class);
                }
                return;
            }
            _ => return,
        };
        self.bring_up_later(state, class);
    }

    /// Has a class initialized before the next instruction, because an object of it was there before
    /// the method ran.
    pub fn bring_up_later(&mut self, state: &mut State<'p>, class: ClassId) {
        let upbringing = self.upbringing(class);
        if upbringing == Upbringing::Nothing {
            return;
        }
        match state.initialization(class) {
            Initialization::Not => Rc::make_mut(&mut state.growing).push(class),
            // It was, but by the method itself.
            _ if upbringing == Upbringing::Among && !self.is_early(state, class) => {
                self.note_late(state, class);
            }
            _ => {}
        }
    }

    /// Whether a class was initialized before the method ran.
    fn is_early(&self, state: &State<'p>, class: ClassId) -> bool {
        let own = state.track.watched.map(|method| self.program.method(method).class);
        state.early.contains(&class)
            || own.is_some_and(|own| self.program.class(own).lineage().contains(&class))
    }

    /// The class of an enum is initialized for the sake of an input.
    pub(crate) fn note_late(&mut self, state: &State<'p>, class: ClassId) {
        if self.upbringing(class) == Upbringing::Among && !self.is_early(state, class) {
            let class = self.program.class_spelling(class);
            self.assume(
                state,
                &format!(
                    "{class}: its initializer, which runs when an input of it is met, does the same \
                     before the method"
                ),
            );
        }
    }

    /// A class was initialized because the method uses it; that may have happened before.
    pub(crate) fn note_first_use(&mut self, state: &State<'p>, class: ClassId, early: bool) {
        // Initializers that run before the method see each other's classes all the same.
        let has_inputs = |&other: &ClassId| {
            let universe = self.unknowns.domains.universe();
            other != class && !universe.changing(self.program, other).is_empty()
        };
        let others = state.exposed.iter().any(has_inputs);
        let is_noted = state.raised.contains(&class);
        if is_noted || self.upbringing(class) != Upbringing::Among || (early && !others) {
            return;
        }
        let class = self.program.class_spelling(class);
        self.assume(
            state,
            &format!(
                "{class}: its initializer, which runs when the class is first used, does the same \
                 before the method"
            ),
        );
    }

    /// Begins to initialize the next of the classes that are to be, if none is at it; why that cannot be
    /// done.
    pub(crate) fn bring_up(&mut self, state: &mut State<'p>) -> Option<Step> {
        let depth = state.frames().len();
        if !state.growing.is_empty() {
            let new = std::mem::take(&mut state.growing);
            let new = new.iter().rev().map(|&class| (class, depth));
            Rc::make_mut(&mut state.waiting).extend(new);
        }
        while let Some(&(class, due)) = state.waiting.last()
            && depth <= due
        {
            Rc::make_mut(&mut state.waiting).pop();
            if state.initialization(class) != Initialization::Not {
                continue;
            }
            if state.is_about_to_begin() {
                let lineage = self.program.class(class).lineage();
                Rc::make_mut(&mut state.early).extend(lineage);
            } else {
                self.note_late(state, class);
            }
            Rc::make_mut(&mut state.raised).push(class);
            match self.begin_initialization(state, class) {
                Flow::Continue(()) => {}
                Flow::Break(Interrupt::Unlinked(failure)) => return self.unlinked(state, &failure),
                Flow::Break(Interrupt::Stop(stop)) if matches!(*stop, Stop::Missing(_)) => {
                    return Some(Step::Stopped(*stop));
                }
                Flow::Break(_) => return Some(Step::Stopped(self.unfit_for_inputs(class))),
            }
            if state.frames().len() > depth {
                break;
            }
        }
        None
    }

    /// The stop of an input that is of a class which cannot be initialized.
    pub fn unfit_for_inputs(&self, class: ClassId) -> Stop {
        let class = self.program.class_spelling(class);
        Stop::Unsupported(format!("an input of {class}, whose initializer fails,").into())
    }

    pub(crate) fn upbringing(&mut self, class: ClassId) -> Upbringing {
        let known = self.upbringings.get(class.index()).copied().unwrap_or_default();
        if known != Upbringing::Unknown {
            return known;
        }
        let found = self.find_upbringing(class);
        if self.upbringings.len() <= class.index() {
            self.upbringings.resize(class.index() + 1, Upbringing::Unknown);
        }
        self.upbringings[class.index()] = found;
        found
    }

    fn find_upbringing(&self, class: ClassId) -> Upbringing {
        let mut found = Upbringing::Nothing;
        if self.program.class(class).is_array() || self.module(class).is_some() {
            return found;
        }
        // There is no object of it, and trying to initialize it says so.
        if self.is_refused(class) {
            return Upbringing::Alone;
        }
        // Interfaces with default methods are initialized, too; others do no harm here.
        let mut all = self.program.class(class).lineage().to_vec();
        let mut next = 0;
        while let Some(&above) = all.get(next) {
            next += 1;
            let interfaces = self.program.class(above).interfaces.iter().copied();
            let new: Vec<ClassId> = interfaces.filter(|one| !all.contains(one)).collect();
            all.extend(new);
            let Some(initializer) = self.initializer(above) else { continue };
            if self.module(above).is_some() {
                continue;
            }
            if !self.is_alone(above, initializer) {
                return Upbringing::Among;
            }
            found = Upbringing::Alone;
        }
        found
    }

    /// Whether an initializer, and all that it calls, touches only its own class, what it makes, and
    /// methods of the library that depend on nothing a program can change.
    fn is_alone(&self, class: ClassId, initializer: MethodId) -> bool {
        let mut methods = vec![initializer];
        let mut next = 0;
        while let Some(&method) = methods.get(next) {
            next += 1;
            let user = self.program.method(method).class;
            let Ok(Some(code)) = self.program.code(method) else { return false };
            for &instruction in &code.instructions {
                let called = match instruction {
                    Instruction::GetStatic(id) | Instruction::PutStatic(id) => {
                        match self.program.resolve_field(user, id) {
                            Ok(field) if self.is_own(class, field) => continue,
                            _ => return false,
                        }
                    }
                    Instruction::InvokeStatic(id) | Instruction::InvokeSpecial(id) => {
                        self.program.resolve_method(user, id)
                    }
                    Instruction::InvokeVirtual(id) | Instruction::InvokeInterface(id) => {
                        match self.program.resolve_method(user, id) {
                            Ok(called) if self.is_harmless(called) => continue,
                            _ => return false,
                        }
                    }
                    Instruction::InvokeDynamic(_) => return false,
                    _ => continue,
                };
                let Ok(called) = called else { return false };
                if self.is_harmless(called) || methods.contains(&called) {
                    continue;
                }
                // The call must not initialize another class.
                let lineage = self.program.class(self.program.method(called).class).lineage();
                let initializes = |&above: &ClassId| {
                    above != class
                        && self.module(above).is_none()
                        && self.initializer(above).is_some()
                };
                let of_library = self.module(self.program.method(called).class).is_some();
                if of_library || lineage.iter().any(initializes) || methods.len() >= MOST {
                    return false;
                }
                methods.push(called);
            }
        }
        true
    }

    fn is_own(&self, class: ClassId, field: FieldId) -> bool {
        self.program.field(field).class == class
    }

    /// Whether what a method of the library does depends on its arguments alone.
    fn is_harmless(&self, method: MethodId) -> bool {
        let method = self.program.method(method);
        let names = self.program.names();
        let is_made = names.text(method.name) == "<init>";
        match names.text(self.program.class(method.class).name) {
            // What is thrown remembers its message, and where it was made.
            name if is_made && is_plain_throwable(name) => {
                matches!(names.text(method.descriptor), "()V" | "(Ljava/lang/String;)V")
            }
            "java/lang/Class" => names.text(method.name) == "desiredAssertionStatus",
            "java/lang/Object" | "java/lang/Enum" => names.text(method.name) == "<init>",
            "java/util/ArrayDeque"
            | "java/util/ArrayList"
            | "java/util/HashMap"
            | "java/util/HashSet"
            | "java/util/LinkedHashMap"
            | "java/util/LinkedHashSet"
            | "java/util/LinkedList"
            | "java/util/TreeMap"
            | "java/util/TreeSet" => {
                let descriptor = names.text(method.descriptor);
                names.text(method.name) == "<init>" && matches!(descriptor, "()V" | "(I)V")
            }
            "java/lang/Boolean"
            | "java/lang/Byte"
            | "java/lang/Character"
            | "java/lang/Short"
            | "java/lang/Integer"
            | "java/lang/Long"
            | "java/lang/Float"
            | "java/lang/Double"
            | "java/lang/Math" => names.text(method.name) != "random",
            _ => false,
        }
    }
}

/// Whether a class is one of the exceptions and errors of `java.lang`.
fn is_plain_throwable(name: &str) -> bool {
    name.strip_prefix("java/lang/").is_some_and(|name| {
        !name.contains('/') && (name.ends_with("Exception") || name.ends_with("Error"))
    })
}
