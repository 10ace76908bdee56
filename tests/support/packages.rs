//! Libraries that nobody here wrote, as Debian packages them. They are found, or installed, or the
//! test fails: a comparison that silently did not happen would be worth nothing.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// The jars, and the packages that they come in.
pub const LIBRARIES: [(&str, &str); 5] = [
    ("bcel", "libbcel-java"),
    ("commons-collections4", "libcommons-collections4-java"),
    ("commons-lang3", "libcommons-lang3-java"),
    ("gson", "libgoogle-gson-java"),
    ("guava", "libguava-java"),
];

/// Where Debian's packages put jars.
const FOLDER: &str = "/usr/share/java";

/// A library; installed with apt if it is not here and we may.
#[allow(dead_code, reason = "whoever includes this file takes what it needs")]
pub fn find(name: &str) -> PathBuf {
    look_for(name).unwrap_or_else(|why| panic!("{why}"))
}

/// A library, or why there is none.
pub fn look_for(name: &str) -> Result<PathBuf, String> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock();
    let Some((_, package)) = LIBRARIES.iter().find(|(jar, _)| *jar == name) else {
        return Err(format!("nobody knows the package of {name}.jar"));
    };
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
    let tried = format!("as root, `apt-get install {package}` was tried");
    Err(format!("there is no {} ({tried}; it is needed here)", jar.display()))
}
