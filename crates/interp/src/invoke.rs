//! Entering methods: frames, arguments, selection by the receiver.

use crate::call::Native;
use crate::flow::{Flow, Interrupt, bug, linked, raise_bare};
use crate::frame::{Body, Frame, Stage, Then};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, Kind, Method, MethodId};
use dalang_heap::{Reference, Value};

impl<'p> Machine<'p> {
    /// Enters exactly this method; its arguments are on top of the operand stack and become its
    /// local variables. Breaks off with [`Interrupt::Entered`] if all went well.
    pub(crate) fn enter(
        &mut self,
        state: &mut State<'p>,
        id: MethodId,
        arguments: usize,
        then: Then,
    ) -> Flow {
        let body = self.body(id)?;
        let most = self.settings.frames + if state.overdrawn { 200 } else { 0 };
        if state.frames.len() >= most {
            return raise_bare("java/lang/StackOverflowError");
        }
        let monitor = self.monitor(state, self.program.method(id), arguments)?;
        self.enter_body(state, id, body, arguments, then, monitor)
    }

    /// Enters this body of a method, whose monitor has been entered.
    fn enter_body(
        &mut self,
        state: &mut State<'p>,
        id: MethodId,
        body: Body<'p>,
        arguments: usize,
        then: Then,
        monitor: Reference,
    ) -> Flow {
        let method = self.program.method(id);
        if matches!(then, Then::Initialized(..)) {
            state.begin_initializer();
        }
        let locals = state.top - arguments;
        let (floor, limit) = match body {
            Body::Native(_) => (state.top, state.top),
            Body::Code(code) => {
                let floor = locals + usize::from(code.max_locals);
                // One more than bytecode needs, where the express lane swaps values.
                (floor, floor + usize::from(code.max_stack) + 1)
            }
        };
        if state.values.len() < limit {
            state.values.resize(limit + 64, Value::NULL);
        }
        if let Body::Code(_) = body {
            spread(method, &mut state.values[locals..floor], arguments);
        }
        state.top = floor;
        state.frames.push(Frame {
            method: id,
            class: method.class,
            body,
            pc: 0,
            locals: locals as u32,
            floor: floor as u32,
            stage: Stage::Start,
            then,
            hidden: false,
            since: state.instructions,
            monitor,
        });
        if state.track.on {
            self.entered(state);
            self.check_depth(state)?;
        }
        Flow::Break(Interrupt::Entered)
    }

    /// Executes the bytecode of the method of the frame on top in place of its intrinsic.
    pub(crate) fn enter_own_code(&mut self, state: &mut State<'p>) -> Flow {
        let id = state.frame().method;
        let code = match self.program.code(id) {
            Ok(Some(code)) => code,
            Ok(None) => return bug(format!("{} has no code", self.program.method_spelling(id))),
            Err(failure) => return linked(Err(failure)),
        };
        let Some(frame) = state.frames.pop() else { return bug("nothing to enter again") };
        state.top = frame.floor as usize;
        let arguments = (frame.floor - frame.locals) as usize;
        self.enter_body(state, id, Body::Code(code), arguments, frame.then, frame.monitor)
    }

    /// Enters Rust code that stands for no method; what it is given is on top of the operand stack.
    pub(crate) fn enter_hidden(
        &mut self,
        state: &mut State<'p>,
        function: Native,
        arguments: usize,
        then: Then,
    ) -> Flow {
        let method = state.frame().method;
        self.push_hidden(state, method, function, arguments, then);
        Flow::Break(Interrupt::Entered)
    }

    /// A frame for Rust code that stands for no method; it counts as one of a method's class.
    pub(crate) fn push_hidden(
        &self,
        state: &mut State<'p>,
        method: MethodId,
        function: Native,
        arguments: usize,
        then: Then,
    ) {
        state.frames.push(Frame {
            method,
            class: self.program.method(method).class,
            body: Body::Native(function),
            pc: 0,
            locals: (state.top - arguments) as u32,
            floor: state.top as u32,
            stage: Stage::Start,
            then,
            hidden: true,
            since: state.instructions,
            monitor: Reference::NULL,
        });
    }

    /// Enters the Rust code that makes a static field of `System`, if there is any.
    pub(crate) fn late(&mut self, state: &mut State<'p>, maker: &str) -> Flow<bool> {
        match self.intrinsics.find("java/lang/System", maker, "()V") {
            Some(intrinsic) => {
                // The instruction is executed again, and counts then.
                state.instructions -= 1;
                self.enter_hidden(state, intrinsic.function, 0, Then::Retry)?;
                Flow::Continue(true)
            }
            None => Flow::Continue(false),
        }
    }

    /// Enters the monitor of a synchronized method.
    fn monitor(
        &mut self,
        state: &mut State<'p>,
        method: &Method,
        arguments: usize,
    ) -> Flow<Reference> {
        if !method.flags.is_synchronized() {
            return Flow::Continue(Reference::NULL);
        }
        let object = if method.flags.is_static() {
            self.mirror(state, method.class)?
        } else {
            // What the method does with its monitor, such as `notify`, is seen by later calls.
            self.monitor_of(state, state.peek(arguments - 1))?
        };
        if !object.is_null() {
            self.lock(state, object)?;
        }
        Flow::Continue(object)
    }

    /// Enters the method that a receiver of this class selects for a resolved method.
    pub(crate) fn enter_selected(
        &mut self,
        state: &mut State<'p>,
        receiver: ClassId,
        resolved: MethodId,
        arguments: usize,
    ) -> Flow {
        if self.dynamic.is_made(receiver)
            && let Some(entry) = self.lambda_entry(receiver, resolved)
        {
            return self.enter_lambda(state, &entry, resolved, arguments);
        }
        let selected = linked(self.program.select(receiver, resolved))?;
        self.enter(state, selected, arguments, Then::Deliver)
    }
}

/// Moves arguments from operands, where each is one entry, to local variables, where `long` and
/// `double` are two, and clears the local variables behind them.
pub(crate) fn spread(method: &Method, locals: &mut [Value], arguments: usize) {
    let slots = usize::from(method.argument_slots());
    if slots > arguments {
        let parameters = &method.signature.parameters;
        let mut to = slots;
        for (from, parameter) in parameters.iter().enumerate().rev() {
            let from = from + usize::from(!method.flags.is_static());
            to -= usize::from(parameter.kind().slots());
            locals[to] = locals[from];
            if parameter.kind() == Kind::Long || parameter.kind() == Kind::Double {
                locals[to + 1] = Value::NULL;
            }
        }
    }
    locals[slots..].fill(Value::NULL);
}
