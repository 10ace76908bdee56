//! Exceptions: making those of the virtual machine, and finding who catches one.

use crate::collect::HEAP_SPACE;
use crate::flow::{Argument, Flow, Interrupt, Outcome, Raise, Step, Stop, bug};
use crate::frame::{Body, Frame, Stage, Then};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::LinkFailure;
use dalang_classes::code::Code;
use dalang_heap::{Reference, Value};

impl<'p> Machine<'p> {
    /// Makes an exception and enters its constructor; it is thrown when that returns.
    pub(crate) fn make_exception(&mut self, state: &mut State<'p>, raise: &Raise) -> Flow {
        let class = match self.program.load(raise.class) {
            Ok(class) => class,
            Err(failure) => {
                return bug(format!("{} is needed: {}", raise.class, failure.message));
            }
        };
        if matches!(&raise.argument, Argument::Message(why) if &**why == HEAP_SPACE) {
            self.note_heap_size(state);
        }
        // Its constructor may use frames that the program may not.
        state.overdrawn = true;
        // An exception is made even where nothing else finds room.
        let limit = std::mem::replace(&mut self.settings.heap, u64::MAX);
        let made = self.fill_exception(state, class, &raise.argument);
        self.settings.heap = limit;
        let (exception, descriptor, arguments) = made?;
        // What stands for bytecode that throws has not been thrown by the machine.
        let frame = state.frame();
        let stands_for_code = matches!(frame.body, Body::Native(_))
            && !frame.hidden
            && !self.program.method(frame.method).flags.is_native();
        if !stands_for_code {
            state.track.raise(exception);
        }
        if let Argument::Cause(cause) | Argument::Both(_, cause) = raise.argument
            && raise.tells_of_initializer()
        {
            state.track.blame(exception, cause);
        }
        let constructor = self.method(class, "<init>", descriptor)?;
        self.reserve(state, arguments.len());
        for &argument in &arguments {
            state.push(argument);
        }
        match self.enter(state, constructor, arguments.len(), Then::Throw(exception)) {
            Flow::Break(Interrupt::Entered) => self.begin_initialization(state, class),
            Flow::Break(Interrupt::Stop(stop)) => Flow::Break(Interrupt::Stop(stop)),
            // Even the frames that are lent are used up. Going on would lose the exception.
            _ => {
                let what = "frames, with none left to make an exception".into();
                Flow::Break(Interrupt::Stop(Box::new(Stop::Limit(what))))
            }
        }
    }

    fn fill_exception(
        &mut self,
        state: &mut State<'p>,
        class: dalang_classes::ClassId,
        argument: &Argument,
    ) -> Flow<(Reference, &'static str, Vec<Value>)> {
        let exception = self.allocate(state, class, 0)?;
        let mut arguments = vec![Value::Reference(exception)];
        let descriptor = match argument {
            Argument::Nothing => "()V",
            Argument::Message(message) => {
                arguments.push(self.new_string(state, message)?.into());
                "(Ljava/lang/String;)V"
            }
            Argument::Text(text) => {
                arguments.push(self.new_text(state, text.as_ref().clone())?.into());
                "(Ljava/lang/String;)V"
            }
            Argument::Cause(cause) => {
                arguments.push(Value::Reference(*cause));
                "(Ljava/lang/Throwable;)V"
            }
            Argument::Both(message, cause) => {
                arguments.push(self.new_string(state, message)?.into());
                arguments.push(Value::Reference(*cause));
                "(Ljava/lang/String;Ljava/lang/Throwable;)V"
            }
        };
        Flow::Continue((exception, descriptor, arguments))
    }

    /// Hands an exception to whoever catches it, leaving frames on the way.
    pub(crate) fn unwind(&mut self, state: &mut State<'p>, exception: Reference) -> Option<Step> {
        loop {
            if let Body::Code(code) = state.frame().body {
                self.thrown_in(state, exception);
                match self.handler(state, code, exception) {
                    Ok(Some(target)) => {
                        state.top = state.frame().floor as usize;
                        state.push(Value::Reference(exception));
                        state.frame_mut().pc = target;
                        return None;
                    }
                    Ok(None) => {}
                    // Java throws the error where the handler begins.
                    Err((target, failure)) => {
                        state.frame_mut().pc = target;
                        return self.unlinked(state, failure);
                    }
                }
            }
            let frame = state.frames.pop()?;
            state.top = frame.locals as usize;
            if !frame.monitor.is_null() {
                let object = state.heap.object_mut(frame.monitor);
                object.lock = object.lock.saturating_sub(1);
            }
            match self.pass_up(state, frame, exception) {
                Flow::Continue(true) => {}
                Flow::Continue(false) | Flow::Break(Interrupt::Entered) => return None,
                Flow::Break(Interrupt::End(outcome)) => return Some(Step::Ended(outcome)),
                Flow::Break(Interrupt::Stop(stop)) => return Some(Step::Stopped(*stop)),
                Flow::Break(other) => {
                    let what = format!("unwinding led to {other:?}");
                    return Some(Step::Stopped(Stop::Bug(what.into())));
                }
            }
        }
    }

    /// What becomes of an exception that leaves a frame; true if it goes on as it is.
    fn pass_up(
        &mut self,
        state: &mut State<'p>,
        left: Frame<'p>,
        exception: Reference,
    ) -> Flow<bool> {
        match left.then {
            Then::Deliver => {
                let below = state.frame_mut();
                if let (Body::Native(_), Stage::Waiting(resume)) = (below.body, below.stage) {
                    below.stage = Stage::Resumed(resume, Outcome::Threw(exception));
                    return Flow::Continue(false);
                }
                Flow::Continue(true)
            }
            Then::Retry => Flow::Continue(true),
            Then::Throw(_) => {
                state.overdrawn = false;
                Flow::Continue(true)
            }
            Then::Initialized(chain, at) => {
                state.end_initializer();
                self.initialization_failed(state, &chain, at, exception)
            }
            Then::Finish => Flow::Break(Interrupt::End(Outcome::Threw(exception))),
        }
    }

    /// The handler that catches an exception where the frame on top is. A handler for a class that
    /// cannot be had matters only if none before it catches the exception.
    fn handler(
        &self,
        state: &State<'p>,
        code: &Code,
        exception: Reference,
    ) -> Result<Option<u16>, (u16, &'p LinkFailure)> {
        let (pc, user) = (state.frame().pc, state.frame().class);
        let thrown = state.heap.class(exception);
        for handler in &code.handlers {
            if !(handler.start..handler.end).contains(&pc) {
                continue;
            }
            let Some(catches) = handler.catches else {
                return Ok(Some(handler.target));
            };
            let catches = self.program.resolve_class(user, catches);
            let catches = catches.map_err(|failure| (handler.target, failure))?;
            if self.program.is_subtype(thrown, catches) {
                return Ok(Some(handler.target));
            }
        }
        Ok(None)
    }
}
