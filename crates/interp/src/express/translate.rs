//! Translation of a method: its blocks in the order in which they are reached, then the tables.

use super::op::{Op, Slot};
use super::prepared::{CallSite, ClassSite, Exit, FieldSite, Prepared, Source};
use super::stack::{Stack, ordered};
use crate::machine::Machine;
use dalang_classes::code::{Code, Instruction};
use dalang_classes::{ClassId, MethodId, Primitive, ValueType};
use dalang_heap::Value;
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// Longer methods stay bytecode: operations are numbered in sixteen bits.
const MOST_INSTRUCTIONS: usize = 8_000;

/// A method on its way to being translated.
pub(super) struct Translation<'m, 'p> {
    pub(super) machine: &'m Machine<'p>,
    pub(super) code: &'p Code,
    pub(super) method: MethodId,
    pub(super) class: ClassId,
    pub(super) stack: Stack,
    pub(super) ops: Vec<Op>,
    pub(super) exits: Vec<Exit>,
    pub(super) moves: Vec<(Slot, Source)>,
    pub(super) entries: Vec<Option<u16>>,
    pub(super) is_leader: Vec<bool>,
    pub(super) constants: Vec<Value>,
    pub(super) fields: Vec<FieldSite>,
    pub(super) classes: Vec<ClassSite>,
    pub(super) calls: Vec<CallSite<'p>>,
    pub(super) is_unresolved: Vec<bool>,
    /// Blocks that are reached and not translated, with the depths of their stacks.
    pub(super) open: Vec<(u16, u16)>,
    depths: FxHashMap<u16, u16>,
    /// The instruction that is being translated, and the first one that was not counted yet.
    pub(super) pc: u16,
    pub(super) uncounted: u16,
    /// Whether the last operation may have its result redirected.
    pub(super) fresh: bool,
}

/// Translates a method; none if it has something that the lane does not do.
pub(crate) fn translate<'p>(
    machine: &Machine<'p>,
    method: MethodId,
    code: &'p Code,
) -> Option<Prepared<'p>> {
    let subroutine = |one: &Instruction| matches!(one, Instruction::Jsr(_) | Instruction::Ret(_));
    if code.instructions.len() > MOST_INSTRUCTIONS || code.instructions.iter().any(subroutine) {
        return None;
    }
    let declared = machine.program.method(method);
    let mut translation = Translation {
        machine,
        code,
        method,
        class: declared.class,
        stack: Stack::new(code.max_locals, 0),
        ops: Vec::new(),
        exits: Vec::new(),
        moves: Vec::new(),
        entries: vec![None; code.instructions.len()],
        is_leader: leaders(code),
        constants: Vec::new(),
        fields: Vec::new(),
        classes: Vec::new(),
        calls: Vec::new(),
        is_unresolved: Vec::new(),
        open: Vec::new(),
        depths: FxHashMap::default(),
        pc: 0,
        uncounted: 0,
        fresh: false,
    };
    translation.reach(0, 0);
    for handler in &code.handlers {
        translation.reach(handler.target, 1);
    }
    while let Some((pc, depth)) = translation.open.pop() {
        translation.blocks(pc, depth)?;
    }
    translation.finish(declared.signature.result)
}

/// The first instruction, those that something jumps to, and those that follow a jump.
fn leaders(code: &Code) -> Vec<bool> {
    let mut leaders = vec![false; code.instructions.len() + 1];
    leaders[0] = true;
    for (index, instruction) in code.instructions.iter().enumerate() {
        let target = instruction.target();
        if let Some(target) = target {
            leaders[target as usize] = true;
        }
        if target.is_some() || !instruction.falls_through() {
            leaders[index + 1] = true;
        }
        if let Instruction::Switch(id) = instruction {
            let switch = code.switch(*id);
            leaders[switch.default() as usize] = true;
            for (_, target) in switch.cases() {
                leaders[target as usize] = true;
            }
        }
    }
    for handler in &code.handlers {
        leaders[handler.target as usize] = true;
        leaders[handler.start as usize] = true;
        leaders[(handler.end as usize).min(code.instructions.len())] = true;
    }
    leaders
}

impl<'p> Translation<'_, 'p> {
    /// Notes that a block is reached.
    pub(super) fn reach(&mut self, pc: u16, depth: u16) {
        if self.depths.insert(pc, depth).is_none() {
            self.open.push((pc, depth));
        }
    }

    /// Translates a block, and those that it falls into and that are not translated yet.
    fn blocks(&mut self, mut pc: u16, depth: u16) -> Option<()> {
        if self.entries[pc as usize].is_some() {
            return Some(());
        }
        self.stack = Stack::new(self.code.max_locals, depth);
        self.uncounted = pc;
        loop {
            if self.is_leader[pc as usize] {
                self.pc = pc;
                self.fresh = false;
                if pc != self.uncounted {
                    self.settle(0);
                    self.count();
                }
                let depth = self.stack.depth();
                self.depths.insert(pc, depth);
                let known = self.entries[pc as usize].map(usize::from);
                if known.is_some_and(|known| known < self.ops.len()) {
                    self.emit(Op::Goto { target: pc, cost: 0 });
                    return Some(());
                }
                self.enter_here(pc)?;
            }
            self.pc = pc;
            if !self.instruction(self.code.instructions[pc as usize])? {
                return Some(());
            }
            // An instruction that was translated together with the next has moved on by itself.
            pc = self.pc + 1;
        }
    }

    /// Makes the lane enterable at an instruction, if it is not already, elsewhere.
    pub(super) fn enter_here(&mut self, pc: u16) -> Option<()> {
        let here = u16::try_from(self.ops.len()).ok()?;
        self.entries[pc as usize].get_or_insert(here);
        self.uncounted = pc;
        self.fresh = false;
        Some(())
    }

    /// Appends an operation, together with the way out before it.
    pub(super) fn emit(&mut self, op: Op) {
        let strays = self.stack.strays();
        let start = self.moves.len() as u32;
        self.moves.extend(strays);
        self.exits.push(Exit {
            pc: self.pc,
            depth: self.stack.depth(),
            done: self.pc - self.uncounted,
            moves: (start, self.moves.len() as u32),
        });
        self.ops.push(op);
        self.is_unresolved.push(false);
        self.fresh = true;
    }

    /// Counts what was executed up to the current instruction, this one left out.
    fn count(&mut self) {
        let cost = self.pc - self.uncounted;
        if cost > 0 {
            self.emit(Op::Count { cost });
            self.uncounted = self.pc;
        }
    }

    /// How many instructions there are to count, the current one included.
    pub(super) fn cost(&self) -> u16 {
        self.pc + 1 - self.uncounted
    }

    /// Puts entries into their own slots, before a jump or a call. The topmost `operands` may stay
    /// elsewhere if nothing is moved over them.
    pub(super) fn settle(&mut self, operands: usize) {
        let kept = self.stack.entries.len() - operands;
        let own =
            |stack: &Stack, entry: usize| stack.entries[entry] == Source::Slot(stack.own(entry));
        if (0..kept).all(|entry| own(&self.stack, entry)) {
            return;
        }
        self.materialize();
    }

    /// Puts all entries into their own slots.
    pub(super) fn materialize(&mut self) {
        let spare = self.code.max_locals + self.code.max_stack;
        for (to, source) in ordered(self.stack.strays(), spare) {
            // None of these ever leaves the lane, so nobody sees a half-moved stack.
            let op = match source {
                Source::Slot(from) => Op::Move { to, from },
                Source::Int(value) => Op::Int { to, value },
                Source::Constant(index) => Op::Constant { to, index },
            };
            self.emit(op);
        }
        for entry in 0..self.stack.entries.len() {
            self.stack.entries[entry] = Source::Slot(self.stack.own(entry));
        }
        self.fresh = false;
    }

    /// Makes sure that no entry relies on a slot that is about to be written.
    pub(super) fn release(&mut self, slot: Slot) {
        if self.stack.uses(slot) {
            self.materialize();
        }
    }

    fn finish(mut self, result: Option<ValueType>) -> Option<Prepared<'p>> {
        let mut jumps = Vec::with_capacity(self.ops.len());
        for (op, exit) in self.ops.iter_mut().zip(&self.exits) {
            jumps.push(jump(op, exit));
            if let Some(target) = op.target_mut() {
                *target = self.entries[*target as usize]?;
            }
        }
        // Operations are numbered in sixteen bits.
        u16::try_from(self.ops.len()).ok()?;
        let seen = self.ops.iter().map(|_| Cell::new(0)).collect();
        Some(Prepared {
            code: self.code,
            ops: self.ops.into(),
            exits: self.exits.into(),
            moves: self.moves.into(),
            jumps: jumps.into(),
            entries: self.entries.into(),
            constants: self.constants.into(),
            fields: self.fields.into(),
            classes: self.classes.into(),
            calls: self.calls.into(),
            result,
            is_small: result.is_some_and(is_small),
            is_recorded: self.machine.records(self.method),
            is_target: self.machine.is_target(self.machine.program.method(self.method).class),
            seen,
            unresolved: Cell::new(0),
            is_unresolved: self.is_unresolved.into(),
        })
    }
}

/// The instruction that jumps, and where it leads. Falling into a block that was translated earlier
/// is none of the program's jumps; it leads on.
fn jump(op: &mut Op, exit: &Exit) -> (u16, u16) {
    match *op {
        Op::Goto { cost: 0, .. } => return (0, 1),
        Op::IfCompared { target, .. } => return (exit.pc + 1, target),
        _ => {}
    }
    (exit.pc, op.target_mut().map_or(exit.pc + 1, |target| *target))
}

/// Whether values of a type lose bits.
pub(super) const fn is_small(value: ValueType) -> bool {
    matches!(
        value,
        ValueType::Primitive(
            Primitive::Boolean | Primitive::Byte | Primitive::Char | Primitive::Short
        )
    )
}
