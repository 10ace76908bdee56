//! Packages below `jdk.internal`.

pub(crate) mod loader;
mod misc;
mod reflect;
pub(crate) mod util;

use crate::table::Package;

pub(crate) fn packages() -> impl Iterator<Item = Package> {
    [loader::CLASSES, misc::CLASSES, reflect::CLASSES, util::CLASSES].into_iter()
}
