//! The dense numbers by which everything in a program is named.
//!
//! Numbers are given in the order in which things are first needed. With several threads that order
//! is not fixed, so no result may depend on how two ids compare: order by name instead.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident($number:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name($number);

        impl $name {
            /// The id with this number; whether anything has it is for the caller to know.
            pub const fn new(number: $number) -> Self {
                Self(number)
            }

            /// The number itself.
            pub const fn number(self) -> $number {
                self.0
            }

            /// The number as an index.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// A class, an interface, an array class or a primitive class of a program.
    ClassId(u32)
}
id! {
    /// A method that some class of a program declares.
    MethodId(u32)
}
id! {
    /// A field that some class of a program declares.
    FieldId(u32)
}
id! {
    /// A symbolic reference to a class, within the class that makes it.
    ClassRefId(u16)
}
id! {
    /// A symbolic reference to a field, within the class that makes it.
    FieldRefId(u16)
}
id! {
    /// A symbolic reference to a method, within the class that makes it.
    MethodRefId(u16)
}
id! {
    /// A dynamically computed call site or constant, within the class that has it.
    DynamicRefId(u16)
}
id! {
    /// A constant that can be loaded, by its index in the constant pool of its class.
    ConstantId(u16)
}
id! {
    /// The table of a switch, within its method.
    SwitchId(u16)
}
