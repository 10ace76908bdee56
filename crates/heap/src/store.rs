//! Where objects live: pages that copies of a heap share until one of them writes.
//!
//! A reference is a place in a page. Copying a heap copies the list of pages; the first write to a
//! page after that copies the page (a few dozen headers, whose contents are shared in turn), and
//! the first write to an object copies that object. A heap that was never copied pays nothing but
//! the check. Places are used again only after [`Heap::collect`], which whoever runs a program calls
//! when nothing outside the given roots holds a reference.

use crate::object::{Body, Object};
use crate::reference::Reference;
use crate::value::Value;
use dalang_classes::ClassId;
use std::array;
use std::rc::Rc;

const PAGE: usize = 32;

#[derive(Clone, Debug)]
struct Page([Option<Object>; PAGE]);

/// All objects and arrays of a state.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    pages: Vec<Rc<Page>>,
    /// The next place that was never used; place 0 is `null`'s.
    next: u32,
    /// Places that were used and are free again.
    free: Vec<u32>,
    bytes: u64,
    /// How often anything was, or may have been, changed.
    changes: u64,
}

impl Heap {
    /// A heap without objects.
    pub fn new() -> Self {
        Self { next: 1, ..Self::default() }
    }

    /// About how many bytes Java would need for what was allocated and not collected.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Two equal numbers, asked at different times, mean that nothing has changed in between.
    #[inline]
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// How many places are in use.
    pub fn len(&self) -> usize {
        (self.next as usize).saturating_sub(1 + self.free.len())
    }

    /// Whether nothing was allocated.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Puts an object into the heap.
    #[inline]
    pub fn allocate(&mut self, class: ClassId, body: Body) -> Reference {
        self.bytes += body.java_bytes();
        self.changes += 1;
        let number = self.free.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        });
        let (page, place) = split(number);
        if page == self.pages.len() {
            self.pages.push(Rc::new(Page(array::from_fn(|_| None))));
        }
        own(&mut self.pages[page]).0[place] = Some(Object { class, lock: 0, inexact: false, body });
        Reference::new(number)
    }

    /// The object that a reference leads to.
    ///
    /// # Panics
    /// If there is none: `null` is for the caller to rule out.
    #[inline]
    pub fn object(&self, reference: Reference) -> &Object {
        match self.find(reference) {
            Some(object) => object,
            None => panic!("no object is at {reference:?}"),
        }
    }

    /// The object that a reference leads to, if there is one.
    #[inline]
    pub fn find(&self, reference: Reference) -> Option<&Object> {
        let (page, place) = split(reference.number());
        self.pages.get(page)?.0[place].as_ref()
    }

    /// The same, to be changed.
    ///
    /// # Panics
    /// As [`Heap::object`] does.
    #[inline]
    pub fn object_mut(&mut self, reference: Reference) -> &mut Object {
        self.changes += 1;
        let (page, place) = split(reference.number());
        match own(&mut self.pages[page]).0[place].as_mut() {
            Some(object) => object,
            None => panic!("no object is at {reference:?}"),
        }
    }

    /// The class of an object.
    #[inline]
    pub fn class(&self, reference: Reference) -> ClassId {
        self.object(reference).class
    }

    /// A field or element of an object; none if it has no such slot or index.
    #[inline]
    pub fn get(&self, reference: Reference, index: usize) -> Option<Value> {
        self.object(reference).body.get(index)
    }

    /// Replaces a field or element; false if the object has no such slot or index, or cannot hold
    /// the value.
    #[inline]
    pub fn set(&mut self, reference: Reference, index: usize, value: Value) -> bool {
        self.object_mut(reference).body.set(index, value)
    }

    /// Frees every object that no root leads to.
    pub fn collect(&mut self, roots: impl IntoIterator<Item = Reference>) {
        let reached = self.mark(roots);
        self.sweep(&reached);
    }

    /// About how many bytes would be left after a collection.
    pub fn live_bytes(&self, roots: impl IntoIterator<Item = Reference>) -> u64 {
        let reached = self.mark(roots);
        let live = |(number, reached): (usize, &bool)| {
            let object = self.find(Reference::new(number as u32)).filter(|_| *reached)?;
            Some(object.body.java_bytes())
        };
        reached.iter().enumerate().filter_map(live).sum()
    }

    /// Which places the roots lead to.
    fn mark(&self, roots: impl IntoIterator<Item = Reference>) -> Vec<bool> {
        let mut reached = vec![false; self.pages.len() * PAGE];
        let mut open: Vec<Reference> = Vec::new();
        let mut reach = |reference: Reference, open: &mut Vec<Reference>| {
            let seen = &mut reached[reference.number() as usize];
            if !reference.is_null() && !*seen {
                *seen = true;
                open.push(reference);
            }
        };
        for root in roots {
            reach(root, &mut open);
        }
        while let Some(reference) = open.pop() {
            self.object(reference).body.references(|next| reach(next, &mut open));
        }
        reached
    }

    fn sweep(&mut self, reached: &[bool]) {
        self.bytes = 0;
        self.free.clear();
        for (number, reached) in reached.iter().enumerate().take(self.next as usize).skip(1) {
            let (page, place) = split(number as u32);
            match &self.pages[page].0[place] {
                Some(object) if *reached => self.bytes += object.body.java_bytes(),
                Some(_) => {
                    Rc::make_mut(&mut self.pages[page]).0[place] = None;
                    self.free.push(number as u32);
                }
                None => self.free.push(number as u32),
            }
        }
        // The lowest places are used first, so that live objects gather on few pages.
        self.free.reverse();
    }
}

/// The page to be written, which is copied only if it is shared.
#[inline]
fn own(page: &mut Rc<Page>) -> &mut Page {
    if Rc::get_mut(page).is_none() {
        unshare(page);
    }
    match Rc::get_mut(page) {
        Some(page) => page,
        None => unreachable!("the page has just been copied"),
    }
}

#[cold]
fn unshare(page: &mut Rc<Page>) {
    *page = Rc::new(Page::clone(page));
}

#[inline]
const fn split(number: u32) -> (usize, usize) {
    (number as usize / PAGE, number as usize % PAGE)
}

#[cfg(test)]
mod tests {
    use super::Heap;
    use crate::object::Body;
    use crate::reference::Reference;
    use crate::value::Value;
    use dalang_classes::ClassId;

    fn pair(heap: &mut Heap, first: Reference) -> Reference {
        let fields = [Value::Reference(first), Value::Int(1)];
        heap.allocate(ClassId::new(0), Body::Fields(fields.into()))
    }

    #[test]
    fn copies_go_their_own_ways() {
        let mut heap = Heap::new();
        let a = pair(&mut heap, Reference::NULL);
        let mut copy = heap.clone();
        assert!(copy.set(a, 1, Value::Int(2)));
        let b = pair(&mut copy, a);
        assert_eq!(heap.get(a, 1), Some(Value::Int(1)));
        assert_eq!(copy.get(a, 1), Some(Value::Int(2)));
        assert!(heap.find(b).is_none());
        assert_eq!(copy.get(b, 2), None);
    }

    #[test]
    fn what_roots_reach_survives() {
        let mut heap = Heap::new();
        let a = pair(&mut heap, Reference::NULL);
        let b = pair(&mut heap, a);
        let lost = pair(&mut heap, b);
        // A cycle does not keep itself alive.
        assert!(heap.set(lost, 0, Value::Reference(lost)));
        let before = heap.bytes();
        let live = heap.live_bytes([b]);
        assert_eq!(heap.bytes(), before, "looking changes nothing");
        heap.collect([b]);
        assert_eq!(heap.bytes(), live);
        assert!(heap.find(a).is_some() && heap.find(b).is_some() && heap.find(lost).is_none());
        assert!(heap.bytes() < before);
        assert_eq!(heap.len(), 2);
        assert_eq!(pair(&mut heap, b), lost, "the free place is used again");
    }
}
