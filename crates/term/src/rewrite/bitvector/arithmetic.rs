//! Rules for `Add`, `Mul` and `Neg`.
//!
//! A sum has its constant outermost; a product by a power of two is a shift; what else is a multiple
//! of one term is a product with a constant or a negation.

use crate::rewrite::Rule;
use crate::rewrite::ite::LIFT_CONSTANTS;
use crate::rewrite::pattern::{
    beside, both_ways, complement, operand, operands, right_constant, with_constant,
};
use crate::{Node, Op, Pool, TermId};

pub(in crate::rewrite) const ADD: &[Rule] = &[
    Rule { name: "bitvector/add-zero", apply: add_zero },
    Rule { name: "bitvector/add-constants", apply: add_constants },
    Rule { name: "bitvector/add-complement-constant", apply: add_complement_constant },
    Rule { name: "bitvector/add-complement", apply: add_complement },
    Rule { name: "bitvector/add-multiples", apply: add_multiples },
    Rule { name: "bitvector/add-cancel-negation", apply: add_cancel_negation },
    Rule { name: "bitvector/add-cancel-sum", apply: add_cancel_sum },
    Rule { name: "bitvector/add-quotient-remainder", apply: add_quotient_remainder },
    Rule { name: "bitvector/add-remainder", apply: add_remainder },
    Rule { name: "bitvector/add-constant-outermost", apply: add_constant_outermost },
    LIFT_CONSTANTS,
];

pub(in crate::rewrite) const MUL: &[Rule] = &[
    Rule { name: "bitvector/mul-zero", apply: mul_zero },
    Rule { name: "bitvector/mul-one", apply: mul_one },
    Rule { name: "bitvector/mul-minus-one", apply: mul_minus_one },
    Rule { name: "bitvector/mul-multiple", apply: mul_multiple },
    Rule { name: "bitvector/mul-power-of-two", apply: mul_power_of_two },
    Rule { name: "bitvector/mul-constant-outermost", apply: mul_constant_outermost },
    LIFT_CONSTANTS,
];

pub(in crate::rewrite) const NEG: &[Rule] = &[
    Rule { name: "bitvector/neg-neg", apply: neg_neg },
    Rule { name: "bitvector/neg-multiple", apply: neg_multiple },
    Rule { name: "bitvector/neg-complement", apply: neg_complement },
    Rule { name: "bitvector/neg-sum-constant", apply: neg_sum_constant },
    Rule { name: "bitvector/neg-difference", apply: neg_difference },
    LIFT_CONSTANTS,
];

/// A term as a multiple of another: the other and the factor.
fn multiple(pool: &Pool, term: TermId) -> (TermId, u64) {
    if let Some(inner) = operand(pool, term, Op::Neg) {
        return (inner, u64::MAX);
    }
    if let Some(product) = with_constant(pool, term, Op::Mul) {
        return product;
    }
    match with_constant(pool, term, Op::Shl) {
        Some((inner, distance)) if distance < 64 => (inner, 1 << distance),
        Some((inner, _)) => (inner, 0),
        None => (term, 1),
    }
}

/// `x * factor`, the factor taken modulo the width.
fn scale(pool: &mut Pool, x: TermId, factor: u64) -> TermId {
    let factor = pool.constant(pool.sort(x), factor);
    pool.mul(x, factor)
}

fn plus(pool: &mut Pool, x: TermId, addend: u64) -> TermId {
    let addend = pool.constant(pool.sort(x), addend);
    pool.add(x, addend)
}

/// match: `x + 0`
/// result: `x`
/// side condition: none
fn add_zero(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, c) = right_constant(pool, node)?;
    (c == 0).then_some(x)
}

/// match: `(x + c) + d`
/// result: `x + (c + d)`
/// side condition: `c` and `d` are constants
fn add_constants(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (sum, d) = right_constant(pool, node)?;
    let (x, c) = with_constant(pool, sum, Op::Add)?;
    Some(plus(pool, x, c.wrapping_add(d)))
}

/// match: `~x + c`
/// result: `-x + (c - 1)`
/// side condition: `c` is a constant
fn add_complement_constant(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (a, c) = right_constant(pool, node)?;
    let x = operand(pool, a, Op::BvNot)?;
    let negated = pool.neg(x);
    Some(plus(pool, negated, c.wrapping_sub(1)))
}

/// match: `x + ~x`
/// result: `-1`
/// side condition: none
fn add_complement(pool: &mut Pool, node: Node) -> Option<TermId> {
    let found = complement(pool, node.arg(0), node.arg(1));
    found.then(|| pool.constant(node.sort, u64::MAX))
}

/// match: `x * c + x * d`
/// result: `x * (c + d)`
/// side condition: `c` and `d` are constants; a negation, a shift by a constant and a plain term
/// count as products, so `x + -x` is `0` and `x + x` is `x << 1`
fn add_multiples(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (a, b) = (node.arg(0), node.arg(1));
    let ((x, c), (y, d)) = (multiple(pool, a), multiple(pool, b));
    // `x + (x * c)` where the product is not of `x` but is `x`'s own text.
    let (x, c, d) = match () {
        () if pool.bits(a).is_some() || pool.bits(b).is_some() => return None,
        () if x == y => (x, c, d),
        () if a == y => (a, 1, d),
        () if x == b => (b, c, 1),
        () => return None,
    };
    Some(scale(pool, x, c.wrapping_add(d)))
}

/// match: `(x + y) + -y`, `(x + -y) + y`
/// result: `x`
/// side condition: none
fn add_cancel_negation(pool: &mut Pool, node: Node) -> Option<TermId> {
    both_ways(node).into_iter().find_map(|(sum, addend)| {
        if let Some(y) = operand(pool, addend, Op::Neg) {
            return beside(pool, sum, Op::Add, y);
        }
        let [p, q] = operands(pool, sum, Op::Add)?;
        if operand(pool, q, Op::Neg) == Some(addend) {
            return Some(p);
        }
        (operand(pool, p, Op::Neg) == Some(addend)).then_some(q)
    })
}

/// match: `y + -(x + y)`
/// result: `-x`
/// side condition: none
fn add_cancel_sum(pool: &mut Pool, node: Node) -> Option<TermId> {
    both_ways(node).into_iter().find_map(|(y, negation)| {
        let sum = operand(pool, negation, Op::Neg)?;
        let x = beside(pool, sum, Op::Add, y)?;
        Some(pool.neg(x))
    })
}

/// match: `(a / b) * b + a % b`, signed or unsigned
/// result: `a`
/// side condition: none (a zero divisor gives `0 + a`, and nothing overflows but the smallest number by
/// `-1`, whose product is right again)
fn add_quotient_remainder(pool: &mut Pool, node: Node) -> Option<TermId> {
    both_ways(node).into_iter().find_map(|(product, remainder)| {
        let remainder = pool.node(remainder);
        let op = match remainder.op {
            Op::SRem => Op::SDiv,
            Op::URem => Op::UDiv,
            _ => return None,
        };
        let (a, b) = (remainder.arg(0), remainder.arg(1));
        (rounded(pool, product, 1) == Some((op, a, b))).then_some(a)
    })
}

/// match: `a + -((a / b) * b)`, signed or unsigned
/// result: `a % b`
/// side condition: none
fn add_remainder(pool: &mut Pool, node: Node) -> Option<TermId> {
    both_ways(node).into_iter().find_map(|(a, negation)| {
        let (op, dividend, b) = match operand(pool, negation, Op::Neg) {
            Some(product) => rounded(pool, product, 1)?,
            None => rounded(pool, negation, u64::MAX)?,
        };
        (dividend == a).then(|| match op {
            Op::SDiv => pool.srem(a, b),
            _ => pool.urem(a, b),
        })
    })
}

/// The operator, the dividend and the divisor of `(a / b) * b`, or of a multiple of it by `sign` where
/// the divisor is a constant.
fn rounded(pool: &Pool, product: TermId, sign: u64) -> Option<(Op, TermId, TermId)> {
    let quotient = |term: TermId, divisor: TermId| {
        let node = pool.node(term);
        let divides = matches!(node.op, Op::SDiv | Op::UDiv) && node.arg(1) == divisor;
        divides.then(|| (node.op, node.arg(0), divisor))
    };
    if sign == 1
        && let Some([x, y]) = operands(pool, product, Op::Mul)
        && let Some(found) = quotient(x, y).or_else(|| quotient(y, x))
    {
        return Some(found);
    }
    // A product with a constant may be a shift or a negation by now.
    let (x, factor) = multiple(pool, product);
    let node = pool.node(x);
    if !matches!(node.op, Op::SDiv | Op::UDiv) {
        return None;
    }
    let divisor = pool.bits(node.arg(1))?;
    let same = divisor.wrapping_mul(sign).wrapping_sub(factor) & node.sort.mask() == 0;
    same.then(|| (node.op, node.arg(0), node.arg(1)))
}

/// match: `(x + c) + y`
/// result: `(x + y) + c`
/// side condition: `c` is a constant, `y` is not
fn add_constant_outermost(pool: &mut Pool, node: Node) -> Option<TermId> {
    both_ways(node).into_iter().find_map(|(sum, y)| {
        let (x, c) = with_constant(pool, sum, Op::Add)?;
        if pool.bits(y).is_some() {
            return None;
        }
        let inner = pool.add(x, y);
        Some(plus(pool, inner, c))
    })
}

/// match: `x * 0`
/// result: `0`
/// side condition: none
fn mul_zero(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (_, c) = right_constant(pool, node)?;
    (c == 0).then(|| node.arg(1))
}

/// match: `x * 1`
/// result: `x`
/// side condition: none
fn mul_one(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, c) = right_constant(pool, node)?;
    (c == 1).then_some(x)
}

/// match: `x * -1`
/// result: `-x`
/// side condition: none
fn mul_minus_one(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, c) = right_constant(pool, node)?;
    (c == node.sort.mask()).then(|| pool.neg(x))
}

/// match: `(x * c) * d`
/// result: `x * (c * d)`
/// side condition: `c` and `d` are constants; a negation and a shift by a constant count as products
fn mul_multiple(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (product, d) = right_constant(pool, node)?;
    let (x, c) = multiple(pool, product);
    (x != product).then(|| scale(pool, x, c.wrapping_mul(d)))
}

/// match: `x * 2^n`
/// result: `x << n`
/// side condition: none
fn mul_power_of_two(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, c) = right_constant(pool, node).filter(|(_, c)| c.is_power_of_two())?;
    let distance = pool.constant(node.sort, u64::from(c.trailing_zeros()));
    Some(pool.shl(x, distance))
}

/// match: `(x * c) * y`
/// result: `(x * y) * c`
/// side condition: `c` is a constant, `y` is not; a negation and a shift by a constant count as
/// products
fn mul_constant_outermost(pool: &mut Pool, node: Node) -> Option<TermId> {
    both_ways(node).into_iter().find_map(|(product, y)| {
        let (x, c) = multiple(pool, product);
        if x == product || pool.bits(y).is_some() {
            return None;
        }
        let inner = pool.mul(x, y);
        Some(scale(pool, inner, c))
    })
}

/// match: `--x`
/// result: `x`
/// side condition: none
fn neg_neg(pool: &mut Pool, node: Node) -> Option<TermId> {
    operand(pool, node.arg(0), Op::Neg)
}

/// match: `-(x * c)`, `-(x << n)`
/// result: `x * -c`, `x * -2^n`
/// side condition: `c` and `n` are constants
fn neg_multiple(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, c) = multiple(pool, node.arg(0));
    (x != node.arg(0)).then(|| scale(pool, x, c.wrapping_neg()))
}

/// match: `-~x`
/// result: `x + 1`
/// side condition: none
fn neg_complement(pool: &mut Pool, node: Node) -> Option<TermId> {
    let x = operand(pool, node.arg(0), Op::BvNot)?;
    Some(plus(pool, x, 1))
}

/// match: `-(x + c)`
/// result: `-x + -c`
/// side condition: `c` is a constant
fn neg_sum_constant(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, c) = with_constant(pool, node.arg(0), Op::Add)?;
    let negated = pool.neg(x);
    Some(plus(pool, negated, c.wrapping_neg()))
}

/// match: `-(x + -y)`
/// result: `y + -x`
/// side condition: `x` is no sum, so that the negation goes no deeper
fn neg_difference(pool: &mut Pool, node: Node) -> Option<TermId> {
    let [p, q] = operands(pool, node.arg(0), Op::Add)?;
    [(p, q), (q, p)].into_iter().find_map(|(x, negation)| {
        let y = operand(pool, negation, Op::Neg)?;
        if pool.node(x).op == Op::Add {
            return None;
        }
        let negated = pool.neg(x);
        Some(pool.add(y, negated))
    })
}
