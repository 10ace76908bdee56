//! Walking the texts below some roots, operands first, without recursion.

use super::Key;
use super::expand::Expansion;
use rustc_hash::FxHashSet;

/// Calls `visit` with every text reachable from the roots, operands before their users, each once.
///
/// What `skip` accepts is neither visited nor entered.
pub(super) fn walk(
    expand: impl Fn(Key) -> Expansion,
    roots: impl IntoIterator<Item = Key>,
    skip: impl Fn(Key) -> bool,
    mut visit: impl FnMut(Key, Expansion),
) {
    let mut entered: FxHashSet<Key> = FxHashSet::default();
    let mut stack: Vec<(Key, Option<Expansion>)> =
        roots.into_iter().map(|root| (root, None)).collect();
    stack.reverse();
    while let Some((key, expansion)) = stack.pop() {
        if let Some(expansion) = expansion {
            visit(key, expansion);
        } else if !skip(key) && entered.insert(key) {
            let expansion = expand(key);
            let operands: Vec<Key> = expansion.operands().collect();
            stack.push((key, Some(expansion)));
            stack.extend(operands.into_iter().rev().map(|operand| (operand, None)));
        }
    }
}
