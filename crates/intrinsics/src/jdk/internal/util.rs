//! Classes of `jdk.internal.util`.

mod props;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[("jdk/internal/util/SystemProps$Raw", props::ROWS)];
