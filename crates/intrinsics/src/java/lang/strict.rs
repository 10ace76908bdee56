//! `java.lang.StrictMath`, as long as it is native (until Java 20). `java.lang.Math` runs its own
//! bytecode, which leads here.
//!
//! Results are those of fdlibm 5.3 to the last bit, as Java wants them. `libm` descends from the
//! same library, but rounds some functions better by now; those are here, with fdlibm's methods
//! and coefficients. fdlibm's own notices are in the file `NOTICE` beside them, which must stay.

mod hyperbolics;
mod logarithms;
mod reduction;
mod trigonometry;

use crate::table::{Row, native, replacement};
use dalang_heap::Value;
use dalang_interp::{Call, Flow};

/// Sign, exponent and the upper bits of the fraction.
const fn high(x: f64) -> u32 {
    (x.to_bits() >> 32) as u32
}

const fn with_high(x: f64, high: u32) -> f64 {
    f64::from_bits((high as u64) << 32 | x.to_bits() & 0xffff_ffff)
}

macro_rules! unary {
    ($($name:ident $function:path;)*) => {
        $(
            fn $name(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
                Flow::Continue(Some(Value::Double($function(call.double(0)?))))
            }
        )*
    };
}

unary! {
    sin trigonometry::sin;
    cos trigonometry::cos;
    tan trigonometry::tan;
    asin libm::asin;
    acos libm::acos;
    atan libm::atan;
    log logarithms::log;
    log10 logarithms::log10;
    log1p logarithms::log1p;
    expm1 libm::expm1;
    sinh hyperbolics::sinh;
    cosh hyperbolics::cosh;
    tanh hyperbolics::tanh;
}

fn atan2(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (y, x) = (call.double(0)?, call.double(1)?);
    Flow::Continue(Some(Value::Double(trigonometry::atan2(y, x))))
}

/// IEEE 754 leaves no choice here, for terms as for numbers.
fn sqrt(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(match call.argument(0) {
        Value::Double(value) => Value::Double(value.sqrt()),
        other => {
            let term = call.machine.term(other);
            let root = call.machine.pool.fsqrt(term);
            call.machine.value(root)
        }
    }))
}

fn fma(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let values = [0, 1, 2].map(|index| call.argument(index));
    Flow::Continue(Some(match values {
        [Value::Double(a), Value::Double(b), Value::Double(c)] => Value::Double(a.mul_add(b, c)),
        [Value::Float(a), Value::Float(b), Value::Float(c)] => Value::Float(a.mul_add(b, c)),
        other => {
            let [a, b, c] = other.map(|value| call.machine.term(value));
            let fused = call.machine.pool.ffma(a, b, c);
            call.machine.value(fused)
        }
    }))
}

fn remainder(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (a, b) = (call.double(0)?, call.double(1)?);
    Flow::Continue(Some(Value::Double(libm::remainder(a, b))))
}

const BITWISE: &str = "since Java 21 it is computed bit by bit";
const DECIMAL: &str = "it is computed with decimal numbers";

/// `java.lang.Math`
pub(crate) const MATH: &[Row] =
    &[replacement("fma", "(DDD)D", DECIMAL, fma), replacement("fma", "(FFF)F", DECIMAL, fma)];

pub(crate) const ROWS: &[Row] = &[
    native("sin", "(D)D", sin),
    native("cos", "(D)D", cos),
    native("tan", "(D)D", tan),
    native("asin", "(D)D", asin),
    native("acos", "(D)D", acos),
    native("atan", "(D)D", atan),
    native("atan2", "(DD)D", atan2),
    native("log", "(D)D", log),
    native("log10", "(D)D", log10),
    native("log1p", "(D)D", log1p),
    native("expm1", "(D)D", expm1),
    replacement("sqrt", "(D)D", BITWISE, sqrt),
    native("sinh", "(D)D", sinh),
    native("cosh", "(D)D", cosh),
    native("tanh", "(D)D", tanh),
    native("IEEEremainder", "(DD)D", remainder),
];
