//! `java.lang.invoke.MethodHandles.Lookup`: finding members.

use super::MACHINERY;
use super::members::{find_field, lookup};
use crate::table::{Row, required};
use dalang_heap::Value;
use dalang_interp::{Call, Flow, Variable};

fn find_var_handle(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let lookup = lookup(call)?;
    let (class, name, value) = (call.class(1)?, call.text(2)?, call.class(3)?);
    let field = find_field(call, lookup, (class, &name, value), "get", false)?;
    let handle = call.machine.new_variable(call.state, Variable::Field(field, class))?;
    Flow::Continue(Some(handle.into()))
}

fn find_static_var_handle(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let lookup = lookup(call)?;
    let (class, name, value) = (call.class(1)?, call.text(2)?, call.class(3)?);
    let field = find_field(call, lookup, (class, &name, value), "get", true)?;
    // Later libraries leave this to the first use of the variable.
    if call.machine.program.load("java/lang/invoke/LazyInitializingVarHandle").is_err() {
        call.machine.require(call.state, call.machine.program.field(field).class)?;
    }
    let handle = call.machine.new_variable(call.state, Variable::Static(field))?;
    Flow::Continue(Some(handle.into()))
}

const FIND_VARIABLE: &str =
    "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;";

pub(crate) const ROWS: &[Row] = &[
    required("findVarHandle", FIND_VARIABLE, MACHINERY, find_var_handle),
    required("findStaticVarHandle", FIND_VARIABLE, MACHINERY, find_static_var_handle),
];
