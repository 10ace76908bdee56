//! The built-in backend: circuits solved by CaDiCaL, incrementally.
//!
//! Circuits are definitions and stay; the conjuncts of a query are assumptions and go. What the SAT
//! solver learns follows from the definitions alone, so all paths share it. A solver that carries
//! far more circuits than a query needs is thrown away: it would assign them all.
//!
//! Most queries are easy, and there what prepares a SAT solver for a hard formula costs more than
//! it saves: the incremental solver goes without. The few queries that are still open after many
//! conflicts get a solver of their own with everything CaDiCaL has.

use super::{Backend, Verdict};
use crate::answer::Reason;
use crate::blast::gates::Lit;
use crate::blast::{Blaster, cone};
use crate::limits::Limits;
use cadical_sys::{CaDiCal, Status, Terminator};
use dalang_term::{Pool, PoolId, SymbolId, TermId};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// CaDiCaL with the circuits it knows.
pub(crate) struct Sat {
    session: Option<Session>,
    reference_bits: usize,
    /// The pool whose terms the session knows.
    pool: Option<PoolId>,
}

struct Session {
    solver: CaDiCal,
    blaster: Blaster,
    watch: Rc<Watch>,
}

/// What the SAT solver's callback looks at.
#[derive(Default)]
struct Watch {
    deadline: Cell<Option<Instant>>,
    memory: Cell<usize>,
    stop: RefCell<Option<Arc<AtomicBool>>>,
    calls: Cell<u32>,
    stopped: Cell<Option<Stopped>>,
}

#[derive(Clone, Copy)]
enum Stopped {
    Told,
    Time,
    Memory,
}

struct Callback(Rc<Watch>);

/// Resident memory is read from the operating system once in so many callbacks.
const CALLS_PER_MEMORY_READING: u32 = 256;
/// Below this many variables a solver is never thrown away.
const SMALL_SESSION: usize = 20_000;
/// A solver with this many times the variables a query needs is thrown away.
const CROWDED: usize = 16;
/// Conflicts after which a query is given to a solver of its own.
const EASY_CONFLICTS: i32 = 5_000;
/// Conflicts that hardly take any time.
const FEW_CONFLICTS: i32 = 60;
/// Bytes that one variable with its clauses takes, roughly, here and in CaDiCaL.
const BYTES_PER_VARIABLE: usize = 400;

/// How many numbers of clauses are handed over between two looks at the limits.
const NUMBERS_PER_LOOK: usize = 1 << 16;

impl Terminator for Callback {
    fn terminated(&mut self) -> bool {
        let watch = &self.0;
        let calls = watch.calls.get().wrapping_add(1);
        watch.calls.set(calls);
        if watch.stop.borrow().as_ref().is_some_and(|stop| stop.load(Ordering::Acquire)) {
            watch.stopped.set(Some(Stopped::Told));
        } else if watch.deadline.get().is_some_and(|deadline| Instant::now() >= deadline) {
            watch.stopped.set(Some(Stopped::Time));
        } else if calls.is_multiple_of(CALLS_PER_MEMORY_READING)
            && memory_stats::memory_stats().is_some_and(|now| now.physical_mem > watch.memory.get())
        {
            watch.stopped.set(Some(Stopped::Memory));
        }
        watch.stopped.get().is_some()
    }
}

/// What a SAT solver is set up for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// Many easy queries.
    Easy,
    /// One hard query.
    Hard,
}

/// A question as the backend gets it.
#[derive(Clone, Copy)]
struct Question<'a> {
    pool: &'a Pool,
    conjuncts: &'a [TermId],
    symbols: &'a [SymbolId],
    limits: &'a Limits,
    deadline: Option<Instant>,
}

impl Question<'_> {
    fn budget(&self) -> usize {
        self.limits.memory / BYTES_PER_VARIABLE
    }

    /// Why the answer must not be looked for any longer, if it must not.
    fn over(&self) -> Option<Reason> {
        if self.limits.is_stopped() {
            return Some(Reason::Stopped);
        }
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        late.then_some(Reason::Time)
    }
}

impl Sat {
    pub(crate) fn new() -> Sat {
        Sat { session: None, reference_bits: 4, pool: None }
    }

    /// Forgets the circuits of another pool's terms.
    fn serve(&mut self, pool: &Pool) {
        if self.pool.replace(pool.id()) != Some(pool.id()) {
            self.session = None;
        }
    }

    /// Decides in the session that there is, or in a new one; `None` when the query is not easy.
    fn easy(&mut self, question: Question<'_>, conflicts: i32) -> Option<Verdict> {
        let crowded = |session: &Session| session.is_crowded(question);
        let mut reusable = self.session.take().filter(|session| !crowded(session));
        loop {
            let reused = reusable.is_some();
            let mut session = reusable.take().unwrap_or_else(|| {
                Session::new(Effort::Easy, self.reference_bits, question.budget())
            });
            let verdict = session.decide(question, Some(conflicts));
            if let Some(bits) = session.blaster.missing_reference_bits() {
                self.reference_bits = bits;
                continue;
            }
            let out_of_memory = matches!(verdict, Some(Verdict::Unknown(Reason::Memory)));
            if out_of_memory && reused {
                // What other queries left there took the memory; this one may fit alone.
                continue;
            }
            if !session.blaster.gates().exhausted() && !out_of_memory {
                self.session = Some(session);
            }
            return verdict;
        }
    }

    fn hard(&self, question: Question<'_>) -> Verdict {
        let mut session = Session::new(Effort::Hard, self.reference_bits, question.budget());
        session.decide(question, None).unwrap_or(Verdict::Unknown(Reason::Time))
    }
}

impl Backend for Sat {
    fn decide(
        &mut self,
        pool: &Pool,
        conjuncts: &[TermId],
        symbols: &[SymbolId],
        limits: &Limits,
    ) -> Verdict {
        self.serve(pool);
        let question = Question { pool, conjuncts, symbols, limits, deadline: limits.deadline() };
        self.easy(question, EASY_CONFLICTS).unwrap_or_else(|| self.hard(question))
    }

    fn glance(
        &mut self,
        pool: &Pool,
        conjuncts: &[TermId],
        symbols: &[SymbolId],
        limits: &Limits,
    ) -> Option<Verdict> {
        self.serve(pool);
        let question = Question { pool, conjuncts, symbols, limits, deadline: limits.deadline() };
        self.easy(question, FEW_CONFLICTS)
    }
}

impl Session {
    fn new(effort: Effort, reference_bits: usize, budget: usize) -> Session {
        let mut solver = CaDiCal::new();
        if effort == Effort::Easy {
            for option in ["walk", "inprocessing", "lucky"] {
                let known = solver.set(option, 0);
                debug_assert!(known, "CaDiCaL has no option {option}");
            }
        }
        let watch = Rc::<Watch>::default();
        solver.connect_terminator(Callback(watch.clone()));
        Session { solver, blaster: Blaster::new(reference_bits, budget), watch }
    }

    fn is_crowded(&self, question: Question<'_>) -> bool {
        let variables = self.blaster.variables();
        let is_awaited = || !question.limits.is_stopped();
        let cone = || cone(question.pool, question.conjuncts, is_awaited);
        variables > SMALL_SESSION && variables > CROWDED * cone()
    }

    /// Decides the question; `None` when that takes more than so many conflicts.
    fn decide(&mut self, question: Question<'_>, conflicts: Option<i32>) -> Option<Verdict> {
        let Some(literals) = self.blast(question) else {
            return Some(Verdict::Unknown(question.over().unwrap_or(Reason::Memory)));
        };
        self.watch.deadline.set(question.deadline);
        self.watch.memory.set(question.limits.memory);
        self.watch.stop.replace(question.limits.stop.clone());
        self.watch.stopped.set(None);
        for &literal in &literals {
            self.solver.assume(literal);
        }
        if let Some(conflicts) = conflicts {
            self.solver.limit("conflicts", conflicts);
        }
        match (self.solver.solve(), self.watch.stopped.get()) {
            (Status::SATISFIABLE, _) => Some(Verdict::Sat(self.values(question))),
            (Status::UNSATISFIABLE, _) => {
                let failed = literals.iter().map(|&literal| self.solver.failed(literal));
                let core = question.conjuncts.iter().zip(failed).filter(|(_, failed)| *failed);
                Some(Verdict::Unsat(core.map(|(&conjunct, _)| conjunct).collect()))
            }
            (Status::UNKNOWN, Some(Stopped::Told)) => Some(Verdict::Unknown(Reason::Stopped)),
            (Status::UNKNOWN, Some(Stopped::Memory)) => Some(Verdict::Unknown(Reason::Memory)),
            (Status::UNKNOWN, Some(Stopped::Time)) => Some(Verdict::Unknown(Reason::Time)),
            (Status::UNKNOWN, None) => None,
        }
    }

    /// The literals of the conjuncts; `None` when their circuits are too large, or take too long.
    fn blast(&mut self, question: Question<'_>) -> Option<Vec<i32>> {
        let stop = question.limits.stop.clone();
        self.blaster.gates().set_limits(question.budget(), question.deadline, stop);
        let literal = |&conjunct: &TermId| self.blaster.literal(question.pool, conjunct).number();
        let literals = question.conjuncts.iter().map(literal).collect();
        let gates = self.blaster.gates();
        if gates.exhausted() {
            return None;
        }
        let mut is_over = false;
        for (count, number) in gates.take_clauses().enumerate() {
            if count % NUMBERS_PER_LOOK == 0 && question.over().is_some() {
                is_over = true;
                break;
            }
            self.solver.add(number);
        }
        if is_over {
            gates.exhaust();
            return None;
        }
        Some(literals)
    }

    fn values(&mut self, question: Question<'_>) -> Vec<(SymbolId, u64)> {
        let Session { solver, blaster, .. } = self;
        let mut read = |literal: Lit| solver.val(literal.number()) > 0;
        let value = |&symbol: &SymbolId| {
            Some((symbol, blaster.symbol_value(question.pool, symbol, &mut read)?))
        };
        question.symbols.iter().filter_map(value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{EASY_CONFLICTS, Question, Sat, Verdict};
    use crate::limits::Limits;
    use dalang_term::{Pool, Sort, TermId};

    /// A statement about two numbers, which must hold.
    type Law = fn(&mut Pool, TermId, TermId) -> TermId;

    /// What code relies on of quotients and remainders. No time is looked at: each must be decided within
    /// the conflicts of an easy query.
    const LAWS: [(&str, Law); 5] = [
        ("0 <= a % b < b", |pool, a, b| {
            let (remainder, zero) = (pool.srem(a, b), pool.int(0));
            let (above, below) = (pool.sle(zero, remainder), pool.slt(remainder, b));
            pool.and(above, below)
        }),
        ("a / b * b <= a", |pool, a, b| {
            let quotient = pool.sdiv(a, b);
            let product = pool.mul(quotient, b);
            pool.sle(product, a)
        }),
        ("a / b <= a", |pool, a, b| {
            let quotient = pool.sdiv(a, b);
            pool.sle(quotient, a)
        }),
        ("a %u b < b", |pool, a, b| {
            let remainder = pool.urem(a, b);
            pool.ult(remainder, b)
        }),
        ("a /u b * b <= a, unsigned", |pool, a, b| {
            let quotient = pool.udiv(a, b);
            let product = pool.mul(quotient, b);
            pool.ule(product, a)
        }),
    ];

    #[test]
    fn what_division_leaves_is_easy() {
        for (name, law) in LAWS {
            // Without rewriting, so that the circuits decide.
            let mut pool = Pool::raw();
            let [a, b] = ["a", "b"].map(|name| pool.symbol(name, Sort::BitVec(32)));
            let zero = pool.int(0);
            let (not_negative, positive) = (pool.sle(zero, a), pool.slt(zero, b));
            let law = law(&mut pool, a, b);
            let fails = pool.not(law);
            let limits = Limits::default();
            let question = Question {
                pool: &pool,
                conjuncts: &[not_negative, positive, fails],
                symbols: &[],
                limits: &limits,
                deadline: None,
            };
            let verdict = Sat::new().easy(question, EASY_CONFLICTS);
            assert!(matches!(verdict, Some(Verdict::Unsat(_))), "{name}");
        }
    }
}
