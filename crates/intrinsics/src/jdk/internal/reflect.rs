//! Classes of `jdk.internal.reflect`.

mod caller;
mod fields;
mod invoke;
mod pool;

use crate::table::Package;

pub(crate) const CLASSES: Package = &[
    ("jdk/internal/reflect/ConstantPool", pool::ROWS),
    ("jdk/internal/reflect/DirectConstructorHandleAccessor$NativeAccessor", invoke::CONSTRUCTORS),
    ("jdk/internal/reflect/DirectMethodHandleAccessor$NativeAccessor", invoke::METHODS),
    ("jdk/internal/reflect/MethodHandleAccessorFactory", fields::FACTORY),
    ("jdk/internal/reflect/MethodHandleAccessorFactory", invoke::HANDLES),
    ("jdk/internal/reflect/MethodHandleBooleanFieldAccessorImpl", fields::BOOLEAN),
    ("jdk/internal/reflect/MethodHandleByteFieldAccessorImpl", fields::BYTE),
    ("jdk/internal/reflect/MethodHandleCharacterFieldAccessorImpl", fields::CHARACTER),
    ("jdk/internal/reflect/MethodHandleDoubleFieldAccessorImpl", fields::DOUBLE),
    ("jdk/internal/reflect/MethodHandleFloatFieldAccessorImpl", fields::FLOAT),
    ("jdk/internal/reflect/MethodHandleIntegerFieldAccessorImpl", fields::INTEGER),
    ("jdk/internal/reflect/MethodHandleLongFieldAccessorImpl", fields::LONG),
    ("jdk/internal/reflect/MethodHandleObjectFieldAccessorImpl", fields::OBJECT),
    ("jdk/internal/reflect/MethodHandleShortFieldAccessorImpl", fields::SHORT),
    ("jdk/internal/reflect/NativeConstructorAccessorImpl", invoke::CONSTRUCTORS),
    ("jdk/internal/reflect/NativeMethodAccessorImpl", invoke::METHODS),
    ("jdk/internal/reflect/Reflection", caller::ROWS),
    ("jdk/internal/reflect/ReflectionFactory", invoke::FACTORY),
];
