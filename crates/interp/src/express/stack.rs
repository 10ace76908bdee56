//! The operand stack during translation: where each entry's value is.

use super::op::Slot;
use super::prepared::Source;

/// The entries, bottom first. An entry's own slot is the one that bytecode would have it in.
#[derive(Clone, Debug)]
pub(super) struct Stack {
    first: Slot,
    pub(super) entries: Vec<Source>,
}

impl Stack {
    /// A stack of so many entries, each in its own slot; `first` is the slot of the lowest.
    pub(super) fn new(first: Slot, depth: u16) -> Self {
        let entries = (0..depth).map(|entry| Source::Slot(first + entry)).collect();
        Self { first, entries }
    }

    /// The own slot of an entry.
    pub(super) fn own(&self, entry: usize) -> Slot {
        self.first + entry as Slot
    }

    /// The own slot of the entry that is pushed next.
    pub(super) fn next(&self) -> Slot {
        self.own(self.entries.len())
    }

    pub(super) fn depth(&self) -> u16 {
        self.entries.len() as u16
    }

    /// Pushes a value that is in its own slot.
    pub(super) fn push_own(&mut self) {
        let own = self.next();
        self.entries.push(Source::Slot(own));
    }

    pub(super) fn truncate(&mut self, count: usize) {
        self.entries.truncate(self.entries.len() - count);
    }

    /// Entries that are not in their own slots.
    pub(super) fn strays(&self) -> Vec<(Slot, Source)> {
        let stray = |(entry, &source): (usize, &Source)| {
            let own = self.own(entry);
            (source != Source::Slot(own)).then_some((own, source))
        };
        self.entries.iter().enumerate().filter_map(stray).collect()
    }

    /// Whether an entry's value is in a slot, which must not be overwritten then; its own slot
    /// counts only for other entries.
    pub(super) fn uses(&self, slot: Slot) -> bool {
        let uses = |(entry, &source): (usize, &Source)| {
            source == Source::Slot(slot) && self.own(entry) != slot
        };
        self.entries.iter().enumerate().any(uses)
    }

    /// Copies the topmost `count` entries below the `under` entries that follow them.
    pub(super) fn duplicate(&mut self, count: usize, under: usize) {
        let depth = self.entries.len();
        let copied: Vec<Source> = self.entries[depth - count..].to_vec();
        let place = depth - count - under;
        self.entries.splice(place..place, copied);
    }
}

/// Orders moves so that none overwrites what a later one reads; `spare` is a slot that nothing else
/// uses.
pub(super) fn ordered(mut moves: Vec<(Slot, Source)>, spare: Slot) -> Vec<(Slot, Source)> {
    let mut order = Vec::with_capacity(moves.len());
    while !moves.is_empty() {
        let free = moves.iter().position(|&(to, _)| {
            !moves.iter().any(|&(other, from)| other != to && from == Source::Slot(to))
        });
        if let Some(place) = free {
            order.push(moves.swap_remove(place));
            continue;
        }
        // Everything left is in cycles: one value steps aside.
        let (_, from) = moves[0];
        order.push((spare, from));
        for (_, source) in &mut moves {
            if *source == from {
                *source = Source::Slot(spare);
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::{Stack, ordered};
    use crate::express::prepared::Source;

    fn apply(moves: &[(u16, Source)], slots: &mut [u16]) {
        for &(to, from) in moves {
            let Source::Slot(from) = from else { panic!("only slots are moved here") };
            slots[to as usize] = slots[from as usize];
        }
    }

    #[test]
    fn cycles_are_broken() {
        let cycle = [(0, 1), (1, 2), (2, 0), (3, 0)];
        let moves = cycle.map(|(to, from)| (to, Source::Slot(from))).to_vec();
        let mut slots = [10, 11, 12, 13, 0];
        apply(&ordered(moves, 4), &mut slots);
        assert_eq!(slots[..4], [11, 12, 10, 10]);
    }

    #[test]
    fn duplicates_are_only_named_again() {
        let mut stack = Stack::new(5, 2);
        stack.duplicate(1, 1);
        assert_eq!(stack.entries, [6, 5, 6].map(Source::Slot));
        assert_eq!(
            stack.strays(),
            [(5, Source::Slot(6)), (6, Source::Slot(5)), (7, Source::Slot(6))]
        );
        assert!(stack.uses(5) && stack.uses(6) && !stack.uses(7));
    }
}
