//! Classes of `jdk.internal.loader`.

mod boot;
pub(crate) mod resources;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[
    ("jdk/internal/loader/BootLoader", boot::ROWS),
    ("jdk/internal/loader/BootLoader$PackageHelper", boot::PACKAGES),
    ("jdk/internal/loader/BuiltinClassLoader", resources::ROWS),
    ("jdk/internal/loader/URLClassPath", boot::CLASS_PATH),
    ("sun/net/www/protocol/file/FileURLConnection", resources::CONNECTION),
    ("sun/net/www/protocol/jar/JarURLConnection", resources::CONNECTION),
];
