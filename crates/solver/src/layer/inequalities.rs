//! Products and quotients without SAT: bit-vectors as whole numbers, conditions as inequalities.
//!
//! A circuit of a product tells a SAT solver little about size. Here every term is a whole number, as far as
//! nothing is lost at its width (`inequalities/read.rs`), every comparison an inequality, and products of
//! inequalities are inequalities again (`inequalities/facts.rs`). If they have no solution even in
//! fractions (`inequalities/simplex.rs`), there is none in bits. Where the sign of a divisor or the branch
//! of an ite matters and is open, both are looked at.
//!
//! The layer says `Unsat` or nothing. It is asked where products of unknowns or divisions occur, in small
//! questions, and it gives up soon.

mod facts;
mod fraction;
mod polynomial;
mod read;
mod simplex;

use crate::path::Slice;
use dalang_term::{Op, Pool, TermId};
use facts::Facts;
use polynomial::Polynomial;
use read::Reader;
use rustc_hash::{FxHashMap, FxHashSet};

/// Questions with more terms are left to the backend.
const MOST_TERMS: usize = 160;
/// Multiplications of fractions, roughly.
const MOST_STEPS: usize = 60_000;
/// Cases that are looked at.
const MOST_CASES: usize = 24;

/// The search has taken too many steps, or numbers became too large.
pub(crate) struct TooLong;

type Steps<T> = Result<T, TooLong>;

/// Why reading ends early.
pub(crate) enum Halt {
    /// What was said cannot hold.
    Contradiction,
    /// Whether this is not negative, or whether this condition holds, has to be taken first.
    Split(TermId),
    /// Nobody wants to wait any longer.
    TooLong,
}

impl From<TooLong> for Halt {
    fn from(_: TooLong) -> Halt {
        Halt::TooLong
    }
}

/// What is left of the effort.
pub(crate) struct Work {
    steps: usize,
    cases: usize,
}

impl Work {
    fn new(steps: usize) -> Work {
        Work { steps, cases: MOST_CASES }
    }

    fn spend(&mut self, steps: usize) -> Steps<()> {
        self.steps = self.steps.checked_sub(steps).ok_or(TooLong)?;
        Ok(())
    }

    /// One case more.
    fn divide(&mut self) -> Steps<()> {
        self.cases = self.cases.checked_sub(1).ok_or(TooLong)?;
        Ok(())
    }
}

/// A Boolean term, and whether it shall hold.
type Goal = (TermId, bool);

/// Whether the conjuncts of a slice, about which this layer should be asked, contradict each other, if that
/// can be told here.
pub(crate) fn contradict(pool: &Pool, slice: &Slice) -> bool {
    let mut goals = Vec::new();
    for &conjunct in &slice.conjuncts {
        meet(pool, (conjunct, true), &mut goals);
    }
    // What compares unknowns with each other and with constants bounds what follows.
    goals.sort_by_key(|&(term, _)| !is_plain(pool, term));
    let mut work = Work::new(MOST_STEPS);
    let end = refute(pool, &goals, &mut FxHashMap::default(), &mut work);
    matches!(end, Err(Halt::Contradiction))
}

/// What there is in a question for this layer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Worth {
    /// Nothing.
    Nothing,
    /// Products that are not just sums in other words. Their circuits are small enough to try first.
    Products,
    /// Divisions.
    Divisions,
}

/// Whether this layer should be asked about conjuncts.
pub(crate) fn worth(pool: &Pool, conjuncts: &[TermId]) -> Worth {
    let mut seen = FxHashSet::default();
    let mut waiting = conjuncts.to_vec();
    let (mut multiplied, mut shifted) = (false, false);
    let (mut product, mut division) = (false, false);
    while let Some(term) = waiting.pop() {
        if !seen.insert(term) {
            continue;
        }
        if seen.len() > MOST_TERMS {
            return Worth::Nothing;
        }
        let node = pool.node(term);
        match node.op {
            Op::UDiv | Op::SDiv | Op::URem | Op::SRem => division = true,
            Op::Mul => {
                multiplied = true;
                product |= pool.bits(node.arg(1)).is_none();
            }
            Op::LShr | Op::AShr | Op::Extract(1..) => shifted = true,
            _ => {}
        }
        waiting.extend(node.args());
    }
    match (division, product || multiplied && shifted) {
        (true, _) => Worth::Divisions,
        (_, true) => Worth::Products,
        _ => Worth::Nothing,
    }
}

/// The comparisons that a goal consists of. What is no comparison is left out.
fn meet(pool: &Pool, (term, holds): Goal, goals: &mut Vec<Goal>) {
    let node = pool.node(term);
    match node.op {
        Op::Not => meet(pool, (node.arg(0), !holds), goals),
        Op::And if holds => {
            meet(pool, (node.arg(0), true), goals);
            meet(pool, (node.arg(1), true), goals);
        }
        Op::Slt | Op::Ult | Op::Eq if pool.sort(node.arg(0)).is_bitvec() => {
            goals.push((term, holds));
        }
        _ => {}
    }
}

/// Whether a comparison is of unknowns and constants only.
fn is_plain(pool: &Pool, comparison: TermId) -> bool {
    pool.node(comparison).args().all(|side| pool.node(side).op.arity() == 0)
}

/// Looks for a contradiction in each case; an end without one is one where nothing was found.
fn refute(
    pool: &Pool,
    goals: &[Goal],
    taken: &mut FxHashMap<TermId, bool>,
    work: &mut Work,
) -> Result<(), Halt> {
    let open = match read(pool, goals, taken, work) {
        Err(Halt::Split(open)) => open,
        end => return end,
    };
    for holds in [true, false] {
        work.divide()?;
        taken.insert(open, holds);
        let end = refute(pool, goals, taken, work);
        taken.remove(&open);
        match end {
            Err(Halt::Contradiction) => {}
            other => return other,
        }
    }
    Err(Halt::Contradiction)
}

fn read(
    pool: &Pool,
    goals: &[Goal],
    taken: &FxHashMap<TermId, bool>,
    work: &mut Work,
) -> Result<(), Halt> {
    let mut conditions = Vec::new();
    for (&term, &holds) in taken {
        meet(pool, (term, holds), &mut conditions);
    }
    conditions.sort_unstable();
    let mut reader = Reader {
        pool,
        facts: Facts::default(),
        work,
        taken,
        values: FxHashMap::default(),
        quotients: FxHashMap::default(),
    };
    for &goal in goals.iter().chain(&conditions) {
        state(&mut reader, goal)?;
    }
    let Reader { facts, work, .. } = reader;
    facts.conclude(work)
}

/// Says what a comparison says.
fn state(reader: &mut Reader<'_>, (term, holds): Goal) -> Result<(), Halt> {
    let node = reader.pool.node(term);
    let (a, b) = (reader.value(node.arg(0))?, reader.value(node.arg(1))?);
    let difference = b.plus(&a, -1).ok_or(TooLong)?;
    let opposite = difference.scaled(-1).ok_or(TooLong)?;
    match node.op {
        Op::Eq if holds => {
            not_negative(reader, &difference)?;
            not_negative(reader, &opposite)
        }
        Op::Eq => {
            reader.facts.not_zero(difference);
            Ok(())
        }
        Op::Slt if holds => not_negative(reader, &difference.plus_constant(-1).ok_or(TooLong)?),
        Op::Slt => not_negative(reader, &opposite),
        // Unsigned: what is below a number that is not negative is not negative either.
        _ if holds && reader.facts.proves(&b, reader.work)? => {
            not_negative(reader, &a)?;
            not_negative(reader, &difference.plus_constant(-1).ok_or(TooLong)?)
        }
        _ if !holds && reader.facts.proves(&a, reader.work)? => {
            not_negative(reader, &b)?;
            not_negative(reader, &opposite)
        }
        _ => Ok(()),
    }
}

fn not_negative(reader: &mut Reader<'_>, polynomial: &Polynomial) -> Result<(), Halt> {
    reader.facts.not_negative(polynomial, reader.work)
}

#[cfg(test)]
mod tests;
