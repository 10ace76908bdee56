//! One line for each instruction: who executes it. No logic lives here.

use crate::flow::{Flow, bug};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::InvokeKind;
use dalang_classes::code::{Code, Instruction};
use dalang_heap::Value;

impl<'p> Machine<'p> {
    /// Executes one instruction of the frame on top.
    #[inline]
    pub(crate) fn execute(
        &mut self,
        state: &mut State<'p>,
        code: &'p Code,
        instruction: Instruction,
    ) -> Flow {
        match instruction {
            Instruction::Nop => {}
            Instruction::Unreachable => return bug("unreachable code was reached"),
            Instruction::Null => state.push(Value::NULL),
            Instruction::Int(value) => state.push(Value::Int(value)),
            Instruction::Long(value) => state.push(Value::Long(value.into())),
            Instruction::Float(value) => state.push(Value::Float(value)),
            Instruction::Double(value) => state.push(Value::Double(value.into())),
            Instruction::Constant(id) => self.constant(state, id)?,
            Instruction::Load(slot) => state.push(state.local(slot)),
            Instruction::Store(slot) => {
                let value = state.pop();
                state.set_local(slot, value);
            }
            Instruction::Increment { slot, by } => self.increment(state, slot, by)?,
            Instruction::Pop => state.drop(1),
            Instruction::Pop2 => state.drop(2),
            Instruction::Dup => state.push(state.peek(0)),
            Instruction::DupX1 => state.duplicate(1, 1),
            Instruction::DupX2 => state.duplicate(1, 2),
            Instruction::Dup2 => state.duplicate(2, 0),
            Instruction::Dup2X1 => state.duplicate(2, 1),
            Instruction::Dup2X2 => state.duplicate(2, 2),
            Instruction::Swap => state.swap(),
            Instruction::Binary(kind, op) => self.binary(state, kind, op)?,
            Instruction::Negate(kind) => self.negate(state, kind)?,
            Instruction::Convert(from, to) => self.convert(state, from, to)?,
            Instruction::Narrow(to) => self.narrow(state, to)?,
            Instruction::Compare(how) => self.compare(state, how)?,
            Instruction::If(condition, target) => return self.if_zero(state, condition, target),
            Instruction::IfInts(condition, target) => {
                return self.if_ints(state, condition, target);
            }
            Instruction::IfSame(target) => return self.if_same(state, true, target),
            Instruction::IfDifferent(target) => return self.if_same(state, false, target),
            Instruction::IfNull(target) => return self.if_null(state, true, target),
            Instruction::IfNonNull(target) => return self.if_null(state, false, target),
            Instruction::Goto(target) => return state.jump(target),
            Instruction::Jsr(target) => return state.subroutine(target),
            Instruction::Ret(slot) => return state.subroutine_return(code, slot),
            Instruction::Switch(id) => return self.switch(state, code.switch(id)),
            Instruction::ArrayLoad(kind) => self.array_load(state, kind)?,
            Instruction::ArrayStore(kind) => self.array_store(state, kind)?,
            Instruction::ArrayLength => self.array_length(state)?,
            Instruction::NewArray(element) => self.new_array(state, element)?,
            Instruction::NewReferenceArray(class) => self.new_reference_array(state, class)?,
            Instruction::NewMultiArray(class, dimensions) => {
                self.new_multi_array(state, class, dimensions)?;
            }
            Instruction::GetStatic(id) => self.getstatic(state, id)?,
            Instruction::PutStatic(id) => self.putstatic(state, id)?,
            Instruction::GetField(id) => self.getfield(state, id)?,
            Instruction::PutField(id) => self.putfield(state, id)?,
            Instruction::New(class) => self.new_object(state, class)?,
            Instruction::CheckCast(class) => self.checkcast(state, class)?,
            Instruction::InstanceOf(class) => self.instanceof(state, class)?,
            Instruction::InvokeVirtual(id) => return self.invoke(state, id, InvokeKind::Virtual),
            Instruction::InvokeSpecial(id) => return self.invoke(state, id, InvokeKind::Special),
            Instruction::InvokeStatic(id) => return self.invoke(state, id, InvokeKind::Static),
            Instruction::InvokeInterface(id) => {
                return self.invoke(state, id, InvokeKind::Interface);
            }
            Instruction::InvokeDynamic(id) => return self.invoke_dynamic(state, id),
            Instruction::Return => return self.leave(state, None),
            Instruction::ReturnValue(_) => return self.return_value(state),
            Instruction::Throw => return self.throw(state),
            Instruction::MonitorEnter => self.monitor_enter(state)?,
            Instruction::MonitorExit => self.monitor_exit(state)?,
        }
        state.frame_mut().pc += 1;
        Flow::Continue(())
    }
}
