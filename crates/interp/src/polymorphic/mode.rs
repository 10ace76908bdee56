//! What the methods of a `VarHandle` do, apart from how their effects are ordered: there is one
//! thread.

use crate::machine::Machine;
use dalang_classes::code::BinaryOp;
use dalang_classes::{Primitive, ValueType};

use super::variable::Variable;

/// What a method of a `VarHandle` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Gives the value.
    Get,
    /// Replaces the value.
    Set,
    /// Replaces an expected value, and gives whether it did.
    CompareSet,
    /// Replaces an expected value, and gives what was there.
    CompareExchange,
    /// Replaces the value, and gives what was there.
    GetSet,
    /// Combines the value with another, and gives what was there.
    Update(BinaryOp),
}

/// A method of a `VarHandle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// What it does.
    pub action: Action,
    /// Whether it makes no promise about other threads.
    pub plain: bool,
}

impl Mode {
    /// The method with this name.
    pub fn named(name: &str) -> Option<Self> {
        const STEMS: [(&str, Action); 10] = [
            ("weakCompareAndSet", Action::CompareSet),
            ("compareAndSet", Action::CompareSet),
            ("compareAndExchange", Action::CompareExchange),
            ("getAndSet", Action::GetSet),
            ("getAndAdd", Action::Update(BinaryOp::Add)),
            ("getAndBitwiseOr", Action::Update(BinaryOp::Or)),
            ("getAndBitwiseAnd", Action::Update(BinaryOp::And)),
            ("getAndBitwiseXor", Action::Update(BinaryOp::Xor)),
            ("get", Action::Get),
            ("set", Action::Set),
        ];
        const ORDERS: [&str; 6] = ["", "Plain", "Volatile", "Opaque", "Acquire", "Release"];
        let (stem, action) = STEMS.into_iter().find(|(stem, _)| name.starts_with(stem))?;
        let order = &name[stem.len()..];
        let plain = order.is_empty() && matches!(action, Action::Get | Action::Set);
        ORDERS.contains(&order).then_some(Self { action, plain })
    }

    /// How many values it takes after the coordinates.
    pub(crate) const fn values(self) -> usize {
        match self.action {
            Action::Get => 0,
            Action::Set | Action::GetSet | Action::Update(_) => 1,
            Action::CompareSet | Action::CompareExchange => 2,
        }
    }

    /// What it gives, for a variable of a type.
    pub(crate) const fn result(self, variable: ValueType) -> Option<ValueType> {
        match self.action {
            Action::Set => None,
            Action::CompareSet => Some(ValueType::Primitive(Primitive::Boolean)),
            _ => Some(variable),
        }
    }

    fn suits(self, value: ValueType) -> bool {
        let Action::Update(op) = self.action else { return true };
        match value {
            ValueType::Reference(_) => false,
            ValueType::Primitive(Primitive::Boolean) => op != BinaryOp::Add,
            ValueType::Primitive(Primitive::Float | Primitive::Double) => op == BinaryOp::Add,
            ValueType::Primitive(_) => true,
        }
    }
}

/// From this version on views of byte arrays are only read and written.
const JAVA_22: u16 = 22;

impl Machine<'_> {
    /// Whether a variable can be used in this way.
    pub fn supports(&self, variable: Variable, mode: Mode) -> bool {
        match variable {
            Variable::Field(field, _) | Variable::Static(field) => {
                let field = self.program.field(field);
                let writes = mode.action != Action::Get;
                !(writes && field.flags.is_final()) && mode.suits(field.value)
            }
            Variable::Element(_) => {
                matches!(self.variable_type(variable), std::ops::ControlFlow::Continue(value) if mode.suits(value))
            }
            Variable::Bytes(..) if self.settings.feature >= JAVA_22 => mode.plain,
            Variable::Bytes(of, _) | Variable::Buffer(of, _) => match of {
                Primitive::Int | Primitive::Long => true,
                Primitive::Float | Primitive::Double => !matches!(mode.action, Action::Update(_)),
                _ => matches!(mode.action, Action::Get | Action::Set),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Action, Mode};

    #[test]
    fn modes_by_name() {
        let action = |name| Mode::named(name).map(|mode| mode.action);
        assert_eq!(action("weakCompareAndSetPlain"), Some(Action::CompareSet));
        assert_eq!(action("getAndSetAcquire"), Some(Action::GetSet));
        assert_eq!(action("getOpaque"), Some(Action::Get));
        assert_eq!(action("getSomething"), None);
        assert!(Mode::named("get").unwrap().plain && !Mode::named("getVolatile").unwrap().plain);
        assert!(!Mode::named("compareAndSet").unwrap().plain);
    }
}
