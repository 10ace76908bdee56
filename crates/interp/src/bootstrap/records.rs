//! `ObjectMethods`: `equals`, `hashCode` and `toString` of records.
//!
//! Primitive components are compared and hashed here, references by calling `java.util.Objects`,
//! in the order in which the library does it: `equals` begins with the last component.

use super::concat::{Concat, Piece};
use crate::call::Call;
use crate::dynamic::{Request, Site};
use crate::flow::{Flow, Interrupt, Outcome, Stop, bug, linked, malformed, unsupported};
use crate::frame::Then;
use crate::handle::Member;
use crate::machine::Machine;
use crate::state::State;
use crate::steps::returned;
use dalang_classes::{ClassId, Constant, HandleKind, Kind, Primitive, ValueType};
use dalang_heap::{Reference, Value};
use dalang_term::NanBits;
use std::rc::Rc;

/// A component: its slot and type.
type Component = (usize, ValueType);

/// A method of a record.
#[derive(Debug)]
pub(crate) struct RecordMethod {
    class: ClassId,
    which: Which,
    /// The components in the order in which the method sees them.
    components: Vec<Component>,
}

#[derive(Debug)]
enum Which {
    Equals,
    HashCode,
    ToString(Rc<Concat>),
}

/// How far a method has come: what is done, and the result so far.
struct Progress {
    done: usize,
    total: i32,
    /// What to ask Java before going on; `equals` has two objects, `hashCode` the same one twice.
    call: Option<[Value; 2]>,
}

impl RecordMethod {
    /// What `toString` concatenates.
    pub(crate) fn text(&self) -> Flow<Rc<Concat>> {
        match &self.which {
            Which::ToString(concat) => Flow::Continue(Rc::clone(concat)),
            _ => bug("a record is asked for text by another method"),
        }
    }

    fn is_equals(&self) -> bool {
        matches!(self.which, Which::Equals)
    }

    /// Goes through components as long as Java need not be asked.
    fn go_through<'p>(
        &self,
        machine: &mut Machine<'p>,
        state: &mut State<'p>,
        [record, other]: [Reference; 2],
        mut done: usize,
        mut total: i32,
    ) -> Flow<Progress> {
        let end = |total| Flow::Continue(Progress { done: 0, total, call: None });
        if self.is_equals() {
            if record == other {
                return end(1);
            }
            if other.is_null() || state.heap.class(other) != self.class {
                return end(0);
            }
        }
        while let Some(&(slot, value)) = self.components.get(done) {
            let [a, b] = [record, other].map(|object| state.heap.get(object, slot));
            let [Some(a), Some(b)] = [a, b] else { return bug("a component has no place") };
            let [a, b] = [a, b].map(|value| machine.known_value(state, value));
            let call = Some([a, b]);
            if self.is_equals() {
                match same(a, b) {
                    Some(true) => {}
                    Some(false) => return end(0),
                    None if value.kind() != Kind::Reference => {
                        if !equal_terms(machine, state, a, b)? {
                            return end(0);
                        }
                    }
                    None => return Flow::Continue(Progress { done, total, call }),
                }
            } else {
                match hash(a, value) {
                    Some(hash) => total = total.wrapping_mul(31).wrapping_add(hash),
                    None if value.kind() != Kind::Reference => return symbolic(),
                    None => return Flow::Continue(Progress { done, total, call }),
                }
            }
            done += 1;
        }
        end(if self.is_equals() { 1 } else { total })
    }
}

impl<'p> Machine<'p> {
    pub(crate) fn link_record(&mut self, request: Request<'p>) -> Flow<RecordMethod> {
        let Constant::Class(class) = self.static_argument(request, 0)? else {
            return malformed("a method of a record without a record");
        };
        let class = linked(self.program.resolve_class(request.user, class))?;
        let Constant::String(names) = self.static_argument(request, 1)? else {
            return malformed("a record without names of components");
        };
        let mut components = Vec::new();
        for index in 2..request.arguments.len() {
            let handle = self.handle_argument(request, index)?;
            let (HandleKind::GetField, Member::Field(field)) = (handle.kind, handle.member) else {
                return unsupported("a component of a record that is no field");
            };
            let field = self.program.field(field);
            components.push((field.slot as usize, field.value));
        }
        let names = names.to_str();
        let which = match self.program.names().text(request.reference.name) {
            "equals" => {
                components.reverse();
                Which::Equals
            }
            "hashCode" => Which::HashCode,
            "toString" => {
                let name = self.simple_name(class);
                let names: Vec<&str> = names.split(';').filter(|name| !name.is_empty()).collect();
                let pieces = pieces(&name, &names);
                let types = components.iter().map(|&(_, value)| value).collect();
                if names.len() != components.len() {
                    return malformed("a record has another number of names than of components");
                }
                Which::ToString(Rc::new(Concat { pieces, types }))
            }
            other => return unsupported(format!("the method {other} of a record")),
        };
        Flow::Continue(RecordMethod { class, which, components })
    }

    /// What `Class.getSimpleName` gives for a class.
    fn simple_name(&self, class: ClassId) -> String {
        let class = self.program.class(class);
        let inner = class.inner_classes().iter().find(|inner| inner.inner == class.name);
        let text = |name| self.program.names().text(name);
        if let Some(inner) = inner {
            return inner.simple_name.map_or("", text).to_owned();
        }
        let name = text(class.name);
        name.rsplit('/').next().unwrap_or(name).to_owned()
    }

    /// Calls a method of a record; the record and the other object are on top of the operand stack.
    pub(crate) fn record_method(&mut self, state: &mut State<'p>, method: &RecordMethod) -> Flow {
        let count = 1 + usize::from(method.is_equals());
        let record = self.non_null(state, state.peek(count - 1))?;
        if state.heap.class(record) != method.class {
            return malformed("a method of a record is called with something else");
        }
        if let Which::ToString(concat) = &method.which {
            state.drop(1);
            self.reserve(state, method.components.len());
            for &(slot, _) in &method.components {
                let value = state.heap.get(record, slot).unwrap_or(Value::NULL);
                state.push(value);
            }
            return self.concatenate(state, concat);
        }
        if method.is_equals()
            && self.symbolic_instanceof(state, state.peek(0), method.class)? == Some(false)
        {
            state.replace(count, Value::Int(0));
            state.frame_mut().pc += 1;
            return Flow::Continue(());
        }
        let Value::Reference(other) = self.settled(state, state.peek(0))? else {
            return unsupported("a symbolic reference");
        };
        let progress = method.go_through(self, state, [record, other], 0, 0)?;
        if progress.call.is_some() {
            return self.enter_hidden(state, run, count, Then::Deliver);
        }
        state.replace(count, Value::Int(progress.total));
        state.frame_mut().pc += 1;
        Flow::Continue(())
    }
}

fn symbolic<T>() -> Flow<T> {
    let what = "a method of a record".into();
    Flow::Break(Interrupt::Stop(Box::new(Stop::Symbolic(what))))
}

fn pieces(name: &str, names: &[&str]) -> Vec<Piece> {
    let text = |text: String| Piece::Text(text.encode_utf16().collect());
    let mut pieces = Vec::new();
    let mut before = format!("{name}[");
    for name in names {
        pieces.push(text(format!("{before}{name}=")));
        pieces.push(Piece::Argument);
        ", ".clone_into(&mut before);
    }
    let end = if names.is_empty() { format!("{before}]") } else { "]".to_owned() };
    pieces.push(text(end));
    pieces
}

/// Whether two numbers are equal that are not known; floats are told apart by their bits, but for
/// NaNs.
fn equal_terms<'p>(
    machine: &mut Machine<'p>,
    state: &mut State<'p>,
    a: Value,
    b: Value,
) -> Flow<bool> {
    let bits = |machine: &mut Machine<'p>, value| {
        let term = machine.term(value);
        if machine.pool.sort(term).is_float() {
            return machine.pool.float_to_bits(term, NanBits::Canonical);
        }
        term
    };
    let (a, b) = (bits(machine, a), bits(machine, b));
    let equal = machine.pool.eq(a, b);
    machine.decide(state, equal)
}

/// Whether two components are equal; none if Java must be asked.
fn same(a: Value, b: Value) -> Option<bool> {
    Some(match (a, b) {
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Long(a), Value::Long(b)) => a == b,
        (Value::Float(a), Value::Float(b)) => float_bits(a) == float_bits(b),
        (Value::Double(a), Value::Double(b)) => double_bits(a) == double_bits(b),
        (Value::Reference(a), Value::Reference(b)) if a == b => true,
        (Value::Term(a), Value::Term(b)) if a == b => true,
        (Value::Reference(Reference::NULL), Value::Reference(_)) => false,
        _ => return None,
    })
}

/// The hash code of a component; none if Java must be asked.
fn hash(value: Value, kind: ValueType) -> Option<i32> {
    let fold = |bits: u64| (bits ^ bits >> 32) as i32;
    Some(match (value, kind) {
        (Value::Int(value), ValueType::Primitive(Primitive::Boolean)) => {
            if value & 1 == 1 {
                1231
            } else {
                1237
            }
        }
        (Value::Int(value), _) => value,
        (Value::Long(value), _) => fold(value as u64),
        (Value::Float(value), _) => float_bits(value) as i32,
        (Value::Double(value), _) => fold(double_bits(value)),
        (Value::Reference(Reference::NULL), _) => 0,
        _ => return None,
    })
}

/// The bits of a number, one and the same for all NaNs.
fn float_bits(value: f32) -> u32 {
    if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }
}

fn double_bits(value: f64) -> u64 {
    if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() }
}

/// Given the record and, for `equals`, the other object; saves what is done and the result so far.
fn run(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    call.save(0);
    call.save(0);
    step(call, Outcome::Returned(None))
}

fn step(call: &mut Call<'_, '_>, _: Outcome) -> Flow<Option<Value>> {
    let Site::Record(method) = call.machine.linked_site(call.site())? else {
        return bug("a method of a record is called from elsewhere");
    };
    let objects = [call.reference(0)?, call.reference(call.arguments() - 1)?];
    let (done, total) = (call.saved_int(0)? as usize, call.saved_int(1)?);
    let progress = method.go_through(call.machine, call.state, objects, done, total)?;
    let Some([a, b]) = progress.call else {
        return Flow::Continue(Some(Value::Int(progress.total)));
    };
    let class = call.machine.class("java/util/Objects")?;
    call.machine.require(call.state, class)?;
    call.set_saved(0, progress.done as i32);
    call.set_saved(1, progress.total);
    if method.is_equals() {
        let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)Z";
        let equals = call.machine.method(class, "equals", descriptor)?;
        return call.invoke(equals, &[a, b], compared);
    }
    let hash = call.machine.method(class, "hashCode", "(Ljava/lang/Object;)I")?;
    call.invoke(hash, &[a], hashed)
}

fn compared(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    match returned(outcome)? {
        Some(Value::Int(0)) => Flow::Continue(Some(Value::Int(0))),
        Some(Value::Int(_)) => next(call, 0),
        _ => symbolic(),
    }
}

fn hashed(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    let Some(Value::Int(hash)) = returned(outcome)? else { return symbolic() };
    let total = call.saved_int(1)?.wrapping_mul(31).wrapping_add(hash);
    next(call, total)
}

fn next(call: &mut Call<'_, '_>, total: i32) -> Flow<Option<Value>> {
    let done = call.saved_int(0)? + 1;
    call.set_saved(0, done);
    call.set_saved(1, total);
    call.go_on(step);
    step(call, Outcome::Returned(None))
}

#[cfg(test)]
mod tests {
    use super::{hash, same};
    use dalang_classes::{Primitive, ValueType};
    use dalang_heap::Value;

    #[test]
    fn numbers_are_hashed_as_their_wrappers_do() {
        let hash = |value: Value, kind| hash(value, ValueType::Primitive(kind));
        assert_eq!(hash(Value::Int(1), Primitive::Boolean), Some(1231));
        assert_eq!(hash(Value::Int(-7), Primitive::Byte), Some(-7));
        assert_eq!(hash(Value::Long(-1), Primitive::Long), Some(0));
        assert_eq!(hash(Value::Float(1.0), Primitive::Float), Some(1_065_353_216));
        assert_eq!(hash(Value::Double(-0.0), Primitive::Double), Some(i32::MIN));
        assert_eq!(hash(Value::Double(f64::NAN), Primitive::Double), Some(2_146_959_360));
    }

    #[test]
    fn numbers_are_compared_by_their_bits() {
        let same = |a: f64, b: f64| same(Value::Double(a), Value::Double(b));
        assert_eq!(same(f64::NAN, -f64::NAN), Some(true));
        assert_eq!(same(0.0, -0.0), Some(false));
        assert_eq!(same(1.5, 1.5), Some(true));
    }
}
