//! `SwitchBootstraps`: which label of a `switch` over patterns fits an object.

use crate::dynamic::Request;
use crate::flow::{Flow, linked, malformed, raise, unsupported};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, Constant, DynamicRefId, Primitive, ValueType};
use dalang_heap::{Need, Reference, Value};

/// The labels of a switch, in order.
#[derive(Debug)]
pub(crate) struct Labels {
    labels: Vec<Label>,
}

/// A label.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Label {
    /// Objects of this class.
    Class(ClassId),
    /// This string.
    Text(Box<[u16]>),
    /// This number, whatever wrapper it is in.
    Number(i32),
    /// The constant with this name of an enum; none is the enum that the switch is over.
    Enum(Option<ClassId>, Box<[u16]>),
    /// Everything: the primitive type that the switch is over.
    Always,
    /// Nothing: an enum that cannot be had.
    Never,
}

impl<'p> Machine<'p> {
    pub(crate) fn link_switch(&mut self, request: Request<'p>, over_enum: bool) -> Flow<Labels> {
        let over = request.reference.signature.as_ref().and_then(|own| own.parameters.first());
        let Some(&over) = over else { return malformed("a switch over nothing") };
        let mut labels = Vec::new();
        for index in 0..request.arguments.len() {
            if let ValueType::Primitive(primitive) = over {
                labels.push(self.primitive_label(request, index, primitive)?);
                continue;
            }
            labels.push(match self.static_argument(request, index)? {
                Constant::Class(class) => {
                    Label::Class(linked(self.program.resolve_class(request.user, class))?)
                }
                Constant::String(text) if over_enum => Label::Enum(None, text.to_utf16().into()),
                Constant::String(text) => Label::Text(text.to_utf16().into()),
                Constant::Int(value) => Label::Number(value),
                Constant::Dynamic(id) => self.described_label(request.user, id)?,
                _ => return unsupported("a label of this type in a switch over patterns"),
            });
        }
        Flow::Continue(Labels { labels })
    }

    /// A label of a switch over a primitive type: without preview features, that type.
    fn primitive_label(&self, request: Request<'p>, index: usize, over: Primitive) -> Flow<Label> {
        if let Constant::Dynamic(id) = self.static_argument(request, index)? {
            let (label, bootstrap) = self.request(request.user, None, id)?;
            let name = self.program.names().text(label.reference.name);
            if bootstrap == "java.lang.invoke.ConstantBootstraps.primitiveClass"
                && name.chars().eq([over.letter()])
            {
                return Flow::Continue(Label::Always);
            }
        }
        unsupported(format!("a switch over patterns for a {}", over.keyword()))
    }

    /// The label that `EnumDesc.of(ClassDesc.of(class), name)` describes.
    fn described_label(&mut self, user: ClassId, id: DynamicRefId) -> Flow<Label> {
        let request = self.invocation(user, id, "java.lang.Enum$EnumDesc.of")?;
        let (class, name) = (self.static_argument(request, 1)?, self.static_argument(request, 2)?);
        let (Constant::Dynamic(class), Constant::String(name)) = (class, name) else {
            return unsupported("a label of this form in a switch over patterns");
        };
        let request = self.invocation(user, class, "java.lang.constant.ClassDesc.of")?;
        let Constant::String(class) = self.static_argument(request, 1)? else {
            return unsupported("a label of this form in a switch over patterns");
        };
        // The library looks the class up when it compares, and takes a failure for a difference.
        let class = self.program.load(&class.to_str().replace('.', "/"));
        Flow::Continue(match class {
            Ok(class) => Label::Enum(Some(class), name.to_utf16().into()),
            Err(_) => Label::Never,
        })
    }

    /// A dynamic constant that is what a certain method gives.
    fn invocation(&self, user: ClassId, id: DynamicRefId, method: &str) -> Flow<Request<'p>> {
        let (request, bootstrap) = self.request(user, None, id)?;
        if bootstrap != "java.lang.invoke.ConstantBootstraps.invoke" {
            return unsupported(format!("the bootstrap method {bootstrap} in a switch"));
        }
        let handle = self.handle_argument(request, 0)?;
        let crate::handle::Member::Method(called) = handle.member else {
            return unsupported("a label of a switch that is a field");
        };
        let called = self.program.method(called);
        let class = self.program.class_spelling(called.class);
        let spelling = format!("{class}.{}", self.program.names().text(called.name));
        if spelling != method {
            return unsupported(format!("a label of a switch made by {spelling}"));
        }
        Flow::Continue(request)
    }

    /// Replaces an object and the label to begin with, on top of the operand stack, by the number
    /// of the label that fits.
    pub(crate) fn switch_label(&mut self, state: &mut State<'p>, labels: &Labels) -> Flow {
        let start = self.concrete_int(state.peek(0))?;
        let count = labels.labels.len();
        let Some(start) = usize::try_from(start).ok().filter(|&start| start <= count) else {
            let message = format!("Index {start} out of bounds for length {}", count + 1);
            return raise("java/lang/IndexOutOfBoundsException", message);
        };
        let value = self.needed(state, state.peek(1), Need::Nullness)?;
        let mut found = if value == Value::NULL { -1 } else { count as i32 };
        for (place, label) in labels.labels.iter().enumerate().skip(start) {
            let fits = match label {
                _ if value == Value::NULL => false,
                Label::Always => true,
                Label::Class(class) => self.is_of(state, value, *class)?,
                _ => {
                    let object = self.non_null(state, value)?;
                    self.fits(state, object, label)?
                }
            };
            if fits {
                found = place as i32;
                break;
            }
        }
        state.replace(2, Value::Int(found));
        Flow::Continue(())
    }

    /// Whether an object is of a type, of which no more is asked for than that.
    fn is_of(&mut self, state: &mut State<'p>, value: Value, class: ClassId) -> Flow<bool> {
        if let Some(is) = self.symbolic_instanceof(state, value, class)? {
            return Flow::Continue(is);
        }
        let object = self.non_null(state, value)?;
        Flow::Continue(self.program.is_subtype(state.heap.class(object), class))
    }

    fn fits(&mut self, state: &mut State<'p>, object: Reference, label: &Label) -> Flow<bool> {
        let class = state.heap.class(object);
        Flow::Continue(match label {
            Label::Class(label) => self.program.is_subtype(class, *label),
            Label::Text(text) => {
                class == self.known.string && *self.utf16(state, object)? == **text
            }
            Label::Number(number) => {
                let name = self.program.names().text(self.program.class(class).name);
                let is_small = matches!(
                    name,
                    "java/lang/Integer"
                        | "java/lang/Character"
                        | "java/lang/Short"
                        | "java/lang/Byte"
                );
                if !is_small {
                    return Flow::Continue(false);
                }
                match self.field(state, object, "value")? {
                    Value::Int(value) => value == *number,
                    value => {
                        let (value, number) = (self.term(value), self.pool.int(*number));
                        let equal = self.pool.eq(value, number);
                        return self.decide(state, equal);
                    }
                }
            }
            Label::Enum(of, name) => {
                let is_one = of.is_none_or(|of| self.program.is_subtype(class, of));
                is_one && self.is_constant(state, object, name)?
            }
            Label::Always => true,
            Label::Never => false,
        })
    }

    /// Whether a constant of an enum has this name.
    fn is_constant(&self, state: &State<'p>, object: Reference, name: &[u16]) -> Flow<bool> {
        match self.field(state, object, "name")? {
            Value::Reference(own) if !own.is_null() => {
                self.utf16(state, own).map_continue(|own| own == name)
            }
            _ => Flow::Continue(false),
        }
    }
}
