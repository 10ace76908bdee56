//! Classes of `java.security`.

mod access;
mod properties;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[
    ("java/security/AccessController", access::ROWS),
    ("java/security/Security$SecPropLoader", properties::ROWS),
];
