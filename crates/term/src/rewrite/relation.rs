//! What one truth value says about another: the facts behind the rules of `And` and `Ite`.
//!
//! Two comparisons of the same two terms are sets of outcomes (less, equal, greater, unordered); two
//! comparisons of one term with constants are sets of values. A set within another decides it, a
//! set apart from another refutes it, and an intersection is sometimes one comparison again.
//!
//! Invariant: only the top of a term is looked at (a negation, a conjunction, a comparison), so the
//! cost is constant.

use super::pattern::{literal, operands};
use crate::{Op, Pool, Sort, TermId};

/// The truth of `query` where `fact` holds, as far as it is seen at a glance.
pub(super) fn decides(pool: &Pool, fact: TermId, query: TermId) -> Option<bool> {
    decides_whole(pool, literal(pool, fact), query).or_else(|| {
        let [p, q] = operands(pool, fact, Op::And)?;
        let by = |part| decides_whole(pool, literal(pool, part), query);
        by(p).or_else(|| by(q))
    })
}

/// The truth of `query` where `fact` does not hold; `fact` is not a negation.
pub(super) fn refuted_decides(pool: &Pool, fact: TermId, query: TermId) -> Option<bool> {
    decides_whole(pool, (fact, false), query)
}

fn decides_whole(pool: &Pool, fact: Literal, query: TermId) -> Option<bool> {
    let (base, holds) = literal(pool, query);
    decides_literal(pool, fact, (base, holds)).or_else(|| {
        let parts = operands(pool, base, Op::And)?;
        match parts.map(|part| decides_literal(pool, fact, literal(pool, part))) {
            [Some(false), _] | [_, Some(false)] => Some(!holds),
            [Some(true), Some(true)] => Some(holds),
            _ => None,
        }
    })
}

/// A truth value and whether it holds.
type Literal = (TermId, bool);

fn decides_literal(pool: &Pool, fact: Literal, query: Literal) -> Option<bool> {
    if fact.0 == query.0 {
        return Some(fact.1 == query.1);
    }
    let of_values = || {
        let (_, fact, query) = values_of_one(pool, fact, query)?;
        fact.decides(query)
    };
    let of_outcomes = || {
        let (_, fact, query) = outcomes_of_one(pool, fact, query)?;
        (fact & !query == 0).then_some(true).or((fact & query == 0).then_some(false))
    };
    of_outcomes().or_else(of_values)
}

/// `a && b` as one comparison, when it is one.
pub(super) fn intersect_outcomes(pool: &mut Pool, a: TermId, b: TermId) -> Option<TermId> {
    let (pair, a, b) = outcomes_of_one(pool, literal(pool, a), literal(pool, b))?;
    pair.build(pool, a & b).or_else(|| {
        let outside = pair.build(pool, pair.order.universe() & !(a & b))?;
        Some(pool.not(outside))
    })
}

/// `a && b` as one comparison with a constant, when it is one.
pub(super) fn intersect_values(pool: &mut Pool, a: TermId, b: TermId) -> Option<TermId> {
    let (subject, a, b) = values_of_one(pool, literal(pool, a), literal(pool, b))?;
    subject.build(pool, a.intersect(b)?)
}

/// Which order a comparison is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Signed,
    Unsigned,
    Float,
    /// Bitwise equality: fits either order of integers, but not the order of floats.
    Any,
}

const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;
const UNORDERED: u8 = 8;

impl Order {
    fn universe(self) -> u8 {
        if self == Order::Float {
            LESS | EQUAL | GREATER | UNORDERED
        } else {
            LESS | EQUAL | GREATER
        }
    }

    fn join(self, other: Order) -> Option<Order> {
        match (self, other) {
            (a, b) if a == b => Some(a),
            (Order::Any, b) | (b, Order::Any) if b != Order::Float => Some(b),
            _ => None,
        }
    }
}

/// The operator's order and the outcomes for which it is true.
fn outcomes(op: Op) -> Option<(Order, u8)> {
    match op {
        Op::Eq => Some((Order::Any, EQUAL)),
        Op::Slt => Some((Order::Signed, LESS)),
        Op::Ult => Some((Order::Unsigned, LESS)),
        Op::FLt => Some((Order::Float, LESS)),
        Op::FLe => Some((Order::Float, LESS | EQUAL)),
        Op::FEq => Some((Order::Float, EQUAL)),
        _ => None,
    }
}

/// Two terms that are compared.
#[derive(Clone, Copy)]
struct Pair {
    order: Order,
    a: TermId,
    b: TermId,
}

impl Pair {
    fn build(self, pool: &mut Pool, outcomes: u8) -> Option<TermId> {
        const AT_MOST: u8 = LESS | EQUAL;
        const AT_LEAST: u8 = GREATER | EQUAL;
        let Pair { order, a, b } = self;
        let built = match (order, outcomes) {
            (_, 0) => Pool::FALSE,
            (Order::Float, EQUAL) => pool.feq(a, b),
            (Order::Float, LESS) => pool.flt(a, b),
            (Order::Float, GREATER) => pool.flt(b, a),
            (Order::Float, AT_MOST) => pool.fle(a, b),
            (Order::Float, AT_LEAST) => pool.fle(b, a),
            (Order::Signed, LESS) => pool.slt(a, b),
            (Order::Signed, GREATER) => pool.slt(b, a),
            (Order::Unsigned, LESS) => pool.ult(a, b),
            (Order::Unsigned, GREATER) => pool.ult(b, a),
            (_, EQUAL) => pool.eq(a, b),
            _ => return None,
        };
        Some(built)
    }
}

/// Two comparisons of one pair, as sets of outcomes.
fn outcomes_of_one(pool: &Pool, a: Literal, b: Literal) -> Option<(Pair, u8, u8)> {
    let (first, second) = (pool.node(a.0), pool.node(b.0));
    let (first_order, first_set) = outcomes(first.op)?;
    let (second_order, second_set) = outcomes(second.op)?;
    let order = first_order.join(second_order)?;
    let pair = Pair { order, a: first.arg(0), b: first.arg(1) };
    let second_set = match (second.arg(0), second.arg(1)) {
        (x, y) if (x, y) == (pair.a, pair.b) => second_set,
        (x, y) if (y, x) == (pair.a, pair.b) => mirror(second_set),
        _ => return None,
    };
    let of = |set: u8, holds: bool| if holds { set } else { order.universe() & !set };
    Some((pair, of(first_set, a.1), of(second_set, b.1)))
}

fn mirror(set: u8) -> u8 {
    set & (EQUAL | UNORDERED) | (set & LESS) << 2 | (set & GREATER) >> 2
}

/// Values in increasing order from zero: an interval, or all but one.
#[derive(Clone, Copy)]
enum Values {
    Between(u64, u64),
    Except(u64),
}

impl Values {
    fn decides(self, query: Values) -> Option<bool> {
        use Values::{Between, Except};
        match (self, query) {
            (Between(low, high), Between(from, to)) if from <= low && high <= to => Some(true),
            (Between(low, high), Between(from, to)) if high < from || to < low => Some(false),
            (Between(low, high), Except(out)) if out < low || high < out => Some(true),
            (Between(low, high), Except(out)) if low == out && high == out => Some(false),
            (Except(out), Between(from, to)) if from == out && to == out => Some(false),
            _ => None,
        }
    }

    fn intersect(self, other: Values) -> Option<Values> {
        use Values::{Between, Except};
        match (self, other) {
            (Between(a, b), Between(c, d)) => Some(Between(a.max(c), b.min(d))),
            (Between(low, high), Except(out)) | (Except(out), Between(low, high)) if low < high => {
                match out {
                    _ if out == low => Some(Between(low + 1, high)),
                    _ if out == high => Some(Between(low, high - 1)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// A term that is compared with constants.
struct Subject {
    term: TermId,
    order: Order,
    sort: Sort,
}

impl Subject {
    /// Between bits and positions in the order, both ways.
    fn position(&self, bits: u64) -> u64 {
        let signed = self.order == Order::Signed;
        if signed { bits ^ 1 << (self.sort.width() - 1) } else { bits }
    }

    fn values(&self, op: Op, bits: u64, holds: bool) -> Option<Values> {
        let position = self.position(bits);
        match (op, holds) {
            (Op::Eq, true) => Some(Values::Between(position, position)),
            (Op::Eq, false) => Some(Values::Except(position)),
            (_, true) => Some(Values::Between(0, position.checked_sub(1)?)),
            (_, false) => Some(Values::Between(position, self.sort.mask())),
        }
    }

    fn build(&self, pool: &mut Pool, values: Values) -> Option<TermId> {
        let Values::Between(low, high) = values else {
            return None;
        };
        let mut constant = |position| pool.constant(self.sort, self.position(position));
        let (low_term, above) = (constant(low), constant(high.wrapping_add(1) & self.sort.mask()));
        let mut below = |bound| match self.order {
            Order::Signed => Some(pool.slt(self.term, bound)),
            Order::Unsigned => Some(pool.ult(self.term, bound)),
            Order::Float | Order::Any => None,
        };
        if low > high {
            Some(Pool::FALSE)
        } else if low == high {
            Some(pool.eq(self.term, low_term))
        } else if low == 0 && high < self.sort.mask() {
            below(above)
        } else if high == self.sort.mask() {
            let below_low = below(low_term)?;
            Some(pool.not(below_low))
        } else {
            None
        }
    }
}

/// Two comparisons of one term with constants, as sets of values.
fn values_of_one(pool: &Pool, a: Literal, b: Literal) -> Option<(Subject, Values, Values)> {
    let (first, second) = (pool.node(a.0), pool.node(b.0));
    let order = outcomes(first.op)?.0.join(outcomes(second.op)?.0)?;
    if order == Order::Float || first.arg(0) != second.arg(0) {
        return None;
    }
    let (first_bits, second_bits) = (pool.bits(first.arg(1))?, pool.bits(second.arg(1))?);
    let subject = Subject { term: first.arg(0), order, sort: pool.sort(first.arg(0)) };
    let first_values = subject.values(first.op, first_bits, a.1)?;
    let second_values = subject.values(second.op, second_bits, b.1)?;
    Some((subject, first_values, second_values))
}
