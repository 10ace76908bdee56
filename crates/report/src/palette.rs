//! The colours of texts. Whoever prints them strips the codes where they are not wanted.

use anstyle::{AnsiColor, Style};
use dalang_explore::Verdict;
use std::fmt::Display;

/// Where something is.
pub const PLACE: Style = Style::new().bold();
/// What went wrong.
pub const WRONG: Style = AnsiColor::Red.on_default().bold();
/// What is all right.
pub const RIGHT: Style = AnsiColor::Green.on_default().bold();
/// What is not known.
pub const OPEN: Style = AnsiColor::Yellow.on_default().bold();
/// What is said beside.
pub const ASIDE: Style = Style::new().dimmed();

/// The text in a style.
pub fn paint(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// The style of a verdict.
pub const fn of_verdict(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Safe => RIGHT,
        Verdict::Undecided => OPEN,
        Verdict::Unsafe => WRONG,
    }
}
