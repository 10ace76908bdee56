//! Rules for `Eq` of every sort.
//!
//! Most of them take an invertible operator off one side or the same one off both. They do it in one
//! loop (`equality/strip.rs`), because a rule that took off one operator and built an equality
//! again would recurse as deep as the term.

mod strip;

use super::Rule;
use super::float::exact_narrowing;
use super::pattern::{
    both_ways, branches, followable, operand, operands, right_constant, width, with_constant,
};
use super::polynomial::equal;
use crate::rewrite::comparison::highest;
use crate::{Node, Op, Pool, Sort, TermId};
use strip::strip;

pub(super) const EQ: &[Rule] = &[
    Rule { name: "equality/same", apply: same },
    Rule { name: "equality/with-true", apply: with_true },
    Rule { name: "equality/with-false", apply: with_false },
    Rule { name: "equality/negated", apply: negated },
    Rule { name: "equality/bit-one", apply: bit_one },
    Rule { name: "equality/sum-constant", apply: sum_constant },
    Rule { name: "equality/sum-constants", apply: sum_constants },
    Rule { name: "equality/shared-addend", apply: shared_addend },
    Rule { name: "equality/addend-alone", apply: addend_alone },
    Rule { name: "equality/difference-zero", apply: difference_zero },
    Rule { name: "equality/negation-constant", apply: negation_constant },
    Rule { name: "equality/negations", apply: negations },
    Rule { name: "equality/complement-constant", apply: complement_constant },
    Rule { name: "equality/complements", apply: complements },
    Rule { name: "equality/xor-constant", apply: xor_constant },
    Rule { name: "equality/shared-xor", apply: shared_xor },
    Rule { name: "equality/xor-alone", apply: xor_alone },
    Rule { name: "equality/xor-zero", apply: xor_zero },
    Rule { name: "equality/odd-product-constant", apply: odd_product_constant },
    Rule { name: "equality/extension-constant", apply: extension_constant },
    Rule { name: "equality/extensions", apply: extensions },
    Rule { name: "equality/cast-constant", apply: cast_constant },
    Rule { name: "equality/casts", apply: casts },
    Rule { name: "equality/float-negation-constant", apply: float_negation_constant },
    Rule { name: "equality/widened-constant", apply: widened_constant },
    Rule { name: "equality/concat-constant", apply: concat_constant },
    Rule { name: "equality/out-of-range", apply: out_of_range },
    Rule { name: "equality/mask-misses", apply: mask_misses },
    Rule { name: "equality/ite-constant", apply: ite_constant },
    Rule { name: "equality/ite-branch", apply: ite_branch },
    Rule { name: "equality/ites-same-condition", apply: ites_same_condition },
    Rule { name: "equality/polynomial", apply: equal },
];

/// match: `a == a`
/// result: `true`
/// side condition: none
fn same(_: &mut Pool, node: Node) -> Option<TermId> {
    (node.arg(0) == node.arg(1)).then_some(Pool::TRUE)
}

/// match: `a == true`
/// result: `a`
/// side condition: none
fn with_true(_: &mut Pool, node: Node) -> Option<TermId> {
    (node.arg(1) == Pool::TRUE).then(|| node.arg(0))
}

/// match: `a == false`
/// result: `!a`
/// side condition: none
fn with_false(pool: &mut Pool, node: Node) -> Option<TermId> {
    (node.arg(1) == Pool::FALSE).then(|| pool.not(node.arg(0)))
}

/// match: `!a == b`
/// result: `!(a == b)`
/// side condition: none
fn negated(pool: &mut Pool, node: Node) -> Option<TermId> {
    both_ways(node).into_iter().find_map(|(a, b)| {
        let inner = operand(pool, a, Op::Not)?;
        let equal = pool.eq(inner, b);
        Some(pool.not(equal))
    })
}

/// match: `x == 1`
/// result: `!(x == 0)`
/// side condition: `x` has one bit
fn bit_one(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, k) = right_constant(pool, node)?;
    if pool.sort(x) != Sort::BitVec(1) || k == 0 {
        return None;
    }
    let zero = pool.bitvec(1, 0);
    Some(pool.ne(x, zero))
}

/// match: `x + c == k`
/// result: `x == k - c`
/// side condition: `c` and `k` are constants
fn sum_constant(pool: &mut Pool, node: Node) -> Option<TermId> {
    strip(pool, node, strip::sum_constant)
}

/// match: `x + c == y + d`
/// result: `x + (c - d) == y`
/// side condition: `c` and `d` are constants
fn sum_constants(pool: &mut Pool, node: Node) -> Option<TermId> {
    strip(pool, node, strip::sum_constants)
}

/// match: `x + y == x + z`
/// result: `y == z`
/// side condition: none
fn shared_addend(pool: &mut Pool, node: Node) -> Option<TermId> {
    strip(pool, node, strip::shared_addend)
}

/// match: `x + y == x`
/// result: `y == 0`
/// side condition: none
fn addend_alone(pool: &mut Pool, node: Node) -> Option<TermId> {
    strip(pool, node, strip::addend_alone)
}

/// match: `x + -y == 0`
/// result: `x == y`
/// side condition: none
fn difference_zero(pool: &mut Pool, node: Node) -> Option<TermId> {
    strip(pool, node, strip::difference_zero)
}

/// match: `-x == k`
/// result: `x == -k`
/// side condition: `k` is a constant
fn negation_constant(pool: &mut Pool, node: Node) -> Option<TermId> {
    strip(pool, node, strip::negation_constant)
}

/// match: `-x == -y`
/// result: `x == y`
/// side condition: none
fn negations(pool: &mut Pool, node: Node) -> Option<TermId> {
    strip(pool, node, strip::negations)
}

/// match: `~x == k`
/// result: `x == ~k`
/// side condition: `k` is a constant
fn complement_constant(pool: &mut Pool, node: Node) -> Option<TermId> {
    strip(pool, node, strip::complement_constant)
}

/// match: `~x == ~y`
/// result: `x == y`
/// side condition: none
fn complements(pool: &mut Pool, node: Node) -> Option<TermId> {
    strip(pool, node, strip::complements)
}

/// match: `x ^ c == k`
/// result: `x == k ^ c`
/// side condition: `c` and `k` are constants
fn xor_constant(pool: &mut Pool, node: Node) -> Option<TermId> {
    strip(pool, node, strip::xor_constant)
}

/// match: `x ^ y == x ^ z`
/// result: `y == z`
/// side condition: none
fn shared_xor(pool: &mut Pool, node: Node) -> Option<TermId> {
    strip(pool, node, strip::shared_xor)
}

/// match: `x ^ y == x`
/// result: `y == 0`
/// side condition: none
fn xor_alone(pool: &mut Pool, node: Node) -> Option<TermId> {
    strip(pool, node, strip::xor_alone)
}

/// match: `x ^ y == 0`
/// result: `x == y`
/// side condition: none
fn xor_zero(pool: &mut Pool, node: Node) -> Option<TermId> {
    strip(pool, node, strip::xor_zero)
}

/// match: `x * c == k`
/// result: `x == k * c^-1`
/// side condition: `c` and `k` are constants, `c` is odd and so has an inverse modulo 2^w
fn odd_product_constant(pool: &mut Pool, node: Node) -> Option<TermId> {
    strip(pool, node, strip::odd_product_constant)
}

/// match: `extend(x) == k`
/// result: `x ==` the low bits of `k`, or `false` when `k` is not extended from them
/// side condition: `k` is a constant
fn extension_constant(pool: &mut Pool, node: Node) -> Option<TermId> {
    strip(pool, node, strip::extension_constant)
}

/// match: `extend(x) == extend(y)`
/// result: `x == y`, the narrower extended to the width of the wider
/// side condition: both are zero extensions or both are sign extensions
fn extensions(pool: &mut Pool, node: Node) -> Option<TermId> {
    strip(pool, node, strip::extensions)
}

/// match: `bits_to_float(x) == k`, `float_to_bits(x) == k`
/// result: `x == k` in the sort of `x`
/// side condition: `k` is a constant
fn cast_constant(pool: &mut Pool, node: Node) -> Option<TermId> {
    strip(pool, node, strip::cast_constant)
}

/// match: `bits_to_float(x) == bits_to_float(y)`, `float_to_bits(x) == float_to_bits(y)`
/// result: `x == y`
/// side condition: none
fn casts(pool: &mut Pool, node: Node) -> Option<TermId> {
    strip(pool, node, strip::casts)
}

/// match: `-x == k`, `-x == -y` on floats
/// result: `x == -k`, `x == y`
/// side condition: `k` is a constant
fn float_negation_constant(pool: &mut Pool, node: Node) -> Option<TermId> {
    strip(pool, node, strip::float_negation)
}

/// match: `(double) x == k`, bit by bit
/// result: `x == (float) k`, or `false` when no float is `k`
/// side condition: `k` is a constant and no NaN
fn widened_constant(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (a, k) = right_constant(pool, node)?;
    let x = operand(pool, a, Op::FloatToFloat)?;
    if pool.sort(a) != Sort::F64 || f64::from_bits(k).is_nan() {
        return None;
    }
    let Some(narrow) = exact_narrowing(k) else {
        return Some(Pool::FALSE);
    };
    let narrow = pool.constant(Sort::F32, narrow);
    Some(pool.eq(x, narrow))
}

/// match: `concat(a, b) == k`
/// result: `a ==` the high bits of `k` `&& b ==` the low bits
/// side condition: `k` is a constant
fn concat_constant(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (joined, k) = right_constant(pool, node)?;
    let [a, b] = operands(pool, joined, Op::Concat)?;
    let (high, low) = (width(pool, a), width(pool, b));
    let high = pool.bitvec(high, k >> low);
    let low = pool.bitvec(low, k);
    let (high_equal, low_equal) = (pool.eq(a, high), pool.eq(b, low));
    Some(pool.and(high_equal, low_equal))
}

/// match: `x == k`
/// result: `false`
/// side condition: `k` is a constant above what the top operator of `x` can give (a mask, a logical
/// shift, an unsigned remainder)
fn out_of_range(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (x, k) = right_constant(pool, node)?;
    (k > highest(pool, x)?).then_some(Pool::FALSE)
}

/// match: `(x & c) == k`, `(x | c) == k`, `(x << n) == k`
/// result: `false`
/// side condition: `c`, `n` and `k` are constants and `k` has a bit that the operator clears or lacks
/// one that it sets
fn mask_misses(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (a, k) = right_constant(pool, node)?;
    let missed = if let Some((_, c)) = with_constant(pool, a, Op::BvAnd) {
        k & !c != 0
    } else if let Some((_, c)) = with_constant(pool, a, Op::BvOr) {
        c & !k != 0
    } else if let Some((_, n)) = with_constant(pool, a, Op::Shl) {
        n < 64 && k & ((1 << n) - 1) != 0
    } else {
        false
    };
    missed.then_some(Pool::FALSE)
}

/// match: `(c ? j : b) == k`, `(c ? a : j) == k`
/// result: `c || b == k` when `j` is `k`, else `!c && b == k`; `!c || a == k`, `c && a == k`
/// side condition: `j` and `k` are constants, the chain is not deeper than `Pool::ITE_DEPTH`
fn ite_constant(pool: &mut Pool, node: Node) -> Option<TermId> {
    let (chain, k) = (node.arg(0), node.arg(1));
    pool.bits(k)?;
    let [c, a, b] = branches(pool, chain).filter(|_| followable(pool, chain))?;
    if pool.bits(a).is_none() && pool.bits(b).is_none() {
        return None;
    }
    let (then, otherwise) = (pool.eq(a, k), pool.eq(b, k));
    Some(pool.ite(c, then, otherwise))
}

/// match: `(c ? a : b) == a`, `(c ? a : b) == b`
/// result: `c || b == a`, `!c || a == b`
/// side condition: the chain is not deeper than `Pool::ITE_DEPTH`
fn ite_branch(pool: &mut Pool, node: Node) -> Option<TermId> {
    both_ways(node).into_iter().find_map(|(chain, other)| {
        let [c, a, b] = branches(pool, chain).filter(|_| followable(pool, chain))?;
        if other != a && other != b {
            return None;
        }
        let equal = pool.eq(a, b);
        Some(if other == a { pool.or(c, equal) } else { pool.implies(c, equal) })
    })
}

/// match: `(c ? a : b) == (c ? d : e)`
/// result: `c ? a == d : b == e`
/// side condition: `a == d` or `b == e` is decided at once (the same term or two constants), so that
/// the result is smaller; the chains are not deeper than `Pool::ITE_DEPTH`
fn ites_same_condition(pool: &mut Pool, node: Node) -> Option<TermId> {
    let [first, second] = [node.arg(0), node.arg(1)];
    let [c, a, b] = branches(pool, first).filter(|_| followable(pool, first))?;
    let [f, d, e] = branches(pool, second).filter(|_| followable(pool, second))?;
    let decided =
        |x: TermId, y: TermId| x == y || (pool.bits(x).is_some() && pool.bits(y).is_some());
    if c != f || !(decided(a, d) || decided(b, e)) {
        return None;
    }
    let (then, otherwise) = (pool.eq(a, d), pool.eq(b, e));
    Some(pool.ite(c, then, otherwise))
}
