//! Libraries that nobody here wrote, as Debian packages them. They are found, or installed, or the
//! test fails: a comparison that silently did not happen would be worth nothing.

#[path = "obtain.rs"]
mod obtain;

#[allow(unused_imports, reason = "whoever includes this file takes what it needs")]
pub use obtain::obtain;
use std::path::PathBuf;

/// The jars, and the packages that they come in.
pub const LIBRARIES: [(&str, &str); 5] = [
    ("bcel", "libbcel-java"),
    ("commons-collections4", "libcommons-collections4-java"),
    ("commons-lang3", "libcommons-lang3-java"),
    ("gson", "libgoogle-gson-java"),
    ("guava", "libguava-java"),
];

/// A library of the list; installed with apt if it is not here and we may.
#[allow(dead_code, reason = "whoever includes this file takes what it needs")]
pub fn find(name: &str) -> PathBuf {
    look_for(name).unwrap_or_else(|why| panic!("{why}"))
}

/// A library of the list, or why there is none.
#[allow(dead_code, reason = "whoever includes this file takes what it needs")]
pub fn look_for(name: &str) -> Result<PathBuf, String> {
    let Some((_, package)) = LIBRARIES.iter().find(|(jar, _)| *jar == name) else {
        return Err(format!("nobody knows the package of {name}.jar"));
    };
    obtain(name, package)
}
