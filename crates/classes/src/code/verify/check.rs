//! Verification by type checking (JVMS 4.10.1): one pass over the instructions in order.
//!
//! Where the class file has a frame, that is what is known from there on, and whoever comes there
//! must fit it. Code that nothing falls into begins with a frame, so that dead code is checked too.

use super::frame::{Frame, Type, local};
use super::maps::{Known, Maps};
use super::{Body, Judge, Trouble};
use crate::code::instruction::Instruction;
use crate::code::{Code, Handler};

pub(super) fn run(judge: &mut Judge<'_>, body: &Body<'_>, start: Frame) -> Result<(), Trouble> {
    let maps = Maps::read(judge, body.maps, &start)?;
    let code = judge.code;
    let mut frame = start;
    let mut falls_in = true;
    let mut cover = Cover::new(code);
    for (index, &instruction) in code.instructions.iter().enumerate() {
        judge.at = index;
        judge.spend(0)?;
        match maps.at(index as u16) {
            Some(known) => {
                if falls_in {
                    judge.check_fit(&frame, known, code.offsets[index])?;
                }
                frame.locals.clear();
                frame.locals.extend_from_slice(&known.locals);
                frame.stack.clone_from(&known.stack);
                frame.unset_this = known.unset_this;
                cover.is_checked = false;
            }
            None if falls_in => {}
            None => return judge.wrong("nothing leads here, and there is no frame of a stack map"),
        }
        cover.go_to(index as u16);
        // What is thrown is thrown before a variable is set. A constructor may throw before and
        // after the object counts as made.
        judge.check_handlers(&maps, &mut cover, &frame.locals, frame.unset_this)?;
        let was_unset = frame.unset_this;
        judge.step(instruction, &mut frame)?;
        if judge.is_construction(instruction) {
            cover.is_checked = false;
            judge.check_handlers(&maps, &mut cover, &frame.locals, was_unset)?;
            cover.is_checked = was_unset == frame.unset_this;
        } else if matches!(instruction, Instruction::Store(_)) {
            cover.is_checked = false;
        }
        judge.check_targets(&maps, instruction, &frame)?;
        falls_in = instruction.falls_through();
    }
    if falls_in {
        return judge.wrong("control falls off the end of the code");
    }
    Ok(())
}

/// The handlers of the instruction that is looked at.
struct Cover<'a> {
    code: &'a Code,
    /// Where handlers begin or cease to cover code, the last first.
    bounds: Vec<u16>,
    handlers: Vec<Handler>,
    /// Whether they fit what is known of the local variables.
    is_checked: bool,
}

impl<'a> Cover<'a> {
    fn new(code: &'a Code) -> Self {
        let mut bounds: Vec<u16> = code.handlers.iter().flat_map(|h| [h.start, h.end]).collect();
        bounds.sort_unstable_by(|a, b| b.cmp(a));
        Self { code, bounds, handlers: Vec::new(), is_checked: false }
    }

    fn go_to(&mut self, index: u16) {
        if self.bounds.pop_if(|bound| *bound <= index).is_none() {
            return;
        }
        while self.bounds.pop_if(|bound| *bound <= index).is_some() {}
        let covering = self.code.handlers.iter().filter(|h| (h.start..h.end).contains(&index));
        self.handlers = covering.copied().collect();
        self.is_checked = false;
    }
}

impl Judge<'_> {
    /// Every place that an instruction jumps to has a frame that fits.
    fn check_targets(
        &self,
        maps: &Maps,
        instruction: Instruction,
        frame: &Frame,
    ) -> Result<(), Trouble> {
        if let Instruction::Switch(id) = instruction {
            let switch = self.code.switch(id);
            let targets = switch.cases().map(|(_, target)| target).chain([switch.default()]);
            return targets
                .into_iter()
                .try_for_each(|target| self.check_target(maps, target, frame));
        }
        match instruction {
            Instruction::Jsr(_) | Instruction::Ret(_) => {
                self.wrong("there are no subroutines in code with stack maps")
            }
            _ => {
                instruction.target().map_or(Ok(()), |target| self.check_target(maps, target, frame))
            }
        }
    }

    fn check_target(&self, maps: &Maps, target: u16, frame: &Frame) -> Result<(), Trouble> {
        let offset = self.code.offsets[usize::from(target)];
        match maps.at(target) {
            Some(known) => self.check_fit(frame, known, offset),
            None => self.wrong(format!("there is no frame of a stack map at {offset}")),
        }
    }

    /// Every handler of the instruction has a frame that fits what is known when something is thrown.
    fn check_handlers(
        &self,
        maps: &Maps,
        cover: &mut Cover<'_>,
        locals: &[Type],
        unset: bool,
    ) -> Result<(), Trouble> {
        if cover.is_checked {
            return Ok(());
        }
        for handler in &cover.handlers {
            if self.code.max_stack == 0 {
                return self.wrong("there is no room for what is thrown");
            }
            self.check_target(maps, handler.target, &self.caught(handler, locals, unset))?;
        }
        cover.is_checked = true;
        Ok(())
    }

    fn check_fit(&self, found: &Frame, known: &Known, to: u16) -> Result<(), Trouble> {
        if found.stack.len() != known.stack.len() {
            return self
                .wrong(format!("the operand stack is not as high as the frame at {to} says"));
        }
        self.spend(known.locals.len() + known.stack.len())?;
        let locals = known
            .locals
            .iter()
            .enumerate()
            .map(|(slot, known)| (local(&found.locals, slot), known));
        let stack = found.stack.iter().copied().zip(&known.stack);
        for (found, &known) in locals.chain(stack) {
            if !self.fits(found, known)? {
                let (found, known) = (self.spell(found), self.spell(known));
                return self.wrong(format!("the frame at {to} says {known}, {found} is there"));
            }
        }
        if found.unset_this && !known.unset_this {
            return self.wrong(format!("the frame at {to} takes this for an object that is made"));
        }
        Ok(())
    }
}
