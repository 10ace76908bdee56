//! Flags of `check` and of what is like it. `dalang.toml` has the same keys: the same structure is
//! read from there.

use super::objects::Objects;
use clap::{ArgAction, Args, ValueEnum};
use serde::Deserialize;
use std::path::PathBuf;

/// What `check` takes.
#[derive(Args)]
pub struct Check {
    /// `.java` files, `.class` files, jars, directories of classes, or `.jl` files (Javalite)
    #[arg(required = true, value_name = "TARGET")]
    pub targets: Vec<PathBuf>,
    #[command(flatten)]
    pub options: Options,
}

/// What `compare` takes.
#[derive(Args)]
pub struct Compare {
    /// `.java` files, `.class` files, jars, directories of classes, or `.jl` files (Javalite)
    #[arg(required = true, value_name = "TARGET")]
    pub targets: Vec<PathBuf>,
    /// The policies to compare, separated by commas; all of them unless given
    #[arg(long, value_name = "POLICIES", value_delimiter = ',')]
    pub policies: Vec<PolicyName>,
    #[command(flatten)]
    pub options: Options,
}

/// What `doctor` takes.
#[derive(Args)]
pub struct Doctor {
    /// How to say it
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    #[command(flatten)]
    pub plain: Plain,
}

/// What every command that prints takes.
#[derive(Args)]
pub struct Plain {
    /// Whose class library to use
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
    /// When to use colours
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub color: Color,
}

/// Options of a command that explores; none of them has to be given. One that starts a program,
/// chooses one or writes a file is listed in `config/file.rs`: a file that is found may not have it.
#[derive(Args, Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Options {
    /// A method to explore: `pkg.C.m` or `pkg.C.m(ILjava/lang/String;)V`
    #[arg(long, value_name = "METHOD")]
    pub method: Vec<String>,
    /// A class whose methods to explore
    #[arg(long, value_name = "CLASS")]
    pub class: Vec<String>,
    /// More classes, not analysed themselves
    #[arg(long, visible_alias = "cp", value_name = "PATH")]
    pub class_path: Option<String>,
    /// Whose class library to use
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
    /// How references among the inputs are made up [default: pose]
    #[arg(long, value_enum, value_name = "POLICY")]
    pub policy: Option<PolicyName>,
    /// What static fields of the target hold when a method begins: anything, if they can change
    /// (`auto`), or what their initializers gave them [default: auto; of compare: initialized]
    #[arg(long, value_enum, value_name = "HOW")]
    pub statics: Option<StaticsName>,
    /// How states are joined [default: off]
    #[arg(long, value_enum, value_name = "HOW")]
    pub merge: Option<Merge>,
    /// The longest chain of references to an input object that is used [default: no limit]
    #[arg(long, value_name = "N")]
    pub k: Option<u32>,
    /// The most input objects of each class that can have any, or of single classes:
    /// `Node=4,Object=1` [default: no limit]
    #[arg(long, value_name = "N")]
    pub n: Option<Objects>,
    /// The most iterations of a loop that read inputs for its condition, and initialize no input
    /// object [default: 10]
    #[arg(long = "loop", value_name = "N")]
    #[serde(rename = "loop")]
    pub loops: Option<u32>,
    /// The deepest call stack, of calls that the program makes [default: 80]
    #[arg(long, value_name = "N")]
    pub calls: Option<u32>,
    /// The longest input array [default: 8]
    #[arg(long, value_name = "N")]
    pub array: Option<u32>,
    /// The longest input string [default: 8]
    #[arg(long, value_name = "N")]
    pub string: Option<u32>,
    /// The longest standard input, in bytes [default: 8]
    #[arg(long, value_name = "N")]
    pub stdin: Option<u32>,
    /// The most paths of a method [default: no limit]
    #[arg(long, value_name = "N")]
    pub paths: Option<u64>,
    /// The most instructions on one path [default: no limit]
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// The most time for a method [default: 60]
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<f64>,
    /// The most memory [default: half of the machine's]
    #[arg(long, value_name = "MIB")]
    pub memory: Option<u64>,
    /// Which path is followed first [default: fair to all branches]
    #[arg(long, value_enum, value_name = "ORDER")]
    pub search: Option<SearchName>,
    /// The seed of random search [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How many threads work [default: all cores]
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Who decides conditions: `builtin`, `z3`, `cvc5`, or a command [default: builtin]
    #[arg(long, value_name = "SOLVER")]
    pub solver: Option<String>,
    /// What counts as a violation, separated by commas: assert, contract, null, bounds, cast, store,
    /// arithmetic, size, nontermination, throw [default: all but the last two]
    #[arg(long, value_name = "KINDS")]
    pub violations: Option<String>,
    /// The file that says what counts as a violation, if one does
    #[arg(skip)]
    #[serde(skip)]
    pub violations_from: Option<PathBuf>,
    /// Starts at `main(String[])`, as `java` would
    #[arg(long, value_enum, value_name = "WHERE")]
    pub entry: Option<Entry>,
    /// How a violation is confirmed [default: interp]
    #[arg(long, value_enum, value_name = "HOW")]
    pub replay: Option<ReplayBy>,
    /// Executes the witness of every path again: one that goes another way is a defect of dalang
    #[arg(long)]
    pub retrace: bool,
    /// How results are written; `jsonl` writes a line for each method as soon as it is done
    /// [default: text]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Goes on after the methods that are in a file with results (json or jsonl) of the same check
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// Also writes the execution tree
    #[arg(long, value_name = "FILE.dot")]
    pub tree: Option<PathBuf>,
    /// Says only what is wrong, why something is undecided, and how many assumptions a "safe" needs
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Says how every path ends
    #[arg(short, long, action = ArgAction::SetTrue)]
    pub verbose: bool,
    /// When to use colours [default: auto]
    #[arg(long, value_enum, value_name = "WHEN")]
    pub color: Option<Color>,
    /// Shows no progress
    #[arg(long)]
    pub no_progress: bool,
    /// A folder whose `dalang.toml` may start programs and write files
    #[arg(long, value_name = "DIR")]
    pub trust: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PolicyName {
    Lazy,
    Lazier,
    #[value(name = "lazier#")]
    #[serde(rename = "lazier#")]
    LazierSharp,
    /// A reference is a set of locations, each under a condition: one path per program path
    Summary,
    /// A field is an ite over what aliases make of it: one path per program path
    Pose,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StaticsName {
    Auto,
    Initialized,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Merge {
    Off,
    Ite,
    Auto,
    Predicates,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SearchName {
    Dfs,
    Bfs,
    Random,
    Coverage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    Main,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReplayBy {
    Interp,
    Off,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    Text,
    Json,
    Jsonl,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

impl Options {
    /// The options with those of a file where nothing was typed.
    pub fn or(self, file: Self) -> Self {
        // Which methods to explore is one decision: who types a part of it has made it.
        let typed = !self.method.is_empty() || !self.class.is_empty() || self.entry.is_some();
        let chosen = if typed { &self } else { &file };
        let talk = self.quiet || self.verbose;
        Self {
            method: chosen.method.clone(),
            class: chosen.class.clone(),
            entry: chosen.entry,
            class_path: self.class_path.or(file.class_path),
            jdk: self.jdk.or(file.jdk),
            policy: self.policy.or(file.policy),
            statics: self.statics.or(file.statics),
            merge: self.merge.or(file.merge),
            k: self.k.or(file.k),
            n: self.n.or(file.n),
            loops: self.loops.or(file.loops),
            calls: self.calls.or(file.calls),
            array: self.array.or(file.array),
            string: self.string.or(file.string),
            stdin: self.stdin.or(file.stdin),
            paths: self.paths.or(file.paths),
            steps: self.steps.or(file.steps),
            time: self.time.or(file.time),
            memory: self.memory.or(file.memory),
            search: self.search.or(file.search),
            seed: self.seed.or(file.seed),
            jobs: self.jobs.or(file.jobs),
            solver: self.solver.or(file.solver),
            violations_from: match &self.violations {
                Some(_) => self.violations_from,
                None => file.violations_from,
            },
            violations: self.violations.or(file.violations),
            replay: self.replay.or(file.replay),
            retrace: self.retrace || file.retrace,
            format: self.format.or(file.format),
            resume: self.resume.or(file.resume),
            tree: self.tree.or(file.tree),
            quiet: if talk { self.quiet } else { file.quiet },
            verbose: if talk { self.verbose } else { file.verbose },
            color: self.color.or(file.color),
            no_progress: self.no_progress || file.no_progress,
            trust: [self.trust, file.trust].concat(),
        }
    }
}
