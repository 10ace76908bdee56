//! Classes of `jdk.internal.misc`.

mod cds;
mod memory;
mod vm;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[
    ("jdk/internal/misc/CDS", cds::ROWS),
    ("jdk/internal/misc/Unsafe", memory::ROWS),
    ("jdk/internal/misc/VM", vm::ROWS),
];
