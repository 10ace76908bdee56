//! Call sites and constants that bootstrap methods compute.

use crate::flow::{Flow, unsupported};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, Constant, DynamicRefId, MethodId};
use dalang_heap::Value;

/// What is known of call sites.
#[derive(Default)]
pub(crate) struct Sites {}

impl Sites {
    pub(crate) fn is_made(&self, _: ClassId) -> bool {
        false
    }
}

impl<'p> Machine<'p> {
    /// Whether a class was made at run time, for lambdas for instance.
    pub fn is_made(&self, class: ClassId) -> bool {
        self.dynamic.is_made(class)
    }

    pub(crate) fn is_for_lambda(&self, _: MethodId) -> bool {
        false
    }

    pub(crate) fn enter_lambda(&mut self, _: &mut State<'p>, _: ClassId, _: usize) -> Flow {
        unsupported("lambda")
    }

    pub(crate) fn invoke_dynamic(&mut self, _: &mut State<'p>, _: DynamicRefId) -> Flow {
        unsupported("invokedynamic")
    }

    pub(crate) fn dynamic_constant(
        &mut self,
        _: &mut State<'p>,
        _: ClassId,
        _: Constant<'_>,
    ) -> Flow<Value> {
        unsupported("a dynamic constant")
    }
}
