//! `jdk.internal.reflect.Reflection`.

use crate::table::{Row, any};
use dalang_heap::Value;
use dalang_interp::{Call, Flow};

/// The class whose method called the method that asks.
fn caller_class(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let reflective = |class| {
        let name = call.machine.program.class(class).name;
        matches!(
            call.machine.program.names().text(name),
            "java/lang/reflect/Method" | "java/lang/reflect/Constructor"
        )
    };
    let frames = call.state.frames().iter().rev().filter(|frame| !frame.is_hidden());
    let caller = frames.skip(2).map(|frame| frame.class).find(|&class| !reflective(class));
    match caller {
        Some(class) => Flow::Continue(Some(call.machine.mirror(call.state, class)?.into())),
        None => Flow::Continue(Some(Value::NULL)),
    }
}

fn access_flags(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    let flags = call.machine.program.class(class).flags.bits();
    Flow::Continue(Some(Value::Int(i32::from(flags))))
}

fn are_nest_mates(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (a, b) = (call.class(0)?, call.class(1)?);
    let program = call.machine.program;
    Flow::Continue(Some((program.nest_host(a) == program.nest_host(b)).into()))
}

pub(crate) const ROWS: &[Row] = &[
    any("getCallerClass", caller_class),
    any("getClassAccessFlags", access_flags),
    any("areNestMates", are_nest_mates),
];
