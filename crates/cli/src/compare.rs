//! `dalang compare`: the same methods under several policies.

use crate::check::Session;
use crate::config::{self, Plan};
use crate::flags::Format;
use crate::streams::{Printer, complain};
use crate::{code, flags, interrupt};
use anyhow::bail;
use dalang_explore::{Config, Exploration, Replay, Statics};
use dalang_heap::Policy;
use dalang_report::Run;
use std::process::ExitCode;

/// Explores what the flags name, under one policy after the other.
///
/// # Errors
/// Whatever keeps it from being started.
pub fn compare(flags: flags::Compare) -> anyhow::Result<ExitCode> {
    interrupt::listen();
    let policies = policies(&flags);
    // Threads take each other's time, and times are compared: one, unless it is said otherwise.
    let jobs = flags.options.jobs.unwrap_or(1);
    let mut plan = Plan::new(flags.options, &flags.targets)?;
    // Papers count paths with static fields as they were initialized.
    if !plan.chose_statics {
        plan.config.statics = Statics::Initialized;
    }
    if plan.tree.is_some() {
        bail!("compare draws no tree; use check --tree with one policy after the other");
    }
    if plan.resume.is_some() || plan.output.format == Format::Jsonl {
        bail!("compare is written at its end; --resume and --format jsonl are for check");
    }
    let session = Session::open(&mut plan, &flags.targets)?;
    let mut runs: Vec<Run> = Vec::new();
    for policy in policies {
        let config = Config { policy, jobs, outcomes: false, ..plan.config.clone() };
        runs.push(session.explore(&config, plan.output, |_| Ok(()))?);
        if interrupt::is_pressed() {
            break;
        }
    }
    let printer = Printer::new(plan.output.color);
    let text = match plan.output.format {
        Format::Json => dalang_report::compare_json(&runs),
        _ => dalang_report::compare_text(&runs),
    };
    printer.print(&text)?;
    match contradiction(&runs) {
        Some(what) => {
            complain(&format!("DEFECT OF DALANG: {what}"));
            Ok(ExitCode::from(code::DEFECT))
        }
        None => Ok(code::of(&runs)),
    }
}

fn policies(flags: &flags::Compare) -> Vec<Policy> {
    if flags.policies.is_empty() {
        return match flags.options.policy {
            Some(policy) => vec![config::policy(policy)],
            None => Policy::ALL.to_vec(),
        };
    }
    let mut policies = Vec::new();
    for &name in &flags.policies {
        let policy = config::policy(name);
        if !policies.contains(&policy) {
            policies.push(policy);
        }
    }
    policies
}

/// Two policies that cannot both be right: under one nothing was left out and nothing is wrong,
/// under the other something is.
fn contradiction(runs: &[Run]) -> Option<String> {
    let is_clean = |method: &Exploration| method.exhaustive && method.violations.is_empty();
    let is_wrong = |method: &Exploration| {
        method.violations.iter().any(|violation| violation.outcome.replay == Replay::Confirmed)
    };
    let indexes = 0..runs.first()?.methods.len();
    let row = |index: usize| runs.iter().filter_map(move |run| run.methods.get(index));
    indexes.into_iter().find_map(|index| {
        let clean = row(index).find(|method| is_clean(method))?;
        row(index).any(is_wrong).then(|| {
            format!(
                "policies contradict each other on {}",
                dalang_report::method_spelling(&clean.method)
            )
        })
    })
}
