//! One state of a running program: frames, values, heap, classes.
//!
//! A state is copied where the program's way divides, so everything large in it is shared between
//! copies until it is changed. It is also the only owner of references: what is not reachable from
//! a state is garbage.

use crate::frame::Frame;
use crate::globals::Preset;
use crate::track::Track;
use dalang_classes::{ClassId, ConstantId, FieldId, Name};
use dalang_heap::{Facts, Heap, InputId, Knowledge, Reference, Value};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How far the initialization of a class has come (JVMS 5.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Initialization {
    /// It has not begun.
    #[default]
    Not,
    /// It is going on, in some frame of this state.
    Running,
    /// It is done.
    Done,
    /// It ended with an exception. The reference is what later uses have as their cause.
    Failed(Reference),
}

/// What a state knows of a class.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ClassEntry {
    pub(crate) initialization: Initialization,
    /// The object that holds its static fields; `null` until one is needed.
    pub(crate) statics: Reference,
    /// Its `java.lang.Class`; `null` until it is needed.
    pub(crate) mirror: Reference,
}

/// The numbers of objects that were asked for one.
#[derive(Clone, Default)]
struct Numbered {
    known: FxHashMap<Reference, u32>,
    last: u32,
}

/// One state of a running program.
#[derive(Clone)]
pub struct State<'p> {
    /// All objects.
    pub heap: Heap,
    /// What was found out about inputs.
    pub knowledge: Knowledge,
    /// The values that the program is given when it asks for some, in that order. Without them it is
    /// given unknown ones.
    pub given: Option<Rc<[Value]>>,
    /// What standard input is, if that is given.
    pub supply: Option<Rc<[u8]>>,
    /// How many bytes of standard input the program has asked for.
    pub(crate) received: u32,
    /// Whether the program has looked at standard input, which is unknown.
    pub supplied: bool,
    /// What static fields, and what they lead to, hold when the method begins, if that is given. Without
    /// it they are unknown, where they can be.
    pub preset: Option<Rc<[Preset]>>,
    /// How often the way here has divided.
    pub forks: u32,
    /// How often inputs were looked at, be it that what they are was known.
    pub(crate) consulted: u32,
    /// Whether what is executed next has asked, and was answered.
    pub(crate) asked: bool,
    /// How often something about classes was changed, or what intrinsics keep.
    touched: usize,
    /// What is recorded of the way here.
    pub track: Track,
    pub(crate) frames: Vec<Frame<'p>>,
    /// Local variables and operands of all frames, bottom up.
    pub(crate) values: Vec<Value>,
    /// Where the operands of the frame on top end.
    pub(crate) top: usize,
    pub(crate) classes: Rc<Vec<ClassEntry>>,
    /// Constants that are objects, by where they are loaded.
    pub(crate) constants: Rc<FxHashMap<(ClassId, ConstantId), Value>>,
    /// Interned strings by content.
    pub(crate) interned: Rc<FxHashMap<Rc<[u16]>, Reference>>,
    /// Those of them that the program itself has made and interned while it was explored.
    pub(crate) own_interned: Rc<Vec<Reference>>,
    /// The `java.lang.invoke.MethodType` of a descriptor.
    pub(crate) types: Rc<FxHashMap<Name, Reference>>,
    /// Objects that intrinsics keep, by name: the main thread, for instance.
    pub(crate) singletons: Rc<FxHashMap<&'static str, Value>>,
    /// Boxes that `valueOf` gave for symbolic numbers: which of them are the same object is decided
    /// when somebody compares them.
    pub(crate) boxed: Rc<Vec<Reference>>,
    /// Objects that were asked for their identity hash code, and how many were before.
    numbered: Rc<Numbered>,
    /// Classes that inputs were found to be of, and that are to be initialized before the next
    /// instruction.
    pub(crate) growing: Rc<Vec<ClassId>>,
    /// Those of them whose turn has not come, the next one last, and how many frames there are when it
    /// comes: one initializer must not see that another was to run as well.
    pub(crate) waiting: Rc<Vec<(ClassId, usize)>>,
    /// Classes whose initialization was begun for that reason.
    pub(crate) raised: Rc<Vec<ClassId>>,
    /// Those of them, and the classes above, that were initialized before the method began.
    pub(crate) early: Rc<Vec<ClassId>>,
    /// Classes of the target that hold inputs, in the order in which they were initialized.
    pub(crate) exposed: Rc<Vec<ClassId>>,
    /// The inputs that classes hold: static fields, and what those lead to that do not change.
    pub opened: Rc<Vec<InputId>>,
    /// What static fields lead to that was left as it is: field, way and class.
    pub(crate) left: Rc<Vec<(FieldId, InputId, ClassId)>>,
    /// What the state has learned without that anything was decided, since it was last asked for.
    pub(crate) facts: Facts,
    /// Whether frames beyond the limit are lent, to make a `StackOverflowError`.
    pub(crate) overdrawn: bool,
    /// The heap's size from which a collection is worth its time, once there was one.
    pub(crate) collect_at: Option<u64>,
    /// The size up to which the heap may grow beyond its limit until a collection that is due has
    /// been made; 0 if none is due.
    pub(crate) ceiling: u64,
    /// How many instructions were executed on the way here. The clock that programs see.
    pub instructions: u64,
}

impl Default for State<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'p> State<'p> {
    /// A state in which nothing has happened yet.
    pub fn new() -> Self {
        Self {
            heap: Heap::new(),
            knowledge: Knowledge::default(),
            given: None,
            supply: None,
            received: 0,
            supplied: false,
            preset: None,
            forks: 0,
            consulted: 0,
            asked: false,
            touched: 0,
            track: Track::default(),
            frames: Vec::new(),
            values: Vec::new(),
            top: 0,
            classes: Rc::default(),
            constants: Rc::default(),
            interned: Rc::default(),
            own_interned: Rc::default(),
            types: Rc::default(),
            singletons: Rc::default(),
            facts: Facts::default(),
            boxed: Rc::default(),
            numbered: Rc::default(),
            growing: Rc::default(),
            waiting: Rc::default(),
            raised: Rc::default(),
            early: Rc::default(),
            exposed: Rc::default(),
            opened: Rc::default(),
            left: Rc::default(),
            overdrawn: false,
            collect_at: None,
            ceiling: 0,
            instructions: 0,
        }
    }

    /// The activations, the newest last.
    pub fn frames(&self) -> &[Frame<'p>] {
        &self.frames
    }

    /// Whether the method that was called from outside has not begun: below it there is only what
    /// called it.
    pub(crate) fn is_about_to_begin(&self) -> bool {
        self.frames.len() <= self.track.base + 1 && self.frame().is_hidden()
    }

    /// The frame on top.
    ///
    /// # Panics
    /// If nothing was started.
    #[inline]
    pub fn frame(&self) -> &Frame<'p> {
        match self.frames.last() {
            Some(frame) => frame,
            None => panic!("nothing is running"),
        }
    }

    #[inline]
    pub(crate) fn frame_mut(&mut self) -> &mut Frame<'p> {
        match self.frames.last_mut() {
            Some(frame) => frame,
            None => panic!("nothing is running"),
        }
    }

    /// What the state has learned without that anything was decided, since this was last asked.
    pub fn take_facts(&mut self) -> Facts {
        std::mem::take(&mut self.facts)
    }

    /// Pushes an operand.
    #[inline]
    pub(crate) fn push(&mut self, value: Value) {
        self.values[self.top] = value;
        self.top += 1;
    }

    /// Pops an operand. Checked code does not pop more than it pushed.
    #[inline]
    pub(crate) fn pop(&mut self) -> Value {
        self.top -= 1;
        self.values[self.top]
    }

    /// An operand, counted from the top: 0 is the one that is popped next.
    #[inline]
    pub(crate) fn peek(&self, depth: usize) -> Value {
        self.values[self.top - 1 - depth]
    }

    /// Replaces operands by one.
    #[inline]
    pub(crate) fn replace(&mut self, count: usize, value: Value) {
        self.top -= count;
        self.push(value);
    }

    #[inline]
    pub(crate) fn drop(&mut self, count: usize) {
        self.top -= count;
    }

    /// A local variable of the frame on top.
    #[inline]
    pub(crate) fn local(&self, slot: u16) -> Value {
        self.values[self.frame().locals as usize + slot as usize]
    }

    #[inline]
    pub(crate) fn set_local(&mut self, slot: u16, value: Value) {
        let place = self.frame().locals as usize + slot as usize;
        self.values[place] = value;
    }

    #[inline]
    pub(crate) fn class_entry(&self, class: ClassId) -> ClassEntry {
        self.classes.get(class.index()).copied().unwrap_or_default()
    }

    pub(crate) fn class_entry_mut(&mut self, class: ClassId) -> &mut ClassEntry {
        self.touched += 1;
        let classes = Rc::make_mut(&mut self.classes);
        if classes.len() <= class.index() {
            classes.resize(class.index() + 1, ClassEntry::default());
        }
        &mut classes[class.index()]
    }

    /// How far the initialization of a class has come.
    pub fn initialization(&self, class: ClassId) -> Initialization {
        self.class_entry(class).initialization
    }

    /// A number for an object that it keeps: how many were asked for theirs before it. Places tell nothing
    /// that a program may see.
    pub fn number_of(&mut self, object: Reference) -> u32 {
        if let Some(&known) = self.numbered.known.get(&object) {
            return known;
        }
        let numbered = Rc::make_mut(&mut self.numbered);
        numbered.last += 1;
        numbered.known.insert(object, numbered.last);
        numbered.last
    }

    /// Forgets the numbers of objects that are gone: their places may be used again.
    pub(crate) fn forget_numbers(&mut self) {
        let heap = &self.heap;
        let lives = |place: &Reference| heap.find(*place).is_some();
        if !self.numbered.known.keys().all(lives) {
            Rc::make_mut(&mut self.numbered).known.retain(|place, _| lives(place));
        }
    }

    /// An object that intrinsics keep under a name.
    pub fn singleton(&self, name: &'static str) -> Option<Value> {
        self.singletons.get(name).copied()
    }

    /// Keeps an object under a name.
    pub fn set_singleton(&mut self, name: &'static str, value: Value) {
        self.touched += 1;
        Rc::make_mut(&mut self.singletons).insert(name, value);
    }

    /// What is known beside values and the heap, counted: two equal counts, taken at different times,
    /// mean that nothing has changed in between.
    pub(crate) fn known(&self) -> [usize; 7] {
        [
            self.touched,
            self.constants.len(),
            self.interned.len(),
            self.own_interned.len(),
            self.types.len(),
            self.boxed.len(),
            self.numbered.last as usize,
        ]
    }
}
