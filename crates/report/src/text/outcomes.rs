//! Every path that ended, one line for each, and the rules that led there.

use crate::signature::short;
use crate::value::Values;
use dalang_classes::one_line;
use dalang_explore::{Exploration, Outcome, OutcomeKind, Replay, ViolationKind};

/// More paths than this are left to programs.
const MOST: usize = 1000;

pub fn outcomes(method: &Exploration) -> String {
    let mut text = String::new();
    for (outcome, number) in method.outcomes.iter().take(MOST).zip(1..) {
        text.push_str(&format!("    path {number}: {}\n", path(outcome)));
        for line in &outcome.heap {
            text.push_str(&format!("        {}\n", one_line(line)));
        }
    }
    if method.outcomes.len() > MOST {
        let more = method.outcomes.len() - MOST;
        text.push_str(&format!("    and {more} more paths; --format json has them all\n"));
    }
    if !method.rules.is_empty() {
        let rules = method.rules.iter().map(|(rule, count)| format!("{rule} {count}"));
        let rules: Vec<String> = rules.collect();
        text.push_str(&format!("    rules applied: {}\n", rules.join(", ")));
    }
    text
}

fn path(outcome: &Outcome) -> String {
    let mut text = ending(outcome);
    if !outcome.condition.is_empty() {
        text.push_str(&format!(" if {}", one_line(&outcome.condition)));
    }
    if let Some(witness) = &outcome.witness {
        let inputs = Values::new(witness).inputs();
        if !inputs.is_empty() {
            text.push_str(&format!("; for example {inputs}"));
        }
    }
    if outcome.replay == Replay::Refuted {
        text.push_str(" (REFUTED: a defect of dalang)");
    }
    text
}

fn ending(outcome: &Outcome) -> String {
    let exception = outcome.exception.as_deref().map_or("an exception", short);
    match &outcome.kind {
        OutcomeKind::Return => match &outcome.value {
            Some(value) => format!("returns {}", one_line(value)),
            None => "returns".to_owned(),
        },
        OutcomeKind::Throw => format!("throws {}", one_line(exception)),
        OutcomeKind::Diverge => "does not end: a loop repeats itself".to_owned(),
        OutcomeKind::Violation(ViolationKind::Nontermination) => {
            "violation (nontermination): a loop repeats itself".to_owned()
        }
        OutcomeKind::Violation(kind) => {
            format!("violation ({}): {}", kind.name(), one_line(exception))
        }
        OutcomeKind::Exit(code) => format!("ends the program with exit code {code}"),
    }
}
