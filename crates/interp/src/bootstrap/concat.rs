//! `StringConcatFactory`: concatenation of strings.
//!
//! If all arguments are text, `null`, or primitive values other than `float` and `double`, the
//! string is made at once. Otherwise a hidden frame asks Java for the text of the others, from left
//! to right.

mod text;

use crate::call::Call;
use crate::dynamic::{Request, Site};
use crate::flow::{Flow, Outcome, bug, malformed, unsupported};
use crate::frame::Then;
use crate::machine::Machine;
use crate::state::State;
use crate::steps::returned;
use dalang_classes::{Constant, Primitive, ValueType};
use dalang_heap::{Reference, Text, Value};
use text::Units;

/// A part of a concatenation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Text that is always the same.
    Text(Box<[u16]>),
    /// The next argument.
    Argument,
}

/// What a concatenation consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Concat {
    pub(crate) pieces: Vec<Piece>,
    /// The types of the arguments.
    pub(crate) types: Box<[ValueType]>,
}

impl Concat {
    /// `makeConcat`: the arguments, one after the other.
    pub(crate) fn new(request: Request<'_>) -> Flow<Self> {
        let Some(signature) = &request.reference.signature else {
            return bug("a concatenation is made by a constant");
        };
        let types = signature.parameters.clone();
        let pieces = vec![Piece::Argument; types.len()];
        Flow::Continue(Self { pieces, types })
    }
}

const ARGUMENT: u16 = 1;
const CONSTANT: u16 = 2;

/// The parts that a recipe describes: `\1` stands for an argument, `\2` for a constant. None if
/// there are too few constants.
fn parse(recipe: &[u16], constants: &[Vec<u16>]) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut text = Vec::new();
    let mut constants = constants.iter();
    for &unit in recipe {
        match unit {
            ARGUMENT => {
                flush(&mut text, &mut pieces);
                pieces.push(Piece::Argument);
            }
            CONSTANT => text.extend(constants.next()?),
            _ => text.push(unit),
        }
    }
    flush(&mut text, &mut pieces);
    Some(pieces)
}

fn flush(text: &mut Vec<u16>, pieces: &mut Vec<Piece>) {
    if !text.is_empty() {
        pieces.push(Piece::Text(std::mem::take(text).into()));
    }
}

impl<'p> Machine<'p> {
    /// `makeConcatWithConstants`: as a recipe says.
    pub(crate) fn link_recipe(&mut self, request: Request<'p>) -> Flow<Concat> {
        let mut concat = Concat::new(request)?;
        let Constant::String(recipe) = self.static_argument(request, 0)? else {
            return malformed("a concatenation has no recipe");
        };
        let mut constants = Vec::new();
        for index in 1..request.arguments.len() {
            constants.push(match self.static_argument(request, index)? {
                Constant::String(text) => text.to_utf16(),
                Constant::Int(value) => value.to_string().encode_utf16().collect(),
                Constant::Long(value) => value.to_string().encode_utf16().collect(),
                _ => return unsupported("a constant of this type in a concatenation"),
            });
        }
        let Some(pieces) = parse(&recipe.to_utf16(), &constants) else {
            return malformed("a concatenation has too few constants");
        };
        let slots = pieces.iter().filter(|&piece| *piece == Piece::Argument).count();
        if slots != concat.types.len() {
            return malformed("a concatenation has another number of arguments than its recipe");
        }
        concat.pieces = pieces;
        Flow::Continue(concat)
    }

    /// Replaces the arguments of a concatenation, on top of the operand stack, by its result.
    pub(crate) fn concatenate(&mut self, state: &mut State<'p>, concat: &Concat) -> Flow {
        let count = concat.types.len();
        if matches!(concat.types[..], [ValueType::Primitive(Primitive::Boolean)])
            && concat.pieces.len() == 1
        {
            return self.spell_boolean(state);
        }
        let arguments = state.values[state.top - count..state.top].iter().zip(&concat.types);
        if !arguments.into_iter().all(|(&value, &kind)| self.is_text(state, value, kind)) {
            return self.enter_hidden(state, run, count, Then::Deliver);
        }
        let string = self.join(state, concat, state.top - count)?;
        state.drop(count);
        state.push(string.into());
        state.frame_mut().pc += 1;
        Flow::Continue(())
    }

    /// A truth value alone: the library gives the constant that `String.valueOf` does.
    fn spell_boolean(&mut self, state: &mut State<'p>) -> Flow {
        let value = self.term(state.values[state.top - 1]);
        let zero = self.pool.int(0);
        let is_false = self.pool.eq(value, zero);
        let text = if self.decide(state, is_false)? { "false" } else { "true" };
        let string = self.intern(state, text)?;
        state.drop(1);
        state.push(string.into());
        state.frame_mut().pc += 1;
        Flow::Continue(())
    }

    /// Whether the text of a value is known without calling a method.
    fn is_text(&self, state: &State<'p>, value: Value, kind: ValueType) -> bool {
        match value {
            Value::Int(_) | Value::Long(_) => true,
            Value::Reference(reference) => {
                reference.is_null() || state.heap.class(reference) == self.known.string
            }
            Value::Term(_) => !matches!(
                kind,
                ValueType::Reference(_)
                    | ValueType::Primitive(Primitive::Float | Primitive::Double)
            ),
            _ => false,
        }
    }

    /// Whether a value holds terms.
    fn is_symbolic_text(&self, state: &State<'p>, value: Value) -> bool {
        match value {
            Value::Term(_) => true,
            Value::Reference(string) => !string.is_null() && self.is_symbolic_string(state, string),
            _ => false,
        }
    }

    /// The string of a concatenation in which there are terms.
    #[cold]
    fn join_symbolic(
        &mut self,
        state: &mut State<'p>,
        concat: &Concat,
        place: usize,
    ) -> Flow<Reference> {
        let mut texts = Vec::with_capacity(concat.pieces.len());
        let mut arguments = concat.types.iter().enumerate();
        for piece in &concat.pieces {
            texts.push(match piece {
                Piece::Text(text) => self.constant_text(text),
                Piece::Argument => {
                    let Some((index, &kind)) = arguments.next() else {
                        return bug("a concatenation has too few arguments");
                    };
                    self.text_of_argument(state, state.values[place + index], kind)?
                }
            });
        }
        let whole = self.joined_all(&texts)?;
        self.new_text(state, whole)
    }

    fn text_of_argument(
        &mut self,
        state: &mut State<'p>,
        value: Value,
        kind: ValueType,
    ) -> Flow<Text> {
        match (value, kind) {
            (Value::Term(term), ValueType::Primitive(Primitive::Char)) => {
                let (length, unit) = (self.pool.int(1), self.pool.extract(term, 15, 0));
                Flow::Continue(Text { length, units: [unit].into(), narrow: false })
            }
            (Value::Term(term), ValueType::Primitive(Primitive::Boolean)) => {
                let zero = self.pool.int(0);
                let is = self.pool.ne(term, zero);
                Flow::Continue(self.truth(is))
            }
            (Value::Term(term), ValueType::Primitive(_)) => Flow::Continue(self.decimal(term)),
            (Value::Reference(string), _)
                if !string.is_null() && self.is_symbolic_string(state, string) =>
            {
                self.whole_text(state, string)
            }
            _ => {
                let mut units = Units::default();
                self.append(state, &mut units, value, kind)?;
                Flow::Continue(self.constant_text(&units.wide()))
            }
        }
    }

    /// `true` or `false`
    pub fn truth(&mut self, is: dalang_term::TermId) -> Text {
        let [yes, no] = ["true", "false"].map(|text| text.encode_utf16().collect::<Vec<_>>());
        let (yes, no) = (self.constant_text(&yes), self.constant_text(&no));
        Text::either(&mut self.pool, is, &yes, &no)
    }

    /// The string of a concatenation whose arguments, from a place of the stack on, are text.
    fn join(&mut self, state: &mut State<'p>, concat: &Concat, place: usize) -> Flow<Reference> {
        let arguments = &state.values[place..place + concat.types.len()];
        if arguments.iter().any(|&value| self.is_symbolic_text(state, value)) {
            return self.join_symbolic(state, concat, place);
        }
        let mut units = Units::default();
        let mut arguments = concat.types.iter().enumerate();
        for piece in &concat.pieces {
            match piece {
                Piece::Text(text) => units.extend(text),
                Piece::Argument => {
                    let Some((index, &kind)) = arguments.next() else {
                        return bug("a concatenation has too few arguments");
                    };
                    self.append(state, &mut units, state.values[place + index], kind)?;
                }
            }
        }
        match units {
            Units::Narrow(bytes) => self.new_latin1(state, bytes.into()),
            Units::Wide(units) => self.new_utf16(state, &units),
        }
    }

    fn append(&self, state: &State<'p>, units: &mut Units, value: Value, kind: ValueType) -> Flow {
        match (value, kind) {
            (Value::Int(value), ValueType::Primitive(Primitive::Boolean)) => {
                units.ascii(if value & 1 == 1 { "true" } else { "false" });
            }
            (Value::Int(value), ValueType::Primitive(Primitive::Char)) => {
                units.extend(&[value as u16]);
            }
            (Value::Int(value), _) => units.ascii(&value.to_string()),
            (Value::Long(value), _) => units.ascii(&value.to_string()),
            (Value::Reference(Reference::NULL), _) => units.ascii("null"),
            (Value::Reference(string), _) => match self.latin1(state, string) {
                Some(bytes) => units.latin1(bytes),
                None => units.extend(&self.utf16(state, string)?),
            },
            _ => return bug("a concatenation has an argument that is no text"),
        }
        Flow::Continue(())
    }
}

/// Given the arguments of a concatenation; saves what is text for each of them.
fn run(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    step(call, Outcome::Returned(None))
}

fn step(call: &mut Call<'_, '_>, _: Outcome) -> Flow<Option<Value>> {
    let concat = match call.machine.linked_site(call.site())? {
        Site::Concat(concat) => concat,
        Site::Record(method) => method.text()?,
        _ => return bug("a call site concatenates that should not"),
    };
    while call.saved_count() < call.arguments() {
        let kind = concat.types[call.saved_count()];
        let value = call.argument(call.saved_count());
        let value = call.machine.resolved(call.state, value)?;
        if call.machine.is_text(call.state, value, kind) {
            call.save(value);
            continue;
        }
        return match value {
            Value::Term(_) => unsupported("the text of a symbolic floating-point number"),
            Value::Float(_) => value_of(call, "(F)Ljava/lang/String;", value),
            Value::Double(_) => value_of(call, "(D)Ljava/lang/String;", value),
            Value::Reference(_) => {
                let object = call.machine.known.object;
                let method = call.machine.method(object, "toString", "()Ljava/lang/String;")?;
                call.invoke_virtual(method, &[value], stringified)
            }
            _ => bug("a concatenation has an argument of no type"),
        };
    }
    let place = call.state.frame().floor as usize;
    let string = call.machine.join(call.state, &concat, place)?;
    Flow::Continue(Some(string.into()))
}

fn value_of<T>(call: &mut Call<'_, '_>, descriptor: &str, value: Value) -> Flow<T> {
    let method = call.machine.method(call.machine.known.string, "valueOf", descriptor)?;
    call.invoke(method, &[value], stringified)
}

fn stringified(call: &mut Call<'_, '_>, outcome: Outcome) -> Flow<Option<Value>> {
    let value = returned(outcome)?;
    call.save(value.unwrap_or(Value::NULL));
    call.go_on(step);
    step(call, Outcome::Returned(None))
}

#[cfg(test)]
mod tests {
    use super::{Piece, parse};

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    #[test]
    fn recipes() {
        let text = |text: &str| Piece::Text(units(text).into());
        let parsed = parse(&units("a\u{1}bc\u{2}d\u{1}\u{1}"), &[units("\u{1}!")]).unwrap();
        let expected =
            [text("a"), Piece::Argument, text("bc\u{1}!d"), Piece::Argument, Piece::Argument];
        assert_eq!(parsed, expected);
        assert_eq!(parse(&[], &[]), Some(vec![]));
        assert_eq!(parse(&units("\u{2}"), &[]), None);
    }
}
