//! Classes of `java.util`.

pub(crate) mod concurrent;
mod timezone;
pub(crate) mod zip;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[("java/util/TimeZone", timezone::ROWS)];
