//! Order and equality behind choices, guided by known values.
//!
//! A value read through references that may alias is an ite over their equalities, and a merged
//! value is an ite over a branch. Once it is chosen which way each ite and each disjunction goes,
//! what is left are plain comparisons, which the order layer decides. So this is a search over the
//! choices: what follows from the comparisons so far is not chosen, and what is chosen goes the way
//! that the path's values go first, because they satisfy all but the newest conjunct. Values that
//! are found are evaluated by the chain. If every way contradicts itself, so does the slice: what
//! the order layer leaves unread only makes it find more ways, never fewer.
//!
//! The search is for the many small questions that a SAT solver, which gives every circuit it knows
//! a value, answers slowly. It gives up soon.

use super::order::{Literal, Order};
use crate::path::Slice;
use dalang_term::{Assignment, Evaluation, Op, Pool, Sort, TermId, semantics};
use rustc_hash::FxHashMap;

/// Questions that take more steps than this are left to the backend.
const STEPS: usize = 20_000;
/// The same, if there is arithmetic among what is compared: values that are found seldom do then.
const STEPS_WITH_ARITHMETIC: usize = 2_000;
/// Deeper terms are not looked through.
const DEEPEST: u32 = 60;

/// What a search comes to.
pub(crate) enum Found {
    /// Comparisons that satisfy the slice, as far as they were read.
    Way(Order),
    /// Every way contradicts itself.
    Contradiction,
}

/// A Boolean term, and whether it shall hold.
type Goal = (TermId, bool);

/// The search has taken too many steps.
struct TooLong;

type Steps<T> = Result<T, TooLong>;

/// What is left when all goals that can be met in one way only are met.
enum Next {
    /// They contradict each other.
    Contradiction,
    /// Nothing.
    Nothing,
    /// This has to be chosen.
    Choice(TermId),
}

/// Looks for a way through all choices of a slice; `None` when that takes too long, or when
/// something is left that the order layer does not settle.
pub(crate) fn search(pool: &Pool, slice: &Slice, assignment: &Assignment) -> Option<Found> {
    let values = Evaluation::new(assignment.clone());
    let mut search = Search {
        pool,
        values,
        known: FxHashMap::default(),
        trail: Vec::new(),
        steps: 0,
        most: STEPS,
    };
    let goals = slice.conjuncts.iter().map(|&conjunct| (conjunct, true)).collect();
    search.descend(slice.order.clone(), goals, Vec::new()).ok().flatten()
}

struct Search<'a> {
    pool: &'a Pool,
    values: Evaluation,
    /// What is wanted so far.
    known: FxHashMap<TermId, bool>,
    /// The same, in the order in which it came up.
    trail: Vec<TermId>,
    steps: usize,
    most: usize,
}

/// What is left of a goal that can be met in several ways.
enum Left {
    /// It is met whatever comes.
    Nothing,
    /// It cannot be met.
    Contradiction,
    /// It comes to another goal.
    Goal(Goal),
    /// A goal follows from it, and something may be left of it then.
    Also(Goal),
    /// It depends on this condition, among others.
    Choice(TermId),
}

impl Search<'_> {
    /// The inner `None` is something that the order layer does not settle.
    fn descend(
        &mut self,
        mut order: Order,
        goals: Vec<Goal>,
        mut open: Vec<Goal>,
    ) -> Steps<Option<Found>> {
        let mark = self.trail.len();
        let condition = match self.propagate(&mut order, goals, &mut open)? {
            Next::Choice(condition) => condition,
            Next::Contradiction => {
                self.forget(mark);
                return Ok(Some(Found::Contradiction));
            }
            Next::Nothing => return Ok(order.is_settled().then_some(Found::Way(order))),
        };
        let first = self.values.holds(self.pool, condition);
        for holds in [first, !first] {
            match self.descend(order.clone(), vec![(condition, holds)], open.clone())? {
                Some(Found::Contradiction) => {}
                end => return Ok(end),
            }
        }
        self.forget(mark);
        Ok(Some(Found::Contradiction))
    }

    /// Meets all goals that can be met in one way only.
    fn propagate(
        &mut self,
        order: &mut Order,
        mut goals: Vec<Goal>,
        open: &mut Vec<Goal>,
    ) -> Steps<Next> {
        loop {
            while let Some(goal) = goals.pop() {
                if !self.meet(order, goal, &mut goals, open)? || order.infeasible() {
                    return Ok(Next::Contradiction);
                }
            }
            let mut choice = None;
            let mut kept = Vec::with_capacity(open.len());
            for &goal in open.iter() {
                match self.left(order, goal)? {
                    Left::Nothing => {}
                    Left::Contradiction => return Ok(Next::Contradiction),
                    Left::Goal(other) => goals.push(other),
                    Left::Also(other) => {
                        goals.push(other);
                        kept.push(goal);
                    }
                    Left::Choice(condition) => {
                        // The newest goal is the one that the values do not satisfy.
                        choice = choice.or(Some(condition));
                        kept.push(goal);
                    }
                }
            }
            *open = kept;
            if goals.is_empty() {
                return Ok(choice.map_or(Next::Nothing, Next::Choice));
            }
        }
    }

    fn forget(&mut self, mark: usize) {
        for term in self.trail.drain(mark..) {
            self.known.remove(&term);
        }
    }

    fn step(&mut self) -> Steps<()> {
        self.steps += 1;
        if self.steps <= self.most { Ok(()) } else { Err(TooLong) }
    }

    /// Takes up a goal; false if it contradicts another.
    fn meet(
        &mut self,
        order: &mut Order,
        (term, holds): Goal,
        goals: &mut Vec<Goal>,
        open: &mut Vec<Goal>,
    ) -> Steps<bool> {
        self.step()?;
        let node = self.pool.node(term);
        match node.op {
            Op::Const => return Ok(self.pool.boolean(holds) == term),
            Op::Not => {
                goals.push((node.arg(0), !holds));
                return Ok(true);
            }
            _ => {}
        }
        match self.known.insert(term, holds) {
            Some(known) => {
                self.known.insert(term, known);
                return Ok(known == holds);
            }
            None => self.trail.push(term),
        }
        match node.op {
            Op::And if holds => goals.extend([(node.arg(0), true), (node.arg(1), true)]),
            Op::And | Op::Ite => open.push((term, holds)),
            Op::Symbol => order.read(self.pool, Literal::Equal(term, self.pool.boolean(holds))),
            Op::Eq | Op::Slt | Op::Ult => {
                if self.is_plain(node.arg(0)) && self.is_plain(node.arg(1)) {
                    return Ok(self.compare(order, node.op, [node.arg(0), node.arg(1)], holds));
                }
                open.push((term, holds));
            }
            // Another condition: only its values tell, and the chain looks at them.
            _ => self.most = STEPS_WITH_ARITHMETIC,
        }
        Ok(true)
    }

    /// Whether an operand is compared as it is.
    fn is_plain(&self, operand: TermId) -> bool {
        let is_choice = self.pool.node(operand).op == Op::Ite;
        !is_choice && (self.pool.sort(operand) != Sort::Bool || self.pool.bits(operand).is_some())
    }

    /// Reads a comparison; false if it contradicts itself.
    fn compare(&mut self, order: &mut Order, op: Op, [a, b]: [TermId; 2], holds: bool) -> bool {
        if let (Some(x), Some(y)) = (self.pool.bits(a), self.pool.bits(b)) {
            let sort = self.pool.sort(a);
            return (semantics::apply(op, Sort::Bool, sort, [x, y, 0]) == 1) == holds;
        }
        if a == b {
            return (op == Op::Eq) == holds;
        }
        let is_leaf = |&term: &TermId| matches!(self.pool.node(term).op, Op::Const | Op::Symbol);
        if ![a, b].iter().all(is_leaf) {
            self.most = STEPS_WITH_ARITHMETIC;
        }
        if let Some(literal) = Literal::compare(op, a, b, holds) {
            order.read(self.pool, literal);
        }
        true
    }

    /// What is left of a goal that can be met in several ways, now that more is wanted.
    fn left(&mut self, order: &mut Order, (term, holds): Goal) -> Steps<Left> {
        self.step()?;
        let node = self.pool.node(term);
        match node.op {
            Op::And => self.left_of_clause(order, term),
            Op::Ite => {
                let [test, then, otherwise] = [node.arg(0), node.arg(1), node.arg(2)];
                if let Some(taken) = self.truth(order, test, 0)? {
                    return Ok(Left::Goal((if taken { then } else { otherwise }, holds)));
                }
                let sides = (self.truth(order, then, 0)?, self.truth(order, otherwise, 0)?);
                Ok(match sides {
                    (Some(then), Some(otherwise)) if then == otherwise => {
                        if then == holds {
                            Left::Nothing
                        } else {
                            Left::Contradiction
                        }
                    }
                    (Some(then), _) if then != holds => Left::Also((test, false)),
                    (_, Some(otherwise)) if otherwise != holds => Left::Also((test, true)),
                    _ => Left::Choice(test),
                })
            }
            _ if self.pool.sort(node.arg(0)) == Sort::Bool => {
                let (a, b) = (node.arg(0), node.arg(1));
                if let Some(value) = self.truth(order, a, 0)? {
                    return Ok(Left::Goal((b, value == holds)));
                }
                if let Some(value) = self.truth(order, b, 0)? {
                    return Ok(Left::Goal((a, value == holds)));
                }
                Ok(Left::Choice(a))
            }
            op => {
                let a = self.resolved(order, node.arg(0))?;
                let b = self.resolved(order, node.arg(1))?;
                match (self.choice_in(a), self.choice_in(b)) {
                    (Some(condition), _) | (None, Some(condition)) => Ok(Left::Choice(condition)),
                    (None, None) if self.compare(order, op, [a, b], holds) => Ok(Left::Nothing),
                    (None, None) => Ok(Left::Contradiction),
                }
            }
        }
    }

    /// A conjunction that shall not hold: one of its parts does not.
    fn left_of_clause(&mut self, order: &Order, conjunction: TermId) -> Steps<Left> {
        let mut waiting = vec![conjunction];
        let mut unknown: Option<TermId> = None;
        let mut several = false;
        while let Some(part) = waiting.pop() {
            self.step()?;
            let node = self.pool.node(part);
            if node.op == Op::And {
                waiting.extend([node.arg(1), node.arg(0)]);
                continue;
            }
            match self.truth(order, part, 0)? {
                Some(false) => return Ok(Left::Nothing),
                Some(true) => {}
                None => match unknown {
                    None => unknown = Some(part),
                    Some(known) if known == part => {}
                    Some(known) => {
                        several = true;
                        // The part that the values say is the one is tried first.
                        let is_first = self.values.holds(self.pool, known);
                        if is_first && !self.values.holds(self.pool, part) {
                            unknown = Some(part);
                        }
                    }
                },
            }
        }
        Ok(match unknown {
            None => Left::Contradiction,
            Some(part) if !several => Left::Goal((part, false)),
            Some(part) => Left::Choice(part),
        })
    }

    /// An operand behind the ites whose conditions are known.
    fn resolved(&mut self, order: &Order, mut operand: TermId) -> Steps<TermId> {
        loop {
            let node = self.pool.node(operand);
            if node.op != Op::Ite {
                return Ok(operand);
            }
            match self.truth(order, node.arg(0), 0)? {
                Some(taken) => operand = node.arg(if taken { 1 } else { 2 }),
                None => return Ok(operand),
            }
        }
    }

    fn choice_in(&self, operand: TermId) -> Option<TermId> {
        let node = self.pool.node(operand);
        (node.op == Op::Ite).then(|| node.arg(0))
    }

    /// Whether a condition holds, if that follows at a glance.
    fn truth(&mut self, order: &Order, term: TermId, depth: u32) -> Steps<Option<bool>> {
        self.step()?;
        if let Some(bits) = self.pool.bits(term) {
            return Ok(Some(bits == 1));
        }
        if let Some(&known) = self.known.get(&term) {
            return Ok(Some(known));
        }
        let node = self.pool.node(term);
        if depth > DEEPEST {
            return Ok(None);
        }
        Ok(match node.op {
            Op::Not => self.truth(order, node.arg(0), depth + 1)?.map(|holds| !holds),
            Op::And => match self.truth(order, node.arg(0), depth + 1)? {
                Some(false) => Some(false),
                one => match (one, self.truth(order, node.arg(1), depth + 1)?) {
                    (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                },
            },
            Op::Ite => match self.truth(order, node.arg(0), depth + 1)? {
                Some(taken) => self.truth(order, node.arg(if taken { 1 } else { 2 }), depth + 1)?,
                None => None,
            },
            Op::Symbol | Op::Eq | Op::Slt | Op::Ult => order.implied(self.pool, term),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Answer, LayerName, PathCondition, Query, Solver};
    use dalang_term::{Pool, Sort};

    /// A read through a reference that may alias two others is decided without the backend.
    #[test]
    fn an_aliased_read_needs_no_sat() {
        let mut pool = Pool::new();
        let [r, s, t] = ["r", "s", "t"].map(|name| pool.symbol(name, Sort::Ref));
        let [u, v, w] = ["u", "v", "w"].map(|name| pool.symbol(name, Sort::BitVec(32)));
        let (is_s, is_t) = (pool.eq(r, s), pool.eq(r, t));
        let inner = pool.ite(is_t, v, w);
        let read = pool.ite(is_s, u, inner);
        let ten = pool.int(10);
        let mut solver = Solver::default();
        let mut path = PathCondition::new();
        for condition in [pool.slt(ten, read), pool.slt(read, u), pool.slt(w, read)] {
            let query = Query::new(&pool, &path, condition);
            assert!(matches!(solver.check(&pool, &query), Answer::Sat(_)));
            path = query.into_path();
        }
        let statistics = solver.statistics();
        // The second and the third need another branch than the values take, in which no reference is
        // equal to another by chance.
        assert_eq!(statistics.decided_by(LayerName::Guide), 3, "{statistics:?}");
        assert_eq!(statistics.decided_by(LayerName::Backend), 0, "{statistics:?}");
    }
}
