//! Loops of a body: which conditions end them, and what those look at.
//!
//! The bound on loops counts iterations that read inputs for the loop's condition ([Kiasan] section
//! 3.4; why not all is said in `docs/soundness.md`). A loop's conditions are the branches that can
//! leave its natural loop. What such a branch compares is read off the instructions before it, as far
//! as they are plain: local variables, constants, arithmetic, lengths. Anything else is *opaque*.

use crate::machine::Machine;
use dalang_classes::code::{Code, Instruction};
use dalang_classes::{ClassId, MethodId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A branch that can end a loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Exit {
    /// The local variables that it compares, directly or by arithmetic.
    pub(crate) locals: Vec<u16>,
    /// Whether it depends on more: what a call gives, what is in the heap.
    pub(crate) opaque: bool,
}

/// The exits of loops that were met, by method and first instruction.
#[derive(Default)]
pub(crate) struct Loops(FxHashMap<(MethodId, u16), Rc<[Exit]>>);

impl Machine<'_> {
    /// The branches that can end the loop that begins at an instruction.
    pub(crate) fn exits(&mut self, method: MethodId, code: &Code, header: u16) -> Rc<[Exit]> {
        if let Some(known) = self.loops.0.get(&(method, header)) {
            return Rc::clone(known);
        }
        let class = self.program.method(method).class;
        let exits: Rc<[Exit]> = self.find_exits(class, code, header).into();
        self.loops.0.insert((method, header), Rc::clone(&exits));
        exits
    }

    fn find_exits(&self, class: ClassId, code: &Code, header: u16) -> Vec<Exit> {
        let body = body(code, header);
        let targets = targets(code);
        let mut exits = Vec::new();
        for (pc, _) in body.iter().enumerate().filter(|(_, inside)| **inside) {
            let operands = match code.instructions[pc] {
                Instruction::If(..)
                | Instruction::IfNull(_)
                | Instruction::IfNonNull(_)
                | Instruction::Switch(_) => 1,
                Instruction::IfInts(..) | Instruction::IfSame(_) | Instruction::IfDifferent(_) => 2,
                _ => continue,
            };
            let mut leaves = false;
            each_next(code, pc as u16, |next| leaves |= !body[usize::from(next)]);
            if leaves {
                exits.push(self.condition_at(class, code, &targets, pc, operands));
            }
        }
        exits
    }

    /// What the branch at an instruction compares: the instructions before it that push its operands.
    fn condition_at(
        &self,
        class: ClassId,
        code: &Code,
        targets: &[bool],
        branch: usize,
        operands: usize,
    ) -> Exit {
        let mut exit = Exit::default();
        let (mut needed, mut pc) = (operands, branch);
        while needed > 0 {
            // What comes together from several ways is more than can be read off here.
            if pc == 0 || targets[pc] {
                exit.opaque = true;
                break;
            }
            pc -= 1;
            let taken = match code.instructions[pc] {
                Instruction::Null
                | Instruction::Int(_)
                | Instruction::Long(_)
                | Instruction::Float(_)
                | Instruction::Double(_)
                | Instruction::Constant(_) => 0,
                Instruction::Load(slot) => {
                    exit.locals.push(slot);
                    0
                }
                Instruction::GetStatic(id) => {
                    let field = self.program.resolve_field(class, id);
                    exit.opaque |=
                        !field.is_ok_and(|field| self.program.field(field).flags.is_final());
                    0
                }
                Instruction::GetField(_) => {
                    exit.opaque = true;
                    1
                }
                Instruction::Negate(_)
                | Instruction::Convert(..)
                | Instruction::Narrow(_)
                | Instruction::ArrayLength
                | Instruction::CheckCast(_)
                | Instruction::InstanceOf(_) => 1,
                Instruction::Binary(..) | Instruction::Compare(_) => 2,
                Instruction::Store(slot) => {
                    // `(a = next()) != null`
                    exit.locals.push(slot);
                    exit.opaque = true;
                    break;
                }
                _ => {
                    exit.opaque = true;
                    break;
                }
            };
            needed = needed - 1 + taken;
        }
        exit.locals.sort_unstable();
        exit.locals.dedup();
        exit
    }
}

/// Where control can go from an instruction, exceptions left out.
fn each_next(code: &Code, pc: u16, mut next: impl FnMut(u16)) {
    let instruction = code.instructions[usize::from(pc)];
    if let Some(target) = instruction.target() {
        next(target);
    }
    if let Instruction::Switch(id) = instruction {
        let switch = code.switch(id);
        switch.cases().for_each(|(_, target)| next(target));
        next(switch.default());
    }
    if instruction.falls_through() && usize::from(pc) + 1 < code.instructions.len() {
        next(pc + 1);
    }
}

/// The instructions that something jumps to.
fn targets(code: &Code) -> Vec<bool> {
    let mut targets = vec![false; code.instructions.len()];
    for pc in 0..code.instructions.len() as u16 {
        each_next(code, pc, |next| {
            if next != pc + 1 || code.instructions[usize::from(pc)].target() == Some(next) {
                targets[usize::from(next)] = true;
            }
        });
    }
    for handler in &code.handlers {
        targets[usize::from(handler.target)] = true;
    }
    targets
}

/// The natural loop of a header: what can come back to it without leaving, the header included.
fn body(code: &Code, header: u16) -> Vec<bool> {
    let count = code.instructions.len();
    let mut before: Vec<Vec<u16>> = vec![Vec::new(); count];
    for pc in 0..count as u16 {
        each_next(code, pc, |next| before[usize::from(next)].push(pc));
    }
    for handler in &code.handlers {
        before[usize::from(handler.target)].extend(handler.start..handler.end);
    }
    let mut inside = vec![false; count];
    inside[usize::from(header)] = true;
    // A loop closes by a jump back; what comes from further up enters it.
    let mut waiting: Vec<u16> =
        before[usize::from(header)].iter().copied().filter(|&from| from >= header).collect();
    while let Some(pc) = waiting.pop() {
        if !std::mem::replace(&mut inside[usize::from(pc)], true) {
            waiting.extend(&before[usize::from(pc)]);
        }
    }
    inside
}
