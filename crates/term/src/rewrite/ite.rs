//! Rules for `Ite` of every sort.

use super::Rule;
use crate::{Node, Pool, TermId};

pub(super) const ITE: &[Rule] = &[Rule { name: "ite/decided", apply: decided }];

/// match: `c ? a : b`
/// result: `a` or `b`
/// side condition: `c` is a constant
fn decided(pool: &mut Pool, node: Node) -> Option<TermId> {
    let condition = pool.bits(node.arg(0))?;
    Some(node.arg(if condition == 1 { 1 } else { 2 }))
}
