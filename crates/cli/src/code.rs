//! Exit codes.

use dalang_explore::Verdict;
use dalang_report::Run;
use std::process::ExitCode;

/// Every method was decided, and nothing is wrong.
const SAFE: u8 = 0;
/// Something is wrong with the program.
const VIOLATED: u8 = 1;
/// Something is wrong with what was typed, or with a file.
pub const USAGE: u8 = 2;
/// Something is not known.
pub const UNDECIDED: u8 = 3;
/// Something is wrong with dalang.
pub const DEFECT: u8 = 4;

/// Nobody reads the results any more: what a program ends with that a closed pipe kills.
pub const UNREAD: u8 = 141;

/// The code of a run, or of several. A violation that nothing speaks against outweighs all, then
/// comes a defect of ours: nothing else that we say is worth more than our being wrong.
pub fn of(runs: &[Run]) -> ExitCode {
    let any = |what: &dyn Fn(&Run) -> bool| runs.iter().any(what);
    ExitCode::from(if any(&|run| run.is_violated()) {
        VIOLATED
    } else if any(&|run| !run.defects().is_empty()) {
        DEFECT
    } else if any(&|run| run.verdict() != Verdict::Safe) {
        UNDECIDED
    } else {
        SAFE
    })
}
