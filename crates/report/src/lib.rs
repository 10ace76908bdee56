//! What exploring methods found out, as text for people, JSON for programs, and DOT for graphs.
//!
//! Renderers take what `explore` gives and return a string; nothing here prints, opens a file, or
//! decides anything about a verdict. Text carries the escape codes of colours: whoever prints it
//! strips them where they are not wanted. Whatever came from a class file is one line by the time it
//! is in a text ([`dalang_classes::one_line`]), and cannot bring escape codes of its own.

#![allow(
    clippy::format_push_string,
    reason = "lines that are pushed are easier to read than writes whose results are dropped"
)]
#![cfg_attr(
    test,
    allow(clippy::needless_raw_string_hashes, reason = "whoever updates expectations writes them")
)]

mod diagram;
mod dot;
mod health;
mod json;
mod palette;
mod run;
#[cfg(test)]
mod sample;
mod signature;
mod table;
mod text;
mod value;
mod words;

pub use diagram::diagram;
pub use dot::dot;
pub use health::{Health, KnownJdk, KnownSolver};
pub use json::{
    Header, begin as begin_json, check as check_json, compare as compare_json, earlier,
    earlier_line, end as end_json, health as health_json, method_line,
};
pub use run::{Defect, Earlier, Run, Totals, Unloaded};
pub use signature::method_spelling;
pub use table::compare as compare_text;
pub use text::{
    Manner, earlier as earlier_text, finding as violation_text, method as method_text,
    summary as summary_text,
};
