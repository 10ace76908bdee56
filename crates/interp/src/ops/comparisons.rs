//! Comparisons that give -1, 0 or 1.

use crate::flow::Flow;
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::code::Comparison;
use dalang_heap::Value;
use std::cmp::Ordering;

#[inline]
pub(crate) fn int_of(ordering: Option<Ordering>, nan: i32) -> i32 {
    match ordering {
        Some(Ordering::Less) => -1,
        Some(Ordering::Equal) => 0,
        Some(Ordering::Greater) => 1,
        None => nan,
    }
}

/// What a comparison gives if a side is NaN.
pub(crate) const fn for_nan(how: Comparison) -> i32 {
    match how {
        Comparison::FloatL | Comparison::DoubleL => -1,
        Comparison::Long | Comparison::FloatG | Comparison::DoubleG => 1,
    }
}

impl<'p> Machine<'p> {
    /// Rules `jvms/lcmp`, `jvms/fcmp`, `jvms/dcmp` - JVMS 6.5.
    #[inline]
    pub(crate) fn compare(&mut self, state: &mut State<'p>, how: Comparison) -> Flow {
        let nan = for_nan(how);
        let value = match (state.peek(1), state.peek(0)) {
            (Value::Long(a), Value::Long(b)) => Value::Int(int_of(Some(a.cmp(&b)), nan)),
            (Value::Double(a), Value::Double(b)) => Value::Int(int_of(a.partial_cmp(&b), nan)),
            (Value::Float(a), Value::Float(b)) => Value::Int(int_of(a.partial_cmp(&b), nan)),
            (a, b) => self.symbolic_compare(how, a, b)?,
        };
        state.replace(2, value);
        Flow::Continue(())
    }

    #[cold]
    fn symbolic_compare(&mut self, how: Comparison, a: Value, b: Value) -> Flow<Value> {
        let (a, b) = (self.term_of(a, how.operand())?, self.term_of(b, how.operand())?);
        let pool = &mut self.pool;
        let [minus, zero, one] = [-1, 0, 1].map(|value| pool.int(value));
        let term = if how == Comparison::Long {
            let (less, equal) = (pool.slt(a, b), pool.eq(a, b));
            let rest = pool.ite(equal, zero, one);
            pool.ite(less, minus, rest)
        } else {
            let (less, equal, greater) = (pool.flt(a, b), pool.feq(a, b), pool.flt(b, a));
            // What no comparison is true of is NaN.
            if for_nan(how) < 0 {
                let rest = pool.ite(greater, one, minus);
                pool.ite(equal, zero, rest)
            } else {
                let rest = pool.ite(less, minus, one);
                pool.ite(equal, zero, rest)
            }
        };
        Flow::Continue(self.value(term))
    }
}
