//! Builders of truth values, and the two operators of every sort: equality and ite.

use crate::{Op, Pool, Sort, TermId};

impl Pool {
    /// The truth value as a term.
    pub fn boolean(&self, value: bool) -> TermId {
        if value { Pool::TRUE } else { Pool::FALSE }
    }

    /// `!a`
    pub fn not(&mut self, a: TermId) -> TermId {
        self.expect_bool(Op::Not, a);
        self.apply(Op::Not, Sort::Bool, &[a])
    }

    /// `a && b`
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.expect_bool(Op::And, a);
        self.expect_bool(Op::And, b);
        self.apply(Op::And, Sort::Bool, &[a, b])
    }

    /// `a || b`
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let neither = self.and(not_a, not_b);
        self.not(neither)
    }

    /// `a ^ b` on truth values.
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.expect_bool(Op::Eq, a);
        let same = self.eq(a, b);
        self.not(same)
    }

    /// `!a || b`
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_b = self.not(b);
        let broken = self.and(a, not_b);
        self.not(broken)
    }

    /// The conjunction of all, `true` of none.
    pub fn and_all(&mut self, terms: impl IntoIterator<Item = TermId>) -> TermId {
        terms.into_iter().fold(Pool::TRUE, |all, term| self.and(all, term))
    }

    /// The disjunction of all, `false` of none.
    pub fn or_all(&mut self, terms: impl IntoIterator<Item = TermId>) -> TermId {
        terms.into_iter().fold(Pool::FALSE, |any, term| self.or(any, term))
    }

    /// Equal bits: for floats NaN equals itself and -0 differs from +0 (see [`Pool::feq`]).
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.comparison(Op::Eq, a, b)
    }

    /// Not [`Pool::eq`].
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let same = self.eq(a, b);
        self.not(same)
    }

    /// `condition ? then : otherwise`, of any one sort.
    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        self.expect_bool(Op::Ite, condition);
        let sort = self.expect_same(Op::Ite, then, otherwise);
        self.apply(Op::Ite, sort, &[condition, then, otherwise])
    }
}
