//! Where a collection of garbage begins: what is held outside of the heap.

use crate::array::{Copied, Elements, Held, Layer, Origin};
use crate::knowledge::{Knowledge, Resolution};
use crate::object::Body;
use crate::reference::Reference;
use crate::value::Value;
use dalang_term::TermId;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// What is held outside of the heap. A term holds the places that are in it.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    /// Places that are held as they are.
    pub places: Vec<Reference>,
    /// Terms that are held.
    pub terms: Vec<TermId>,
}

impl Roots {
    /// Adds what a value holds.
    pub fn add(&mut self, value: Value) {
        match value {
            Value::Reference(place) => self.places.push(place),
            Value::Term(term) => self.terms.push(term),
            _ => {}
        }
    }

    /// Adds what is known of inputs: their objects are part of a path, whether or not the program can
    /// still reach them, because a witness tells what they were like.
    pub fn add_knowledge(&mut self, knowledge: &Knowledge) {
        for &(_, resolution) in knowledge.resolutions() {
            if let Resolution::Object(place) | Resolution::Bound(place) = resolution {
                self.places.push(place);
            }
        }
        for object in knowledge.objects() {
            self.places.push(object.reference);
            self.terms.push(object.used);
        }
        knowledge.pairs(|place| self.places.push(place));
        self.terms.extend(knowledge.ties());
    }
}

impl Body {
    /// Everything that is held, places as well as terms.
    pub fn held(&self, mut visit: impl FnMut(Value)) {
        match self {
            Self::Elements(elements) => elements.held_below(visit),
            plain => plain.held_plainly(&mut visit),
        }
    }

    /// The same of what has no layers.
    fn held_plainly(&self, visit: &mut impl FnMut(Value)) {
        match self {
            Self::References(places) => places.iter().for_each(|&one| visit(Value::Reference(one))),
            Self::Fields(values) | Self::Values(values) => {
                values.iter().for_each(|&one| visit(one));
            }
            Self::Patched(patched) => {
                patched.terms().for_each(&mut *visit);
                // Nothing is patched twice.
                if let Self::References(places) = patched.plain() {
                    places.iter().for_each(|&one| visit(Value::Reference(one)));
                }
            }
            Self::Accessed(fields) => fields.values().for_each(visit),
            _ => {}
        }
    }
}

impl Elements {
    /// What an array holds, on all its layers. Layers share what they lie on, so each is met once.
    fn held_below(&self, mut visit: impl FnMut(Value)) {
        self.held_values(&mut visit);
        let mut met: FxHashSet<*const Layer> = FxHashSet::default();
        let mut open: Vec<&Rc<Layer>> = self.layer.iter().collect();
        while let Some(layer) = open.pop() {
            if !met.insert(Rc::as_ptr(layer)) {
                continue;
            }
            visit(Value::Term(layer.start));
            visit(Value::Term(layer.count));
            match layer.copied {
                Copied::Part(_, from) => visit(Value::Term(from)),
                Copied::Value(value) => visit(value),
            }
            for body in layer.bodies() {
                match body {
                    Body::Elements(elements) => {
                        elements.held_values(&mut visit);
                        open.extend(&elements.layer);
                    }
                    plain => plain.held_plainly(&mut visit),
                }
            }
        }
    }

    /// The same, without its layers.
    fn held_values(&self, visit: &mut impl FnMut(Value)) {
        match self.origin {
            Origin::Copy(array) => visit(Value::Reference(array)),
            Origin::Default(value) => visit(value),
            Origin::Input(_) => {}
        }
        visit(Value::Term(self.length));
        for &(index, value) in &self.known {
            visit(Value::Term(index));
            visit(value);
        }
        for &(index, known) in &self.same {
            visit(Value::Term(index));
            visit(Value::Term(known));
        }
        for held in &self.held {
            if let Held::Object(place) = *held {
                visit(Value::Reference(place));
            }
        }
        if let Some(text) = &self.text {
            text.terms(|term| visit(Value::Term(term)));
        }
    }
}
