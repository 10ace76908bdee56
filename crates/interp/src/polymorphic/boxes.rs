//! Boxes of primitive values, made and opened the way `Integer.valueOf` and its like do it, but
//! without a frame: whoever converts a value in the middle of an instruction cannot call Java.

use crate::adapt::{widens, wrapped, wrapper};
use crate::flow::{Flow, bug, raise, raise_bare, unsupported};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, Primitive, ValueType};
use dalang_heap::{Reference, Value};

impl<'p> Machine<'p> {
    /// The primitive type that a class boxes.
    pub fn boxes(&self, class: ClassId) -> Option<Primitive> {
        wrapped(self.program, ValueType::Reference(self.program.class(class).name))
    }

    /// The object that boxes a value: one of the cache that Java prescribes, or a new one.
    pub fn make_box(
        &mut self,
        state: &mut State<'p>,
        primitive: Primitive,
        value: Value,
    ) -> Flow<Reference> {
        let class = self.class(wrapper(primitive))?;
        self.require(state, class)?;
        if primitive == Primitive::Boolean {
            let Value::Int(value) = value else { return unsupported("boxing a symbolic boolean") };
            let field = self.static_field(class, if value == 0 { "FALSE" } else { "TRUE" })?;
            return match self.get_static(state, field)? {
                Value::Reference(object) => Flow::Continue(object),
                _ => bug("a Boolean is no object"),
            };
        }
        if let Some(cached) = self.cached_box(state, primitive, value)? {
            return Flow::Continue(cached);
        }
        let object = self.allocate(state, class, 0)?;
        self.set_field(state, object, "value", value)?;
        Flow::Continue(object)
    }

    /// The box that the cache of a class has for a value.
    fn cached_box(
        &mut self,
        state: &mut State<'p>,
        primitive: Primitive,
        value: Value,
    ) -> Flow<Option<Reference>> {
        let (holder, lowest) = match primitive {
            Primitive::Byte => ("java/lang/Byte$ByteCache", -128),
            Primitive::Short => ("java/lang/Short$ShortCache", -128),
            Primitive::Char => ("java/lang/Character$CharacterCache", 0),
            Primitive::Int => ("java/lang/Integer$IntegerCache", -128),
            Primitive::Long => ("java/lang/Long$LongCache", -128),
            _ => return Flow::Continue(None),
        };
        let holder = self.class(holder)?;
        self.require(state, holder)?;
        let number = match value {
            Value::Int(value) => i64::from(value),
            Value::Long(value) => value,
            _ => return unsupported("boxing a symbolic value whose box may be in a cache"),
        };
        let field = self.static_field(holder, "cache")?;
        let Value::Reference(cache) = self.get_static(state, field)? else {
            return bug("the cache of a box is no array");
        };
        let index = usize::try_from(number - lowest).ok();
        match index.and_then(|index| state.heap.get(cache, index)) {
            Some(Value::Reference(object)) => Flow::Continue(Some(object)),
            _ => Flow::Continue(None),
        }
    }

    /// The value in a box, as a value of another primitive type. What is no box, or not one whose
    /// values fit, is a `ClassCastException`.
    pub(crate) fn open_box(
        &mut self,
        state: &State<'p>,
        object: Reference,
        to: Primitive,
    ) -> Flow<Value> {
        if object.is_null() {
            return raise_bare("java/lang/NullPointerException");
        }
        let class = state.heap.class(object);
        match self.boxes(class) {
            Some(from) if widens(from, to) => {
                let value = self.field(state, object, "value")?;
                Flow::Continue(self.widened(value, to))
            }
            None if !self.is_number(class)? => {
                let number = self.class("java/lang/Number")?;
                self.bad_cast(class, number)
            }
            _ => {
                let to = wrapper(to).replace('/', ".");
                let from = self.java_name(class);
                raise("java/lang/ClassCastException", format!("Cannot cast {from} to {to}"))
            }
        }
    }

    fn is_number(&self, class: ClassId) -> Flow<bool> {
        let number = self.class("java/lang/Number")?;
        Flow::Continue(self.program.is_subtype(class, number))
    }

    /// A value as one of a wider primitive type.
    pub(crate) fn widened(&mut self, value: Value, to: Primitive) -> Value {
        use dalang_term::Sort;
        match (value, to) {
            (Value::Int(value), Primitive::Long) => Value::Long(value.into()),
            (Value::Int(value), Primitive::Float) => Value::Float(value as f32),
            (Value::Int(value), Primitive::Double) => Value::Double(value.into()),
            (Value::Long(value), Primitive::Float) => Value::Float(value as f32),
            (Value::Long(value), Primitive::Double) => Value::Double(value as f64),
            (Value::Float(value), Primitive::Double) => Value::Double(value.into()),
            (Value::Term(term), _) => {
                let sort = self.pool.sort(term);
                let term = match (to, sort.is_float()) {
                    (Primitive::Long, false) if sort.width() < 64 => {
                        self.pool.sign_extend(term, 64)
                    }
                    (Primitive::Float, false) => self.pool.signed_to_float(term, Sort::F32),
                    (Primitive::Double, false) => self.pool.signed_to_float(term, Sort::F64),
                    (Primitive::Double, true) => self.pool.float_to_float(term, Sort::F64),
                    _ => term,
                };
                self.value(term)
            }
            _ => self.fit(value, ValueType::Primitive(to)),
        }
    }

    /// The name that `Class.getName` gives.
    pub fn java_name(&self, class: ClassId) -> String {
        self.program.names().text(self.program.class(class).name).replace('/', ".")
    }
}
