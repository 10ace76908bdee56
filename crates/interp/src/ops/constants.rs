//! Constants that `ldc` loads from the constant pool.

use crate::flow::{Flow, bug};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{Constant, ConstantId};
use dalang_heap::Value;
use std::rc::Rc;

impl<'p> Machine<'p> {
    /// Rule `jvms/ldc` - JVMS 6.5.
    pub(crate) fn constant(&mut self, state: &mut State<'p>, id: ConstantId) -> Flow {
        let class = state.frame().class;
        if let Some(&value) = state.constants.get(&(class, id)) {
            state.push(value);
            return Flow::Continue(());
        }
        let Some(constant) = self.program.class(class).pool.constant(id) else {
            return bug("a constant is loaded that is none");
        };
        let value = match constant {
            Constant::Int(value) => Value::Int(value),
            Constant::Float(value) => Value::Float(value),
            Constant::Long(value) => Value::Long(value),
            Constant::Double(value) => Value::Double(value),
            Constant::String(text) => self.intern_utf16(state, &text.to_utf16())?.into(),
            Constant::Class(class) => {
                let class = self.resolve(state, class)?;
                self.mirror(state, class)?.into()
            }
            Constant::MethodType(_) | Constant::MethodHandle(_) | Constant::Dynamic(_) => {
                self.dynamic_constant(state, class, constant)?
            }
        };
        if matches!(value, Value::Reference(_)) {
            Rc::make_mut(&mut state.constants).insert((class, id), value);
        }
        state.push(value);
        Flow::Continue(())
    }
}
