//! Lazier# initialization: a reference that is read stays a symbolic reference; whether it is null
//! and which object it is are decided when they are needed.
//!
//! # Source
//! [Kiasan] section 3.3, Figs. 24-26 (SELB).
//!
//! # Guarantee
//! The fewest paths of the three; for search trees exactly one for each shape and outcome ([Kiasan]
//! section 3.3, "Optimality").
//!
//! # Not covered
//! As for [`lazy`](super::lazy).
//!
//! # Invariant
//! A symbolic reference that was dereferenced or tested is none any more.
//!
//! # Deviations
//! - D1 to D5 of [`lazier`](super::lazier).
//! - D6. A cast keeps a symbolic reference one where it succeeds, null included, and narrows its
//!   type; only where it fails is it a location.

use super::{Alternative, Asking, Effect, Need, lazier};
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
        | (_, Need::Read)
        | (Resolution::Location(_), Need::Nullness) => None,
        (Resolution::Maybe(domain), _) => {
            let mut all = vec![null(asking)];
            if asking.is_void() {
                return Some(all);
            }
            all.push(if domain == DomainId::EMPTY {
                super::typing::no_class(asking)
            } else {
                location(asking, domain)
            });
            Some(all)
        }
        (Resolution::Location(domain), Need::Object) => Some(lazier::objects(asking, domain)),
    }
}

/// Rule `lazier#/use-null` - [Kiasan, Fig. 24, `IF_ACMPEQ2-B`, 4-B; Fig. 25, IFNULL1-B,
/// IFNONNULL1-B; Fig. 26, GETFIELD1-B].
fn null(asking: &Asking<'_>) -> Alternative {
    let effect = Effect::Null(asking.input);
    Alternative { rule: "lazier#/use-null", effect, condition: None }
}

/// Rule `lazier#/use-location` - [Kiasan, Fig. 24, `IF_ACMPEQ3-B`, 5-B; Fig. 25, IFNULL2-B,
/// IFNONNULL2-B; Fig. 26, GETFIELD2-B].
fn location(asking: &Asking<'_>, domain: DomainId) -> Alternative {
    let effect = Effect::Location(asking.input, domain);
    Alternative { rule: "lazier#/use-location", effect, condition: None }
}
