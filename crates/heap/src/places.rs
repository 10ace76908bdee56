//! Which places nobody was given yet, for all heaps that come from one by copying.
//!
//! Places are given out in blocks, so that whoever makes objects asks rarely. Some have a name: what a heap
//! makes under a name is at the same place in every heap of the family, whoever makes it first.

use crate::input::InputId;
use crate::reference::Reference;
use dalang_classes::{ClassId, Name};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// How many places are given out at once. A copy leaves the rest of its block unused.
const BLOCK: u32 = 8;

/// What has a place of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Named {
    /// The static fields of a class.
    Statics(ClassId),
    /// The `java.lang.Class` of a class.
    Mirror(ClassId),
    /// The string of a literal.
    Literal(Rc<[u16]>),
    /// The characters of a literal.
    Characters(Rc<[u16]>),
    /// The `java.lang.invoke.MethodType` of a descriptor.
    Signature(Name),
    /// The object that an input leads to, if it is none that was used before.
    Storage(InputId),
    /// The characters of the string that an input leads to.
    Text(InputId),
    /// The elements of an input of a general type, if it is an array of this class.
    Elements(InputId, ClassId),
}

/// What the heaps of a family were given.
#[derive(Debug, Default)]
struct Given {
    /// The first place that nobody was given.
    next: u32,
    named: FxHashMap<Named, Reference>,
    /// The rest of the block that names are given places from.
    rest: Range<u32>,
}

impl Given {
    fn block(&mut self) -> Range<u32> {
        let first = self.next;
        self.next = first.saturating_add(BLOCK);
        // Place 0 is `null`'s.
        first.max(1)..self.next
    }
}

/// The places that a family of heaps shares.
#[derive(Clone, Debug)]
pub(crate) struct Places(Rc<RefCell<Given>>);

impl Places {
    /// All from this one on.
    pub(crate) fn from(next: u32) -> Self {
        Self(Rc::new(RefCell::new(Given { next, ..Given::default() })))
    }

    /// Places that nobody else is given.
    pub(crate) fn block(&self) -> Range<u32> {
        self.0.borrow_mut().block()
    }

    /// The place of what has a name.
    pub(crate) fn of(&self, name: Named) -> Reference {
        let given = &mut *self.0.borrow_mut();
        if let Some(&known) = given.named.get(&name) {
            return known;
        }
        if given.rest.is_empty() {
            given.rest = given.block();
        }
        let place = Reference::new(given.rest.start);
        given.rest.start += 1;
        given.named.insert(name, place);
        place
    }

    /// All numbers that were given are below this one.
    pub(crate) fn end(&self) -> u32 {
        self.0.borrow().next
    }
}
