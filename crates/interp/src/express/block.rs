//! Translation of single instructions.

use super::op::{Op, Slot};
use super::prepared::{CallSite, ClassSite, FieldSite, Source};
use super::translate::{Translation, is_small};
use crate::ops::for_nan;
use dalang_classes::code::{BinaryOp, Condition, Instruction, NumericKind};
use dalang_classes::{
    ClassRefId, Constant, ConstantId, FieldRefId, FieldUse, InvokeKind, MethodRefId, MethodType,
    SwitchId,
};
use dalang_heap::Value;
use std::cell::Cell;

impl Translation<'_, '_> {
    /// Translates the current instruction; false if control does not go on behind it, none if the
    /// method cannot be translated.
    #[allow(clippy::too_many_lines, reason = "one flat dispatch, an arm for each instruction")]
    pub(super) fn instruction(&mut self, instruction: Instruction) -> Option<bool> {
        match instruction {
            Instruction::Nop => {}
            Instruction::Null => self.push_constant(Value::NULL)?,
            Instruction::Int(value) => self.stack.entries.push(Source::Int(value)),
            Instruction::Long(value) => self.push_constant(Value::Long(value.into()))?,
            Instruction::Float(value) => self.push_constant(Value::Float(value))?,
            Instruction::Double(value) => self.push_constant(Value::Double(value.into()))?,
            Instruction::Constant(id) => self.constant(id)?,
            Instruction::Load(slot) => self.stack.entries.push(Source::Slot(slot)),
            Instruction::Store(slot) => self.store(slot),
            Instruction::Increment { slot, by } => {
                self.release(slot);
                self.emit(Op::AddIntBy { to: slot, a: slot, by: by.into() });
                self.fresh = false;
            }
            Instruction::Pop => self.stack.truncate(1),
            Instruction::Pop2 => self.stack.truncate(2),
            Instruction::Dup => self.stack.duplicate(1, 0),
            Instruction::DupX1 => self.stack.duplicate(1, 1),
            Instruction::DupX2 => self.stack.duplicate(1, 2),
            Instruction::Dup2 => self.stack.duplicate(2, 0),
            Instruction::Dup2X1 => self.stack.duplicate(2, 1),
            Instruction::Dup2X2 => self.stack.duplicate(2, 2),
            Instruction::Swap => {
                let depth = self.stack.entries.len();
                self.stack.entries.swap(depth - 1, depth - 2);
            }
            Instruction::Binary(kind, op) => self.binary(kind, op),
            Instruction::Negate(_) => self.unary(|to, a| Op::Negate { to, a }),
            Instruction::Convert(_, into) => self.unary(|to, a| Op::Convert { into, to, a }),
            Instruction::Narrow(into) => self.unary(|to, a| Op::Narrow { into, to, a }),
            Instruction::Compare(how) => {
                let nan = for_nan(how) as i8;
                if let Some(go_on) = self.compared_jump(nan) {
                    return Some(go_on);
                }
                self.result(|to, [a, b]| Op::Compare { nan, to, a, b });
            }
            Instruction::ArrayLoad(kind) => {
                self.result(|to, [array, index]| Op::Load { kind, to, array, index });
            }
            Instruction::ArrayStore(kind) => {
                let [array, index, from] = self.operands();
                self.emit(Op::Store { kind, array, index, from });
                self.stack.truncate(3);
            }
            Instruction::ArrayLength => self.unary(|to, array| Op::Length { to, array }),
            Instruction::GetField(id) => match self.field(id, FieldUse::GetField)? {
                Some(site) => self.unary(|to, object| Op::GetField { to, object, site }),
                None => self.slow(1, true, true)?,
            },
            Instruction::PutField(id) => match self.field(id, FieldUse::PutField)? {
                Some(site) => {
                    let [object, from] = self.operands();
                    self.emit(Op::PutField { object, from, site });
                    self.stack.truncate(2);
                }
                None => self.slow(2, false, true)?,
            },
            Instruction::GetStatic(id) => match self.field(id, FieldUse::GetStatic)? {
                Some(site) => self.result(|to, []| Op::GetStatic { to, site }),
                None => self.slow(0, true, true)?,
            },
            Instruction::PutStatic(id) => match self.field(id, FieldUse::PutStatic)? {
                Some(site) => {
                    let [from] = self.operands();
                    self.emit(Op::PutStatic { from, site });
                    self.stack.truncate(1);
                }
                None => self.slow(1, false, true)?,
            },
            Instruction::New(class) => match self.class_site(class, true)? {
                Some(site) => self.result(|to, []| Op::New { to, site }),
                None => self.slow(0, true, true)?,
            },
            Instruction::CheckCast(class) => match self.class_site(class, false)? {
                Some(site) => {
                    let [object] = self.operands();
                    self.emit(Op::CheckCast { object, site });
                }
                None => self.slow(1, true, true)?,
            },
            Instruction::InstanceOf(class) => match self.class_site(class, false)? {
                Some(site) => self.unary(|to, object| Op::InstanceOf { to, object, site }),
                None => self.slow(1, true, true)?,
            },
            Instruction::NewArray(_) | Instruction::NewReferenceArray(_) => {
                self.slow(1, true, false)?;
            }
            Instruction::NewMultiArray(_, count) => self.slow(count.into(), true, false)?,
            Instruction::MonitorEnter | Instruction::MonitorExit => self.slow(1, false, false)?,
            Instruction::InvokeStatic(id) => self.invoke(id, InvokeKind::Static)?,
            Instruction::InvokeSpecial(id) => self.invoke(id, InvokeKind::Special)?,
            Instruction::InvokeVirtual(id) => self.invoke(id, InvokeKind::Virtual)?,
            Instruction::InvokeInterface(id) => self.invoke(id, InvokeKind::Interface)?,
            Instruction::InvokeDynamic(id) => {
                let site = self.machine.program.class(self.class).pool.dynamic(id);
                let signature = site.signature.clone()?;
                self.slow(signature.parameters.len(), signature.result.is_some(), false)?;
            }
            jump => return self.jump(jump),
        }
        Some(true)
    }

    /// Jumps, returns and throws: what may end a block.
    fn jump(&mut self, instruction: Instruction) -> Option<bool> {
        match instruction {
            Instruction::Goto(target) => {
                self.settle(0);
                let cost = self.cost();
                self.emit(Op::Goto { target, cost });
                self.reach(target, self.stack.depth());
                Some(false)
            }
            Instruction::If(condition, target) => Some(self.if_zero(condition, target)),
            Instruction::IfInts(condition, target) => Some(self.if_ints(condition, target)),
            Instruction::IfSame(target) => Some(self.if_same(true, target)),
            Instruction::IfDifferent(target) => Some(self.if_same(false, target)),
            Instruction::IfNull(target) => Some(self.if_null(true, target)),
            Instruction::IfNonNull(target) => Some(self.if_null(false, target)),
            Instruction::Switch(id) => Some(self.switch(id)),
            Instruction::Return => {
                let cost = self.cost();
                self.emit(Op::Return { cost });
                Some(false)
            }
            Instruction::ReturnValue(_) => {
                let [from] = self.operands();
                let cost = self.cost();
                self.emit(Op::ReturnValue { from, cost });
                Some(false)
            }
            Instruction::Throw | Instruction::Unreachable => {
                self.emit(Op::Slow);
                Some(false)
            }
            _ => None,
        }
    }

    fn push_constant(&mut self, value: Value) -> Option<()> {
        let index = match self.constants.iter().position(|&known| known == value) {
            Some(index) => index,
            None => {
                self.constants.push(value);
                self.constants.len() - 1
            }
        };
        self.stack.entries.push(Source::Constant(u16::try_from(index).ok()?));
        Some(())
    }

    fn constant(&mut self, id: ConstantId) -> Option<()> {
        match self.machine.program.class(self.class).pool.constant(id) {
            Some(Constant::Int(value)) => self.stack.entries.push(Source::Int(value)),
            Some(Constant::Float(value)) => self.push_constant(Value::Float(value))?,
            Some(Constant::Long(value)) => self.push_constant(Value::Long(value))?,
            Some(Constant::Double(value)) => self.push_constant(Value::Double(value))?,
            Some(Constant::String(_) | Constant::Class(_)) => {
                self.result(|to, []| Op::Literal { to, id });
            }
            _ => self.slow(0, true, false)?,
        }
        Some(())
    }

    fn store(&mut self, slot: Slot) {
        let Some(&source) = self.stack.entries.last() else { return };
        let depth = self.stack.entries.len();
        let mut others = self.stack.clone();
        others.truncate(1);
        if others.uses(slot) {
            self.materialize();
        }
        let own = self.stack.own(depth - 1);
        let redirected = match (source, self.ops.last()) {
            (Source::Slot(from), Some(op)) if from == own && self.fresh && !others.uses(own) => {
                op.redirected(slot)
            }
            _ => None,
        };
        if let (Some(op), Some(last)) = (redirected, self.ops.last_mut())
            && last.result() == Some(own)
        {
            *last = op;
            self.fresh = false;
            self.stack.truncate(1);
            return;
        }
        let source = self.stack.entries[depth - 1];
        match source {
            Source::Slot(from) if from == slot => {}
            Source::Slot(from) => self.emit(Op::Move { to: slot, from }),
            Source::Int(value) => self.emit(Op::Int { to: slot, value }),
            Source::Constant(index) => self.emit(Op::Constant { to: slot, index }),
        }
        self.stack.truncate(1);
        self.fresh = false;
    }

    /// The slots of the topmost entries, constants among them put into their own slots.
    fn operands<const N: usize>(&mut self) -> [Slot; N] {
        let depth = self.stack.entries.len();
        let constant = |source: &Source| !matches!(source, Source::Slot(_));
        if self.stack.entries[depth - N..].iter().any(constant) {
            for entry in depth - N..depth {
                self.place(entry);
            }
        }
        let mut slots = [0; N];
        for (place, slot) in slots.iter_mut().enumerate() {
            *slot = match self.stack.entries[depth - N + place] {
                Source::Slot(slot) => slot,
                _ => self.stack.own(depth - N + place),
            };
        }
        slots
    }

    /// Puts a constant into its entry's own slot.
    fn place(&mut self, entry: usize) {
        let to = self.stack.own(entry);
        if !matches!(self.stack.entries[entry], Source::Slot(_)) && self.stack.uses(to) {
            return self.materialize();
        }
        match self.stack.entries[entry] {
            Source::Slot(_) => return,
            Source::Int(value) => self.emit(Op::Int { to, value }),
            Source::Constant(index) => self.emit(Op::Constant { to, index }),
        }
        self.stack.entries[entry] = Source::Slot(to);
        self.fresh = false;
    }

    /// An operation on the topmost entries that pushes its result.
    fn result<const N: usize>(&mut self, build: impl Fn(Slot, [Slot; N]) -> Op) {
        let mut rest = self.stack.clone();
        rest.truncate(N);
        if rest.uses(rest.next()) {
            self.materialize();
        }
        let operands = self.operands::<N>();
        let to = self.stack.own(self.stack.entries.len() - N);
        self.emit(build(to, operands));
        self.stack.truncate(N);
        self.stack.push_own();
    }

    fn unary(&mut self, build: impl Fn(Slot, Slot) -> Op) {
        self.result(|to, [a]| build(to, a));
    }

    fn binary(&mut self, kind: NumericKind, op: BinaryOp) {
        let depth = self.stack.entries.len();
        let (a, b) = (self.stack.entries[depth - 2], self.stack.entries[depth - 1]);
        let commutes = matches!(
            op,
            BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor
        );
        match (kind, a, b) {
            (NumericKind::Int, Source::Slot(_), Source::Int(by)) => self.int_by(op, by),
            (NumericKind::Int, Source::Int(by), Source::Slot(_)) if commutes => {
                self.stack.entries.swap(depth - 2, depth - 1);
                self.int_by(op, by);
            }
            (NumericKind::Long, Source::Slot(_), Source::Int(by)) => self.long_by(op, by),
            (NumericKind::Long, Source::Slot(_), Source::Constant(index)) => {
                match self.constants[usize::from(index)] {
                    Value::Long(by) if i64::from(by as i32) == by => self.long_by(op, by as i32),
                    _ => self.plain_binary(kind, op),
                }
            }
            (NumericKind::Double, Source::Slot(_), Source::Constant(index)) => {
                self.by(2, |to, a| Op::DoublesBy { op, flipped: false, to, a, index });
            }
            (NumericKind::Double, Source::Constant(index), Source::Slot(_)) => {
                self.by(1, |to, a| Op::DoublesBy { op, flipped: true, to, a, index });
            }
            _ => self.plain_binary(kind, op),
        }
    }

    /// The second operand is a constant and needs no slot. If the lane is left, it gets one.
    fn int_by(&mut self, op: BinaryOp, by: i32) {
        self.by(2, |to, a| match op {
            BinaryOp::Add => Op::AddIntBy { to, a, by },
            BinaryOp::Sub => Op::AddIntBy { to, a, by: by.wrapping_neg() },
            _ => Op::IntsBy { op, to, a, by },
        });
    }

    fn long_by(&mut self, op: BinaryOp, by: i32) {
        self.by(2, |to, a| Op::LongsBy { op, to, a, by });
    }

    /// One of the two topmost entries is a constant; the other is this far from the top.
    fn by(&mut self, other: usize, build: impl Fn(Slot, Slot) -> Op) {
        let mut rest = self.stack.clone();
        rest.truncate(2);
        if rest.uses(rest.next()) {
            self.materialize();
        }
        let depth = self.stack.entries.len();
        let to = self.stack.own(depth - 2);
        let Source::Slot(a) = self.stack.entries[depth - other] else { return };
        self.emit(build(to, a));
        self.stack.truncate(2);
        self.stack.push_own();
    }

    fn plain_binary(&mut self, kind: NumericKind, op: BinaryOp) {
        self.result(|to, [a, b]| match (kind, op) {
            (NumericKind::Int, BinaryOp::Add) => Op::AddInt { to, a, b },
            (NumericKind::Int, BinaryOp::Sub) => Op::SubInt { to, a, b },
            (NumericKind::Int, BinaryOp::Mul) => Op::MulInt { to, a, b },
            (NumericKind::Int, _) => Op::Ints { op, to, a, b },
            (NumericKind::Long, BinaryOp::Add) => Op::AddLong { to, a, b },
            (NumericKind::Long, _) => Op::Longs { op, to, a, b },
            (NumericKind::Double, BinaryOp::Add) => Op::AddDouble { to, a, b },
            (NumericKind::Double, BinaryOp::Mul) => Op::MulDouble { to, a, b },
            (NumericKind::Double, _) => Op::Doubles { op, to, a, b },
            (NumericKind::Float, _) => Op::Floats { op, to, a, b },
        });
    }

    /// A comparison that the next instruction jumps on.
    fn compared_jump(&mut self, nan: i8) -> Option<bool> {
        let next = self.pc + 1;
        let Instruction::If(condition, target) = *self.code.instructions.get(usize::from(next))?
        else {
            return None;
        };
        if self.is_leader[usize::from(next)] {
            return None;
        }
        self.settle(2);
        let [a, b] = self.operands();
        let cost = self.cost() + 1;
        self.emit(Op::IfCompared { condition, nan, a, b, target, cost });
        self.stack.truncate(2);
        self.pc = next;
        Some(self.branched(target))
    }

    /// What follows a conditional jump: both ways are reached, everything is counted.
    fn branched(&mut self, target: u16) -> bool {
        self.reach(target, self.stack.depth());
        self.uncounted = self.pc + 1;
        true
    }

    fn if_zero(&mut self, condition: Condition, target: u16) -> bool {
        self.settle(1);
        let [a] = self.operands();
        let cost = self.cost();
        self.emit(Op::IfInt { condition, a, value: 0, target, cost });
        self.stack.truncate(1);
        self.branched(target)
    }

    fn if_ints(&mut self, condition: Condition, target: u16) -> bool {
        self.settle(2);
        let depth = self.stack.entries.len();
        let cost = self.cost();
        let small = match (self.stack.entries[depth - 2], self.stack.entries[depth - 1]) {
            (Source::Slot(a), Source::Int(value)) => i16::try_from(value).ok().map(|by| (a, by)),
            _ => None,
        };
        match small {
            Some((a, value)) => self.emit(Op::IfInt { condition, a, value, target, cost }),
            None => {
                let [a, b] = self.operands();
                self.emit(Op::IfInts { condition, a, b, target, cost });
            }
        }
        self.stack.truncate(2);
        self.branched(target)
    }

    fn if_same(&mut self, wanted: bool, target: u16) -> bool {
        self.settle(2);
        let [a, b] = self.operands();
        let cost = self.cost();
        self.emit(Op::IfSame { wanted, a, b, target, cost });
        self.stack.truncate(2);
        self.branched(target)
    }

    fn if_null(&mut self, wanted: bool, target: u16) -> bool {
        self.settle(1);
        let [a] = self.operands();
        let cost = self.cost();
        self.emit(Op::IfNull { wanted, a, target, cost });
        self.stack.truncate(1);
        self.branched(target)
    }

    fn switch(&mut self, id: SwitchId) -> bool {
        self.settle(1);
        let [a] = self.operands();
        let cost = self.cost();
        self.emit(Op::Switch { a, id, cost });
        self.stack.truncate(1);
        let depth = self.stack.depth();
        let switch = self.code.switch(id);
        self.reach(switch.default(), depth);
        for (_, target) in switch.cases() {
            self.reach(target, depth);
        }
        false
    }

    /// An instruction that is always executed outside the lane.
    fn slow(&mut self, pops: usize, pushes: bool, unresolved: bool) -> Option<()> {
        self.materialize();
        self.emit(Op::Slow);
        if let Some(last) = self.is_unresolved.last_mut() {
            *last = unresolved;
        }
        self.stack.truncate(pops);
        if pushes {
            self.stack.push_own();
        }
        self.enter_here(self.pc + 1)
    }

    /// A field that is resolved by now and may be used in this way; none within if it is not, none
    /// at all if there are too many.
    #[allow(clippy::option_option, reason = "not resolved and too many are different things")]
    fn field(&mut self, id: FieldRefId, usage: FieldUse) -> Option<Option<u16>> {
        let program = self.machine.program;
        let Some(field) = program.resolved_field(self.class, id) else { return Some(None) };
        // What the specification forbids is thrown outside the lane.
        if program.check_field_use(self.method, field, usage).is_err() {
            return Some(None);
        }
        let declared = program.field(field);
        // That these are read is noted outside, too.
        if program.class(declared.class).name == self.machine.known.file {
            return Some(None);
        }
        self.fields.push(FieldSite {
            owner: declared.class,
            slot: declared.slot,
            value: declared.value,
            is_small: is_small(declared.value),
            seen: Cell::new(declared.class),
        });
        Some(Some(u16::try_from(self.fields.len() - 1).ok()?))
    }

    /// The same for a class.
    #[allow(clippy::option_option, reason = "not resolved and too many are different things")]
    fn class_site(&mut self, id: ClassRefId, made: bool) -> Option<Option<u16>> {
        let program = self.machine.program;
        let Some(class) = program.resolved_class(self.class, id) else { return Some(None) };
        let target = program.class(class);
        if made && !target.is_instantiable() {
            return Some(None);
        }
        let fields = if made { &*target.instance_fields } else { &[] };
        let zero = |&field| Value::zero(program.field(field).value.kind());
        let blank = fields.iter().map(zero).collect();
        self.classes.push(ClassSite { class, seen: Cell::new(class), blank });
        Some(Some(u16::try_from(self.classes.len() - 1).ok()?))
    }

    fn invoke(&mut self, id: MethodRefId, kind: InvokeKind) -> Option<()> {
        let reference = self.machine.program.class(self.class).pool.method(id);
        let signature: &MethodType = &reference.signature;
        let has_receiver = kind != InvokeKind::Static;
        let arguments = signature.parameters.len() + usize::from(has_receiver);
        let pushes = signature.result.is_some();
        let program = self.machine.program;
        let resolved = program.resolved_method(self.class, id);
        let usable = resolved.filter(|&method| {
            !program.method(method).is_signature_polymorphic
                && program.check_invoke(method, kind).is_ok()
        });
        let Some(method) = usable else { return self.slow(arguments, pushes, resolved.is_none()) };
        // What a special call selects depends on the class that makes it.
        let selected = match kind {
            InvokeKind::Special => {
                let named = program.resolved_class(self.class, reference.class)?;
                program.select_special(self.class, named, method).ok()
            }
            _ => Some(method),
        };
        let Some(method) = selected else { return self.slow(arguments, pushes, false) };
        let declared = program.method(method);
        self.calls.push(CallSite {
            method,
            arguments: arguments as u16,
            initialized: (kind == InvokeKind::Static).then_some(declared.class),
            has_receiver,
            cache: Cell::new(None),
            is_dispatched: matches!(kind, InvokeKind::Virtual | InvokeKind::Interface)
                && declared.dispatch != dalang_classes::Dispatch::Exact,
        });
        let site = u16::try_from(self.calls.len() - 1).ok()?;
        self.materialize();
        let (depth, cost) = (self.stack.depth(), self.cost());
        self.emit(Op::Call { site, depth, cost });
        self.stack.truncate(arguments);
        if pushes {
            self.stack.push_own();
        }
        self.enter_here(self.pc + 1)
    }
}
