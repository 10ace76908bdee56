//! Which classes there are for inputs to be of.
//!
//! In view are the target's classes, those of the rest of the class path, and of the library those
//! that either of them mentions; `docs/semantics/types.md` has the rules in full. The target's
//! classes are loaded at once, because they are analysed. The others are loaded when the first type
//! is met that one of them could be below; a class path without such a type costs its list of names.

mod library;
mod survey;

use dalang_classes::{ClassId, Program};
use dalang_heap::{StandIn, Universe};
use rustc_hash::FxHashSet;
use std::sync::{Arc, OnceLock};
use survey::Survey;

/// Which classes there are for inputs to be of. Copies share it, between threads too.
#[derive(Clone)]
pub struct View {
    shared: Arc<Shared>,
}

struct Shared {
    /// The names of all classes that are not the library's.
    names: FxHashSet<String>,
    own: Survey,
    /// Names of the rest of the class path.
    path: Vec<String>,
    full: OnceLock<Full>,
}

/// All classes in view, once they were needed.
struct Full {
    classes: Arc<[ClassId]>,
    elements: Arc<[ClassId]>,
    included: Arc<[StandIn]>,
    broken: usize,
}

impl View {
    /// The view of a program: `own` are the internal names of the targets' classes, `path` those of
    /// the rest of the class path.
    pub fn new(program: &Program, own: &[String], path: &[String]) -> Self {
        let names: FxHashSet<String> = own.iter().chain(path).cloned().collect();
        let own = Survey::of(program, own);
        let path = path.to_vec();
        Self { shared: Arc::new(Shared { names, own, path, full: OnceLock::new() }) }
    }

    /// How many classes of the target and the class path are not in view because they cannot be
    /// loaded. The class path counts if it was needed.
    pub fn broken(&self) -> usize {
        self.shared.full.get().map_or(self.shared.own.broken, |full| full.broken)
    }

    fn full(&self, program: &Program) -> &Full {
        self.shared.full.get_or_init(|| self.shared.look(program))
    }

    fn is_library(&self, program: &Program, class: ClassId) -> bool {
        !self.shared.names.contains(program.names().text(program.class(class).name))
    }
}

impl Shared {
    fn look(&self, program: &Program) -> Full {
        let mut survey = Survey::of(program, &self.path);
        survey.join(&self.own);
        let broken = survey.broken;
        let mut classes = Vec::new();
        let mut elements = Vec::new();
        for name in survey.mentioned(program) {
            let is_own = self.names.contains(survey::element(name));
            let Some(class) = library::in_view(program, name, is_own) else { continue };
            let (declared, is_array) = (program.class(class), program.class(class).is_array());
            if is_array || declared.is_instantiable() {
                classes.push(class);
            }
            if !is_array && !declared.flags.is_annotation() {
                elements.push(class);
            }
        }
        let included = self.include(program, &mut classes, &mut elements);
        by_name(program, &mut classes);
        by_name(program, &mut elements);
        Full {
            classes: classes.into(),
            elements: elements.into(),
            included: included.into(),
            broken,
        }
    }

    /// Puts classes into view for those types of the library that nothing in view implements.
    fn include(
        &self,
        program: &Program,
        classes: &mut Vec<ClassId>,
        elements: &mut Vec<ClassId>,
    ) -> Vec<StandIn> {
        let is_bare = |&class: &ClassId| {
            let is_library =
                !self.names.contains(program.names().text(program.class(class).name));
            is_library && !classes.iter().any(|&below| program.is_subtype(below, class))
        };
        let bare: Vec<ClassId> = elements.iter().copied().filter(is_bare).collect();
        let included: Vec<StandIn> =
            bare.iter().filter_map(|&class| library::stand_in(program, class)).collect();
        for class in included.iter().flat_map(|stand_in| stand_in.classes.iter().copied()) {
            classes.push(class);
            elements.push(class);
        }
        included
    }
}

/// Sorts classes by name and leaves each in once.
fn by_name(program: &Program, classes: &mut Vec<ClassId>) {
    classes.sort_unstable_by_key(|&class| program.names().text(program.class(class).name));
    classes.dedup();
}

impl Universe for View {
    fn classes(&self, program: &Program) -> Arc<[ClassId]> {
        Arc::clone(&self.full(program).classes)
    }

    fn elements(&self, program: &Program) -> Arc<[ClassId]> {
        Arc::clone(&self.full(program).elements)
    }

    fn admits(&self, program: &Program, class: ClassId) -> bool {
        !self.is_library(program, class) || !library::is_machinery(program, class)
    }

    fn included(&self, program: &Program) -> Arc<[StandIn]> {
        Arc::clone(&self.full(program).included)
    }

    fn stand_in(&self, program: &Program, class: ClassId) -> Option<StandIn> {
        if self.is_library(program, class) { library::stand_in(program, class) } else { None }
    }
}
