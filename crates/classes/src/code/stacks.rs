//! Operand stacks as they may look at an instruction, shared so that equal stacks are equal numbers.
//!
//! A stack is an entry and the stack below it. However deep stacks get and however many branches
//! meet, this takes memory in proportion to the code.

use crate::descriptor::Kind;
use rustc_hash::FxHashMap;

/// What an entry of the operand stack or a local variable may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Cell {
    /// Nothing that can be used.
    Unset,
    /// A value of this kind.
    Value(Kind),
    /// A return address of the subroutine that begins at this instruction.
    Return(u16),
}

impl Cell {
    pub(super) fn slots(self) -> u16 {
        match self {
            Self::Value(kind) => kind.slots(),
            _ => 1,
        }
    }

    pub(super) fn is_wide(self) -> bool {
        self.slots() == 2
    }
}

/// The number of a stack. The empty one is 0.
pub(super) type StackId = u32;

pub(super) const EMPTY: StackId = 0;

struct Node {
    below: StackId,
    top: Cell,
    /// How high the stack is, as the class file counts it and as we do.
    slots: u32,
    entries: u32,
}

pub(super) struct Stacks {
    nodes: Vec<Node>,
    known: FxHashMap<(StackId, Cell), StackId>,
}

impl Stacks {
    pub(super) fn new() -> Self {
        let empty = Node { below: EMPTY, top: Cell::Unset, slots: 0, entries: 0 };
        Self { nodes: vec![empty], known: FxHashMap::default() }
    }

    pub(super) fn push(&mut self, below: StackId, top: Cell) -> StackId {
        let Self { nodes, known } = self;
        *known.entry((below, top)).or_insert_with(|| {
            let base = &nodes[below as usize];
            let slots = base.slots + u32::from(top.slots());
            let entries = base.entries + 1;
            nodes.push(Node { below, top, slots, entries });
            (nodes.len() - 1) as StackId
        })
    }

    /// The entry on top and what is below, if there is anything.
    pub(super) fn pop(&self, stack: StackId) -> Option<(Cell, StackId)> {
        let node = &self.nodes[stack as usize];
        (stack != EMPTY).then_some((node.top, node.below))
    }

    pub(super) fn slots(&self, stack: StackId) -> u32 {
        self.nodes[stack as usize].slots
    }

    pub(super) fn entries(&self, stack: StackId) -> u32 {
        self.nodes[stack as usize].entries
    }
}
