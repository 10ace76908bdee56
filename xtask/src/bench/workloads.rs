//! The solver's workloads: trees of branches, explored depth first.
//!
//! A workload is a list of levels; at each level one of the alternatives holds. Exploring asks, for
//! every alternative of every reachable level, whether it is feasible on the path so far, as a
//! symbolic execution does at its branches.

use dalang_solver::{Answer, PathCondition, Query, Solver};
use dalang_term::{Pool, Sort, TermId};

/// A tree of branches to explore.
pub struct Workload {
    pub name: &'static str,
    /// The alternatives at each level.
    pub levels: Vec<Vec<TermId>>,
    /// Queries and satisfiable leaves that must come out, where they are known beforehand.
    pub expected: Option<Counts>,
}

/// What an exploration counted.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    pub queries: u64,
    pub leaves: u64,
    pub unknown: u64,
}

impl Workload {
    /// Every workload, built in the pool.
    pub fn all(pool: &mut Pool) -> Vec<Workload> {
        vec![order(pool), linear(pool), alias(pool), bits(pool), floats(pool)]
    }

    /// Asks everything there is to ask.
    pub fn explore(&self, pool: &Pool, solver: &mut Solver) -> Counts {
        let mut counts = Counts::default();
        let mut waiting = vec![(PathCondition::new(), 0)];
        while let Some((path, level)) = waiting.pop() {
            let Some(alternatives) = self.levels.get(level) else {
                counts.leaves += 1;
                continue;
            };
            for &alternative in alternatives {
                let query = Query::new(pool, &path, alternative);
                counts.queries += 1;
                match solver.check(pool, &query) {
                    Answer::Sat(_) => waiting.push((query.into_path(), level + 1)),
                    Answer::Unsat => {}
                    Answer::Unknown(_) => counts.unknown += 1,
                }
            }
        }
        counts
    }
}

fn symbols(pool: &mut Pool, prefix: &str, count: usize, sort: Sort) -> Vec<TermId> {
    (0..count).map(|index| pool.symbol(&format!("{prefix}{index}"), sort)).collect()
}

fn branch(pool: &mut Pool, condition: TermId) -> Vec<TermId> {
    let otherwise = pool.not(condition);
    vec![condition, otherwise]
}

/// All three-way comparisons of six ints: every weak order of six elements is a leaf.
fn order(pool: &mut Pool) -> Workload {
    let x = symbols(pool, "x", 6, Sort::BitVec(32));
    let mut levels = Vec::new();
    for j in 0..x.len() {
        for i in 0..j {
            let (below, above) = (pool.slt(x[i], x[j]), pool.slt(x[j], x[i]));
            levels.push(vec![below, above, pool.eq(x[i], x[j])]);
        }
    }
    let expected = Counts { queries: 40_125, leaves: 4_683, unknown: 0 };
    Workload { name: "order", levels, expected: Some(expected) }
}

/// Sums and differences with constants, as in index arithmetic; sums may overflow.
fn linear(pool: &mut Pool) -> Workload {
    let x = symbols(pool, "i", 5, Sort::BitVec(32));
    let [one, ten, hundred] = [1, 10, 100].map(|value| pool.int(value));
    let mut levels = Vec::new();
    for k in 0..x.len() {
        let (here, next) = (x[k], x[(k + 1) % x.len()]);
        let sum = pool.add(here, next);
        let successor = pool.add(here, one);
        let difference = pool.sub(here, next);
        let small = pool.slt(sum, hundred);
        let far = pool.slt(ten, difference);
        let overflow = pool.slt(successor, here);
        for condition in [small, far, overflow] {
            levels.push(branch(pool, condition));
        }
    }
    levels.truncate(12);
    Workload { name: "linear", levels, expected: None }
}

/// Reads of a field through twenty references that may alias, after writes through some of them:
/// the value read is an ite over reference equalities.
fn alias(pool: &mut Pool) -> Workload {
    let references = symbols(pool, "r", 20, Sort::Ref);
    let values = symbols(pool, "v", 20, Sort::BitVec(32));
    let mut levels = Vec::new();
    for k in 10..20 {
        let mut read = values[k];
        for written in 0..6 {
            let same = pool.eq(references[k], references[(k + 3 * written) % 20]);
            read = pool.ite(same, values[written], read);
        }
        let limit = pool.int(k as i32);
        let condition = pool.slt(read, limit);
        levels.push(branch(pool, condition));
        let condition = pool.eq(references[k], references[k - 10]);
        levels.push(branch(pool, condition));
    }
    levels.truncate(11);
    Workload { name: "alias", levels, expected: None }
}

/// Masks, shifts and multiplication by symbols, as in hashing.
fn bits(pool: &mut Pool) -> Workload {
    let x = symbols(pool, "b", 4, Sort::BitVec(32));
    let [low, three, thirty_one, prime] = [0xff, 3, 31, 127].map(|value| pool.int(value));
    let mut levels = Vec::new();
    for k in 0..x.len() {
        let (here, next) = (x[k], x[(k + 1) % x.len()]);
        let masked = pool.bv_and(here, low);
        let shifted = pool.lshr(next, three);
        let distance = pool.bv_and(next, thirty_one);
        let moved = pool.shl(here, distance);
        let narrow = pool.bv_and(next, low);
        let product = pool.mul(masked, narrow);
        let mixed = pool.bv_xor(here, shifted);
        let equal = pool.eq(masked, narrow);
        let negative = pool.slt(moved, next);
        let large = pool.slt(prime, product);
        let above = pool.ult(mixed, here);
        for condition in [equal, negative, large, above] {
            levels.push(branch(pool, condition));
        }
    }
    levels.truncate(10);
    Workload { name: "bits", levels, expected: None }
}

/// Comparisons and sums of doubles.
fn floats(pool: &mut Pool) -> Workload {
    let x = symbols(pool, "d", 4, Sort::F64);
    let half = pool.f64(0.5);
    let mut levels = Vec::new();
    for k in 0..x.len() {
        let (here, next) = (x[k], x[(k + 1) % x.len()]);
        let below = pool.flt(here, next);
        let sum = pool.fadd(here, next);
        let absorbed = pool.feq(sum, here);
        let positive = pool.flt(half, here);
        for condition in [below, absorbed, positive] {
            levels.push(branch(pool, condition));
        }
    }
    levels.truncate(7);
    Workload { name: "floats", levels, expected: None }
}
