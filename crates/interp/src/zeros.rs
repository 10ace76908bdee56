//! Large arrays of zeros, made once: a program that makes many of the same size and writes to none of
//! them takes neither time nor memory for each.
//!
//! What arrays share is copied before one of them is written, as it is between states.

use crate::collect::LARGE;
use dalang_classes::Primitive;
use dalang_heap::Body;
use std::cell::RefCell;

/// The large array that was made last.
#[derive(Default)]
pub(crate) struct Zeros(RefCell<Option<Last>>);

struct Last {
    element: Primitive,
    length: usize,
    /// The array itself, from the second of the same size on: one that is made once is not kept.
    body: Option<Body>,
}

impl Zeros {
    /// An array of zeros.
    pub(crate) fn of(&self, element: Primitive, length: usize) -> Body {
        if (length as u64) < LARGE {
            return Body::primitives(element, length);
        }
        let mut last = self.0.borrow_mut();
        if let Some(last) = &mut *last
            && (last.element, last.length) == (element, length)
        {
            return last.body.get_or_insert_with(|| Body::primitives(element, length)).clone();
        }
        *last = Some(Last { element, length, body: None });
        Body::primitives(element, length)
    }

    /// Keeps nothing any longer.
    pub(crate) fn forget(&self) {
        *self.0.borrow_mut() = None;
    }
}

#[cfg(test)]
mod tests {
    use super::{LARGE, Zeros};
    use dalang_classes::Primitive;
    use dalang_heap::Value;

    #[test]
    fn what_is_shared_is_copied_before_it_is_written() {
        let (zeros, length) = (Zeros::default(), LARGE as usize);
        let [first, mut second, third] = [(); 3].map(|()| zeros.of(Primitive::Byte, length));
        assert_eq!((first.growth(false), third.growth(false)), (0, LARGE));
        assert!(second.set(7, Value::Int(1)));
        assert_eq!((second.get(7), third.get(7)), (Some(Value::Int(1)), Some(Value::Int(0))));
        assert_eq!(zeros.of(Primitive::Byte, length).get(7), Some(Value::Int(0)));
        zeros.forget();
        assert_eq!(zeros.of(Primitive::Int, length).growth(false), 0);
    }
}
