//! What one node looks like, in Java's syntax and precedence.
//!
//! This is where derived forms come back: `!(!a && !b)` is shown as `a || b`, `!(a < b)` as
//! `a >= b`, `a + -b` as `a - b`. A negation is not part of a shape but of the way to it: it is
//! carried in [`Use`] and pushed down as far as it goes without changing the meaning (so not into
//! the comparisons of floats, where NaN makes both `a < b` and `a >= b` false).

use super::literal::{is_negative, literal};
use crate::{Node, Op, Pool, Rounding, Sort, TermId};
use std::borrow::Cow;

/// A term, or its negation; the term itself is not a `Not`.
#[derive(Clone, Copy)]
pub(super) struct Use {
    pub(super) term: TermId,
    pub(super) negated: bool,
}

impl Use {
    pub(super) fn of(pool: &Pool, term: TermId) -> Use {
        Use::with(pool, term, false)
    }

    fn with(pool: &Pool, mut term: TermId, mut negated: bool) -> Use {
        while pool.node(term).op == Op::Not {
            term = pool.node(term).arg(0);
            negated = !negated;
        }
        Use { term, negated }
    }
}

/// A part of a node's text.
pub(super) enum Piece {
    Text(&'static str),
    Word(String),
    /// An operand, in parentheses if it binds less tightly than this.
    Operand(Use, u8),
}

/// The text of one node and how tightly it binds.
pub(super) struct Shape {
    pub(super) precedence: u8,
    pub(super) pieces: Vec<Piece>,
}

const TERNARY: u8 = 1;
const OR: u8 = 2;
const AND: u8 = 3;
const BIT_OR: u8 = 4;
const BIT_XOR: u8 = 5;
const BIT_AND: u8 = 6;
const EQUALITY: u8 = 7;
const RELATION: u8 = 8;
const SHIFT: u8 = 9;
const SUM: u8 = 10;
const PRODUCT: u8 = 11;
/// Negations and negative literals bind as other unary operators do, but `--x` is another thing.
const NEGATIVE: u8 = 12;
const UNARY: u8 = 13;
const PRIMARY: u8 = 14;

/// The text of a term that is used like this.
pub(super) fn shape(pool: &Pool, used: Use) -> Shape {
    let node = pool.node(used.term);
    let show = Show { pool, node };
    if used.negated {
        return show.negated(used.term);
    }
    match node.op {
        Op::Const | Op::Symbol => show.leaf(used.term),
        Op::Ite => show.ite(),
        Op::Eq | Op::FEq => show.equality(false),
        Op::Slt | Op::Ult => show.relation(false),
        Op::FLt => show.binary(RELATION, " < ", Side::Neither),
        Op::FLe => show.binary(RELATION, " <= ", Side::Neither),
        Op::Not => show.prefix("!", UNARY, UNARY),
        Op::And => show.binary(AND, " && ", Side::Both),
        Op::Add | Op::FAdd => show.sum(),
        Op::Mul | Op::FMul => show.binary(PRODUCT, " * ", Side::Left),
        Op::SDiv | Op::FDiv => show.binary(PRODUCT, " / ", Side::Left),
        Op::SRem | Op::FRem => show.binary(PRODUCT, " % ", Side::Left),
        Op::UDiv => show.unsigned_binary(PRODUCT, " /u "),
        Op::URem => show.unsigned_binary(PRODUCT, " %u "),
        Op::Neg | Op::FNeg => show.prefix("-", NEGATIVE, UNARY),
        Op::BvNot => show.prefix("~", UNARY, NEGATIVE),
        Op::BvAnd => show.binary(BIT_AND, " & ", Side::Both),
        Op::BvOr => show.binary(BIT_OR, " | ", Side::Both),
        Op::BvXor => show.binary(BIT_XOR, " ^ ", Side::Both),
        Op::Shl => show.binary(SHIFT, " << ", Side::Left),
        Op::LShr => show.binary(SHIFT, " >>> ", Side::Left),
        Op::AShr => show.binary(SHIFT, " >> ", Side::Left),
        Op::Extract(low) => show.extract(low),
        Op::SignExtend | Op::SignedToFloat | Op::FloatToFloat | Op::FloatToSigned => show.cast(),
        Op::ZeroExtend => show.call(format!("zext{}", node.sort.width())),
        Op::Concat => show.call("concat"),
        Op::FSqrt => show.call("sqrt"),
        Op::FFma => show.call("fma"),
        Op::FAbs => show.call("abs"),
        Op::FMin => show.call("min"),
        Op::FMax => show.call("max"),
        Op::FRound(Rounding::Floor) => show.call("floor"),
        Op::FRound(Rounding::Ceil) => show.call("ceil"),
        Op::FRound(Rounding::Nearest) => show.call("rint"),
        Op::FRound(Rounding::Zero) => show.call("trunc"),
        Op::BitsToFloat if node.sort == Sort::F32 => show.call("intBitsToFloat"),
        Op::BitsToFloat => show.call("longBitsToDouble"),
        Op::FloatToBits => show.call("bits"),
    }
}

/// On which side an operand of the same precedence needs no parentheses.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Left,
    Both,
    Neither,
}

struct Show<'a> {
    pool: &'a Pool,
    node: Node,
}

impl Show<'_> {
    fn operand(&self, term: TermId, least: u8) -> Piece {
        Piece::Operand(Use::of(self.pool, term), least)
    }

    fn leaf(&self, term: TermId) -> Shape {
        let Some(bits) = self.pool.bits(term) else {
            let name = self.pool.as_symbol(term).map_or("?", |it| self.pool.symbol_name(it));
            return word(PRIMARY, name.to_owned());
        };
        let negative = is_negative(self.node.sort, bits);
        word(if negative { NEGATIVE } else { PRIMARY }, literal(self.node.sort, bits))
    }

    /// A Boolean term under a negation.
    fn negated(&self, term: TermId) -> Shape {
        match self.node.op {
            Op::And => {
                let [a, b] = [0, 1].map(|position| {
                    Piece::Operand(Use::with(self.pool, self.node.arg(position), true), OR)
                });
                Shape { precedence: OR, pieces: vec![a, Piece::Text(" || "), b] }
            }
            Op::Eq | Op::FEq => self.equality(true),
            Op::Slt | Op::Ult => self.relation(true),
            Op::Const => word(PRIMARY, literal(Sort::Bool, self.node.bits() ^ 1)),
            _ => {
                let inner = shape(self.pool, Use { term, negated: false });
                let mut pieces = vec![Piece::Text("!")];
                let parentheses = inner.precedence < UNARY;
                pieces.extend(parentheses.then_some(Piece::Text("(")));
                pieces.extend(inner.pieces);
                pieces.extend(parentheses.then_some(Piece::Text(")")));
                Shape { precedence: UNARY, pieces }
            }
        }
    }

    fn ite(&self) -> Shape {
        let [condition, then, otherwise] = [0, 1, 2].map(|position| self.node.arg(position));
        let pieces = vec![
            self.operand(condition, TERNARY + 1),
            Piece::Text(" ? "),
            self.operand(then, TERNARY),
            Piece::Text(" : "),
            self.operand(otherwise, TERNARY),
        ];
        Shape { precedence: TERNARY, pieces }
    }

    fn binary(&self, precedence: u8, operator: &'static str, free: Side) -> Shape {
        let left = precedence + u8::from(free == Side::Neither);
        let right = precedence + u8::from(free != Side::Both);
        let pieces = vec![
            self.operand(self.node.arg(0), left),
            Piece::Text(operator),
            self.operand(self.node.arg(1), right),
        ];
        Shape { precedence, pieces }
    }

    /// As `binary`, with constant operands read as unsigned.
    fn unsigned_binary(&self, precedence: u8, operator: &'static str) -> Shape {
        let [a, b] = [self.node.arg(0), self.node.arg(1)];
        let pieces = vec![
            self.unsigned_operand(a, precedence),
            Piece::Text(operator),
            self.unsigned_operand(b, precedence + 1),
        ];
        Shape { precedence, pieces }
    }

    fn unsigned_operand(&self, term: TermId, least: u8) -> Piece {
        match self.pool.bits(term) {
            Some(bits) => Piece::Word(bits.to_string()),
            None => self.operand(term, least),
        }
    }

    /// `Eq` is of bits, also for floats; `FEq` is Java's `==`.
    fn equality(&self, negated: bool) -> Shape {
        let [a, b] = [self.node.arg(0), self.node.arg(1)];
        if self.node.op == Op::FEq && a == b {
            let pieces = vec![
                Piece::Text(if negated { "isNaN(" } else { "!isNaN(" }),
                self.operand(a, TERNARY),
                Piece::Text(")"),
            ];
            return Shape { precedence: if negated { PRIMARY } else { UNARY }, pieces };
        }
        let operator = Piece::Text(if negated { " != " } else { " == " });
        let pieces = if self.node.op == Op::Eq && self.pool.sort(a).is_float() {
            vec![
                Piece::Text("bits("),
                self.operand(a, TERNARY),
                Piece::Text(")"),
                operator,
                Piece::Text("bits("),
                self.operand(b, TERNARY),
                Piece::Text(")"),
            ]
        } else {
            vec![self.operand(a, EQUALITY), operator, self.operand(b, EQUALITY + 1)]
        };
        Shape { precedence: EQUALITY, pieces }
    }

    /// A strict comparison or its negation, constants on the right.
    fn relation(&self, negated: bool) -> Shape {
        let [mut a, mut b] = [self.node.arg(0), self.node.arg(1)];
        let swapped = self.pool.bits(a).is_some();
        if swapped {
            (a, b) = (b, a);
        }
        let unsigned = self.node.op == Op::Ult;
        let operator = match (unsigned, swapped, negated) {
            (false, false, false) => " < ",
            (false, false, true) => " >= ",
            (false, true, false) => " > ",
            (false, true, true) => " <= ",
            (true, false, false) => " <u ",
            (true, false, true) => " >=u ",
            (true, true, false) => " >u ",
            (true, true, true) => " <=u ",
        };
        let least = RELATION + 1;
        let pieces = if unsigned {
            let [a, b] = [a, b].map(|operand| self.unsigned_operand(operand, least));
            vec![a, Piece::Text(operator), b]
        } else {
            vec![self.operand(a, least), Piece::Text(operator), self.operand(b, least)]
        };
        Shape { precedence: RELATION, pieces }
    }

    /// A sum, with an operand that is negated or negative subtracted instead.
    fn sum(&self) -> Shape {
        let [mut a, mut b] = [self.node.arg(0), self.node.arg(1)];
        if self.minuend(b).is_none() && self.minuend(a).is_some() {
            (a, b) = (b, a);
        }
        // A sum of floats is not associative, so its right operand shows where the sum ends.
        let exact = self.node.op == Op::Add;
        let (operator, right) = match self.minuend(b) {
            Some(piece) => (" - ", piece),
            None => (" + ", self.operand(b, if exact { SUM } else { SUM + 1 })),
        };
        Shape { precedence: SUM, pieces: vec![self.operand(a, SUM), Piece::Text(operator), right] }
    }

    /// What to subtract instead of adding this term.
    fn minuend(&self, term: TermId) -> Option<Piece> {
        let node = self.pool.node(term);
        match node.op {
            Op::Neg | Op::FNeg => Some(self.operand(node.arg(0), SUM + 1)),
            Op::Const if is_negative(node.sort, node.bits()) => {
                let text = literal(node.sort, node.bits());
                text.strip_prefix('-').map(|rest| Piece::Word(rest.to_owned()))
            }
            _ => None,
        }
    }

    fn prefix(&self, operator: &'static str, precedence: u8, least: u8) -> Shape {
        let operand = self.operand(self.node.arg(0), least);
        Shape { precedence, pieces: vec![Piece::Text(operator), operand] }
    }

    fn call(&self, name: impl Into<Cow<'static, str>>) -> Shape {
        let mut pieces = vec![named(name.into()), Piece::Text("(")];
        for (position, operand) in self.node.args().enumerate() {
            pieces.extend((position > 0).then_some(Piece::Text(", ")));
            pieces.push(self.operand(operand, TERNARY));
        }
        pieces.push(Piece::Text(")"));
        Shape { precedence: PRIMARY, pieces }
    }

    /// A conversion: Java's cast where the result has a Java type.
    fn cast(&self) -> Shape {
        match java_type(self.node.sort) {
            Some(cast) => self.prefix(cast, UNARY, NEGATIVE),
            None if self.node.op == Op::SignExtend => {
                self.call(format!("sext{}", self.node.sort.width()))
            }
            None => self.call(format!("toSigned{}", self.node.sort.width())),
        }
    }

    fn extract(&self, low: u8) -> Shape {
        if let (0, Some(cast)) = (low, java_type(self.node.sort)) {
            return self.prefix(cast, UNARY, NEGATIVE);
        }
        let high = u32::from(low) + self.node.sort.width() - 1;
        let pieces = vec![
            Piece::Text("extract("),
            self.operand(self.node.arg(0), TERNARY),
            Piece::Word(format!(", {high}, {low})")),
        ];
        Shape { precedence: PRIMARY, pieces }
    }
}

fn named(name: Cow<'static, str>) -> Piece {
    match name {
        Cow::Borrowed(text) => Piece::Text(text),
        Cow::Owned(word) => Piece::Word(word),
    }
}

fn word(precedence: u8, text: String) -> Shape {
    Shape { precedence, pieces: vec![Piece::Word(text)] }
}

fn java_type(sort: Sort) -> Option<&'static str> {
    match sort {
        Sort::BitVec(8) => Some("(byte) "),
        Sort::BitVec(16) => Some("(short) "),
        Sort::BitVec(32) => Some("(int) "),
        Sort::BitVec(64) => Some("(long) "),
        Sort::F32 => Some("(float) "),
        Sort::F64 => Some("(double) "),
        _ => None,
    }
}
