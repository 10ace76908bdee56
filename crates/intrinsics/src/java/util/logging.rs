//! Classes of `java.util.logging`.

mod manager;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[("java/util/logging/LogManager", manager::ROWS)];
