//! Classes of `java.lang`.

mod class;
pub(crate) mod invoke;
mod numbers;
mod object;
mod runtime;
mod stack;
mod string;
mod system;
mod thread;
mod throwable;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[
    ("java/lang/Class", class::ROWS),
    ("java/lang/Double", numbers::DOUBLE),
    ("java/lang/Float", numbers::FLOAT),
    ("java/lang/NullPointerException", throwable::NULL_POINTER),
    ("java/lang/Object", object::ROWS),
    ("java/lang/Runtime", runtime::ROWS),
    ("java/lang/Shutdown", runtime::SHUTDOWN),
    ("java/lang/StackTraceElement", stack::ROWS),
    ("java/lang/String", string::ROWS),
    ("java/lang/StringUTF16", string::UTF16),
    ("java/lang/System", system::ROWS),
    ("java/lang/Thread", thread::ROWS),
    ("java/lang/Throwable", throwable::ROWS),
];
