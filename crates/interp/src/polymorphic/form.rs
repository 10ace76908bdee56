//! What a `MethodHandle` does, and how it is kept in the object.
//!
//! The object is a `DirectMethodHandle` whose constructor does not run. Its `type` is set; behind
//! its declared fields come the number of a [`Form`], three numbers, and any values: other handles
//! that it calls, or arguments that it binds.

use crate::flow::{Flow, bug, unsupported};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, FieldId, MethodId, MethodType, Name};
use dalang_heap::{Reference, Value};
use std::sync::Arc;

macro_rules! forms {
    ($($(#[$doc:meta])* $name:ident)*) => {
        /// What a handle does. What its numbers and values are is said with each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Form {
            $($(#[$doc])* $name,)*
        }

        impl Form {
            const ALL: &[Self] = &[$(Self::$name),*];
        }
    };
}

forms! {
    /// Calls a static method: the method.
    Static
    /// Calls the method that the receiver selects: the method.
    Virtual
    /// Calls exactly a method of the receiver: the method, and the class of the caller.
    Special
    /// Makes an object and calls its constructor: the constructor.
    New
    /// Reads a field: the field.
    GetField
    /// Writes a field: the field.
    PutField
    /// Reads a static field: the field.
    GetStatic
    /// Writes a static field: the field.
    PutStatic
    /// Converts arguments and result: whether also with casts that lose something; the target.
    Convert
    /// Binds arguments: the position; the target, and the arguments.
    Insert
    /// Leaves arguments out: the position and how many; the target.
    Drop
    /// Reorders arguments: the target, and for each of its parameters the argument it gets.
    Permute
    /// Passes arguments through handles: the position; the target, and the handles or `null`.
    Filter
    /// Passes the result through a handle: the target, and the handle.
    FilterResult
    /// Inserts what a handle makes of the arguments from a position on: the position; the target,
    /// and the handle.
    Fold
    /// Replaces arguments by what a handle makes of them: the position; the target, and the handle.
    Collect
    /// Calls one of two handles: the test, the one for true, the one for false.
    Guard
    /// Calls one of many handles, by its first argument: the one for all other numbers, and those
    /// for the numbers from zero on.
    Table
    /// Catches an exception: the class; the target, and the handler.
    Catch
    /// Calls a handle in any case afterwards: the target, and the handle.
    Finally
    /// Repeats clauses: how many there are; their initializers, steps, tests and results.
    Loop
    /// Gives its only argument, or nothing.
    Identity
    /// Gives a value: the value.
    Constant
    /// Throws its only argument.
    Throw
    /// Takes the elements of an array for arguments: the position and how many; the target.
    Spread
    /// Takes arguments for the elements of an array: the position, how many, and the class of the
    /// array; the target.
    Gather
    /// Gathers what is behind the other arguments when it is called with another type: the target.
    Varargs
    /// Reads an element: the class of the array.
    GetElement
    /// Writes an element: the class of the array.
    PutElement
    /// Gives the length of an array.
    Length
    /// Makes an array: its class.
    NewArray
    /// Calls the handle that is its first argument: whether only with exactly this type, and the
    /// descriptor.
    Invoker
    /// Uses a variable: the handle of the variable, and the name of the access mode.
    Access
    /// Uses the variable that is its first argument: whether only with exactly this type, and the
    /// descriptor; the name of the access mode.
    Accessor
}

/// A handle, read from its object.
#[derive(Clone, Debug)]
pub struct Behavior {
    /// What it does.
    pub form: Form,
    /// Members, classes and positions.
    pub numbers: [i32; 3],
    /// Handles and bound arguments.
    pub values: Vec<Value>,
}

impl Behavior {
    /// A handle with these numbers and values.
    pub fn new(form: Form, numbers: [i32; 3], values: &[Value]) -> Self {
        Self { form, numbers, values: values.to_vec() }
    }

    /// One that calls a method.
    pub fn of_method(form: Form, method: MethodId) -> Self {
        Self::new(form, [method.number() as i32, 0, 0], &[])
    }

    /// One that uses a field.
    pub fn of_field(form: Form, field: FieldId) -> Self {
        Self::new(form, [field.number() as i32, 0, 0], &[])
    }

    pub(crate) fn method(&self) -> MethodId {
        MethodId::new(self.numbers[0] as u32)
    }

    pub(crate) fn field(&self) -> FieldId {
        FieldId::new(self.numbers[0] as u32)
    }

    pub(crate) fn class(&self, number: usize) -> ClassId {
        ClassId::new(self.numbers[number] as u32)
    }

    pub(crate) fn at(&self) -> usize {
        self.numbers[0] as usize
    }

    pub(crate) fn count(&self) -> usize {
        self.numbers[1] as usize
    }

    /// One of the handles that it calls.
    pub(crate) fn part(&self, index: usize) -> Flow<Reference> {
        match self.values.get(index) {
            Some(&Value::Reference(part)) => Flow::Continue(part),
            _ => bug("a part of a method handle is missing"),
        }
    }
}

impl<'p> Machine<'p> {
    /// A new `MethodHandle` of a type.
    pub fn new_handle(
        &mut self,
        state: &mut State<'p>,
        descriptor: Name,
        handle: &Behavior,
    ) -> Flow<Reference> {
        let class = self.class("java/lang/invoke/DirectMethodHandle")?;
        let described = self.method_type(state, descriptor)?;
        let object = self.allocate(state, class, 4 + handle.values.len())?;
        self.set_field(state, object, "type", described)?;
        let first = self.program.class(class).instance_fields.len();
        let numbers = [handle.form as i32, handle.numbers[0], handle.numbers[1], handle.numbers[2]];
        let hidden = numbers.into_iter().map(Value::Int).chain(handle.values.iter().copied());
        for (place, value) in hidden.enumerate() {
            state.heap.set(object, first + place, value);
        }
        Flow::Continue(object)
    }

    /// What a `MethodHandle` does.
    pub fn read_handle(&self, state: &State<'p>, object: Reference) -> Flow<Behavior> {
        if object.is_null() {
            return crate::flow::raise_bare("java/lang/NullPointerException");
        }
        let first = self.program.class(state.heap.class(object)).instance_fields.len();
        let body = &state.heap.object(object).body;
        let number = |place| match body.get(first + place) {
            Some(Value::Int(number)) => Some(number),
            _ => None,
        };
        let read = || {
            let form = *Form::ALL.get(number(0)? as usize)?;
            let numbers = [number(1)?, number(2)?, number(3)?];
            let values = (first + 4..body.len()).filter_map(|place| body.get(place)).collect();
            Some(Behavior { form, numbers, values })
        };
        match read() {
            Some(handle) => Flow::Continue(handle),
            None => unsupported(format!(
                "a method handle of {}",
                self.program.class_spelling(state.heap.class(object))
            )),
        }
    }

    /// The descriptor of the type of a `MethodHandle`.
    pub fn handle_descriptor(&self, state: &State<'p>, object: Reference) -> Flow<Name> {
        if object.is_null() {
            return crate::flow::raise_bare("java/lang/NullPointerException");
        }
        match self.field(state, object, "type")? {
            Value::Reference(described) => self.type_descriptor(state, described),
            _ => bug("a method handle without a type"),
        }
    }

    /// The type of a `MethodHandle`.
    pub fn handle_type(&self, state: &State<'p>, object: Reference) -> Flow<Arc<MethodType>> {
        let descriptor = self.handle_descriptor(state, object)?;
        self.described(descriptor)
    }
}
