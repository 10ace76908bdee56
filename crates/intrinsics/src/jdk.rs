//! Packages below `jdk`.

pub(crate) mod internal;

use crate::table::Package;

pub(crate) fn packages() -> impl Iterator<Item = Package> {
    internal::packages()
}
