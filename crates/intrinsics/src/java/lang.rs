//! Classes of `java.lang`.

pub(crate) mod boxes;
mod builder;
pub(crate) mod class;
mod copy;
pub(crate) mod host;
pub(crate) mod invoke;
pub(crate) mod loader;
pub(crate) mod module;
mod numbers;
mod object;
pub(crate) mod r#ref;
pub(crate) mod reflect;
mod runtime;
mod stack;
mod strict;
mod string;
mod system;
mod text;
pub(crate) mod thread;
mod throwable;
mod valued;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[
    ("java/lang/AbstractStringBuilder", builder::ROWS),
    ("java/lang/Byte", valued::BYTE),
    ("java/lang/Character", valued::CHARACTER),
    ("java/lang/Class", class::ROWS),
    ("java/lang/Class", class::declared::ROWS),
    ("java/lang/Class", class::nesting::ROWS),
    ("java/lang/ClassLoader", loader::ROWS),
    ("java/lang/ClassLoader", crate::jdk::internal::loader::resources::LOADER),
    ("java/lang/Double", numbers::DOUBLE),
    ("java/lang/Float", numbers::FLOAT),
    ("java/lang/Integer", valued::INTEGER),
    ("java/lang/Long", valued::LONG),
    ("java/lang/Math", strict::MATH),
    ("java/lang/Module", module::ROWS),
    ("java/lang/ModuleLayer", module::LAYER),
    ("java/lang/NullPointerException", throwable::NULL_POINTER),
    ("java/lang/Object", object::ROWS),
    ("java/lang/Runtime", runtime::ROWS),
    ("java/lang/Shutdown", runtime::SHUTDOWN),
    ("java/lang/Short", valued::SHORT),
    ("java/lang/StackTraceElement", stack::ROWS),
    ("java/lang/StrictMath", strict::ROWS),
    ("java/lang/String", string::ROWS),
    ("java/lang/String", text::ROWS),
    ("java/lang/StringBuilder", builder::FINISHED),
    ("java/lang/StringUTF16", string::UTF16),
    ("java/lang/System", system::ROWS),
    ("java/lang/System", host::ROWS),
    ("java/lang/Thread", thread::ROWS),
    ("java/lang/Thread$ThreadIdentifiers", thread::IDENTIFIERS),
    ("java/lang/Throwable", throwable::ROWS),
];
