//! Rules for `Eq` of every sort.

use super::Rule;
use crate::{Node, Pool, TermId};

pub(super) const EQ: &[Rule] = &[Rule { name: "equality/same", apply: same }];

/// match: `a == a`
/// result: `true`
/// side condition: none
fn same(_: &mut Pool, node: Node) -> Option<TermId> {
    (node.arg(0) == node.arg(1)).then_some(Pool::TRUE)
}
