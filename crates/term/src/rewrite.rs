//! Rewriting at construction: the rules that make terms canonical.
//!
//! One file per theory, one function per rule, each documented as `match:` / `result:` /
//! `side condition:` and listed in its file's tables. A rule sees one node whose operands are
//! canonical already and either passes or gives an equal term. Rules are tried in table order and
//! the first that fires wins; what a rule builds goes through the pool again.
//!
//! A rule never follows a chain without a bound ([`Pool::ITE_DEPTH`]) and never copies a subterm
//! that it does not shrink. Every rule is proved by the solver at small widths in
//! `solver/tests/rewrites.rs`, which also fails for a rule that it never saw fire.

mod bitvector;
mod boolean;
mod comparison;
mod conversion;
mod equality;
mod float;
mod ite;

use crate::{Node, Op, Pool, TermId, semantics};

/// One rewrite rule.
pub struct Rule {
    /// `theory/what-it-does`.
    pub name: &'static str,
    /// Gives an equal term, or passes.
    pub apply: fn(&mut Pool, Node) -> Option<TermId>,
}

/// The rules for nodes with this operator, in the order they are tried.
pub fn rules(op: Op) -> &'static [Rule] {
    match op {
        Op::Eq => equality::EQ,
        Op::Ite => ite::ITE,
        Op::Not => boolean::NOT,
        Op::And => boolean::AND,
        _ => &[],
    }
}

/// Every operator on constants is a constant: point 2 of the canonical form.
pub(crate) fn fold_constants(pool: &mut Pool, node: Node) -> Option<TermId> {
    let mut operands = [0; 3];
    let mut last = None;
    for (slot, operand) in operands.iter_mut().zip(node.args()) {
        *slot = pool.bits(operand)?;
        last = Some(operand);
    }
    let operand_sort = pool.sort(last?);
    let value = semantics::apply(node.op, node.sort, operand_sort, operands);
    Some(pool.constant(node.sort, value))
}
