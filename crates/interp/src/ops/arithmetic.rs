//! Arithmetic. Constants are computed by the hardware, as Java prescribes it; a test holds them
//! against the meaning that terms give the same operators.

use crate::flow::{Flow, malformed, raise};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::Kind;
use dalang_classes::code::{BinaryOp, NumericKind};
use dalang_heap::Value;
use dalang_term::TermId;

/// Division by zero gives none.
#[inline]
pub(crate) fn int_binary(op: BinaryOp, a: i32, b: i32) -> Option<i32> {
    Some(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => return None,
        BinaryOp::Div => a.wrapping_div(b),
        BinaryOp::Rem => a.wrapping_rem(b),
        BinaryOp::Shl => a.wrapping_shl(b as u32),
        BinaryOp::Shr => a.wrapping_shr(b as u32),
        BinaryOp::Ushr => (a as u32).wrapping_shr(b as u32) as i32,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
    })
}

/// Division by zero gives none. Distances of shifts are `int`s and do not come here.
#[inline]
pub(crate) fn long_binary(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    Some(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => return None,
        BinaryOp::Div => a.wrapping_div(b),
        BinaryOp::Rem => a.wrapping_rem(b),
        BinaryOp::Shl => a.wrapping_shl(b as u32),
        BinaryOp::Shr => a.wrapping_shr(b as u32),
        BinaryOp::Ushr => (a as u64).wrapping_shr(b as u32) as i64,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
    })
}

/// A computed NaN is the canonical one. It is recognised by its bits, because to the optimiser one
/// NaN is as good as another.
#[inline]
pub(crate) fn float(value: f32) -> Value {
    let bits = value.to_bits();
    Value::Float(f32::from_bits(if bits & 0x7fff_ffff > 0x7f80_0000 { 0x7fc0_0000 } else { bits }))
}

/// The same for `double`.
#[inline]
pub(crate) fn double(value: f64) -> Value {
    const INFINITY: u64 = 0x7ff0_0000_0000_0000;
    const NAN: u64 = 0x7ff8_0000_0000_0000;
    let bits = value.to_bits();
    Value::Double(f64::from_bits(if bits & (u64::MAX >> 1) > INFINITY { NAN } else { bits }))
}

#[inline]
pub(crate) fn float_binary(op: BinaryOp, a: f32, b: f32) -> Value {
    float(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a / b,
        _ => a % b,
    })
}

#[inline]
pub(crate) fn double_binary(op: BinaryOp, a: f64, b: f64) -> Value {
    double(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a / b,
        _ => a % b,
    })
}

impl<'p> Machine<'p> {
    /// Rule `jvms/iadd` and its kin - JVMS 6.5.
    #[inline]
    pub(crate) fn binary(
        &mut self,
        state: &mut State<'p>,
        kind: NumericKind,
        op: BinaryOp,
    ) -> Flow {
        let (a, b) = (state.peek(1), state.peek(0));
        let value = match (a, b) {
            (Value::Int(a), Value::Int(b)) => int_binary(op, a, b).map(Value::Int),
            (Value::Long(a), Value::Long(b)) => long_binary(op, a, b).map(Value::Long),
            (Value::Long(a), Value::Int(b)) => long_binary(op, a, b.into()).map(Value::Long),
            (Value::Double(a), Value::Double(b)) => Some(double_binary(op, a, b)),
            (Value::Float(a), Value::Float(b)) => Some(float_binary(op, a, b)),
            _ => self.symbolic_binary(state, kind, op, [a, b])?,
        };
        match value {
            Some(value) => {
                state.replace(2, value);
                Flow::Continue(())
            }
            None => raise("java/lang/ArithmeticException", "/ by zero"),
        }
    }

    #[cold]
    fn symbolic_binary(
        &mut self,
        state: &mut State<'p>,
        kind: NumericKind,
        op: BinaryOp,
        [a, b]: [Value; 2],
    ) -> Flow<Option<Value>> {
        let shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Ushr);
        let a = self.term_of(a, kind.kind())?;
        let b = self.term_of(b, if shift { Kind::Int } else { kind.kind() })?;
        let integral = matches!(kind, NumericKind::Int | NumericKind::Long);
        if integral && matches!(op, BinaryOp::Div | BinaryOp::Rem) {
            let sort = self.pool.sort(b);
            let zero = self.pool.bitvec(sort.width() as u8, 0);
            let by_zero = self.pool.eq(b, zero);
            if self.decide(state, by_zero)? {
                return Flow::Continue(None);
            }
        }
        let term = if integral { self.integral(op, a, b) } else { self.floating(op, a, b) };
        Flow::Continue(Some(self.value(term)))
    }

    fn integral(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        let distance = matches!(op, BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Ushr)
            .then(|| self.distance(a, b));
        let pool = &mut self.pool;
        match op {
            BinaryOp::Add => pool.add(a, b),
            BinaryOp::Sub => pool.sub(a, b),
            BinaryOp::Mul => pool.mul(a, b),
            BinaryOp::Div => pool.sdiv(a, b),
            BinaryOp::Rem => pool.srem(a, b),
            BinaryOp::And => pool.bv_and(a, b),
            BinaryOp::Or => pool.bv_or(a, b),
            BinaryOp::Xor => pool.bv_xor(a, b),
            BinaryOp::Shl => pool.shl(a, distance.unwrap_or(b)),
            BinaryOp::Shr => pool.ashr(a, distance.unwrap_or(b)),
            BinaryOp::Ushr => pool.lshr(a, distance.unwrap_or(b)),
        }
    }

    /// Java shifts by the low bits of an `int`; terms shift by anything of the operand's width.
    fn distance(&mut self, shifted: TermId, by: TermId) -> TermId {
        let width = self.pool.sort(shifted).width() as u8;
        let wide = if width == 64 { self.pool.zero_extend(by, 64) } else { by };
        let mask = self.pool.bitvec(width, u64::from(width) - 1);
        self.pool.bv_and(wide, mask)
    }

    fn floating(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        match op {
            BinaryOp::Add => self.pool.fadd(a, b),
            BinaryOp::Sub => self.pool.fsub(a, b),
            BinaryOp::Mul => self.pool.fmul(a, b),
            BinaryOp::Div => self.pool.fdiv(a, b),
            _ => self.pool.frem(a, b),
        }
    }

    /// Rule `jvms/ineg` and its kin - JVMS 6.5.
    pub(crate) fn negate(&mut self, state: &mut State<'p>, kind: NumericKind) -> Flow {
        let value = match state.peek(0) {
            Value::Int(value) => Value::Int(value.wrapping_neg()),
            Value::Long(value) => Value::Long(value.wrapping_neg()),
            Value::Float(value) => Value::Float(-value),
            Value::Double(value) => Value::Double(-value),
            other => {
                let term = self.term_of(other, kind.kind())?;
                let negated = match kind {
                    NumericKind::Int | NumericKind::Long => self.pool.neg(term),
                    NumericKind::Float | NumericKind::Double => self.pool.fneg(term),
                };
                self.value(negated)
            }
        };
        state.replace(1, value);
        Flow::Continue(())
    }

    /// Rule `jvms/iinc` - JVMS 6.5.
    #[inline]
    pub(crate) fn increment(&mut self, state: &mut State<'p>, slot: u16, by: i16) -> Flow {
        let value = match state.local(slot) {
            Value::Int(value) => Value::Int(value.wrapping_add(by.into())),
            other => {
                let (term, by) = (self.term_of(other, Kind::Int)?, self.pool.int(by.into()));
                let sum = self.pool.add(term, by);
                self.value(sum)
            }
        };
        state.set_local(slot, value);
        Flow::Continue(())
    }

    /// The term of a value that must be of a kind. Code with subroutines is not checked for the
    /// kinds of its local variables before it runs.
    pub(crate) fn term_of(&mut self, value: Value, kind: Kind) -> Flow<TermId> {
        let fits = match value {
            Value::Term(term) => self.kind_of(term) == kind,
            constant => constant.kind() == Some(kind),
        };
        if fits {
            return Flow::Continue(self.term(value));
        }
        malformed("a value is used as one of another kind")
    }
}

#[cfg(test)]
mod tests {
    use super::{double_binary, float_binary, int_binary, long_binary};
    use dalang_classes::code::BinaryOp;
    use dalang_heap::Value;
    use dalang_term::{Pool, TermId};

    const OPS: [BinaryOp; 8] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
    ];

    fn build(pool: &mut Pool, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        match op {
            BinaryOp::Add => pool.add(a, b),
            BinaryOp::Sub => pool.sub(a, b),
            BinaryOp::Mul => pool.mul(a, b),
            BinaryOp::Div => pool.sdiv(a, b),
            BinaryOp::Rem => pool.srem(a, b),
            BinaryOp::And => pool.bv_and(a, b),
            BinaryOp::Or => pool.bv_or(a, b),
            _ => pool.bv_xor(a, b),
        }
    }

    #[test]
    fn integers_agree_with_terms() {
        let corners = [0, 1, -1, 2, 7, -8, 31, 32, i64::from(i32::MAX), i64::from(i32::MIN)];
        let longs = corners.iter().copied().chain([i64::MAX, i64::MIN, 1 << 40]);
        let mut pool = Pool::new();
        for a in longs.clone() {
            for b in longs.clone() {
                for op in OPS {
                    if let Some(result) = int_binary(op, a as i32, b as i32) {
                        let (a, b) = (pool.int(a as i32), pool.int(b as i32));
                        assert_eq!(build(&mut pool, op, a, b), pool.int(result));
                    }
                    if let Some(result) = long_binary(op, a, b) {
                        let (a, b) = (pool.long(a), pool.long(b));
                        assert_eq!(build(&mut pool, op, a, b), pool.long(result));
                    }
                }
            }
        }
    }

    #[test]
    fn floats_agree_with_terms() {
        let corners =
            [0.0, -0.0, 1.0, -2.5, 1e30, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324];
        let mut pool = Pool::new();
        let mut build = |op, a: Value, b: Value| {
            let mut term = |value| match value {
                Value::Float(value) => pool.f32(value),
                Value::Double(value) => pool.f64(value),
                _ => panic!("only floats are tried"),
            };
            let (a, b) = (term(a), term(b));
            let result = match op {
                BinaryOp::Add => pool.fadd(a, b),
                BinaryOp::Sub => pool.fsub(a, b),
                BinaryOp::Mul => pool.fmul(a, b),
                BinaryOp::Div => pool.fdiv(a, b),
                _ => pool.frem(a, b),
            };
            pool.bits(result).unwrap()
        };
        for a in corners {
            for b in corners {
                for op in &OPS[..5] {
                    let result = double_binary(*op, a, b).bits().unwrap();
                    assert_eq!(build(*op, Value::Double(a), Value::Double(b)), result);
                    let (a, b) = (a as f32, b as f32);
                    let result = float_binary(*op, a, b).bits().unwrap();
                    assert_eq!(build(*op, Value::Float(a), Value::Float(b)), result);
                }
            }
        }
    }
}
