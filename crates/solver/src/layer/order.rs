//! Order and equality without SAT.
//!
//! Decides conjunctions of comparisons and equalities between terms and constants: signed,
//! unsigned, references, truth values, with finite ranges. A conjunct that is none of these is left
//! unread; the others still give exact `Unsat` answers, and a guess that the caller evaluates.
//!
//! The constraints are differences: an edge `a -> b` of weight `w` says `b >= a + w`, with one node
//! standing for zero so that constants are edges too. A *potential* gives each node a value that
//! satisfies every edge. Adding an edge repairs it by raising what the new edge pushes up; when that
//! comes back to push up the new edge's own source, the edge closes a cycle of positive weight and
//! the constraints contradict each other (incremental negative-cycle detection, as in difference
//! logic). Disequalities are then settled by trying both orders of each pair that has one value.
//!
//! Invariant: unless infeasible, the potential satisfies all edges and bounds. The structure is
//! copied for every longer path, so it stays flat and small.

mod edges;
mod implied;

use dalang_term::{Op, Pool, Sort, SymbolId, TermId, semantics};
use edges::{Edge, Edges};

/// Comparisons read so far, and values that satisfy them.
#[derive(Clone)]
pub struct Order {
    nodes: Vec<Node>,
    /// Values, index 0 for zero itself (always 0 between operations), then one per node.
    potential: Vec<i128>,
    edges: Edges,
    apart: Vec<Apart>,
    state: State,
    /// A comparison was left unread because its terms were read with the other signedness.
    mixed: bool,
    /// Terms that were only equated so far are read as unsigned.
    unsigned: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// The potential satisfies every edge, bound and disequality.
    Satisfied,
    /// The potential satisfies edges and bounds; some disequality could not be settled.
    Undecided,
    /// No values satisfy what was read.
    Infeasible,
}

#[derive(Clone, Copy)]
struct Node {
    term: TermId,
    signed: bool,
    low: i128,
    high: i128,
}

/// Two nodes, or a node and a constant, that differ.
#[derive(Clone, Copy)]
struct Apart {
    left: u32,
    right: u32,
    /// What to add to the right value: a constant when `right` is zero's node.
    offset: i128,
}

/// A conjunct in the form this layer reads.
#[derive(Clone, Copy)]
pub(crate) enum Literal {
    /// `a < b`, or `a <= b` when not strict.
    Below {
        a: TermId,
        b: TermId,
        strict: bool,
        signed: bool,
    },
    Equal(TermId, TermId),
    Apart(TermId, TermId),
}

/// A side of a literal once it has a place here.
#[derive(Clone, Copy)]
enum Operand {
    Node(u32),
    Constant(i128),
}

const ZERO: u32 = 0;

/// Comparisons beyond this many are left unread: each new one may move all values there are.
const CAPACITY: usize = 2_000;

impl Default for Order {
    fn default() -> Order {
        Order {
            nodes: Vec::new(),
            potential: vec![0],
            edges: Edges::default(),
            apart: Vec::new(),
            state: State::Satisfied,
            mixed: false,
            unsigned: false,
        }
    }
}

impl Order {
    /// What `parts` say together; their nodes are disjoint.
    pub fn joined<'a>(parts: impl Iterator<Item = &'a Order>) -> Order {
        let join = |joined: Option<Order>, part: &Order| match joined {
            None => Some(part.clone()),
            Some(order) => Some(order.side_by_side(part)),
        };
        parts.fold(None, join).unwrap_or_default()
    }

    /// Adds a conjunct, if it is one that is read here.
    pub fn add(&mut self, pool: &Pool, conjunct: TermId) {
        if let Some(literal) = Literal::of(pool, conjunct) {
            self.read(pool, literal);
        }
    }

    /// Whether a conjunct is one that is read here.
    pub fn reads(pool: &Pool, conjunct: TermId) -> bool {
        Literal::of(pool, conjunct).is_some()
    }

    /// What the conjuncts say together.
    pub fn of(pool: &Pool, conjuncts: &[TermId]) -> Order {
        Order::of_literals(pool, conjuncts.iter().filter_map(|&term| Literal::of(pool, term)))
    }

    /// What the literals say together. Comparisons are read first: they fix the signedness of
    /// their terms, which equalities take as it comes.
    pub(crate) fn of_literals(pool: &Pool, literals: impl Iterator<Item = Literal>) -> Order {
        let (comparisons, others): (Vec<Literal>, Vec<Literal>) =
            literals.partition(|literal| literal.is_comparison());
        let mut order = Order::default();
        for literal in comparisons {
            order.read(pool, literal);
        }
        // Terms that are only equated follow: one unsigned comparison makes them unsigned.
        order.unsigned = order.nodes.iter().any(|node| !node.signed);
        for literal in others {
            order.read(pool, literal);
        }
        order
    }

    /// Was something left unread that another order of reading may read?
    pub fn mixed(&self) -> bool {
        self.mixed
    }

    /// Is there no way to satisfy the comparisons read?
    pub fn infeasible(&self) -> bool {
        self.state == State::Infeasible
    }

    /// Values for the symbols compared, as bits; `None` when there are none to offer.
    pub fn values(&self, pool: &Pool) -> Option<impl Iterator<Item = (SymbolId, u64)>> {
        (self.state == State::Satisfied).then(|| {
            let references = self.references(pool);
            let values = self.nodes.iter().zip(&self.potential[1..]).enumerate();
            values.filter_map(move |(place, (node, &value))| {
                let symbol = pool.as_symbol(node.term)?;
                let value = match references.get(place) {
                    Some(&Some(reference)) => reference,
                    _ => value as u64 & pool.sort(node.term).mask(),
                };
                Some((symbol, value))
            })
        })
    }

    /// Values of the nodes that are references and that no constant is equal to: the same only where they
    /// must be. References that are equal by chance would be taken for one object, with one content.
    fn references(&self, pool: &Pool) -> Vec<Option<u64>> {
        if self.nodes.iter().all(|node| pool.sort(node.term) != Sort::Ref) {
            return Vec::new();
        }
        let of_node = |node: &Node| {
            let is_free = pool.sort(node.term) == Sort::Ref && node.low < node.high;
            let own = Pool::FIRST_ANONYMOUS_IDENTITY | node.term.index();
            is_free.then_some(u64::from(own))
        };
        let mut values: Vec<Option<u64>> = self.nodes.iter().map(of_node).collect();
        // References are compared for equality alone, so every edge between two of them says that they
        // are equal; the least value goes round.
        let mut changed = true;
        while changed {
            changed = false;
            for edge in self.edges.iter().filter(|edge| edge.from != ZERO && edge.to != ZERO) {
                let (from, to) = (edge.from as usize - 1, edge.to as usize - 1);
                if values[from] < values[to] && pool.sort(self.nodes[to].term) == Sort::Ref {
                    values[to] = values[from];
                    changed = true;
                }
            }
        }
        values
    }

    fn side_by_side(mut self, other: &Order) -> Order {
        let shift = |node: u32| if node == ZERO { ZERO } else { node + self.nodes.len() as u32 };
        for edge in other.edges.iter() {
            self.edges.push(Edge { from: shift(edge.from), to: shift(edge.to), ..edge });
        }
        let apart = other.apart.iter();
        self.apart.extend(apart.map(|apart| Apart {
            left: shift(apart.left),
            right: shift(apart.right),
            ..*apart
        }));
        self.nodes.extend_from_slice(&other.nodes);
        self.potential.extend(other.potential.iter().skip(1));
        self.state = self.state.worst(other.state);
        self.mixed |= other.mixed;
        self.unsigned |= other.unsigned;
        self
    }

    /// Do the values satisfy all that was read?
    pub(crate) fn is_settled(&self) -> bool {
        self.state == State::Satisfied
    }

    /// Adds a literal.
    pub(crate) fn read(&mut self, pool: &Pool, literal: Literal) {
        if self.infeasible() || self.edges.len() + self.apart.len() >= CAPACITY {
            return;
        }
        let feasible = match literal {
            Literal::Below { a, b, strict, signed } => self.below(pool, a, b, strict, signed),
            Literal::Equal(a, b) => self.equal(pool, a, b),
            Literal::Apart(a, b) => {
                self.keep_apart(pool, a, b);
                true
            }
        };
        self.state = if feasible { self.settle() } else { State::Infeasible };
        let zero = self.potential[0];
        if zero != 0 {
            self.potential.iter_mut().for_each(|value| *value -= zero);
        }
    }

    /// The place of an operand; `None` when it is known here under the other signedness.
    fn operand(&mut self, pool: &Pool, term: TermId, signed: bool) -> Option<Operand> {
        let sort = pool.sort(term);
        if let Some(bits) = pool.bits(term) {
            return Some(Operand::Constant(value_of(sort, bits, signed)));
        }
        if let Some(index) = self.nodes.iter().position(|node| node.term == term) {
            let known = Operand::Node(index as u32 + 1);
            return (self.nodes[index].signed == signed).then_some(known);
        }
        let span = 1_i128 << sort.width();
        let low = if signed { -span / 2 } else { 0 };
        self.nodes.push(Node { term, signed, low, high: low + span - 1 });
        // Zero is within every range: the potential stays feasible.
        self.potential.push(0);
        Some(Operand::Node(self.nodes.len() as u32))
    }

    /// How a term is read already; equality fits either way.
    fn signedness(&self, pool: &Pool, terms: [TermId; 2]) -> bool {
        let known = terms.iter().find_map(|&term| self.nodes.iter().find(|node| node.term == term));
        let default = pool.sort(terms[0]).is_bitvec() && !self.unsigned;
        known.map_or(default, |node| node.signed)
    }

    /// Reads `a < b` or `a <= b`; false when that is infeasible.
    fn below(&mut self, pool: &Pool, a: TermId, b: TermId, strict: bool, signed: bool) -> bool {
        let weight = i128::from(strict);
        if !signed
            && self.nodes.iter().any(|node| node.signed && (node.term == a || node.term == b))
        {
            return self.unsigned_among_signed(pool, a, b, weight);
        }
        match (self.operand(pool, a, signed), self.operand(pool, b, signed)) {
            (Some(Operand::Node(a)), Some(Operand::Node(b))) => self.insert(a, b, weight),
            (Some(Operand::Node(a)), Some(Operand::Constant(c))) => self.at_most(a, c - weight),
            (Some(Operand::Constant(c)), Some(Operand::Node(b))) => self.at_least(b, c + weight),
            // Two constants are folded by the pool; anything else is left unread.
            _ => {
                self.mixed = true;
                true
            }
        }
    }

    /// An unsigned comparison with a constant is an interval of signed values unless it reaches
    /// from the non-negative into the negative ones.
    fn unsigned_among_signed(&mut self, pool: &Pool, a: TermId, b: TermId, weight: i128) -> bool {
        let half = 1_i128 << (pool.sort(a).width() - 1);
        let constant = |term| pool.bits(term).map(i128::from);
        match (constant(a), constant(b)) {
            (None, Some(c)) if c - weight < half => match self.operand(pool, a, true) {
                Some(Operand::Node(a)) => self.at_least(a, 0) && self.at_most(a, c - weight),
                _ => true,
            },
            (Some(c), None) if c + weight >= half => match self.operand(pool, b, true) {
                Some(Operand::Node(b)) => {
                    self.at_least(b, c + weight - 2 * half) && self.at_most(b, -1)
                }
                _ => true,
            },
            _ => {
                self.mixed = true;
                true
            }
        }
    }

    fn equal(&mut self, pool: &Pool, a: TermId, b: TermId) -> bool {
        let signed = self.signedness(pool, [a, b]);
        match (self.operand(pool, a, signed), self.operand(pool, b, signed)) {
            (Some(Operand::Node(a)), Some(Operand::Node(b))) => {
                self.insert(a, b, 0) && self.insert(b, a, 0)
            }
            (Some(Operand::Node(a)), Some(Operand::Constant(c)))
            | (Some(Operand::Constant(c)), Some(Operand::Node(a))) => {
                self.at_least(a, c) && self.at_most(a, c)
            }
            _ => true,
        }
    }

    fn keep_apart(&mut self, pool: &Pool, a: TermId, b: TermId) {
        let signed = self.signedness(pool, [a, b]);
        match (self.operand(pool, a, signed), self.operand(pool, b, signed)) {
            (Some(Operand::Node(left)), Some(Operand::Node(right))) => {
                self.apart.push(Apart { left, right, offset: 0 });
            }
            (Some(Operand::Node(left)), Some(Operand::Constant(offset)))
            | (Some(Operand::Constant(offset)), Some(Operand::Node(left))) => {
                self.apart.push(Apart { left, right: ZERO, offset });
            }
            _ => {}
        }
    }

    fn at_least(&mut self, node: u32, low: i128) -> bool {
        let bound = &mut self.nodes[node as usize - 1].low;
        *bound = low.max(*bound);
        self.repair(ZERO, node, low)
    }

    fn at_most(&mut self, node: u32, high: i128) -> bool {
        let bound = &mut self.nodes[node as usize - 1].high;
        *bound = high.min(*bound);
        self.repair(node, ZERO, -high)
    }

    /// Adds an edge between two nodes; false when it closes a positive cycle.
    fn insert(&mut self, from: u32, to: u32, weight: i128) -> bool {
        let known = self
            .edges
            .iter()
            .any(|edge| edge.from == from && edge.to == to && edge.weight >= weight);
        if known {
            return true;
        }
        self.edges.push(Edge { from, to, weight });
        self.repair(from, to, weight)
    }

    /// Makes the potential satisfy a new edge that is already stored (as an edge or a bound);
    /// false when the edge closes a positive cycle, and then the potential means nothing.
    fn repair(&mut self, from: u32, to: u32, weight: i128) -> bool {
        let mut raised = Vec::new();
        if from == to {
            return weight <= 0;
        }
        self.raise(to, self.potential[from as usize] + weight, &mut raised);
        let mut next = 0;
        while next < raised.len() {
            let node = raised[next];
            next += 1;
            if node == from {
                return false;
            }
            let value = self.potential[node as usize];
            let mut next_edge = self.edges.newest_from(node);
            while let Some(index) = next_edge {
                let (edge, before) = self.edges.get(index);
                self.raise(edge.to, value + edge.weight, &mut raised);
                next_edge = before;
            }
            if node == ZERO {
                for index in 0..self.nodes.len() {
                    self.raise(index as u32 + 1, value + self.nodes[index].low, &mut raised);
                }
            } else {
                self.raise(ZERO, value - self.nodes[node as usize - 1].high, &mut raised);
            }
        }
        true
    }

    fn raise(&mut self, node: u32, value: i128, raised: &mut Vec<u32>) {
        let current = &mut self.potential[node as usize];
        if *current < value {
            *current = value;
            raised.push(node);
        }
    }

    /// Makes the potential satisfy the disequalities too.
    fn settle(&mut self) -> State {
        let hard_edges = self.edges.len();
        let mut state = State::Satisfied;
        let mut index = 0;
        while index < self.apart.len() && state == State::Satisfied {
            let apart = self.apart[index];
            index += 1;
            if self.violated(apart) {
                state = self.separate(apart, hard_edges);
                // Values moved: look at the earlier pairs again. Each pair is separated at most
                // once, by an edge that stays until all are settled, so this ends.
                index = 0;
            }
        }
        self.edges.shrink(hard_edges);
        state
    }

    fn violated(&self, apart: Apart) -> bool {
        let right = self.potential[apart.right as usize] + apart.offset;
        self.potential[apart.left as usize] == right
    }

    /// Puts one side above the other by a passing edge.
    fn separate(&mut self, apart: Apart, hard_edges: usize) -> State {
        if self.try_either_order(apart) {
            return State::Satisfied;
        }
        if self.edges.len() > hard_edges {
            // Passing edges are in the way: only the hard ones can prove infeasibility.
            let passing = self.edges.shrink(hard_edges);
            let feasible = self.try_either_order(apart);
            self.edges.shrink(hard_edges);
            passing.into_iter().rev().for_each(|edge| self.edges.push(edge));
            return if feasible { State::Undecided } else { State::Infeasible };
        }
        State::Infeasible
    }

    /// Tries `left > right`, then `left < right`; on success the passing edge stays.
    fn try_either_order(&mut self, Apart { left, right, offset }: Apart) -> bool {
        let edges = [
            Edge { from: right, to: left, weight: offset + 1 },
            Edge { from: left, to: right, weight: 1 - offset },
        ];
        let before = self.potential.clone();
        edges.into_iter().any(|edge| {
            self.edges.push(edge);
            let feasible = self.repair(edge.from, edge.to, edge.weight);
            if !feasible {
                self.edges.pop();
                self.potential.clone_from(&before);
            }
            feasible
        })
    }
}

impl State {
    fn worst(self, other: State) -> State {
        match (self, other) {
            (State::Infeasible, _) | (_, State::Infeasible) => State::Infeasible,
            (State::Undecided, _) | (_, State::Undecided) => State::Undecided,
            _ => State::Satisfied,
        }
    }
}

impl Literal {
    fn of(pool: &Pool, conjunct: TermId) -> Option<Literal> {
        let node = pool.node(conjunct);
        let (atom, holds) =
            if node.op == Op::Not { (node.arg(0), false) } else { (conjunct, true) };
        let node = pool.node(atom);
        match node.op {
            Op::Slt | Op::Ult | Op::Eq => {
                Literal::compare(node.op, node.arg(0), node.arg(1), holds)
            }
            Op::Symbol => Some(Literal::Equal(atom, pool.boolean(holds))),
            _ => None,
        }
    }

    /// That a comparison of two operands holds, or that it does not.
    pub(crate) fn compare(op: Op, a: TermId, b: TermId, holds: bool) -> Option<Literal> {
        match op {
            Op::Slt | Op::Ult => {
                let (a, b) = if holds { (a, b) } else { (b, a) };
                Some(Literal::Below { a, b, strict: holds, signed: op == Op::Slt })
            }
            Op::Eq if holds => Some(Literal::Equal(a, b)),
            Op::Eq => Some(Literal::Apart(a, b)),
            _ => None,
        }
    }

    fn is_comparison(self) -> bool {
        matches!(self, Literal::Below { .. })
    }
}

fn value_of(sort: Sort, bits: u64, signed: bool) -> i128 {
    if signed { i128::from(semantics::signed(sort, bits)) } else { i128::from(bits) }
}

#[cfg(test)]
mod tests;
