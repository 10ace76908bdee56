//! Bytecode, decoded once into a few dozen canonical instructions.
//!
//! Each instruction of the class file becomes exactly one instruction here, so an instruction index
//! and a bytecode offset stand for each other. The encodings that only save space (`iload_0`,
//! `wide`, `ldc_w`, `goto_w`) are gone. On the operand stack a `long` or `double` takes **one**
//! entry, like everything else; `dup2` and its kin are decoded to what they do to entries. Local
//! variables keep the numbering of the class file, where such a value takes two.
//!
//! What comes out of here has been checked as far as running it relies on it: see [`Code`].

mod decode;
mod flow;
mod instruction;
mod listing;
mod raw;
mod stacks;
mod tables;
#[cfg(test)]
mod trials;
pub(crate) mod verify;
mod walk;

pub(crate) use decode::{Method, decode};
pub use instruction::{
    BinaryOp, Comparison, Condition, ElementKind, Instruction, Narrowing, NumericKind,
};
pub use tables::{Handler, LineNumber, LocalVariable, Switch};

use crate::ids::SwitchId;

/// The body of a method.
///
/// Guaranteed: every target, handler and switch entry is the index of an instruction; control never
/// falls off the end; every reference id is one of the class; at each instruction the operand stack
/// has the same entries on every path, of the kinds that the instruction takes (an `int` is never
/// taken for a reference); the stack never holds more than `max_stack` entries, a local variable is
/// below `max_locals` and holds a value of the right kind when it is loaded. Returned values are of
/// the method's kind.
///
/// Not guaranteed: the *classes* of references (that a receiver is of the class a call expects, that
/// `arraylength` sees an array), that constructors were called, and, in code with subroutines (class
/// files before version 51), the kinds of local variables.
#[derive(Debug)]
pub struct Code {
    /// The instructions. Those that no path reaches are [`Instruction::Unreachable`].
    pub instructions: Box<[Instruction]>,
    /// The offset of each instruction in the class file's code.
    pub offsets: Box<[u16]>,
    /// How many local variables there are.
    pub max_locals: u16,
    /// The most entries that the operand stack can have. At most what the class file says, which
    /// counts `long` and `double` twice.
    pub max_stack: u16,
    /// Exception handlers, in the order in which they are tried.
    pub handlers: Box<[Handler]>,
    switches: Box<[Switch]>,
    /// Where source lines begin, by instruction.
    pub lines: Box<[LineNumber]>,
    /// Names of local variables, if the class was compiled with them.
    pub locals: Box<[LocalVariable]>,
}

impl Code {
    /// The table of a switch of this code.
    pub fn switch(&self, id: SwitchId) -> &Switch {
        &self.switches[id.index()]
    }

    /// All switch tables.
    pub fn switches(&self) -> &[Switch] {
        &self.switches
    }

    /// The source line of an instruction, if the class was compiled with line numbers.
    pub fn line(&self, index: u16) -> Option<u16> {
        let after = self.lines.partition_point(|line| line.start <= index);
        after.checked_sub(1).map(|last| self.lines[last].line)
    }

    /// The name and type of a local variable at an instruction, if the class was compiled with them.
    pub fn local(&self, slot: u16, index: u16) -> Option<&LocalVariable> {
        let here = |local: &&LocalVariable| {
            local.slot == slot && (local.start..local.end).contains(&index)
        };
        self.locals.iter().find(here)
    }

    /// The instruction at an offset of the class file's code.
    pub fn at_offset(&self, offset: u16) -> Option<u16> {
        self.offsets.binary_search(&offset).ok().map(|index| index as u16)
    }
}

/// Why code cannot be used: the offset of an instruction, and the rule that it breaks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Defect {
    pub(crate) pc: u32,
    pub(crate) what: String,
    /// Whether a table beside the code is damaged, for which Java has another error.
    pub(crate) in_table: bool,
}

impl Defect {
    pub(crate) fn new(pc: impl Into<u32>, what: impl Into<String>) -> Self {
        Self { pc: pc.into(), what: what.into(), in_table: false }
    }

    fn of_table(self) -> Self {
        Self { in_table: true, ..self }
    }
}
