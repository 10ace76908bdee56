//! What is explored, how far and in which order.

use crate::outcome::{StopKind, ViolationKind};
use dalang_heap::Policy;
use std::time::Duration;

/// How long an array or string that the program makes is followed where something needs all its elements,
/// and the lengths of inputs do not limit it. What is longer is a stop, and no verdict forgives it.
pub const MADE: u32 = 8;

/// In which order states are taken up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Search {
    /// The newest first, but now and then the oldest, so that none waits for ever.
    Fair,
    /// The newest first.
    Dfs,
    /// The oldest first.
    Bfs,
    /// Any, by a seeded generator.
    Random,
    /// Those that are at code that was not covered yet first.
    Coverage,
}

/// Which solver decides what the chain's own layers leave open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolverChoice {
    /// The built-in one.
    Builtin,
    /// Another solver's process: the command.
    Command(String),
}

/// What static fields of the target hold when a method begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Statics {
    /// Anything, if code in view or outside can change them after their class was initialized.
    Auto,
    /// What initializers gave them, which is an assumption.
    Initialized,
}

impl Statics {
    /// How users write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Initialized => "initialized",
        }
    }
}

/// A set of kinds of violations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kinds(u16);

impl Kinds {
    /// None.
    pub const NONE: Self = Self(0);
    /// All but an explicit `throw` that escapes and a path that does not end.
    pub const DEFAULT: Self = {
        let mut kinds = Self::NONE;
        let mut next = 0;
        while next < ViolationKind::ALL.len() {
            if !matches!(
                ViolationKind::ALL[next],
                ViolationKind::Throw | ViolationKind::Nontermination
            ) {
                kinds = kinds.with(ViolationKind::ALL[next]);
            }
            next += 1;
        }
        kinds
    };

    /// The set and one more kind.
    #[must_use]
    pub const fn with(self, kind: ViolationKind) -> Self {
        Self(self.0 | 1 << kind as u16)
    }

    /// Whether a kind is in the set.
    pub const fn contains(self, kind: ViolationKind) -> bool {
        self.0 & 1 << kind as u16 != 0
    }
}

/// What is explored, how far and in which order. Bounds are per method.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Config {
    /// How references are initialized.
    pub policy: Policy,
    /// What static fields of the target hold. Counts of papers are those of initialized ones, so that
    /// is the default.
    pub statics: Statics,
    /// The longest initialization chain.
    pub k: Option<u32>,
    /// The most input objects of a class, for classes that `n_of` does not name.
    pub n: Option<u32>,
    /// The most input objects of single classes, by internal name.
    pub n_of: Vec<(String, u32)>,
    /// The most iterations of a loop that read inputs for its condition and initialize no heap object.
    pub loops: u32,
    /// The deepest call stack.
    pub calls: u32,
    /// The longest input array.
    pub array: u32,
    /// The longest input string.
    pub string: u32,
    /// The longest standard input, in bytes.
    pub stdin: u32,
    /// The most completed paths.
    pub paths: Option<u64>,
    /// The most instructions on one path.
    pub steps: Option<u64>,
    /// The most time.
    pub time: Option<Duration>,
    /// The most memory of the process, in bytes.
    pub memory: Option<u64>,
    /// Bounds on inputs and executions that the user gave: stops because of them leave a verdict within
    /// bounds.
    pub given: Vec<StopKind>,
    /// In which order states are taken up.
    pub search: Search,
    /// The seed of random search.
    pub seed: u64,
    /// How many threads explore.
    pub jobs: usize,
    /// Which solver decides.
    pub solver: SolverChoice,
    /// The most time for one query.
    pub query_time: Duration,
    /// What counts as a violation.
    pub violations: Kinds,
    /// Whether violations are executed again on their witnesses.
    pub replay: bool,
    /// Whether every path's outcome is kept, with its witness, and not only violations.
    pub outcomes: bool,
    /// Whether every path's witness is executed again, and must follow its path.
    pub retrace: bool,
    /// Classes and methods of the library that count as the program's when ways are told apart, such
    /// as `java/util/TreeMap` and `java/lang/Integer.compare`: two ways through a map are two traces
    /// then.
    pub followed: &'static [&'static str],
    /// Whether the execution tree is kept.
    pub tree: bool,
    /// Whether hot methods are translated. What comes out is the same.
    pub express: bool,
    /// Whether the process ends after the method that is explored, so that nobody needs the memory which
    /// other threads have taken for it.
    pub is_last: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            policy: Policy::Pose,
            statics: Statics::Initialized,
            k: None,
            n: None,
            n_of: Vec::new(),
            loops: 10,
            calls: 80,
            array: 8,
            string: 8,
            stdin: 8,
            paths: None,
            steps: None,
            time: Some(Duration::from_mins(1)),
            memory: None,
            given: Vec::new(),
            search: Search::Dfs,
            seed: 0,
            jobs: 1,
            solver: SolverChoice::Builtin,
            query_time: Duration::from_secs(5),
            violations: Kinds::DEFAULT,
            replay: true,
            outcomes: false,
            retrace: false,
            followed: &[],
            tree: false,
            express: true,
            is_last: false,
        }
    }
}
