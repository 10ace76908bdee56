//! Where objects live: pages that copies of a heap share until one of them writes.
//!
//! A reference is a place in a page. Copying a heap copies the list of pages; the first write to a
//! page after that copies the page (a few dozen headers, whose contents are shared in turn), and
//! the first write to an object copies that object. A heap that was never copied pays nothing but
//! the check. Places are used again only after [`Heap::collect`], which is for a single state whose
//! references nobody else holds. [`Heap::release`] frees as much and uses no place again, so that a
//! number means one object in all states that were copied from each other; pages that others hold
//! stay theirs.

use crate::object::{Body, Object};
use crate::reference::Reference;
use crate::roots::Roots;
use crate::value::Value;
use dalang_classes::ClassId;
use dalang_term::{Pool, Sort, TermId};
use rustc_hash::FxHashSet;
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
    #[cfg(debug_assertions)]
    pub(crate) journal: crate::journal::Journal,
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

    /// Whether another heap holds the same objects at the same places. Copies share what neither has
    /// changed, so that only the rest is looked at.
    pub fn is_same(&self, other: &Self) -> bool {
        let same_page = |(a, b): (&Rc<Page>, &Rc<Page>)| {
            Rc::ptr_eq(a, b)
                || a.0.iter().zip(&b.0).all(|(a, b)| is_same_object(a.as_ref(), b.as_ref()))
        };
        self.next == other.next
            && self.pages.len() == other.pages.len()
            && self.pages.iter().zip(&other.pages).all(same_page)
    }

    /// All objects.
    pub fn objects(&self) -> impl Iterator<Item = &Object> {
        self.pages.iter().flat_map(|page| page.0.iter().flatten())
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
        #[cfg(debug_assertions)]
        self.journal.note_made(Reference::new(number));
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
            Some(object) => {
                #[cfg(debug_assertions)]
                self.journal.note_changed(reference, object);
                object
            }
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

    /// How many places were ever used: their numbers are below this.
    pub fn places(&self) -> u32 {
        self.next
    }

    /// Frees every object that no root leads to; their places are used again.
    pub fn collect(&mut self, pool: &Pool, roots: Roots) {
        let reached = self.mark(pool, roots);
        self.bytes = self.bytes_of(&reached);
        self.free.clear();
        for (number, reached) in reached.iter().enumerate().take(self.next as usize).skip(1) {
            let (page, place) = split(number as u32);
            if *reached {
                continue;
            }
            if self.pages[page].0[place].is_some() {
                Rc::make_mut(&mut self.pages[page]).0[place] = None;
            }
            self.free.push(number as u32);
        }
        // The lowest places are used first, so that live objects gather on few pages.
        self.free.reverse();
    }

    /// Frees every object that no root leads to, on pages that no copy of the heap shares; no place is
    /// used again. A page without any live object is let go even if others hold it.
    pub fn release(&mut self, pool: &Pool, roots: Roots) {
        let reached = self.mark(pool, roots);
        self.bytes = self.bytes_of(&reached);
        let vacant = Rc::new(Page(array::from_fn(|_| None)));
        for (page, live) in self.pages.iter_mut().zip(reached.chunks(PAGE)) {
            if live.iter().all(|live| !live) {
                *page = Rc::clone(&vacant);
            } else if let Some(page) = Rc::get_mut(page) {
                for (object, live) in page.0.iter_mut().zip(live) {
                    if !live {
                        *object = None;
                    }
                }
            }
        }
    }

    /// About how many bytes would be left after a collection.
    pub fn live_bytes(&self, pool: &Pool, roots: Roots) -> u64 {
        self.bytes_of(&self.mark(pool, roots))
    }

    fn bytes_of(&self, reached: &[bool]) -> u64 {
        let live = |(number, reached): (usize, &bool)| {
            let object = self.find(Reference::new(number as u32)).filter(|_| *reached)?;
            Some(object.body.java_bytes())
        };
        reached.iter().enumerate().filter_map(live).sum()
    }

    /// Which places the roots lead to, through objects and through the terms that these hold.
    fn mark(&self, pool: &Pool, roots: Roots) -> Vec<bool> {
        let mut reached = vec![false; self.pages.len() * PAGE];
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let Roots { mut places, mut terms } = roots;
        loop {
            while let Some(term) = terms.pop() {
                if !seen.insert(term) {
                    continue;
                }
                match pool.bits(term) {
                    Some(number) if pool.sort(term) == Sort::Ref => {
                        places.push(Reference::new(number as u32));
                    }
                    _ => terms.extend(pool.node(term).args()),
                }
            }
            let Some(place) = places.pop() else { return reached };
            let number = place.number() as usize;
            if place.is_null() || reached.get(number).copied().unwrap_or(true) {
                continue;
            }
            reached[number] = true;
            if let Some(object) = self.find(place) {
                object.body.held(|value| match value {
                    // Large arrays hold the same object, or none, again and again.
                    Value::Reference(next)
                        if reached.get(next.number() as usize) == Some(&false) =>
                    {
                        places.push(next);
                    }
                    Value::Term(term) => terms.push(term),
                    _ => {}
                });
            }
        }
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

fn is_same_object(a: Option<&Object>, b: Option<&Object>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => {
            (a.class, a.lock, a.inexact) == (b.class, b.lock, b.inexact) && a.body.is_same(&b.body)
        }
        (None, None) => true,
        _ => false,
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
    use crate::roots::Roots;
    use crate::value::Value;
    use dalang_classes::ClassId;
    use dalang_term::{Pool, Sort};

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
    fn a_heap_is_the_same_until_something_differs() {
        let mut heap = Heap::new();
        let a = pair(&mut heap, Reference::NULL);
        let mut copy = heap.clone();
        assert!(copy.set(a, 1, Value::Int(2)));
        assert!(!heap.is_same(&copy));
        assert!(copy.set(a, 1, Value::Int(1)));
        assert!(heap.is_same(&copy), "what was changed back is the same");
        pair(&mut copy, a);
        assert!(!heap.is_same(&copy));
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
        let (pool, roots) = (Pool::new(), || Roots { places: vec![b], terms: Vec::new() });
        let live = heap.live_bytes(&pool, roots());
        assert_eq!(heap.bytes(), before, "looking changes nothing");
        heap.collect(&pool, roots());
        assert_eq!(heap.bytes(), live);
        assert!(heap.find(a).is_some() && heap.find(b).is_some() && heap.find(lost).is_none());
        assert!(heap.bytes() < before);
        assert_eq!(heap.len(), 2);
        assert_eq!(pair(&mut heap, b), lost, "the free place is used again");
    }

    #[test]
    fn what_is_released_stays_with_those_who_share_it() {
        let mut heap = Heap::new();
        let made: Vec<Reference> = (0..200).map(|_| pair(&mut heap, Reference::NULL)).collect();
        let kept = made[70];
        let copy = heap.clone();
        let (pool, live) = (Pool::new(), heap.bytes() / 200);
        heap.release(&pool, Roots { places: vec![kept], terms: Vec::new() });
        assert_eq!(heap.bytes(), live);
        assert!(heap.find(kept).is_some() && heap.find(made[0]).is_none());
        assert!(made.iter().all(|&place| copy.find(place).is_some()), "the copy has all");
        let next = pair(&mut heap, Reference::NULL);
        assert!(!made.contains(&next), "no place is used again");
        // What was on a page with something live was shared; nobody else holds it now.
        assert!(heap.find(made[71]).is_some());
        drop(copy);
        heap.release(&pool, Roots { places: vec![kept, next], terms: Vec::new() });
        assert!(heap.find(made[71]).is_none() && heap.find(kept).is_some());
    }

    #[test]
    fn a_place_inside_a_term_is_reached() {
        let mut heap = Heap::new();
        let (a, b) = (pair(&mut heap, Reference::NULL), pair(&mut heap, Reference::NULL));
        let mut pool = Pool::new();
        let (which, [one, other]) =
            (pool.symbol("which", Sort::Bool), [a, b].map(Reference::number));
        let (one, other) = (pool.identity(one), pool.identity(other));
        let either = pool.ite(which, one, other);
        let holder = heap.allocate(ClassId::new(0), Body::Fields([Value::Term(either)].into()));
        for _ in 0..64 {
            pair(&mut heap, Reference::NULL);
        }
        heap.release(&pool, Roots { places: vec![holder], terms: Vec::new() });
        assert!(heap.find(a).is_some() && heap.find(b).is_some());
        assert!(heap.find(Reference::new(holder.number() + 1)).is_none());
        let last = pair(&mut heap, Reference::NULL);
        heap.release(&pool, Roots { places: vec![last], terms: vec![one] });
        assert!(heap.find(a).is_some() && heap.find(b).is_none());
    }
}
