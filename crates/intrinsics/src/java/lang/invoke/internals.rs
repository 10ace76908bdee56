//! `java.lang.invoke.MethodHandleImpl`: what the library's methods end in after their checks.

use super::MACHINERY;
use super::handle::give;
use super::types::descriptor;
use crate::table::{Row, required};
use dalang_heap::Value;
use dalang_interp::{Behavior, Call, Flow, Form, unsupported};

/// `makePairwiseConvert(target, type, strict)`
fn convert(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (target, wanted, strict) = (call.object(0)?, descriptor(call, 1)?, call.boolean(2)?);
    if call.machine.handle_descriptor(call.state, target)? == wanted {
        return Flow::Continue(Some(target.into()));
    }
    let numbers = [i32::from(!strict), 0, 0];
    give(call, wanted, &Behavior::new(Form::Convert, numbers, &[target.into()]))
}

/// `makeVarargsCollector(target, arrayType)`
fn varargs(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (target, array) = (call.object(0)?, call.class(1)?);
    let own = call.machine.handle_type(call.state, target)?;
    let mut types = own.parameters.to_vec();
    if let (Some(last), Some(array)) = (types.last_mut(), call.machine.type_of(array)) {
        *last = array;
    }
    let wanted = call.machine.descriptor_of(types, own.result);
    let target = call.machine.as_type(call.state, target, wanted)?;
    Flow::Continue(Some(call.machine.varargs_handle(call.state, wanted, target)?.into()))
}

/// `makeGuardWithTest(test, target, fallback)`
fn guard(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let own = call.machine.handle_descriptor(call.state, call.object(1)?)?;
    let parts = [call.object(0)?.into(), call.argument(1), call.object(2)?.into()];
    give(call, own, &Behavior::new(Form::Guard, [0; 3], &parts))
}

/// `makeGuardWithCatch(target, exceptionType, handler)`
fn catch(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let own = call.machine.handle_descriptor(call.state, call.object(0)?)?;
    let class = call.class(1)?.number() as i32;
    let parts = [call.argument(0), call.object(2)?.into()];
    give(call, own, &Behavior::new(Form::Catch, [class, 0, 0], &parts))
}

/// `makeTryFinally(target, cleanup, ...)`
fn try_finally(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let own = call.machine.handle_descriptor(call.state, call.object(0)?)?;
    let parts = [call.argument(0), call.object(1)?.into()];
    give(call, own, &Behavior::new(Form::Finally, [0; 3], &parts))
}

/// `throwException(type)`
fn throwing(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let own = descriptor(call, 0)?;
    give(call, own, &Behavior::new(Form::Throw, [0; 3], &[]))
}

/// Nothing of the library's machinery is used.
fn nothing(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(None)
}

/// What is not native here ends where the library would generate code.
fn no_forms(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    unsupported("a method handle for which java.lang.invoke generates code (LambdaForm)")
}

pub(crate) const FORMS: &[Row] = &[required("<clinit>", "()V", MACHINERY, no_forms)];

pub(crate) const ROWS: &[Row] = &[
    required("<clinit>", "()V", MACHINERY, nothing),
    required(
        "makePairwiseConvert",
        "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;Z)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        convert,
    ),
    required(
        "makeVarargsCollector",
        "(Ljava/lang/invoke/MethodHandle;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        varargs,
    ),
    required(
        "makeGuardWithTest",
        "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        guard,
    ),
    required(
        "makeGuardWithCatch",
        "(Ljava/lang/invoke/MethodHandle;Ljava/lang/Class;Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        catch,
    ),
    required(
        "makeTryFinally",
        "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodHandle;Ljava/lang/Class;Ljava/util/List;)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        try_finally,
    ),
    required(
        "makeTryFinally",
        "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodHandle;Ljava/lang/Class;[Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        try_finally,
    ),
    required(
        "throwException",
        "(Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        throwing,
    ),
];
