//! Classes of `java.io`: the standard streams and nothing else.

mod files;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[
    ("java/io/FileDescriptor", files::DESCRIPTOR),
    ("java/io/FileInputStream", files::INPUT),
    ("java/io/FileOutputStream", files::OUTPUT),
];
