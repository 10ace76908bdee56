//! Packages below `sun`.

mod misc;

use crate::table::Package;

pub(crate) fn packages() -> impl Iterator<Item = Package> {
    [misc::CLASSES].into_iter()
}
