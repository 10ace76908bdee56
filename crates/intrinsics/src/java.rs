//! Packages below `java`.

mod io;
pub(crate) mod lang;
mod security;
mod util;

use crate::table::Package;
use dalang_interp::State;

pub(crate) fn packages() -> impl Iterator<Item = Package> {
    [
        io::CLASSES,
        lang::CLASSES,
        lang::invoke::CLASSES,
        lang::r#ref::CLASSES,
        lang::reflect::CLASSES,
        security::CLASSES,
        util::CLASSES,
        util::concurrent::CLASSES,
        util::zip::CLASSES,
    ]
    .into_iter()
}

/// The clock that programs see, in nanoseconds since 1970: it starts at the same moment in every
/// run, and an instruction takes a nanosecond.
pub(crate) fn clock(state: &State<'_>) -> i64 {
    const START: i64 = 1_700_000_000_000_000_000;
    START + state.instructions as i64
}
