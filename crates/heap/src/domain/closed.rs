//! What answers rest on that the hierarchy is closed: that there is no class but those in view.
//!
//! Only what was asked is collected here, as facts that do not depend on the order of paths nor on
//! who followed them. What they come to, and how that is said, is for whoever has all of them.

use super::{DomainId, Domains, is_lowest};
use dalang_classes::{ClassId, Program};
use rustc_hash::FxHashSet;

/// A question about an input that its set of classes has answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reliance {
    /// Something depends on every class below this type: which method a call runs, what `getClass`
    /// gives.
    All(ClassId),
    /// Whether what is declared as the first is of the second.
    Test(ClassId, ClassId),
    /// Whether what is declared as the first can be the same object as what is declared as the second.
    Alias(ClassId, ClassId),
}

/// What was asked, and which classes to look out for.
#[derive(Default)]
pub(super) struct Closed {
    relied: FxHashSet<Reliance>,
    /// Classes of input objects that are known to be of one class only because no other is in view,
    /// by number. Instructions treat such objects like any others.
    sole: Vec<bool>,
}

impl Domains {
    /// Notes a question that a set has answered.
    #[inline]
    pub fn rely(&mut self, on: Reliance) {
        self.closed.relied.insert(on);
    }

    /// What was asked since this was last called; the next questions are those of another method.
    pub fn take_reliances(&mut self) -> FxHashSet<Reliance> {
        self.closed.sole.clear();
        std::mem::take(&mut self.closed.relied)
    }

    /// An input that is declared as a type has got an object whose class is in a set: if it is the
    /// only one, instructions ask no more.
    pub(crate) fn note_object(
        &mut self,
        program: &Program,
        declared: Option<ClassId>,
        set: DomainId,
    ) {
        let (Some(declared), Some(only)) = (declared, self.only(set)) else { return };
        if is_lowest(program, declared) {
            return;
        }
        let sole = &mut self.closed.sole;
        if sole.len() <= only.index() {
            sole.resize(only.index() + 1, false);
        }
        sole[only.index()] = true;
    }

    /// Whether there may be input objects that are of this class because no other is in view.
    #[inline]
    pub fn is_sole(&self, class: ClassId) -> bool {
        self.closed.sole.get(class.index()).is_some_and(|&sole| sole)
    }
}
