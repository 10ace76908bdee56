//! Lazy initialization: a reference becomes null, an alias or an object of its own when it is read.
//!
//! # Source
//! [Kiasan] section 3.1, Figs. 5-8 (SEL).
//!
//! # Guarantee
//! Every concrete run falls on a path, and every path has a concrete run, within the bounds and
//! over the classes in view ([Kiasan] Corollaries 2 and 4).
//!
//! # Not covered
//! Input objects of classes that the virtual machine itself works with (`Thread`, `Class`) are a stop.
//!
//! # Invariant
//! Two input objects at different places of the heap are different objects, unless both are of a
//! value class.
//!
//! # Deviations
//! - D1. Aliases are proposed in the order in which objects were met, after null and before the
//!   fresh object; the paper leaves the order open.
//! - D2. Boxes and strings are values: an input of such a class is a fresh object, and whether it is
//!   the same as another is decided when the program compares references
//!   ([`typing::identity`](super::typing::identity)). They are immutable, so nothing else can tell.
//! - D3. An input of an enum is one of its constants. An input may be an object that a static field keeps,
//!   which is proposed after the aliases ([`typing::held`](super::typing::held)).
//! - D4. A fresh object beyond the k- or n-bound is proposed as a cut, which is counted; one of a
//!   value class, which no bound counts, is then proposed beside it.
//! - D6. The n-bound is on each class that objects can be of, whatever is known of their classes; what is
//!   read counts towards the k-bound, used or not ([`bounds`](super::bounds)).

use super::{Alternative, Asking, Effect};
use crate::domain::DomainId;
use crate::knowledge::Resolution;

/// The rule by which an input is another one.
pub(crate) const ALIAS: &str = "lazy/getfield-alias";

/// The ways to resolve a reference that was read.
pub(crate) fn resolve(asking: &mut Asking<'_>, known: Resolution) -> Option<Vec<Alternative>> {
    match known {
        Resolution::Null | Resolution::Object(_) | Resolution::Bound(_) => None,
        Resolution::Location(domain) => Some(objects(asking, domain)),
        Resolution::Maybe(domain) => {
            let mut all = vec![null(asking)];
            if !asking.is_void() {
                all.extend(objects(asking, domain));
            }
            Some(all)
        }
    }
}

/// The objects that a reference to an object can lead to: rules 4 to 6.
pub(crate) fn objects(asking: &mut Asking<'_>, domain: DomainId) -> Vec<Alternative> {
    if domain == DomainId::EMPTY {
        return vec![super::typing::no_class(asking)];
    }
    let mut all =
        if asking.unknowns.is_value(domain) { Vec::new() } else { aliases(asking, domain) };
    all.extend(super::typing::held(asking, domain));
    all.extend(value(asking, domain));
    all.push(fresh(asking, domain));
    all
}

/// Rule `lazy/getfield-null` - [Kiasan, Fig. 5, GETFIELD3-S]. Deviation: D1.
pub(crate) fn null(asking: &Asking<'_>) -> Alternative {
    let effect = Effect::Null(asking.input);
    Alternative { rule: "lazy/getfield-null", effect, condition: None }
}

/// Rule `lazy/getfield-alias` - [Kiasan, Fig. 5, GETFIELD4-S]. Deviation: D1, D2.
pub(crate) fn aliases(asking: &mut Asking<'_>, domain: DomainId) -> Vec<Alternative> {
    let mut all = Vec::new();
    for object in asking.knowledge.objects() {
        let possible = asking.unknowns.possible(
            asking.program,
            asking.heap,
            asking.knowledge,
            object.reference,
        );
        asking.unknowns.rely_on_alias(asking.input, object.input);
        let shared = asking.unknowns.domains.meet(possible, domain);
        if shared != DomainId::EMPTY && !asking.unknowns.is_value(object.domain) {
            let effect = Effect::Alias(asking.input, object.reference);
            all.push(Alternative { rule: ALIAS, effect, condition: None });
        }
    }
    all
}

/// Rule `lazy/getfield-value`: beyond a bound there are still objects of value classes, which are not
/// counted. Deviation: D2, D4.
pub(crate) fn value(asking: &mut Asking<'_>, domain: DomainId) -> Option<Alternative> {
    asking.bound(domain)?;
    let classes = asking.unknowns.domains.classes(domain).iter().copied();
    let values: Vec<_> = classes.filter(|class| asking.unknowns.values.contains(class)).collect();
    if values.is_empty() {
        return None;
    }
    let effect = Effect::Fresh(asking.input, asking.unknowns.domains.of(&values));
    Some(Alternative { rule: "lazy/getfield-value", effect, condition: None })
}

/// Rule `lazy/getfield-fresh` - [Kiasan, Fig. 5, GETFIELD5-S and 6-S]. Deviation: D3, D4.
pub(crate) fn fresh(asking: &mut Asking<'_>, domain: DomainId) -> Alternative {
    let effect = match asking.bound(domain) {
        Some(bound) => Effect::Cut(bound),
        None => Effect::Fresh(asking.input, domain),
    };
    Alternative { rule: "lazy/getfield-fresh", effect, condition: None }
}
