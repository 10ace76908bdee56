//! Access flags of classes, fields and methods, as JVMS 4.1, 4.5 and 4.6 number them.
//!
//! The same bit means different things on different items; the name of a test says which is meant.

/// The access flags of one class, field or method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(u16);

impl Flags {
    /// `ACC_PUBLIC`
    pub const PUBLIC: u16 = 0x0001;
    /// `ACC_PRIVATE`
    pub const PRIVATE: u16 = 0x0002;
    /// `ACC_PROTECTED`
    pub const PROTECTED: u16 = 0x0004;
    /// `ACC_STATIC`
    pub const STATIC: u16 = 0x0008;
    /// `ACC_FINAL`
    pub const FINAL: u16 = 0x0010;
    /// `ACC_SUPER` of a class, `ACC_SYNCHRONIZED` of a method
    pub const SUPER: u16 = 0x0020;
    /// `ACC_VOLATILE` of a field, `ACC_BRIDGE` of a method
    pub const VOLATILE: u16 = 0x0040;
    /// `ACC_TRANSIENT` of a field
    pub const TRANSIENT: u16 = 0x0080;
    /// The same bit: `ACC_VARARGS` of a method
    pub const VARARGS: u16 = 0x0080;
    /// `ACC_NATIVE`
    pub const NATIVE: u16 = 0x0100;
    /// `ACC_INTERFACE`
    pub const INTERFACE: u16 = 0x0200;
    /// `ACC_ABSTRACT`
    pub const ABSTRACT: u16 = 0x0400;
    /// `ACC_STRICT` of a method
    pub const STRICT: u16 = 0x0800;
    /// `ACC_SYNTHETIC`
    pub const SYNTHETIC: u16 = 0x1000;
    /// `ACC_ANNOTATION`
    pub const ANNOTATION: u16 = 0x2000;
    /// `ACC_ENUM`
    pub const ENUM: u16 = 0x4000;
    /// `ACC_MODULE`
    pub const MODULE: u16 = 0x8000;

    /// Flags with these bits.
    pub const fn new(bits: u16) -> Self {
        Self(bits)
    }

    /// All bits, known or not.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Whether all of these bits are set.
    pub const fn has(self, bits: u16) -> bool {
        self.0 & bits == bits
    }

    /// Whether `public` was declared.
    pub const fn is_public(self) -> bool {
        self.has(Self::PUBLIC)
    }

    /// Whether `private` was declared.
    pub const fn is_private(self) -> bool {
        self.has(Self::PRIVATE)
    }

    /// Whether `protected` was declared.
    pub const fn is_protected(self) -> bool {
        self.has(Self::PROTECTED)
    }

    /// Whether none of `public`, `protected` and `private` was declared.
    pub const fn is_package_private(self) -> bool {
        self.0 & (Self::PUBLIC | Self::PRIVATE | Self::PROTECTED) == 0
    }

    /// Whether `static` was declared.
    pub const fn is_static(self) -> bool {
        self.has(Self::STATIC)
    }

    /// Whether `final` was declared.
    pub const fn is_final(self) -> bool {
        self.has(Self::FINAL)
    }

    /// Whether a method is `synchronized`.
    pub const fn is_synchronized(self) -> bool {
        self.has(Self::SUPER)
    }

    /// Whether a field is `volatile`.
    pub const fn is_volatile(self) -> bool {
        self.has(Self::VOLATILE)
    }

    /// Whether a method is a bridge that the compiler made.
    pub const fn is_bridge(self) -> bool {
        self.has(Self::VOLATILE)
    }

    /// Whether a method has a variable number of arguments.
    pub const fn is_varargs(self) -> bool {
        self.has(Self::VARARGS)
    }

    /// Whether a method is `native`.
    pub const fn is_native(self) -> bool {
        self.has(Self::NATIVE)
    }

    /// Whether a class is an interface.
    pub const fn is_interface(self) -> bool {
        self.has(Self::INTERFACE)
    }

    /// Whether a class or method is `abstract`.
    pub const fn is_abstract(self) -> bool {
        self.has(Self::ABSTRACT)
    }

    /// Whether the compiler made this without being told to in the source.
    pub const fn is_synthetic(self) -> bool {
        self.has(Self::SYNTHETIC)
    }

    /// Whether an interface declares an annotation.
    pub const fn is_annotation(self) -> bool {
        self.has(Self::ANNOTATION)
    }

    /// Whether a class or field belongs to an `enum`.
    pub const fn is_enum(self) -> bool {
        self.has(Self::ENUM)
    }

    /// The word for who may see this: `public `, `protected `, `private ` or nothing.
    pub const fn visibility(self) -> &'static str {
        match self.0 & (Self::PUBLIC | Self::PRIVATE | Self::PROTECTED) {
            Self::PUBLIC => "public ",
            Self::PRIVATE => "private ",
            Self::PROTECTED => "protected ",
            _ => "",
        }
    }
}
