//! The content of an array that is not plainly stored: the indexes that were accessed, and what is
//! there now.
//!
//! Source: [Kiasan] section 3.1, "Handling arrays": an array is an accumulator. An element that
//! nobody has accessed is not represented at all, so arrays of any length cost what is done to
//! them.
//!
//! # Invariants
//! 1. Two entries of `known` whose indexes can be equal hold equal values wherever the indexes are
//!    equal. Primitive entries get there by ites; entries of references by deciding, so that no two
//!    of them can be equal at all.
//! 2. An index of `read` is one of `known`, as long as nothing was copied over the array (`layer`).
//! 3. `read` is in the order of reading, and an element counts only where no earlier one has the
//!    same index: whatever symbol a later one has, nobody looks at it.
//!
//! # Copies
//! What is copied to an array, or filled into it, is not listed, since nobody may know how much it is. It
//! lies over what was there as a [`Layer`], and `known` begins anew on top of that. A layer holds what both
//! arrays held at that time, so that it does not see what is stored later; an input array in it is read
//! from, and tells of it, where it is ([`Origin::Copy`]).
//!
//! # How to rebuild the array that a method was given
//! Evaluate `length`. Then, for each input of `read` in order, evaluate the index of its
//! [`Step::Element`](crate::Step::Element); if it is within the length and has not been met before,
//! the element at that index is the input's value (its symbol, or what the state's
//! [`Knowledge`](crate::Knowledge) resolves it to). All other elements are zero or null. Only the
//! object that an input led to (`origin` is [`Origin::Input`]) tells what was there before; copies
//! that a program makes record what they read there.
//!
//! The inputs of a string are its length ([`Step::Characters`](crate::Step::Characters)) and its
//! characters ([`Inputs::text`](crate::Inputs::text)): evaluate the length, and so many characters.

use crate::domain::DomainId;
use crate::input::InputId;
use crate::knowledge::{Knowledge, Resolution};
use crate::object::Body;
use crate::policy::Unknowns;
use crate::reference::Reference;
use crate::text::Text;
use crate::value::Value;
use dalang_classes::{ClassId, Program, Shape, ValueType};
use dalang_term::TermId;
use std::rc::Rc;

/// What an element is that nobody has accessed yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An input: this one leads to the array.
    Input(InputId),
    /// What was there in this input array when the method began: the array is a copy of it.
    Copy(Reference),
    /// This constant: the program has made the array.
    Default(Value),
}

/// What was copied to a range of an array.
#[derive(Clone, Debug)]
pub enum Copied {
    /// Elements of what an array held, from this index on.
    Part(Body, TermId),
    /// This value, everywhere.
    Value(Value),
}

/// A range of an array that was copied to at once. Both ends are within the array.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The index at which the range begins.
    pub start: TermId,
    /// How many elements it has.
    pub count: TermId,
    /// What is there.
    pub copied: Copied,
    /// What the array held before, which is still there outside of the range.
    pub below: Body,
    /// How many layers there are one upon the other, this one included.
    pub depth: u32,
}

impl Layer {
    /// A range of an array that held this.
    pub fn new(start: TermId, count: TermId, copied: Copied, below: Body) -> Self {
        let inner = match &copied {
            Copied::Part(source, _) => depth(source),
            Copied::Value(_) => 0,
        };
        let depth = 1 + inner.max(depth(&below));
        Self { start, count, copied, below, depth }
    }

    /// The arrays that it lies on or was copied from, as they were.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = &Body> {
        let source = match &self.copied {
            Copied::Part(source, _) => Some(source),
            Copied::Value(_) => None,
        };
        source.into_iter().chain([&self.below])
    }
}

/// How many layers an array has.
fn depth(body: &Body) -> u32 {
    match body {
        Body::Elements(elements) => elements.layer.as_ref().map_or(0, |layer| layer.depth),
        _ => 0,
    }
}

/// A value that is in an array, or was: the array's class allows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// An input reference.
    Input(InputId),
    /// An object.
    Object(Reference),
}

/// The content of an array whose length or elements are unknown.
#[derive(Clone, Debug)]
pub struct Elements {
    /// What an element is that is not known, and on which no layer lies.
    pub origin: Origin,
    /// What was copied to the array last, and lies over all that was there.
    pub layer: Option<Rc<Layer>>,
    /// The length, of sort 32-bit vector.
    pub length: TermId,
    /// The type of its elements, as far as it was known when the array was met.
    pub element: ValueType,
    /// Indexes that were accessed, each with what is there now.
    pub known: Vec<(TermId, Value)>,
    /// Indexes of an array of references that were found to be equal to known ones.
    pub same: Vec<(TermId, TermId)>,
    /// Elements that were read before anything was stored there.
    pub read: Vec<InputId>,
    /// What was stored while the class of the array was uncertain.
    pub held: Vec<Held>,
    /// How many elements may be read before something is stored there: the k-bound.
    pub most: Option<u32>,
    /// The bound on the length, if there is one.
    pub longest: Option<u32>,
    /// The text that the array stores, as long as nothing else is stored in it.
    pub text: Option<Rc<Text>>,
}

impl Elements {
    /// The content of an array that nobody has accessed.
    pub fn new(origin: Origin, length: TermId, element: ValueType) -> Self {
        Self {
            origin,
            layer: None,
            length,
            element,
            known: Vec::new(),
            same: Vec::new(),
            read: Vec::new(),
            held: Vec::new(),
            most: None,
            longest: None,
            text: None,
        }
    }

    /// The input that leads to the array, if it was there before the method ran.
    pub const fn input(&self) -> Option<InputId> {
        match self.origin {
            Origin::Input(input) => Some(input),
            Origin::Copy(_) | Origin::Default(_) => None,
        }
    }

    /// A copy that goes its own way from here on; the array is at this place.
    #[must_use]
    pub fn copied(&self, array: Reference) -> Self {
        let origin = match self.origin {
            Origin::Input(_) => Origin::Copy(array),
            other => other,
        };
        // What the original was found to hold before the method ran is told there.
        Self { origin, read: Vec::new(), ..self.clone() }
    }

    /// Puts a layer over all that is there.
    pub fn cover(&mut self, layer: Rc<Layer>) {
        self.known.clear();
        self.same.clear();
        self.text = None;
        self.layer = Some(layer);
    }

    /// What is at an index that was accessed under the same name.
    pub fn at(&self, index: TermId) -> Option<Value> {
        let index = self.same.iter().find(|same| same.0 == index).map_or(index, |same| same.1);
        self.known.iter().find(|known| known.0 == index).map(|known| known.1)
    }
}

impl Unknowns {
    /// What the class of an input object can be. Of an array, classes are left out that do not allow
    /// what is in it.
    ///
    /// What is in an array is of a class below the array's component: that is the one constraint
    /// that couples types of different objects. It is kept by the *top* of the array's domain: as
    /// long as there is a class that all others are below, it allows whatever the elements are, and
    /// elements are kept below it. So only a narrowing of the array has to look at its elements.
    pub fn possible(
        &mut self,
        program: &Program,
        heap: &crate::Heap,
        knowledge: &Knowledge,
        object: Reference,
    ) -> DomainId {
        let Some(symbolic) = knowledge.object(object) else { return DomainId::EMPTY };
        let domain = symbolic.domain;
        let crate::Body::Elements(elements) = &heap.object(object).body else { return domain };
        if self.domains.only(domain).is_some() {
            return domain;
        }
        let contents: Vec<Resolution> = contents(elements)
            .into_iter()
            .map(|held| self.held_by(program, knowledge, held))
            .collect();
        let kept: Vec<_> = self.domains.classes(domain).to_vec();
        let kept: Vec<_> = kept
            .into_iter()
            .filter(|&class| {
                let Shape::Array { component, .. } = program.class(class).shape else {
                    return true;
                };
                contents.iter().all(|&known| match known {
                    Resolution::Object(itself) if itself == object => {
                        program.is_subtype(class, component)
                    }
                    known => self.allows(program, heap, knowledge, component, known),
                })
            })
            .collect();
        self.domains.of(&kept)
    }

    /// Whether a value can be of a type.
    fn allows(
        &mut self,
        program: &Program,
        heap: &crate::Heap,
        knowledge: &Knowledge,
        component: ClassId,
        known: Resolution,
    ) -> bool {
        let domain = match known {
            Resolution::Null | Resolution::Maybe(_) | Resolution::Bound(_) => return true,
            Resolution::Location(domain) => domain,
            Resolution::Object(object) => match knowledge.object(object) {
                Some(symbolic) => symbolic.domain,
                None => return program.is_subtype(heap.class(object), component),
            },
        };
        self.domains.touches(program, domain, component)
    }

    /// What is known of a value that is in an array.
    pub(crate) fn held_by(
        &mut self,
        program: &Program,
        knowledge: &Knowledge,
        held: Held,
    ) -> Resolution {
        match held {
            Held::Input(input) => self.resolution(program, knowledge, input),
            Held::Object(object) => Resolution::Object(object),
        }
    }
}

/// Everything that an array of uncertain class was found to hold.
pub(crate) fn contents(elements: &Elements) -> Vec<Held> {
    let read = elements.read.iter().map(|&input| Held::Input(input));
    read.chain(elements.held.iter().copied()).collect()
}
