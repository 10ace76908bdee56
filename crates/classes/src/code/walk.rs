//! The walk along every path through a method, whatever is looked for on it.
//!
//! What is known is kept where blocks begin. Where paths meet, a [`Walker`] says what they have in
//! common, and a block is gone through again until nothing changes. Handlers are reached from every
//! instruction that they cover, with the local variables as they are before it.
//!
//! The work is bounded: code that would take longer than any compiler's output does is refused.

use super::instruction::Instruction;
use super::{Code, Defect, Handler};

/// Cells looked at and instructions visited, at most. No method of the JDK needs a tenth of it.
pub(super) const MOST_WORK: u64 = 10_000_000;

/// When an instruction has changed local variables for handlers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Changed {
    /// Not at all.
    No,
    /// For what is thrown after it.
    After,
    /// For what it throws itself, too.
    Already,
}

/// Where control goes from `jsr` and `ret`.
pub(super) struct Calls<S> {
    /// Instructions, each with what is known there then.
    pub(super) to: Vec<(u16, S)>,
    /// Blocks that have to be gone through again.
    pub(super) again: Vec<u16>,
    /// Whether the next instruction is also reached, with what is known here.
    pub(super) falls_through: bool,
}

/// What is looked for on the way.
pub(super) trait Walker {
    /// What is known at an instruction.
    type State: Clone;
    /// Why the walk ends early.
    type Fault: From<Defect>;

    /// What an instruction does to what is known, jumps left out.
    fn step(&mut self, at: usize, state: &mut Self::State) -> Result<(), Self::Fault>;

    /// Whether an instruction changes what handlers see.
    fn changes(&self, instruction: Instruction) -> Changed;

    /// A path reaches an instruction where something is known already: whether less is known now.
    fn meet(
        &mut self,
        at: usize,
        to: u16,
        known: &mut Self::State,
        new: &Self::State,
    ) -> Result<bool, Self::Fault>;

    /// What is known where a handler begins, if an instruction throws before or `after` it has done
    /// what it does.
    fn caught(
        &mut self,
        at: usize,
        handler: &Handler,
        state: &Self::State,
        after: bool,
    ) -> Result<Self::State, Self::Fault>;

    /// Where `jsr` and `ret` lead.
    fn call(
        &mut self,
        at: usize,
        block: u16,
        state: &mut Self::State,
    ) -> Result<Calls<Self::State>, Self::Fault>;

    /// How many cells a state has.
    fn size(state: &Self::State) -> usize;
}

struct Walk<'a, W: Walker> {
    code: &'a Code,
    walker: &'a mut W,
    /// What is known at the beginning of each block that was reached.
    entries: Vec<Option<W::State>>,
    /// Where blocks begin: targets, handlers, and the bounds of what handlers cover.
    leads: Vec<bool>,
    waiting: Vec<u16>,
    work: u64,
    /// The instruction that is looked at.
    index: usize,
}

/// Goes along every path that begins with what is known at the start.
pub(super) fn walk<W: Walker>(
    code: &Code,
    walker: &mut W,
    start: &W::State,
) -> Result<(), W::Fault> {
    let entries = vec![None; code.instructions.len()];
    let (leads, waiting) = (leads(code), Vec::new());
    let mut walk = Walk { code, walker, entries, leads, waiting, work: 0, index: 0 };
    walk.join(0, start)?;
    while let Some(block) = walk.waiting.pop() {
        walk.block(block)?;
    }
    Ok(())
}

fn leads(code: &Code) -> Vec<bool> {
    let mut leads = vec![false; code.instructions.len() + 1];
    for (index, instruction) in code.instructions.iter().enumerate() {
        if let Some(target) = instruction.target() {
            leads[target as usize] = true;
        }
        if matches!(instruction, Instruction::Jsr(_)) {
            leads[index + 1] = true;
        }
    }
    for switch in code.switches() {
        let targets = switch.cases().map(|(_, target)| target);
        targets.chain([switch.default()]).for_each(|target| leads[target as usize] = true);
    }
    for handler in &code.handlers {
        for place in [handler.start, handler.end, handler.target] {
            leads[place as usize] = true;
        }
    }
    leads
}

impl<W: Walker> Walk<'_, W> {
    fn defect(&self, what: impl Into<String>) -> W::Fault {
        Defect::new(self.code.offsets[self.index], what).into()
    }

    fn spend(&mut self, work: usize) -> Result<(), W::Fault> {
        self.work += work as u64 + 1;
        if self.work > MOST_WORK {
            return Err(self.defect("too entangled to be checked in reasonable time"));
        }
        Ok(())
    }

    /// A path reaches the beginning of a block.
    fn join(&mut self, block: u16, state: &W::State) -> Result<(), W::Fault> {
        self.spend(W::size(state))?;
        let Some(known) = &mut self.entries[block as usize] else {
            self.entries[block as usize] = Some(state.clone());
            self.waiting.push(block);
            return Ok(());
        };
        if self.walker.meet(self.index, block, known, state)? {
            self.waiting.push(block);
        }
        Ok(())
    }

    /// Follows one path to the end of its block.
    fn block(&mut self, block: u16) -> Result<(), W::Fault> {
        self.index = block as usize;
        let Some(mut state) = self.entries[self.index].clone() else { return Ok(()) };
        let code = self.code;
        self.spend(code.handlers.len())?;
        let covers = |start: u16, end: u16| (start..end).contains(&block);
        let handlers = code.handlers.iter().filter(|handler| covers(handler.start, handler.end));
        let handlers: Vec<&Handler> = handlers.collect();
        let mut changed = true;
        loop {
            self.spend(0)?;
            if changed {
                self.reach(&handlers, &state, false)?;
            }
            let instruction = code.instructions[self.index];
            self.walker.step(self.index, &mut state)?;
            let effect = self.walker.changes(instruction);
            if effect == Changed::Already {
                self.reach(&handlers, &state, true)?;
            }
            changed = effect == Changed::After;
            if !self.branches(block, instruction, &mut state)? {
                return Ok(());
            }
            if self.index + 1 == code.instructions.len() {
                return Err(self.defect("control falls off the end of the code"));
            }
            if self.leads[self.index + 1] {
                return self.join(self.index as u16 + 1, &state);
            }
            self.index += 1;
        }
    }

    fn reach(
        &mut self,
        handlers: &[&Handler],
        state: &W::State,
        after: bool,
    ) -> Result<(), W::Fault> {
        for handler in handlers {
            let thrown = self.walker.caught(self.index, handler, state, after)?;
            self.join(handler.target, &thrown)?;
        }
        Ok(())
    }

    /// Follows jumps, and says whether the next instruction is reached as well.
    fn branches(
        &mut self,
        block: u16,
        instruction: Instruction,
        state: &mut W::State,
    ) -> Result<bool, W::Fault> {
        match instruction {
            Instruction::Jsr(_) | Instruction::Ret(_) => {
                let calls = self.walker.call(self.index, block, state)?;
                for (target, state) in calls.to {
                    if usize::from(target) == self.code.instructions.len() {
                        return Err(self.defect("control falls off the end of the code"));
                    }
                    self.join(target, &state)?;
                }
                self.waiting.extend(calls.again);
                return Ok(calls.falls_through);
            }
            Instruction::Switch(id) => {
                let code = self.code;
                let switch = code.switch(id);
                for (_, target) in switch.cases() {
                    self.join(target, state)?;
                }
                self.join(switch.default(), state)?;
            }
            _ => {
                if let Some(target) = instruction.target() {
                    self.join(target, state)?;
                }
            }
        }
        Ok(instruction.falls_through())
    }
}
