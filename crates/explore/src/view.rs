//! Which classes there are for inputs to be of.
//!
//! In view are the target's classes, those of the rest of the class path, and of the library those
//! that either of them mentions; `docs/semantics/typing.md` has the rules in full. The target's
//! classes are loaded at once, because they are analysed. The others are loaded when the first type
//! is met that one of them could be below. For types of the target that is only so if the class path
//! extends the target, which its files tell without being loaded.

mod changing;
mod library;
mod survey;

use changing::Packages;
use dalang_classes::{ClassId, FieldId, Program, Shape};
use dalang_heap::{Domains, Fate, StandIn, Surroundings, Universe};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, OnceLock};
use survey::Survey;

/// Looking at so many classes takes longer than a method may: it is done beforehand.
const MANY: usize = 10_000;

/// Which classes there are for inputs to be of. Copies share it, between threads too.
#[derive(Clone)]
pub struct View {
    shared: Arc<Shared>,
}

struct Shared {
    /// The names of the target's classes.
    own: FxHashSet<String>,
    /// The names of the rest of the class path's.
    path: FxHashSet<String>,
    target: Survey,
    /// The target's part of the view.
    near: Surroundings,
    /// Whether a class of the rest of the class path extends one of the target's.
    extended: OnceLock<bool>,
    /// What the target's packages change.
    packages: Packages,
    /// Classes of the target that have no instances because their initializers always fail.
    uninhabited: OnceLock<FxHashSet<ClassId>>,
    /// The whole view, and how many classes cannot be loaded.
    full: OnceLock<(Surroundings, usize)>,
}

impl View {
    /// The view of a program: `own` are the internal names of the targets' classes, `path` those of
    /// the rest of the class path.
    pub fn new(program: &Program, own: &[String], path: &[String]) -> Self {
        let target = Survey::of(program, own);
        let mut found = Found::default();
        target.loaded.iter().for_each(|&class| found.add(program, class));
        let own: FxHashSet<String> = own.iter().cloned().collect();
        let path = path.iter().filter(|name| !own.contains(*name)).cloned().collect();
        let near = found.sorted(program, Vec::new());
        let (extended, full) = (OnceLock::new(), OnceLock::new());
        let (packages, uninhabited) = (Packages::default(), OnceLock::new());
        let shared = Shared { own, path, target, near, extended, packages, uninhabited, full };
        if shared.own.len() + shared.path.len() >= MANY {
            shared.full.get_or_init(|| shared.look(program));
        }
        Self { shared: Arc::new(shared) }
    }

    /// The target's own classes, as far as they can be loaded.
    pub fn targets(&self) -> &[ClassId] {
        &self.shared.target.loaded
    }

    /// Finds the classes of the target that have no instances, unless somebody has done so before.
    pub(crate) fn rule_out(
        &self,
        program: &Program,
        mut always_fails: impl FnMut(ClassId) -> bool,
    ) {
        self.shared.uninhabited.get_or_init(|| {
            let mut known: FxHashMap<ClassId, bool> = FxHashMap::default();
            let mut fails =
                |above: &ClassId| *known.entry(*above).or_insert_with(|| always_fails(*above));
            let targets = self.targets().iter().copied();
            targets.filter(|&class| program.class(class).lineage().iter().any(&mut fails)).collect()
        });
    }

    /// The sets of classes over this view.
    pub fn domains(&self) -> Domains {
        Domains::new(Box::new(self.clone()))
    }

    /// Whether a class is one of the target's.
    pub(crate) fn is_own(&self, program: &Program, class: ClassId) -> bool {
        self.shared.own.contains(program.names().text(program.class(class).name))
    }

    /// How many classes of the target and the class path are not in view because they cannot be
    /// loaded. The class path counts if it was needed.
    pub fn broken(&self) -> usize {
        self.shared.full.get().map_or(self.shared.target.broken, |full| full.1)
    }
}

impl Shared {
    fn is_library(&self, program: &Program, class: ClassId) -> bool {
        let name = program.names().text(program.class(class).name);
        !self.own.contains(name) && !self.path.contains(name)
    }

    fn is_extended(&self, program: &Program) -> bool {
        *self.extended.get_or_init(|| {
            let parents = self.path.iter().filter_map(|name| program.parents_in_file(name));
            parents.flatten().any(|parent| self.own.contains(&parent))
        })
    }

    fn look(&self, program: &Program) -> (Surroundings, usize) {
        let mut survey = Survey::of(program, &self.path_by_name());
        survey.join(&self.target);
        let mut found = Found::default();
        for name in survey.mentioned(program) {
            let element = survey::element(name);
            let is_own = self.own.contains(element) || self.path.contains(element);
            if let Some(class) = library::in_view(program, name, is_own) {
                found.add(program, class);
            }
        }
        let included = self.include(program, &found);
        for class in included.iter().flat_map(|stand_in| stand_in.classes.iter().copied()) {
            found.add(program, class);
        }
        found.add_arrays(program);
        (found.sorted(program, included), survey.broken)
    }

    fn path_by_name(&self) -> Vec<String> {
        let mut names: Vec<String> = self.path.iter().cloned().collect();
        names.sort_unstable();
        names
    }

    /// What comes into view for those types of the library that nothing in view implements.
    fn include(&self, program: &Program, found: &Found) -> Vec<StandIn> {
        let is_bare = |&class: &ClassId| {
            self.is_library(program, class)
                && !found.classes.iter().any(|&below| program.is_subtype(below, class))
        };
        let bare = found.elements.iter().copied().filter(is_bare);
        bare.filter_map(|class| library::stand_in(program, class)).collect()
    }
}

/// Classes in view, as they are found.
#[derive(Default)]
struct Found {
    classes: Vec<ClassId>,
    elements: Vec<ClassId>,
}

impl Found {
    fn add(&mut self, program: &Program, class: ClassId) {
        let declared = program.class(class);
        if declared.is_array() || declared.is_instantiable() {
            self.classes.push(class);
        }
        if !declared.is_array() && !declared.flags.is_annotation() {
            self.elements.push(class);
        }
    }

    /// Adds the arrays below those that are in view: where a `Shape[]` can be, a `Circle[]` can.
    fn add_arrays(&mut self, program: &Program) {
        let arrays = self.classes.iter().filter(|&&class| program.class(class).is_array());
        let more: Vec<ClassId> =
            arrays.flat_map(|&array| self.arrays_below(program, array)).collect();
        self.classes.extend(more);
    }

    fn arrays_below(&self, program: &Program, array: ClassId) -> Vec<ClassId> {
        let Shape::Array { component, .. } = program.class(array).shape else {
            return self.elements_below(program, array);
        };
        let components = self.arrays_below(program, component);
        components.into_iter().filter_map(|below| program.array_of(below).ok()).collect()
    }

    fn elements_below(&self, program: &Program, class: ClassId) -> Vec<ClassId> {
        let elements = self.elements.iter().copied();
        elements.filter(|&element| program.is_subtype(element, class)).collect()
    }

    fn sorted(mut self, program: &Program, included: Vec<StandIn>) -> Surroundings {
        for list in [&mut self.classes, &mut self.elements] {
            list.sort_unstable_by_key(|&class| program.names().text(program.class(class).name));
            list.dedup();
        }
        let (classes, elements) = (self.classes.into(), self.elements.into());
        Surroundings { classes, elements, included: included.into() }
    }
}

impl Universe for View {
    fn around(&self, program: &Program, class: ClassId) -> Surroundings {
        let name = survey::element(program.names().text(program.class(class).name));
        if self.shared.own.contains(name) && !self.shared.is_extended(program) {
            return self.shared.near.clone();
        }
        self.shared.full.get_or_init(|| self.shared.look(program)).0.clone()
    }

    fn admits(&self, program: &Program, class: ClassId) -> bool {
        !self.shared.is_library(program, class) || !library::is_machinery(program, class)
    }

    fn is_uninhabited(&self, class: ClassId) -> bool {
        self.shared.uninhabited.get().is_some_and(|classes| classes.contains(&class))
    }

    fn changing(&self, program: &Program, class: ClassId) -> Arc<[FieldId]> {
        if !self.is_own(program, class) {
            return Arc::new([]);
        }
        self.shared.packages.changing(program, &self.shared.target.loaded, class)
    }

    fn is_own(&self, program: &Program, class: ClassId) -> bool {
        self.shared.own.contains(program.names().text(program.class(class).name))
    }

    fn can_change(&self, program: &Program, field: FieldId, after: ClassId) -> bool {
        let declared = program.field(field);
        let own = &self.shared.target.loaded;
        self.is_own(program, declared.class)
            && self.shared.packages.can_change(program, own, declared, after)
    }

    fn fate(&self, program: &Program, field: FieldId, after: ClassId) -> Fate {
        let declared = program.field(field);
        let own = &self.shared.target.loaded;
        if !self.is_own(program, declared.class) {
            return Fate { escapes: true, parts: true, shared: true, ..Fate::default() };
        }
        self.shared.packages.fate(program, own, declared, after)
    }

    fn keeps(&self, program: &Program, holder: ClassId, class: ClassId) -> bool {
        let own = &self.shared.target.loaded;
        let mut fields = program.class(holder).static_fields.iter();
        let keeps = |&field: &FieldId| {
            self.shared.packages.can_keep(program, own, program.field(field), class)
        };
        self.is_own(program, holder) && fields.any(keeps)
    }

    fn is_keeper(&self, program: &Program, class: ClassId) -> bool {
        let own = &self.shared.target.loaded;
        let mut fields = program.class(class).static_fields.iter();
        self.is_own(program, class)
            && fields.any(|&field| self.shared.packages.keeps(program, own, program.field(field)))
    }

    fn stand_in(&self, program: &Program, class: ClassId) -> Option<StandIn> {
        let is_library = self.shared.is_library(program, class);
        is_library.then(|| library::stand_in(program, class)).flatten()
    }
}
