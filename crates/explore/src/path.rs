//! One path: its state, what holds on it, and the decisions that led to it.

use dalang_heap::{Bound, Facts};
use dalang_interp::State;
use dalang_solver::PathCondition;
use dalang_term::{Pool, TermId};
use std::rc::Rc;

/// A path that has not ended.
pub(crate) struct Node<'p> {
    pub(crate) state: State<'p>,
    /// What holds, bounds included.
    pub(crate) condition: PathCondition,
    /// What holds without the bounds, if there are any: what only they exclude is cut, not
    /// impossible.
    pub(crate) free: Option<PathCondition>,
    pub(crate) bounds: Rc<Vec<(Bound, TermId)>>,
    /// What was answered to each question, the newest first.
    pub(crate) answers: Option<Rc<Answered>>,
    /// Conditions that hold, and can in several ways: more may follow from them.
    pub(crate) open: Rc<Vec<TermId>>,
    /// What holds without having been decided, whatever the input is: nobody needs to be told.
    pub(crate) facts: Rc<Vec<TermId>>,
    /// Its place in the tree, if one is kept.
    pub(crate) place: u32,
    /// Answers that lead to where another worker left it, the last first.
    pub(crate) lead: Vec<Answer>,
}

/// An answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The number of the alternative.
    pub(crate) choice: u32,
    /// Whether another alternative was possible as well.
    pub(crate) divides: bool,
    /// The method and the instruction that asked: whoever follows the answers must be asked there.
    pub(crate) at: (u32, u16),
}

/// What was answered to a question, and before.
pub(crate) struct Answered {
    pub(crate) answer: Answer,
    /// Conditions that the answer settles, and whether they hold: that which was asked about, and
    /// what follows from it.
    pub(crate) settled: Box<[(TermId, bool)]>,
    /// How many answers there are, this one included.
    pub(crate) depth: usize,
    pub(crate) before: Option<Rc<Answered>>,
}

/// What holds on a path, with bounds and without.
pub(crate) struct Holds {
    pub(crate) condition: PathCondition,
    pub(crate) free: Option<PathCondition>,
}

impl Drop for Answered {
    fn drop(&mut self) {
        // The default would recurse once per answer.
        let mut next = self.before.take();
        while let Some(mut link) = next.and_then(Rc::into_inner) {
            next = link.before.take();
        }
    }
}

impl<'p> Node<'p> {
    pub(crate) fn new(state: State<'p>) -> Self {
        Self {
            state,
            condition: PathCondition::new(),
            free: None,
            bounds: Rc::default(),
            answers: None,
            open: Rc::default(),
            facts: Rc::default(),
            place: 0,
            lead: Vec::new(),
        }
    }

    /// Adds what holds without having been decided.
    pub(crate) fn learn(&mut self, pool: &Pool, facts: &Facts) {
        if !facts.holds.is_empty() {
            Rc::make_mut(&mut self.facts).extend(&facts.holds);
        }
        for &fact in &facts.holds {
            self.condition = self.condition.and(pool, fact);
            self.free = self.free.take().map(|free| free.and(pool, fact));
        }
        for &(bound, term) in &facts.bounds {
            if self.free.is_none() {
                self.free = Some(self.condition.clone());
            }
            self.condition = self.condition.and(pool, term);
            Rc::make_mut(&mut self.bounds).push((bound, term));
        }
    }

    /// An answer to what the path has asked.
    pub(crate) fn answer(&self, choice: u32, divides: bool) -> Answer {
        let frame = self.state.frame();
        Answer { choice, divides, at: (frame.method.number(), frame.pc) }
    }

    /// Records an answer and the conditions that it settles.
    pub(crate) fn record(&mut self, answer: Answer, settled: Box<[(TermId, bool)]>) {
        let before = self.answers.take();
        let depth = before.as_ref().map_or(0, |before| before.depth) + 1;
        self.answers = Some(Rc::new(Answered { answer, settled, depth, before }));
        self.state.forks += u32::from(answer.divides);
    }

    /// A copy about which other things hold.
    pub(crate) fn divided(&self, holds: Holds) -> Self {
        Self {
            state: self.state.clone(),
            condition: holds.condition,
            free: holds.free,
            bounds: Rc::clone(&self.bounds),
            answers: self.answers.clone(),
            open: Rc::clone(&self.open),
            facts: Rc::clone(&self.facts),
            place: self.place,
            lead: self.lead.clone(),
        }
    }

    /// What holds.
    pub(crate) fn holds(&self) -> Holds {
        Holds { condition: self.condition.clone(), free: self.free.clone() }
    }

    /// Every term that is about the path: a place that one of them names belongs to the path, whether or
    /// not the program can still reach it.
    pub(crate) fn terms(&self) -> Vec<TermId> {
        let mut terms = self.condition.conjuncts();
        terms.extend(self.free.iter().flat_map(PathCondition::conjuncts));
        terms.extend(self.bounds.iter().map(|bound| bound.1));
        terms.extend(self.open.iter().chain(self.facts.iter()));
        let mut next = self.answers.as_deref();
        while let Some(link) = next {
            terms.extend(link.settled.iter().map(|settled| settled.0));
            next = link.before.as_deref();
        }
        terms
    }

    /// Where it was asked last, and what was answered.
    pub(crate) fn newest(&self) -> Option<((u32, u16), u32)> {
        self.answers.as_ref().map(|newest| (newest.answer.at, newest.answer.choice))
    }

    /// All answers, the newest first.
    pub(crate) fn answers(&self) -> Vec<Answer> {
        let mut all = Vec::new();
        let mut next = self.answers.as_deref();
        while let Some(link) = next {
            all.push(link.answer);
            next = link.before.as_deref();
        }
        all
    }

    /// The choices that were made where there was one, the oldest first.
    pub(crate) fn decisions(&self) -> Vec<u32> {
        let answers = self.answers().into_iter().rev();
        answers.filter(|answer| answer.divides).map(|answer| answer.choice).collect()
    }
}
