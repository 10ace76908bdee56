//! What holds on a path, as one value.
//!
//! A path is what was decided, what holds without having been decided, the bounds, and the way: the answers
//! that led here with all that they settle. Copies share what they have in common, and a longer path never
//! changes a shorter one. Bounds are no knowledge: what only they exclude is cut, not impossible. So a path
//! is kept as solvers see it with and without them, and whoever asks a path does not see that.

use crate::congruence::{Asking, Congruence};
use dalang_heap::{Bound, Facts, Settled};
use dalang_interp::{Answer, Comparisons, Followed, State, Truths, Way};
use dalang_solver::{Answer as Found, PathCondition, Reason};
use dalang_term::{Evaluation, Pool, TermId};
use std::rc::Rc;

/// How many conditions that can hold in several ways a path remembers.
const OPEN: usize = 48;

/// What holds on a path.
#[derive(Clone, Default)]
pub(crate) struct Path {
    /// What holds, bounds included.
    bounded: PathCondition,
    /// What holds without the bounds, if there are any.
    unbounded: Option<PathCondition>,
    bounds: Rc<Vec<(Bound, TermId)>>,
    /// What holds without having been decided, whatever the input is: nobody needs to be told.
    facts: Rc<Vec<TermId>>,
    /// Conditions that hold, and can in several ways: more may follow from them.
    open: Rc<Vec<TermId>>,
    way: Way,
    congruence: Congruence,
}

/// Whether a path can go on in a given way.
#[expect(clippy::large_enum_variant, reason = "most can, and the answer is taken apart at once")]
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

    /// The path as far as the program and the input decide it.
    fn condition(&self) -> &PathCondition {
        self.unbounded.as_ref().unwrap_or(&self.bounded)
    }

    /// Whether a condition holds wherever the path goes, as far as can be looked up. The index is the
    /// machine's, of what this path has settled.
    pub(crate) fn knows(&self, index: &Truths, pool: &Pool, condition: TermId) -> Option<bool> {
        debug_assert!(
            index.is_of(&self.way),
            "another path is asked than the one that is followed"
        );
        index.holds(pool, condition).or_else(|| self.condition().implies(pool, condition))
    }

    /// The path on which a condition holds as well, without asking whether it can.
    #[must_use]
    pub(crate) fn and(mut self, pool: &Pool, condition: TermId) -> Self {
        self.congruence.note(pool, condition);
        self.bounded = self.bounded.and(pool, condition);
        self.unbounded = self.unbounded.map(|path| path.and(pool, condition));
        self
    }

    /// Adds what holds without having been decided.
    pub(crate) fn learn(&mut self, pool: &Pool, facts: &Facts) {
        if !facts.holds.is_empty() {
            Rc::make_mut(&mut self.facts).extend(&facts.holds);
        }
        for &fact in &facts.holds {
            *self = std::mem::take(self).and(pool, fact);
        }
        for &(bound, term) in &facts.bounds {
            if self.unbounded.is_none() {
                self.unbounded = Some(self.bounded.clone());
            }
            self.bounded = self.bounded.and(pool, term);
            self.congruence.note(pool, term);
            Rc::make_mut(&mut self.bounds).push((bound, term));
        }
    }

    /// Adds what was learned of inputs that are one object.
    fn tie(&mut self, pool: &Pool, learned: &[TermId]) {
        for &fact in learned {
            self.bounded = self.bounded.and(pool, fact);
            self.unbounded = self.unbounded.take().map(|path| path.and(pool, fact));
            self.congruence.learn(pool, fact);
        }
    }

    /// Whether a condition can hold on the path, which may learn from the question.
    pub(crate) fn can(&mut self, asking: &mut Asking<'_>, condition: TermId) -> Feasibility {
        let checked = asking.check(&self.bounded, &self.congruence, condition);
        self.tie(asking.pool, &checked.learned);
        match checked.answer {
            Found::Sat(_) => {
                let mut congruence = self.congruence.clone();
                congruence.note(asking.pool, condition);
                let unbounded = self.unbounded.as_ref();
                let unbounded = unbounded.map(|path| path.and(asking.pool, condition));
                let bounded = checked.path;
                Feasibility::Yes(Self { bounded, unbounded, congruence, ..self.clone() })
            }
            Found::Unsat => self.beyond(asking, condition),
            Found::Unknown(reason) => Feasibility::Unknown(reason),
        }
    }

    /// What the bounds exclude is not impossible.
    fn beyond(&mut self, asking: &mut Asking<'_>, condition: TermId) -> Feasibility {
        let Some(unbounded) = &self.unbounded else { return Feasibility::No };
        let checked = asking.check(unbounded, &self.congruence, condition);
        self.tie(asking.pool, &checked.learned);
        match checked.answer {
            Found::Unsat => Feasibility::No,
            Found::Unknown(reason) => Feasibility::Unknown(reason),
            Found::Sat(assignment) => {
                let mut evaluation = Evaluation::new(assignment);
                let pool = &*asking.pool;
                let broken = self.bounds.iter().find(|(_, term)| !evaluation.holds(pool, *term));
                Feasibility::Beyond(broken.map_or(Bound::Array, |&(bound, _)| bound))
            }
        }
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
        let mut conjuncts = self.bounded.conjuncts();
        conjuncts.retain(|&conjunct| !self.congruence.has_learned(conjunct));
        conjuncts
    }

    /// What was decided, the oldest first.
    pub(crate) fn decided(&self) -> Vec<TermId> {
        let mut decided = self.condition().conjuncts();
        decided.retain(|&conjunct| {
            !self.facts.contains(&conjunct) && !self.congruence.has_learned(conjunct)
        });
        decided
    }

    /// Every term that is about the path: a place that one of them names belongs to the path, whether or
    /// not the program can still reach it.
    pub(crate) fn terms(&self) -> Vec<TermId> {
        let mut terms = self.bounded.conjuncts();
        terms.extend(self.condition().conjuncts());
        terms.extend(self.bounds.iter().map(|bound| bound.1));
        terms.extend(self.open.iter().chain(self.facts.iter()));
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
            .then(|| -> Rc<dyn Comparisons> { Rc::new(Ordered(self.condition().clone())) })
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
