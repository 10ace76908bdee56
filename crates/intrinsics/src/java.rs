//! Packages below `java`.

mod io;
pub(crate) mod lang;
mod nio;
mod security;
mod util;

use crate::table::Package;
use dalang_heap::Value;
use dalang_interp::State;

pub(crate) fn packages() -> impl Iterator<Item = Package> {
    [
        io::CLASSES,
        lang::CLASSES,
        lang::invoke::CLASSES,
        lang::r#ref::CLASSES,
        lang::reflect::CLASSES,
        nio::CLASSES,
        security::CLASSES,
        util::CLASSES,
        util::concurrent::CLASSES,
        util::logging::CLASSES,
        util::zip::CLASSES,
    ]
    .into_iter()
}

/// The clock that programs see, in nanoseconds since 1970: it starts at the same moment in every
/// run, and an instruction takes a nanosecond. That it was read is noted: whoever waits for it does
/// not repeat itself.
pub(crate) fn clock(state: &mut State<'_>) -> i64 {
    const START: i64 = 1_700_000_000_000_000_000;
    state.track.read_clock();
    START + slept(state) + state.instructions as i64
}

const SLEPT: &str = "nanoseconds slept";

fn slept(state: &State<'_>) -> i64 {
    match state.singleton(SLEPT) {
        Some(Value::Long(nanoseconds)) => nanoseconds,
        _ => 0,
    }
}

/// Lets time pass while the program waits.
pub(crate) fn pass_time(state: &mut State<'_>, nanoseconds: i64) {
    let slept = slept(state).saturating_add(nanoseconds.max(0));
    state.set_singleton(SLEPT, Value::Long(slept));
}
