//! Classes of `java.util`.

pub(crate) mod concurrent;
pub(crate) mod logging;
mod random;
mod services;
mod timezone;
pub(crate) mod zip;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[
    ("java/util/Random", random::ROWS),
    ("java/util/ServiceLoader", services::ROWS),
    ("java/util/TimeZone", timezone::ROWS),
];
