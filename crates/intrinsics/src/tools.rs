//! Packages below `tools`.

mod aqua;

use crate::table::Package;

pub(crate) fn packages() -> impl Iterator<Item = Package> {
    [aqua::concolic::CLASSES].into_iter()
}
