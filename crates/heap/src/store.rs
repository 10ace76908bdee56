//! Where objects live: pages that copies of a heap share until one of them writes.
//!
//! A reference is a place in a page. Copying a heap copies the lists of pages; the first write to a
//! page after that copies the page (a few dozen headers, whose contents are shared in turn), and
//! the first write to an object copies that object. A heap that was never copied pays nothing but
//! the check. Places are used again only after [`Heap::collect`], which is for a single state whose
//! references nobody else holds.
//!
//! # Invariant
//! Of all heaps that come from one by copying, no two give the same number to different objects: a copy
//! goes on with places that nobody was given before. So a number means one object in all of them, and what
//! differs between two is found without looking at what they share ([`Heap::differences`]). Nothing else
//! follows from a number, neither what is older nor on which path it was made.

use crate::object::{Body, Object};
use crate::places::{Named, Places};
use crate::reference::Reference;
use crate::roots::Roots;
use crate::value::Value;
use dalang_classes::ClassId;
use dalang_term::{Pool, Sort, TermId};
use rustc_hash::FxHashSet;
use std::array;
use std::ops::Range;
use std::rc::Rc;

const PAGE: usize = 32;

#[derive(Clone, Debug)]
struct Page([Option<Object>; PAGE]);

impl Page {
    fn vacant() -> Rc<Self> {
        Rc::new(Self(array::from_fn(|_| None)))
    }
}

/// All objects and arrays of a state.
#[derive(Debug)]
pub struct Heap {
    /// The pages with the lowest numbers, without a gap: what was there before the heap was copied.
    base: Vec<Rc<Page>>,
    /// The pages behind those, by number. Other copies have those that are missing.
    recent: Vec<(u32, Rc<Page>)>,
    /// What no copy has been given yet.
    places: Places,
    /// The rest of the block of places that this heap alone goes on with.
    rest: Range<u32>,
    /// Whether what has a name is put at the place of that name: no place is used again then.
    names: bool,
    /// Whether what is made now was there before the method that is explored began, as a program sees it.
    early: bool,
    /// Places that were used and are free again.
    free: Vec<u32>,
    bytes: u64,
    /// How often anything was, or may have been, changed.
    changes: u64,
    #[cfg(debug_assertions)]
    pub(crate) journal: crate::journal::Journal,
}

impl Default for Heap {
    fn default() -> Self {
        Self::new()
    }
}

impl Clone for Heap {
    /// What was begun is left to the heap that began it.
    fn clone(&self) -> Self {
        Self {
            base: self.base.clone(),
            recent: self.recent.clone(),
            places: self.places.clone(),
            rest: 0..0,
            names: self.names,
            early: self.early,
            free: Vec::new(),
            bytes: self.bytes,
            changes: self.changes,
            #[cfg(debug_assertions)]
            journal: self.journal.clone(),
        }
    }
}

impl Heap {
    /// A heap without objects.
    pub fn new() -> Self {
        Self {
            base: Vec::new(),
            recent: Vec::new(),
            places: Places::from(0),
            rest: 0..0,
            names: false,
            early: true,
            free: Vec::new(),
            bytes: 0,
            changes: 0,
            #[cfg(debug_assertions)]
            journal: crate::journal::Journal::default(),
        }
    }

    /// From here on, this heap and its copies are a family of their own: the others that it comes from may
    /// use the same numbers. No place is used again in it.
    pub fn part(&mut self) {
        let pages = self.recent.last().map_or(self.base.len() as u32, |page| page.0 + 1);
        self.places = Places::from(pages * PAGE as u32);
        (self.rest, self.names) = (0..0, true);
        self.free.clear();
    }

    /// Says whether what is made from here on was there before the method that is explored began.
    pub fn set_early(&mut self, early: bool) {
        self.early = early;
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

    /// Whether another heap holds the same objects at the same places.
    pub fn is_same(&self, other: &Self) -> bool {
        self.differences(other).next().is_none()
    }

    /// The places at which this heap and another one of its family do not hold the same. What they share
    /// is not looked at.
    pub fn differences<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = Reference> + 'a {
        let mut numbers: Vec<u32> = self.numbers().chain(other.numbers()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter().flat_map(move |number| {
            let (a, b) = (self.page(number as usize), other.page(number as usize));
            let is_shared = match (a, b) {
                (Some(a), Some(b)) => Rc::ptr_eq(a, b),
                (None, None) => true,
                _ => false,
            };
            let slots = if is_shared { 0 } else { PAGE };
            (0..slots).filter_map(move |slot| {
                let [a, b] = [a, b].map(|page| page.and_then(|page| page.0[slot].as_ref()));
                let place = Reference::new(number * PAGE as u32 + slot as u32);
                (!is_same_object(a, b)).then_some(place)
            })
        })
    }

    /// All objects.
    pub fn objects(&self) -> impl Iterator<Item = &Object> {
        let recent = self.recent.iter().map(|page| &page.1);
        self.base.iter().chain(recent).flat_map(|page| page.0.iter().flatten())
    }

    /// Puts an object into the heap.
    #[inline]
    pub fn allocate(&mut self, class: ClassId, body: Body) -> Reference {
        let number = match self.free.pop() {
            Some(number) => number,
            None => {
                if self.rest.is_empty() {
                    self.begin_block();
                }
                self.rest.start += 1;
                self.rest.start - 1
            }
        };
        self.put(Reference::new(number), class, body)
    }

    /// Puts an object into the heap that has a name.
    pub fn allocate_as(&mut self, name: Named, class: ClassId, body: Body) -> Reference {
        if !self.names {
            return self.allocate(class, body);
        }
        let place = self.places.of(name);
        self.make_page(place);
        debug_assert!(self.find(place).is_none(), "something is at {place:?} already");
        self.put(place, class, body)
    }

    #[inline]
    fn put(&mut self, place: Reference, class: ClassId, body: Body) -> Reference {
        self.bytes += body.java_bytes();
        self.changes += 1;
        let object = Object { class, lock: 0, inexact: false, early: self.early, body };
        let (page, slot) = split(place.number());
        match self.page_mut(page) {
            Some(page) => page.0[slot] = Some(object),
            None => unreachable!("a place is given out together with its page"),
        }
        #[cfg(debug_assertions)]
        self.journal.note_made(place);
        place
    }

    #[cold]
    fn begin_block(&mut self) {
        self.rest = self.places.block();
        self.make_page(Reference::new(self.rest.start));
    }

    /// Makes the page of a place, unless it is there. Another copy may have one of the same number, with
    /// objects of its own.
    fn make_page(&mut self, place: Reference) {
        let (page, _) = split(place.number());
        if page < self.base.len() {
            return;
        }
        if page == self.base.len() && self.recent.is_empty() {
            return self.base.push(Page::vacant());
        }
        if let Err(at) = self.recent.binary_search_by_key(&(page as u32), |page| page.0) {
            self.recent.insert(at, (page as u32, Page::vacant()));
        }
    }

    /// A page by its number.
    #[inline]
    fn page(&self, number: usize) -> Option<&Rc<Page>> {
        match self.base.get(number) {
            Some(page) => Some(page),
            None => self.recent_page(number),
        }
    }

    fn recent_page(&self, number: usize) -> Option<&Rc<Page>> {
        let at = self.recent.binary_search_by_key(&(number as u32), |page| page.0).ok()?;
        Some(&self.recent[at].1)
    }

    /// The same, to be written: it is copied if it is shared.
    #[inline]
    fn page_mut(&mut self, number: usize) -> Option<&mut Page> {
        match self.base.get_mut(number) {
            Some(page) => Some(own(page)),
            None => recent_mut(&mut self.recent, number),
        }
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
        let (page, slot) = split(reference.number());
        self.page(page)?.0[slot].as_ref()
    }

    /// The same, to be changed.
    ///
    /// # Panics
    /// As [`Heap::object`] does.
    #[inline]
    pub fn object_mut(&mut self, reference: Reference) -> &mut Object {
        self.changes += 1;
        let (page, slot) = split(reference.number());
        // The journal and the page are parts of the heap of their own.
        let found = match self.base.get_mut(page) {
            Some(page) => own(page).0[slot].as_mut(),
            None => recent_mut(&mut self.recent, page).and_then(|page| page.0[slot].as_mut()),
        };
        match found {
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

    /// All places that were ever given out in the family have numbers below this.
    pub fn places(&self) -> u32 {
        self.places.end()
    }

    /// Frees every object that no root leads to; their places are used again.
    pub fn collect(&mut self, pool: &Pool, roots: Roots) {
        let reached = self.mark(pool, roots);
        self.bytes = self.bytes_of(&reached);
        self.free.clear();
        let numbers: Vec<u32> = self.numbers().collect();
        for (number, live) in numbers.into_iter().zip(reached.chunks(PAGE)) {
            for (slot, live) in live.iter().enumerate() {
                let place = number * PAGE as u32 + slot as u32;
                if *live || place == 0 || self.rest.contains(&place) || place >= self.places() {
                    continue;
                }
                if self.find(Reference::new(place)).is_some()
                    && let Some(page) = self.page_mut(number as usize)
                {
                    page.0[slot] = None;
                }
                self.free.push(place);
            }
        }
        // The lowest places are used first, so that live objects gather on few pages.
        self.free.reverse();
    }

    /// Frees every object that no root leads to, on pages that no copy of the heap shares; no place is
    /// used again. A page without any live object is let go even if others hold it.
    pub fn release(&mut self, pool: &Pool, roots: Roots) {
        let reached = self.mark(pool, roots);
        self.bytes = self.bytes_of(&reached);
        let vacant = Page::vacant();
        let recent = self.recent.iter_mut().map(|page| &mut page.1);
        for (page, live) in self.base.iter_mut().chain(recent).zip(reached.chunks(PAGE)) {
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
        // The page that is being filled must stay.
        let open = split(self.rest.start).0 as u32;
        self.recent.retain(|page| page.0 == open || !Rc::ptr_eq(&page.1, &vacant));
    }

    /// About how many bytes would be left after a collection.
    pub fn live_bytes(&self, pool: &Pool, roots: Roots) -> u64 {
        self.bytes_of(&self.mark(pool, roots))
    }

    /// The numbers of the pages, in order.
    fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.base.len() as u32).chain(self.recent.iter().map(|page| page.0))
    }

    fn bytes_of(&self, reached: &[bool]) -> u64 {
        let recent = self.recent.iter().map(|page| &page.1);
        let objects = self.base.iter().chain(recent).flat_map(|page| page.0.iter());
        let live = objects.zip(reached).filter(|(_, reached)| **reached);
        live.filter_map(|(object, _)| Some(object.as_ref()?.body.java_bytes())).sum()
    }

    /// Where a place is, counted over the pages that this heap has.
    fn position(&self, place: Reference) -> Option<usize> {
        let (page, slot) = split(place.number());
        if page < self.base.len() {
            return Some(page * PAGE + slot);
        }
        let at = self.recent.binary_search_by_key(&(page as u32), |page| page.0).ok()?;
        Some((self.base.len() + at) * PAGE + slot)
    }

    /// Which places the roots lead to, through objects and through the terms that these hold: a truth value
    /// for each slot of each page.
    fn mark(&self, pool: &Pool, roots: Roots) -> Vec<bool> {
        let mut reached = vec![false; (self.base.len() + self.recent.len()) * PAGE];
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
            let Some(position) = self.position(place).filter(|_| !place.is_null()) else {
                continue;
            };
            if std::mem::replace(&mut reached[position], true) {
                continue;
            }
            if let Some(object) = self.find(place) {
                object.body.held(|value| match value {
                    // Large arrays hold the same object, or none, again and again.
                    Value::Reference(next)
                        if self.position(next).is_some_and(|position| !reached[position]) =>
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

/// One of the recent pages, to be written.
fn recent_mut(recent: &mut [(u32, Rc<Page>)], number: usize) -> Option<&mut Page> {
    let at = recent.binary_search_by_key(&(number as u32), |page| page.0).ok()?;
    Some(own(&mut recent[at].1))
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
    use crate::places::Named;
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
    fn copies_give_no_number_twice() {
        let mut heap = Heap::new();
        let mut made: Vec<Reference> = (0..5).map(|_| pair(&mut heap, Reference::NULL)).collect();
        let mut copies = vec![heap];
        for round in 0..40 {
            let copy = copies[round / 2].clone();
            copies.push(copy);
            for place in [round / 2, round + 1] {
                for _ in 0..round % 12 {
                    made.push(pair(&mut copies[place], Reference::NULL));
                }
            }
        }
        let count = made.len();
        made.sort_unstable();
        made.dedup();
        assert_eq!(made.len(), count);
        assert!(made.iter().all(|place| !place.is_null() && place.number() < copies[0].places()));
        for place in made {
            assert!(copies.iter().any(|heap| heap.find(place).is_some()));
        }
    }

    #[test]
    fn what_has_a_name_is_at_one_place_in_all_copies() {
        let mut heap = Heap::new();
        pair(&mut heap, Reference::NULL);
        heap.part();
        let mut copy = heap.clone();
        let class = ClassId::new(7);
        let body = || Body::Fields([Value::Int(1), Value::Int(2)].into());
        let other = pair(&mut heap, Reference::NULL);
        let first = heap.allocate_as(Named::Statics(class), class, body());
        let mirror = copy.allocate_as(Named::Mirror(class), class, body());
        assert_eq!(copy.allocate_as(Named::Statics(class), class, body()), first);
        assert_eq!(heap.allocate_as(Named::Mirror(class), class, body()), mirror);
        assert!(first != mirror && ![first, mirror].contains(&other));
        assert_eq!(heap.differences(&copy).collect::<Vec<_>>(), [other]);
    }

    #[test]
    fn heaps_differ_where_one_of_them_has_changed() {
        let mut heap = Heap::new();
        let old: Vec<Reference> = (0..100).map(|_| pair(&mut heap, Reference::NULL)).collect();
        let mut copy = heap.clone();
        assert!(heap.is_same(&copy));
        let (mine, theirs) = (pair(&mut heap, old[3]), pair(&mut copy, old[3]));
        assert!(copy.set(old[70], 1, Value::Int(2)) && heap.set(old[40], 1, Value::Int(1)));
        let mut expected = vec![old[70], mine, theirs];
        expected.sort_unstable();
        assert_eq!(heap.differences(&copy).collect::<Vec<_>>(), expected);
        assert_eq!(copy.differences(&heap).collect::<Vec<_>>(), expected);
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
        assert_eq!(heap.objects().count(), 2);
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
