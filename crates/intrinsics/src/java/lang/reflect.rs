//! Classes of `java.lang.reflect`.

mod array;
mod executable;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[
    ("java/lang/reflect/Array", array::ROWS),
    ("java/lang/reflect/Executable", executable::ROWS),
    ("java/lang/reflect/Field", executable::FIELD),
];
