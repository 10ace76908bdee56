//! Classes of `java.util.concurrent` and below.

mod atomic;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[("java/util/concurrent/atomic/AtomicLong", atomic::ROWS)];
