//! Classes of `java.util.zip`: checksums.

mod checksums;

use crate::table::Package;

pub(crate) const CLASSES: Package =
    &[("java/util/zip/Adler32", checksums::ADLER32), ("java/util/zip/CRC32", checksums::CRC32)];
