//! What one node is in SMT-LIB: an operator's text around its operands.
//!
//! One line per operator where SMT-LIB has the operator; a function where it is built from others.
//! Whether an operand is then written out or named is the business of whoever asked.

use super::{Key, View, smt_literal, smt_name};
use crate::{FloatFormat, Node, Op, Pool, Rounding, Sort};
use std::borrow::Cow;

/// A part of a node's text.
pub(super) enum Piece {
    Text(Cow<'static, str>),
    Operand(Key),
}

/// The text of a node.
pub(super) struct Expansion {
    pub(super) pieces: Vec<Piece>,
    /// No operands, and no longer than a name: never worth naming.
    pub(super) atom: bool,
    /// This is a fresh constant, and this must hold of it.
    pub(super) side: Option<Vec<Piece>>,
}

impl Expansion {
    /// The texts this one mentions, those of the side condition included.
    pub(super) fn operands(&self) -> impl DoubleEndedIterator<Item = Key> {
        let side = self.side.iter().flatten();
        self.pieces.iter().chain(side).filter_map(|piece| match piece {
            Piece::Operand(key) => Some(*key),
            Piece::Text(_) => None,
        })
    }
}

/// The text of a term in one of its views.
pub(super) fn expand(pool: &Pool, key: Key) -> Expansion {
    let node = pool.node(key.term);
    let expand = Expand { pool, node, key };
    match (key.view, node.sort.float_format()) {
        (View::Value, Some(format)) => expand.float_value(format),
        (View::Bits, Some(format)) => expand.float_bits(format),
        _ => expand.plain(),
    }
}

struct Expand<'a> {
    pool: &'a Pool,
    node: Node,
    key: Key,
}

impl Expand<'_> {
    /// A term that is no float.
    fn plain(&self) -> Expansion {
        let width = self.node.sort.width();
        match self.node.op {
            Op::Const => atom(smt_literal(self.node.sort, self.node.bits())),
            Op::Symbol => self.symbol(),
            Op::Eq if self.operand_sort().is_float() => self.call("=", View::Bits),
            Op::Eq => self.call("=", View::Value),
            Op::Ite => self.call("ite", View::Value),
            Op::Not => self.call("not", View::Value),
            Op::And => self.call("and", View::Value),
            Op::Add => self.call("bvadd", View::Value),
            Op::Mul => self.call("bvmul", View::Value),
            Op::Neg => self.call("bvneg", View::Value),
            Op::UDiv => self.call("bvudiv", View::Value),
            Op::SDiv => self.call("bvsdiv", View::Value),
            Op::URem => self.call("bvurem", View::Value),
            Op::SRem => self.call("bvsrem", View::Value),
            Op::BvNot => self.call("bvnot", View::Value),
            Op::BvAnd => self.call("bvand", View::Value),
            Op::BvOr => self.call("bvor", View::Value),
            Op::BvXor => self.call("bvxor", View::Value),
            Op::Shl => self.call("bvshl", View::Value),
            Op::LShr => self.call("bvlshr", View::Value),
            Op::AShr => self.call("bvashr", View::Value),
            Op::Ult => self.call("bvult", View::Value),
            Op::Slt => self.call("bvslt", View::Value),
            Op::Concat => self.call("concat", View::Value),
            Op::Extract(low) => {
                let high = u32::from(low) + width - 1;
                self.call(format!("(_ extract {high} {low})"), View::Value)
            }
            Op::ZeroExtend => self.call(format!("(_ zero_extend {})", self.grown()), View::Value),
            Op::SignExtend => self.call(format!("(_ sign_extend {})", self.grown()), View::Value),
            Op::FLt => self.call("fp.lt", View::Value),
            Op::FLe => self.call("fp.leq", View::Value),
            Op::FEq => self.call("fp.eq", View::Value),
            Op::FloatToBits => text(vec![self.operand(0, View::Bits)]),
            Op::FloatToSigned => self.float_to_signed(),
            _ => unreachable!("{:?} gives a float", self.node.op),
        }
    }

    /// A float as an SMT-LIB float.
    fn float_value(&self, format: FloatFormat) -> Expansion {
        match self.node.op {
            Op::Const | Op::Symbol => text(vec![
                word(format!("({} ", to_fp(format))),
                Piece::Operand(Key::bits(self.key.term)),
                word(")"),
            ]),
            Op::BitsToFloat => self.call(to_fp(format), View::Value),
            Op::Ite => self.call("ite", View::Value),
            Op::FNeg => self.call("fp.neg", View::Value),
            Op::FAbs => self.call("fp.abs", View::Value),
            Op::FAdd => self.call("fp.add RNE", View::Value),
            Op::FMul => self.call("fp.mul RNE", View::Value),
            Op::FDiv => self.call("fp.div RNE", View::Value),
            Op::FSqrt => self.call("fp.sqrt RNE", View::Value),
            Op::FFma => self.call("fp.fma RNE", View::Value),
            Op::FRem => self.remainder(format),
            Op::FMin | Op::FMax => self.extremum(format, View::Value),
            Op::FRound(Rounding::Floor) => self.call("fp.roundToIntegral RTN", View::Value),
            Op::FRound(Rounding::Ceil) => self.call("fp.roundToIntegral RTP", View::Value),
            Op::FRound(Rounding::Nearest) => self.call("fp.roundToIntegral RNE", View::Value),
            Op::FRound(Rounding::Zero) => self.call("fp.roundToIntegral RTZ", View::Value),
            Op::SignedToFloat | Op::FloatToFloat => {
                self.call(format!("{} RNE", to_fp(format)), View::Value)
            }
            _ => unreachable!("{:?} gives no float", self.node.op),
        }
    }

    /// The bits of a float.
    fn float_bits(&self, format: FloatFormat) -> Expansion {
        let sort = self.node.sort;
        let sign = format.sign_bit();
        match self.node.op {
            Op::Const => atom(smt_literal(sort, self.node.bits())),
            Op::Symbol => self.symbol(),
            Op::BitsToFloat => text(vec![self.operand(0, View::Value)]),
            Op::Ite => text(vec![
                word("(ite "),
                self.operand(0, View::Value),
                word(" "),
                self.operand(1, View::Bits),
                word(" "),
                self.operand(2, View::Bits),
                word(")"),
            ]),
            Op::FNeg => self.masked("bvxor", smt_literal(sort, sign)),
            Op::FAbs => self.masked("bvand", smt_literal(sort, !sign & sort.mask())),
            Op::FMin | Op::FMax => self.extremum(format, View::Bits),
            _ => self.computed(format),
        }
    }

    fn symbol(&self) -> Expansion {
        let name = self.pool.as_symbol(self.key.term).map(|symbol| smt_name(self.pool, symbol));
        atom(name.unwrap_or_default())
    }

    fn operand(&self, position: usize, view: View) -> Piece {
        Piece::Operand(Key { term: self.node.arg(position), view })
    }

    fn operand_sort(&self) -> Sort {
        self.pool.sort(self.node.arg(0))
    }

    /// By how many bits an extension widens.
    fn grown(&self) -> u32 {
        self.node.sort.width() - self.operand_sort().width()
    }

    fn call(&self, operator: impl Into<Cow<'static, str>>, view: View) -> Expansion {
        let mut pieces = vec![word("("), Piece::Text(operator.into())];
        for position in 0..self.node.op.arity() {
            pieces.push(word(" "));
            pieces.push(self.operand(position, view));
        }
        pieces.push(word(")"));
        text(pieces)
    }

    /// The bits of the operand combined with a mask.
    fn masked(&self, operator: &str, mask: String) -> Expansion {
        let open = format!("({operator} ");
        text(vec![word(open), self.operand(0, View::Bits), word(" "), word(mask), word(")")])
    }

    /// A fresh constant for the bits of a computed float, with its side condition.
    fn computed(&self, format: FloatFormat) -> Expansion {
        let bits = self.key.name();
        let value = || Piece::Operand(Key::value(self.key.term));
        let canonical = smt_literal(self.node.sort, format.canonical_nan());
        let side = vec![
            word(format!("(and (= ({} {bits}) ", to_fp(format))),
            value(),
            word(") (=> (fp.isNaN "),
            value(),
            word(format!(") (= {bits} {canonical})))")),
        ];
        Expansion { pieces: vec![word(bits)], atom: true, side: Some(side) }
    }

    /// `Math.min` and `Math.max`: NaN if either is, -0 below +0.
    fn extremum(&self, format: FloatFormat, view: View) -> Expansion {
        let (first, preferred) = match self.node.op {
            Op::FMin => ("fp.lt", "fp.isNegative"),
            _ => ("fp.gt", "fp.isPositive"),
        };
        let nan = match view {
            View::Value => nan(format),
            View::Bits => smt_literal(self.node.sort, format.canonical_nan()),
        };
        let value = |position| self.operand(position, View::Value);
        // Two equal floats that are not one are the zeros, told apart by their sign.
        text(vec![
            word("(ite (or (fp.isNaN "),
            value(0),
            word(") (fp.isNaN "),
            value(1),
            word(format!(")) {nan} (ite (or ({first} ")),
            value(0),
            word(" "),
            value(1),
            word(") (and (fp.eq "),
            value(0),
            word(" "),
            value(1),
            word(format!(") ({preferred} ")),
            value(0),
            word("))) "),
            self.operand(0, view),
            word(" "),
            self.operand(1, view),
            word("))"),
        ])
    }

    /// C's `fmod` and Java's `%`.
    ///
    /// `fp.rem` of the absolute values lies within half a divisor around zero; adding the divisor
    /// to a negative one is exact, because the sum is a multiple of the smaller operand's last place
    /// and below the divisor. NaN, infinities and zero divisors are decided first.
    fn remainder(&self, format: FloatFormat) -> Expansion {
        let [x, y] = [0, 1].map(|position| move || self.operand(position, View::Value));
        text(vec![
            word("(ite (or (fp.isNaN "),
            x(),
            word(") (fp.isNaN "),
            y(),
            word(") (fp.isInfinite "),
            x(),
            word(") (fp.isZero "),
            y(),
            word(format!(")) {} (ite (or (fp.isInfinite ", nan(format))),
            y(),
            word(") (fp.lt (fp.abs "),
            x(),
            word(") (fp.abs "),
            y(),
            word("))) "),
            x(),
            word(" (let (($r (fp.rem (fp.abs "),
            x(),
            word(") (fp.abs "),
            y(),
            word(")))) (let (($m (fp.abs (ite (fp.isNegative $r) (fp.add RNE $r (fp.abs "),
            y(),
            word(")) $r)))) (ite (fp.isNegative "),
            x(),
            word(") (fp.neg $m) $m)))))"),
        ])
    }

    /// Java's conversion: towards zero, saturating, NaN to zero.
    ///
    /// The bounds are powers of two, exact in both formats. A float beyond the lowest integer by
    /// less than one is rounded to it either way.
    fn float_to_signed(&self) -> Expansion {
        let sort = self.node.sort;
        let width = sort.width();
        let lowest = 1_u64 << (width - 1);
        let bound = |sign: f64| match self.operand_sort() {
            Sort::F32 => smt_literal(Sort::F32, u64::from((sign as f32 * lowest as f32).to_bits())),
            _ => smt_literal(Sort::F64, (sign * lowest as f64).to_bits()),
        };
        let format = self.operand_sort().float_format().unwrap_or(FloatFormat::BINARY64);
        let read = to_fp(format);
        let x = || self.operand(0, View::Value);
        text(vec![
            word("(ite (fp.isNaN "),
            x(),
            word(format!(") {} (ite (fp.leq ", smt_literal(sort, 0))),
            x(),
            word(format!(" ({read} {})) {} (ite (fp.geq ", bound(-1.0), smt_literal(sort, lowest))),
            x(),
            word(format!(
                " ({read} {})) {} ((_ fp.to_sbv {width}) RTZ ",
                bound(1.0),
                smt_literal(sort, lowest - 1)
            )),
            x(),
            word("))))"),
        ])
    }
}

fn to_fp(format: FloatFormat) -> String {
    format!("(_ to_fp {} {})", format.exponent, format.fraction + 1)
}

fn nan(format: FloatFormat) -> String {
    format!("(_ NaN {} {})", format.exponent, format.fraction + 1)
}

fn word(text: impl Into<Cow<'static, str>>) -> Piece {
    Piece::Text(text.into())
}

fn text(pieces: Vec<Piece>) -> Expansion {
    Expansion { pieces, atom: false, side: None }
}

fn atom(text: String) -> Expansion {
    Expansion { pieces: vec![word(text)], atom: true, side: None }
}
