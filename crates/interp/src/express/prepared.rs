//! A translated method, and what its operations refer to.

use super::op::{Op, Slot};
use dalang_classes::code::Code;
use dalang_classes::{ClassId, MethodId, ValueType};
use dalang_heap::Value;
use std::cell::Cell;
use std::rc::Rc;

/// Where the value of a stack entry is while it has not been put into its own slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Slot(Slot),
    Int(i32),
    Constant(u16),
}

/// How the frame is put back into the form of bytecode before an operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exit {
    /// The instruction to execute.
    pub(super) pc: u16,
    /// How many entries its operand stack has.
    pub(super) depth: u16,
    /// How many instructions were executed since the last count.
    pub(super) done: u16,
    /// The entries that are not in their own slots: a range of [`Prepared::moves`].
    pub(super) moves: (u32, u32),
}

/// A field that an operation uses.
#[derive(Debug)]
pub(super) struct FieldSite {
    pub(super) owner: ClassId,
    pub(super) slot: u32,
    pub(super) value: ValueType,
    /// Whether values lose bits in it.
    pub(super) is_small: bool,
    /// The class of an object that is known to have the field.
    pub(super) seen: Cell<ClassId>,
}

/// A class that an operation uses.
#[derive(Debug)]
pub(super) struct ClassSite {
    pub(super) class: ClassId,
    /// The class of an object that is known to pass.
    pub(super) seen: Cell<ClassId>,
    /// The fields of a new object.
    pub(super) blank: Rc<[Value]>,
}

/// What a call needs to know of the method it enters.
#[derive(Clone, Copy)]
pub(super) struct Target<'p> {
    pub(super) method: MethodId,
    pub(super) class: ClassId,
    pub(super) code: &'p Code,
    /// How many local variables the arguments take; more than there are arguments if `long`s or
    /// `double`s are among them.
    pub(super) slots: u16,
}

/// A call.
pub(super) struct CallSite<'p> {
    pub(super) method: MethodId,
    pub(super) arguments: u16,
    /// The class that has to be initialized, for static methods.
    pub(super) initialized: Option<ClassId>,
    pub(super) has_receiver: bool,
    /// The method that was entered last, and the class of the receiver that selected it. A call
    /// that is not dispatched keeps its only target here.
    pub(super) cache: Cell<Option<(Option<ClassId>, Target<'p>)>>,
    pub(super) is_dispatched: bool,
}

/// A translated method.
pub(crate) struct Prepared<'p> {
    pub(super) code: &'p Code,
    pub(super) ops: Box<[Op]>,
    /// One for each operation.
    pub(super) exits: Box<[Exit]>,
    pub(super) moves: Box<[(Slot, Source)]>,
    /// For each operation that jumps the instruction that does, and where it leads.
    pub(super) jumps: Box<[(u16, u16)]>,
    /// For each instruction where to enter, if the lane can be entered there.
    pub(super) entries: Box<[Option<u16>]>,
    pub(super) constants: Box<[Value]>,
    pub(super) fields: Box<[FieldSite]>,
    pub(super) classes: Box<[ClassSite]>,
    pub(super) calls: Box<[CallSite<'p>]>,
    pub(super) result: Option<ValueType>,
    /// Whether results lose bits.
    pub(super) is_small: bool,
    /// Whether ways through it are recorded.
    pub(super) is_recorded: bool,
    /// Whether it is recorded that its code was reached.
    pub(super) is_target: bool,
    /// For each operation when it was last known to be recorded that it was executed, and which ways it
    /// went: a number of [`Coverage`](crate::coverage::Coverage), and two bits.
    pub(super) seen: Box<[Cell<u32>]>,
    /// How often the lane was left for an instruction whose reference was not resolved when the
    /// method was translated.
    pub(super) unresolved: Cell<u32>,
    /// Which of the operations are such.
    pub(super) is_unresolved: Box<[bool]>,
}

impl Prepared<'_> {
    /// Where the lane can be entered at an instruction.
    #[inline]
    pub(crate) fn entry(&self, pc: u16) -> Option<u16> {
        self.entries[pc as usize]
    }

    /// Whether it would be better translated again.
    pub(crate) fn is_outdated(&self) -> bool {
        const OFTEN: u32 = 200;
        self.unresolved.get() > OFTEN
    }
}
