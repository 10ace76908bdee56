//! The end of a text: totals, the most frequent reasons for giving up, defects, and one last line.

use super::Manner;
use crate::palette::{self, ASIDE, OPEN, WRONG, paint};
use crate::run::{Defect, Reason, Run};
use crate::signature::method_spelling;
use crate::words::{self, because, count};
use dalang_classes::one_line;

/// How many reasons are shown.
const MOST: usize = 10;
/// How many classes that cannot be analysed are shown.
const CLASSES: usize = 10;

/// What all methods come to.
pub fn summary(run: &Run, manner: Manner) -> String {
    let quiet = manner == Manner::Quiet;
    // Silence means that all is well but for what was said, so it must not mean that nothing is known,
    // nor that all is well if something is as it was assumed to be.
    if quiet && !run.is_open() {
        return if run.is_conditional() { last(run, manner) } else { String::new() };
    }
    let mut text = unloaded(run);
    if quiet || run.methods.len() + run.earlier.len() > 1 {
        text.push_str(&reasons(run));
    }
    let defects = run.defects();
    if !defects.is_empty() {
        let times = count(defects.len() as u64, "time");
        let what = format!("dalang itself went wrong {times}: please report it");
        text.push_str(&format!("{}\n", paint(WRONG, what)));
    }
    if run.interrupted {
        text.push_str(&format!("{}\n", paint(OPEN, "interrupted: not everything was explored")));
    }
    text.push_str(&last(run, manner));
    text
}

/// A loud line.
pub fn defect(defect: &Defect) -> String {
    let what = format!("DEFECT OF DALANG in {}: {}", method_spelling(&defect.method), defect.what);
    format!("{}\n", paint(WRONG, one_line(&what)))
}

fn unloaded(run: &Run) -> String {
    let mut text = String::new();
    if !run.unloaded.is_empty() {
        let classes = run.unloaded.len();
        let what = if classes == 1 { "class" } else { "classes" };
        text.push_str(&format!("{classes} {what} could not be analysed:\n"));
    }
    for unloaded in run.unloaded.iter().take(CLASSES) {
        let (class, reason) = (one_line(&unloaded.class), one_line(&unloaded.reason));
        text.push_str(&format!("    {class}: {reason}\n"));
    }
    if run.unloaded.len() > CLASSES {
        text.push_str(&format!("    and {} more\n", run.unloaded.len() - CLASSES));
    }
    text
}

fn reasons(run: &Run) -> String {
    let reasons = run.reasons();
    if reasons.is_empty() {
        return String::new();
    }
    let mut text = "Why paths were given up, most methods first:\n".to_owned();
    for reason in reasons.iter().take(MOST) {
        let Reason { kind, detail, paths, methods } = reason;
        let why = because(*kind, detail, &run.config);
        let (paths, methods) = (count(*paths, "path"), count(*methods, "method"));
        text.push_str(&format!("    {methods}, {paths}: {why}\n"));
    }
    if reasons.len() > MOST {
        let more = format!("    and {} more reasons", reasons.len() - MOST);
        text.push_str(&format!("{}\n", paint(ASIDE, more)));
    }
    text
}

fn last(run: &Run, manner: Manner) -> String {
    let totals = run.totals();
    let style = palette::of_verdict(run.verdict());
    let verdict = paint(style, words::verdict(run.verdict()));
    let methods = count(totals.methods() as u64, "method");
    let within = match totals.bounded {
        0 => String::new(),
        bounded => format!(" ({bounded} of them within the given bounds)"),
    };
    let by_verdict = format!(
        "{} safe{within}, {} unsafe, {} undecided",
        totals.safe, totals.violating, totals.undecided
    );
    let [violations, confirmed] = run.found();
    let found = match violations {
        0 => "no violation".to_owned(),
        _ => format!("{}, {confirmed} confirmed", count(violations, "violation")),
    };
    let (assumed, narrowed) = (assumed(run, manner), narrowed(run));
    format!("{verdict}: {methods}: {by_verdict}; {found}{assumed}{narrowed}\n")
}

/// How much the verdict rests on besides, and where to read it.
fn assumed(run: &Run, manner: Manner) -> String {
    let number = run.assumptions().len() as u64;
    let how = match (number, manner) {
        (0, _) => return String::new(),
        (_, Manner::Full | Manner::Verbose) => "",
        (1, _) => " (-v shows it)",
        _ => " (-v shows them)",
    };
    format!("; under {}{how}", count(number, "assumption"))
}

/// What was looked for, if that is less than by default, and who said so.
fn narrowed(run: &Run) -> String {
    let Some(by) = run.narrowed_by() else { return String::new() };
    let kinds = words::looked_for(&run.config).join(", ");
    format!("; looked only for {kinds} ({})", one_line(by))
}
