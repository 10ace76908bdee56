//! Which state is taken up next.

use crate::config::Search;
use crate::path::Node;
use std::collections::VecDeque;

/// The states that wait, in the order in which they are taken up.
pub(crate) struct Worklist<'p> {
    search: Search,
    waiting: VecDeque<Node<'p>>,
    random: u64,
    /// States taken up so far.
    taken: u64,
}

/// One state in so many is the one that waits longest, where search is fair to all branches: below the
/// newest there may be no end.
const FAIR: u64 = 16;

impl<'p> Worklist<'p> {
    pub(crate) fn new(search: Search, seed: u64) -> Self {
        Self { search, waiting: VecDeque::new(), random: seed ^ 0x9e37_79b9_7f4a_7c15, taken: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Adds the alternatives of one state, the first of which comes first where that matters.
    pub(crate) fn extend(&mut self, nodes: Vec<Node<'p>>) {
        match self.search {
            Search::Bfs => self.waiting.extend(nodes),
            _ => self.waiting.extend(nodes.into_iter().rev()),
        }
    }

    /// Takes out all states, in no order that means anything.
    pub(crate) fn empty(&mut self) -> VecDeque<Node<'p>> {
        std::mem::take(&mut self.waiting)
    }

    /// The next state; `fresh` tells how much of where a state is was not covered yet.
    pub(crate) fn next(&mut self, fresh: impl Fn(&Node<'p>) -> bool) -> Option<Node<'p>> {
        self.taken += 1;
        match self.search {
            Search::Fair if self.taken.is_multiple_of(FAIR) => self.waiting.pop_front(),
            Search::Fair | Search::Dfs => self.waiting.pop_back(),
            Search::Bfs => self.waiting.pop_front(),
            Search::Random => {
                let place = self.draw()?;
                self.waiting.swap_remove_back(place)
            }
            Search::Coverage => match self.waiting.iter().rposition(fresh) {
                Some(place) => self.waiting.remove(place),
                None => self.waiting.pop_back(),
            },
        }
    }

    /// The state that waits longest, if others wait as well: most is likely left to do from it.
    pub(crate) fn oldest(&mut self) -> Option<Node<'p>> {
        if self.waiting.len() < 2 { None } else { self.waiting.pop_front() }
    }

    fn draw(&mut self) -> Option<usize> {
        // xorshift: repeatable, and good enough to mix.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        let count = self.waiting.len() as u64;
        (count > 0).then(|| (self.random % count) as usize)
    }
}
