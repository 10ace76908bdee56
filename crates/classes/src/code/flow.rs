//! Every path through a method, by the kinds of values: checks the code and settles its stack moves.
//!
//! A path knows the kind of each entry of the operand stack and of each local variable. Where paths
//! meet, stacks must be the same (JVMS 4.10.2.2), and a local variable that differs can no longer
//! be used. Whether `dup2` moves one `long` or two `int`s follows from the stack, and is the same
//! on every path. Classes are not tracked: that is for `verify`, of classes that are not trusted.

use super::decode::Method;
use super::instruction::{BinaryOp, Instruction};
use super::stacks::{Cell, EMPTY, StackId, Stacks};
use super::walk::{Calls, Changed, Walker, walk};
use super::{Code, Defect, Handler};
use crate::descriptor::{Kind, MethodType, ValueType};
use rustc_hash::FxHashMap;

#[derive(Clone)]
struct State {
    stack: StackId,
    locals: Box<[Cell]>,
}

struct Flow<'a> {
    method: &'a Method<'a>,
    code: &'a Code,
    /// The kinds of loads and stores.
    kinds: &'a [Kind],
    /// The instructions as they will be; what is not reached stays as it is here.
    settled: Vec<Instruction>,
    stacks: Stacks,
    /// The stacks that subroutines are entered with, by their first instruction.
    entered: FxHashMap<u16, StackId>,
    /// Code with subroutines, where local variables are not tracked through calls.
    has_subroutines: bool,
    /// The instruction that is looked at.
    index: usize,
    highest: u32,
}

/// Checks the code and puts its final instructions in place.
pub(super) fn settle(code: &mut Code, kinds: &[Kind], method: &Method<'_>) -> Result<(), Defect> {
    let mut flow = Flow::new(code, kinds, method);
    let start = flow.start()?;
    walk(code, &mut flow, &start)?;
    let (settled, highest) = (flow.settled, flow.highest);
    code.instructions = settled.into();
    code.max_stack = highest as u16;
    Ok(())
}

impl Walker for Flow<'_> {
    type State = State;
    type Fault = Defect;

    fn step(&mut self, at: usize, state: &mut State) -> Result<(), Defect> {
        self.index = at;
        self.settled[at] = self.settled(self.code.instructions[at], state)?;
        Ok(())
    }

    fn changes(&self, instruction: Instruction) -> Changed {
        if matches!(instruction, Instruction::Store(_)) { Changed::After } else { Changed::No }
    }

    fn meet(&mut self, at: usize, to: u16, known: &mut State, new: &State) -> Result<bool, Defect> {
        self.index = at;
        if known.stack != new.stack {
            let to = self.code.offsets[to as usize];
            return Err(self.defect(format!("operand stacks differ on two ways to {to}")));
        }
        let mut changed = false;
        for (old, new) in known.locals.iter_mut().zip(&new.locals) {
            if old != new && *old != Cell::Unset {
                *old = Cell::Unset;
                changed = true;
            }
        }
        Ok(changed)
    }

    fn caught(&mut self, at: usize, _: &Handler, state: &State, _: bool) -> Result<State, Defect> {
        self.index = at;
        let mut thrown = State { stack: EMPTY, locals: state.locals.clone() };
        self.push(&mut thrown, Cell::Value(Kind::Reference))?;
        Ok(thrown)
    }

    fn call(&mut self, at: usize, _: u16, state: &mut State) -> Result<Calls<State>, Defect> {
        self.index = at;
        let mut to = Vec::new();
        let jsr = self.code.instructions[at];
        if let Instruction::Jsr(target) = jsr {
            let mut called = state.clone();
            self.push(&mut called, Cell::Return(target))?;
            self.entered.entry(target).or_insert(called.stack);
            to.push((target, called));
            // What the subroutine stores is not followed back here.
            for cell in &mut state.locals {
                if !matches!(cell, Cell::Return(_)) {
                    *cell = Cell::Unset;
                }
            }
        }
        Ok(Calls { to, again: Vec::new(), falls_through: jsr.falls_through() })
    }

    fn size(state: &State) -> usize {
        state.locals.len()
    }
}

impl<'a> Flow<'a> {
    fn new(code: &'a Code, kinds: &'a [Kind], method: &'a Method<'a>) -> Self {
        Self {
            method,
            code,
            kinds,
            settled: vec![Instruction::Unreachable; code.instructions.len()],
            stacks: Stacks::new(),
            entered: FxHashMap::default(),
            has_subroutines: code.instructions.iter().any(|i| matches!(i, Instruction::Jsr(_))),
            index: 0,
            highest: 0,
        }
    }

    fn defect(&self, what: impl Into<String>) -> Defect {
        Defect::new(self.code.offsets[self.index], what)
    }

    /// What the arguments are when the method is entered.
    fn start(&self) -> Result<State, Defect> {
        let receiver = (!self.method.is_static).then_some(Kind::Reference);
        let parameters = self.method.signature.parameters.iter().map(|value| value.kind());
        let arguments: Vec<Kind> = receiver.into_iter().chain(parameters).collect();
        let needed: u16 = arguments.iter().map(|kind| kind.slots()).sum();
        if needed > self.code.max_locals {
            return Err(self.defect("there are fewer local variables than arguments"));
        }
        let mut locals = vec![Cell::Unset; self.highest_local(needed)];
        let mut slot = 0;
        for kind in arguments {
            locals[slot] = Cell::Value(kind);
            slot += kind.slots() as usize;
        }
        Ok(State { stack: EMPTY, locals: locals.into() })
    }

    /// One more than the highest local variable that is ever used.
    fn highest_local(&self, arguments: u16) -> usize {
        let used = |(index, instruction): (usize, &Instruction)| match *instruction {
            Instruction::Load(slot) | Instruction::Store(slot) => {
                usize::from(slot) + usize::from(self.kinds[index].slots())
            }
            Instruction::Increment { slot, .. } | Instruction::Ret(slot) => usize::from(slot) + 1,
            _ => 0,
        };
        let highest = self.code.instructions.iter().enumerate().map(used).max().unwrap_or(0);
        highest.min(self.code.max_locals.into()).max(arguments.into())
    }

    fn push(&mut self, state: &mut State, cell: Cell) -> Result<(), Defect> {
        state.stack = self.stacks.push(state.stack, cell);
        if self.stacks.slots(state.stack) > self.code.max_stack.into() {
            return Err(self.defect("the operand stack gets higher than declared"));
        }
        self.highest = self.highest.max(self.stacks.entries(state.stack));
        Ok(())
    }

    fn push_value(&mut self, state: &mut State, kind: Kind) -> Result<(), Defect> {
        self.push(state, Cell::Value(kind))
    }

    fn pop(&self, state: &mut State) -> Result<Cell, Defect> {
        let (top, below) = self
            .stacks
            .pop(state.stack)
            .ok_or_else(|| self.defect("the operand stack is empty"))?;
        state.stack = below;
        Ok(top)
    }

    fn take(&self, state: &mut State, kind: Kind) -> Result<(), Defect> {
        let top = self.pop(state)?;
        if top == Cell::Value(kind) {
            return Ok(());
        }
        Err(self.defect(format!("{kind:?} expected on the operand stack, {top:?} is there")))
    }

    fn take_all(&self, state: &mut State, kinds: &[Kind]) -> Result<(), Defect> {
        kinds.iter().rev().try_for_each(|&kind| self.take(state, kind))
    }

    fn slot(&self, slot: u16, kind: Kind) -> Result<usize, Defect> {
        if u32::from(slot) + u32::from(kind.slots()) > u32::from(self.code.max_locals) {
            return Err(self.defect(format!("there is no local variable {slot}")));
        }
        Ok(slot.into())
    }

    fn load(&self, state: &State, slot: u16, kind: Kind) -> Result<(), Defect> {
        let cell = state.locals[self.slot(slot, kind)?];
        let untracked = self.has_subroutines && cell == Cell::Unset;
        if cell == Cell::Value(kind) || untracked {
            return Ok(());
        }
        Err(self.defect(format!("{kind:?} expected in local variable {slot}, {cell:?} is there")))
    }

    fn store(&self, state: &mut State, slot: u16, kind: Kind) -> Result<(), Defect> {
        let value = self.pop(state)?;
        let address = kind == Kind::Reference && matches!(value, Cell::Return(_));
        if value != Cell::Value(kind) && !address {
            return Err(self.defect(format!("{kind:?} expected to store, {value:?} is there")));
        }
        let slot = self.slot(slot, kind)?;
        // A new value ends an old one of two slots that it overlaps.
        if slot > 0 && state.locals[slot - 1].is_wide() {
            state.locals[slot - 1] = Cell::Unset;
        }
        state.locals[slot] = value;
        if kind.slots() == 2 {
            state.locals[slot + 1] = Cell::Unset;
        }
        Ok(())
    }

    fn invoke(
        &mut self,
        state: &mut State,
        signature: &MethodType,
        has_receiver: bool,
    ) -> Result<(), Defect> {
        for parameter in signature.parameters.iter().rev() {
            self.take(state, parameter.kind())?;
        }
        if has_receiver {
            self.take(state, Kind::Reference)?;
        }
        signature.result.map_or(Ok(()), |result| self.push_value(state, result.kind()))
    }

    /// What an instruction does to the state, jumps left out, and its canonical form.
    #[allow(clippy::too_many_lines, reason = "one arm for each instruction, and no logic in them")]
    fn settled(
        &mut self,
        instruction: Instruction,
        state: &mut State,
    ) -> Result<Instruction, Defect> {
        use Instruction as I;
        use Kind::{Double, Float, Int, Long, Reference};
        let pool = self.method.pool;
        match instruction {
            I::Nop | I::Unreachable | I::Goto(_) | I::Jsr(_) => {}
            I::Null | I::New(_) => self.push_value(state, Reference)?,
            I::Int(_) => self.push_value(state, Int)?,
            I::Long(_) => self.push_value(state, Long)?,
            I::Float(_) => self.push_value(state, Float)?,
            I::Double(_) => self.push_value(state, Double)?,
            I::Constant(id) => {
                self.push_value(state, pool.constant_kind(id).unwrap_or(Reference))?;
            }
            I::Load(slot) => {
                let kind = self.kinds[self.index];
                self.load(state, slot, kind)?;
                self.push_value(state, kind)?;
            }
            I::Store(slot) => self.store(state, slot, self.kinds[self.index])?,
            I::Increment { slot, .. } => self.load(state, slot, Int)?,
            I::Pop
            | I::Pop2
            | I::Dup
            | I::DupX1
            | I::DupX2
            | I::Dup2
            | I::Dup2X1
            | I::Dup2X2
            | I::Swap => return self.shuffle(instruction, state),
            I::Binary(kind, op) => {
                let shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Ushr);
                let second = if shift { Int } else { kind.kind() };
                self.take_all(state, &[kind.kind(), second])?;
                self.push_value(state, kind.kind())?;
            }
            I::Negate(kind) => {
                self.take(state, kind.kind())?;
                self.push_value(state, kind.kind())?;
            }
            I::Convert(from, to) => {
                self.take(state, from.kind())?;
                self.push_value(state, to.kind())?;
            }
            I::Narrow(_) => {
                self.take(state, Int)?;
                self.push_value(state, Int)?;
            }
            I::Compare(comparison) => {
                self.take_all(state, &[comparison.operand(); 2])?;
                self.push_value(state, Int)?;
            }
            I::If(..) | I::Switch(_) => self.take(state, Int)?,
            I::IfInts(..) => self.take_all(state, &[Int, Int])?,
            I::IfSame(_) | I::IfDifferent(_) => self.take_all(state, &[Reference, Reference])?,
            I::IfNull(_) | I::IfNonNull(_) | I::Throw | I::MonitorEnter | I::MonitorExit => {
                self.take(state, Reference)?;
            }
            I::Ret(slot) => self.ret(state, slot)?,
            I::ArrayLoad(element) => {
                self.take_all(state, &[Reference, Int])?;
                self.push_value(state, element.kind())?;
            }
            I::ArrayStore(element) => self.take_all(state, &[Reference, Int, element.kind()])?,
            I::ArrayLength | I::InstanceOf(_) => {
                self.take(state, Reference)?;
                self.push_value(state, Int)?;
            }
            I::NewArray(_) | I::NewReferenceArray(_) => {
                self.take(state, Int)?;
                self.push_value(state, Reference)?;
            }
            I::NewMultiArray(_, dimensions) => {
                for _ in 0..dimensions {
                    self.take(state, Int)?;
                }
                self.push_value(state, Reference)?;
            }
            I::GetStatic(id) => self.push_value(state, pool.field(id).value.kind())?,
            I::PutStatic(id) => self.take(state, pool.field(id).value.kind())?,
            I::GetField(id) => {
                self.take(state, Reference)?;
                self.push_value(state, pool.field(id).value.kind())?;
            }
            I::PutField(id) => self.take_all(state, &[Reference, pool.field(id).value.kind()])?,
            I::CheckCast(_) => {
                self.take(state, Reference)?;
                self.push_value(state, Reference)?;
            }
            I::InvokeStatic(id) => self.invoke(state, &pool.method(id).signature, false)?,
            I::InvokeVirtual(id) | I::InvokeSpecial(id) | I::InvokeInterface(id) => {
                self.invoke(state, &pool.method(id).signature, true)?;
            }
            I::InvokeDynamic(id) => {
                if let Some(signature) = &pool.dynamic(id).signature {
                    self.invoke(state, signature, false)?;
                }
            }
            I::Return => self.returns(None)?,
            I::ReturnValue(kind) => {
                self.take(state, kind)?;
                self.returns(Some(kind))?;
            }
        }
        Ok(instruction)
    }

    fn returns(&self, kind: Option<Kind>) -> Result<(), Defect> {
        if self.method.signature.result.map(ValueType::kind) == kind {
            return Ok(());
        }
        Err(self.defect("what is returned is not what the method declares"))
    }

    /// A subroutine must leave the stack as it was called with, its return address taken off.
    fn ret(&self, state: &State, slot: u16) -> Result<(), Defect> {
        let Cell::Return(entry) = state.locals[self.slot(slot, Kind::Reference)?] else {
            return Err(self.defect(format!("local variable {slot} holds no return address")));
        };
        let called = self.entered.get(&entry).copied();
        let below = called.and_then(|stack| self.stacks.pop(stack)).map(|(_, below)| below);
        if below == Some(state.stack) {
            return Ok(());
        }
        Err(self.defect("a subroutine does not leave the operand stack as it was"))
    }

    /// The moves on the operand stack (JVMS 6.5, `dup` to `swap`). The class file counts slots; how
    /// many entries those are is seen here.
    fn shuffle(&mut self, moved: Instruction, state: &mut State) -> Result<Instruction, Defect> {
        use Instruction as I;
        let (slots, beneath) = match moved {
            I::Pop => return self.pop_slots(state, 1).map(|_| I::Pop),
            I::Pop2 => {
                let dropped = self.pop_slots(state, 2)?;
                return Ok(if dropped.len() == 1 { I::Pop } else { I::Pop2 });
            }
            I::Swap => {
                let top = self.pop_slots(state, 1)?;
                let below = self.pop_slots(state, 1)?;
                self.push_all(state, &top)?;
                self.push_all(state, &below)?;
                return Ok(I::Swap);
            }
            I::DupX1 => (1, 1),
            I::DupX2 => (1, 2),
            I::Dup2 => (2, 0),
            I::Dup2X1 => (2, 1),
            I::Dup2X2 => (2, 2),
            _ => (1, 0),
        };
        let copied = self.pop_slots(state, slots)?;
        let skipped = self.pop_slots(state, beneath)?;
        self.push_all(state, &copied)?;
        self.push_all(state, &skipped)?;
        self.push_all(state, &copied)?;
        Ok(match (copied.len(), skipped.len()) {
            (1, 0) => I::Dup,
            (1, 1) => I::DupX1,
            (1, _) => I::DupX2,
            (_, 0) => I::Dup2,
            (_, 1) => I::Dup2X1,
            _ => I::Dup2X2,
        })
    }

    /// The entries that take this many slots, top last.
    fn pop_slots(&self, state: &mut State, slots: u16) -> Result<Vec<Cell>, Defect> {
        let mut popped = Vec::new();
        let mut left = slots;
        while left > 0 {
            let cell = self.pop(state)?;
            left = left
                .checked_sub(cell.slots())
                .ok_or_else(|| self.defect("half of a long or double is moved"))?;
            popped.push(cell);
        }
        popped.reverse();
        Ok(popped)
    }

    fn push_all(&mut self, state: &mut State, cells: &[Cell]) -> Result<(), Defect> {
        cells.iter().try_for_each(|&cell| self.push(state, cell))
    }
}
