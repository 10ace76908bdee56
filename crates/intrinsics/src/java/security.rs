//! Classes of `java.security`.

mod access;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[("java/security/AccessController", access::ROWS)];
