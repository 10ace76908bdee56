//! Classes of `java.util`.

pub(crate) mod concurrent;
mod locale;
pub(crate) mod logging;
mod random;
mod services;
mod timezone;
pub(crate) mod zip;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[
    ("java/util/Locale", locale::ROWS),
    ("java/util/Random", random::ROWS),
    ("java/util/ServiceLoader", services::ROWS),
    ("java/util/TimeZone", timezone::ROWS),
];
