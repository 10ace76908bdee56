//! How a path goes on when it has asked: in one way, in several, or as another worker went before.
//!
//! Conditions and choices of a policy differ in which answers there are and in what an answer does to the
//! state. All else is the same for both: an answer that cannot be given is left out, one that only a bound
//! or a limit excludes is a stop, and what an answer settles is known from then on.

use crate::congruence::Asking;
use crate::explorer::{Explorer, Run, bound_kind};
use crate::outcome::StopKind;
use crate::path::{Feasibility, Node, Path};
use crate::simplify::{Under, conjuncts, is_open};
use dalang_heap::{Alternative, Effect};
use dalang_interp::{Answer, Machine, Question, Truths};
use dalang_solver::Reason;
use dalang_term::{Pool, TermId};
use rustc_hash::FxHashMap;
use std::sync::atomic::Ordering;

/// How many parts of conditions are looked at again for an answer: conditions can be large, and no
/// limit of time is seen meanwhile.
const FOLLOWED: usize = 100_000;

/// What was asked, as the path sees it that asked.
enum Asked<'a> {
    /// Whether a condition holds, and what that comes to here. The first answer is that it does.
    Condition { whole: TermId, left: TermId },
    /// Which alternative of a policy.
    Choice(&'a [Alternative]),
}

/// Paths that go on, each with the number of the answer.
type Ways = Vec<(u32, Path)>;

impl Asked<'_> {
    /// How many answers there are.
    fn answers(&self) -> u32 {
        match self {
            Self::Condition { .. } => 2,
            Self::Choice(alternatives) => alternatives.len() as u32,
        }
    }

    /// What holds if the answer is this one.
    fn condition(&self, pool: &mut Pool, choice: u32) -> Option<TermId> {
        match *self {
            Self::Condition { left, .. } if choice == 0 => Some(left),
            Self::Condition { left, .. } => Some(pool.not(left)),
            Self::Choice(alternatives) => alternatives[choice as usize].condition,
        }
    }
}

impl<'p> Explorer<'p> {
    /// Answers what a path has asked. The rest of the path, if only one way is possible; several ways are
    /// left to the worklist.
    pub(crate) fn divide(
        &mut self,
        run: &mut Run<'_, 'p>,
        mut node: Node<'p>,
        question: &Question,
    ) -> Option<Node<'p>> {
        let asked = match question {
            Question::Condition(whole) => {
                Asked::Condition { whole: *whole, left: self.simplified(&node.path, *whole) }
            }
            Question::Choice(alternatives) => Asked::Choice(alternatives),
        };
        if let Some(answer) = node.lead.pop() {
            self.follow_lead(&mut node, &asked, answer);
            return Some(node);
        }
        if let Asked::Condition { left, .. } = asked
            && let Some(bits) = self.machine.pool.bits(left)
        {
            run.ledger.statistics.implied += 1;
            self.advance(&mut node, &asked, u32::from(bits != 1), false);
            return Some(node);
        }
        let ways = self.ways(run, &mut node, &asked);
        run.watch.queries.store(self.solver.statistics().queries, Ordering::Relaxed);
        let forks = ways.len() > 1;
        let mut nodes = copies(node, ways);
        for (choice, way) in &mut nodes {
            self.advance(way, &asked, *choice, forks);
            if forks {
                self.grow(run, way, &asked, *choice);
            }
        }
        if !forks {
            return nodes.pop().map(|(_, node)| node);
        }
        run.ledger.statistics.forks += nodes.len() as u64 - 1;
        run.worklist.extend(nodes.into_iter().map(|(_, node)| node).collect());
        None
    }

    /// Goes where another worker went before.
    fn follow_lead(&mut self, node: &mut Node<'p>, asked: &Asked<'_>, answer: Answer) {
        // This ends the path as a defect of ours; to go on would be to count another path.
        let ours = node.answer(answer.choice, answer.divides);
        assert_eq!(ours, answer, "two workers disagree on a path");
        if let Some(condition) = asked.condition(&mut self.machine.pool, answer.choice) {
            node.path = std::mem::take(&mut node.path).and(&self.machine.pool, condition);
        }
        self.advance(node, asked, answer.choice, answer.divides);
    }

    /// Goes on with an answer, on the path on which it holds.
    fn advance(&mut self, node: &mut Node<'p>, asked: &Asked<'_>, choice: u32, divides: bool) {
        let settled = match *asked {
            Asked::Condition { whole, left } => {
                self.settled_by(&mut node.path, whole, left, choice == 0)
            }
            Asked::Choice(alternatives) => {
                let effect = alternatives[choice as usize].effect;
                let facts = self.machine.choose(&mut node.state, effect);
                node.path.learn(&self.machine.pool, &facts);
                Box::default()
            }
        };
        node.record(choice, divides, settled);
    }

    /// A condition, made smaller by what a path knows; bounds are no knowledge.
    fn simplified(&mut self, path: &Path, condition: TermId) -> TermId {
        let follows = self.config.policy.follows_conditions();
        let Machine { pool, truths, .. } = &mut self.machine;
        let truths: &Truths = truths;
        if !follows {
            let known = path.knows(truths, pool, condition);
            return known.map_or(condition, |holds| pool.boolean(holds));
        }
        let known = |pool: &Pool, term| path.knows(truths, pool, term);
        Under { pool, known: &known }.simplify(condition)
    }

    /// The ways to go on.
    fn ways(&mut self, run: &mut Run<'_, 'p>, node: &mut Node<'p>, asked: &Asked<'_>) -> Ways {
        let mut ways = Vec::with_capacity(asked.answers() as usize);
        let mut follows = false;
        for choice in 0..asked.answers() {
            if let Some((kind, what)) = self.barred(node, asked, choice) {
                run.ledger.stop(kind, &what, Some(node.place));
                continue;
            }
            let found = match asked.condition(&mut self.machine.pool, choice) {
                None => Feasibility::Yes(node.path.clone()),
                Some(condition) if follows => {
                    Feasibility::Yes(node.path.clone().and(&self.machine.pool, condition))
                }
                Some(condition) => self.can(node, condition),
            };
            // A condition holds or does not, so if the first cannot be, the second is.
            let cannot = matches!(found, Feasibility::No | Feasibility::Beyond(_));
            follows = cannot && matches!(asked, Asked::Condition { .. });
            self.take(run, node, choice, found, &mut ways);
        }
        ways
    }

    /// Whether a path can go on with a condition.
    fn can(&mut self, node: &mut Node<'p>, condition: TermId) -> Feasibility {
        let Machine { pool, unknowns, .. } = &mut self.machine;
        let (inputs, knowledge) = (&unknowns.inputs, &node.state.knowledge);
        let mut asking = Asking { pool, solver: &mut self.solver, inputs, knowledge };
        node.path.can(&mut asking, condition)
    }

    /// Why an answer is not followed, if it is not.
    fn barred(
        &mut self,
        node: &Node<'p>,
        asked: &Asked<'_>,
        choice: u32,
    ) -> Option<(StopKind, String)> {
        let Asked::Choice(alternatives) = *asked else { return None };
        let program = self.machine.program;
        match alternatives[choice as usize].effect {
            Effect::Cut(bound) => Some((bound_kind(bound), String::new())),
            Effect::NoClass(class) => {
                let class = program.class_spelling(class);
                Some((StopKind::Unsupported, format!("no class in view is a {class}")))
            }
            Effect::Unloadable(value) => {
                let class = program.type_spelling(value);
                let what = format!(
                    "{class}, which an input is declared as, cannot be loaded; put it, and all that \
                     it needs, on the class path with --class-path"
                );
                Some((StopKind::Missing, what))
            }
            effect if self.machine.is_beyond(&node.state, effect) => {
                Some((StopKind::N, String::new()))
            }
            _ => None,
        }
    }

    fn take(
        &mut self,
        run: &mut Run<'_, 'p>,
        node: &Node<'p>,
        choice: u32,
        found: Feasibility,
        ways: &mut Ways,
    ) {
        let place = Some(node.place);
        match found {
            Feasibility::Yes(path) => ways.push((choice, path)),
            Feasibility::No => {}
            Feasibility::Beyond(bound) => run.ledger.stop(bound_kind(bound), "", place),
            Feasibility::Unknown(Reason::Memory) => run.ledger.stop(StopKind::Memory, "", place),
            Feasibility::Unknown(reason) => match self.sentinel.reason() {
                // Questions end when the method's limits do, and then it is not they that took long.
                Some(kind) => run.ledger.stop(kind, "", place),
                None if run.budget.is_late() => run.ledger.stop(StopKind::Time, "", place),
                None => run.ledger.stop(StopKind::Solver, &reason.to_string(), place),
            },
        }
    }

    /// What an answer settles on a path: what was asked, what it comes to, and what follows.
    fn settled_by(
        &mut self,
        path: &mut Path,
        asked: TermId,
        condition: TermId,
        holds: bool,
    ) -> Box<[(TermId, bool)]> {
        let mut settled = vec![(asked, holds)];
        let pool = &mut self.machine.pool;
        // Nothing new follows from what was known.
        if self.config.policy.follows_conditions() && pool.bits(condition).is_none() {
            let truth = if holds { condition } else { pool.not(condition) };
            add_parts(pool, path, truth, &mut settled);
            self.follow_up(path, &mut settled);
        }
        settled.into()
    }

    /// Finds out what is left of conditions that could hold in several ways, now that more is settled:
    /// an alias that has been excluded leaves a plain comparison, which needs no SAT.
    fn follow_up(&mut self, path: &mut Path, settled: &mut Vec<(TermId, bool)>) {
        let mut new: FxHashMap<TermId, bool> = settled.iter().copied().collect();
        let (mut next, mut looks) = (1, 0);
        while next < settled.len() {
            let about = self.machine.pool.symbols_of(settled[next].0);
            next += 1;
            let mut place = 0;
            while let Some(open) = path.open(place) {
                place += 1;
                let of = self.machine.pool.symbols_of(open);
                if !about.iter().any(|symbol| of.contains(symbol)) {
                    continue;
                }
                if looks > FOLLOWED {
                    return;
                }
                let Machine { pool, truths, .. } = &mut self.machine;
                let truths: &Truths = truths;
                let known = |pool: &Pool, term| {
                    new.get(&term).copied().or_else(|| path.knows(truths, pool, term))
                };
                let (left, steps) = Under { pool, known: &known }.reduce(open);
                looks += steps;
                if left == open || left == Pool::FALSE {
                    continue;
                }
                place -= 1;
                path.close(place);
                if left == Pool::TRUE {
                    continue;
                }
                *path = std::mem::take(path).and(pool, left);
                let before = settled.len();
                add_parts(pool, path, left, settled);
                new.extend(settled[before..].iter().copied());
            }
        }
    }

    /// Notes a fork in the tree.
    fn grow(&mut self, run: &mut Run<'_, 'p>, way: &mut Node<'p>, asked: &Asked<'_>, choice: u32) {
        way.place = match *asked {
            Asked::Condition { left, .. } => {
                let truth = if choice == 0 { left } else { self.machine.pool.not(left) };
                let label = || self.spelled(&way.state, truth);
                run.ledger.grow(way.place, choice, "branch", label)
            }
            Asked::Choice(alternatives) => {
                let alternative = &alternatives[choice as usize];
                run.ledger.count(alternative.rule);
                let label = || self.describe(&way.state, alternative);
                run.ledger.grow(way.place, choice, alternative.rule, label)
            }
        };
    }
}

/// Settles the parts of a condition that holds, and remembers those that more may follow from.
fn add_parts(pool: &Pool, path: &mut Path, truth: TermId, settled: &mut Vec<(TermId, bool)>) {
    for part in conjuncts(pool, truth) {
        // What is known already leads to nothing new: two forms of a condition may lead to each other.
        if settled[1..].contains(&(part, true)) {
            continue;
        }
        settled.push((part, true));
        if is_open(pool, part) {
            path.keep_open(part);
        }
    }
}

/// A node for each way. The last takes the place of the node that divides: one copy less.
fn copies(node: Node<'_>, ways: Ways) -> Vec<(u32, Node<'_>)> {
    let mut nodes = Vec::with_capacity(ways.len());
    let mut ways = ways.into_iter().rev();
    let Some((choice, path)) = ways.next() else { return nodes };
    nodes.extend(ways.map(|(choice, path)| (choice, node.divided(path))));
    nodes.reverse();
    nodes.push((choice, Node { path, ..node }));
    nodes
}
