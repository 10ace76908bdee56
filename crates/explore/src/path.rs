//! What holds on a path, as one value.
//!
//! A path is one condition, in which each conjunct is labelled as decided, as a fact or as a bound that is
//! only assumed, and the way: the answers that led here with all that they settle. Copies share what they have
//! in common, and a longer path never changes a shorter one. Bounds are no knowledge: nothing follows from
//! them, and what cannot be because of them is asked again without, since what only they exclude is cut, not
//! impossible.

use crate::congruence::{Asking, Congruence};
use dalang_heap::{Bound, Facts, Settled};
use dalang_interp::{Answer, Comparisons, Followed, State, Truths, Way};
use dalang_solver::{Answer as Found, Label, PathCondition, Query, Reason};
use dalang_term::{Assignment, Evaluation, Pool, TermId};
use std::rc::Rc;

/// How many conditions that can hold in several ways a path remembers.
const OPEN: usize = 48;

/// What holds on a path.
#[derive(Clone, Default)]
pub(crate) struct Path {
    /// What holds, and the bounds, which are assumed.
    condition: PathCondition,
    /// Which bound each is.
    bounds: Rc<Vec<(Bound, TermId)>>,
    /// Conditions that hold, and can in several ways: more may follow from them.
    open: Rc<Vec<TermId>>,
    way: Way,
    congruence: Congruence,
}

/// Whether a path can go on in a given way.
pub(crate) enum Feasibility {
    /// It can; the path then.
    Yes(Path),
    /// It cannot.
    No,
    /// It can only beyond a bound.
    Beyond(Bound),
    /// It was not found out: why.
    Unknown(Reason),
}

impl Path {
    /// A path on which nothing was decided yet.
    pub(crate) fn new(congruence: Congruence) -> Self {
        Self { congruence, ..Self::default() }
    }

    /// Whether a condition holds wherever the path goes, as far as can be looked up. The index is the
    /// machine's, of what this path has settled.
    pub(crate) fn knows(&self, index: &Truths, pool: &Pool, condition: TermId) -> Option<bool> {
        debug_assert!(
            index.is_of(&self.way),
            "another path is asked than the one that is followed"
        );
        index.holds(pool, condition).or_else(|| self.condition.implies(pool, condition))
    }

    /// The path on which a condition holds as well, without asking whether it can.
    #[must_use]
    pub(crate) fn and(mut self, pool: &Pool, condition: TermId) -> Self {
        self.add(pool, condition, Label::Decided);
        self
    }

    fn add(&mut self, pool: &Pool, condition: TermId, label: Label) {
        self.congruence.note(pool, condition);
        self.condition.add(pool, condition, label);
    }

    /// Adds what holds without having been decided.
    pub(crate) fn learn(&mut self, pool: &Pool, facts: &Facts) {
        for &fact in &facts.holds {
            self.add(pool, fact, Label::Fact);
        }
        for &(bound, term) in &facts.bounds {
            self.add(pool, term, Label::Assumed);
            Rc::make_mut(&mut self.bounds).push((bound, term));
        }
    }

    /// Whether a condition can hold on the path, which may learn from the question.
    pub(crate) fn can(&mut self, asking: &mut Asking<'_>, condition: TermId) -> Feasibility {
        let query = Query::new(asking.pool, &self.condition, condition);
        let (answer, query) = self.ask(asking, query);
        match answer {
            Found::Sat(_) => {
                let mut congruence = self.congruence.clone();
                congruence.note(asking.pool, condition);
                let (bounds, open) = (Rc::clone(&self.bounds), Rc::clone(&self.open));
                let (condition, way) = (query.into_path(), self.way.clone());
                Feasibility::Yes(Self { condition, bounds, open, way, congruence })
            }
            Found::Unknown(reason) => Feasibility::Unknown(reason),
            // What the bounds exclude is not impossible.
            Found::Unsat => match query.without_assumptions(asking.pool) {
                None => Feasibility::No,
                Some(query) => match self.ask(asking, query).0 {
                    Found::Unsat => Feasibility::No,
                    Found::Unknown(reason) => Feasibility::Unknown(reason),
                    Found::Sat(values) => Feasibility::Beyond(self.broken(asking.pool, values)),
                },
            },
        }
    }

    /// Asks, and takes over what was learned of inputs that are one object.
    fn ask(&mut self, asking: &mut Asking<'_>, query: Query) -> (Found, Query) {
        let checked = asking.check(&self.congruence, query);
        if !checked.lemmas.is_empty() {
            self.condition = checked.query.path().clone();
        }
        for lemma in checked.lemmas {
            self.congruence.note(asking.pool, lemma);
        }
        (checked.answer, checked.query)
    }

    /// The bound that values do not keep to.
    fn broken(&self, pool: &Pool, values: Assignment) -> Bound {
        let mut evaluation = Evaluation::new(values);
        let broken = self.bounds.iter().find(|(_, term)| !evaluation.holds(pool, *term));
        broken.map_or(Bound::Array, |&(bound, _)| bound)
    }

    /// Records an answer and the conditions that it settles.
    pub(crate) fn record(&mut self, answer: Answer, settled: Box<[(TermId, bool)]>) {
        self.way = std::mem::take(&mut self.way).and(answer, settled);
    }

    /// The answers that led here.
    pub(crate) fn way(&self) -> &Way {
        &self.way
    }

    /// A condition that holds, and that more may follow from.
    pub(crate) fn open(&self, place: usize) -> Option<TermId> {
        self.open.get(place).copied()
    }

    /// Remembers a condition that more may follow from.
    pub(crate) fn keep_open(&mut self, condition: TermId) {
        let open = Rc::make_mut(&mut self.open);
        if open.len() >= OPEN {
            open.remove(0);
        }
        open.push(condition);
    }

    /// Nothing more follows from a condition than what is known by now.
    pub(crate) fn close(&mut self, place: usize) {
        Rc::make_mut(&mut self.open).remove(place);
    }

    /// Everything that holds, bounds included, the oldest first. What was learned of inputs that are one
    /// object is left out: it depends on the values that a solver happened to find.
    pub(crate) fn conjuncts(&self) -> Vec<TermId> {
        self.condition.labelled(|label| label != Label::Lemma)
    }

    /// What was decided, the oldest first.
    pub(crate) fn decided(&self) -> Vec<TermId> {
        self.condition.labelled(|label| label == Label::Decided)
    }

    /// Every term that is about the path: a place that one of them names belongs to the path, whether or
    /// not the program can still reach it.
    pub(crate) fn terms(&self) -> Vec<TermId> {
        let mut terms = self.condition.conjuncts();
        terms.extend(self.open.iter());
        terms.extend(self.way.settled().map(|settled| settled.0));
        terms
    }
}

impl Followed for Path {
    fn way(&self) -> &Way {
        &self.way
    }

    fn comparisons(&self) -> Option<Rc<dyn Comparisons>> {
        self.congruence
            .is_due()
            .then(|| -> Rc<dyn Comparisons> { Rc::new(Ordered(self.condition.clone())) })
    }
}

/// The comparisons of a path.
struct Ordered(PathCondition);

impl Comparisons for Ordered {
    fn differ(&self, pool: &Pool, a: TermId, b: TermId) -> bool {
        self.0.differ(pool, a, b)
    }
}

/// A path that has not ended.
pub(crate) struct Node<'p> {
    pub(crate) state: State<'p>,
    pub(crate) path: Path,
    /// Its place in the tree, if one is kept.
    pub(crate) place: u32,
    /// Answers that lead to where another worker left it, the last first.
    pub(crate) lead: Vec<Answer>,
}

impl<'p> Node<'p> {
    pub(crate) fn new(state: State<'p>, congruence: Congruence) -> Self {
        Self { state, path: Path::new(congruence), place: 0, lead: Vec::new() }
    }

    /// An answer to what the path has asked.
    pub(crate) fn answer(&self, choice: u32, divides: bool) -> Answer {
        let frame = self.state.frame();
        Answer { choice, divides, at: (frame.method.number(), frame.pc) }
    }

    /// Records an answer to what was asked, and the conditions that it settles.
    pub(crate) fn record(&mut self, choice: u32, divides: bool, settled: Box<[(TermId, bool)]>) {
        let answer = self.answer(choice, divides);
        self.path.record(answer, settled);
        self.state.forks += u32::from(divides);
    }

    /// A copy that goes another path.
    pub(crate) fn divided(&self, path: Path) -> Self {
        Self { state: self.state.clone(), path, place: self.place, lead: self.lead.clone() }
    }

    /// Where it was asked last, and what was answered.
    pub(crate) fn newest(&self) -> Option<((u32, u16), u32)> {
        self.path.way().answers().next().map(|newest| (newest.at, newest.choice))
    }

    /// All answers, the newest first.
    pub(crate) fn answers(&self) -> Vec<Answer> {
        self.path.way().answers().copied().collect()
    }

    /// The choices that were made where there was one, the oldest first.
    pub(crate) fn decisions(&self) -> Vec<u32> {
        let answers = self.answers().into_iter().rev();
        answers.filter(|answer| answer.divides).map(|answer| answer.choice).collect()
    }
}
