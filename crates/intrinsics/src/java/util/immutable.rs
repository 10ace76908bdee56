//! The collections of `Set.of` and `Map.of`: in which order they are gone through differs from one run of
//! a JVM to the next, and ours is always the same.

use crate::java::lang::host::NOTED;
use crate::table::{Row, spoken_any};
use dalang_heap::Value;
use dalang_interp::{Call, Flow};

fn note_order(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    call.machine.assume(call.state, "the order of Set.of and Map.of: one of those that it can be");
    call.proceed()
}

/// Of sets.
pub(crate) const SET: &[Row] =
    &[spoken_any("iterator", NOTED, note_order), spoken_any("toArray", NOTED, note_order)];

/// Of what goes through a map.
pub(crate) const MAP: &[Row] = &[spoken_any("<init>", NOTED, note_order)];
