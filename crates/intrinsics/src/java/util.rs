//! Classes of `java.util`.

mod arrays;
pub(crate) mod concurrent;
mod immutable;
mod locale;
pub(crate) mod logging;
mod random;
mod services;
mod timezone;
pub(crate) mod zip;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[
    ("java/util/Arrays", arrays::ROWS),
    ("java/util/ImmutableCollections$MapN$MapNIterator", immutable::MAP),
    ("java/util/ImmutableCollections$Set12", immutable::SET),
    ("java/util/ImmutableCollections$SetN", immutable::SET),
    ("java/util/Locale", locale::ROWS),
    ("java/util/Random", random::ROWS),
    ("java/util/ServiceLoader", services::ROWS),
    ("java/util/TimeZone", timezone::ROWS),
];
