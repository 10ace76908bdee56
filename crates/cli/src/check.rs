//! `dalang check`: explores methods and reports what goes wrong.

use crate::config::Plan;
use crate::printer::Printer;
use crate::select::{self, Selection};
use crate::sweep::{Progress, Sweep};
use crate::targets::Target;
use crate::{code, flags, interrupt, library};
use anyhow::Context;
use dalang_explore::{Config, Exploration, View};
use dalang_report::Run;
use std::fs;
use std::process::ExitCode;

/// Explores what the flags name.
///
/// # Errors
/// Whatever keeps it from being started, or its results from being written.
pub fn check(flags: flags::Check) -> anyhow::Result<ExitCode> {
    let mut plan = Plan::new(flags.options, &flags.targets)?;
    let session = Session::open(&mut plan, &flags.targets)?;
    let printer = Printer::new(plan.output.color);
    let manner = plan.output.manner(session.selection.entries.len());
    let run = session.explore(&plan.config, plan.output, |exploration| {
        if !plan.output.json {
            printer.print(&dalang_report::method_text(exploration, &plan.config, manner));
        }
    })?;
    if plan.output.json {
        printer.print(&dalang_report::check_json(&run, plan.output.verbose));
    } else {
        printer.print(&dalang_report::summary_text(&run, manner));
    }
    if let Some(tree) = &plan.tree {
        let written = fs::write(tree, dalang_report::dot(&run.methods));
        written.with_context(|| format!("{} cannot be written", tree.display()))?;
    }
    Ok(code::of(&[run]))
}

/// A program that is open, and what of it is explored.
pub struct Session {
    pub target: Target,
    pub selection: Selection,
    view: View,
}

impl Session {
    /// Opens the targets of a plan, and finds the classes that its bounds name.
    ///
    /// # Errors
    /// Targets that cannot be opened, or names that mean nothing in them.
    pub fn open(plan: &mut Plan, targets: &[std::path::PathBuf]) -> anyhow::Result<Self> {
        interrupt::listen();
        let class_path = plan.class_path.as_deref();
        let jdk = library::fitting(plan.jdk.as_deref(), targets, class_path)?;
        let target = Target::open(jdk, targets, class_path)?;
        let selection = select::select(&target, plan)?;
        plan.config.n_of = select::counted(&target, &plan.objects)?;
        let view = View::new(&target.program, &target.own, &target.rest);
        Ok(Self { target, selection, view })
    }

    /// Explores everything that was selected; `each` sees the results as they come.
    ///
    /// # Errors
    /// Nothing can be explored at all.
    pub fn explore(
        &self,
        config: &Config,
        output: crate::config::Output,
        each: impl FnMut(&Exploration),
    ) -> anyhow::Result<Run> {
        if !output.verbose {
            // Panics are caught and counted as defects; nobody wants to read them twice.
            std::panic::set_hook(Box::new(|_| {}));
        }
        let entries = &self.selection.entries;
        let sweep = Sweep { target: &self.target, view: &self.view, config, entries };
        let progress = Progress::new(output.progress);
        let explored = sweep.run(&progress, each);
        progress.end();
        let _ = std::panic::take_hook();
        Ok(Run {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            jdk: self.target.jdk.version.clone(),
            config: config.clone(),
            methods: explored?,
            unloaded: self.selection.unloaded.clone(),
            interrupted: interrupt::is_pressed(),
        })
    }
}
