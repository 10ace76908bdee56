//! Packages below `jbse`.

mod meta;

use crate::table::Package;

pub(crate) fn packages() -> impl Iterator<Item = Package> {
    [meta::CLASSES].into_iter()
}
