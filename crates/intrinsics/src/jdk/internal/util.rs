//! Classes of `jdk.internal.util`.

mod arrays;
pub(crate) mod props;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[
    ("jdk/internal/util/ArraysSupport", arrays::SUPPORT),
    ("jdk/internal/util/SystemProps$Raw", props::ROWS),
];
