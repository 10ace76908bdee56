//! `dalang check`: explores methods and reports what goes wrong.

use crate::config::{Output, Plan};
use crate::flags::Format;
use crate::select::{self, Selection};
use crate::streams::{Lost, Printer};
use crate::sweep::{Progress, Sweep};
use crate::targets::Target;
use crate::{code, flags, interrupt, library, resume};
use anyhow::Context;
use dalang_classes::path::ClassPath;
use dalang_explore::{Config, Entry, Exploration, View};
use dalang_report::{Header, Manner, Run};
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

/// Explores what the flags name.
///
/// # Errors
/// Whatever keeps it from being started, or its results from being written.
pub fn check(flags: flags::Check) -> anyhow::Result<ExitCode> {
    interrupt::listen();
    let mut plan = Plan::new(flags.options, &flags.targets)?;
    let session = Session::open(&mut plan, &flags.targets)?;
    let mut run = session.run(&plan.config);
    if plan.output.format != Format::Text || plan.resume.is_some() {
        let given =
            plan.class_path.as_deref().map_or_else(|| Ok(Vec::new()), ClassPath::entries)?;
        run.target = resume::target(&flags.targets, &given)?;
        run.settings = resume::settings(&plan, &plan.config);
    }
    if let Some(file) = &plan.resume {
        run.earlier = resume::read(file, &Header::of(&run), &session.names())?;
    }
    let writer = Writer {
        printer: Printer::new(plan.output.color),
        output: plan.output,
        manner: plan.output.manner(session.selection.entries.len()),
    };
    writer.begin(&run, session.selection.entries.len())?;
    let numbers = session.numbers(&run);
    let entries: Vec<Entry> =
        numbers.iter().map(|&index| session.selection.entries[index]).collect();
    run.methods = sweep(
        &Sweep { is_last: true, ..session.of(&plan.config, &entries) },
        plan.output,
        |place, exploration| writer.arrived(numbers[place], exploration),
        |exploration| writer.next(exploration, &plan.config),
    )?;
    run.interrupted = interrupt::is_pressed();
    writer.end(&run)?;
    if let Some(tree) = &plan.tree {
        let written = fs::write(tree, dalang_report::dot(&run.methods));
        written.with_context(|| format!("{} cannot be written", tree.display()))?;
    }
    Ok(code::of(&[run]))
}

/// Results in the form that was asked for, as they come.
struct Writer {
    printer: Printer,
    output: Output,
    manner: Manner,
}

impl Writer {
    fn begin(&self, run: &Run, methods: usize) -> Result<(), Lost> {
        let text = match self.output.format {
            Format::Jsonl => {
                let earlier = run.earlier.iter().map(dalang_report::earlier_line);
                dalang_report::begin_json(run, methods) + &earlier.collect::<String>()
            }
            Format::Text if self.manner != Manner::Quiet => {
                run.earlier.iter().map(dalang_report::earlier_text).collect()
            }
            _ => String::new(),
        };
        self.printer.print(&text)
    }

    /// A method is done, in whatever order: what is written line by line is written now.
    fn arrived(&self, index: usize, exploration: &Exploration) -> Result<(), Lost> {
        match self.output.format {
            Format::Jsonl => {
                let line = dalang_report::method_line(index, exploration, self.output.verbose);
                self.printer.print(&line)
            }
            _ => Ok(()),
        }
    }

    /// It is a method's turn, in the order in which they were chosen.
    fn next(&self, exploration: &Exploration, config: &Config) -> Result<(), Lost> {
        match self.output.format {
            Format::Text => {
                self.printer.print(&dalang_report::method_text(exploration, config, self.manner))
            }
            _ => Ok(()),
        }
    }

    fn end(&self, run: &Run) -> Result<(), Lost> {
        self.printer.print(&match self.output.format {
            Format::Json => dalang_report::check_json(run, self.output.verbose),
            Format::Jsonl => dalang_report::end_json(run),
            Format::Text => dalang_report::summary_text(run, self.manner),
        })
    }
}

/// A program that is open, and what of it is explored.
pub struct Session {
    pub target: Target,
    pub selection: Selection,
    view: View,
    /// The file that says what counts as a violation, if one does.
    violations_from: Option<String>,
}

impl Session {
    /// Opens the targets of a plan, and finds the classes that its bounds name.
    ///
    /// # Errors
    /// Targets that cannot be opened, or names that mean nothing in them.
    pub fn open(plan: &mut Plan, targets: &[PathBuf]) -> anyhow::Result<Self> {
        let class_path = plan.class_path.as_deref();
        let jdk = library::fitting(plan.jdk.as_deref(), targets, class_path)?;
        let target = Target::open(jdk, targets, class_path)?;
        let selection = select::select(&target, plan)?;
        plan.config.n_of = select::counted(&target, &plan.objects)?;
        let view = View::new(&target.program, &target.own, &target.rest);
        interrupt::explore();
        let violations_from = plan.violations_from.as_ref().map(|file| file.display().to_string());
        Ok(Self { target, selection, view, violations_from })
    }

    /// What can be said before anything is explored.
    fn run(&self, config: &Config) -> Run {
        Run {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            jdk: self.target.jdk.version.clone(),
            config: config.clone(),
            target: String::new(),
            settings: String::new(),
            violations_from: self.violations_from.clone(),
            methods: Vec::new(),
            earlier: Vec::new(),
            unloaded: self.selection.unloaded.clone(),
            interrupted: false,
        }
    }

    /// The methods that were chosen, with their names.
    fn names(&self) -> Vec<(Entry, String)> {
        let name = |entry: &Entry| self.target.program.method_spelling(entry.method());
        self.selection.entries.iter().map(|entry| (*entry, name(entry))).collect()
    }

    /// The numbers of the methods that no earlier run has done.
    fn numbers(&self, run: &Run) -> Vec<usize> {
        let is_open = |index: &usize| run.earlier.iter().all(|earlier| earlier.index != *index);
        (0..self.selection.entries.len()).filter(is_open).collect()
    }

    /// Explores everything that was selected; `each` sees the results as they come.
    ///
    /// # Errors
    /// Nothing can be explored at all, or what `each` says.
    pub fn explore(
        &self,
        config: &Config,
        output: Output,
        each: impl FnMut(&Exploration) -> Result<(), Lost>,
    ) -> anyhow::Result<Run> {
        let entries = &self.selection.entries;
        let methods = sweep(&self.of(config, entries), output, |_, _| Ok(()), each)?;
        Ok(Run { methods, interrupted: interrupt::is_pressed(), ..self.run(config) })
    }

    /// What it is to explore these, with more to follow.
    fn of<'a>(&'a self, config: &'a Config, entries: &'a [Entry]) -> Sweep<'a> {
        Sweep { target: &self.target, view: &self.view, config, entries, is_last: false }
    }
}

/// Explores, and shows how far it is.
fn sweep(
    sweep: &Sweep<'_>,
    output: Output,
    arrived: impl FnMut(usize, &Exploration) -> Result<(), Lost>,
    each: impl FnMut(&Exploration) -> Result<(), Lost>,
) -> anyhow::Result<Vec<Exploration>> {
    if !output.verbose {
        // Panics are caught and counted as defects; nobody wants to read them twice.
        std::panic::set_hook(Box::new(|_| {}));
    }
    let progress = Progress::new(output.progress);
    let explored = sweep.run(&progress, arrived, each);
    progress.end();
    let _ = std::panic::take_hook();
    explored
}
