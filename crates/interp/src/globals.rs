//! Static fields as inputs ([Kiasan] 3.1): those of the target that can change after their class was
//! initialized hold anything when the method begins.
//!
//! Which ones these are the classes in view say ([`Universe`]). A class is initialized as ever, when it
//! is first used (JVMS 5.5), and then such fields get symbols: that is a state in which the class was
//! initialized before the method ran and anything was stored since, what the initializer left included.
//! A field that does not change keeps its object; what can change of that object, and of those that it
//! leads to, gets symbols in the same way. If the initializer touches more than its own class, it may
//! make a difference when it ran; then an assumption says so. Where values are [given](State::preset),
//! as when a path is run again on constants, those are taken. What lies behind objects of the library is
//! looked for in [`library`].

mod library;

use crate::call::Call;
use crate::flow::Flow;
use crate::frame::{Frame, Then};
use crate::machine::Machine;
use crate::state::{Initialization, State};
use dalang_classes::{ClassId, FieldId, Shape};
use dalang_heap::{Fate, HeldObject, InputId, Reference, Resolution, Step, Universe, Value};
use dalang_term::Pool;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// Arrays with more elements than this stay as their initializer left them, which is then assumed.
const LONGEST: usize = 1024;

/// So many objects that static fields lead to are looked at; more stay as initializers left them.
const MOST: usize = 4096;

/// Classes of the library whose instances never change, as far as a program can see: packages (with a
/// slash at the end) and classes.
const UNCHANGING: [&str; 17] = [
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Class",
    "java/lang/Double",
    "java/lang/Float",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Object",
    "java/lang/Short",
    "java/lang/String",
    "java/math/",
    "java/nio/charset/",
    "java/time/",
    "java/util/Locale",
    "java/util/UUID",
    "java/util/regex/Pattern",
];

/// Classes of the library whose instances are told by their fields, and which an input can be of: if code
/// in view changes such an object, it is one of its class with anything in it.
const CONTAINERS: [&str; 19] = [
    "java/lang/StringBuffer",
    "java/lang/StringBuilder",
    "java/util/ArrayDeque",
    "java/util/ArrayList",
    "java/util/BitSet",
    "java/util/HashMap",
    "java/util/HashSet",
    "java/util/Hashtable",
    "java/util/LinkedHashMap",
    "java/util/LinkedHashSet",
    "java/util/LinkedList",
    "java/util/PriorityQueue",
    "java/util/Stack",
    "java/util/TreeMap",
    "java/util/TreeSet",
    "java/util/Vector",
    "java/util/concurrent/atomic/AtomicBoolean",
    "java/util/concurrent/atomic/AtomicInteger",
    "java/util/concurrent/atomic/AtomicLong",
];

/// Where static fields get their values from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Globals {
    /// From initializers, because the program has just been started.
    #[default]
    Fresh,
    /// From initializers, which is an assumption.
    Initialized,
    /// From whoever could have changed them: they are inputs.
    Inputs,
}

/// A step from an object to what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hop {
    /// A field.
    Field(FieldId),
    /// An element, by its index.
    Element(u32),
}

/// What a static field, or something that it leads to, holds when the method begins.
#[derive(Clone, Debug)]
pub struct Preset {
    /// The static field.
    pub field: FieldId,
    /// The way from there; none if it is the field itself.
    pub way: Vec<Hop>,
    /// The value.
    pub value: Value,
}

impl<'p> Machine<'p> {
    /// A class was initialized, so from now on its static fields hold what the method finds there.
    pub(crate) fn expose(&mut self, state: &mut State<'p>, class: ClassId) {
        let is_begun = !state.knowledge.is_blank() || state.preset.is_some();
        if self.settings.globals == Globals::Fresh || !is_begun {
            return;
        }
        if !self.is_targets(class) {
            // When a class of the class path is initialized may make a difference as well.
            if self.module(class).is_none() {
                self.note_first_use(state, class, is_before_method(state));
            }
            return;
        }
        if self.settings.globals == Globals::Initialized {
            return self.assume_initialized(state, class);
        }
        let early = is_before_method(state);
        if !state.exposed.contains(&class) {
            Rc::make_mut(&mut state.exposed).push(class);
        }
        self.note_first_use(state, class, early);
        if !early {
            return self.give_inputs(state, class, false);
        }
        // Whatever initializers have stored elsewhere was overwritten, or could have been.
        for &class in Rc::clone(&state.exposed).iter() {
            self.give_inputs(state, class, true);
        }
    }

    fn universe(&self) -> &dyn Universe {
        self.unknowns.domains.universe()
    }

    /// Whether a class is the target's.
    pub(crate) fn is_targets(&self, class: ClassId) -> bool {
        self.universe().is_own(self.program, class)
    }

    fn changing(&self, class: ClassId) -> Arc<[FieldId]> {
        self.universe().changing(self.program, class)
    }

    fn assume_initialized(&mut self, state: &State<'p>, class: ClassId) {
        if !self.changing(class).is_empty() {
            self.assume(
                state,
                "static fields: the target's hold what their initializers gave them \
                 (--statics initialized)",
            );
        }
    }

    fn give_inputs(&mut self, state: &mut State<'p>, class: ClassId, early: bool) {
        if let Some(preset) = state.preset.clone() {
            let is_here = |one: &&Preset| self.program.field(one.field).class == class;
            let here: Vec<&Preset> = preset.iter().filter(is_here).collect();
            for one in here {
                self.put_preset(state, one);
            }
            return;
        }
        let changing = self.changing(class);
        let mut opening = Opening::new(class, early);
        for &field in changing.iter() {
            let statics = self.statics(state, class);
            let slot = self.program.field(field).slot as usize;
            if let Some(input) = self.global(field) {
                self.open_slot(state, &mut opening, (statics, slot), input);
            }
        }
        for &field in &self.program.class(class).static_fields {
            let declared = self.program.field(field);
            if changing.contains(&field) || declared.flags.is_synthetic() {
                continue;
            }
            if let Some(Value::Reference(object)) = self.peek_static(state, field)
                && !object.is_null()
                && let Some(input) = self.global(field)
            {
                let fate = self.fate(field, class);
                opening.begin(field);
                let statics = self.statics(state, class);
                let slot = declared.slot as usize;
                let place = (statics, slot);
                if !self.open_container(state, &mut opening, place, input, (object, fate)) {
                    self.open(state, &mut opening, input, object, fate);
                }
            }
        }
    }

    fn fate(&self, field: FieldId, after: ClassId) -> Fate {
        self.universe().fate(self.program, field, after)
    }

    /// Puts an input where an object of the library is held that code in view changes, if it is of a
    /// class whose fields tell all of it: any object of this class. False if it is not. What has been
    /// given to others as well must stay the same for all of them.
    fn open_container(
        &mut self,
        state: &mut State<'p>,
        opening: &mut Opening,
        place: (Reference, usize),
        input: InputId,
        (object, fate): (Reference, Fate),
    ) -> bool {
        let class = state.heap.class(object);
        let name = self.program.names().text(self.program.class(class).name);
        if !fate.changes || fate.shared || !CONTAINERS.contains(&name) {
            return false;
        }
        self.open_slot(state, opening, place, input);
        let single = self.unknowns.domains.single(class);
        if state.knowledge.resolution(input).is_none() {
            state.knowledge.resolve(input, Resolution::Location(single));
        }
        true
    }

    fn global(&mut self, field: FieldId) -> Option<InputId> {
        self.unknowns.inputs.global(self.program, &mut self.pool, field)
    }

    /// Puts an input where something is held that can change.
    fn open_slot(
        &mut self,
        state: &mut State<'p>,
        opening: &mut Opening,
        (object, slot): (Reference, usize),
        input: InputId,
    ) {
        if opening.others.contains(&object) || !opening.opened.insert((object, slot)) {
            return;
        }
        let value = Value::Term(self.unknowns.inputs.get(input).term);
        if state.heap.set(object, slot, value) && !state.opened.contains(&input) {
            Rc::make_mut(&mut state.opened).push(input);
        }
    }

    /// Puts inputs where an object, and what it leads to, can change.
    fn open(
        &mut self,
        state: &mut State<'p>,
        opening: &mut Opening,
        input: InputId,
        object: Reference,
        fate: Fate,
    ) {
        let class = state.heap.class(object);
        if self.is_others(state, opening, object) {
            opening.others.insert(object);
        }
        self.hold(state, input, object, fate.escapes);
        let before = opening.seen.get(&object).copied();
        let fate = before.map_or(fate, |before| before.or(fate));
        if before == Some(fate) {
            return;
        }
        if opening.seen.len() >= MOST {
            return self.set_aside(state, opening, input, class);
        }
        opening.seen.insert(object, fate);
        if let Shape::Array { component, .. } = self.program.class(class).shape {
            self.open_array(state, opening, input, object, (component, fate));
        } else if self.is_targets(class) {
            self.open_fields(state, opening, input, (object, fate));
        } else if self.dynamic.is_made(class) {
            self.leave_captured(state, opening, input, object);
        } else if !self.is_unchanging(class) {
            if fate.changes || fate.escapes || self.moves_on(class) {
                self.set_aside(state, opening, input, class);
            }
            self.follow(state, opening, input, object, fate);
        }
    }

    /// Whether another class leads to an object as well, and has given it inputs: what the method may have
    /// stored there since must stay. Constants of enums are their enum's.
    fn is_others(&self, state: &State<'p>, opening: &Opening, object: Reference) -> bool {
        let class = state.heap.class(object);
        if self.is_enum(class) {
            return self.enum_host(class) != opening.holder;
        }
        let held = state.knowledge.holding(object);
        !opening.early && held.is_some_and(|held| self.root(held.input) != Some(opening.holder))
    }

    /// The class with the static field that a way begins at.
    fn root(&self, mut input: InputId) -> Option<ClassId> {
        loop {
            match self.unknowns.inputs.get(input).step {
                Step::Static(field) => return Some(self.program.field(field).class),
                Step::Field(owner, _) | Step::Element(owner, ..) => input = owner,
                _ => return None,
            }
        }
    }

    /// What a lambda has captured is as the initializer left it, although its code may change it.
    fn leave_captured(
        &mut self,
        state: &mut State<'p>,
        opening: &Opening,
        input: InputId,
        lambda: Reference,
    ) {
        for slot in 0..state.heap.object(lambda).body.len() {
            let Some(Value::Reference(captured)) = state.heap.get(lambda, slot) else { continue };
            if captured.is_null() {
                continue;
            }
            let class = state.heap.class(captured);
            if !self.is_unchanging(class) {
                self.set_aside(state, opening, input, class);
            }
        }
    }

    fn open_fields(
        &mut self,
        state: &mut State<'p>,
        opening: &mut Opening,
        input: InputId,
        (object, whole): (Reference, Fate),
    ) {
        let class = state.heap.class(object);
        let mut is_library = false;
        for (slot, &field) in self.program.class(class).instance_fields.iter().enumerate() {
            let owner = self.program.field(field).class;
            if !self.is_targets(owner) {
                if !self.program.class(class).flags.is_enum() && !self.is_enum(class) {
                    self.set_aside(state, opening, input, owner);
                    is_library = true;
                }
                continue;
            }
            let part = self.unknowns.inputs.field(self.program, &mut self.pool, input, field);
            let Value::Term(term) = part else { continue };
            let changes = self.universe().can_change(self.program, field, opening.holder);
            let Some(part) = self.unknowns.inputs.of_held(&self.pool, term) else { continue };
            if changes {
                self.open_slot(state, opening, (object, slot), part);
            } else if let Some(Value::Reference(held)) = state.heap.get(object, slot)
                && !held.is_null()
            {
                let fate = self.fate(field, opening.holder);
                if !self.open_container(state, opening, (object, slot), part, (held, fate)) {
                    self.open(state, opening, part, held, fate);
                }
            }
        }
        if is_library {
            self.follow(state, opening, input, object, whole);
        }
    }

    fn open_array(
        &mut self,
        state: &mut State<'p>,
        opening: &mut Opening,
        input: InputId,
        object: Reference,
        (component, fate): (ClassId, Fate),
    ) {
        let changes = fate.changes;
        let is_plain = !changes
            && (matches!(self.program.class(component).shape, Shape::Primitive(_))
                || (self.is_unchanging(component)
                    && component != self.known.object
                    && !self.is_targets(component)));
        let length = state.heap.object(object).body.len();
        if is_plain {
            return;
        }
        if length > LONGEST {
            let class = state.heap.class(object);
            return self.set_aside(state, opening, input, class);
        }
        let value = self.element_type(state.heap.class(object));
        for index in 0..length {
            let at = self.pool.int(index as i32);
            let inputs = &mut self.unknowns.inputs;
            let part = inputs.element(self.program, &mut self.pool, input, at, value);
            let Some(part) = part else { continue };
            if changes {
                self.open_slot(state, opening, (object, index), part);
            } else if let Some(Value::Reference(held)) = state.heap.get(object, index)
                && !held.is_null()
            {
                self.open(state, opening, part, held, fate.of_elements());
            }
        }
    }

    /// Whether instances of a class of the library never change.
    fn is_unchanging(&self, class: ClassId) -> bool {
        let name = self.program.names().text(self.program.class(class).name);
        let fits = |&one: &&str| name == one || (one.ends_with('/') && name.starts_with(one));
        self.is_enum(class) || UNCHANGING.iter().any(fits)
    }

    /// An object that a class holds can be an input from now on, if somebody else can have got it.
    /// Constants of enums, boxes and strings can be inputs in any case.
    fn hold(&mut self, state: &mut State<'p>, input: InputId, object: Reference, escapes: bool) {
        let class = state.heap.class(object);
        if self.is_enum(class) || self.unknowns.values.contains(&class) {
            return;
        }
        let was = state.knowledge.holding(object).is_some_and(|held| held.escapes);
        let since = state.knowledge.objects().len() as u32;
        state.knowledge.hold(HeldObject { object, input, escapes, since });
        if !escapes || was {
            return;
        }
        for used in state.knowledge.objects().to_vec() {
            if self.unknowns.domains.classes(used.domain).contains(&class) {
                self.assume_other(state, used.input, object, input);
            }
        }
    }

    /// An input that was used before a class was initialized is none of the objects that it holds.
    fn assume_other(
        &mut self,
        state: &mut State<'p>,
        used: InputId,
        object: Reference,
        held: InputId,
    ) {
        if self.unknowns.policy.keeps_references() {
            let place = self.pool.identity(object.number());
            let same = self.pool.eq(self.unknowns.inputs.get(used).term, place);
            if same != Pool::FALSE {
                let different = self.pool.not(same);
                state.facts.holds.push(different);
            }
        }
        let class = self.program.class_spelling(state.heap.class(object));
        let [used, held] =
            [used, held].map(|input| Rc::clone(&self.unknowns.inputs.get(input).name));
        self.assume(state, &format!("{used} is not the {class} that {held} holds"));
    }

    /// Something that can change is taken as its initializer left it, which is assumed where the static
    /// field that leads to it is read.
    fn set_aside(
        &mut self,
        state: &mut State<'p>,
        opening: &Opening,
        input: InputId,
        class: ClassId,
    ) {
        let Some(field) = opening.field else { return };
        if !state.left.contains(&(field, input, class)) {
            Rc::make_mut(&mut state.left).push((field, input, class));
        }
    }

    /// Whether a class has static fields that lead to something which was not followed.
    pub(crate) fn is_left(&self, state: &State<'p>, class: ClassId) -> bool {
        state.left.iter().any(|left| self.program.field(left.0).class == class)
    }

    /// A static field is read: what it leads to is as its initializer left it, where it was not followed.
    #[cold]
    pub(crate) fn note_left(&mut self, state: &State<'p>, field: FieldId) {
        for &(_, input, class) in state.left.iter().filter(|left| left.0 == field) {
            let name = Rc::clone(&self.unknowns.inputs.get(input).name);
            let class = self.program.class_spelling(class);
            let what =
                format!("{name}: the {class} holds what the initializer of its class left there");
            self.assume(state, &what);
        }
    }

    /// Says what static fields, and what they lead to, hold when the method begins. Classes that are
    /// initialized hold it at once, the others as soon as they are.
    pub fn preset(&mut self, state: &mut State<'p>, values: Vec<Preset>) {
        let values: Rc<[Preset]> = values.into();
        state.preset = Some(Rc::clone(&values));
        for preset in values.iter() {
            let class = self.program.field(preset.field).class;
            if state.initialization(class) == Initialization::Done {
                self.expose(state, class);
            }
        }
    }

    fn put_preset(&mut self, state: &mut State<'p>, preset: &Preset) {
        if let Some((object, slot)) = self.place_of(state, preset.field, &preset.way) {
            state.heap.set(object, slot, preset.value);
        }
    }

    /// The object and the slot at the end of a way from a static field.
    fn place_of(
        &mut self,
        state: &mut State<'p>,
        field: FieldId,
        way: &[Hop],
    ) -> Option<(Reference, usize)> {
        let declared = self.program.field(field);
        let mut object = self.statics(state, declared.class);
        let mut slot = declared.slot as usize;
        for way in way {
            let Some(Value::Reference(next)) = state.heap.get(object, slot) else { return None };
            if next.is_null() {
                return None;
            }
            object = next;
            slot = match *way {
                Hop::Field(field) => self.program.field(field).slot as usize,
                Hop::Element(index) => index as usize,
            };
        }
        Some((object, slot))
    }

    /// The object that a static field leads to.
    pub fn object_at(
        &mut self,
        state: &mut State<'p>,
        field: FieldId,
        way: &[Hop],
    ) -> Option<Reference> {
        let (object, slot) = self.place_of(state, field, way)?;
        match state.heap.get(object, slot) {
            Some(Value::Reference(found)) if !found.is_null() => Some(found),
            _ => None,
        }
    }

    /// Starts to initialize a class, for its own sake; false if there is nothing to do.
    pub fn start_class(&mut self, state: &mut State<'p>, class: ClassId) -> bool {
        let initializer = self.initializer(class);
        if state.initialization(class) != Initialization::Not {
            return false;
        }
        if let Some(method) = initializer {
            self.push_hidden(state, method, initialize, 0, Then::Finish);
        }
        initializer.is_some()
    }
}

/// What is below an initializer that runs for its own sake.
fn initialize(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.machine.program.method(call.method()).class;
    call.machine.require(call.state, class)?;
    Flow::Continue(None)
}

/// Objects that a class holds are looked at.
struct Opening {
    holder: ClassId,
    /// The static field that leads to them.
    field: Option<FieldId>,
    /// Whether the method has not begun.
    early: bool,
    /// Objects that this field leads to, and what can become of them.
    seen: FxHashMap<Reference, Fate>,
    /// What has got an input, whichever field led there first.
    opened: FxHashSet<(Reference, usize)>,
    /// Objects to which other classes have given inputs.
    others: FxHashSet<Reference>,
}

impl Opening {
    fn new(holder: ClassId, early: bool) -> Self {
        let (seen, opened, others) = Default::default();
        Self { holder, field: None, early, seen, opened, others }
    }

    /// Another static field is looked at. Ways that were gone before are gone again, because what is
    /// assumed is told where a field is read.
    fn begin(&mut self, field: FieldId) {
        self.field = Some(field);
        self.seen.clear();
    }
}

/// Whether the method that is explored has not begun.
fn is_before_method(state: &State<'_>) -> bool {
    let frames = state.frames();
    frames.len() <= state.track.base + 1 && frames.last().is_none_or(Frame::is_hidden)
}
