//! Builders: what callers write instead of nodes.
//!
//! One file per family. A builder checks sorts, spells derived operators with the primitive ones
//! and hands the node to the pool, which rewrites it. No simplification lives here.

mod bitvector;
mod boolean;
mod float;
mod reference;

pub use float::NanBits;

use crate::{Op, Pool, Sort, TermId};

impl Pool {
    /// Two operands of one sort, result of that sort.
    fn same_sort(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        let sort = self.expect_same(op, a, b);
        self.apply(op, sort, &[a, b])
    }

    /// Two operands of one sort, result a truth value.
    fn comparison(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        self.expect_same(op, a, b);
        self.apply(op, Sort::Bool, &[a, b])
    }

    fn expect_same(&self, op: Op, a: TermId, b: TermId) -> Sort {
        let sort = self.sort(a);
        assert_eq!(sort, self.sort(b), "{op:?} on two sorts");
        sort
    }

    fn expect_bool(&self, op: Op, a: TermId) {
        assert_eq!(self.sort(a), Sort::Bool, "{op:?} on a term that is no truth value");
    }

    fn expect_bitvec(&self, op: Op, a: TermId) -> u8 {
        match self.sort(a) {
            Sort::BitVec(width) => width,
            other => panic!("{op:?} on a term of sort {other}"),
        }
    }

    fn expect_float(&self, op: Op, a: TermId) -> Sort {
        let sort = self.sort(a);
        assert!(sort.is_float(), "{op:?} on a term of sort {sort}");
        sort
    }
}
