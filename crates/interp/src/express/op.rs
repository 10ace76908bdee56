//! The operations of the express lane. Operands are slots of the frame: local variables first, then
//! the entries of the operand stack.

use dalang_classes::code::{BinaryOp, Condition, ElementKind, Narrowing, NumericKind};
use dalang_classes::{ConstantId, SwitchId};

/// A slot of the frame.
pub(super) type Slot = u16;

/// An operation. `to` is where the result goes; `cost` is how many instructions of the class file
/// have been executed since the last operation that has a cost.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    /// Counts instructions and goes on.
    Count {
        cost: u16,
    },
    /// Leaves the lane for one instruction.
    Slow,
    Move {
        to: Slot,
        from: Slot,
    },
    Int {
        to: Slot,
        value: i32,
    },
    Constant {
        to: Slot,
        index: u16,
    },
    /// A string or class that has been loaded before.
    Literal {
        to: Slot,
        id: ConstantId,
    },

    AddInt {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    SubInt {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    MulInt {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    AddIntBy {
        to: Slot,
        a: Slot,
        by: i32,
    },
    Ints {
        op: BinaryOp,
        to: Slot,
        a: Slot,
        b: Slot,
    },
    IntsBy {
        op: BinaryOp,
        to: Slot,
        a: Slot,
        by: i32,
    },
    AddLong {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    Longs {
        op: BinaryOp,
        to: Slot,
        a: Slot,
        b: Slot,
    },
    LongsBy {
        op: BinaryOp,
        to: Slot,
        a: Slot,
        by: i32,
    },
    AddDouble {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    MulDouble {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    /// With a constant, which is the first operand if they are flipped.
    DoublesBy {
        op: BinaryOp,
        flipped: bool,
        to: Slot,
        a: Slot,
        index: u16,
    },
    Doubles {
        op: BinaryOp,
        to: Slot,
        a: Slot,
        b: Slot,
    },
    Floats {
        op: BinaryOp,
        to: Slot,
        a: Slot,
        b: Slot,
    },
    Negate {
        to: Slot,
        a: Slot,
    },
    Convert {
        into: NumericKind,
        to: Slot,
        a: Slot,
    },
    Narrow {
        into: Narrowing,
        to: Slot,
        a: Slot,
    },
    /// Three-way comparison; `nan` is what NaN gives.
    Compare {
        nan: i8,
        to: Slot,
        a: Slot,
        b: Slot,
    },

    Goto {
        target: u16,
        cost: u16,
    },
    IfInts {
        condition: Condition,
        a: Slot,
        b: Slot,
        target: u16,
        cost: u16,
    },
    IfInt {
        condition: Condition,
        a: Slot,
        value: i16,
        target: u16,
        cost: u16,
    },
    /// A three-way comparison and a jump on its result.
    IfCompared {
        condition: Condition,
        nan: i8,
        a: Slot,
        b: Slot,
        target: u16,
        cost: u16,
    },
    IfSame {
        wanted: bool,
        a: Slot,
        b: Slot,
        target: u16,
        cost: u16,
    },
    IfNull {
        wanted: bool,
        a: Slot,
        target: u16,
        cost: u16,
    },
    Switch {
        a: Slot,
        id: SwitchId,
        cost: u16,
    },

    Load {
        kind: ElementKind,
        to: Slot,
        array: Slot,
        index: Slot,
    },
    Store {
        kind: ElementKind,
        array: Slot,
        index: Slot,
        from: Slot,
    },
    Length {
        to: Slot,
        array: Slot,
    },
    GetField {
        to: Slot,
        object: Slot,
        site: u16,
    },
    PutField {
        object: Slot,
        from: Slot,
        site: u16,
    },
    GetStatic {
        to: Slot,
        site: u16,
    },
    PutStatic {
        from: Slot,
        site: u16,
    },
    New {
        to: Slot,
        site: u16,
    },
    CheckCast {
        object: Slot,
        site: u16,
    },
    InstanceOf {
        to: Slot,
        object: Slot,
        site: u16,
    },

    /// Calls; arguments are the topmost entries of the operand stack, which has `depth` of them.
    Call {
        site: u16,
        depth: u16,
        cost: u16,
    },
    Return {
        cost: u16,
    },
    ReturnValue {
        from: Slot,
        cost: u16,
    },
}

const _: () = assert!(size_of::<Op>() <= 12);

impl Op {
    /// The same operation with its result elsewhere; none if it has no result.
    pub(super) fn redirected(mut self, place: Slot) -> Option<Self> {
        *self.result_mut()? = place;
        Some(self)
    }

    /// Where the result goes.
    pub(super) fn result(mut self) -> Option<Slot> {
        self.result_mut().copied()
    }

    fn result_mut(&mut self) -> Option<&mut Slot> {
        match self {
            Self::Move { to, .. }
            | Self::Int { to, .. }
            | Self::Constant { to, .. }
            | Self::Literal { to, .. }
            | Self::AddInt { to, .. }
            | Self::SubInt { to, .. }
            | Self::MulInt { to, .. }
            | Self::AddIntBy { to, .. }
            | Self::Ints { to, .. }
            | Self::IntsBy { to, .. }
            | Self::AddLong { to, .. }
            | Self::Longs { to, .. }
            | Self::LongsBy { to, .. }
            | Self::AddDouble { to, .. }
            | Self::MulDouble { to, .. }
            | Self::Doubles { to, .. }
            | Self::DoublesBy { to, .. }
            | Self::Floats { to, .. }
            | Self::Negate { to, .. }
            | Self::Convert { to, .. }
            | Self::Narrow { to, .. }
            | Self::Compare { to, .. }
            | Self::Load { to, .. }
            | Self::Length { to, .. }
            | Self::GetField { to, .. }
            | Self::GetStatic { to, .. }
            | Self::New { to, .. }
            | Self::InstanceOf { to, .. } => Some(to),
            _ => None,
        }
    }

    /// Where a jump leads, to be replaced when the place of the target is known.
    pub(super) fn target_mut(&mut self) -> Option<&mut u16> {
        match self {
            Self::Goto { target, .. }
            | Self::IfInts { target, .. }
            | Self::IfInt { target, .. }
            | Self::IfCompared { target, .. }
            | Self::IfSame { target, .. }
            | Self::IfNull { target, .. } => Some(target),
            _ => None,
        }
    }
}
