//! Packages below `sun`.

mod access;

use crate::table::Package;

const CLASSES: Package = &[("sun/misc/Unsafe", access::ROWS)];

pub(crate) fn packages() -> impl Iterator<Item = Package> {
    [CLASSES].into_iter()
}
