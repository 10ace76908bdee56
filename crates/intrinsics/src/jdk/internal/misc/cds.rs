//! `jdk.internal.misc.CDS`: there are no archived classes.

use crate::table::{Row, any};
use dalang_heap::Value;
use dalang_interp::{Call, Flow};

fn nothing(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(None)
}

fn no(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(Value::Int(0)))
}

fn no_seed(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(Some(Value::Long(0)))
}

pub(crate) const ROWS: &[Row] = &[
    any("isDumpingClassList0", no),
    any("isDumpingArchive0", no),
    any("isSharingEnabled0", no),
    any("getCDSConfigStatus", no),
    any("needsClassInitBarrier0", no),
    any("initializeFromArchive", nothing),
    any("defineArchivedModules", nothing),
    any("getRandomSeedForDumping", no_seed),
];
