//! One violation: a line that says all, then the input drawn, then the condition.

use crate::diagram::diagram;
use crate::palette::{ASIDE, OPEN, PLACE, WRONG, paint};
use crate::signature::{method_spelling, short};
use crate::value::Values;
use dalang_classes::one_line;
use dalang_explore::{Exploration, Location, Replay, Violation, ViolationKind};

/// Longer conditions are left to programs.
const MOST: usize = 200;

/// What a violation is, on which input, and when.
pub fn finding(violation: &Violation, method: &Exploration) -> String {
    let outcome = &violation.outcome;
    let mut text = line(violation, method);
    if let Some(message) = outcome.message.as_ref().filter(|message| !message.is_empty()) {
        text.push_str(&format!("    message: {}\n", one_line(message)));
    }
    if let Some(at) = &outcome.at
        && !method.method.starts_with(&format!("{}.{}(", at.class, at.method))
    {
        text.push_str(&format!("    reached from {}\n", method_spelling(&method.method)));
    }
    let drawing = outcome.witness.as_ref().map(diagram).unwrap_or_default();
    if !drawing.is_empty() {
        text.push('\n');
        text.extend(drawing.lines().map(|line| format!("      {line}\n")));
        text.push('\n');
    }
    let condition = one_line(&outcome.condition);
    if !condition.is_empty() && condition.chars().count() <= MOST {
        text.push_str(&format!("    {}\n", paint(ASIDE, format!("whenever {condition}"))));
    }
    text
}

/// `File.java:14: null: NullPointerException in pkg.C.m, with this = #1, x = 4 (confirmed)`
fn line(violation: &Violation, method: &Exploration) -> String {
    let outcome = &violation.outcome;
    let kind = paint(WRONG, violation.kind.name());
    let exception = match (outcome.exception.as_deref(), violation.kind) {
        (Some(exception), _) => short(exception),
        (None, ViolationKind::Assert) => "failed check",
        (None, ViolationKind::Nontermination) => "a loop repeats itself for ever",
        (None, _) => "violation",
    };
    let place = outcome.at.as_ref().map(place).unwrap_or_default();
    let inside = outcome.at.as_ref().map_or_else(
        || method_spelling(&method.method),
        |at| one_line(&format!("{}.{}", at.class, at.method)).into_owned(),
    );
    let inputs = outcome.witness.as_ref().map(|witness| Values::new(witness).inputs());
    let with = match inputs {
        Some(inputs) if inputs.is_empty() => String::new(),
        Some(inputs) => format!(", with {inputs}"),
        None => ", on some input that could not be computed".to_owned(),
    };
    let replay = match outcome.replay {
        Replay::Confirmed => "(confirmed)".to_owned(),
        Replay::Refuted => paint(WRONG, "(REFUTED: it did not happen again; a defect of dalang)"),
        Replay::Off => paint(OPEN, "(not executed again)"),
    };
    format!("{place}{kind}: {} in {inside}{with} {replay}\n", one_line(exception))
}

fn place(at: &Location) -> String {
    let file = at.file.as_deref().map(one_line);
    let place = match (file, at.line) {
        (Some(file), Some(line)) => format!("{file}:{line}: "),
        (Some(file), None) => format!("{file}: "),
        (None, _) => format!("{}: ", one_line(&at.class)),
    };
    paint(PLACE, place)
}
