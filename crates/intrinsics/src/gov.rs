//! Packages below `gov`.

mod nasa;

use crate::table::Package;

pub(crate) fn packages() -> impl Iterator<Item = Package> {
    [nasa::jpf::symbc::CLASSES, nasa::jpf::vm::CLASSES].into_iter()
}
