//! Builders of references. Equality and ite are in `boolean.rs`, null is [`Pool::NULL`].

use crate::{Pool, Sort, TermId};

impl Pool {
    /// The identity of a concrete object; identities are numbered from 1.
    pub fn identity(&mut self, number: u32) -> TermId {
        assert!(
            number != 0 && number < Pool::FIRST_ANONYMOUS_IDENTITY,
            "an identity is numbered from 1 and below {}",
            Pool::FIRST_ANONYMOUS_IDENTITY
        );
        self.constant(Sort::Ref, u64::from(number))
    }
}
