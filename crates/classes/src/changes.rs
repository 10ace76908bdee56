//! What the code of one package changes once its classes are initialized: which fields it stores to,
//! what it changes of that which fields hold, and what of that others can get hold of.
//!
//! A field that is not accessible outside its package is stored to by code of that package alone, so
//! that a package is enough to look at. Stores by a class's own initializer do not count for its own
//! fields, and neither do those by private methods that only the initializer calls: they have
//! happened before anybody else can see the class. Methods are told apart by who calls them, and a
//! method that a handle leads to may be called by anybody.

mod flow;

use crate::code::Instruction;
use crate::file::{HandleKind, HandleTarget, Slot};
use crate::ids::{ClassId, FieldId, FieldRefId, MethodId, MethodRefId};
use crate::link::Program;
use crate::names::Name;
use flow::{Around, Effects};
use rustc_hash::{FxHashMap, FxHashSet};

/// Methods of the library through which code stores to fields without naming them.
const INDIRECT: [(&str, &str); 10] = [
    ("java/lang/reflect/Field", "set"),
    ("java/lang/invoke/MethodHandles$Lookup", "findStaticSetter"),
    ("java/lang/invoke/MethodHandles$Lookup", "findStaticVarHandle"),
    ("java/lang/invoke/MethodHandles$Lookup", "findSetter"),
    ("java/lang/invoke/MethodHandles$Lookup", "findVarHandle"),
    ("java/lang/invoke/MethodHandles$Lookup", "unreflect"),
    ("java/util/concurrent/atomic/AtomicIntegerFieldUpdater", "newUpdater"),
    ("java/util/concurrent/atomic/AtomicLongFieldUpdater", "newUpdater"),
    ("java/util/concurrent/atomic/AtomicReferenceFieldUpdater", "newUpdater"),
    ("sun/misc/Unsafe", ""),
];

/// Fields, and who does something to them: initializers by their classes, and others.
type Doers = FxHashMap<FieldId, FxHashSet<Option<ClassId>>>;

/// What the code of one package changes once its classes are initialized.
///
/// A change is known by who makes it: the class whose initialization it is part of, or none. What
/// matters is whether that is another class than the one that holds what is changed.
#[derive(Debug, Default)]
pub struct Changes {
    stored: Doers,
    changed: Doers,
    inner: Doers,
    escaped: FxHashSet<FieldId>,
    parts: FxHashSet<FieldId>,
    shared: FxHashSet<FieldId>,
}

impl Changes {
    /// Whether code of the package stores to a field after a class was initialized, other than to that
    /// of an object under construction.
    pub fn stores_to(&self, field: FieldId, after: ClassId) -> bool {
        is_done(&self.stored, field, after)
    }

    /// Whether code of the package may store to elements of the array that a field holds, or change the
    /// object of the library that it holds, after a class was initialized, or hands it to somebody who
    /// may.
    pub fn changes_held(&self, field: FieldId, after: ClassId) -> bool {
        is_done(&self.changed, field, after)
    }

    /// The same, of the arrays in the array that a field holds.
    pub fn changes_inner(&self, field: FieldId, after: ClassId) -> bool {
        is_done(&self.inner, field, after)
    }

    /// Whether what a field holds may be somewhere else as well, where code outside the package, or
    /// code that was not followed, can get hold of it.
    pub fn escapes(&self, field: FieldId) -> bool {
        self.escaped.contains(&field)
    }

    /// Whether what is in the array that a field holds may be somewhere else as well.
    pub fn parts_escape(&self, field: FieldId) -> bool {
        self.parts.contains(&field)
    }

    /// Whether an initializer has put what a field holds somewhere else as well.
    pub fn is_shared(&self, field: FieldId) -> bool {
        self.shared.contains(&field)
    }
}

/// Whether somebody else than the initializer of a class does something to a field.
fn is_done(doers: &Doers, field: FieldId, after: ClassId) -> bool {
    doers.get(&field).is_some_and(|all| all.iter().any(|&by| by != Some(after)))
}

impl Program {
    /// What the code of some classes changes, which are all that is in view of their package; `own` are
    /// the target's.
    pub fn changes(&self, classes: &[ClassId], own: &[ClassId]) -> Changes {
        let mut survey = Survey::default();
        let around = Around::new(self, own);
        for &class in classes {
            survey.look_at(self, &around, class);
        }
        let initial = survey.initial(self, classes);
        let mut changes = Changes::default();
        for (method, effects) in &survey.effects {
            let by = method.and_then(|method| initial.get(&method).copied());
            for &field in &effects.stored {
                changes.stored.entry(field).or_default().insert(by);
            }
            // What an initializer hands on can be changed by whoever has got it, at any time.
            let later = |field| if effects.escaped.contains(&field) { None } else { by };
            for &field in &effects.changed {
                changes.changed.entry(field).or_default().insert(later(field));
            }
            let later = |field| if effects.parts.contains(&field) { None } else { by };
            for &field in &effects.inner {
                changes.inner.entry(field).or_default().insert(later(field));
            }
            changes.escaped.extend(&effects.escaped);
            changes.parts.extend(&effects.parts);
            if by.is_some() {
                changes.shared.extend(&effects.escaped);
            }
        }
        changes
    }

    /// Whether a class calls what stores to fields without naming them.
    pub fn stores_indirectly(&self, class: ClassId) -> bool {
        let pool = &self.class(class).pool;
        pool.methods().iter().any(|method| {
            let owner = self.names().text(pool.class(method.class).name);
            let name = self.names().text(method.name);
            INDIRECT.iter().any(|&(of, begins)| owner == of && name.starts_with(begins))
        })
    }
}

/// Who stores where, and who calls whom.
#[derive(Default)]
struct Survey {
    /// What methods do; no method for a handle, which anybody may use.
    effects: Vec<(Option<MethodId>, Effects)>,
    /// Private methods and those that call them.
    callers: FxHashMap<MethodId, FxHashSet<MethodId>>,
    /// Methods that a handle leads to.
    handled: FxHashSet<MethodId>,
}

impl Survey {
    fn look_at(&mut self, program: &Program, around: &Around<'_>, class: ClassId) {
        for method in program.class(class).methods() {
            self.look_at_code(program, around, class, method);
        }
        for slot in program.class(class).pool.slots() {
            let Slot::MethodHandle(handle) = slot else { continue };
            match (handle.kind, handle.target) {
                (kind, HandleTarget::Field(id)) => {
                    let mut effects = Effects::default();
                    let field = own_field(program, class, id);
                    match kind {
                        HandleKind::PutField | HandleKind::PutStatic => {
                            effects.stored.extend(field);
                        }
                        _ => {
                            effects.changed.extend(field);
                            effects.escaped.extend(field);
                        }
                    }
                    self.effects.push((None, effects));
                }
                (_, HandleTarget::Method(id)) => {
                    self.handled.extend(own_method(program, class, id));
                }
            }
        }
    }

    fn look_at_code(
        &mut self,
        program: &Program,
        around: &Around<'_>,
        class: ClassId,
        method: MethodId,
    ) {
        // What cannot be decoded does not run.
        let Ok(Some(code)) = program.code(method) else { return };
        let mut is_plain = true;
        for &instruction in &code.instructions {
            match instruction {
                Instruction::PutStatic(_)
                | Instruction::PutField(_)
                | Instruction::GetStatic(_)
                | Instruction::GetField(_) => is_plain = false,
                Instruction::InvokeStatic(id)
                | Instruction::InvokeSpecial(id)
                | Instruction::InvokeVirtual(id)
                | Instruction::InvokeInterface(id) => {
                    if let Some(called) = own_method(program, class, id)
                        && program.method(called).flags.is_private()
                    {
                        self.callers.entry(called).or_default().insert(method);
                    }
                }
                _ => {}
            }
        }
        if !is_plain {
            self.effects.push((Some(method), around.effects(method, code)));
        }
    }

    /// The methods that run only while a class is initialized, and that class.
    fn initial(&self, program: &Program, classes: &[ClassId]) -> FxHashMap<MethodId, ClassId> {
        let mut initial = FxHashMap::default();
        let initializer = program.names().find("<clinit>");
        for &class in classes {
            let mut methods = program.class(class).methods();
            let found = methods.find(|&id| Some(program.method(id).name) == initializer);
            initial.extend(found.map(|method| (method, class)));
        }
        loop {
            let mut changed = false;
            for (&method, callers) in &self.callers {
                if initial.contains_key(&method) || self.handled.contains(&method) {
                    continue;
                }
                let mut owners = callers
                    .iter()
                    .filter(|&&caller| caller != method)
                    .map(|caller| initial.get(caller).copied());
                let Some(Some(owner)) = owners.next() else { continue };
                if owners.all(|other| other == Some(owner)) {
                    initial.insert(method, owner);
                    changed = true;
                }
            }
            if !changed {
                return initial;
            }
        }
    }
}

/// The field of the same package that a reference means.
fn own_field(program: &Program, class: ClassId, id: FieldRefId) -> Option<FieldId> {
    let pool = &program.class(class).pool;
    let owner = pool.class(pool.field(id).class).name;
    is_near(program, class, owner).then(|| program.resolve_field(class, id).ok()).flatten()
}

/// The method of the same package that a reference means.
fn own_method(program: &Program, class: ClassId, id: MethodRefId) -> Option<MethodId> {
    let pool = &program.class(class).pool;
    let owner = pool.class(pool.method(id).class).name;
    is_near(program, class, owner).then(|| program.resolve_method(class, id).ok()).flatten()
}

/// Whether a class of this name can have members that the package declares: it is of the package
/// itself, so that nothing else is loaded for this.
fn is_near(program: &Program, class: ClassId, name: Name) -> bool {
    let package = |name| program.names().text(name).rsplit_once('/').map(|parts| parts.0);
    package(name) == package(program.class(class).name)
}
