//! One program path: its lazy states are in its summary, and what is in its summary is one of them.

use super::bridge::Bridge;
use super::compare::Comparison;
use super::snapshot::Snapshot;
use crate::random::Random;
use dalang_solver::{Answer, PathCondition, Query, Solver};
use dalang_term::{Assignment, Pool, Sort, TermId};

/// How many heaps are taken from a summary, at most.
const SAMPLES: usize = 12;

/// How many conditions a heap is wished to fulfil, beside the summary's.
const WISHES: usize = 3;

/// The lazy states and the summary of a program path.
pub struct Side<'a> {
    /// The terms of the lazy states.
    pub from: &'a Pool,
    pub lazy: &'a [Snapshot],
    /// Those of the summary.
    pub pool: &'a mut Pool,
    pub summary: &'a Snapshot,
    pub solver: &'a mut Solver,
}

impl Side<'_> {
    /// Values under which conditions hold, if there are any.
    fn solve(&mut self, conditions: &[TermId]) -> Option<Assignment> {
        let mut path = PathCondition::new();
        for &condition in conditions {
            path = path.and(self.pool, condition);
        }
        let query = Query::new(self.pool, &path, Pool::TRUE);
        match self.solver.check(self.pool, &query) {
            Answer::Sat(values) => Some(values),
            Answer::Unsat => None,
            Answer::Unknown(why) => panic!("the solver gives up: {why}"),
        }
    }

    /// Whether the summary represents a lazy state; how many claims that makes.
    pub fn is_represented(&mut self, state: &Snapshot) -> Result<usize, String> {
        let bridge = Bridge::first(state, self.summary);
        let condition = bridge.condition(self.from, self.pool);
        let describe = |pool: &Pool| {
            let parts: Vec<String> =
                condition.iter().map(|&term| pool.infix(term).to_string()).collect();
            format!("a lazy state is not in its summary: {}\n", parts.join(" && "))
        };
        let both = [&self.summary.condition[..], &condition].concat();
        let Some(values) = self.solve(&both) else {
            return Err(describe(self.pool) + "the summary's condition excludes it");
        };
        let claims = Comparison::new(&bridge, self.from, self.pool, &values).run();
        let claims = claims.map_err(|why| describe(self.pool) + &why)?;
        // What the lazy state leaves open decides neither whether the program goes this way nor what
        // the end is like.
        let all = self.summary.condition.iter().chain(&claims).copied();
        let all = self.pool.and_all(all);
        let fails = self.pool.not(all);
        let mut without = condition.clone();
        without.push(fails);
        match self.solve(&without) {
            None => Ok(claims.len()),
            Some(values) => {
                let failing = self.summary.condition.iter().chain(&claims);
                let failing = failing.copied().find(|&t| self.pool.evaluate(t, &values) != 1);
                let text = failing.map(|term| self.pool.infix(term).to_string());
                Err(format!(
                    "{}not always: {text:?}, {}",
                    describe(self.pool),
                    values.describe(self.pool)
                ))
            }
        }
    }

    /// Takes heaps from the summary, and looks for each among the lazy states; how many there were,
    /// and whether none is left.
    pub fn sample(&mut self, random: &mut Random) -> Result<(usize, bool), String> {
        let mut conditions = self.summary.condition.clone();
        for number in 0..SAMPLES {
            let Some(mut values) = self.solve(&conditions) else {
                return Ok((number, true));
            };
            let mut wanted = conditions.clone();
            for wish in self.wishes(random) {
                wanted.push(wish);
                match self.solve(&wanted) {
                    Some(better) => values = better,
                    None => {
                        wanted.pop();
                    }
                }
            }
            conditions.push(self.is_reached(&values)?);
        }
        Ok((SAMPLES, false))
    }

    /// Conditions that make heaps differ.
    fn wishes(&mut self, random: &mut Random) -> Vec<TermId> {
        let mut all = Vec::new();
        let inputs: Vec<_> = self.summary.inputs.values().collect();
        for _ in 0..WISHES {
            let one = inputs[random.below(inputs.len())];
            let wish = if one.class.is_some() {
                let alike: Vec<_> =
                    inputs.iter().filter(|other| other.class == one.class).collect();
                let other = alike[random.below(alike.len())].symbol;
                let other = if other == one.symbol { Pool::NULL } else { other };
                self.pool.eq(one.symbol, other)
            } else {
                let bit = self.pool.constant(Sort::BitVec(1), 1);
                self.pool.eq(one.symbol, bit)
            };
            all.push(if random.below(2) == 0 { wish } else { self.pool.not(wish) });
        }
        all
    }

    /// Looks for a heap of the summary among the lazy states. What comes back excludes it, and all
    /// others that the lazy state describes in the same way.
    fn is_reached(&mut self, values: &Assignment) -> Result<TermId, String> {
        for state in self.lazy {
            let Some(bridge) = Bridge::under(state, self.summary, self.pool, values) else {
                continue;
            };
            let condition = bridge.condition(self.from, self.pool);
            let condition = self.pool.and_all(condition);
            if self.pool.evaluate(condition, values) != 1 {
                continue;
            }
            let compared = Comparison::new(&bridge, self.from, self.pool, values).run();
            let about = |why| format!("{why}: {}", values.describe(self.pool));
            compared.map_err(about)?;
            return Ok(self.pool.not(condition));
        }
        Err(format!("no lazy state is like {}", values.describe(self.pool)))
    }
}
