//! Classes of `java.lang`.

mod class;
mod numbers;
mod object;
pub(crate) mod r#ref;
mod runtime;
mod stack;
mod strict;
mod string;
mod system;
mod thread;
mod throwable;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[
    ("java/lang/Class", class::ROWS),
    ("java/lang/Double", numbers::DOUBLE),
    ("java/lang/Float", numbers::FLOAT),
    ("java/lang/Math", strict::MATH),
    ("java/lang/NullPointerException", throwable::NULL_POINTER),
    ("java/lang/Object", object::ROWS),
    ("java/lang/Runtime", runtime::ROWS),
    ("java/lang/Shutdown", runtime::SHUTDOWN),
    ("java/lang/StackTraceElement", stack::ROWS),
    ("java/lang/StrictMath", strict::ROWS),
    ("java/lang/String", string::ROWS),
    ("java/lang/StringUTF16", string::UTF16),
    ("java/lang/System", system::ROWS),
    ("java/lang/Thread", thread::ROWS),
    ("java/lang/Throwable", throwable::ROWS),
];
