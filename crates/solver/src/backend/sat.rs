//! The built-in backend: circuits solved by CaDiCaL, incrementally.
//!
//! Circuits are definitions and stay; the conjuncts of a query are assumptions and go. What the SAT
//! solver learns follows from the definitions alone, so all paths share it. A solver that carries
//! far more circuits than a query needs is thrown away: it would assign them all.

use super::{Backend, Verdict};
use crate::answer::Reason;
use crate::blast::Blaster;
use crate::limits::Limits;
use cadical_sys::{CaDiCal, Status, Terminator};
use dalang_term::{Pool, SymbolId, TermId};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Instant;

/// CaDiCaL with the circuits it knows.
pub(crate) struct Sat {
    session: Option<Session>,
    reference_bits: usize,
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
    calls: Cell<u32>,
    stopped: Cell<Option<Stopped>>,
}

#[derive(Clone, Copy)]
enum Stopped {
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
/// Bytes that one variable with its clauses takes, roughly, here and in CaDiCaL.
const BYTES_PER_VARIABLE: usize = 400;

impl Terminator for Callback {
    fn terminated(&mut self) -> bool {
        let watch = &self.0;
        let calls = watch.calls.get().wrapping_add(1);
        watch.calls.set(calls);
        if watch.deadline.get().is_some_and(|deadline| Instant::now() >= deadline) {
            watch.stopped.set(Some(Stopped::Time));
        } else if calls.is_multiple_of(CALLS_PER_MEMORY_READING)
            && memory_stats::memory_stats().is_some_and(|now| now.physical_mem > watch.memory.get())
        {
            watch.stopped.set(Some(Stopped::Memory));
        }
        watch.stopped.get().is_some()
    }
}

impl Sat {
    pub(crate) fn new() -> Sat {
        Sat { session: None, reference_bits: 4 }
    }

    /// The session to use for these conjuncts: the one there is, or a new one.
    fn session(&mut self, pool: &Pool, conjuncts: &[TermId], limits: &Limits) -> &mut Session {
        let budget = limits.memory / BYTES_PER_VARIABLE;
        let reusable = self.session.take().filter(|session| !session.is_crowded(pool, conjuncts));
        let session = reusable.unwrap_or_else(|| Session::new(self.reference_bits, budget));
        let session = self.session.insert(session);
        session.blaster.gates().set_budget(budget);
        session
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
        let deadline = limits.deadline();
        loop {
            let session = self.session(pool, conjuncts, limits);
            let Some(literals) = session.blast(pool, conjuncts) else {
                self.session = None;
                return Verdict::Unknown(Reason::Memory);
            };
            if let Some(bits) = session.blaster.missing_reference_bits() {
                self.reference_bits = bits;
                self.session = None;
                continue;
            }
            session.watch.deadline.set(deadline);
            session.watch.memory.set(limits.memory);
            let verdict = session.solve(pool, conjuncts, &literals, symbols);
            if matches!(verdict, Verdict::Unknown(Reason::Memory)) {
                self.session = None;
            }
            return verdict;
        }
    }
}

impl Session {
    fn new(reference_bits: usize, budget: usize) -> Session {
        let mut solver = CaDiCal::new();
        configure(&mut solver);
        let watch = Rc::<Watch>::default();
        solver.connect_terminator(Callback(watch.clone()));
        let blaster = Blaster::new(reference_bits, budget);
        Session { solver, blaster, watch }
    }

    fn is_crowded(&self, pool: &Pool, conjuncts: &[TermId]) -> bool {
        let variables = self.blaster.variables();
        variables > SMALL_SESSION && variables > CROWDED * self.blaster.cone(pool, conjuncts)
    }

    /// The literals of the conjuncts; `None` when their circuits are too large.
    fn blast(&mut self, pool: &Pool, conjuncts: &[TermId]) -> Option<Vec<i32>> {
        let literals = conjuncts
            .iter()
            .map(|&conjunct| self.blaster.literal(pool, conjunct).number())
            .collect();
        let gates = self.blaster.gates();
        if gates.exhausted() {
            return None;
        }
        for number in gates.take_clauses() {
            self.solver.add(number);
        }
        Some(literals)
    }

    fn solve(
        &mut self,
        pool: &Pool,
        conjuncts: &[TermId],
        literals: &[i32],
        symbols: &[SymbolId],
    ) -> Verdict {
        self.watch.stopped.set(None);
        for &literal in literals {
            self.solver.assume(literal);
        }
        match self.solver.solve() {
            Status::SATISFIABLE => Verdict::Sat(self.values(pool, symbols)),
            Status::UNSATISFIABLE => {
                let failed = literals.iter().map(|&literal| self.solver.failed(literal));
                let core = conjuncts.iter().zip(failed).filter(|(_, failed)| *failed);
                Verdict::Unsat(core.map(|(&conjunct, _)| conjunct).collect())
            }
            Status::UNKNOWN => Verdict::Unknown(match self.watch.stopped.get() {
                Some(Stopped::Memory) => Reason::Memory,
                _ => Reason::Time,
            }),
        }
    }

    fn values(&mut self, pool: &Pool, symbols: &[SymbolId]) -> Vec<(SymbolId, u64)> {
        let Session { solver, blaster, .. } = self;
        symbols
            .iter()
            .filter_map(|&symbol| {
                let term = pool.symbol_term(symbol);
                let read = |literal: crate::blast::gates::Lit| solver.val(literal.number()) > 0;
                Some((symbol, blaster.symbol_value(pool, symbol, term, read)?))
            })
            .collect()
    }
}

/// Queries are small and many: what prepares CaDiCaL for one hard formula costs more than it saves.
fn configure(solver: &mut CaDiCal) {
    for (option, value) in [("lucky", 0), ("walk", 0), ("ilb", 0)] {
        let known = solver.set(option, value);
        debug_assert!(known, "CaDiCaL has no option {option}");
    }
}
