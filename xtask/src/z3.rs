//! Finds z3, the solver that ours is compared with, and installs it where that is possible.

use anyhow::{Context, bail};
use dalang_solver::SmtCommand;
use std::process::Command;

/// The z3 on the path, after installing Debian's package when there is none.
pub fn find_or_install() -> anyhow::Result<SmtCommand> {
    if let Ok(found) = SmtCommand::find_z3() {
        return Ok(found);
    }
    eprintln!("z3 is not installed; trying `apt-get install z3`");
    for arguments in [&["update"][..], &["install", "-y", "z3"]] {
        // Its own output would spoil what this command prints on standard output.
        let output = Command::new("apt-get").args(arguments).output();
        let output =
            output.context("z3 is missing and apt-get cannot be run: install z3 by hand")?;
        if !output.status.success() {
            bail!(
                "z3 is missing and `apt-get {}` failed: install z3 by hand\n{}",
                arguments.join(" "),
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
    Ok(SmtCommand::find_z3()?)
}
