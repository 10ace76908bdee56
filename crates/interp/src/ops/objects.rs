//! New objects, casts and type tests.

use crate::flow::{Flow, malformed, raise, unlinked};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, ClassRefId, JavaError};
use dalang_heap::Value;

impl<'p> Machine<'p> {
    /// Rule `jvms/new` - JVMS 6.5.
    pub(crate) fn new_object(&mut self, state: &mut State<'p>, class: ClassRefId) -> Flow {
        let class = self.resolve(state, class)?;
        if !self.program.class(class).is_instantiable() {
            let name = self.program.class_spelling(class);
            return unlinked(JavaError::InstantiationError, name);
        }
        self.require(state, class)?;
        let object = self.allocate(state, class, 0)?;
        state.push(Value::Reference(object));
        Flow::Continue(())
    }

    /// Rule `jvms/checkcast` - JVMS 6.5.
    pub(crate) fn checkcast(&mut self, state: &mut State<'p>, class: ClassRefId) -> Flow {
        let value = state.peek(0);
        // The class of a `null` is not even resolved.
        if value == Value::NULL {
            return Flow::Continue(());
        }
        let class = self.resolve(state, class)?;
        match self.symbolic_cast(state, value, class)? {
            Some(true) => return Flow::Continue(()),
            Some(false) => {
                let actual = self.likely_class(state, value);
                return self.bad_cast(actual, class);
            }
            None => {}
        }
        let value = self.known_value(state, value);
        if value == Value::NULL {
            return Flow::Continue(());
        }
        let object = self.non_null(state, value)?;
        let actual = state.heap.class(object);
        if self.program.is_subtype(actual, class) {
            return Flow::Continue(());
        }
        self.bad_cast(actual, class)
    }

    /// The `ClassCastException` of a cast.
    pub fn bad_cast<T>(&self, from: ClassId, to: ClassId) -> Flow<T> {
        let message = self.cast_message(from, to);
        raise("java/lang/ClassCastException", message)
    }

    /// Rule `jvms/instanceof` - JVMS 6.5.
    pub(crate) fn instanceof(&mut self, state: &mut State<'p>, class: ClassRefId) -> Flow {
        let value = state.peek(0);
        let is = if value == Value::NULL {
            Value::boolean(false)
        } else {
            let class = self.resolve(state, class)?;
            self.instance_value(state, value, class)?
        };
        state.replace(1, is);
        Flow::Continue(())
    }

    /// Whether a reference is not null and of a class, as a `boolean`.
    ///
    /// # Errors
    /// Something has to be decided.
    pub fn instance_value(
        &mut self,
        state: &mut State<'p>,
        value: Value,
        class: ClassId,
    ) -> Flow<Value> {
        if self.is_guarded(state, value) {
            let fits = self.guarded_fits(state, value, class)?;
            return Flow::Continue(self.value(fits));
        }
        let is = match self.symbolic_instanceof(state, value, class)? {
            Some(is) => is,
            None => match self.known_value(state, value) {
                null if null == Value::NULL => false,
                value => {
                    let object = self.non_null(state, value)?;
                    self.program.is_subtype(state.heap.class(object), class)
                }
            },
        };
        Flow::Continue(Value::boolean(is))
    }

    /// Throws unless a length is not negative.
    pub(crate) fn check_length(&self, length: i32) -> Flow<usize> {
        match usize::try_from(length) {
            Ok(length) => Flow::Continue(length),
            Err(_) => raise("java/lang/NegativeArraySizeException", length.to_string()),
        }
    }

    /// An `int` operand that must be a constant for now.
    pub(crate) fn concrete_int(&self, value: Value) -> Flow<i32> {
        match value {
            Value::Int(value) => Flow::Continue(value),
            Value::Term(_) => crate::flow::unsupported("a symbolic length or index"),
            _ => malformed("something else than an int is used as one"),
        }
    }
}

impl Machine<'_> {
    fn cast_message(&self, from: ClassId, to: ClassId) -> String {
        let [a, b] = [from, to].map(|class| self.program.java_name(class));
        let [home_a, home_b] = [from, to].map(|class| self.home(class));
        let homes = if home_a == home_b {
            format!("{a} and {b} are in {home_a}")
        } else {
            format!("{a} is in {home_a}; {b} is in {home_b}")
        };
        format!("class {a} cannot be cast to class {b} ({homes})")
    }

    /// The module and loader of a class, as messages spell them.
    fn home(&self, class: ClassId) -> String {
        match self.module(class) {
            Some(module) => format!("module {module} of loader 'bootstrap'"),
            None => "unnamed module of loader 'app'".to_owned(),
        }
    }
}
