//! The edges of an order, found by where they start.
//!
//! A flat list that is cheap to copy; each edge knows the one before it with the same start. Edges
//! go as they came, last first, so that passing ones can be tried and taken back.

/// `to >= from + weight`.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) weight: i128,
}

#[derive(Clone, Default)]
pub(super) struct Edges {
    list: Vec<(Edge, u32)>,
    /// The last edge from each node, or `NONE`.
    last: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Edges {
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn push(&mut self, edge: Edge) {
        let from = edge.from as usize;
        if self.last.len() <= from {
            self.last.resize(from + 1, NONE);
        }
        let index = self.list.len() as u32;
        self.list.push((edge, std::mem::replace(&mut self.last[from], index)));
    }

    pub(super) fn pop(&mut self) -> Option<Edge> {
        let (edge, before) = self.list.pop()?;
        self.last[edge.from as usize] = before;
        Some(edge)
    }

    /// Takes back the newest edges until so many are left; newest first.
    pub(super) fn shrink(&mut self, length: usize) -> Vec<Edge> {
        let surplus = self.len().saturating_sub(length);
        (0..surplus).filter_map(|_| self.pop()).collect()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Edge> + '_ {
        self.list.iter().map(|&(edge, _)| edge)
    }

    /// The number of the newest edge from a node.
    pub(super) fn newest_from(&self, node: u32) -> Option<u32> {
        self.last.get(node as usize).copied().filter(|&index| index != NONE)
    }

    /// An edge by its number, and the number of the next older one with the same start.
    pub(super) fn get(&self, index: u32) -> (Edge, Option<u32>) {
        let (edge, before) = self.list[index as usize];
        (edge, (before != NONE).then_some(before))
    }
}
