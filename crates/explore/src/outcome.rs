//! What exploring a method found out.

use crate::tree::Tree;
use crate::witness::Witness;

/// What can be said of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// No path violates anything, and none was stopped but by bounds on inputs or executions that the
    /// user gave.
    Safe,
    /// Some path was stopped by something else, and none violates anything.
    Undecided,
    /// Some path violates something.
    Unsafe,
}

/// What a violation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ViolationKind {
    /// A failed `assert`, or a failed check of a harness.
    Assert,
    /// A broken contract.
    Contract,
    /// A `NullPointerException` of the virtual machine.
    Null,
    /// An index out of bounds.
    Bounds,
    /// A bad cast.
    Cast,
    /// A bad store into an array.
    Store,
    /// A division by zero.
    Arithmetic,
    /// A negative array size.
    Size,
    /// A path that does not end.
    Nontermination,
    /// An explicit `throw` that nobody catches.
    Throw,
}

impl ViolationKind {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Assert,
        Self::Contract,
        Self::Null,
        Self::Bounds,
        Self::Cast,
        Self::Store,
        Self::Arithmetic,
        Self::Size,
        Self::Nontermination,
        Self::Throw,
    ];

    /// Its name on the command line and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Assert => "assert",
            Self::Contract => "contract",
            Self::Null => "null",
            Self::Bounds => "bounds",
            Self::Cast => "cast",
            Self::Store => "store",
            Self::Arithmetic => "arithmetic",
            Self::Size => "size",
            Self::Nontermination => "nontermination",
            Self::Throw => "throw",
        }
    }
}

/// Why a path was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StopKind {
    /// The length of an initialization chain.
    K,
    /// The number of input objects of a type.
    N,
    /// The iterations of a loop.
    Loop,
    /// The depth of the call stack.
    Calls,
    /// The length of an array.
    Array,
    /// The length of a string.
    String,
    /// The length of the standard input.
    Stdin,
    /// The number of paths.
    Paths,
    /// The time.
    Time,
    /// The memory.
    Memory,
    /// The instructions on one path.
    Steps,
    /// A class, method or field that is not there, or does not fit.
    Missing,
    /// An array or string that the program itself makes, longer than what is followed.
    Allocation,
    /// The user asked for the end.
    Interrupted,
    /// Something that we do not do.
    Unsupported,
    /// The solver gave no answer.
    Solver,
    /// A defect of ours.
    Bug,
}

impl StopKind {
    /// All of them.
    pub const ALL: [Self; 17] = [
        Self::K,
        Self::N,
        Self::Loop,
        Self::Calls,
        Self::Array,
        Self::String,
        Self::Stdin,
        Self::Paths,
        Self::Time,
        Self::Memory,
        Self::Steps,
        Self::Missing,
        Self::Allocation,
        Self::Interrupted,
        Self::Unsupported,
        Self::Solver,
        Self::Bug,
    ];

    /// The kind of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::K => "k",
            Self::N => "n",
            Self::Loop => "loop",
            Self::Calls => "calls",
            Self::Array => "array",
            Self::String => "string",
            Self::Stdin => "stdin",
            Self::Paths => "paths",
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Steps => "steps",
            Self::Missing => "missing",
            Self::Allocation => "allocation",
            Self::Interrupted => "interrupted",
            Self::Unsupported => "unsupported",
            Self::Solver => "solver",
            Self::Bug => "bug",
        }
    }

    /// Whether it describes which inputs or executions were left out. A limit on resources says nothing
    /// about what was left out, so no verdict can rest on it, whoever set it.
    pub const fn is_bound(self) -> bool {
        matches!(
            self,
            Self::K | Self::N | Self::Loop | Self::Calls | Self::Array | Self::String | Self::Stdin
        )
    }
}

/// How often paths were given up for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopCount {
    /// The reason.
    pub kind: StopKind,
    /// What exactly: the method that is not supported, for instance. May be empty.
    pub detail: String,
    /// How often.
    pub count: u64,
}

/// A place in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The class, as Java spells it.
    pub class: String,
    /// The method's name.
    pub method: String,
    /// The source file, if the class says.
    pub file: Option<String>,
    /// The line, if the class says.
    pub line: Option<u32>,
    /// The offset of the instruction.
    pub pc: u32,
}

/// Whether a violation happened again on its witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replay {
    /// It did.
    Confirmed,
    /// It did not: a defect of ours.
    Refuted,
    /// It was not tried.
    Off,
}

impl Replay {
    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Refuted => "refuted",
            Self::Off => "off",
        }
    }
}

/// How a path ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutcomeKind {
    /// Normally.
    Return,
    /// With an exception that is no violation.
    Throw,
    /// With a violation.
    Violation(ViolationKind),
    /// The program asked to end, with this code.
    Exit(i32),
    /// Never: a loop repeats itself.
    Diverge,
}

impl OutcomeKind {
    /// Whether a path with this ending does not end.
    pub fn is_endless(&self) -> bool {
        matches!(self, Self::Diverge | Self::Violation(ViolationKind::Nontermination))
    }
}

/// A path that ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub kind: OutcomeKind,
    /// What was returned, for people; symbolic values as terms over the inputs.
    pub value: Option<String>,
    /// The class of the exception, as Java spells it.
    pub exception: Option<String>,
    /// The exception's message, as far as it is known.
    pub message: Option<String>,
    /// Where the exception was thrown: the innermost place in code that is not the library's, or
    /// the innermost place at all.
    pub at: Option<Location>,
    /// Under which condition on the inputs the program goes this way, for people.
    pub condition: String,
    /// Inputs on which it does.
    pub witness: Option<Witness>,
    /// Whether it did.
    pub replay: Replay,
    /// Decisions on the way, by the number of the alternative: where it is in the tree.
    pub decisions: Vec<u32>,
    /// A fingerprint of the branches that were taken, the calls that were made and the ending: equal
    /// for two paths that are the same program path. A path that does not end has none: how far it was
    /// followed says nothing.
    pub trace: Option<u64>,
    /// The input objects as the path left them, a line each, where a policy does not divide paths:
    /// what a field is, by what is the same as what.
    pub heap: Vec<String>,
}

/// A path that violates something.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What it violates.
    pub kind: ViolationKind,
    /// How the path ended.
    pub outcome: Outcome,
}

/// How many paths there are, by how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathCounts {
    /// Ended normally.
    pub normal: u64,
    /// Ended with an exception that is no violation.
    pub exceptional: u64,
    /// Ended with a violation.
    pub violating: u64,
    /// Do not end, which is no violation: a loop repeats itself for ever.
    pub diverging: u64,
    /// Cut because an assumption does not hold.
    pub assumed_away: u64,
    /// Given up.
    pub stopped: u64,
}

impl PathCounts {
    /// All that ended.
    pub fn completed(&self) -> u64 {
        self.normal + self.exceptional + self.violating
    }
}

/// How much was executed of the target's methods that were entered, and of the explored one in any
/// case: covered, and there at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Ways out of branches.
    pub branches: [u32; 2],
    /// Source lines.
    pub lines: [u32; 2],
    /// Instructions.
    pub instructions: [u32; 2],
}

/// What it took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// Instructions that were executed.
    pub instructions: u64,
    /// Divisions of a path.
    pub forks: u64,
    /// Joins of paths.
    pub merges: u64,
    /// Questions to the solver.
    pub queries: u64,
    /// Conditions that the path condition was seen to decide, without a question.
    pub implied: u64,
    /// Nodes of terms in questions that reached the solver's backend.
    pub query_tokens: u64,
    /// Questions by the layer that decided them: constant, reuse, order, cores, guide,
    /// inequalities, backend.
    pub layers: [u64; 7],
    /// Time in the solver, in milliseconds.
    pub solver_ms: f64,
    /// Time, in milliseconds.
    pub time_ms: f64,
    /// The most memory that the process had, in bytes.
    pub peak_bytes: u64,
}

/// What exploring a method found out.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// The method: `pkg.C.m(II)I`.
    pub method: String,
    /// What can be said of it.
    pub verdict: Verdict,
    /// Whether no path was stopped by anything.
    pub exhaustive: bool,
    /// Whether no path exists: no input leads to the method, or assumptions rule out all of them.
    pub unreachable: bool,
    /// How many paths there are.
    pub paths: PathCounts,
    /// Why paths were given up, by kind and detail.
    pub stops: Vec<StopCount>,
    /// Violations, one for each place and kind, with the smallest witness that was met.
    pub violations: Vec<Violation>,
    /// All paths that ended, if they were to be kept.
    pub outcomes: Vec<Outcome>,
    /// How much of the target's code was executed.
    pub coverage: Coverage,
    /// What it took.
    pub statistics: Statistics,
    /// How often each rule of the policy was applied: divided a path, under the policies that decide
    /// what references are, and looked at a reference, under those that do not.
    pub rules: Vec<(&'static str, u64)>,
    /// What was assumed about classes, such as which implementations of an abstract type were tried,
    /// and about the world that the program runs in.
    pub assumptions: Vec<String>,
    /// The execution tree, if it was to be kept.
    pub tree: Option<Tree>,
}
