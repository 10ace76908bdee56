//! Initialization of classes and interfaces, in the order of JVMS 5.5.
//!
//! A class is initialized by frames on top of the one that needs it; when they have returned, the
//! instruction that needed the class starts again. All superclasses count as begun before the first
//! initializer runs, as they do when the procedure is followed recursively; superinterfaces only
//! when their turn comes.

mod failure;
mod verify;

use crate::flow::{Flow, Interrupt, bug, linked};
use crate::frame::Then;
use crate::machine::Machine;
use crate::state::{Initialization, State};
use dalang_classes::{ClassId, Constant, FieldId, MethodId};
use dalang_heap::{Body, Named, Reference, Value};
use std::rc::Rc;

impl<'p> Machine<'p> {
    /// Goes on if a class is initialized, or is being initialized by a frame of this state (there
    /// is one thread); otherwise breaks off to initialize it.
    #[inline]
    pub fn require(&self, state: &State<'p>, class: ClassId) -> Flow {
        match state.initialization(class) {
            Initialization::Done | Initialization::Running => Flow::Continue(()),
            Initialization::Not => Flow::Break(Interrupt::Initialize(class)),
            Initialization::Failed(cause) => self.unusable(class, cause),
        }
    }

    /// Enters what has to run before a class is initialized.
    pub(crate) fn begin_initialization(&mut self, state: &mut State<'p>, class: ClassId) -> Flow {
        if state.initialization(class) != Initialization::Not {
            return Flow::Continue(());
        }
        self.check_verified(state, class)?;
        let mut chain = Vec::new();
        self.order(state, class, &mut chain);
        self.proceed(state, &chain.into(), 0)
    }

    /// Lists what is to be initialized, a class last, and marks the superclasses.
    fn order(&self, state: &mut State<'p>, class: ClassId, chain: &mut Vec<ClassId>) {
        let target = self.program.class(class);
        if !target.is_interface() {
            let lineage = target.lineage();
            for (place, &ancestor) in lineage.iter().enumerate() {
                if state.initialization(ancestor) != Initialization::Not {
                    continue;
                }
                // What is above is in the chain by now, unless it was begun before.
                state.class_entry_mut(ancestor).initialization = Initialization::Running;
                for &interface in &self.program.class(lineage[place]).interfaces {
                    self.order_interface(state, interface, chain);
                }
                chain.push(ancestor);
            }
        } else if !chain.contains(&class) {
            chain.push(class);
        }
    }

    /// Interfaces with default methods are initialized together with a class that implements them.
    fn order_interface(&self, state: &State<'p>, interface: ClassId, chain: &mut Vec<ClassId>) {
        for &above in &self.program.class(interface).interfaces {
            self.order_interface(state, above, chain);
        }
        let has_body = |id: MethodId| {
            let flags = self.program.method(id).flags;
            !flags.is_abstract() && !flags.is_static()
        };
        if state.initialization(interface) == Initialization::Not
            && self.program.class(interface).methods().any(has_body)
            && !chain.contains(&interface)
        {
            chain.push(interface);
        }
    }

    /// Initializes the classes of a chain from a place on, until one has code to run.
    fn proceed(&mut self, state: &mut State<'p>, chain: &Rc<[ClassId]>, from: usize) -> Flow {
        for (at, &class) in chain.iter().enumerate().skip(from) {
            let target = self.program.class(class);
            let superclass = target.superclass.filter(|_| !target.is_interface());
            if let Some(superclass) = superclass
                && let Initialization::Failed(cause) = state.initialization(superclass)
            {
                return self.superclass_failed(state, &chain[at..], superclass, cause);
            }
            // Another initializer may have been faster with an interface.
            if target.is_interface() {
                if state.initialization(class) != Initialization::Not {
                    continue;
                }
                state.class_entry_mut(class).initialization = Initialization::Running;
            }
            match self.initializer(class) {
                None => self.finish(state, class),
                Some(initializer) => {
                    let then = Then::Initialized(Rc::clone(chain), at);
                    return match self.enter(state, initializer, 0, then) {
                        Flow::Break(Interrupt::Entered) => Flow::Continue(()),
                        other => {
                            self.withdraw(state, &chain[at..]);
                            other
                        }
                    };
                }
            }
        }
        Flow::Continue(())
    }

    /// An initializer cannot even be entered, for want of stack or because its code is broken:
    /// these classes are as they were, and whoever uses them next tries again.
    fn withdraw(&self, state: &mut State<'p>, chain: &[ClassId]) {
        for &class in chain {
            if state.initialization(class) == Initialization::Running {
                state.class_entry_mut(class).initialization = Initialization::Not;
            }
        }
    }

    pub(crate) fn initializer(&self, class: ClassId) -> Option<MethodId> {
        let names = self.program.names();
        let (name, descriptor) = (names.find("<clinit>")?, names.find("()V")?);
        self.program.class(class).declared_method(name, descriptor)
    }

    fn finish(&mut self, state: &mut State<'p>, class: ClassId) {
        state.class_entry_mut(class).initialization = Initialization::Done;
        self.expose(state, class);
    }

    /// The initializer of a class has returned.
    pub(crate) fn initialized(
        &mut self,
        state: &mut State<'p>,
        chain: &Rc<[ClassId]>,
        at: usize,
    ) -> Flow {
        self.finish(state, chain[at]);
        self.proceed(state, chain, at + 1)
    }

    /// The object that holds the static fields of a class. Constants are in them from the
    /// beginning.
    pub(crate) fn statics(&mut self, state: &mut State<'p>, class: ClassId) -> Reference {
        let known = state.class_entry(class).statics;
        if !known.is_null() {
            return known;
        }
        let fields = &self.program.class(class).static_fields;
        let zero = |&field: &FieldId| Value::zero(self.program.field(field).value.kind());
        let values: Rc<[Value]> = fields.iter().map(zero).collect();
        let name = Named::Statics(class);
        let statics = state.heap.allocate_as(name, class, Body::Fields(values));
        state.class_entry_mut(class).statics = statics;
        // A constant that finds no room must not become a zero.
        let limit = std::mem::replace(&mut self.settings.heap, u64::MAX);
        for (slot, &field) in fields.iter().enumerate() {
            let declared = self.program.field(field);
            if let Some(constant) = declared.constant
                && let Flow::Continue(value) = self.initial(state, class, constant)
            {
                state.heap.set(statics, slot, value.narrowed(declared.value));
            }
        }
        self.settings.heap = limit;
        statics
    }

    /// Whether an object is where a class keeps its static fields.
    pub fn is_static_base(&self, state: &State<'p>, object: Reference) -> bool {
        state.class_entry(state.heap.class(object)).statics == object
    }

    /// The same, for intrinsics that hand it out as an object.
    pub fn static_base(&mut self, state: &mut State<'p>, class: ClassId) -> Reference {
        self.statics(state, class)
    }

    fn initial(
        &mut self,
        state: &mut State<'p>,
        class: ClassId,
        constant: dalang_classes::ConstantId,
    ) -> Flow<Value> {
        Flow::Continue(match self.program.class(class).pool.constant(constant) {
            Some(Constant::Int(value)) => Value::Int(value),
            Some(Constant::Long(value)) => Value::Long(value),
            Some(Constant::Float(value)) => Value::Float(value),
            Some(Constant::Double(value)) => Value::Double(value),
            Some(Constant::String(text)) => self.intern_utf16(state, &text.to_utf16())?.into(),
            _ => return bug("a field has a constant of another type"),
        })
    }

    /// Resolves a class reference of the frame on top.
    pub(crate) fn resolve(
        &self,
        state: &State<'p>,
        class: dalang_classes::ClassRefId,
    ) -> Flow<ClassId> {
        linked(self.program.resolve_class(state.frame().class, class))
    }
}
