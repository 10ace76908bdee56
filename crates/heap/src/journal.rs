//! What was changed in a heap since somebody began to look: only in builds with debug assertions.
//!
//! Whatever breaks off to ask may have made *discoveries*, which say what was so all along: objects of
//! inputs, their fields and elements that were looked at for the first time. Anything else is an effect.

use crate::array::Elements;
use crate::object::{Body, Object};
use crate::reference::Reference;
use crate::store::Heap;
use dalang_classes::ClassId;
use std::rc::Rc;

/// What an object was like before somebody was given it to change.
#[derive(Clone, Debug)]
enum Past {
    /// It was not there.
    Nothing,
    /// An array, whose content is too large to keep.
    Array,
    /// This.
    Object(Object),
}

/// The objects that were made or handed out to be changed, each as it was.
#[derive(Clone, Debug, Default)]
pub(crate) struct Journal(Vec<(Reference, Past)>);

impl Journal {
    /// An object is made.
    pub(crate) fn note_made(&mut self, place: Reference) {
        self.0.push((place, Past::Nothing));
    }

    /// An object is handed out to be changed.
    pub(crate) fn note_changed(&mut self, place: Reference, object: &Object) {
        // Loops of intrinsics change one array again and again.
        if self.0.last().is_some_and(|last| last.0 == place) {
            return;
        }
        let past = match &object.body {
            Body::Fields(_) | Body::Elements(_) | Body::Accessed(_) => Past::Object(object.clone()),
            _ => Past::Array,
        };
        self.0.push((place, past));
    }
}

impl Heap {
    /// From here on it is noted what changes.
    pub fn begin_journal(&mut self) {
        self.journal.0.clear();
    }

    /// An object that was there when the journal began and has changed since, by more than discoveries.
    /// Objects of this class are the machine's own: what it notes in them, it may note early.
    pub fn first_changed(&self, own: Option<ClassId>) -> Option<Reference> {
        let entries = &self.journal.0;
        let is_first = |at: usize, place| entries[..at].iter().all(|entry| entry.0 != place);
        let changed = |(at, (place, past)): (usize, &(Reference, Past))| {
            let is_changed = match past {
                Past::Nothing => false,
                Past::Array => true,
                Past::Object(old) => !self.find(*place).is_some_and(|new| is_discovered(old, new)),
            };
            let is_own = own.is_some() && self.find(*place).map(|object| object.class) == own;
            (is_changed && !is_own && is_first(at, *place)).then_some(*place)
        };
        entries.iter().enumerate().find_map(changed)
    }
}

/// Whether an object differs from what it was by discoveries alone.
fn is_discovered(old: &Object, new: &Object) -> bool {
    let is_same_class = (old.class, old.inexact) == (new.class, new.inexact);
    // The class of an input was decided.
    let is_narrowed = old.inexact && !new.inexact;
    if old.lock != new.lock || !(is_same_class || is_narrowed) {
        return false;
    }
    match (&old.body, &new.body) {
        (Body::Elements(old), Body::Elements(new)) => knows_more(old, new),
        (Body::Accessed(old), Body::Accessed(new)) => old.is_part_of(new),
        // It was given all its fields, or has turned out to be an array.
        (Body::Accessed(_), _) => true,
        (old, new) => old.is_same(new),
    }
}

fn knows_more(old: &Elements, new: &Elements) -> bool {
    (old.origin, old.length) == (new.origin, new.length)
        && old.held == new.held
        && old.layer.as_ref().map(Rc::as_ptr) == new.layer.as_ref().map(Rc::as_ptr)
        && new.known.starts_with(&old.known)
        && new.read.starts_with(&old.read)
}

#[cfg(test)]
mod tests {
    use crate::object::{Accessed, Body};
    use crate::reference::Reference;
    use crate::store::Heap;
    use crate::value::Value;
    use dalang_classes::{ClassId, FieldId};

    fn object(heap: &mut Heap, body: Body) -> Reference {
        heap.allocate(ClassId::new(0), body)
    }

    #[test]
    fn fields_that_are_looked_at_are_no_change() {
        let mut heap = Heap::new();
        let plain = object(&mut heap, Body::Fields([Value::Int(1)].into()));
        let known = Accessed::of_subclasses(vec![(FieldId::new(1), Value::Int(1))]);
        let input = object(&mut heap, Body::Accessed(known.into()));
        heap.begin_journal();
        let made = object(&mut heap, Body::Fields([Value::Int(1)].into()));
        assert!(heap.set(made, 0, Value::Int(2)));
        assert!(heap.set(plain, 0, Value::Int(1)));
        let more = [(0, 7), (1, 1)].map(|(id, value)| (FieldId::new(id), Value::Int(value)));
        heap.object_mut(input).body = Body::Accessed(Accessed::of_subclasses(more.to_vec()).into());
        assert_eq!(heap.first_changed(None), None);
        let other = [(0, 7), (1, 2)].map(|(id, value)| (FieldId::new(id), Value::Int(value)));
        heap.object_mut(input).body =
            Body::Accessed(Accessed::of_subclasses(other.to_vec()).into());
        assert_eq!(heap.first_changed(None), Some(input));
        heap.begin_journal();
        assert!(heap.set(plain, 0, Value::Int(3)));
        assert_eq!(heap.first_changed(None), Some(plain));
    }
}
