//! `LambdaMetafactory`: lambdas and method references.
//!
//! Each call site has a class of its own without members. Its instances keep captured values behind
//! their (absent) fields; a call of one of the methods that Java would have generated runs the
//! implementation instead. If values need no conversion, that is entered directly; otherwise a
//! hidden frame converts arguments and results (see [`adapted`](super::lambda)).

mod adapted;

use crate::adapt::{Conversion, Step};
use crate::dynamic::Request;
use crate::flow::{Flow, bug, linked, malformed};
use crate::frame::{Body, Then};
use crate::handle::{Handle, Member};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, Constant, ConstantId, HandleKind, MethodId, MethodType, Name};
use dalang_heap::Value;
use std::rc::Rc;
use std::sync::Arc;

const SERIALIZABLE: i32 = 1;
const MARKERS: i32 = 2;
const BRIDGES: i32 = 4;

/// What is known of the lambda at a call site.
#[derive(Debug)]
pub(crate) struct Lambda {
    /// The class of its objects.
    class: ClassId,
    /// How many values it captures.
    captures: usize,
    /// The name of its methods.
    name: Name,
    /// Its methods by descriptor: the one of the functional interface, and bridges.
    methods: Vec<(Name, Rc<Entry>)>,
}

/// One method of a lambda.
#[derive(Debug)]
pub(crate) struct Entry {
    /// What it runs.
    pub(crate) handle: Rc<Handle>,
    /// How many values come from the object, before the arguments.
    pub(crate) captures: usize,
    /// What is done to each argument.
    pub(crate) arguments: Vec<Conversion>,
    /// What is done to the result; nothing at all if it is dropped.
    pub(crate) result: Option<Conversion>,
    /// Whether casts of arguments are all there is to do.
    is_direct: bool,
}

impl<'p> Machine<'p> {
    pub(crate) fn link_lambda(
        &mut self,
        request: Request<'p>,
        alternative: bool,
    ) -> Flow<Rc<Lambda>> {
        let factory = match &request.reference.signature {
            Some(signature) => Arc::clone(signature),
            None => return bug("a lambda is made by a constant"),
        };
        let (own, own_name) = self.type_argument(request, 0)?;
        let handle = Rc::new(self.handle_argument(request, 1)?);
        let (instantiated, _) = self.type_argument(request, 2)?;
        let captures = factory.parameters.len();
        let Some(interface) = factory.result else { return malformed("a lambda has no type") };
        let mut interfaces = vec![linked(self.program.class_of_type(interface))?];
        let mut types = vec![(own_name, own)];
        if alternative {
            self.alternatives(request, &mut interfaces, &mut types)?;
        }
        let mut methods = Vec::new();
        for (descriptor, signature) in types {
            let entry = self.plan(&handle, captures, &signature, &instantiated)?;
            methods.push((descriptor, Rc::new(entry)));
        }
        let class = self.define_lambda(request, &interfaces)?;
        let name = request.reference.name;
        let lambda = Rc::new(Lambda { class, captures, name, methods });
        let made = &mut self.dynamic.made;
        made.resize(made.len().max(class.index() + 1), None);
        made[class.index()] = Some(Rc::clone(&lambda));
        Flow::Continue(lambda)
    }

    fn type_argument(&self, request: Request<'p>, index: usize) -> Flow<(Arc<MethodType>, Name)> {
        let Constant::MethodType(descriptor) = self.static_argument(request, index)? else {
            return malformed("a lambda is made without a method type");
        };
        match self.program.method_type(descriptor) {
            Some(signature) => Flow::Continue((signature, descriptor)),
            None => malformed("a method type is none"),
        }
    }

    /// What `altMetafactory` is told beyond what `metafactory` is.
    fn alternatives(
        &self,
        request: Request<'p>,
        interfaces: &mut Vec<ClassId>,
        types: &mut Vec<(Name, Arc<MethodType>)>,
    ) -> Flow {
        let count = |index| match self.static_argument(request, index)? {
            Constant::Int(value) => Flow::Continue(value),
            _ => malformed("a lambda has no flags"),
        };
        let flags = count(3)?;
        let mut next = 4;
        if flags & MARKERS != 0 {
            let markers = count(next)?;
            next += 1;
            for _ in 0..markers {
                let Constant::Class(marker) = self.static_argument(request, next)? else {
                    return malformed("a marker interface of a lambda is none");
                };
                let marker = linked(self.program.resolve_class(request.user, marker))?;
                if !interfaces.contains(&marker) {
                    interfaces.push(marker);
                }
                next += 1;
            }
        }
        if flags & BRIDGES != 0 {
            let bridges = count(next)?;
            next += 1;
            for _ in 0..bridges {
                let (signature, descriptor) = self.type_argument(request, next)?;
                types.push((descriptor, signature));
                next += 1;
            }
        }
        let above = |&class: &ClassId| self.program.is_subtype(class, self.known.serializable);
        if flags & SERIALIZABLE != 0 && !interfaces.iter().any(above) {
            interfaces.push(self.known.serializable);
        }
        Flow::Continue(())
    }

    /// The class is named after the place of its call site, so that its name does not depend on
    /// what was executed before.
    fn define_lambda(&self, request: Request<'p>, interfaces: &[ClassId]) -> Flow<ClassId> {
        let Some((method, pc)) = request.site else { return bug("a lambda has no call site") };
        let host = self.program.class(request.user);
        let place = host.methods().position(|own| own == method).unwrap_or_default();
        let name = self.program.names().text(host.name);
        let name = format!("{name}$$Lambda${place}${pc}");
        Flow::Continue(self.program.define_opaque(&name, host.id, interfaces))
    }

    /// How a method of a lambda calls the implementation.
    fn plan(
        &self,
        handle: &Rc<Handle>,
        captures: usize,
        own: &MethodType,
        instantiated: &MethodType,
    ) -> Flow<Entry> {
        let targets = handle.parameters.get(captures..).unwrap_or_default();
        let counts = [own.parameters.len(), instantiated.parameters.len(), targets.len()];
        if captures > handle.parameters.len() || counts[0] != counts[1] || counts[0] != counts[2] {
            return malformed("a lambda has another number of parameters than its implementation");
        }
        let mut arguments = Vec::new();
        for (place, &target) in targets.iter().enumerate() {
            let through = instantiated.parameters[place];
            arguments.push(self.conversion(own.parameters[place], target, through)?);
        }
        let result = match (handle.result, own.result) {
            (Some(from), Some(to)) => Some(self.conversion(from, to, to)?),
            (None, Some(_)) => return malformed("the implementation of a lambda gives nothing"),
            (_, None) => None,
        };
        let is_direct = arguments.iter().all(Conversion::only_checks)
            && match &result {
                Some(result) => result.is_nothing(),
                None => handle.result.is_none() || handle.kind == HandleKind::NewInvokeSpecial,
            };
        let handle = Rc::clone(handle);
        Flow::Continue(Entry { handle, captures, arguments, result, is_direct })
    }

    /// Makes the object of a lambda; captured values are on top of the operand stack.
    pub(crate) fn make_lambda(&mut self, state: &mut State<'p>, lambda: &Lambda) -> Flow {
        // The only instance is kept as if it were a constant of its class.
        let place = (lambda.class, ConstantId::new(0));
        if lambda.captures == 0
            && let Some(&object) = state.constants.get(&place)
        {
            state.push(object);
            return Flow::Continue(());
        }
        self.require(state, lambda.class)?;
        let object = self.allocate(state, lambda.class, lambda.captures)?;
        for slot in 0..lambda.captures {
            let value = state.peek(lambda.captures - 1 - slot);
            state.heap.set(object, slot, value);
        }
        state.drop(lambda.captures);
        if lambda.captures == 0 {
            Rc::make_mut(&mut state.constants).insert(place, object.into());
        }
        state.push(object.into());
        Flow::Continue(())
    }

    /// What a call of a resolved method does on an object of a lambda; none if it is an ordinary
    /// call, of a method of `Object` or a default method.
    pub(crate) fn lambda_entry(
        &mut self,
        receiver: ClassId,
        resolved: MethodId,
    ) -> Option<Rc<Entry>> {
        if let Some(known) = self.dynamic.entries.get(&(receiver, resolved)) {
            return known.clone();
        }
        let lambda = self.dynamic.made.get(receiver.index())?.as_ref()?;
        let method = self.program.method(resolved);
        let is_own = method.name == lambda.name && !method.flags.is_private();
        let mut own = lambda.methods.iter().filter(|_| is_own);
        let entry = own.find(|(descriptor, _)| *descriptor == method.descriptor);
        let entry = entry.map(|(_, entry)| Rc::clone(entry));
        self.dynamic.entries.insert((receiver, resolved), entry.clone());
        entry
    }

    /// Runs a method of a lambda; the object and the arguments are on top of the operand stack.
    pub(crate) fn enter_lambda(
        &mut self,
        state: &mut State<'p>,
        entry: &Entry,
        resolved: MethodId,
        arguments: usize,
    ) -> Flow {
        // An intrinsic that waits cannot be started again, so it calls from a hidden frame. So does
        // a lambda that calls another one: that one would ask after values were moved.
        if entry.is_direct && matches!(state.frame().body, Body::Code(_)) {
            let receiver = self.prepare_direct(state, entry, arguments)?;
            if !receiver.is_some_and(|class| self.dynamic.is_made(class)) {
                return self.enter_directly(state, entry, arguments, receiver);
            }
        }
        self.reserve(state, 1);
        state.push(Value::Int(resolved.number() as i32));
        self.enter_hidden(state, adapted::run, arguments + 1, Then::Deliver)
    }

    /// Whatever can break off, before anything is moved. Gives the class by which the receiver of the
    /// implementation selects a method, if there is a receiver.
    fn prepare_direct(
        &mut self,
        state: &mut State<'p>,
        entry: &Entry,
        arguments: usize,
    ) -> Flow<Option<ClassId>> {
        for (place, conversion) in entry.arguments.iter().enumerate() {
            let value = state.peek(arguments - 2 - place);
            for step in conversion.steps() {
                if let Step::Cast(class) = *step {
                    self.check_cast(state, value, class)?;
                }
            }
        }
        if let Some(class) = entry.handle.initializes(self) {
            self.require(state, class)?;
        }
        if !receives(entry.handle.kind) {
            return Flow::Continue(None);
        }
        let receiver = match state.peek(arguments - 1) {
            Value::Reference(object) if entry.captures > 0 => state.heap.get(object, 0),
            _ if arguments > 1 => Some(state.peek(arguments - 2)),
            _ => None,
        };
        match receiver {
            Some(receiver) => self.selecting(state, entry, receiver).map_continue(Some),
            None => bug("a lambda calls nobody"),
        }
    }

    /// The class by which a receiver selects a method; no more of it is asked for than that.
    fn selecting(
        &mut self,
        state: &mut State<'p>,
        entry: &Entry,
        receiver: Value,
    ) -> Flow<ClassId> {
        let object = self.located(state, receiver)?;
        let Member::Method(method) = entry.handle.member else {
            return bug("a lambda is about a field");
        };
        let receiver = Value::Reference(object);
        if entry.handle.kind != HandleKind::InvokeSpecial
            && let Some(class) = self.symbolic_receiver(state, receiver, method)?
        {
            return Flow::Continue(class);
        }
        Flow::Continue(state.heap.class(object))
    }

    fn enter_directly(
        &mut self,
        state: &mut State<'p>,
        entry: &Entry,
        arguments: usize,
        receiver: Option<ClassId>,
    ) -> Flow {
        let Member::Method(method) = entry.handle.member else {
            return bug("a lambda is about a field");
        };
        let is_new = entry.handle.kind == HandleKind::NewInvokeSpecial;
        let made = if is_new { Some(self.allocate(state, entry.handle.class, 0)?) } else { None };
        // The new object stays below the arguments of its constructor if it is the result.
        let copies = match &made {
            Some(_) => 1 + usize::from(entry.result.is_some()),
            None => 0,
        };
        let before = copies + entry.captures;
        self.reserve(state, before);
        let base = state.top - arguments;
        let Value::Reference(object) = state.values[base] else {
            return bug("a lambda is no object");
        };
        state.values.copy_within(base + 1..state.top, base + before);
        state.top = state.top - 1 + before;
        for copy in 0..copies {
            state.values[base + copy] = made.map_or(Value::NULL, Value::Reference);
        }
        for slot in 0..entry.captures {
            let captured = state.heap.get(object, slot);
            state.values[base + copies + slot] = captured.unwrap_or(Value::NULL);
        }
        let count = entry.captures + arguments - 1;
        match (entry.handle.kind, receiver) {
            (HandleKind::InvokeVirtual | HandleKind::InvokeInterface, Some(class)) => {
                self.enter_selected(state, class, method, count)
            }
            _ => self.enter(state, method, count + usize::from(is_new), Then::Deliver),
        }
    }
}

/// Whether the first argument of a handle is a receiver.
const fn receives(kind: HandleKind) -> bool {
    use HandleKind::{InvokeInterface, InvokeSpecial, InvokeVirtual};
    matches!(kind, InvokeVirtual | InvokeInterface | InvokeSpecial)
}
