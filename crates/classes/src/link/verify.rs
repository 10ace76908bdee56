//! Verification as a step of linking (JVMS 5.4.1): of a class, after those above it.
//!
//! The library is trusted, as every virtual machine trusts it by default. Everything else is
//! verified once, when it is first asked for.

use super::class::Shape;
use super::failure::{JavaError, LinkFailure};
use super::program::Program;
use crate::code::verify::{self, Trouble};
use crate::error::ClassError;
use crate::ids::{ClassId, MethodId};

/// What verification of a class has come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verified {
    /// It can be used.
    Fine,
    /// It can be used as long as nothing is thrown that a handler would have to be compared with
    /// whose class is missing. A virtual machine would refuse it.
    ButForHandlers(LinkFailure),
    /// It, or a class above it, cannot be used.
    Refused(LinkFailure),
}

impl Program {
    /// Verifies a class and all that are above it.
    pub fn verify(&self, id: ClassId) -> &Verified {
        let class = self.class(id);
        if let Some(known) = class.verified.get() {
            return known;
        }
        let above = class.superclass.iter().chain(&*class.interfaces);
        // A hierarchy has a bounded height, see `load`, so this recursion has one.
        let above = above.map(|&id| self.verify(id)).find(|above| **above != Verified::Fine);
        class.verified.get_or_init(|| match above {
            Some(Verified::Refused(failure)) => Verified::Refused(failure.clone()),
            _ if self.is_trusted(id) => Verified::Fine,
            _ => match (self.verify_alone(id), above) {
                (Verified::Fine, Some(above)) => above.clone(),
                (own, _) => own,
            },
        })
    }

    /// Classes of the library, those that no file describes, and what is made of no file.
    fn is_trusted(&self, id: ClassId) -> bool {
        let class = self.class(id);
        class.shape != Shape::Declared || class.origin.module.is_some() || self.is_exempt(id)
    }

    /// Verifies a class, whether it is trusted or not, and none above it.
    pub fn verify_alone(&self, id: ClassId) -> Verified {
        match verify::verify(self, self.class(id)) {
            Ok(()) => Verified::Fine,
            Err((_, Trouble::Missing(failure))) => Verified::Refused(failure),
            Err((_, Trouble::MissingCaught(failure))) => Verified::ButForHandlers(failure),
            Err((method, Trouble::Wrong(defect))) => {
                Verified::Refused(self.bad_code(method, defect))
            }
        }
    }

    /// The failure that a broken body leads to.
    pub(super) fn bad_code(&self, method: MethodId, defect: crate::code::Defect) -> LinkFailure {
        let method = self.method(method);
        let class = self.class(method.class);
        let own = (self.names().text(method.name), self.names().text(method.descriptor));
        let error = ClassError::BadCode {
            class: self.class_spelling(class.id),
            method: format!("{}{}", own.0, own.1),
            origin: class.origin.to_string(),
            pc: defect.pc,
            what: defect.what,
        };
        let failure = LinkFailure::from_file(self.names().text(class.name), error);
        if defect.in_table {
            return LinkFailure { error: JavaError::ClassFormatError, ..failure };
        }
        failure
    }
}
