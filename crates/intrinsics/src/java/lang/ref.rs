//! Classes of `java.lang.ref`.

mod reference;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[
    ("java/lang/ref/Finalizer", reference::FINALIZER),
    ("java/lang/ref/PhantomReference", reference::ROWS),
    ("java/lang/ref/Reference", reference::ROWS),
    ("java/lang/ref/ReferenceQueue", reference::QUEUE),
];
