//! Jumps. A condition on terms is decided by whoever explores.

use crate::flow::{Flow, malformed};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::Kind;
use dalang_classes::code::{Code, Condition, Switch};
use dalang_heap::Value;
use dalang_term::TermId;

#[inline]
pub(crate) fn holds(condition: Condition, a: i32, b: i32) -> bool {
    match condition {
        Condition::Eq => a == b,
        Condition::Ne => a != b,
        Condition::Lt => a < b,
        Condition::Ge => a >= b,
        Condition::Gt => a > b,
        Condition::Le => a <= b,
    }
}

impl State<'_> {
    #[inline]
    pub(crate) fn jump(&mut self, target: u16) -> Flow {
        self.frame_mut().pc = target;
        Flow::Continue(())
    }

    #[inline]
    fn jump_if(&mut self, holds: bool, target: u16) -> Flow {
        let frame = self.frame_mut();
        frame.pc = if holds { target } else { frame.pc + 1 };
        Flow::Continue(())
    }

    /// Rule `jvms/jsr` - JVMS 6.5.
    pub(crate) fn subroutine(&mut self, target: u16) -> Flow {
        let next = self.frame().pc + 1;
        self.push(Value::Address(next));
        self.jump(target)
    }

    /// Rule `jvms/ret` - JVMS 6.5.
    pub(crate) fn subroutine_return(&mut self, code: &Code, slot: u16) -> Flow {
        match self.local(slot) {
            Value::Address(target) if usize::from(target) < code.instructions.len() => {
                self.jump(target)
            }
            _ => malformed("a subroutine returns to something that is no address"),
        }
    }
}

impl<'p> Machine<'p> {
    /// Rule `jvms/if_cond` - JVMS 6.5.
    #[inline]
    pub(crate) fn if_zero(
        &mut self,
        state: &mut State<'p>,
        condition: Condition,
        target: u16,
    ) -> Flow {
        let holds = match state.peek(0) {
            Value::Int(value) => holds(condition, value, 0),
            other => self.symbolic_condition(state, condition, other, Value::Int(0))?,
        };
        state.drop(1);
        state.jump_if(holds, target)
    }

    /// Rule `jvms/if_icmp` - JVMS 6.5.
    #[inline]
    pub(crate) fn if_ints(
        &mut self,
        state: &mut State<'p>,
        condition: Condition,
        target: u16,
    ) -> Flow {
        let holds = match (state.peek(1), state.peek(0)) {
            (Value::Int(a), Value::Int(b)) => holds(condition, a, b),
            (a, b) => self.symbolic_condition(state, condition, a, b)?,
        };
        state.drop(2);
        state.jump_if(holds, target)
    }

    #[cold]
    fn symbolic_condition(
        &mut self,
        state: &mut State<'p>,
        condition: Condition,
        a: Value,
        b: Value,
    ) -> Flow<bool> {
        let term = self.condition(condition, a, b)?;
        self.decide(state, term)
    }

    /// A condition on two `int`s as a term.
    pub(crate) fn condition(&mut self, condition: Condition, a: Value, b: Value) -> Flow<TermId> {
        let (a, b) = (self.term_of(a, Kind::Int)?, self.term_of(b, Kind::Int)?);
        Flow::Continue(match condition {
            Condition::Eq => self.pool.eq(a, b),
            Condition::Ne => self.pool.ne(a, b),
            Condition::Lt => self.pool.slt(a, b),
            Condition::Ge => self.pool.sge(a, b),
            Condition::Gt => self.pool.sgt(a, b),
            Condition::Le => self.pool.sle(a, b),
        })
    }

    /// Rule `jvms/if_acmp` - JVMS 6.5.
    pub(crate) fn if_same(&mut self, state: &mut State<'p>, wanted: bool, target: u16) -> Flow {
        let same = self.same(state, state.peek(1), state.peek(0))?;
        state.drop(2);
        state.jump_if(same == wanted, target)
    }

    /// Rule `jvms/ifnull` - JVMS 6.5.
    pub(crate) fn if_null(&mut self, state: &mut State<'p>, wanted: bool, target: u16) -> Flow {
        let null = self.same(state, state.peek(0), Value::NULL)?;
        state.drop(1);
        state.jump_if(null == wanted, target)
    }

    #[inline]
    fn same(&mut self, state: &mut State<'p>, a: Value, b: Value) -> Flow<bool> {
        match (a, b) {
            (Value::Reference(a), Value::Reference(b)) => self.same_objects(state, a, b),
            (a, b) => self.symbolic_same(state, a, b),
        }
    }

    /// Rules `jvms/tableswitch`, `jvms/lookupswitch` - JVMS 6.5.
    pub(crate) fn switch(&mut self, state: &mut State<'p>, switch: &Switch) -> Flow {
        let target = match state.peek(0) {
            Value::Int(value) => switch.target(value),
            other => {
                let value = self.term_of(other, Kind::Int)?;
                self.symbolic_switch(state, switch, value)?
            }
        };
        state.drop(1);
        state.jump(target)
    }

    /// Asks for one target after the other: cases that go to the same place are one decision.
    #[cold]
    fn symbolic_switch(
        &mut self,
        state: &mut State<'p>,
        switch: &Switch,
        value: TermId,
    ) -> Flow<u16> {
        let mut targets: Vec<(u16, TermId)> = Vec::new();
        for (case, target) in switch.cases() {
            let case = self.pool.int(case);
            let hit = self.pool.eq(value, case);
            match targets.iter_mut().find(|(known, _)| *known == target) {
                Some((_, term)) => *term = self.pool.or(*term, hit),
                None => targets.push((target, hit)),
            }
        }
        for (target, hit) in targets {
            if target != switch.default() && self.decide(state, hit)? {
                return Flow::Continue(target);
            }
        }
        Flow::Continue(switch.default())
    }
}
