//! Logic gates over SAT literals, turned into clauses as they are made.
//!
//! A gate on constants is a constant and equal gates are one, so a circuit with concrete inputs
//! folds to its output without a solver: that is how circuits are tested against the hardware.
//! Encodings are complete in both directions (a gate may be used under either polarity later).

use super::divide::Divisions;
use rustc_hash::FxHashMap;
use std::ops::Not;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A SAT literal: a variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lit(i32);

impl Lit {
    /// Always true: variable 1 is asserted by [`Gates::new`].
    pub const TRUE: Lit = Lit(1);
    /// Always false.
    pub const FALSE: Lit = Lit(-1);

    /// The constant literal.
    pub const fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    /// The value of a constant literal.
    pub const fn known(self) -> Option<bool> {
        match self.0 {
            1 => Some(true),
            -1 => Some(false),
            _ => None,
        }
    }

    /// The number that SAT solvers use: positive for a variable, negative for its negation.
    pub const fn number(self) -> i32 {
        self.0
    }

    const fn is_negated(self) -> bool {
        self.0 < 0
    }

    const fn variable(self) -> Lit {
        Lit(self.0.abs())
    }

    const fn negated_if(self, negate: bool) -> Lit {
        if negate { Lit(-self.0) } else { self }
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(-self.0)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    And(Lit, Lit),
    Xor(Lit, Lit),
    Ite(Lit, Lit, Lit),
    Parity(Lit, Lit, Lit),
    Majority(Lit, Lit, Lit),
}

/// Makes gates and collects their clauses.
pub struct Gates {
    variables: i32,
    known: FxHashMap<Gate, Lit>,
    conjunctions: FxHashMap<Box<[Lit]>, Lit>,
    pub(super) divisions: Divisions,
    clauses: Vec<i32>,
    budget: usize,
    deadline: Option<Instant>,
    stop: Option<Arc<AtomicBool>>,
    exhausted: bool,
}

/// The clock is read once in so many new variables.
const VARIABLES_PER_CLOCK_READING: i32 = 1 << 14;

impl Gates {
    /// No gates yet, and at most `budget` of them ever.
    pub fn new(budget: usize) -> Gates {
        let mut gates = Gates {
            variables: 1,
            known: FxHashMap::default(),
            conjunctions: FxHashMap::default(),
            divisions: Divisions::default(),
            clauses: Vec::new(),
            budget,
            deadline: None,
            stop: None,
            exhausted: false,
        };
        gates.clause(&[Lit::TRUE]);
        gates
    }

    /// Was a gate refused for lack of budget or time? Then every circuit made here is meaningless.
    pub fn exhausted(&self) -> bool {
        self.exhausted
    }

    /// No circuit made here means anything from now on.
    pub fn exhaust(&mut self) {
        self.exhausted = true;
    }

    /// Sets how many variables there may be in all, and until when they may be made: a moment, or that
    /// somebody says so.
    pub fn set_limits(
        &mut self,
        budget: usize,
        deadline: Option<Instant>,
        stop: Option<Arc<AtomicBool>>,
    ) {
        self.budget = budget;
        self.deadline = deadline;
        self.stop = stop;
    }

    fn is_late(&self) -> bool {
        self.variables % VARIABLES_PER_CLOCK_READING == 0
            && (self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Acquire))
                || self.deadline.is_some_and(|deadline| Instant::now() >= deadline))
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.variables as usize
    }

    /// The clauses made since the last call, each ended by 0.
    pub fn take_clauses(&mut self) -> std::vec::Drain<'_, i32> {
        self.clauses.drain(..)
    }

    /// A literal that nothing constrains yet.
    pub fn fresh(&mut self) -> Lit {
        if self.exhausted || self.variables as usize >= self.budget || self.is_late() {
            // Refusing must not grow anything; the caller looks at `exhausted` before trusting.
            self.exhausted = true;
            return Lit::FALSE;
        }
        self.variables += 1;
        Lit(self.variables)
    }

    /// Asserts that one of the literals holds.
    pub fn clause(&mut self, literals: &[Lit]) {
        if self.exhausted {
            return;
        }
        self.clauses.extend(literals.iter().map(|literal| literal.0));
        self.clauses.push(0);
    }

    /// `a && b`
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        if a == Lit::FALSE || b == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        if b == Lit::TRUE {
            return a;
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        self.gate(Gate::And(a, b), |gates, out| {
            gates.clause(&[!out, a]);
            gates.clause(&[!out, b]);
            gates.clause(&[out, !a, !b]);
        })
    }

    /// `a || b`
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// `a != b`
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        match (a.known(), b.known()) {
            (Some(value), _) => return b.negated_if(value),
            (_, Some(value)) => return a.negated_if(value),
            _ => {}
        }
        let negate = a.is_negated() != b.is_negated();
        let (a, b) = (a.variable(), b.variable());
        if a == b {
            return Lit::constant(negate);
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let out = self.gate(Gate::Xor(a, b), |gates, out| {
            gates.clause(&[!out, a, b]);
            gates.clause(&[!out, !a, !b]);
            gates.clause(&[out, !a, b]);
            gates.clause(&[out, a, !b]);
        });
        out.negated_if(negate)
    }

    /// `a == b`
    pub fn same(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// `condition ? a : b`
    pub fn ite(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        if let Some(decided) = condition.known() {
            return if decided { a } else { b };
        }
        if a == b {
            return a;
        }
        if a == !b {
            return self.same(condition, a);
        }
        if a == Lit::TRUE || a == condition {
            return self.or(condition, b);
        }
        if a == Lit::FALSE || a == !condition {
            return self.and(!condition, b);
        }
        if b == Lit::TRUE || b == !condition {
            return self.or(!condition, a);
        }
        if b == Lit::FALSE || b == condition {
            return self.and(condition, a);
        }
        let (condition, a, b) =
            if condition.is_negated() { (!condition, b, a) } else { (condition, a, b) };
        let negate = a.is_negated();
        let (a, b) = (a.negated_if(negate), b.negated_if(negate));
        let out = self.gate(Gate::Ite(condition, a, b), |gates, out| {
            gates.clause(&[!condition, !a, out]);
            gates.clause(&[!condition, a, !out]);
            gates.clause(&[condition, !b, out]);
            gates.clause(&[condition, b, !out]);
            // Redundant, but unit propagation needs them when both branches agree.
            gates.clause(&[!a, !b, out]);
            gates.clause(&[a, b, !out]);
        });
        out.negated_if(negate)
    }

    /// `a ^ b ^ c`, the sum bit of a full adder.
    pub fn parity(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        for (known, x, y) in [(a, b, c), (b, a, c), (c, a, b)] {
            if let Some(value) = known.known() {
                return self.xor(x, y).negated_if(value);
            }
        }
        let negate = a.is_negated() ^ b.is_negated() ^ c.is_negated();
        let mut sorted = [a.variable(), b.variable(), c.variable()];
        sorted.sort_unstable();
        let [a, b, c] = sorted;
        if a == b {
            return c.negated_if(negate);
        }
        if b == c {
            return a.negated_if(negate);
        }
        let out = self.gate(Gate::Parity(a, b, c), |gates, out| {
            for signs in 0..8_u32 {
                let [x, y, z] = [(a, 0), (b, 1), (c, 2)]
                    .map(|(literal, bit)| literal.negated_if(signs >> bit & 1 == 1));
                // With x, y and z all false, the parity of a, b, c is the parity of the signs.
                gates.clause(&[x, y, z, out.negated_if(signs.count_ones() % 2 == 0)]);
            }
        });
        out.negated_if(negate)
    }

    /// At least two of three, the carry bit of a full adder.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        for (known, x, y) in [(a, b, c), (b, a, c), (c, a, b)] {
            match known.known() {
                Some(true) => return self.or(x, y),
                Some(false) => return self.and(x, y),
                None => {}
            }
            if x == y {
                return x;
            }
            if x == !y {
                return known;
            }
        }
        let mut sorted = [a, b, c];
        sorted.sort_unstable();
        let [a, b, c] = sorted;
        self.gate(Gate::Majority(a, b, c), |gates, out| {
            for (x, y) in [(a, b), (a, c), (b, c)] {
                gates.clause(&[!x, !y, out]);
                gates.clause(&[x, y, !out]);
            }
        })
    }

    /// The conjunction of all.
    pub fn all(&mut self, literals: impl IntoIterator<Item = Lit>) -> Lit {
        let mut needed: Vec<Lit> =
            literals.into_iter().filter(|&literal| literal != Lit::TRUE).collect();
        needed.sort_unstable_by_key(|literal| (literal.variable(), literal.is_negated()));
        needed.dedup();
        let contradictory = needed.windows(2).any(|pair| pair[0] == !pair[1]);
        if contradictory || needed.contains(&Lit::FALSE) {
            return Lit::FALSE;
        }
        match needed[..] {
            [] => Lit::TRUE,
            [one] => one,
            [a, b] => self.and(a, b),
            _ => {
                if let Some(&known) = self.conjunctions.get(&needed[..]) {
                    return known;
                }
                let out = self.fresh();
                if self.exhausted {
                    return out;
                }
                self.conjunctions.insert(needed.clone().into(), out);
                for &literal in &needed {
                    self.clause(&[!out, literal]);
                }
                let mut because: Vec<Lit> = needed.iter().map(|&literal| !literal).collect();
                because.push(out);
                self.clause(&because);
                out
            }
        }
    }

    /// The disjunction of all.
    pub fn any(&mut self, literals: impl IntoIterator<Item = Lit>) -> Lit {
        !self.all(literals.into_iter().map(|literal| !literal))
    }

    fn gate(&mut self, gate: Gate, define: impl FnOnce(&mut Gates, Lit)) -> Lit {
        if let Some(&known) = self.known.get(&gate) {
            return known;
        }
        let out = self.fresh();
        if !self.exhausted {
            self.known.insert(gate, out);
            define(self, out);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::{Gates, Lit};

    type Meaning = fn(bool, bool, bool) -> bool;

    /// Every gate over up to three literals (constants, repeated and negated ones included) agrees
    /// with its truth table: all models of its clauses are looked at.
    #[test]
    fn gates_are_their_truth_tables() {
        let mut gates = Gates::new(1000);
        let variables = [gates.fresh(), gates.fresh(), gates.fresh()];
        let mut inputs = vec![Lit::TRUE, Lit::FALSE];
        inputs.extend(variables.iter().flat_map(|&variable| [variable, !variable]));
        let mut expectations: Vec<(Lit, [Lit; 3], Meaning)> = Vec::new();
        for &a in &inputs {
            for &b in &inputs {
                for &c in &inputs {
                    expectations.push((gates.and(a, b), [a, b, c], |a, b, _| a && b));
                    expectations.push((gates.or(a, b), [a, b, c], |a, b, _| a || b));
                    expectations.push((gates.xor(a, b), [a, b, c], |a, b, _| a != b));
                    expectations.push((
                        gates.ite(a, b, c),
                        [a, b, c],
                        |a, b, c| if a { b } else { c },
                    ));
                    expectations.push((gates.parity(a, b, c), [a, b, c], |a, b, c| a ^ b ^ c));
                    expectations.push((gates.majority(a, b, c), [a, b, c], |a, b, c| {
                        u8::from(a) + u8::from(b) + u8::from(c) >= 2
                    }));
                    expectations.push((gates.all([a, b, c]), [a, b, c], |a, b, c| a && b && c));
                    expectations.push((gates.any([a, b, c]), [a, b, c], |a, b, c| a || b || c));
                }
            }
        }
        assert!(!gates.exhausted());
        let clauses: Vec<i32> = gates.take_clauses().collect();
        for inputs in 0..8 {
            let mut value = vec![None; gates.variables() + 1];
            value[1] = Some(true);
            for (bit, variable) in variables.iter().enumerate() {
                value[variable.number() as usize] = Some(inputs >> bit & 1 == 1);
            }
            propagate(&clauses, &mut value);
            let read = |literal: Lit| {
                let known = value[literal.number().unsigned_abs() as usize];
                known.expect("inputs decide every gate") == (literal.number() > 0)
            };
            for &(out, [a, b, c], meaning) in &expectations {
                assert_eq!(read(out), meaning(read(a), read(b), read(c)));
            }
        }
    }

    /// Unit propagation to a fixed point; a falsified clause is a failure.
    fn propagate(clauses: &[i32], value: &mut [Option<bool>]) {
        let mut changed = true;
        while changed {
            changed = false;
            for clause in clauses.split(|&number| number == 0).filter(|clause| !clause.is_empty()) {
                let state = |number: i32| {
                    value[number.unsigned_abs() as usize].map(|known| known == (number > 0))
                };
                if clause.iter().any(|&number| state(number) == Some(true)) {
                    continue;
                }
                let open: Vec<i32> =
                    clause.iter().copied().filter(|&number| state(number).is_none()).collect();
                assert!(!open.is_empty(), "clause {clause:?} is false");
                if let [unit] = open[..] {
                    value[unit.unsigned_abs() as usize] = Some(unit > 0);
                    changed = true;
                }
            }
        }
    }

    #[test]
    fn a_spent_budget_is_said_and_stops_growth() {
        let mut gates = Gates::new(3);
        let (a, b) = (gates.fresh(), gates.fresh());
        assert!(!gates.exhausted());
        gates.and(a, b);
        assert!(gates.exhausted());
        assert_eq!(gates.variables(), 3);
    }
}
