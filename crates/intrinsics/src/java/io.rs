//! Classes of `java.io`: the standard streams, and data of the JDK.

mod files;
mod opened;
mod serial;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[
    ("java/io/FileDescriptor", files::DESCRIPTOR),
    ("java/io/FileInputStream", files::INPUT),
    ("java/io/FileOutputStream", files::OUTPUT),
    ("java/io/ObjectStreamClass", serial::ROWS),
    ("java/io/UnixFileSystem", opened::FILE_SYSTEM),
];
