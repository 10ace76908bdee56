//! `java.lang.StrictMath`, as long as it is native (until Java 20): the results of fdlibm 5.3, to
//! the last bit. `java.lang.Math` runs its own bytecode, which leads here.

use crate::table::{Row, native};
use dalang_heap::Value;
use dalang_interp::{Call, Flow};

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
    tan libm::tan;
    asin libm::asin;
    acos libm::acos;
    atan libm::atan;
    sqrt f64::sqrt;
    expm1 libm::expm1;
}

fn remainder(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(Value::Double(libm::remainder(call.double(0)?, call.double(1)?))))
}

pub(crate) const ROWS: &[Row] = &[
    native("tan", "(D)D", tan),
    native("asin", "(D)D", asin),
    native("acos", "(D)D", acos),
    native("atan", "(D)D", atan),
    native("sqrt", "(D)D", sqrt),
    native("expm1", "(D)D", expm1),
    native("IEEEremainder", "(DD)D", remainder),
];
