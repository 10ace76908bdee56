//! What objects of the library lead to that static fields hold: objects of the target, arrays of the
//! program's own, and objects of the library that were put into others.
//!
//! How an object of the library is built is its own matter: its fields, and the arrays and objects that
//! only they can mean, are gone through and stay as they are. What was put into it is opened like that
//! which fields of the target hold. The way there must lead to the same object in another run, where a
//! witness is tried; where it may not, because a place depends on an identity hash code, or because it is
//! not known how the library uses what it holds, nothing is opened, which is assumed.

use super::{Hop, Opening};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, FieldId, Shape, ValueType};
use dalang_heap::{Fate, InputId, Reference, Value};
use rustc_hash::FxHashMap;

/// So many objects of the library are gone through from one on.
const FURTHEST: usize = 100_000;

/// So many of the things that one object of the library leads to are opened.
const MOST_PARTS: usize = 1024;

/// Ways of more steps than this are not spelled.
const LONGEST_WAY: u32 = 256;

/// What belongs to the virtual machine and not to whoever leads to it: packages and classes.
const BEYOND: [&str; 9] = [
    "java/lang/ClassLoader",
    "java/lang/Module",
    "java/lang/ModuleLayer",
    "java/lang/ThreadGroup",
    "java/lang/invoke/",
    "java/lang/module/",
    "java/lang/reflect/",
    "java/security/",
    "jdk/internal/",
];

/// Classes whose instances place what they hold by hash codes, without a field that tells them.
const HASHING: [&str; 3] = [
    "java/util/IdentityHashMap",
    "java/util/ImmutableCollections$MapN",
    "java/util/ImmutableCollections$SetN",
];

/// Types of the library whose instances change by being read, or are kept outside of themselves.
const MOVING: [&str; 6] = [
    "java/lang/ClassValue",
    "java/lang/ThreadLocal",
    "java/util/Enumeration",
    "java/util/Iterator",
    "java/util/Spliterator",
    "java/util/stream/BaseStream",
];

/// An object that a walk has come to.
#[derive(Clone, Copy)]
struct Stage {
    object: Reference,
    /// The stage before, and the step from there.
    from: Option<(usize, Hop)>,
    depth: u32,
    fate: Fate,
    /// The stage with the object that is not a mere piece of another: this one, or one before.
    whole: usize,
    /// Whether the way leads to the same object in another run.
    steady: bool,
}

/// A walk through objects of the library.
struct Walk {
    input: InputId,
    /// How many things were opened.
    opened: usize,
    stages: Vec<Stage>,
    passed: FxHashMap<Reference, Fate>,
}

impl<'p> Machine<'p> {
    /// Goes through an object of the library, and opens what it leads to.
    pub(super) fn follow(
        &mut self,
        state: &mut State<'p>,
        opening: &mut Opening,
        input: InputId,
        object: Reference,
        fate: Fate,
    ) {
        let steady = self.is_steady(state, object);
        let fate = fate.of_whole();
        let first = Stage { object, from: None, depth: 0, fate, whole: 0, steady };
        let (stages, passed) = (vec![first], FxHashMap::default());
        let mut walk = Walk { input, opened: 0, stages, passed };
        walk.passed.insert(object, fate);
        let mut next = 0;
        while next < walk.stages.len() {
            if next >= FURTHEST {
                let class = state.heap.class(object);
                return self.set_aside(state, opening, input, class);
            }
            self.look_into(state, opening, &mut walk, next);
            next += 1;
        }
    }

    fn look_into(
        &mut self,
        state: &mut State<'p>,
        opening: &mut Opening,
        walk: &mut Walk,
        at: usize,
    ) {
        let object = walk.stages[at].object;
        let class = state.heap.class(object);
        if let Shape::Array { component, .. } = self.program.class(class).shape {
            if matches!(self.program.class(component).shape, Shape::Primitive(_)) {
                return;
            }
            for index in 0..state.heap.object(object).body.len() {
                if let Some(held) = held(state, object, index) {
                    let hop = Hop::Element(index as u32);
                    self.come_to(state, opening, walk, (at, hop), (held, component));
                }
            }
            return;
        }
        for (slot, &field) in self.program.class(class).instance_fields.iter().enumerate() {
            if self.is_passable(field)
                && let Some(held) = held(state, object, slot)
                && let Ok(declared) = self.program.class_of_type(self.program.field(field).value)
            {
                self.come_to(state, opening, walk, (at, Hop::Field(field)), (held, declared));
            }
        }
    }

    /// Whether a field is the library's, and is gone through.
    fn is_passable(&self, field: FieldId) -> bool {
        let field = self.program.field(field);
        matches!(field.value, ValueType::Reference(_))
            && !self.is_targets(field.class)
            && self.name_of(field.class) != "java/lang/Throwable"
    }

    /// Looks at what is held where something of a declared type is.
    fn come_to(
        &mut self,
        state: &mut State<'p>,
        opening: &mut Opening,
        walk: &mut Walk,
        (at, hop): (usize, Hop),
        (object, declared): (Reference, ClassId),
    ) {
        let class = state.heap.class(object);
        let is_own = self.is_targets(class);
        if !is_own && self.is_unchanging(class) {
            return;
        }
        let is_array = self.program.class(class).is_array();
        // What can be anything was put there by whoever uses the library.
        let is_part = declared == self.known.object || (is_array && !self.is_array(declared));
        let before = walk.stages[at];
        if !is_own && self.is_machines(class) {
            if is_part {
                self.leave_part(state, opening, walk, before.whole, class);
            }
            return;
        }
        let (from, depth) = (Some((at, hop)), before.depth + 1);
        let stage = Stage { object, from, depth, ..before };
        if is_own || self.dynamic.is_made(class) || (is_array && is_part) {
            return self.arrive(state, opening, walk, stage);
        }
        let steady = before.steady && self.is_steady(state, object);
        let stage = Stage { steady, ..stage };
        if is_part {
            self.pass_part(state, opening, walk, stage);
        } else {
            walk.pass(stage);
        }
    }

    /// Comes to an object of the library that was put into another.
    fn pass_part(
        &mut self,
        state: &mut State<'p>,
        opening: &mut Opening,
        walk: &mut Walk,
        stage: Stage,
    ) {
        let class = state.heap.class(stage.object);
        let fate = stage.fate.of_elements().of_whole();
        if fate.changes || fate.escapes || self.moves_on(class) {
            self.leave_part(state, opening, walk, stage.whole, class);
        }
        if fate.escapes
            && stage.steady
            && stage.depth <= LONGEST_WAY
            && let Some(input) = self.way_of(state, walk, stage)
        {
            self.hold(state, input, stage.object, true);
        }
        let whole = walk.stages.len();
        walk.pass(Stage { fate, whole, ..stage });
    }

    /// Opens what is not the library's.
    fn arrive(
        &mut self,
        state: &mut State<'p>,
        opening: &mut Opening,
        walk: &mut Walk,
        stage: Stage,
    ) {
        let fate = stage.fate.of_elements();
        if stage.steady
            && stage.depth <= LONGEST_WAY
            && walk.opened < MOST_PARTS
            && let Some(input) = self.way_of(state, walk, stage)
        {
            walk.opened += 1;
            return self.open(state, opening, input, stage.object, fate);
        }
        let class = state.heap.class(stage.object);
        if !self.is_firm(opening, class, fate) {
            self.leave_part(state, opening, walk, stage.whole, class);
        }
    }

    /// Something in an object of the library is taken as the initializer left it.
    fn leave_part(
        &mut self,
        state: &mut State<'p>,
        opening: &Opening,
        walk: &Walk,
        whole: usize,
        class: ClassId,
    ) {
        let whole = walk.stages[whole];
        let way = if whole.depth <= LONGEST_WAY { self.way_of(state, walk, whole) } else { None };
        self.set_aside(state, opening, way.unwrap_or(walk.input), class);
    }

    /// The input that stands for where a walk has come to.
    fn way_of(&mut self, state: &State<'p>, walk: &Walk, stage: Stage) -> Option<InputId> {
        let mut steps = Vec::new();
        let mut from = stage.from;
        while let Some((at, hop)) = from {
            steps.push((walk.stages[at].object, hop));
            from = walk.stages[at].from;
        }
        let mut input = walk.input;
        for (object, hop) in steps.into_iter().rev() {
            let (inputs, pool) = (&mut self.unknowns.inputs, &mut self.pool);
            input = match hop {
                Hop::Field(field) => {
                    let Value::Term(term) = inputs.field(self.program, pool, input, field) else {
                        return None;
                    };
                    self.unknowns.inputs.of_held(&self.pool, term)?
                }
                Hop::Element(index) => {
                    let value = self.element_type(state.heap.class(object));
                    let at = self.pool.int(index as i32);
                    let inputs = &mut self.unknowns.inputs;
                    inputs.element(self.program, &mut self.pool, input, at, value)?
                }
            };
        }
        Some(input)
    }

    /// Whether nothing of an object, or of what it leads to, can change.
    fn is_firm(&self, opening: &Opening, class: ClassId, fate: Fate) -> bool {
        if let Shape::Array { component, .. } = self.program.class(class).shape {
            return !fate.changes && self.is_value(component);
        }
        let is_firm = |&field: &FieldId| {
            let declared = self.program.field(field);
            let kind = self.program.class_of_type(declared.value);
            !self.universe().can_change(self.program, field, opening.holder)
                && kind.is_ok_and(|kind| self.is_value(kind))
        };
        self.is_targets(class) && self.program.class(class).instance_fields.iter().all(is_firm)
    }

    /// Whether the values of a type are primitive, texts, boxes and such, or constants of the library.
    fn is_value(&self, class: ClassId) -> bool {
        matches!(self.program.class(class).shape, Shape::Primitive(_))
            || (self.is_unchanging(class) && class != self.known.object && !self.is_targets(class))
    }

    /// Whether an object of the library has what it holds in the same places in another run, and whether
    /// it is known how it uses that.
    fn is_steady(&self, state: &State<'p>, object: Reference) -> bool {
        let class = state.heap.class(object);
        if self.program.class(class).is_array() {
            return true;
        }
        let name = self.name_of(class);
        if !name.starts_with("java/util/") || name.starts_with("java/util/stream/") {
            return false;
        }
        !HASHING.contains(&name) && self.has_steady_key(state, object)
    }

    /// Whether the key of an entry that is placed by a hash code has the same one in another run.
    fn has_steady_key(&self, state: &State<'p>, entry: Reference) -> bool {
        let class = state.heap.class(entry);
        let fields = &self.program.class(class).instance_fields;
        let named = |name: &str| {
            let is_it =
                |&id: &FieldId| self.program.names().text(self.program.field(id).name) == name;
            fields.iter().position(is_it)
        };
        if named("hash").is_none() {
            return true;
        }
        let Some(slot) = named("key") else { return false };
        held(state, entry, slot).is_none_or(|key| self.hashes_alike(state.heap.class(key)))
    }

    /// Whether equal objects of a class have the same hash code in every run: it is that of a value, or
    /// of an object that is nothing but values.
    fn hashes_alike(&self, class: ClassId) -> bool {
        let is_plain = |class: ClassId| {
            self.is_enum(class)
                || (self.is_value(class) && self.name_of(class) != "java/lang/Class")
        };
        let is_plain_field = |&field: &FieldId| {
            self.program.class_of_type(self.program.field(field).value).is_ok_and(is_plain)
        };
        is_plain(class)
            || (self.is_targets(class)
                && self.has_own_hash(class)
                && self.program.class(class).instance_fields.iter().all(is_plain_field))
    }

    /// Whether a class, or one of the target above it, says what the hash codes of its objects are.
    fn has_own_hash(&self, class: ClassId) -> bool {
        let mut next = Some(class);
        while let Some(class) = next.filter(|&class| self.is_targets(class)) {
            let is_it = |id| self.program.names().text(self.program.method(id).name) == "hashCode";
            if self.program.class(class).methods().any(is_it) {
                return true;
            }
            next = self.program.class(class).superclass;
        }
        false
    }

    /// Whether objects of a class of the library change by being read, or are kept outside of themselves.
    pub(super) fn moves_on(&self, class: ClassId) -> bool {
        let is_below = |name: &&str| {
            self.program.load(name).is_ok_and(|above| self.program.is_subtype(class, above))
        };
        MOVING.iter().any(is_below)
    }

    fn is_machines(&self, class: ClassId) -> bool {
        let name = self.name_of(class);
        BEYOND.iter().any(|&one| name == one || (one.ends_with('/') && name.starts_with(one)))
    }

    fn is_array(&self, class: ClassId) -> bool {
        self.program.class(class).is_array()
    }

    fn name_of(&self, class: ClassId) -> &'p str {
        self.program.names().text(self.program.class(class).name)
    }
}

impl Walk {
    /// Goes on from an object, unless that was done before for as much as can become of it.
    fn pass(&mut self, stage: Stage) {
        let before = self.passed.get(&stage.object).copied();
        let fate = before.map_or(stage.fate, |before| before.or(stage.fate));
        if before != Some(fate) {
            self.passed.insert(stage.object, fate);
            self.stages.push(Stage { fate, ..stage });
        }
    }
}

/// The object that is held in a place, if there is one.
fn held(state: &State<'_>, object: Reference, slot: usize) -> Option<Reference> {
    match state.heap.get(object, slot) {
        Some(Value::Reference(held)) if !held.is_null() => Some(held),
        _ => None,
    }
}
