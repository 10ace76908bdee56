//! Classes of `sun.misc`.

mod access;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[("sun/misc/Unsafe", access::ROWS)];
