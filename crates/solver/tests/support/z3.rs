//! The `z3` that tests compare with. It is found, or installed, or the test fails: a comparison that
//! silently did not happen would be worth nothing.

use dalang_solver::backend::smtlib::{SmtCommand, SmtProcess};
use std::process::Command;
use std::sync::Mutex;

/// A fresh z3 process.
#[allow(dead_code, reason = "each test takes what it needs of this file")]
pub fn start() -> SmtProcess {
    SmtProcess::spawn(&find()).expect("z3 was found, so it starts")
}

/// The z3 on the path; installed with apt if there is none and we may.
pub fn find() -> SmtCommand {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock();
    SmtCommand::find_z3()
        .or_else(|_| {
            // A new machine has no package lists yet. What goes wrong shows in the next look.
            for arguments in [&["update"][..], &["install", "-y", "z3"]] {
                let _ = Command::new("apt-get").args(arguments).output();
            }
            SmtCommand::find_z3()
        })
        .unwrap_or_else(|error| {
            panic!("{error} (as root, `apt-get install z3` was tried; these tests need it)")
        })
}
