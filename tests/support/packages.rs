//! Libraries that nobody here wrote, as Debian packages them. They are found, or installed, or the
//! test fails: a comparison that silently did not happen would be worth nothing.

#[path = "obtain.rs"]
mod obtain;

use obtain::obtain;
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
pub fn find(name: &str) -> PathBuf {
    let known = LIBRARIES.iter().find(|(jar, _)| *jar == name);
    let (_, package) = known.unwrap_or_else(|| panic!("nobody knows the package of {name}.jar"));
    obtain(name, package).unwrap_or_else(|missing| panic!("{missing}"))
}
