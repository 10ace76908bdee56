//! Package `dalang`: what programs say to us in our own words.

mod verify;

use crate::table::Package;

pub(crate) fn packages() -> impl Iterator<Item = Package> {
    [CLASSES].into_iter()
}

const CLASSES: Package = &[("dalang/Verify", verify::ROWS)];
