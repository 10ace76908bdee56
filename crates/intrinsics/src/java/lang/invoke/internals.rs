//! `java.lang.invoke.MethodHandleImpl`: what the library's methods end in after their checks.

use super::MACHINERY;
use super::handle::give;
use super::types::descriptor;
use crate::table::{Row, any, required, required_any};
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

/// `makeTableSwitch(type, fallback, targets)`
fn table(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (own, targets) = (descriptor(call, 0)?, call.object(2)?);
    let targets = call.machine.listed(call.state, targets)?;
    let parts: Vec<Value> = std::iter::once(call.argument(1)).chain(targets).collect();
    give(call, own, &Behavior::new(Form::Table, [0; 3], &parts))
}

/// `CallSite.makeUninitializedCallSite(type)`: a handle of any type that throws.
fn uninitialized(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let wanted = descriptor(call, 1)?;
    let class = call.machine.class("java/lang/invoke/CallSite")?;
    let throws = "([Ljava/lang/Object;)Ljava/lang/Object;";
    let method = call.machine.method(class, "uninitializedCallSite", throws)?;
    let names = call.machine.program.names();
    let (throws, bare) = (names.intern(throws), names.intern("()Ljava/lang/Object;"));
    let own = call.machine.described(wanted)?;
    let result = call.machine.descriptor_of([], own.result);
    let mut handle =
        call.machine.new_handle(call.state, throws, &Behavior::of_method(Form::Static, method))?;
    let count = own.parameters.len() as i32;
    for (descriptor, form, numbers, values) in [
        (bare, Form::Insert, [0; 3], &[Value::NULL][..]),
        (result, Form::Convert, [1, 0, 0], &[]),
        (wanted, Form::Drop, [0, count, 0], &[]),
    ] {
        let values: Vec<Value> =
            std::iter::once(handle.into()).chain(values.iter().copied()).collect();
        let behavior = Behavior::new(form, numbers, &values);
        handle = call.machine.new_handle(call.state, descriptor, &behavior)?;
    }
    Flow::Continue(Some(handle.into()))
}

/// `setCallSiteTargetNormal(site, target)`: nothing was made of the old target.
fn set_target(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let (site, target) = (call.object(0)?, call.argument(1));
    call.machine.set_field(call.state, site, "target", target)?;
    Flow::Continue(None)
}

/// The rows of `MethodHandleNatives`.
pub(crate) const NATIVES: &[Row] =
    &[any("setCallSiteTargetNormal", set_target), any("setCallSiteTargetVolatile", set_target)];

/// The rows of `CallSite`.
pub(crate) const SITE: &[Row] =
    &[required_any("makeUninitializedCallSite", MACHINERY, uninitialized)];

/// What is not native here ends where the library would generate code.
fn no_forms(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    unsupported("a method handle for which java.lang.invoke generates code (LambdaForm)")
}

pub(crate) const FORMS: &[Row] = &[required("<clinit>", "()V", MACHINERY, no_forms)];

pub(crate) const ROWS: &[Row] = &[
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
    required_any("makeTableSwitch", MACHINERY, table),
    required(
        "throwException",
        "(Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
        MACHINERY,
        throwing,
    ),
];
