//! The solver: queries go down the layers until one decides.
//!
//! Every `Sat` that leaves here was evaluated against the conjuncts it is about; values of slices
//! that a query does not touch were evaluated when they were found.

use crate::answer::{Answer, Reason};
use crate::backend::sat::Sat;
use crate::backend::smtlib::{SmtCommand, SmtError, SmtProcess};
use crate::backend::{Backend, Verdict};
use crate::layer::constant;
use crate::layer::cores::Cores;
use crate::layer::guide::{self, Found};
use crate::layer::inequalities::{self, Worth};
use crate::layer::order::Order;
use crate::layer::reuse::{self, Recent};
use crate::limits::Limits;
use crate::path::Slice;
use crate::query::Query;
use crate::statistics::{LayerName, Statistics};
use dalang_term::{Assignment, Evaluation, Pool, PoolId, PostOrder, SymbolId, TermId};
use std::sync::Arc;
use std::time::Instant;

/// Which layers are asked. The backend always is.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "independent switches, not states")]
pub struct Layers {
    /// Plain truths.
    pub constant: bool,
    /// Assignments found before.
    pub reuse: bool,
    /// Independent slices.
    pub slice: bool,
    /// Comparisons without SAT.
    pub order: bool,
    /// Known contradictions.
    pub cores: bool,
    /// Comparisons without SAT behind the branches that known values take.
    pub guide: bool,
    /// Products and quotients without SAT.
    pub inequalities: bool,
}

impl Layers {
    /// Every layer.
    pub const ALL: Layers = Layers::each(true);
    /// The backend alone.
    pub const NONE: Layers = Layers::each(false);

    const fn each(on: bool) -> Layers {
        Layers {
            constant: on,
            reuse: on,
            slice: on,
            order: on,
            cores: on,
            guide: on,
            inequalities: on,
        }
    }
}

/// What is said where nobody waits for an answer any more.
const STOPPED: Answer = Answer::Unknown(Reason::Stopped);

/// Answers queries.
pub struct Solver {
    layers: Layers,
    limits: Limits,
    recent: Recent,
    cores: Cores,
    backend: Box<dyn Backend>,
    statistics: Statistics,
    /// The pool that everything remembered here is about.
    pool: Option<PoolId>,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::builtin(Layers::ALL, Limits::default())
    }
}

impl Solver {
    /// A solver that ends in the built-in SAT backend.
    pub fn builtin(layers: Layers, limits: Limits) -> Solver {
        Solver::over(Box::new(Sat::new()), layers, limits)
    }

    /// A solver that ends in another solver's process.
    ///
    /// # Errors
    ///
    /// When the process cannot be started.
    pub fn process(
        command: &SmtCommand,
        layers: Layers,
        limits: Limits,
    ) -> Result<Solver, SmtError> {
        Ok(Solver::over(Box::new(SmtProcess::spawn(command)?), layers, limits))
    }

    fn over(backend: Box<dyn Backend>, layers: Layers, limits: Limits) -> Solver {
        Solver {
            layers,
            limits,
            recent: Recent::default(),
            cores: Cores::default(),
            backend,
            statistics: Statistics::default(),
            pool: None,
        }
    }

    /// What was asked so far, and who decided it.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Sets the limits of the queries to come.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Can the path condition and the constraint hold together, and with which values?
    pub fn check(&mut self, pool: &Pool, query: &Query) -> Answer {
        self.serve(pool);
        let answer = self.decide(pool, query);
        self.statistics.queries += 1;
        match &answer {
            Answer::Sat(assignment) => {
                self.statistics.sat += 1;
                // Asking the same query again gives the same answer; the first one stays.
                let _ = query.assignment.set(assignment.clone());
            }
            Answer::Unsat => self.statistics.unsat += 1,
            Answer::Unknown(_) => self.statistics.unknown += 1,
        }
        answer
    }

    /// Forgets what is known of the terms of another pool: the same ids mean other terms there.
    fn serve(&mut self, pool: &Pool) {
        if self.pool != Some(pool.id()) {
            self.pool = Some(pool.id());
            self.recent = Recent::default();
            self.cores = Cores::default();
        }
    }

    fn decide(&mut self, pool: &Pool, query: &Query) -> Answer {
        if self.limits.is_stopped() {
            return STOPPED;
        }
        // A path with a false conjunct has no slices to ask about: that switch is always on.
        if (self.layers.constant || query.contradictory())
            && let Some(answer) = constant::decide(query)
        {
            self.count(LayerName::Constant);
            return answer;
        }
        if self.layers.reuse
            && let Some(assignment) = reuse::own(pool, query, &self.limits)
        {
            self.count(LayerName::Reuse);
            return Answer::Sat(assignment);
        }
        self.decide_slices(pool, query)
    }

    fn decide_slices(&mut self, pool: &Pool, query: &Query) -> Answer {
        let longer = query.longer();
        let slices = if self.layers.slice {
            let slices = query.slices(pool);
            let asked: usize = slices.iter().map(|slice| slice.conjuncts.len()).sum();
            self.statistics.by_layer[LayerName::Slice as usize] += (longer.len() - asked) as u64;
            slices
        } else {
            vec![Arc::new(whole(pool, query, self.layers.order))]
        };
        let mut assignment = longer.assignment().clone();
        let mut unknown = None;
        for slice in &slices {
            if self.limits.is_stopped() {
                return STOPPED;
            }
            match self.decide_slice(pool, slice, &mut assignment) {
                Answer::Sat(_) => {}
                Answer::Unsat => return Answer::Unsat,
                // Another slice may still be unsatisfiable, and then this one does not matter.
                Answer::Unknown(reason) => unknown = unknown.or(Some(reason)),
            }
        }
        match unknown {
            None => Answer::Sat(assignment),
            Some(reason) => Answer::Unknown(reason),
        }
    }

    /// Decides one slice; on `Sat` its symbols get their values in `assignment`.
    fn decide_slice(&mut self, pool: &Pool, slice: &Slice, assignment: &mut Assignment) -> Answer {
        if self.layers.order {
            if slice.order.infeasible() {
                self.count(LayerName::Order);
                return Answer::Unsat;
            }
            if let Some(values) = slice.order.values(pool)
                && let Some(found) = self.accept(pool, slice, assignment, values)
            {
                return self.found(LayerName::Order, found, assignment);
            }
        }
        // Formulas can be large, so that every look at one takes time.
        if self.limits.is_stopped() {
            return STOPPED;
        }
        if self.layers.cores && self.cores.contradict(&slice.conjuncts) {
            self.count(LayerName::Cores);
            return Answer::Unsat;
        }
        if self.layers.reuse
            && let Some(recent) = self.recent.find(pool, slice, &self.limits)
        {
            let values = slice.symbols.iter().map(|&symbol| (symbol, recent.get(symbol)));
            if let Some(found) = self.accept(pool, slice, assignment, values) {
                return self.found(LayerName::Reuse, found, assignment);
            }
        }
        if self.limits.is_stopped() {
            return STOPPED;
        }
        if self.layers.guide {
            match guide::search(pool, slice, assignment) {
                Some(Found::Contradiction) => {
                    self.count(LayerName::Guide);
                    return Answer::Unsat;
                }
                Some(Found::Way(order)) => {
                    if let Some(values) = order.values(pool)
                        && let Some(found) = self.accept(pool, slice, assignment, values)
                    {
                        self.recent.keep(found.clone());
                        return self.found(LayerName::Guide, found, assignment);
                    }
                }
                None => {}
            }
        }
        if self.limits.is_stopped() {
            return STOPPED;
        }
        let worth = if self.layers.inequalities {
            inequalities::worth(pool, &slice.conjuncts)
        } else {
            Worth::Nothing
        };
        // Where the glance finds nothing out, for whatever reason, the inequalities still may.
        if worth == Worth::Products
            && let Some(verdict @ (Verdict::Sat(_) | Verdict::Unsat(_))) =
                self.timed(|backend, limits| {
                    backend.glance(pool, &slice.conjuncts, &slice.symbols, limits)
                })
        {
            return self.answer(pool, slice, assignment, verdict);
        }
        if worth != Worth::Nothing && inequalities::contradict(pool, slice) {
            self.count(LayerName::Inequalities);
            return Answer::Unsat;
        }
        if self.limits.is_stopped() {
            return STOPPED;
        }
        let verdict = self.timed(|backend, limits| {
            backend.decide(pool, &slice.conjuncts, &slice.symbols, limits)
        });
        self.answer(pool, slice, assignment, verdict)
    }

    /// Asks the backend, and adds the time to what it has taken.
    fn timed<T>(&mut self, ask: impl FnOnce(&mut dyn Backend, &Limits) -> T) -> T {
        let start = Instant::now();
        let found = ask(&mut *self.backend, &self.limits);
        self.statistics.backend_time += start.elapsed();
        found
    }

    /// What the backend's verdict on a slice says.
    fn answer(
        &mut self,
        pool: &Pool,
        slice: &Slice,
        assignment: &mut Assignment,
        verdict: Verdict,
    ) -> Answer {
        self.count(LayerName::Backend);
        self.statistics.backend_tokens += tokens(pool, &slice.conjuncts, &self.limits);
        match verdict {
            Verdict::Sat(values) => {
                let Some(found) = self.accept(pool, slice, assignment, values.into_iter()) else {
                    if self.limits.is_stopped() {
                        return STOPPED;
                    }
                    self.statistics.refuted += 1;
                    return Answer::Unknown(Reason::Refuted("backend"));
                };
                self.recent.keep(found.clone());
                *assignment = found.clone();
                Answer::Sat(found)
            }
            Verdict::Unsat(core) => {
                self.cores.keep(core);
                Answer::Unsat
            }
            Verdict::Unknown(reason) => Answer::Unknown(reason),
        }
    }

    /// The assignment changed by the values, if that satisfies every conjunct of the slice, and is
    /// found out while somebody waits for it.
    fn accept(
        &self,
        pool: &Pool,
        slice: &Slice,
        assignment: &Assignment,
        values: impl Iterator<Item = (SymbolId, u64)>,
    ) -> Option<Assignment> {
        let mut changed = assignment.clone();
        values.for_each(|(symbol, bits)| changed.set(symbol, bits));
        let mut evaluation = Evaluation::new(changed);
        let mut holds = |&conjunct: &TermId| {
            evaluation.value_while(pool, conjunct, || !self.limits.is_stopped()) == Some(1)
        };
        slice.conjuncts.iter().all(&mut holds).then(|| evaluation.into_assignment())
    }

    fn found(
        &mut self,
        layer: LayerName,
        found: Assignment,
        assignment: &mut Assignment,
    ) -> Answer {
        self.count(layer);
        *assignment = found.clone();
        Answer::Sat(found)
    }

    fn count(&mut self, layer: LayerName) {
        self.statistics.by_layer[layer as usize] += 1;
    }
}

/// How many different terms there are in conjuncts; fewer if nobody waits for the answer any more.
fn tokens(pool: &Pool, conjuncts: &[TermId], limits: &Limits) -> u64 {
    let terms = PostOrder::new(pool, conjuncts.iter().copied());
    terms.take_while(|_| !limits.is_stopped()).count() as u64
}

/// The whole path and the constraint as one slice, for when slicing is off.
fn whole(pool: &Pool, query: &Query, with_order: bool) -> Slice {
    let conjuncts = query.conjuncts();
    let mut symbols: Vec<SymbolId> =
        conjuncts.iter().flat_map(|&conjunct| pool.symbols_of(conjunct).to_vec()).collect();
    symbols.sort_unstable();
    symbols.dedup();
    let order = if with_order { Order::of(pool, &conjuncts) } else { Order::default() };
    Slice::new(conjuncts, symbols, order)
}

#[cfg(test)]
mod tests {
    use super::{Layers, Limits, Solver};
    use crate::path::PathCondition;
    use crate::query::Query;
    use dalang_term::{Pool, Sort};

    #[test]
    fn shared_terms_are_one_token_of_a_question() {
        let mut pool = Pool::new();
        let x = pool.symbol("x", Sort::BitVec(32));
        let square = pool.mul(x, x);
        let seven = pool.bitvec(32, 7);
        let below = pool.ult(square, seven);
        let mut solver = Solver::builtin(Layers::NONE, Limits::default());
        let query = Query::new(&pool, &PathCondition::new(), below);
        for asked in 1..=2 {
            solver.check(&pool, &query);
            // x, x * x, 7 and the comparison, in each question.
            assert_eq!(solver.statistics().backend_tokens, 4 * asked);
        }
    }
}
