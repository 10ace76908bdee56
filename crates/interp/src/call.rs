//! What an intrinsic sees of the machine: its arguments, the state, and ways to call Java.
//!
//! An intrinsic has a frame of its own. It must not have an effect before the last thing that can
//! break off with [`Interrupt::Initialize`] or [`Interrupt::Ask`], because it then starts again. To
//! call a method it hands over a [`Resume`] function and breaks off; values that it needs later it
//! [saves](Call::save) in its frame, never in Rust variables.

use crate::flow::{Flow, Interrupt, Outcome, Stop, bug, raise_bare};
use crate::frame::{Stage, Then};
use crate::machine::Machine;
use crate::polymorphic::perform;
use crate::state::State;
use dalang_classes::{ClassId, MethodId, Outline};
use dalang_heap::{Reference, Value};

/// The Rust body of a Java method. A `void` method gives none.
pub type Native = fn(&mut Call<'_, '_>) -> Flow<Option<Value>>;

/// What an intrinsic does after a method that it called.
pub type Resume = fn(&mut Call<'_, '_>, Outcome) -> Flow<Option<Value>>;

/// How well an intrinsic stands for what it replaces, on symbolic arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// It does exactly what the method does.
    Exact,
    /// It allows more than the method does.
    Over,
    /// It leaves out something that the method does.
    Under,
}

/// Why there is an intrinsic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The method is native.
    Native,
    /// The method has bytecode that would do as well; the text says why it is not used.
    Replacement(&'static str),
    /// The method has bytecode that cannot be used; the text says why.
    Required(&'static str),
    /// The method has bytecode that is used for constants; on terms it would divide paths, or not
    /// work: the text says why. Only what explores has it.
    Symbolic(&'static str),
    /// The method says something to a verifier, or asks one for something; the text says what. It
    /// is given input references as they are: what it needs to know of them it has to ask for.
    Harness(&'static str),
}

/// What is found out about the references that an intrinsic is given. One that looks at them by
/// itself need not divide paths by what does not matter to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Which objects they are, and of which classes.
    Settled,
    /// The same, except that the class of an array may be uncertain.
    Arrays,
    /// Nothing.
    Anything,
}

/// The entry of an intrinsic.
#[derive(Clone, Copy)]
pub struct Intrinsic {
    /// Why it is there.
    pub role: Role,
    /// How well it stands for the method.
    pub precision: Precision,
    /// What is found out about its arguments before it begins.
    pub takes: Takes,
    /// Its body.
    pub function: Native,
}

/// Finds intrinsics. The machine asks once for each method.
pub trait Intrinsics {
    /// The intrinsic for a method: class in internal form, name and descriptor.
    fn find(&self, class: &str, name: &str, descriptor: &str) -> Option<Intrinsic>;

    /// Classes by which programs speak to a verifier: a program need not have them.
    fn outlines(&self) -> Vec<Outline> {
        Vec::new()
    }
}

/// An intrinsic's view of the machine.
pub struct Call<'a, 'p> {
    /// What all states share.
    pub machine: &'a mut Machine<'p>,
    /// The state that executes the intrinsic.
    pub state: &'a mut State<'p>,
}

impl Call<'_, '_> {
    /// The method that the intrinsic stands for.
    pub fn method(&self) -> MethodId {
        self.state.frame().method
    }

    /// How many arguments there are, the receiver included.
    pub fn arguments(&self) -> usize {
        let frame = self.state.frame();
        (frame.floor - frame.locals) as usize
    }

    /// An argument; 0 is the receiver, if there is one. `long` and `double` count once.
    pub fn argument(&self, index: usize) -> Value {
        self.state.values[self.state.frame().locals as usize + index]
    }

    /// The spelling of the method, for messages.
    pub fn spelling(&self) -> String {
        self.machine.program.method_spelling(self.method())
    }

    /// An `int` argument.
    pub fn int(&self, index: usize) -> Flow<i32> {
        match self.argument(index) {
            Value::Int(value) => Flow::Continue(value),
            other => self.unfit(other),
        }
    }

    /// A `boolean` argument.
    pub fn boolean(&self, index: usize) -> Flow<bool> {
        self.int(index).map_continue(|value| value & 1 == 1)
    }

    /// A `long` argument.
    pub fn long(&self, index: usize) -> Flow<i64> {
        match self.argument(index) {
            Value::Long(value) => Flow::Continue(value),
            other => self.unfit(other),
        }
    }

    /// A `float` argument.
    pub fn float(&self, index: usize) -> Flow<f32> {
        match self.argument(index) {
            Value::Float(value) => Flow::Continue(value),
            other => self.unfit(other),
        }
    }

    /// A `double` argument.
    pub fn double(&self, index: usize) -> Flow<f64> {
        match self.argument(index) {
            Value::Double(value) => Flow::Continue(value),
            other => self.unfit(other),
        }
    }

    /// A reference argument, which may be `null`. Input references are resolved before an intrinsic
    /// of a method begins.
    pub fn reference(&self, index: usize) -> Flow<Reference> {
        match self.argument(index) {
            Value::Reference(value) => Flow::Continue(value),
            other => self.unfit(other),
        }
    }

    /// A reference argument; throws a `NullPointerException` if it is `null`.
    pub fn object(&self, index: usize) -> Flow<Reference> {
        let reference = self.reference(index)?;
        if reference.is_null() {
            return raise_bare("java/lang/NullPointerException");
        }
        Flow::Continue(reference)
    }

    /// The class that a `java.lang.Class` argument stands for.
    pub fn class(&self, index: usize) -> Flow<ClassId> {
        let mirror = self.object(index)?;
        self.machine.mirrored(self.state, mirror)
    }

    /// The text of a `String` argument.
    pub fn text(&self, index: usize) -> Flow<String> {
        let string = self.object(index)?;
        self.machine.text(self.state, string)
    }

    fn unfit<T>(&self, value: Value) -> Flow<T> {
        let spelling = self.spelling().into();
        match value {
            Value::Term(_) => Flow::Break(Interrupt::Stop(Box::new(Stop::Symbolic(spelling)))),
            _ => bug(format!("{spelling} takes another argument than {value:?}")),
        }
    }

    /// Keeps a value for the function that goes on after a call; the first that is saved is number
    /// 0.
    pub fn save(&mut self, value: impl Into<Value>) {
        self.machine.reserve(self.state, 1);
        self.state.push(value.into());
    }

    /// A value that was saved.
    pub fn saved(&self, index: usize) -> Value {
        self.state.values[self.state.frame().floor as usize + index]
    }

    /// A reference that was saved.
    pub fn saved_reference(&self, index: usize) -> Flow<Reference> {
        match self.saved(index) {
            Value::Reference(value) => Flow::Continue(value),
            other => self.unfit(other),
        }
    }

    /// An `int` that was saved.
    pub fn saved_int(&self, index: usize) -> Flow<i32> {
        match self.saved(index) {
            Value::Int(value) => Flow::Continue(value),
            other => self.unfit(other),
        }
    }

    /// Replaces a value that was saved.
    pub fn set_saved(&mut self, index: usize, value: impl Into<Value>) {
        let place = self.state.frame().floor as usize + index;
        self.state.values[place] = value.into();
    }

    /// Calls exactly this method, and goes on with `resume`. Its class is initialized first if it
    /// is static.
    pub fn invoke<T>(&mut self, method: MethodId, arguments: &[Value], resume: Resume) -> Flow<T> {
        let flags = self.machine.program.method(method).flags;
        if flags.is_static() {
            self.machine.require(self.state, self.machine.program.method(method).class)?;
        } else if flags.is_synchronized()
            && let Some(&receiver) = arguments.first()
        {
            // Whose monitor is entered must be known before anything is pushed.
            self.machine.monitor_of(self.state, receiver)?;
        }
        self.state.frame_mut().stage = Stage::Waiting(resume);
        self.machine.reserve(self.state, arguments.len());
        for &argument in arguments {
            self.state.push(argument);
        }
        self.machine.enter(self.state, method, arguments.len(), Then::Deliver)?;
        Flow::Break(Interrupt::Entered)
    }

    /// Calls the method that the receiver, the first argument, selects.
    pub fn invoke_virtual<T>(
        &mut self,
        method: MethodId,
        arguments: &[Value],
        resume: Resume,
    ) -> Flow<T> {
        // Who the receiver is must be known before anything is pushed.
        let Some(&receiver) = arguments.first() else {
            return bug("a virtual call has no receiver");
        };
        let mut plain = receiver;
        let class = if self.machine.is_guarded(self.state, receiver) {
            let class = self.machine.guarded_receiver(self.state, receiver, method)?;
            plain = self.machine.plain_receiver(self.state, receiver, class)?;
            class
        } else {
            let receiver = self.machine.non_null(self.state, receiver)?;
            self.state.heap.class(receiver)
        };
        self.state.frame_mut().stage = Stage::Waiting(resume);
        self.machine.reserve(self.state, arguments.len());
        self.state.push(plain);
        for &argument in &arguments[1..] {
            self.state.push(argument);
        }
        self.machine.enter_selected(self.state, class, method, arguments.len())?;
        Flow::Break(Interrupt::Entered)
    }

    /// Executes the method's own bytecode instead of the intrinsic, which stands only for some of
    /// its cases. Nothing may have been saved.
    pub fn proceed<T>(&mut self) -> Flow<T> {
        self.machine.enter_own_code(self.state)?;
        Flow::Break(Interrupt::Entered)
    }

    /// Calls a method handle with arguments of the types that it takes, and goes on with `resume`.
    pub fn call_handle<T>(
        &mut self,
        handle: Reference,
        arguments: &[Value],
        resume: Resume,
    ) -> Flow<T> {
        if self.state.frames().len() >= self.machine.settings.frames {
            return raise_bare("java/lang/StackOverflowError");
        }
        self.state.frame_mut().stage = Stage::Waiting(resume);
        self.machine.reserve(self.state, arguments.len() + 1);
        self.state.push(handle.into());
        for &argument in arguments {
            self.state.push(argument);
        }
        let count = arguments.len() + 1;
        self.machine.enter_hidden(self.state, perform, count, Then::Deliver)?;
        Flow::Break(Interrupt::Entered)
    }

    /// Calls a method instead of what is executing: its result is the intrinsic's result.
    pub fn instead<T>(&mut self, method: MethodId, arguments: &[Value]) -> Flow<T> {
        self.invoke(method, arguments, pass_on)
    }

    /// The same, with the method that the receiver selects.
    pub fn instead_virtual<T>(&mut self, method: MethodId, arguments: &[Value]) -> Flow<T> {
        self.invoke_virtual(method, arguments, pass_on)
    }
}

/// Gives what the called method gave.
pub fn pass_on(_: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    match outcome {
        Outcome::Returned(value) => Flow::Continue(value),
        Outcome::Threw(exception) => Flow::Break(Interrupt::Throw(exception)),
    }
}
