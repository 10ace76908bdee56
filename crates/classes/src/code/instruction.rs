//! The canonical instructions.
//!
//! An instruction is eight bytes and owns nothing: switch tables and references are in tables
//! beside it. What an instruction does is JVMS 6.5, and is done elsewhere.

use crate::descriptor::{Kind, Primitive};
use crate::ids::{ClassRefId, ConstantId, DynamicRefId, FieldRefId, MethodRefId, SwitchId};

/// A type that arithmetic is done on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the variants are Java's own words")]
pub enum NumericKind {
    Int,
    Long,
    Float,
    Double,
}

impl NumericKind {
    /// The same, among all kinds of values.
    pub const fn kind(self) -> Kind {
        match self {
            Self::Int => Kind::Int,
            Self::Long => Kind::Long,
            Self::Float => Kind::Float,
            Self::Double => Kind::Double,
        }
    }
}

/// An operation on two numbers of one type. Those on bits occur for `int` and `long` only; the
/// second operand of a shift is always an `int`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the variants are the names of the instructions")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    Ushr,
    And,
    Or,
    Xor,
}

/// A conversion of an `int` to a smaller type and back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the variants are Java's own words")]
pub enum Narrowing {
    Byte,
    Char,
    Short,
}

/// A comparison that gives -1, 0 or 1. The last letter says what NaN gives: `L` less, `G` greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the variants are the names of the instructions")]
pub enum Comparison {
    Long,
    FloatL,
    FloatG,
    DoubleL,
    DoubleG,
}

impl Comparison {
    /// The type of both operands.
    pub const fn operand(self) -> Kind {
        match self {
            Self::Long => Kind::Long,
            Self::FloatL | Self::FloatG => Kind::Float,
            Self::DoubleL | Self::DoubleG => Kind::Double,
        }
    }
}

/// A condition on an `int` and zero, or on two `int`s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the variants are the names of the instructions")]
pub enum Condition {
    Eq,
    Ne,
    Lt,
    Ge,
    Gt,
    Le,
}

/// What the elements of an array are. The class file does not tell `byte[]` and `boolean[]` apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the variants are Java's own words")]
pub enum ElementKind {
    ByteOrBoolean,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    Reference,
}

impl ElementKind {
    /// How an element is held on the operand stack.
    pub const fn kind(self) -> Kind {
        match self {
            Self::Long => Kind::Long,
            Self::Float => Kind::Float,
            Self::Double => Kind::Double,
            Self::Reference => Kind::Reference,
            _ => Kind::Int,
        }
    }
}

/// One instruction. Targets are indexes of instructions. Where the operand stack is spoken of, the
/// top is on the right, and every value is one entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Instruction {
    /// Does nothing.
    Nop,
    /// No path leads here, so nothing is known about it; it never runs.
    Unreachable,

    /// Pushes `null`.
    Null,
    /// Pushes an `int`.
    Int(i32),
    /// Pushes a `long` that fits an `int`.
    Long(i32),
    /// Pushes a `float`.
    Float(f32),
    /// Pushes a `double` that a `float` can hold exactly.
    Double(f32),
    /// Pushes a constant of the pool: any `ldc` that is none of the above.
    Constant(ConstantId),

    /// Pushes a local variable.
    Load(u16),
    /// Pops into a local variable.
    Store(u16),
    /// Adds to a local variable, an `int`.
    Increment {
        /// The local variable.
        slot: u16,
        /// What is added.
        by: i16,
    },

    /// `a ->`
    Pop,
    /// `a b ->`
    Pop2,
    /// `a -> a a`
    Dup,
    /// `a b -> b a b`
    DupX1,
    /// `a b c -> c a b c`
    DupX2,
    /// `a b -> a b a b`
    Dup2,
    /// `a b c -> b c a b c`
    Dup2X1,
    /// `a b c d -> c d a b c d`
    Dup2X2,
    /// `a b -> b a`
    Swap,

    /// `a b -> a op b`
    Binary(NumericKind, BinaryOp),
    /// `a -> -a`
    Negate(NumericKind),
    /// Converts between numeric types.
    Convert(NumericKind, NumericKind),
    /// Truncates an `int` to a smaller type, and widens it again.
    Narrow(Narrowing),
    /// Compares two numbers that are not `int`s.
    Compare(Comparison),

    /// Jumps if an `int` compares so with zero.
    If(Condition, u16),
    /// Jumps if two `int`s compare so.
    IfInts(Condition, u16),
    /// Jumps if two references are equal.
    IfSame(u16),
    /// Jumps if two references differ.
    IfDifferent(u16),
    /// Jumps if a reference is `null`.
    IfNull(u16),
    /// Jumps if a reference is not `null`.
    IfNonNull(u16),
    /// Jumps.
    Goto(u16),
    /// Pushes the index of the next instruction and jumps (class files before version 51).
    Jsr(u16),
    /// Jumps to the index in a local variable (class files before version 51).
    Ret(u16),
    /// Jumps by a table.
    Switch(SwitchId),

    /// `array index -> element`
    ArrayLoad(ElementKind),
    /// `array index element ->`
    ArrayStore(ElementKind),
    /// `array -> length`
    ArrayLength,
    /// `length -> array` of a primitive type.
    NewArray(Primitive),
    /// `length -> array` of references to the class.
    NewReferenceArray(ClassRefId),
    /// `length ... length -> array` of the array class, that many dimensions of it.
    NewMultiArray(ClassRefId, u8),

    /// `-> value`
    GetStatic(FieldRefId),
    /// `value ->`
    PutStatic(FieldRefId),
    /// `object -> value`
    GetField(FieldRefId),
    /// `object value ->`
    PutField(FieldRefId),

    /// `-> object`
    New(ClassRefId),
    /// `object -> object`
    CheckCast(ClassRefId),
    /// `object -> int`
    InstanceOf(ClassRefId),

    /// `object arguments -> result`, selected by the class of the object.
    InvokeVirtual(MethodRefId),
    /// `object arguments -> result`: constructors, private and superclass methods.
    InvokeSpecial(MethodRefId),
    /// `arguments -> result`
    InvokeStatic(MethodRefId),
    /// `object arguments -> result`, selected by the class of the object.
    InvokeInterface(MethodRefId),
    /// `arguments -> result` of a call site.
    InvokeDynamic(DynamicRefId),

    /// Returns nothing.
    Return,
    /// Returns a value of this kind, which is the kind of the method's result type.
    ReturnValue(Kind),
    /// Throws a reference.
    Throw,
    /// Enters the monitor of a reference.
    MonitorEnter,
    /// Leaves the monitor of a reference.
    MonitorExit,
}

const _: () = assert!(size_of::<Instruction>() == 8);

impl Instruction {
    /// Where this instruction may jump, except by a table or a subroutine's return.
    pub const fn target(self) -> Option<u16> {
        match self {
            Self::If(_, target)
            | Self::IfInts(_, target)
            | Self::IfSame(target)
            | Self::IfDifferent(target)
            | Self::IfNull(target)
            | Self::IfNonNull(target)
            | Self::Goto(target)
            | Self::Jsr(target) => Some(target),
            _ => None,
        }
    }

    pub(super) const fn with_target(self, to: u16) -> Self {
        match self {
            Self::If(condition, _) => Self::If(condition, to),
            Self::IfInts(condition, _) => Self::IfInts(condition, to),
            Self::IfSame(_) => Self::IfSame(to),
            Self::IfDifferent(_) => Self::IfDifferent(to),
            Self::IfNull(_) => Self::IfNull(to),
            Self::IfNonNull(_) => Self::IfNonNull(to),
            Self::Goto(_) => Self::Goto(to),
            Self::Jsr(_) => Self::Jsr(to),
            other => other,
        }
    }

    /// Whether control can go on to the next instruction.
    pub const fn falls_through(self) -> bool {
        !matches!(
            self,
            Self::Goto(_)
                | Self::Ret(_)
                | Self::Switch(_)
                | Self::Return
                | Self::ReturnValue(_)
                | Self::Throw
                | Self::Unreachable
        )
    }
}
