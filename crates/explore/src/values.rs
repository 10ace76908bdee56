//! Which values a witness has, where a path leaves the choice: short arrays, small numbers, plain
//! characters and classes.
//!
//! Invariant: the values satisfy all that is said of them; what is changed is evaluated again.

use crate::congruence::{Asking, Congruence, Twins};
use crate::explorer::Explorer;
use crate::labels;
use dalang_heap::{Body, Origin, Step};
use dalang_interp::{Machine, State};
use dalang_solver::{Answer, PathCondition, Query, Solver};
use dalang_term::{Assignment, Evaluation, Pool, Sort, SymbolId, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The character that stands where any would do.
pub(crate) const PLAIN: u16 = b'a' as u16;

/// How often a solver is asked for shorter arrays and strings in a witness.
const SHORTENED: u32 = 24;

/// How long an array that the program makes need not be in a witness, if the path leaves it open: a witness
/// is executed again, and a long array takes time.
const FEW: i32 = 64;

/// What values must satisfy, and who is asked for them.
pub(crate) struct Search<'a, 'p> {
    pub(crate) path: PathCondition,
    pub(crate) congruence: Congruence,
    pub(crate) state: &'a State<'p>,
    pub(crate) solver: &'a mut Solver,
}

impl<'p> Explorer<'p> {
    /// Values for which arrays and strings are short, if there is time to look for them. What hangs together,
    /// such as a length and an index just below it, only a solver makes smaller together.
    pub(crate) fn shortest(
        &mut self,
        search: &mut Search<'_, 'p>,
        mut assignment: Assignment,
    ) -> Assignment {
        let (pool, inputs) = (&self.machine.pool, &self.machine.unknowns.inputs);
        let mut lengths: Vec<SymbolId> = assignment.iter().map(|(symbol, _)| symbol).collect();
        lengths.retain(|&symbol| {
            let step = inputs.of_symbol(symbol).map(|input| inputs.get(input).step);
            matches!(step, Some(Step::Length(_) | Step::Characters(_)))
        });
        // Numbers of symbols depend on what else was explored; names do not.
        lengths.sort_by_key(|&symbol| pool.symbol_name(symbol));
        let mut left = SHORTENED;
        for symbol in lengths {
            let term = self.machine.pool.symbol_term(symbol);
            while assignment.get(symbol) > 0 && left > 0 && !self.is_late() {
                left -= 1;
                let pool = &mut self.machine.pool;
                let now = pool.int(assignment.get(symbol) as i32);
                let shorter = pool.slt(term, now);
                let Answer::Sat(values) = self.values_with(search, shorter) else { break };
                assignment = values;
            }
        }
        for length in self.made_lengths(search.state) {
            let is_long = self.machine.pool.evaluate(length, &assignment) as i32 > FEW;
            if is_long && left > 0 && !self.is_late() {
                left -= 1;
                let few = self.machine.pool.int(FEW);
                let shorter = self.machine.pool.sle(length, few);
                if let Answer::Sat(values) = self.values_with(search, shorter) {
                    assignment = values;
                }
            }
        }
        assignment
    }

    /// The lengths of arrays that the program has made, where they depend on inputs.
    fn made_lengths(&self, state: &State<'p>) -> Vec<TermId> {
        let made = state.heap.objects().filter_map(|object| match &object.body {
            Body::Elements(elements) if matches!(elements.origin, Origin::Default(_)) => {
                Some(elements.length)
            }
            _ => None,
        });
        let mut lengths: Vec<TermId> = Vec::new();
        for length in made {
            if self.machine.pool.bits(length).is_none() && !lengths.contains(&length) {
                lengths.push(length);
            }
        }
        lengths
    }

    /// Values with which a condition holds as well; it does from then on.
    pub(crate) fn values_with(&mut self, search: &mut Search<'_, 'p>, condition: TermId) -> Answer {
        let Machine { pool, unknowns, .. } = &mut self.machine;
        let (inputs, knowledge) = (&unknowns.inputs, &search.state.knowledge);
        let mut asking = Asking { pool, solver: search.solver, inputs, knowledge };
        let query = Query::new(asking.pool, &search.path, condition);
        let checked = asking.check(&search.congruence, query);
        for lemma in checked.lemmas {
            search.congruence.note(&self.machine.pool, lemma);
        }
        if let Answer::Sat(_) = checked.answer {
            search.congruence.note(&self.machine.pool, condition);
            search.path = checked.query.into_path();
        }
        checked.answer
    }

    /// Which inputs are one object, by values.
    pub(crate) fn twins<'a>(
        &'a self,
        state: &'a State<'p>,
        congruence: &Congruence,
        values: &'a Assignment,
    ) -> Twins<'a> {
        let Machine { pool, unknowns, .. } = &self.machine;
        let (inputs, knowledge) = (&unknowns.inputs, &state.knowledge);
        Twins::new(pool, inputs, knowledge, congruence.comparisons(), values)
    }

    /// What must go on to hold while values are made plainer, because of which inputs are one object.
    pub(crate) fn ties(
        &mut self,
        state: &State<'p>,
        congruence: &Congruence,
        values: &Assignment,
    ) -> Vec<TermId> {
        let Machine { pool, unknowns, .. } = &mut self.machine;
        let (inputs, knowledge) = (&unknowns.inputs, &state.knowledge);
        Twins::new(pool, inputs, knowledge, congruence.comparisons(), values).facts(pool)
    }

    /// The same values, made small where the constraints leave the choice and there is time. One value that
    /// gets smaller may let another: a list with fewer elements needs a shorter array.
    pub(crate) fn smaller(
        &self,
        conjuncts: &[TermId],
        mut assignment: Assignment,
        classes: &FxHashMap<SymbolId, Vec<u64>>,
    ) -> Assignment {
        let pool = &self.machine.pool;
        let mut symbols: Vec<SymbolId> = assignment.iter().map(|(symbol, _)| symbol).collect();
        // Numbers of symbols depend on what else was explored; names do not.
        symbols.sort_by_key(|&symbol| pool.symbol_name(symbol));
        loop {
            let before = assignment.clone();
            for &symbol in &symbols {
                for candidate in self.plainer(symbol, assignment.get(symbol), classes) {
                    // There can be a class for each in view, and conditions can be large.
                    if self.is_late() {
                        return assignment;
                    }
                    let mut changed = assignment.clone();
                    changed.set(symbol, candidate);
                    if holds(pool, conjuncts, &changed, symbol) {
                        assignment = changed;
                        break;
                    }
                }
            }
            if assignment == before {
                return assignment;
            }
        }
    }

    /// Values that a person would rather read than this one, the plainest first.
    fn plainer(
        &self,
        symbol: SymbolId,
        bits: u64,
        classes: &FxHashMap<SymbolId, Vec<u64>>,
    ) -> Vec<u64> {
        if let Some(classes) = classes.get(&symbol) {
            return classes.iter().copied().take_while(|&class| class != bits).collect();
        }
        let inputs = &self.machine.unknowns.inputs;
        match inputs.of_symbol(symbol).map(|input| inputs.get(input).step) {
            Some(Step::Length(_) | Step::Characters(_) | Step::Supply) => {
                (0..bits.min(64)).collect()
            }
            // References that have the same value may be one object.
            _ if self.machine.pool.symbol_sort(symbol) == Sort::Ref => (0..bits.min(1)).collect(),
            // Zero is what the library keeps: an ordinary object is the plainer choice.
            Some(Step::Identity(_)) => (1..3).take_while(|&one| one != bits).collect(),
            _ => (0..bits.min(3)).collect(),
        }
    }

    /// The same values, and what constraints are about but got none, where a witness would else have
    /// something other than the zero that evaluation takes it for: characters (a plain one where that
    /// will do), and what static fields hold or lead to (left out, it is as initializers leave it).
    pub(crate) fn spelled_out(
        &self,
        conjuncts: &[TermId],
        mut assignment: Assignment,
    ) -> Assignment {
        let (pool, inputs) = (&self.machine.pool, &self.machine.unknowns.inputs);
        let mut seen: FxHashSet<SymbolId> = assignment.iter().map(|(symbol, _)| symbol).collect();
        for &conjunct in conjuncts {
            for &symbol in pool.symbols_of(conjunct).iter() {
                let Some(input) = inputs.of_symbol(symbol) else { continue };
                let step = inputs.get(input).step;
                let is_text = matches!(step, Step::Character(..) | Step::Supplied(_));
                if !(is_text || inputs.is_global(input)) || !seen.insert(symbol) {
                    continue;
                }
                assignment.set(symbol, if is_text { PLAIN.into() } else { 0 });
                if !holds(pool, conjuncts, &assignment, symbol) {
                    assignment.set(symbol, 0);
                }
            }
        }
        assignment
    }

    /// The classes that the symbols of classes can stand for, the plainest first.
    pub(crate) fn class_choices(
        &mut self,
        state: &State<'p>,
        assignment: &Assignment,
    ) -> FxHashMap<SymbolId, Vec<u64>> {
        let mut choices = FxHashMap::default();
        for (symbol, _) in assignment.iter() {
            let inputs = &self.machine.unknowns.inputs;
            let step = inputs.of_symbol(symbol).map(|input| inputs.get(input).step);
            let Some(Step::Class(of)) = step else { continue };
            let domain = labels::domain(&mut self.machine, state, of);
            let classes = self.machine.unknowns.domains.classes(domain).iter();
            choices.insert(symbol, classes.map(|class| class.index() as u64).collect());
        }
        choices
    }
}

/// Whether what is said about a symbol holds.
fn holds(pool: &Pool, conjuncts: &[TermId], assignment: &Assignment, symbol: SymbolId) -> bool {
    let mut evaluation = Evaluation::new(assignment.clone());
    let about = |term: &&TermId| pool.symbols_of(**term).contains(&symbol);
    conjuncts.iter().filter(about).all(|&term| evaluation.holds(pool, term))
}
