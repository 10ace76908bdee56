//! Which fields of the target can change after a class was initialized, and the elements of which arrays.
//!
//! A field that is final or made by the compiler does not. Any other does if code outside its package
//! can name it, or if code of its package stores to it after its class was initialized.

use dalang_classes::{Changes, ClassId, Field, FieldId, Flags, Name, Program};
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
            || *self
                .indirect
                .get_or_init(|| own.iter().any(|&class| program.stores_indirectly(class)))
    }

    /// Whether elements of the array that a field holds can change after a class was initialized.
    pub(super) fn can_change_array(
        &self,
        program: &Program,
        own: &[ClassId],
        field: &Field,
        after: ClassId,
    ) -> bool {
        !field.flags.is_synthetic()
            && (is_accessible(program, own, field)
                || self.of(program, own, field.class).changes_array(field.id, after))
    }

    /// What the package of a class changes.
    fn of(&self, program: &Program, own: &[ClassId], class: ClassId) -> Arc<Changes> {
        let package = program.class(class).package;
        let mut known = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        let look = || {
            let is_in = |class: &&ClassId| program.class(**class).package == package;
            let classes: Vec<ClassId> = own.iter().filter(is_in).copied().collect();
            Arc::new(program.changes(&classes))
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
        declared.flags.is_public() && declared.lineage().contains(&field.class)
    };
    (field.flags.is_public() || field.flags.is_protected())
        && (is_open(&field.class) || own.iter().any(is_open))
}
