//! Rules for `Not` and `And`.

use super::Rule;
use crate::{Node, Op, Pool, TermId};

pub(super) const NOT: &[Rule] = &[Rule { name: "boolean/not-not", apply: not_not }];

pub(super) const AND: &[Rule] = &[
    Rule { name: "boolean/and-unit", apply: and_unit },
    Rule { name: "boolean/and-zero", apply: and_zero },
];

/// match: `!!a`
/// result: `a`
/// side condition: none
fn not_not(pool: &mut Pool, node: Node) -> Option<TermId> {
    let inner = pool.node(node.arg(0));
    (inner.op == Op::Not).then(|| inner.arg(0))
}

/// match: `a && true`
/// result: `a`
/// side condition: none
fn and_unit(_: &mut Pool, node: Node) -> Option<TermId> {
    (node.arg(1) == Pool::TRUE).then(|| node.arg(0))
}

/// match: `a && false`
/// result: `false`
/// side condition: none
fn and_zero(_: &mut Pool, node: Node) -> Option<TermId> {
    (node.arg(1) == Pool::FALSE).then_some(Pool::FALSE)
}
