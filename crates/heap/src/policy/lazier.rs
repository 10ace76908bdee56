//! Lazier initialization: a reference that is read becomes null or a symbolic location; which
//! object the location is, is decided when it is used.
//!
//! # Source
//! [Kiasan] section 3.2, Figs. 22 and 23 (SELA).
//!
//! # Guarantee
//! The paths of lazy initialization, where they differ only in objects that the program never looks
//! at, are one path.
//!
//! # Not covered
//! As for [`lazy`](super::lazy).
//!
//! # Invariant
//! A symbolic location is not null.
//!
//! # Deviations
//! - D1 to D4 and D6 of [`lazy`](super::lazy); what is used counts towards the bounds.
//! - D5. A type test, a cast or a call needs the type of a location, not its object: it narrows the
//!   location's type and leaves it a location. ([Kiasan] App. C says that no location reaches these
//!   instructions, which does not hold for its own Program 2.)

use super::{Alternative, Asking, Effect, Need, lazy};
use crate::domain::DomainId;
use crate::knowledge::Resolution;

/// The ways to find out what is needed of a reference.
pub(crate) fn resolve(
    asking: &mut Asking<'_>,
    known: Resolution,
    need: Need,
) -> Option<Vec<Alternative>> {
    match (known, need) {
        (Resolution::Null | Resolution::Object(_) | Resolution::Bound(_), _)
        | (Resolution::Location(_), Need::Read | Need::Nullness) => None,
        (Resolution::Maybe(domain), _) => Some(nullness(asking, domain)),
        (Resolution::Location(domain), Need::Object) => Some(objects(asking, domain)),
    }
}

fn nullness(asking: &mut Asking<'_>, domain: DomainId) -> Vec<Alternative> {
    let mut all = vec![lazy::null(asking)];
    if asking.is_void() {
        return all;
    }
    all.push(if domain == DomainId::EMPTY {
        super::typing::no_class(asking)
    } else {
        location(asking, domain)
    });
    all
}

/// Rule `lazier/getfield-location` - [Kiasan, Fig. 23, GETFIELD3-A].
fn location(asking: &Asking<'_>, domain: DomainId) -> Alternative {
    let effect = Effect::Location(asking.input, domain);
    Alternative { rule: "lazier/getfield-location", effect, condition: None }
}

/// The objects that a location can be.
pub(crate) fn objects(asking: &mut Asking<'_>, domain: DomainId) -> Vec<Alternative> {
    let mut all: Vec<Alternative> = lazy::objects(asking, domain);
    for alternative in &mut all {
        match alternative.effect {
            Effect::Alias(..) if alternative.rule == lazy::ALIAS => alias(alternative),
            Effect::Fresh(..) | Effect::Cut(_) => fresh(alternative),
            _ => {}
        }
    }
    all
}

/// Rule `lazier/use-alias` - [Kiasan, Fig. 23, GETFIELD1-A, PUTFIELD1-A, IALOAD1-A, IASTORE1-A and
/// Fig. 22, `IF_ACMPEQ2-A`, 5-A].
fn alias(alternative: &mut Alternative) {
    alternative.rule = "lazier/use-alias";
}

/// Rule `lazier/use-fresh` - [Kiasan, Fig. 23, GETFIELD2-A, PUTFIELD2-A, IALOAD2-A, IASTORE2-A and
/// Fig. 22, `IF_ACMPEQ3-A`, 4-A, 6-A, 7-A].
fn fresh(alternative: &mut Alternative) {
    alternative.rule = "lazier/use-fresh";
}
