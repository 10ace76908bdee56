//! Text for people who need not know what symbolic execution is.
//!
//! A method's part comes first for each violation, with the input that shows it; then one line with
//! the verdict, or some lines on what was explored and what was not. A summary ends the text.

mod coverage;
mod finding;
mod outcomes;
mod summary;

pub use finding::finding;
pub use summary::summary;

use crate::palette::{self, paint};
use crate::run::{Earlier, defects, is_bounded};
use crate::signature::method_spelling;
use crate::words;
use dalang_explore::{Config, Exploration, Verdict};

/// How much is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Nothing but what is wrong.
    Quiet,
    /// One line for each method, and what is wrong.
    Brief,
    /// What was explored of each method, and what was not.
    Full,
    /// The same, and every path.
    Verbose,
}

/// What was found out about a method.
pub fn method(method: &Exploration, config: &Config, manner: Manner) -> String {
    let mut text = String::new();
    for violation in &method.violations {
        text.push_str(&finding(violation, method));
    }
    for defect in defects(method) {
        text.push_str(&summary::defect(&defect));
    }
    match manner {
        Manner::Quiet => {}
        Manner::Brief => text.push_str(&line(method, config)),
        Manner::Full => text.push_str(&coverage::account(method, config)),
        Manner::Verbose => {
            text.push_str(&coverage::account(method, config));
            text.push_str(&outcomes::outcomes(method));
        }
    }
    text
}

/// What an earlier run has found out about a method, in one line.
pub fn earlier(earlier: &Earlier) -> String {
    let verdict = words::verdict(earlier.verdict);
    let verdict = paint(palette::of_verdict(earlier.verdict), format!("{verdict:<9}"));
    let name = method_spelling(&earlier.method);
    let paths = words::count(earlier.paths, "path");
    let violations = match earlier.violations {
        0 => String::new(),
        number => format!(", {}", words::count(number as u64, "violation")),
    };
    format!("{verdict} {name}: {paths}{violations}, as found before\n")
}

/// One line: the verdict, the method, and what there is to say.
fn line(method: &Exploration, config: &Config) -> String {
    let verdict = words::verdict(method.verdict);
    let verdict = paint(palette::of_verdict(method.verdict), format!("{verdict:<9}"));
    let name = method_spelling(&method.method);
    let paths = words::count(method.paths.completed(), "path");
    let mut text = format!("{verdict} {name}: {paths}");
    if !method.violations.is_empty() {
        let violations = words::count(method.violations.len() as u64, "violation");
        let open = if method.verdict == Verdict::Unsafe { "" } else { " not executed again" };
        text.push_str(&format!(", {violations}{open}"));
    }
    if method.unreachable {
        text.push_str(&format!("; {}", words::unreachable(method)));
    }
    if method.paths.diverging > 0 {
        text.push_str(&format!(", {} without an end", method.paths.diverging));
    }
    if let Some(first) = method.stops.iter().max_by_key(|stop| stop.count) {
        let reason = words::because(first.kind, &first.detail, config);
        let more = method.stops.len() - 1;
        let more = if more == 0 {
            String::new()
        } else {
            format!(" (and {})", words::count(more as u64, "other reason"))
        };
        let within = if is_bounded(method) { " within the given bounds" } else { "" };
        text.push_str(&format!("{within}; {} given up: {reason}{more}", method.paths.stopped));
    }
    if !method.assumptions.is_empty() {
        let assumptions = words::count(method.assumptions.len() as u64, "assumption");
        text.push_str(&format!("; {assumptions}"));
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests;
