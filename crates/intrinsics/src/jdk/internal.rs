//! Packages below `jdk.internal`.

mod misc;
mod reflect;
mod util;

use crate::table::Package;

pub(crate) fn packages() -> impl Iterator<Item = Package> {
    [misc::CLASSES, reflect::CLASSES, util::CLASSES].into_iter()
}
