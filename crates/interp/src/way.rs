//! The way that a path has gone: what was answered to each question, and what that settles.
//!
//! A way is a value: a longer one shares what it has in common with others, and none changes. A machine is
//! handed the way of the path that it follows, and owns none.

use dalang_term::{Pool, TermId};
use std::rc::Rc;

/// A path that a machine is to follow.
pub trait Followed {
    /// The answers that led to where it is, with what they settle.
    fn way(&self) -> &Way;

    /// What comparisons tell beyond that, if whoever hands the path over knows more.
    fn comparisons(&self) -> Option<Rc<dyn Comparisons>> {
        None
    }
}

/// What the comparisons that a path has decided tell together.
pub trait Comparisons {
    /// Whether two terms are different wherever the path goes.
    fn differ(&self, pool: &Pool, a: TermId, b: TermId) -> bool;
}

impl Followed for Way {
    fn way(&self) -> &Way {
        self
    }
}

/// An answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The number of the alternative.
    pub choice: u32,
    /// Whether another alternative was possible as well.
    pub divides: bool,
    /// The method and the instruction that asked: whoever follows the answers must be asked there.
    pub at: (u32, u16),
}

/// The answers that led to where a path is.
#[derive(Clone, Default)]
pub struct Way(Option<Rc<Link>>);

struct Link {
    answer: Answer,
    /// Conditions that the answer settles, and whether they hold: that which was asked about, and what
    /// follows from it.
    settled: Box<[(TermId, bool)]>,
    /// How many answers there are, this one included.
    length: usize,
    before: Way,
}

impl Drop for Link {
    fn drop(&mut self) {
        // The default would recurse once per answer.
        let mut next = self.before.0.take();
        while let Some(mut link) = next.and_then(Rc::into_inner) {
            next = link.before.0.take();
        }
    }
}

impl Way {
    /// This way, and one more answer with what it settles.
    #[must_use]
    pub fn and(self, answer: Answer, settled: Box<[(TermId, bool)]>) -> Self {
        let length = self.len() + 1;
        Self(Some(Rc::new(Link { answer, settled, length, before: self })))
    }

    /// How many answers there are.
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |newest| newest.length)
    }

    /// Whether nothing was asked yet.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether two ways are one.
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }

    /// The way before the newest answer, and what that settles.
    pub(crate) fn split(&self) -> Option<(&Self, &[(TermId, bool)])> {
        self.0.as_deref().map(|newest| (&newest.before, &*newest.settled))
    }

    /// All answers, the newest first.
    pub fn answers(&self) -> impl Iterator<Item = &Answer> {
        self.links().map(|link| &link.answer)
    }

    /// What is settled, the newest first.
    pub fn settled(&self) -> impl Iterator<Item = (TermId, bool)> {
        self.links().flat_map(|link| link.settled.iter().rev().copied())
    }

    fn links(&self) -> impl Iterator<Item = &Link> {
        std::iter::successors(self.0.as_deref(), |link| link.before.0.as_deref())
    }
}
