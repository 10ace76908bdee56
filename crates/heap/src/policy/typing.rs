//! Type tests, casts, dispatch and identity of values: the same for every policy of the lazy family.
//!
//! # Source
//! [Kiasan] section 3.1 (type variables), section 3.5 (dispatch), Figs. 7 and 8 (INSTANCEOF,
//! CHECKCAST).

use super::{Alternative, Asking, Effect};
use crate::domain::DomainId;
use crate::input::{Input, InputId};
use crate::knowledge::HeldObject;
use crate::reference::Reference;
use dalang_classes::{ClassId, FieldId, Program};
use dalang_term::{Pool, TermId};

/// Whether the objects of a class are constants of an enum: those with a body are of a class of their
/// own.
pub fn is_enum(program: &Program, class: ClassId) -> bool {
    let class = program.class(class);
    let parent = class.superclass.map(|parent| program.class(parent));
    class.flags.is_enum() || parent.is_some_and(|parent| parent.flags.is_enum())
}

/// Whether a class is an enum without constants, of which there are no instances: only null is of its
/// type.
pub fn is_void(program: &Program, class: ClassId) -> bool {
    let class = program.class(class);
    let is_constant = |&field: &FieldId| program.field(field).flags.is_enum();
    class.flags.is_enum()
        && class.superclass.is_none_or(|above| !program.class(above).flags.is_enum())
        && !class.static_fields.iter().any(is_constant)
}

/// What has a type that is not fully known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A symbolic reference, which may be null.
    Maybe(InputId),
    /// A symbolic location.
    Location(InputId),
    /// An input object.
    Object(Reference),
}

impl Subject {
    fn narrowed(self, domain: DomainId) -> Effect {
        match self {
            Self::Maybe(input) | Self::Location(input) => Effect::Location(input, domain),
            Self::Object(reference) => Effect::Narrow(reference, domain),
        }
    }
}

/// Rule `typing/instanceof-true` and rule `typing/instanceof-false` - [Kiasan, Fig. 7,
/// INSTANCEOF2-S]: the type is below the class that is asked for, or it is not. Types of arrays that
/// have no type above them in common are alternatives of their own.
pub fn instanceof(subject: Subject, inside: &[DomainId], outside: DomainId) -> Vec<Alternative> {
    let one =
        |rule, domain| Alternative { rule, effect: subject.narrowed(domain), condition: None };
    let mut all: Vec<_> =
        inside.iter().map(|&domain| one("typing/instanceof-true", domain)).collect();
    all.push(one("typing/instanceof-false", outside));
    all
}

/// Rule `typing/checkcast-pass` and rule `typing/checkcast-fail` - [Kiasan, Fig. 8, CHECKCAST2-S].
/// Deviation: D6 of `lazier#`.
pub fn checkcast(subject: Subject, inside: &[DomainId], outside: DomainId) -> Vec<Alternative> {
    one_sided(["typing/checkcast-pass", "typing/checkcast-fail"], subject, inside, &[outside])
}

/// The alternatives of something that null passes.
fn one_sided(
    [pass, fail]: [&'static str; 2],
    subject: Subject,
    inside: &[DomainId],
    outside: &[DomainId],
) -> Vec<Alternative> {
    let mut all = Vec::new();
    let mut domains = inside.iter();
    if let Subject::Maybe(input) = subject
        && let Some(&first) = domains.next()
    {
        // Null is with the first, so that it is nowhere twice.
        let effect = Effect::Maybe(input, first);
        all.push(Alternative { rule: pass, effect, condition: None });
    }
    for &domain in domains {
        all.push(Alternative { rule: pass, effect: subject.narrowed(domain), condition: None });
    }
    for &domain in outside {
        all.push(Alternative { rule: fail, effect: subject.narrowed(domain), condition: None });
    }
    all
}

/// Rule `typing/store-array`: whether an array of uncertain class can hold a value depends on the
/// array's class; one alternative for each set of classes that hold the same.
pub fn store_array(array: Reference, groups: &[DomainId]) -> Vec<Alternative> {
    let one = |&domain| Alternative {
        rule: "typing/store-array",
        effect: Effect::Narrow(array, domain),
        condition: None,
    };
    groups.iter().map(one).collect()
}

/// Rule `typing/store-pass` and rule `typing/store-fail` - JVMS 6.5, `aastore`: what is stored is of
/// the type of the array's elements or null, or it is not.
pub fn store(subject: Subject, inside: &[DomainId], outside: &[DomainId]) -> Vec<Alternative> {
    one_sided(["typing/store-pass", "typing/store-fail"], subject, inside, outside)
}

/// Rule `typing/dispatch` - [Kiasan, section 3.5]: the receiver's type is one of those that run the
/// same method; one alternative for each method.
pub fn dispatch(subject: Subject, groups: &[DomainId]) -> Vec<Alternative> {
    let one = |&domain| Alternative {
        rule: "typing/dispatch",
        effect: subject.narrowed(domain),
        condition: None,
    };
    groups.iter().map(one).collect()
}

/// Rule `typing/field`: a field is asked for by its name alone; the object's type is one of those that
/// mean the same field by it.
pub fn field(subject: Subject, groups: &[DomainId]) -> Vec<Alternative> {
    let one = |&domain| Alternative {
        rule: "typing/field",
        effect: subject.narrowed(domain),
        condition: None,
    };
    groups.iter().map(one).collect()
}

/// Rule `typing/exact`: something depends on the very class of an object; one alternative for each.
pub fn exact(subject: Subject, singles: &[DomainId]) -> Vec<Alternative> {
    let one = |&domain| Alternative {
        rule: "typing/exact",
        effect: subject.narrowed(domain),
        condition: None,
    };
    singles.iter().map(one).collect()
}

/// Rule `typing/class-same` and rule `typing/class-different`: the class of an object is compared with
/// one class. Types of arrays that have no type above them in common are alternatives of their own.
pub fn class_is(subject: Subject, single: DomainId, others: &[DomainId]) -> Vec<Alternative> {
    let one =
        |rule, domain| Alternative { rule, effect: subject.narrowed(domain), condition: None };
    let mut all = vec![one("typing/class-same", single)];
    all.extend(others.iter().map(|&domain| one("typing/class-different", domain)));
    all
}

/// Rule `typing/identity-same` and rule `typing/identity-different`: two objects of a value class are
/// compared by reference, and they are the same if this holds.
pub fn identity(pool: &mut Pool, a: Reference, b: Reference, same: TermId) -> Vec<Alternative> {
    let different = pool.not(same);
    vec![
        Alternative {
            rule: "typing/identity-same",
            effect: Effect::Identity(a, b, true),
            condition: Some(same),
        },
        Alternative {
            rule: "typing/identity-different",
            effect: Effect::Identity(a, b, false),
            condition: Some(different),
        },
    ]
}

/// Rule `lazy/getfield-null`, where the other alternatives are constants of an enum.
pub fn null(input: InputId) -> Alternative {
    Alternative { rule: "lazy/getfield-null", effect: Effect::Null(input), condition: None }
}

/// Rule `typing/enum-constant`: an input of an enum is one of its constants.
pub fn constants(input: InputId, constants: &[Reference]) -> Vec<Alternative> {
    let one = |&constant| Alternative {
        rule: "typing/enum-constant",
        effect: Effect::Alias(input, constant),
        condition: None,
    };
    constants.iter().map(one).collect()
}

/// Rule `typing/held-object`: an input is an object that a static field which does not change leads to.
pub(crate) fn held(asking: &Asking<'_>, domain: DomainId) -> Vec<Alternative> {
    let classes = asking.unknowns.domains.classes(domain);
    let fits = |held: &HeldObject| classes.contains(&asking.heap.class(held.object));
    let one = |held: HeldObject| Alternative {
        rule: "typing/held-object",
        effect: Effect::Alias(asking.input, held.object),
        condition: None,
    };
    asking.knowledge.candidates(asking.input).filter(fits).map(one).collect()
}

/// Rule `typing/no-class`: an object is needed, but no class in view implements its type.
pub(crate) fn no_class(asking: &Asking<'_>) -> Alternative {
    unmakeable(asking.unknowns.inputs.get(asking.input))
}

/// The same rule, for an input.
pub fn unmakeable(input: &Input) -> Alternative {
    match input.class {
        Some(class) => missing(class),
        None => {
            let effect = Effect::Unloadable(input.declared);
            Alternative { rule: "typing/no-class", effect, condition: None }
        }
    }
}

/// The same rule, for a type.
pub fn missing(class: ClassId) -> Alternative {
    Alternative { rule: "typing/no-class", effect: Effect::NoClass(class), condition: None }
}
