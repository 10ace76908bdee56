//! One program path: its lazy states are in its summary, and what is in its summary is one of them.

use super::bridge::{Bridge, is_among};
use super::compare::Comparison;
use super::snapshot::Snapshot;
use crate::random::Random;
use dalang_heap::policy::guarded::class_number;
use dalang_heap::{InputId, Step};
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
    /// What types say of the summary's inputs, once it is needed.
    pub typing: Option<TermId>,
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
            let own = self.summary.condition.iter();
            let own: Vec<String> = own.map(|&term| self.pool.infix(term).to_string()).collect();
            let own = own.join(" && ");
            return Err(format!("{}the summary excludes it: {own}", describe(self.pool)));
        };
        let claims = Comparison::new(&bridge, self.from, self.pool, &values).run();
        let claims = claims.map_err(|why| {
            format!("{}{why}, where {}", describe(self.pool), values.describe(self.pool))
        })?;
        // What the lazy state leaves open decides neither whether the program goes this way nor what
        // the end is like.
        let all = self.summary.condition.iter().chain(&claims).copied();
        let all = self.pool.and_all(all);
        let fails = self.pool.not(all);
        let mut without = condition.clone();
        without.extend([self.typing(), fails]);
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
        // More must follow from what the summary says, or it is not exact.
        let is_unused = |input| self.summary.place_of(input).is_none();
        conditions.extend(self.types(is_unused));
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

    /// What types say of all references, where the path depends on classes.
    fn typing(&mut self) -> TermId {
        if let Some(known) = self.typing {
            return known;
        }
        let has_classes =
            self.summary.inputs.values().any(|input| matches!(input.step, Step::Class(_)));
        let typing = if has_classes { self.types(|_| true) } else { Vec::new() };
        let typing = self.pool.and_all(typing);
        self.typing = Some(typing);
        typing
    }

    /// What types say of some references, which a summary says itself only where it compares them: that
    /// they are other objects than those of classes that exclude theirs, and that an object which
    /// one of them is has a class that fits.
    fn types(&mut self, is_meant: impl Fn(InputId) -> bool) -> Vec<TermId> {
        let mut all = Vec::new();
        let summary = self.summary;
        for (id, input) in summary.references().filter(|one| is_meant(one.0)) {
            let null = self.pool.eq(input.symbol, Pool::NULL);
            let class = summary.class_symbol(id);
            for (other, older) in summary.references().filter(|one| one.0 != id) {
                let fits = match (class, summary.class_symbol(other)) {
                    _ if !summary.can_be_one(id, other) => Pool::FALSE,
                    (Some(class), Some(other)) => self.pool.eq(class, other),
                    (None, Some(other)) => is_among(self.pool, other, summary.classes_of(id)),
                    (_, None) => continue,
                };
                let equal = self.pool.eq(input.symbol, older.symbol);
                let consistent = self.pool.or(null, fits);
                all.push(self.pool.implies(equal, consistent));
            }
            if let Some(class) = class {
                all.push(is_among(self.pool, class, summary.classes_of(id)));
            }
        }
        all
    }

    /// Conditions that make heaps differ.
    fn wishes(&mut self, random: &mut Random) -> Vec<TermId> {
        let mut all = Vec::new();
        let inputs: Vec<InputId> = self.summary.inputs.keys().copied().collect();
        for _ in 0..WISHES {
            let id = inputs[random.below(inputs.len())];
            let one = &self.summary.inputs[&id];
            let value = match one.step {
                Step::Class(owner) => {
                    let mut locations = self.summary.locations.iter();
                    let own = locations.find(|location| location.input == owner);
                    let Some(own) = own else { continue };
                    class_number(self.pool, own.classes[random.below(own.classes.len())])
                }
                _ if one.class.is_some() => {
                    let others = inputs.iter().copied();
                    let mut others: Vec<TermId> = others
                        .filter(|&other| other != id && self.summary.can_be_one(other, id))
                        .map(|other| self.summary.inputs[&other].symbol)
                        .collect();
                    others.push(Pool::NULL);
                    others[random.below(others.len())]
                }
                _ => self.pool.constant(Sort::BitVec(1), 1),
            };
            let wish = self.pool.eq(one.symbol, value);
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
            let like_it = self.pool.and_all(condition.iter().copied());
            if self.pool.evaluate(like_it, values) != 1 {
                continue;
            }
            let claims = Comparison::new(&bridge, self.from, self.pool, values).run();
            let claims = claims.map_err(|why| format!("{why}: {}", values.describe(self.pool)))?;
            let claims = self.pool.and_all(claims);
            let mut all = [&self.summary.condition[..], &condition].concat();
            all.push(self.pool.not(claims));
            if let Some(other) = self.solve(&all) {
                let (values, other) = (values.describe(self.pool), other.describe(self.pool));
                return Err(format!("like a lazy state: {values}; not like it: {other}"));
            }
            return Ok(self.pool.not(like_it));
        }
        Err(format!("no lazy state is like {}", values.describe(self.pool)))
    }
}
