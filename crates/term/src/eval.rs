//! The value of a term under an assignment.
//!
//! The meaning of each operator is `semantics.rs`'s; here is only the walk. It is iterative and
//! remembers the nodes it has seen, so terms that share much cost what they have of their own. Small
//! terms are walked without remembering anything.

use crate::{Assignment, Op, Pool, TermId, semantics};
use rustc_hash::FxHashMap;

/// An assignment with the values computed from it so far.
#[derive(Clone, Default)]
pub struct Evaluation {
    assignment: Assignment,
    known: FxHashMap<TermId, u64>,
    stack: Vec<TermId>,
}

impl Evaluation {
    /// Nothing computed yet.
    pub fn new(assignment: Assignment) -> Evaluation {
        Evaluation { assignment, ..Evaluation::default() }
    }

    /// The assignment that terms are evaluated under.
    pub fn assignment(&self) -> &Assignment {
        &self.assignment
    }

    /// How many values are remembered.
    pub fn remembered(&self) -> usize {
        self.known.len()
    }

    /// Gives the assignment back.
    pub fn into_assignment(self) -> Assignment {
        self.assignment
    }

    /// The bits of a term's value.
    pub fn value(&mut self, pool: &Pool, term: TermId) -> u64 {
        self.soon(pool, term).unwrap_or_else(|| {
            self.walk(pool, term, || true);
            self.known[&term]
        })
    }

    /// The same; none if nobody waits for it any more. That is asked now and then while the term is
    /// walked.
    pub fn value_while(
        &mut self,
        pool: &Pool,
        term: TermId,
        is_awaited: impl Fn() -> bool,
    ) -> Option<u64> {
        let soon = self.soon(pool, term);
        soon.or_else(|| self.walk(pool, term, is_awaited).then(|| self.known[&term]))
    }

    /// The value of a term that takes no time.
    fn soon(&self, pool: &Pool, term: TermId) -> Option<u64> {
        let mut visits = SMALL;
        self.try_value(pool, term)
            .or_else(|| pool.evaluate_small(term, &self.assignment, &mut visits))
    }

    /// Makes the value of a term known; false if nobody waits for it any more.
    fn walk(&mut self, pool: &Pool, term: TermId, is_awaited: impl Fn() -> bool) -> bool {
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        stack.push(term);
        let mut steps = 0_u32;
        while let Some(&top) = stack.last() {
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(STEPS) && !is_awaited() {
                return false;
            }
            if self.known.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let node = pool.node(top);
            let mut operands = [0; 3];
            for (slot, operand) in operands.iter_mut().zip(node.args()) {
                match self.try_value(pool, operand) {
                    Some(value) => *slot = value,
                    None => stack.push(operand),
                }
            }
            if stack.len() == before {
                let last = node.arg(node.op.arity() - 1);
                let value = semantics::apply(node.op, node.sort, pool.sort(last), operands);
                self.known.insert(top, value);
                stack.pop();
            }
        }
        self.stack = stack;
        true
    }

    /// Does a Boolean term hold?
    pub fn holds(&mut self, pool: &Pool, term: TermId) -> bool {
        self.value(pool, term) == 1
    }

    fn try_value(&self, pool: &Pool, term: TermId) -> Option<u64> {
        let node = pool.node(term);
        match node.op {
            Op::Const => Some(node.bits()),
            Op::Symbol => pool.as_symbol(term).map(|symbol| self.assignment.get(symbol)),
            _ => self.known.get(&term).copied(),
        }
    }
}

/// How many nodes are walked before it is asked whether somebody waits for the value.
const STEPS: u32 = 1 << 12;
/// Terms of at most this many node visits are evaluated without remembering anything.
const SMALL: u32 = 24;

impl Pool {
    /// The bits of a term's value under an assignment.
    pub fn evaluate(&self, term: TermId, assignment: &Assignment) -> u64 {
        Evaluation::new(assignment.clone()).value(self, term)
    }

    /// Most constraints are a comparison of two leaves: recursion within a small allowance beats
    /// any memory of visited nodes.
    fn evaluate_small(&self, term: TermId, values: &Assignment, visits: &mut u32) -> Option<u64> {
        *visits = visits.checked_sub(1)?;
        let node = self.node(term);
        match node.op {
            Op::Const => Some(node.bits()),
            Op::Symbol => self.as_symbol(term).map(|symbol| values.get(symbol)),
            _ => {
                let mut operands = [0; 3];
                for (slot, operand) in operands.iter_mut().zip(node.args()) {
                    *slot = self.evaluate_small(operand, values, visits)?;
                }
                let last = node.arg(node.op.arity() - 1);
                Some(semantics::apply(node.op, node.sort, self.sort(last), operands))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Assignment, Evaluation, Pool, Sort};

    #[test]
    fn a_value_that_nobody_waits_for_is_not_made() {
        let mut pool = Pool::new();
        let x = pool.symbol("x", Sort::BitVec(32));
        let sum = (1..20_000).fold(x, |sum, number| {
            let number = pool.bitvec(32, number);
            let mixed = pool.bv_xor(sum, number);
            pool.mul(mixed, x)
        });
        let mut evaluation = Evaluation::new(Assignment::new());
        assert_eq!(evaluation.value_while(&pool, sum, || false), None);
        let value = evaluation.value_while(&pool, sum, || true);
        assert_eq!(value, Some(pool.evaluate(sum, &Assignment::new())));
    }

    #[test]
    fn unassigned_symbols_are_zero() {
        let mut pool = Pool::new();
        let x = pool.symbol("x", Sort::BitVec(32));
        let y = pool.symbol("y", Sort::BitVec(32));
        let difference = pool.sub(x, y);
        let mut assignment = Assignment::new();
        assignment.set(pool.as_symbol(x).unwrap(), 5);
        assert_eq!(pool.evaluate(difference, &assignment), 5);
        assignment.set(pool.as_symbol(y).unwrap(), 7);
        assert_eq!(pool.evaluate(difference, &assignment) as u32 as i32, -2);
    }
}
