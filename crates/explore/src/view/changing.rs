//! Which fields of the target can change after a class was initialized, and the elements of which arrays.
//!
//! A field that is final or made by the compiler does not. Any other does if code outside its package
//! can name it, or if code of its package stores to it after its class was initialized.

use dalang_classes::{Changes, ClassId, Field, FieldId, Flags, Name, Program, ValueType};
use dalang_heap::Fate;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What was found out about packages, as it was asked for.
#[derive(Default)]
pub(super) struct Packages {
    changes: Mutex<FxHashMap<Name, Arc<Changes>>>,
    indirect: OnceLock<bool>,
}

impl Packages {
    /// The static fields of a class that can change; `own` are the target's classes.
    pub(super) fn changing(
        &self,
        program: &Program,
        own: &[ClassId],
        class: ClassId,
    ) -> Arc<[FieldId]> {
        let fields = program.class(class).static_fields.iter().copied();
        let changes = |&field: &FieldId| self.can_change(program, own, program.field(field), class);
        fields.filter(changes).collect()
    }

    /// Whether a field can change after a class was initialized.
    pub(super) fn can_change(
        &self,
        program: &Program,
        own: &[ClassId],
        field: &Field,
        after: ClassId,
    ) -> bool {
        if is_fixed(field.flags) {
            return false;
        }
        is_accessible(program, own, field)
            || self.of(program, own, field.class).stores_to(field.id, after)
            || self.is_indirect(program, own)
    }

    /// What can become of that which a field holds, after a class was initialized.
    pub(super) fn fate(
        &self,
        program: &Program,
        own: &[ClassId],
        field: &Field,
        after: ClassId,
    ) -> Fate {
        if field.flags.is_synthetic() {
            return Fate::default();
        }
        let changes = self.of(program, own, field.class);
        let is_open = is_accessible(program, own, field);
        let is_loose = is_open || self.is_indirect(program, own);
        let escapes = is_loose || changes.escapes(field.id);
        Fate {
            changes: is_open || changes.changes_held(field.id, after),
            inner: is_open || changes.changes_inner(field.id, after),
            escapes,
            parts: escapes || changes.parts_escape(field.id),
            shared: changes.is_shared(field.id),
        }
    }

    /// Whether a static field keeps an object, which can be of a class, and which somebody else can get
    /// hold of. Constants of enums are not meant.
    pub(super) fn can_keep(
        &self,
        program: &Program,
        own: &[ClassId],
        field: &Field,
        class: ClassId,
    ) -> bool {
        let fits = |kind| program.is_subtype(kind, class) || program.is_subtype(class, kind);
        matches!(field.value, ValueType::Reference(_))
            && program.class_of_type(field.value).is_ok_and(fits)
            && self.keeps(program, own, field)
    }

    /// Whether a static field keeps an object that somebody else can get hold of. Constants of enums and
    /// texts are not meant.
    pub(super) fn keeps(&self, program: &Program, own: &[ClassId], field: &Field) -> bool {
        let ValueType::Reference(kind) = field.value else { return false };
        !field.flags.is_enum()
            && !field.flags.is_synthetic()
            && program.names().text(kind) != "java/lang/String"
            && !self.can_change(program, own, field, field.class)
            && self.fate(program, own, field, field.class).escapes
    }

    /// Whether code of the target stores to fields without naming them.
    fn is_indirect(&self, program: &Program, own: &[ClassId]) -> bool {
        let look = || own.iter().any(|&class| program.stores_indirectly(class));
        *self.indirect.get_or_init(look)
    }

    /// What the package of a class changes.
    fn of(&self, program: &Program, own: &[ClassId], class: ClassId) -> Arc<Changes> {
        let package = program.class(class).package;
        let mut known = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        let look = || {
            let is_in = |class: &&ClassId| program.class(**class).package == package;
            let classes: Vec<ClassId> = own.iter().filter(is_in).copied().collect();
            Arc::new(program.changes(&classes, own))
        };
        Arc::clone(known.entry(package).or_insert_with(look))
    }
}

/// Whether a field keeps the value that its class's initializer gave it.
fn is_fixed(flags: Flags) -> bool {
    flags.is_final() || flags.is_synthetic()
}

/// Whether code outside the package can name a field.
fn is_accessible(program: &Program, own: &[ClassId], field: &Field) -> bool {
    let is_open = |&class: &ClassId| {
        let declared = program.class(class);
        declared.flags.is_public() && program.is_subtype(class, field.class)
    };
    (field.flags.is_public() || field.flags.is_protected())
        && (is_open(&field.class) || own.iter().any(is_open))
}
