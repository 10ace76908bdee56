//! `sun.misc.Unsafe`: that its use is warned of. All the rest is done by `jdk.internal.misc.Unsafe`.

use crate::table::{Row, required};
use dalang_heap::Value;
use dalang_interp::{Call, Flow};

fn nothing(_: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    Flow::Continue(None)
}

pub(crate) const ROWS: &[Row] = &[required(
    "beforeMemoryAccessSlow",
    "()V",
    "newer libraries warn on standard error of who uses it, and walk the stack to name them",
    nothing,
)];
