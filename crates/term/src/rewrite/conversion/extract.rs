//! Rules for `Extract`.
//!
//! An extraction is a window on a term. Most rules move the window to an operand that holds all of
//! it; they go on in one loop, because through rotations a window can travel as deep as the term.

use crate::rewrite::Rule;
use crate::rewrite::ite::LIFT_CONSTANTS;
use crate::rewrite::pattern::{operand, width, with_constant};
use crate::{Node, Op, Pool, Sort, TermId};

pub(in crate::rewrite) const EXTRACT: &[Rule] = &[
    Rule { name: "conversion/extract-all", apply: extract_all },
    Rule { name: "conversion/extract-extract", apply: extract_extract },
    Rule { name: "conversion/extract-concat", apply: extract_concat },
    Rule { name: "conversion/extract-extension", apply: extract_extension },
    Rule { name: "conversion/extract-shift", apply: extract_shift },
    Rule { name: "conversion/extract-zeros", apply: extract_zeros },
    Rule { name: "conversion/extract-part-zero-extension", apply: extract_part_zero_extension },
    Rule { name: "conversion/extract-part-sign-extension", apply: extract_part_sign_extension },
    Rule { name: "conversion/extract-signs", apply: extract_signs },
    Rule { name: "conversion/extract-bitwise", apply: extract_bitwise },
    Rule { name: "conversion/extract-low-arithmetic", apply: extract_low_arithmetic },
    Rule { name: "conversion/extract-division", apply: extract_division },
    LIFT_CONSTANTS,
];

/// Some bits of a term: those from `low` up.
#[derive(Clone, Copy)]
struct Window {
    term: TermId,
    low: u8,
    bits: u8,
}

type Step = fn(&Pool, Window) -> Option<Window>;

const STEPS: &[Step] = &[into_extract, into_concat, into_extension, into_shift];

impl Window {
    fn of(pool: &Pool, node: Node) -> Option<Window> {
        let Op::Extract(low) = node.op else {
            return None;
        };
        let bits = node.sort.width() as u8;
        debug_assert!(low + bits <= width(pool, node.arg(0)));
        Some(Window { term: node.arg(0), low, bits })
    }

    /// The position above the highest bit.
    fn end(self) -> u8 {
        self.low + self.bits
    }

    fn build(self, pool: &mut Pool) -> TermId {
        pool.extract(self.term, self.end() - 1, self.low)
    }
}

/// The extraction after this step and all that fit after it; `None` when this step does not fit.
fn travel(pool: &mut Pool, node: Node, first: Step) -> Option<TermId> {
    let mut window = first(pool, Window::of(pool, node)?)?;
    while let Some(next) = STEPS.iter().find_map(|step| step(pool, window)) {
        window = next;
    }
    Some(window.build(pool))
}

fn into_extract(pool: &Pool, window: Window) -> Option<Window> {
    let node = pool.node(window.term);
    let Op::Extract(low) = node.op else {
        return None;
    };
    Some(Window { term: node.arg(0), low: window.low + low, ..window })
}

fn into_concat(pool: &Pool, window: Window) -> Option<Window> {
    let node = pool.node(window.term);
    if node.op != Op::Concat {
        return None;
    }
    let (high, low) = (node.arg(0), node.arg(1));
    let border = width(pool, low);
    if window.low >= border {
        return Some(Window { term: high, low: window.low - border, ..window });
    }
    (window.end() <= border).then_some(Window { term: low, ..window })
}

fn into_extension(pool: &Pool, window: Window) -> Option<Window> {
    let node = pool.node(window.term);
    if !matches!(node.op, Op::ZeroExtend | Op::SignExtend) {
        return None;
    }
    let inner = width(pool, node.arg(0));
    if window.end() <= inner {
        return Some(Window { term: node.arg(0), ..window });
    }
    // One bit of the extension is the sign itself.
    let sign = node.op == Op::SignExtend && window.bits == 1;
    sign.then(|| Window { term: node.arg(0), low: inner - 1, bits: 1 })
}

fn into_shift(pool: &Pool, window: Window) -> Option<Window> {
    let op = pool.node(window.term).op;
    if !matches!(op, Op::Shl | Op::LShr | Op::AShr) {
        return None;
    }
    let (x, n) = with_constant(pool, window.term, op)?;
    let low = match op {
        Op::Shl => u64::from(window.low).checked_sub(n)?,
        _ => u64::from(window.low).checked_add(n)?,
    };
    let fits = low.checked_add(u64::from(window.bits))? <= u64::from(width(pool, x));
    fits.then_some(Window { term: x, low: low as u8, ..window })
}

/// match: `x[w-1..0]`
/// result: `x`
/// side condition: `w` is the width of `x`
fn extract_all(pool: &mut Pool, node: Node) -> Option<TermId> {
    (pool.sort(node.arg(0)) == node.sort).then(|| node.arg(0))
}

/// match: `x[h..l][i..j]`
/// result: `x[l+i..l+j]`
/// side condition: none
fn extract_extract(pool: &mut Pool, node: Node) -> Option<TermId> {
    travel(pool, node, into_extract)
}

/// match: `concat(a, b)[i..j]`
/// result: the bits of `a` or of `b`
/// side condition: all of them are in one of the two
fn extract_concat(pool: &mut Pool, node: Node) -> Option<TermId> {
    travel(pool, node, into_concat)
}

/// match: `extend(x)[i..j]`
/// result: `x[i..j]`, or the sign of `x` when one copy of it is extracted
/// side condition: all of them are in `x`, or it is one copy of the sign
fn extract_extension(pool: &mut Pool, node: Node) -> Option<TermId> {
    travel(pool, node, into_extension)
}

/// match: `(x << n)[i..j]`, `(x >>> n)[i..j]`, `(x >> n)[i..j]`
/// result: `x[i-n..j-n]`, `x[i+n..j+n]`
/// side condition: `n` is a constant and all bits are bits of `x`
fn extract_shift(pool: &mut Pool, node: Node) -> Option<TermId> {
    travel(pool, node, into_shift)
}

/// match: `zero_extend(x)[i..j]`, `(x << n)[i..j]`, `(x >>> n)[i..j]`
/// result: `0`
/// side condition: none of the bits are bits of `x`; `n` is a constant
fn extract_zeros(pool: &mut Pool, node: Node) -> Option<TermId> {
    let Window { term, low, bits } = Window::of(pool, node)?;
    let inner = pool.node(term);
    let shifted = |op| with_constant(pool, term, op).map(|(_, n)| n);
    let zeros = match inner.op {
        Op::ZeroExtend => low >= width(pool, inner.arg(0)),
        Op::Shl => u64::from(low + bits) <= shifted(Op::Shl)?,
        Op::LShr => u64::from(low).saturating_add(shifted(Op::LShr)?) >= inner.sort.width().into(),
        _ => false,
    };
    zeros.then(|| pool.constant(node.sort, 0))
}

/// The bits of `x` in a window on its extension that also covers some of the added bits.
fn covered(pool: &mut Pool, node: Node, extension: Op) -> Option<TermId> {
    let window = Window::of(pool, node)?;
    let inner = pool.node(window.term);
    if inner.op != extension {
        return None;
    }
    let end = width(pool, inner.arg(0));
    let covers = window.low < end && end < window.end();
    covers.then(|| pool.extract(inner.arg(0), end - 1, window.low))
}

/// match: `zero_extend(x)[i..j]`
/// result: `zero_extend(x[w-1..j])`
/// side condition: some of the bits are in `x`, which has `w`, and some above
fn extract_part_zero_extension(pool: &mut Pool, node: Node) -> Option<TermId> {
    let low = covered(pool, node, Op::ZeroExtend)?;
    Some(pool.zero_extend(low, node.sort.width() as u8))
}

/// match: `sign_extend(x)[i..j]`
/// result: `sign_extend(x[w-1..j])`
/// side condition: some of the bits are in `x`, which has `w`, and some above
fn extract_part_sign_extension(pool: &mut Pool, node: Node) -> Option<TermId> {
    let low = covered(pool, node, Op::SignExtend)?;
    Some(pool.sign_extend(low, node.sort.width() as u8))
}

/// match: `sign_extend(x)[i..j]`
/// result: the sign of `x`, sign-extended
/// side condition: none of the bits are in `x`
fn extract_signs(pool: &mut Pool, node: Node) -> Option<TermId> {
    let window = Window::of(pool, node)?;
    let inner = pool.node(window.term);
    let sign = width(pool, inner.args().next()?) - 1;
    if inner.op != Op::SignExtend || window.low <= sign {
        return None;
    }
    let sign = pool.extract(inner.arg(0), sign, sign);
    Some(pool.sign_extend(sign, window.bits))
}

/// Is extracting from this operand sure to shrink it?
fn shrinks(pool: &Pool, operand: TermId) -> bool {
    matches!(pool.node(operand).op, Op::Const | Op::ZeroExtend | Op::SignExtend)
}

/// The operator applied to the windows on its operands, when they all shrink.
fn inward(pool: &mut Pool, window: Window, sort: Sort) -> Option<TermId> {
    let inner = pool.node(window.term);
    if !inner.args().all(|operand| shrinks(pool, operand)) {
        return None;
    }
    let args: Vec<TermId> =
        inner.args().map(|operand| Window { term: operand, ..window }.build(pool)).collect();
    Some(pool.apply(inner.op, sort, &args))
}

/// match: `(a . b)[i..j]`, one operator of `&`, `|`, `^`; `(~a)[i..j]`
/// result: `a[i..j] . b[i..j]`, `~a[i..j]`
/// side condition: `a` and `b` are extensions or constants, so that nothing grows
fn extract_bitwise(pool: &mut Pool, node: Node) -> Option<TermId> {
    let op = pool.node(node.arg(0)).op;
    let window = Window::of(pool, node)?;
    matches!(op, Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvNot)
        .then(|| inward(pool, window, node.sort))?
}

/// match: `(a + b)[i..0]`, `(a * b)[i..0]`, `(-a)[i..0]`
/// result: `a[i..0] + b[i..0]`, `a[i..0] * b[i..0]`, `-a[i..0]`
/// side condition: `a` and `b` are extensions or constants, so that nothing grows
fn extract_low_arithmetic(pool: &mut Pool, node: Node) -> Option<TermId> {
    let op = pool.node(node.arg(0)).op;
    let low = node.op == Op::Extract(0);
    let window = Window::of(pool, node)?;
    (low && matches!(op, Op::Add | Op::Mul | Op::Neg)).then(|| inward(pool, window, node.sort))?
}

/// match: `(zero_extend(a) /u zero_extend(b))[n - 1..0]`, `(zero_extend(a) %u zero_extend(b))[n - 1..0]`
/// result: `a /u b`, `a %u b`
/// side condition: `a` and `b` have `n` bits; `b` may be a constant of so many
fn extract_division(pool: &mut Pool, node: Node) -> Option<TermId> {
    let divided = pool.node(node.arg(0));
    if node.op != Op::Extract(0) || !matches!(divided.op, Op::UDiv | Op::URem) {
        return None;
    }
    let narrow = |pool: &mut Pool, term: TermId| match pool.bits(term) {
        Some(bits) => (bits <= node.sort.mask()).then(|| pool.constant(node.sort, bits)),
        None => operand(pool, term, Op::ZeroExtend).filter(|&a| pool.sort(a) == node.sort),
    };
    let (a, b) = (narrow(pool, divided.arg(0))?, narrow(pool, divided.arg(1))?);
    Some(if divided.op == Op::UDiv { pool.udiv(a, b) } else { pool.urem(a, b) })
}
