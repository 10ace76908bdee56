//! Conversions between the type of a call and the type of what is called, as
//! `MethodHandle.asType` defines them.

use crate::adapt::{widens, wrapped, wrapper};
use crate::flow::{Flow, linked, raise, unsupported};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, MethodType, Shape, ValueType};
use dalang_heap::Value;

impl<'p> Machine<'p> {
    /// The type that a class stands for; none is `void`.
    pub fn type_of(&self, class: ClassId) -> Option<ValueType> {
        match self.program.class(class).shape {
            Shape::Primitive(primitive) => primitive.map(ValueType::Primitive),
            _ => Some(ValueType::Reference(self.program.class(class).name)),
        }
    }

    /// The class of a type; none is `void`.
    pub(crate) fn class_of(&self, value: Option<ValueType>) -> Flow<ClassId> {
        match value {
            Some(value) => linked(self.program.class_of_type(value)),
            None => Flow::Continue(self.program.primitive(None)),
        }
    }

    fn type_text(&self, value: ValueType) -> &str {
        match value {
            ValueType::Primitive(primitive) => primitive.keyword(),
            ValueType::Reference(name) => self.program.names().text(name),
        }
    }

    /// Whether `asType` converts values of one type to another at all.
    pub(crate) fn can_convert(&self, from: Option<ValueType>, to: Option<ValueType>) -> Flow<bool> {
        let (Some(from), Some(to)) = (from, to) else { return Flow::Continue(true) };
        if from == to {
            return Flow::Continue(true);
        }
        let (a, b) = (self.type_text(from), self.type_text(to));
        if a == "java/lang/Object" || b == "java/lang/Object" {
            return Flow::Continue(true);
        }
        Flow::Continue(match (from, to) {
            (ValueType::Primitive(from), ValueType::Primitive(to)) => widens(from, to),
            (ValueType::Primitive(from), ValueType::Reference(_)) => {
                let (boxed, to) = (self.class(wrapper(from))?, self.class_of(Some(to))?);
                self.program.is_subtype(boxed, to)
            }
            (ValueType::Reference(_), ValueType::Primitive(to)) => {
                if let Some(from) = wrapped(self.program, from) {
                    widens(from, to)
                } else {
                    let (boxed, from) = (self.class(wrapper(to))?, self.class_of(Some(from))?);
                    self.program.is_subtype(boxed, from)
                }
            }
            (ValueType::Reference(_), ValueType::Reference(_)) => true,
        })
    }

    /// A value of one type as a value of another, where that is possible at all.
    pub fn coerce(
        &mut self,
        state: &mut State<'p>,
        value: Value,
        from: ValueType,
        to: ValueType,
    ) -> Flow<Value> {
        if from == to {
            return Flow::Continue(value);
        }
        match (from, to) {
            (ValueType::Primitive(_), ValueType::Primitive(to)) => {
                Flow::Continue(self.widened(value, to))
            }
            (ValueType::Primitive(from), ValueType::Reference(_)) => {
                Flow::Continue(self.make_box(state, from, value)?.into())
            }
            (ValueType::Reference(_), ValueType::Primitive(to)) => {
                match self.settled(state, value)? {
                    Value::Reference(object) => self.open_box(state, object, to),
                    _ => unsupported("a symbolic reference, unboxed"),
                }
            }
            (ValueType::Reference(_), ValueType::Reference(_)) => {
                self.cast(state, value, to)?;
                Flow::Continue(value)
            }
        }
    }

    /// Throws what `Class.cast` throws unless a value is `null` or of a type.
    pub(crate) fn cast(&mut self, state: &mut State<'p>, value: Value, to: ValueType) -> Flow {
        if value == Value::NULL {
            return Flow::Continue(());
        }
        let to = self.class_of(Some(to))?;
        let class = match self.symbolic_cast(state, value, to)? {
            Some(true) => return Flow::Continue(()),
            Some(false) => self.likely_class(state, value),
            None => match self.known_value(state, value) {
                Value::Reference(object) if object.is_null() => return Flow::Continue(()),
                Value::Reference(object) => state.heap.class(object),
                _ => return unsupported("a symbolic reference, cast"),
            },
        };
        if class == to || self.program.is_subtype(class, to) {
            return Flow::Continue(());
        }
        let message = format!("Cannot cast {} to {}", self.java_name(class), self.java_name(to));
        raise("java/lang/ClassCastException", message)
    }

    /// A type by its simple name, as `MethodType.toString` has it.
    pub(crate) fn simple_type(&self, value: ValueType) -> String {
        let ValueType::Reference(name) = value else { return self.program.type_spelling(value) };
        let text = self.program.names().text(name);
        let spelling = self.program.type_spelling(value);
        let element = spelling.trim_end_matches("[]");
        let dimensions = &spelling[element.len()..];
        let inner = text.trim_start_matches('[');
        let inner = if inner.len() < text.len() {
            inner.trim_start_matches('L').trim_end_matches(';')
        } else {
            inner
        };
        let nested = self.program.loaded(inner).and_then(|class| {
            let class = self.program.class(class);
            class.inner_classes().iter().find(|entry| entry.inner == class.name).copied()
        });
        let simple = match nested {
            Some(entry) => entry.simple_name.map_or("", |name| self.program.names().text(name)),
            None => element.rsplit('.').next().unwrap_or(element),
        };
        format!("{simple}{dimensions}")
    }

    /// Parameters and a result, as `MethodType.toString` has them.
    pub(crate) fn type_spelling(
        &self,
        parameters: impl IntoIterator<Item = ValueType>,
        result: Option<ValueType>,
    ) -> String {
        let parameters: Vec<String> =
            parameters.into_iter().map(|parameter| self.simple_type(parameter)).collect();
        let result = result.map_or("void".to_owned(), |result| self.simple_type(result));
        format!("({}){result}", parameters.join(","))
    }

    /// Whether arguments and result of a call can be converted to what is called.
    pub(crate) fn convertible(
        &self,
        site: &MethodType,
        parameters: &[ValueType],
        result: Option<ValueType>,
    ) -> Flow<bool> {
        if site.parameters.len() != parameters.len() {
            return Flow::Continue(false);
        }
        for (&from, &to) in site.parameters.iter().zip(parameters) {
            if !self.can_convert(Some(from), Some(to))? {
                return Flow::Continue(false);
            }
        }
        self.can_convert(result, site.result)
    }
}
