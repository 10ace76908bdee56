//! Calls of the methods of a `VarHandle`: arguments are converted to the types of the variable, the
//! variable is found, and it is read and written.
//!
//! Everything that can break off is done before anything is written, because the instruction may
//! start again.

use super::mode::{Action, Mode};
use super::place::{Place, read_place, write_place};
use super::variable::Variable;
use crate::flow::{Flow, bug, raise, raise_bare};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::code::{BinaryOp, NumericKind};
use dalang_classes::{Kind, MethodType, Name, ValueType};
use dalang_heap::{Reference, Value};

/// From this version on the exception for an unsupported access names the method.
const TALKATIVE: u16 = 21;

/// What an access will do.
struct Access {
    place: Place,
    write: Option<Value>,
    result: Option<Value>,
}

impl<'p> Machine<'p> {
    /// Calls a method of a `VarHandle`. The handle and the arguments are on top of the stack, and
    /// the result takes their place.
    pub(crate) fn call_variable(
        &mut self,
        state: &mut State<'p>,
        site: &MethodType,
        name: &str,
        handle: Reference,
    ) -> Flow {
        let count = site.parameters.len();
        // No access takes more than four values; a call with more throws before it reads them.
        let mut arguments = [Value::NULL; 4];
        let given = count.min(arguments.len());
        let first = state.top - count;
        arguments[..given].copy_from_slice(&state.values[first..first + given]);
        let result = self.use_variable(state, site, name, handle, &arguments)?;
        state.drop(count + 1);
        if let Some(result) = result {
            state.push(result);
        }
        Flow::Continue(())
    }

    /// Does what a method of a `VarHandle` does, for a call of a type.
    pub(crate) fn use_variable(
        &mut self,
        state: &mut State<'p>,
        site: &MethodType,
        name: &str,
        handle: Reference,
        arguments: &[Value],
    ) -> Flow<Option<Value>> {
        let Some(mode) = Mode::named(name) else {
            return bug(format!("VarHandle.{name} is no access mode"));
        };
        let variable = self.variable(state, handle)?;
        let value = self.variable_type(variable)?;
        let (coordinates, fixed) = self.coordinates(variable);
        let [a, b] = coordinates;
        let types = [[a, b, value, value], [a, value, value, value], [value; 4]];
        let types = match fixed {
            2 => &types[0][..2 + mode.values()],
            1 => &types[1][..=mode.values()],
            _ => &types[2][..mode.values()],
        };
        let result = mode.result(value);
        if *site.parameters != *types || site.result != result {
            self.check_type(state, site, types, result, handle, variable, (name, mode))?;
        } else if !self.supports(variable, mode) {
            return self.no_mode(name);
        }
        let mut values = [Value::NULL; 4];
        for (place, &to) in types.iter().enumerate() {
            let from = site.parameters[place];
            values[place] = self.coerce(state, arguments[place], from, to)?;
        }
        let access = self.prepare(state, variable, mode, value, &values, fixed)?;
        let given = match (result, access.result, site.result) {
            (Some(from), Some(result), Some(to)) => Some(self.coerce(state, result, from, to)?),
            (None, _, Some(to)) => Some(Value::zero(to.kind())),
            _ => None,
        };
        if let Some(value) = access.write {
            write_place(self, state, access.place, value)?;
        }
        Flow::Continue(given)
    }

    /// The descriptor of the type that a variable is used with.
    pub fn access_descriptor(&self, variable: Variable, mode: Mode) -> Flow<Name> {
        let value = self.variable_type(variable)?;
        let (coordinates, fixed) = self.coordinates(variable);
        let values = std::iter::repeat_n(value, mode.values());
        let types = coordinates.into_iter().take(fixed).chain(values);
        Flow::Continue(self.descriptor_of(types, mode.result(value)))
    }

    /// Throws unless a variable is used with exactly this type.
    pub(crate) fn check_access_type(
        &self,
        state: &State<'p>,
        handle: Reference,
        name: &str,
        descriptor: Name,
    ) -> Flow {
        let Some(mode) = Mode::named(name) else {
            return bug(format!("VarHandle.{name} is no access mode"));
        };
        let variable = self.variable(state, handle)?;
        let own = self.access_descriptor(variable, mode)?;
        if own == descriptor {
            return Flow::Continue(());
        }
        let (own, found) = (self.described(own)?, self.described(descriptor)?);
        let (own, found) = (self.spell(&own), self.spell(&found));
        let message = format!("handle's method type {own} but found {found}");
        raise("java/lang/invoke/WrongMethodTypeException", message)
    }

    /// Throws if a call of another type than the variable's has no meaning, or none that this
    /// handle allows.
    #[allow(clippy::too_many_arguments, reason = "they are what the message is made of")]
    #[cold]
    fn check_type(
        &mut self,
        state: &State<'p>,
        site: &MethodType,
        types: &[ValueType],
        result: Option<ValueType>,
        handle: Reference,
        variable: Variable,
        (name, mode): (&str, Mode),
    ) -> Flow {
        let mismatch = "java/lang/invoke/WrongMethodTypeException";
        let found = site.parameters.iter().copied();
        if self.field(state, handle, "exact")? == Value::Int(1) {
            let types = self.type_spelling(types.iter().copied(), result);
            let found = self.type_spelling(found, site.result);
            let message = if self.settings.feature >= TALKATIVE {
                format!("handle's method type {types} but found {found}")
            } else {
                format!("expected {types} but found {found}")
            };
            return raise(mismatch, message);
        }
        if !self.supports(variable, mode) {
            return self.no_mode(name);
        }
        if self.convertible(site, types, result)? {
            return Flow::Continue(());
        }
        let class = self.program.names().intern("java/lang/invoke/VarHandle");
        let itself = [ValueType::Reference(class)];
        let types = self.type_spelling(itself.into_iter().chain(types.iter().copied()), result);
        let found = self.type_spelling(itself.into_iter().chain(found), site.result);
        raise(mismatch, format!("cannot convert MethodHandle{types} to {found}"))
    }

    #[cold]
    fn no_mode<T>(&self, name: &str) -> Flow<T> {
        let class = "java/lang/UnsupportedOperationException";
        if self.settings.feature >= TALKATIVE { raise(class, name) } else { raise_bare(class) }
    }

    /// Finds the variable, and what is to be written and given.
    fn prepare(
        &mut self,
        state: &mut State<'p>,
        variable: Variable,
        mode: Mode,
        value: ValueType,
        values: &[Value; 4],
        fixed: usize,
    ) -> Flow<Access> {
        let place = self.find_place(state, variable, mode, values)?;
        let (first, second) = (values[fixed.min(3)], values[(fixed + 1).min(3)]);
        if mode.action == Action::Set {
            self.check_element(state, variable, mode, place, first)?;
            return Flow::Continue(Access { place, write: Some(first), result: None });
        }
        let old = read_place(self, state, place)?;
        let (write, result) = match mode.action {
            Action::Get | Action::Set => (None, Some(old)),
            Action::GetSet => (Some(first), Some(old)),
            Action::Update(op) => (Some(self.combined(state, value, op, old, first)?), Some(old)),
            Action::CompareSet => {
                let same = self.same_bits(state, value, old, first)?;
                (same.then_some(second), Some(Value::boolean(same)))
            }
            Action::CompareExchange => {
                let same = self.same_bits(state, value, old, first)?;
                (same.then_some(second), Some(old))
            }
        };
        if let Some(value) = write {
            self.check_element(state, variable, mode, place, value)?;
        }
        Flow::Continue(Access { place, write, result })
    }

    /// Whether two values are the same bits, which is a question if they are terms.
    fn same_bits(
        &mut self,
        state: &mut State<'p>,
        value: ValueType,
        a: Value,
        b: Value,
    ) -> Flow<bool> {
        if value.kind() == Kind::Reference {
            return self.same_references(state, a, b);
        }
        if a.bits().is_some() && b.bits().is_some() {
            return Flow::Continue(a.bits() == b.bits());
        }
        let (a, b) = (self.term(a), self.term(b));
        let equal = self.pool.eq(a, b);
        self.decide(state, equal)
    }

    fn combined(
        &mut self,
        state: &mut State<'p>,
        value: ValueType,
        op: BinaryOp,
        a: Value,
        b: Value,
    ) -> Flow<Value> {
        let kind = match value.kind() {
            Kind::Long => NumericKind::Long,
            Kind::Float => NumericKind::Float,
            Kind::Double => NumericKind::Double,
            Kind::Int | Kind::Reference => NumericKind::Int,
        };
        self.reserve(state, 2);
        state.push(a);
        state.push(b);
        self.binary(state, kind, op)?;
        let combined = state.pop();
        Flow::Continue(self.fit(combined, value))
    }

    /// Arrays of a class below that of the handle hold less than the handle takes.
    fn check_element(
        &mut self,
        state: &mut State<'p>,
        variable: Variable,
        mode: Mode,
        place: Place,
        value: Value,
    ) -> Flow {
        let (Variable::Element(_), Place::Slot(array, _) | Place::Element(array, _)) =
            (variable, place)
        else {
            return Flow::Continue(());
        };
        let class = state.heap.class(array);
        match self.variable_type(Variable::Element(class))? {
            ValueType::Primitive(_) => Flow::Continue(()),
            ValueType::Reference(_) if mode.plain => self.check_store(state, array, value),
            component @ ValueType::Reference(_) => self.cast(state, value, component),
        }
    }
}
