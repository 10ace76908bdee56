//! Conversion of a value from one type to another, as lambdas and method handles make it: casts,
//! widening, boxing and unboxing. What is to be done is found out once, as a [`Conversion`].

use crate::flow::{Flow, bug, linked, raise_bare, unsupported};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, Kind, MethodId, Primitive, Program, ValueType};
use dalang_heap::Value;

/// One step of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A reference must be `null` or of this class.
    Cast(ClassId),
    /// A primitive value becomes one of a wider type.
    Widen(Primitive),
    /// A primitive value becomes an object, by this `valueOf` method. Always the last step.
    Box(MethodId),
    /// An object of a wrapper class becomes a primitive value of this type, widened if need be.
    Unbox(Primitive),
}

/// What is done to a value so that it is one of another type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conversion {
    steps: Vec<Step>,
}

/// How far a conversion has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Converted {
    /// It is done.
    Done(Value),
    /// It is done when this method was called with this value; what the method gives is the result.
    Call(MethodId, Value),
}

impl Conversion {
    /// Whether nothing is done.
    pub fn is_nothing(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether a value stays what it is, if it passes the casts.
    pub fn only_checks(&self) -> bool {
        self.steps.iter().all(|step| matches!(step, Step::Cast(_)))
    }

    /// What is done, in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }
}

/// The class whose instances hold a primitive value.
pub const fn wrapper(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::Boolean => "java/lang/Boolean",
        Primitive::Byte => "java/lang/Byte",
        Primitive::Char => "java/lang/Character",
        Primitive::Short => "java/lang/Short",
        Primitive::Int => "java/lang/Integer",
        Primitive::Long => "java/lang/Long",
        Primitive::Float => "java/lang/Float",
        Primitive::Double => "java/lang/Double",
    }
}

/// The primitive type whose values the instances of a class hold, if it is a wrapper class.
pub fn wrapped(program: &Program, value: ValueType) -> Option<Primitive> {
    let ValueType::Reference(name) = value else { return None };
    let text = program.names().text(name);
    Primitive::ALL.into_iter().find(|&primitive| wrapper(primitive) == text)
}

/// Whether a value of the first type is one of the second, perhaps widened (JLS 5.1.2).
pub const fn widens(from: Primitive, to: Primitive) -> bool {
    use Primitive::{Boolean, Byte, Char, Double, Float, Int, Long, Short};
    match (from, to) {
        (Boolean, Boolean) | (Char, Char) => true,
        (Boolean, _) | (_, Boolean | Char) | (Char, Byte | Short) => false,
        (Byte | Short | Char | Int | Long | Float | Double, _) => rank(from) <= rank(to),
    }
}

const fn rank(primitive: Primitive) -> u8 {
    match primitive {
        Primitive::Byte => 0,
        Primitive::Short | Primitive::Boolean => 1,
        Primitive::Char | Primitive::Int => 2,
        Primitive::Long => 3,
        Primitive::Float => 4,
        Primitive::Double => 5,
    }
}

impl<'p> Machine<'p> {
    /// How `LambdaMetafactory` makes a value of type `from` one of type `to`, where `through` is
    /// the type that the value has according to the instantiated method type. Throws if there is
    /// no such conversion.
    pub fn conversion(
        &self,
        from: ValueType,
        to: ValueType,
        through: ValueType,
    ) -> Flow<Conversion> {
        let mut plan = Conversion::default();
        match (from, to) {
            (ValueType::Primitive(from), ValueType::Primitive(to)) => {
                plan_widening(&mut plan, from, to)?;
            }
            (ValueType::Primitive(from), ValueType::Reference(_)) => {
                let boxed = wrapped(self.program, to).unwrap_or(from);
                plan_widening(&mut plan, from, boxed)?;
                plan.steps.push(Step::Box(self.value_of(boxed)?));
            }
            (ValueType::Reference(_), _) => {
                let mut source = from;
                if let ValueType::Reference(_) = through {
                    self.plan_cast(&mut plan, from, through)?;
                    source = through;
                }
                match to {
                    ValueType::Reference(_) => self.plan_cast(&mut plan, source, to)?,
                    ValueType::Primitive(to) => self.plan_unboxing(&mut plan, source, to)?,
                }
            }
        }
        Flow::Continue(plan)
    }

    fn plan_cast(&self, plan: &mut Conversion, from: ValueType, to: ValueType) -> Flow {
        if from == to {
            return Flow::Continue(());
        }
        let class = linked(self.program.class_of_type(to))?;
        // What certainly holds is not asked, so that most calls need no conversion at all.
        if class == self.known.object {
            return Flow::Continue(());
        }
        let certain = match self.program.class_of_type(from) {
            Ok(from) => self.program.is_subtype(from, class),
            Err(_) => false,
        };
        if !certain {
            plan.steps.push(Step::Cast(class));
        }
        Flow::Continue(())
    }

    fn plan_unboxing(&self, plan: &mut Conversion, from: ValueType, to: Primitive) -> Flow {
        match wrapped(self.program, from) {
            Some(held) if !widens(held, to) => {
                return no_conversion(held.keyword(), to.keyword());
            }
            Some(_) => {}
            None => {
                // Only what is above the wrapper class gets here, `Object` or `Number`.
                let above = match to {
                    Primitive::Boolean | Primitive::Char => wrapper(to),
                    _ => "java/lang/Number",
                };
                let above = ValueType::Reference(self.program.names().intern(above));
                self.plan_cast(plan, from, above)?;
            }
        }
        plan.steps.push(Step::Unbox(to));
        Flow::Continue(())
    }

    /// The method that boxes values of a primitive type, caches and all.
    pub fn value_of(&self, primitive: Primitive) -> Flow<MethodId> {
        let name = wrapper(primitive);
        let class = self.class(name)?;
        self.method(class, "valueOf", &format!("({})L{name};", primitive.letter()))
    }

    /// Converts a value as far as that is possible without calling a method.
    pub fn convert_value(
        &mut self,
        state: &mut State<'p>,
        conversion: &Conversion,
        mut value: Value,
    ) -> Flow<Converted> {
        for &step in &conversion.steps {
            match step {
                Step::Cast(class) => self.check_cast(state, value, class)?,
                Step::Widen(to) => value = widen(value, to.kind())?,
                Step::Unbox(to) => value = self.unbox(state, value, to)?,
                Step::Box(method) => return Flow::Continue(Converted::Call(method, value)),
            }
        }
        Flow::Continue(Converted::Done(value))
    }

    /// Throws a `ClassCastException` unless a value is `null` or of a class.
    pub(crate) fn check_cast(
        &mut self,
        state: &mut State<'p>,
        value: Value,
        class: ClassId,
    ) -> Flow {
        if value == Value::NULL {
            return Flow::Continue(());
        }
        let actual = match self.symbolic_cast(state, value, class)? {
            Some(true) => return Flow::Continue(()),
            Some(false) => self.likely_class(state, value),
            None if self.known_value(state, value) == Value::NULL => return Flow::Continue(()),
            None => {
                let object = self.non_null(state, value)?;
                state.heap.class(object)
            }
        };
        if actual == class || self.program.is_subtype(actual, class) {
            return Flow::Continue(());
        }
        self.bad_cast(actual, class)
    }

    /// What a wrapper object holds, widened to a type.
    fn unbox(&mut self, state: &mut State<'p>, value: Value, to: Primitive) -> Flow<Value> {
        let object = self.non_null(state, value)?;
        let class = state.heap.class(object);
        let name = ValueType::Reference(self.program.class(class).name);
        let Some(held) = wrapped(self.program, name) else {
            let name = self.program.class_spelling(class);
            return unsupported(format!("unboxing a {name}"));
        };
        let value = self.field(state, object, "value")?;
        if !widens(held, to) {
            return raise_bare("java/lang/ClassCastException");
        }
        if held.kind() == to.kind() {
            return Flow::Continue(value);
        }
        widen(value, to.kind())
    }
}

/// A primitive value as one of a wider kind.
fn widen(value: Value, to: Kind) -> Flow<Value> {
    Flow::Continue(match (value, to) {
        (Value::Int(value), Kind::Long) => Value::Long(value.into()),
        (Value::Int(value), Kind::Float) => Value::Float(value as f32),
        (Value::Int(value), Kind::Double) => Value::Double(value.into()),
        (Value::Long(value), Kind::Float) => Value::Float(value as f32),
        (Value::Long(value), Kind::Double) => Value::Double(value as f64),
        (Value::Float(value), Kind::Double) => crate::ops::arithmetic::double(value.into()),
        (Value::Term(_), _) => return unsupported("widening a symbolic value in a lambda"),
        (value, _) if value.kind() == Some(to) => value,
        _ => return bug("a value cannot be widened to the type that is needed"),
    })
}

fn plan_widening(plan: &mut Conversion, from: Primitive, to: Primitive) -> Flow {
    if !widens(from, to) {
        return no_conversion(from.keyword(), to.keyword());
    }
    if from.kind() != to.kind() {
        plan.steps.push(Step::Widen(to));
    }
    Flow::Continue(())
}

fn no_conversion<T>(from: &str, to: &str) -> Flow<T> {
    let message = format!("Type mismatch for lambda: {from} is not convertible to {to}");
    crate::flow::raise("java/lang/invoke/LambdaConversionException", message)
}

#[cfg(test)]
mod tests {
    use super::{widens, wrapper};
    use dalang_classes::Primitive;

    #[test]
    fn widening_is_that_of_the_language() {
        let wider = |from: Primitive| {
            let to = Primitive::ALL.into_iter().filter(|&to| widens(from, to));
            to.map(Primitive::letter).collect::<String>()
        };
        let all: Vec<String> = Primitive::ALL.into_iter().map(wider).collect();
        assert_eq!(all, ["Z", "BSIJFD", "CIJFD", "SIJFD", "IJFD", "JFD", "FD", "D"]);
    }

    #[test]
    fn wrappers_are_named_after_their_types() {
        for primitive in Primitive::ALL {
            let name = wrapper(primitive).to_lowercase();
            assert!(name.starts_with(&format!("java/lang/{}", primitive.keyword())), "{name}");
        }
    }
}
