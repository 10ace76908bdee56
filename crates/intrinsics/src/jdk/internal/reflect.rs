//! Classes of `jdk.internal.reflect`.

mod caller;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[("jdk/internal/reflect/Reflection", caller::ROWS)];
