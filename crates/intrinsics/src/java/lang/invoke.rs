//! Classes of `java.lang.invoke`.
//!
//! The library's own machinery (member names, forms, code that it generates) is never started: it is
//! replaced where programs enter it.

mod combine;
mod handle;
mod internals;
mod lookup;
mod members;
mod repeat;
mod simple;
mod types;
mod unreflect;
mod variable;
mod variables;

use crate::table::Package;

/// Why the library's own code for handles is not used.
pub(crate) const MACHINERY: &str = "its bytecode generates classes; handles are native here";

macro_rules! variables {
    ($($of:literal)*; $($view:literal)*) => {
        &[
            ("java/lang/invoke/CallSite", internals::SITE),
            ("java/lang/invoke/LambdaForm", internals::FORMS),
            ("java/lang/invoke/MethodHandle", handle::ROWS),
            ("java/lang/invoke/MethodHandleImpl", internals::ROWS),
            ("java/lang/invoke/MethodHandleImpl", repeat::ROWS),
            ("java/lang/invoke/MethodHandleNatives", internals::NATIVES),
            ("java/lang/invoke/MethodHandles", variables::ROWS),
            ("java/lang/invoke/MethodHandles", combine::ROWS),
            ("java/lang/invoke/MethodHandles", simple::ROWS),
            ("java/lang/invoke/MethodHandles", variable::INVOKERS),
            ("java/lang/invoke/MethodType", types::ROWS),
            ("java/lang/invoke/MethodHandles$Lookup", lookup::ROWS),
            ("java/lang/invoke/MethodHandles$Lookup", unreflect::ROWS),
            ("java/lang/invoke/VarHandle", variable::ROWS),
            $((concat!("java/lang/invoke/VarHandle", $of, "$Array"), variable::EXACT),)*
            $((
                concat!("java/lang/invoke/VarHandle", $of, "$FieldInstanceReadOnly"),
                variable::EXACT,
            ),)*
            $((
                concat!("java/lang/invoke/VarHandle", $of, "$FieldInstanceReadWrite"),
                variable::EXACT,
            ),)*
            $((
                concat!("java/lang/invoke/VarHandle", $of, "$FieldStaticReadOnly"),
                variable::EXACT,
            ),)*
            $((
                concat!("java/lang/invoke/VarHandle", $of, "$FieldStaticReadWrite"),
                variable::EXACT,
            ),)*
            $((
                concat!("java/lang/invoke/VarHandleByteArrayAs", $view, "$ArrayHandle"),
                variable::EXACT,
            ),)*
            $((
                concat!("java/lang/invoke/VarHandleByteArrayAs", $view, "$ByteBufferHandle"),
                variable::EXACT,
            ),)*
        ]
    };
}

pub(crate) const CLASSES: Package = variables! {
    "Booleans" "Bytes" "Chars" "Doubles" "Floats" "Ints" "Longs" "References" "Shorts";
    "Chars" "Doubles" "Floats" "Ints" "Longs" "Shorts"
};
