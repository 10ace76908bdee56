//! Jars of Debian's packages: found, or installed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// Where Debian's packages put jars.
const FOLDER: &str = "/usr/share/java";

/// A jar of a package; installed with apt if it is not here and we may.
///
/// # Errors
/// There is no such jar, not even now: what was tried.
pub fn obtain(name: &str, package: &str) -> Result<PathBuf, String> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock();
    let jar = Path::new(FOLDER).join(format!("{name}.jar"));
    if !jar.is_file() {
        // A new machine has no package lists yet. What goes wrong shows in the next look.
        let install = ["install", "-y", "--no-install-recommends", package];
        for arguments in [&["update"][..], &install] {
            let _ = Command::new("apt-get").args(arguments).output();
        }
    }
    if jar.is_file() {
        return Ok(jar);
    }
    let tried = format!("as root, `apt-get install {package}` was tried; it is needed here");
    Err(format!("there is no {} ({tried})", jar.display()))
}
