//! Verification by type inference (JVMS 4.10.2), for class files without stack maps.
//!
//! Types are followed along every path. Where paths meet, what they have in common is known. Code
//! that no path reaches is not looked at. A subroutine is gone through once for all its callers: for
//! each one that is active it is known which local variables it may have touched, and the others are
//! after the call what they were before.

use super::frame::{Frame, Type, local};
use super::{Judge, Trouble};
use crate::code::instruction::Instruction;
use crate::code::walk::{Calls, Changed, Walker, walk};
use crate::code::{Defect, Handler};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A subroutine that is active.
#[derive(Clone, PartialEq, Eq)]
struct Active {
    /// Its first instruction.
    entry: u16,
    /// The local variables that it may have touched.
    touched: BTreeSet<u16>,
}

#[derive(Clone)]
struct State {
    frame: Frame,
    /// Whether a constructor failed in another constructor on the way here, so that nothing may be
    /// returned.
    must_throw: bool,
    /// The outermost is first.
    active: Vec<Active>,
}

struct Inference<'j, 'a> {
    judge: &'j mut Judge<'a>,
    /// What is known before each `jsr` that was reached.
    calls: FxHashMap<u16, State>,
    /// The one `ret` that comes back to a `jsr`.
    returns: FxHashMap<u16, usize>,
    /// Blocks in which a `ret` was reached.
    returning: BTreeSet<u16>,
    /// Whether the last instruction was the call of another constructor by this one.
    made_this: bool,
}

pub(super) fn run(judge: &mut Judge<'_>, frame: Frame) -> Result<(), Trouble> {
    let code = judge.code;
    check_operands(judge)?;
    let start = State { frame, must_throw: false, active: Vec::new() };
    let mut inference = Inference {
        judge,
        calls: FxHashMap::default(),
        returns: FxHashMap::default(),
        returning: BTreeSet::new(),
        made_this: false,
    };
    walk(code, &mut inference, &start)
}

/// What does not depend on paths is required of code that no path reaches as well.
fn check_operands(judge: &mut Judge<'_>) -> Result<(), Trouble> {
    if judge.code.max_stack == 0 && !judge.code.handlers.is_empty() {
        return judge.wrong("there is no room for what is thrown");
    }
    for handler in &judge.code.handlers {
        if handler.target == 0 {
            let what = "a handler begins where the code does";
            return Err(Defect::new(0_u16, what).of_table().into());
        }
    }
    for (index, &instruction) in judge.code.instructions.iter().enumerate() {
        judge.at = index;
        judge.check_operand(instruction)?;
    }
    Ok(())
}

impl Walker for Inference<'_, '_> {
    type State = State;
    type Fault = Trouble;

    fn step(&mut self, at: usize, state: &mut State) -> Result<(), Trouble> {
        self.judge.at = at;
        let instruction = self.judge.code.instructions[at];
        let returns = matches!(instruction, Instruction::Return | Instruction::ReturnValue(_));
        if returns && state.must_throw {
            return self.judge.wrong("a constructor returns although another one has failed");
        }
        let was_unset = state.frame.unset_this;
        let before = (!state.active.is_empty()).then(|| state.frame.locals.clone());
        self.judge.step(instruction, &mut state.frame)?;
        self.made_this = was_unset && !state.frame.unset_this;
        if let Some(before) = before {
            self.touch(instruction, &before, state);
        }
        Ok(())
    }

    fn changes(&self, instruction: Instruction) -> Changed {
        match instruction {
            Instruction::Store(_) | Instruction::New(_) => Changed::After,
            // With subroutines, loads count as well.
            Instruction::Load(_) | Instruction::Increment { .. } if !self.calls.is_empty() => {
                Changed::After
            }
            _ if self.judge.is_construction(instruction) => Changed::Already,
            _ => Changed::No,
        }
    }

    fn meet(&mut self, at: usize, _: u16, known: &mut State, new: &State) -> Result<bool, Trouble> {
        self.judge.at = at;
        let mut changed = self.meet_stacks(&mut known.frame.stack, &new.frame.stack)?;
        changed |= self.meet_locals(&mut known.frame.locals, &new.frame.locals)?;
        changed |= meet_active(&mut known.active, &new.active);
        let unset_this = known.frame.unset_this | new.frame.unset_this;
        let must_throw = known.must_throw | new.must_throw;
        changed |= (unset_this, must_throw) != (known.frame.unset_this, known.must_throw);
        known.frame.unset_this = unset_this;
        known.must_throw = must_throw;
        Ok(changed)
    }

    fn caught(
        &mut self,
        _: usize,
        handler: &Handler,
        state: &State,
        after: bool,
    ) -> Result<State, Trouble> {
        let frame = self.judge.caught(handler, &state.frame.locals, state.frame.unset_this);
        let must_throw = state.must_throw || after && self.made_this;
        Ok(State { frame, must_throw, active: state.active.clone() })
    }

    fn call(&mut self, at: usize, block: u16, state: &mut State) -> Result<Calls<State>, Trouble> {
        self.judge.at = at;
        match self.judge.code.instructions[at] {
            Instruction::Jsr(entry) => self.jsr(at, entry, state),
            Instruction::Ret(slot) => {
                self.returning.insert(block);
                self.ret(at, slot, state)
            }
            _ => Ok(Calls { to: Vec::new(), again: Vec::new(), falls_through: true }),
        }
    }

    fn size(state: &State) -> usize {
        state.frame.locals.len() + state.frame.stack.len()
    }
}

impl Inference<'_, '_> {
    /// Marks local variables that an instruction uses or changes.
    fn touch(&self, instruction: Instruction, before: &[Type], state: &mut State) {
        let mut touched: Vec<u16> = match instruction {
            Instruction::Load(slot) | Instruction::Store(slot) => {
                (slot..slot + self.judge.kinds[self.judge.at].slots()).collect()
            }
            Instruction::Increment { slot, .. } | Instruction::Ret(slot) => vec![slot],
            _ => Vec::new(),
        };
        let locals = &state.frame.locals;
        let changed = (0..before.len()).filter(|&slot| before[slot] != local(locals, slot));
        touched.extend(changed.map(|slot| slot as u16));
        for active in &mut state.active {
            active.touched.extend(&touched);
        }
    }

    fn jsr(&mut self, at: usize, entry: u16, state: &State) -> Result<Calls<State>, Trouble> {
        if state.active.iter().any(|active| active.entry == entry) {
            return self.judge.wrong("a subroutine calls itself");
        }
        self.calls.insert(at as u16, state.clone());
        let mut called = state.clone();
        without_new(&mut called.frame);
        called.frame.stack.push(Type::Return(entry));
        if called.frame.stack.len() > usize::from(self.judge.code.max_stack) {
            return self.judge.wrong("the operand stack gets higher than declared");
        }
        called.active.push(Active { entry, touched: BTreeSet::new() });
        // What a subroutine gives back to this call depends on what is known here.
        let again = self.returning.iter().copied().collect();
        Ok(Calls { to: vec![(entry, called)], again, falls_through: false })
    }

    fn ret(&mut self, at: usize, slot: u16, state: &State) -> Result<Calls<State>, Trouble> {
        let Type::Return(entry) = local(&state.frame.locals, usize::from(slot)) else {
            return self.judge.wrong("there is no return address");
        };
        let code = self.judge.code;
        let mut to = Vec::new();
        for (index, &caller) in code.instructions.iter().enumerate() {
            if caller != Instruction::Jsr(entry) {
                continue;
            }
            let call = index as u16;
            if *self.returns.entry(call).or_insert(at) != at {
                return self.judge.wrong("two places return from one call of a subroutine");
            }
            let Some(before) = self.calls.get(&call) else { continue };
            let Some(place) = state.active.iter().rposition(|active| active.entry == entry) else {
                return self.judge.wrong("a subroutine returns that was not called");
            };
            let touched = &state.active[place].touched;
            let mut after = state.clone();
            without_new(&mut after.frame);
            let length = before.frame.locals.len().max(after.frame.locals.len());
            after.frame.locals.resize(length, Type::Top);
            for (slot, place) in after.frame.locals.iter_mut().enumerate() {
                if !touched.contains(&(slot as u16)) {
                    *place = local(&before.frame.locals, slot);
                }
            }
            after.active.truncate(place);
            to.push((call + 1, after));
        }
        Ok(Calls { to, again: Vec::new(), falls_through: false })
    }

    /// Whether the stack that is known has to change. It must stay as high as it is.
    fn meet_stacks(&self, known: &mut [Type], new: &[Type]) -> Result<bool, Trouble> {
        if known.len() != new.len() {
            return self.judge.wrong("operand stacks of different heights meet");
        }
        let mut changed = false;
        for (old, &new) in known.iter_mut().zip(new) {
            changed |= self.meet_types(old, new)?;
            if *old == Type::Top && new != Type::Top {
                return self.judge.wrong("operand stacks with different types meet");
            }
        }
        Ok(changed)
    }

    fn meet_locals(&self, known: &mut Vec<Type>, new: &[Type]) -> Result<bool, Trouble> {
        let mut changed = known.len() > new.len();
        known.truncate(new.len());
        for (old, &new) in known.iter_mut().zip(new) {
            changed |= self.meet_types(old, new)?;
        }
        Ok(changed)
    }

    fn meet_types(&self, known: &mut Type, new: Type) -> Result<bool, Trouble> {
        if self.judge.fits(new, *known)? {
            return Ok(false);
        }
        *known = match (*known, new) {
            (Type::Null, Type::Class(_)) => new,
            (Type::Class(known), Type::Class(new)) => {
                Type::Class(self.judge.merged(new, known, false)?)
            }
            _ => Type::Top,
        };
        Ok(true)
    }
}

/// Objects whose constructors were not called do not get into or out of subroutines.
fn without_new(frame: &mut Frame) {
    for place in frame.locals.iter_mut().chain(&mut frame.stack) {
        if matches!(place, Type::New(_)) {
            *place = Type::Top;
        }
    }
}

/// Keeps the subroutines that are active on both ways, in order, with what either has touched.
fn meet_active(known: &mut Vec<Active>, new: &[Active]) -> bool {
    let mut from = 0;
    let mut both = Vec::new();
    for active in &*known {
        if let Some(place) = new[from..].iter().position(|other| other.entry == active.entry) {
            let other = &new[from + place];
            let touched = active.touched.union(&other.touched).copied().collect();
            both.push(Active { entry: active.entry, touched });
            from += place + 1;
        }
    }
    let changed = both != *known;
    *known = both;
    changed
}
