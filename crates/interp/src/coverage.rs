//! Which code of the target was reached, on whatever path.
//!
//! A worker has one record for all its states: code that was reached once is reached. The express lane
//! records only where blocks end, so that the instructions of a block whose last one is recorded are not
//! all recorded themselves; whoever reads the record adds them.

use crate::frame::Body;
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, MethodId};

/// Instructions and ways out of branches of a method that were executed.
#[derive(Clone, Debug, Default)]
pub struct Covered {
    /// Which instructions were executed, one bit each.
    pub instructions: Vec<u64>,
    /// Branches and where they went, in order.
    pub edges: Vec<(u16, u16)>,
}

impl Covered {
    fn visit(&mut self, pc: u16) {
        let (word, bit) = (usize::from(pc) / 64, 1 << (pc % 64));
        if self.instructions.len() <= word {
            self.instructions.resize(word + 1, 0);
        }
        self.instructions[word] |= bit;
    }

    fn follow(&mut self, from: u16, to: u16) {
        if let Err(place) = self.edges.binary_search(&(from, to)) {
            self.edges.insert(place, (from, to));
        }
    }
}

/// What an instruction that was executed did.
#[derive(Clone, Copy)]
pub(crate) enum Way {
    /// It went from one instruction to another, where there is a choice.
    Branch(u16, u16),
    /// It went where there is none.
    Through(u16),
}

impl Way {
    /// A bit for whether it jumped.
    pub(crate) const fn bit(self) -> u32 {
        match self {
            Self::Branch(from, to) if to == from + 1 => 2,
            _ => 1,
        }
    }
}

/// What is recorded of the target's code.
#[derive(Default)]
pub(crate) struct Coverage {
    /// The target's classes, by number.
    targets: Vec<bool>,
    /// What was executed of methods, by number.
    methods: Vec<Option<Box<(MethodId, Covered)>>>,
    /// The instruction that is being executed: it may yet break off.
    pending: Option<(MethodId, u16)>,
    /// How often it was begun anew.
    pub(crate) epoch: u32,
}

impl Coverage {
    fn of_mut(&mut self, method: MethodId) -> &mut Covered {
        if self.methods.len() <= method.index() {
            self.methods.resize_with(method.index() + 1, || None);
        }
        let found = &mut self.methods[method.index()];
        &mut found.get_or_insert_with(|| Box::new((method, Covered::default()))).1
    }

    /// What is being executed has gone through; this comes next.
    #[inline]
    fn commit(&mut self, next: Option<(MethodId, u16)>) {
        if let Some((method, pc)) = std::mem::replace(&mut self.pending, next) {
            self.note(method, Way::Through(pc));
        }
    }

    /// What is being executed breaks off, to be executed again.
    pub(crate) fn withdraw(&mut self) {
        self.pending = None;
    }

    /// Records what an instruction did.
    pub(crate) fn note(&mut self, method: MethodId, way: Way) {
        let covered = self.of_mut(method);
        match way {
            Way::Branch(from, to) => {
                covered.visit(from);
                covered.follow(from, to);
            }
            Way::Through(pc) => covered.visit(pc),
        }
    }
}

impl<'p> Machine<'p> {
    /// These are the classes whose code is looked at.
    pub fn watch(&mut self, classes: &[ClassId]) {
        for class in classes {
            let targets = &mut self.coverage.targets;
            if targets.len() <= class.index() {
                targets.resize(class.index() + 1, false);
            }
            targets[class.index()] = true;
        }
    }

    /// Whether a class is one of those.
    #[inline]
    pub(crate) fn is_target(&self, class: ClassId) -> bool {
        self.coverage.targets.get(class.index()).copied().unwrap_or_default()
    }

    /// What was executed of the target's methods since this was last asked.
    pub fn take_covered(&mut self) -> Vec<(MethodId, Covered)> {
        self.coverage.commit(None);
        self.coverage.epoch += 1;
        let methods = std::mem::take(&mut self.coverage.methods);
        methods.into_iter().flatten().map(|found| *found).collect()
    }

    /// Before the frame on top executes something. What was executed last has gone through.
    #[inline]
    pub(crate) fn begin_covering(&mut self, state: &State<'p>) {
        let frame = state.frame();
        let covers = state.track.covers
            && matches!(frame.body, Body::Code(_))
            && self.is_target(frame.class);
        self.coverage.commit(covers.then_some((frame.method, frame.pc)));
    }

    /// An exception arrives in the frame on top, be it that an initializer has thrown it and its
    /// instruction will not be executed again.
    pub(crate) fn cover_throwing(&mut self, state: &State<'p>) {
        let frame = state.frame();
        if state.track.covers && self.is_target(frame.class) {
            self.coverage.note(frame.method, Way::Through(frame.pc));
        }
    }

    /// After a branch of the frame on top.
    pub(crate) fn note_way(&mut self, state: &State<'p>, from: u16, to: u16) {
        let frame = state.frame();
        if state.track.covers && self.is_target(frame.class) {
            self.coverage.note(frame.method, Way::Branch(from, to));
        }
    }
}
