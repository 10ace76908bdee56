//! Conversions between numeric types. Floats saturate, NaN becomes zero.

use crate::flow::Flow;
use crate::machine::Machine;
use crate::ops::arithmetic::{double, float};
use crate::state::State;
use dalang_classes::code::{Narrowing, NumericKind};
use dalang_classes::{Kind, Primitive, ValueType};
use dalang_heap::Value;
use dalang_term::{Sort, TermId};

/// What a constant is converted to; none if it is a term.
#[inline]
pub(crate) fn converted(value: Value, to: NumericKind) -> Option<Value> {
    Some(match (value, to) {
        (Value::Int(value), NumericKind::Long) => Value::Long(value.into()),
        (Value::Int(value), NumericKind::Float) => Value::Float(value as f32),
        (Value::Int(value), NumericKind::Double) => Value::Double(value.into()),
        (Value::Long(value), NumericKind::Int) => Value::Int(value as i32),
        (Value::Long(value), NumericKind::Float) => Value::Float(value as f32),
        (Value::Long(value), NumericKind::Double) => Value::Double(value as f64),
        (Value::Float(value), NumericKind::Int) => Value::Int(value as i32),
        (Value::Float(value), NumericKind::Long) => Value::Long(value as i64),
        (Value::Float(value), NumericKind::Double) => double(value.into()),
        (Value::Double(value), NumericKind::Int) => Value::Int(value as i32),
        (Value::Double(value), NumericKind::Long) => Value::Long(value as i64),
        (Value::Double(value), NumericKind::Float) => float(value as f32),
        _ => return None,
    })
}

/// The type that a narrowing narrows to.
pub(crate) const fn narrowing(to: Narrowing) -> ValueType {
    ValueType::Primitive(match to {
        Narrowing::Byte => Primitive::Byte,
        Narrowing::Char => Primitive::Char,
        Narrowing::Short => Primitive::Short,
    })
}

impl<'p> Machine<'p> {
    /// Rule `jvms/i2l` and its kin - JVMS 6.5.
    pub(crate) fn convert(
        &mut self,
        state: &mut State<'p>,
        from: NumericKind,
        to: NumericKind,
    ) -> Flow {
        let value = state.peek(0);
        let value = match converted(value, to) {
            Some(value) => value,
            None => {
                let term = self.term_of(value, from.kind())?;
                let converted = self.symbolic_convert(term, to);
                self.value(converted)
            }
        };
        state.replace(1, value);
        Flow::Continue(())
    }

    fn symbolic_convert(&mut self, term: TermId, to: NumericKind) -> TermId {
        let from = self.pool.sort(term);
        match (from.is_float(), to) {
            (false, NumericKind::Int) => self.pool.extract(term, 31, 0),
            (false, NumericKind::Long) => self.pool.sign_extend(term, 64),
            (false, NumericKind::Float) => self.pool.signed_to_float(term, Sort::F32),
            (false, NumericKind::Double) => self.pool.signed_to_float(term, Sort::F64),
            (true, NumericKind::Int) => self.pool.float_to_signed(term, 32),
            (true, NumericKind::Long) => self.pool.float_to_signed(term, 64),
            (true, NumericKind::Float) => self.pool.float_to_float(term, Sort::F32),
            (true, NumericKind::Double) => self.pool.float_to_float(term, Sort::F64),
        }
    }

    /// Rules `jvms/i2b`, `jvms/i2c`, `jvms/i2s` - JVMS 6.5.
    pub(crate) fn narrow(&mut self, state: &mut State<'p>, to: Narrowing) -> Flow {
        let value = self.fit(state.peek(0), narrowing(to));
        state.replace(1, value);
        Flow::Continue(())
    }

    /// What is left of a value in a field, element or result of this type.
    #[inline]
    pub fn fit(&mut self, value: Value, to: ValueType) -> Value {
        match (value, to) {
            (Value::Term(term), ValueType::Primitive(primitive)) => self.fit_term(term, primitive),
            _ => value.narrowed(to),
        }
    }

    fn fit_term(&mut self, term: TermId, to: Primitive) -> Value {
        let (width, signed) = match to {
            Primitive::Boolean => (1, false),
            Primitive::Byte => (8, true),
            Primitive::Char => (16, false),
            Primitive::Short => (16, true),
            _ => return Value::Term(term),
        };
        let low = self.pool.extract(term, width - 1, 0);
        let fitted =
            if signed { self.pool.sign_extend(low, 32) } else { self.pool.zero_extend(low, 32) };
        self.value(fitted)
    }

    /// The kind of value that a term stands for.
    pub fn kind_of(&self, term: TermId) -> Kind {
        match self.pool.sort(term) {
            Sort::F32 => Kind::Float,
            Sort::F64 => Kind::Double,
            Sort::Ref => Kind::Reference,
            sort if sort.width() == 64 => Kind::Long,
            _ => Kind::Int,
        }
    }

    /// The value that a term is: a constant if it is one. Truth values become 0 and 1.
    pub fn value(&mut self, term: TermId) -> Value {
        Value::of(&mut self.pool, term)
    }
}
