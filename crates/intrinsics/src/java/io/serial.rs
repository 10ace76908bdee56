//! `java.io.ObjectStreamClass`: what it asks of classes that are written to streams.

use crate::table::{Row, any};
use dalang_heap::Value;
use dalang_interp::{Call, Flow};

fn has_initializer(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.class(0)?;
    let names = call.machine.program.names();
    let initializer = names.find("<clinit>").zip(names.find("()V"));
    let declared = initializer.and_then(|(name, descriptor)| {
        call.machine.program.class(class).declared_method(name, descriptor)
    });
    Flow::Continue(Some(declared.is_some().into()))
}

pub(crate) const ROWS: &[Row] = &[any("hasStaticInitializer", has_initializer)];
