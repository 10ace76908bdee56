//! What the flags mean: everything that a command needs to know, checked before anything is done.

mod file;
mod machine;
mod place;

pub use machine::memory;

use crate::flags::{
    Color, Entry, Format, Merge, Options, PolicyName, ReplayBy, SearchName, StaticsName,
};
use anyhow::{Context, bail};
use dalang_explore::{Config, Kinds, Search, SolverChoice, Statics, StopKind, ViolationKind};
use dalang_heap::Policy;
use dalang_report::Manner;
use dalang_solver::{Layers, Limits, SmtCommand, Solver};
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// What a command that explores is to do.
pub struct Plan {
    /// How to explore.
    pub config: Config,
    /// Methods that were named.
    pub methods: Vec<String>,
    /// Classes that were named.
    pub classes: Vec<String>,
    /// How many input objects of single classes there can be, by the names that were typed.
    pub objects: Vec<(String, u32)>,
    /// Whether to start at `main`.
    pub main: bool,
    /// Whether somebody has said what static fields hold.
    pub chose_statics: bool,
    pub class_path: Option<String>,
    pub jdk: Option<PathBuf>,
    pub output: Output,
    pub tree: Option<PathBuf>,
    /// Results of an earlier run, to go on from.
    pub resume: Option<PathBuf>,
    /// The file that says what counts as a violation, if one does.
    pub violations_from: Option<PathBuf>,
}

/// How results are written.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Output {
    pub format: Format,
    pub quiet: bool,
    pub verbose: bool,
    pub color: Color,
    pub progress: bool,
}

impl Output {
    /// How much is said of each method, if there are this many.
    pub const fn manner(self, methods: usize) -> Manner {
        const FEW: usize = 5;
        match (self.quiet, self.verbose) {
            (true, _) => Manner::Quiet,
            (_, true) => Manner::Verbose,
            _ if methods <= FEW => Manner::Full,
            _ => Manner::Brief,
        }
    }
}

impl Plan {
    /// What was typed, or is in the `dalang.toml` of the targets or of the user, or goes without saying.
    ///
    /// # Errors
    /// Anything that makes no sense, is not there yet, or could not be done in the end.
    pub fn new(typed: Options, targets: &[PathBuf]) -> anyhow::Result<Self> {
        Self::plain(file::completed(typed, targets)?)
    }

    /// The same without any `dalang.toml`.
    ///
    /// # Errors
    /// As those of [`Plan::new`].
    pub fn plain(options: Options) -> anyhow::Result<Self> {
        available(&options)?;
        positive(&options)?;
        let mut config = config(&options)?;
        let main = options.entry == Some(Entry::Main);
        if main {
            config.statics = Statics::Initialized;
        }
        if main && !options.method.is_empty() {
            bail!(
                "--entry main starts at `main`, so --method has nothing to say; drop one of them"
            );
        }
        if main && options.statics == Some(StaticsName::Auto) {
            bail!(
                "--entry main starts as a fresh JVM does, so --statics auto has nothing to say; \
                 drop one of them"
            );
        }
        if let Some(tree) = &options.tree {
            writable(tree)?;
            if options.resume.is_some() {
                bail!("--resume has no trees of what was explored before; drop --tree");
            }
        }
        Ok(Self {
            config,
            methods: options.method,
            classes: options.class,
            objects: options.n.map(|objects| objects.of).unwrap_or_default(),
            main,
            chose_statics: options.statics.is_some(),
            class_path: options.class_path,
            jdk: options.jdk,
            output: Output {
                format: options.format.unwrap_or(Format::Text),
                quiet: options.quiet,
                verbose: options.verbose,
                color: options.color.unwrap_or_default(),
                progress: !options.no_progress && !options.quiet,
            },
            tree: options.tree,
            resume: options.resume,
            violations_from: options.violations_from,
        })
    }
}

/// Refuses what is not there yet.
fn available(options: &Options) -> anyhow::Result<()> {
    if options.merge.is_some_and(|merge| merge != Merge::Off) {
        bail!("--merge is not available yet, except off: states are not joined");
    }
    Ok(())
}

/// The policy of this name.
pub const fn policy(name: PolicyName) -> Policy {
    match name {
        PolicyName::Lazy => Policy::Lazy,
        PolicyName::Lazier => Policy::Lazier,
        PolicyName::LazierSharp => Policy::LazierSharp,
        PolicyName::Summary => Policy::Summary,
        PolicyName::Pose => Policy::Pose,
    }
}

/// Refuses bounds that would leave nothing to explore.
fn positive(options: &Options) -> anyhow::Result<()> {
    let zero = |bound: Option<u32>| bound == Some(0);
    if zero(options.k) {
        bail!("--k 0 leaves no input object, not even `this`; give at least 1");
    }
    if zero(options.calls) {
        bail!("--calls 0 does not even let the method itself be called; give at least 1");
    }
    if options.paths == Some(0) {
        bail!("--paths 0 leaves nothing to explore; give at least 1");
    }
    if options.steps == Some(0) {
        bail!("--steps 0 leaves nothing to execute; give at least 1");
    }
    if options.time.is_some_and(|time| !(time > 0.0 && time <= 1e9)) {
        bail!("--time must be a number of seconds above 0 (and at most a thousand million)");
    }
    if options.memory == Some(0) {
        bail!("--memory 0 leaves no memory to work with; give at least 1");
    }
    if options.jobs == Some(0) {
        bail!("--jobs 0 leaves nobody to do the work; give at least 1");
    }
    Ok(())
}

fn config(options: &Options) -> anyhow::Result<Config> {
    let default = Config::default();
    let time = options.time.map_or(default.time, |time| Some(Duration::from_secs_f64(time)));
    let memory = options.memory.map(|mebibytes| mebibytes.saturating_mul(1 << 20));
    Ok(Config {
        policy: options.policy.map_or(default.policy, policy),
        statics: match options.statics {
            None | Some(StaticsName::Auto) => Statics::Auto,
            Some(StaticsName::Initialized) => Statics::Initialized,
        },
        k: options.k,
        n: options.n.as_ref().and_then(|objects| objects.each),
        loops: options.loops.unwrap_or(default.loops),
        calls: options.calls.unwrap_or(default.calls),
        array: options.array.unwrap_or(default.array),
        string: options.string.unwrap_or(default.string),
        stdin: options.stdin.unwrap_or(default.stdin),
        paths: options.paths,
        steps: options.steps,
        time,
        // No single question may take longer than the whole method.
        query_time: time.map_or(default.query_time, |time| time.min(default.query_time)),
        memory: memory.or_else(|| machine::memory().map(|bytes| bytes / 2)),
        given: given(options),
        search: search(options.search),
        seed: options.seed.unwrap_or(default.seed),
        jobs: options.jobs.unwrap_or_else(cores),
        solver: solver(options.solver.as_deref())?,
        violations: violations(options.violations.as_deref())?,
        replay: options.replay != Some(ReplayBy::Off),
        outcomes: options.verbose || options.retrace,
        retrace: options.retrace,
        tree: options.tree.is_some(),
        ..default
    })
}

/// How many threads can work at once.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The bounds on inputs and executions that the user gave: what they cut is not held against a verdict.
/// Limits on resources are not among them: nobody can say what those left out.
fn given(options: &Options) -> Vec<StopKind> {
    let bounds = [
        (StopKind::K, options.k.is_some()),
        (StopKind::N, options.n.is_some()),
        (StopKind::Loop, options.loops.is_some()),
        (StopKind::Calls, options.calls.is_some()),
        (StopKind::Array, options.array.is_some()),
        (StopKind::String, options.string.is_some()),
        (StopKind::Stdin, options.stdin.is_some()),
    ];
    bounds.into_iter().filter(|(_, is_given)| *is_given).map(|(kind, _)| kind).collect()
}

fn search(name: Option<SearchName>) -> Search {
    match name {
        None => Search::Fair,
        Some(SearchName::Dfs) => Search::Dfs,
        Some(SearchName::Bfs) => Search::Bfs,
        Some(SearchName::Random) => Search::Random,
        Some(SearchName::Coverage) => Search::Coverage,
    }
}

/// Another solver is started once to see that it is there.
fn solver(name: Option<&str>) -> anyhow::Result<SolverChoice> {
    let Some(name) = name.filter(|&name| name != "builtin") else {
        return Ok(SolverChoice::Builtin);
    };
    let command = SmtCommand::parse(name).context("--solver cannot be used")?;
    Solver::process(&command, Layers::ALL, Limits::default()).context("--solver cannot be used")?;
    Ok(SolverChoice::Command(name.to_owned()))
}

fn violations(list: Option<&str>) -> anyhow::Result<Kinds> {
    let Some(list) = list else { return Ok(Kinds::DEFAULT) };
    let mut kinds = Kinds::NONE;
    for name in list.split(',').map(str::trim) {
        match ViolationKind::ALL.into_iter().find(|kind| kind.name() == name) {
            Some(kind) => kinds = kinds.with(kind),
            None => {
                let all = ViolationKind::ALL.map(ViolationKind::name).join(", ");
                bail!("--violations does not know `{name}`; it knows {all}");
            }
        }
    }
    Ok(kinds)
}

/// Whether a file can be written, without losing what is in it now.
fn writable(path: &Path) -> anyhow::Result<()> {
    let opened = OpenOptions::new().create(true).append(true).open(path);
    opened.map(drop).with_context(|| format!("{} cannot be written", path.display()))
}

#[cfg(test)]
mod tests {
    use super::{given, violations};
    use crate::flags::Options;
    use dalang_explore::{StopKind, ViolationKind};

    #[test]
    fn kinds_of_violations_are_a_list() {
        let kinds = violations(Some("null, throw")).unwrap();
        assert!(kinds.contains(ViolationKind::Null) && kinds.contains(ViolationKind::Throw));
        assert!(!kinds.contains(ViolationKind::Assert));
        assert!(!violations(None).unwrap().contains(ViolationKind::Throw));
        let error = violations(Some("nul")).unwrap_err().to_string();
        assert!(error.contains("`nul`") && error.contains("arithmetic"), "{error}");
        assert!(violations(Some("")).is_err());
    }

    #[test]
    fn only_bounds_that_were_typed_are_given() {
        let options = Options { loops: Some(10), time: Some(60.0), ..Options::default() };
        assert_eq!(given(&options), [StopKind::Loop]);
        assert_eq!(given(&Options::default()), []);
    }
}
