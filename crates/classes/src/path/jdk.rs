//! Finding a JDK and reading which version it is.
//!
//! In the order that the command line documents: the one that was asked for, `$DALANG_JDK`,
//! `$JAVA_HOME`, the `java` on the path, the newest under the system's usual places. Whoever names a
//! JDK for dalang explicitly gets that one or an error, never another; what others use gives way to a
//! JDK that is new enough for the class files.

use super::read_file;
use crate::error::ClassError;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// An installed JDK.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    /// The folder that holds `bin` and `lib`.
    pub home: PathBuf,
    /// The version as the JDK writes it, such as `17.0.15`.
    pub version: String,
    /// The number that everyone calls the version, such as 17.
    pub feature: u16,
    /// The modules of the library; none for a Java 8.
    pub modules: Vec<String>,
}

/// The variable that names the JDK for dalang, and for nobody else.
const NAMED: &str = "DALANG_JDK";

/// Folders whose subfolders are JDKs, on the systems we know.
const USUAL_PLACES: [&str; 6] = [
    "/usr/lib/jvm",
    "/usr/lib64/jvm",
    "/usr/java",
    "/opt/java",
    "/opt",
    "/Library/Java/JavaVirtualMachines",
];

/// The same, below the user's own folder.
const OWN_PLACES: [&str; 3] =
    [".sdkman/candidates/java", ".jdks", "Library/Java/JavaVirtualMachines"];

impl Jdk {
    /// The JDK to use: `chosen` if given, or the first that is found.
    ///
    /// # Errors
    /// A named folder that is no JDK, or no JDK anywhere.
    pub fn find(chosen: Option<&Path>) -> Result<Self, ClassError> {
        if let Some(home) = chosen {
            return Self::at(home);
        }
        for variable in [NAMED, "JAVA_HOME"] {
            if let Some(home) = env::var_os(variable).filter(|home| !home.is_empty()) {
                return Self::at(Path::new(&home));
            }
        }
        if let Some(jdk) = on_the_path() {
            return Ok(jdk);
        }
        let mut installed = Self::installed();
        installed.pop().ok_or_else(|| {
            let places = USUAL_PLACES.join(", ");
            ClassError::NoJdk { tried: format!("DALANG_JDK, JAVA_HOME, PATH, {places}") }
        })
    }

    /// The JDK to use for class files up to this version. Where none is named for dalang, with
    /// `chosen` or `$DALANG_JDK`, and the one that would be taken is too old for them, the oldest
    /// installed one that is not takes its place, and the one that was passed over is the second.
    ///
    /// # Errors
    /// As for [`Jdk::find`].
    pub fn fitting(
        chosen: Option<&Path>,
        version: u16,
    ) -> Result<(Self, Option<Self>), ClassError> {
        let found = Self::find(chosen)?;
        if Self::is_named(chosen) || version <= found.newest_version() {
            return Ok((found, None));
        }
        let mut installed = Self::installed().into_iter();
        match installed.find(|jdk| version <= jdk.newest_version()) {
            Some(newer) => Ok((newer, Some(found))),
            None => Ok((found, None)),
        }
    }

    /// Whether one is named for dalang: then no other is used.
    pub fn is_named(chosen: Option<&Path>) -> bool {
        chosen.is_some() || env::var_os(NAMED).is_some_and(|home| !home.is_empty())
    }

    /// The newest version of class files that it runs: Java 1.1 had 45.
    pub fn newest_version(&self) -> u16 {
        self.feature.saturating_add(44)
    }

    /// The JDK in this folder.
    ///
    /// # Errors
    /// A folder that is not a JDK.
    pub fn at(home: &Path) -> Result<Self, ClassError> {
        let bundle = home.join("Contents/Home");
        let home = if bundle.is_dir() { bundle.as_path() } else { home };
        let not = |what: &str| ClassError::NotAJdk { path: home.into(), what: what.to_owned() };
        if !home.is_dir() {
            return Err(not("there is no such folder"));
        }
        let path = home.join("release");
        if !path.is_file() {
            return Err(not("there is no file `release`"));
        }
        let release = read_file(&path)?;
        let release = String::from_utf8_lossy(&release);
        let value = |key: &str| {
            let line = |line: &str| Some(line.strip_prefix(key)?.strip_prefix('=')?.to_owned());
            release.lines().find_map(line).map(|value| value.trim().trim_matches('"').to_owned())
        };
        let version = value("JAVA_VERSION").ok_or_else(|| not("`release` has no JAVA_VERSION"))?;
        let feature = feature(&version).ok_or_else(|| not("JAVA_VERSION is not a version"))?;
        let modules = value("MODULES").unwrap_or_default();
        let modules = modules.split_whitespace().map(str::to_owned).collect();
        Ok(Self { home: home.to_path_buf(), version, feature, modules })
    }

    /// Every JDK under the system's usual places, each once, oldest first.
    pub fn installed() -> Vec<Self> {
        let own = env::var_os("HOME").map(PathBuf::from);
        let own = own.iter().flat_map(|home| OWN_PLACES.iter().map(move |place| home.join(place)));
        let places = USUAL_PLACES.iter().map(PathBuf::from).chain(own);
        let mut found: Vec<Self> = places.flat_map(|place| jdks_below(&place)).collect();
        found.sort_by(|a, b| (numbers(&a.version), &a.home).cmp(&(numbers(&b.version), &b.home)));
        found.dedup_by(|a, b| a.home == b.home);
        found
    }

    /// The compiler of this JDK, if it has one.
    pub fn javac(&self) -> Option<PathBuf> {
        self.program("javac")
    }

    /// The virtual machine of this JDK, if it has one.
    pub fn java(&self) -> Option<PathBuf> {
        self.program("java")
    }

    fn program(&self, name: &str) -> Option<PathBuf> {
        let path = self.home.join("bin").join(format!("{name}{}", env::consts::EXE_SUFFIX));
        path.is_file().then_some(path)
    }
}

fn jdks_below(place: &Path) -> Vec<Jdk> {
    let folders = fs::read_dir(place).into_iter().flatten().flatten();
    // Links such as `default-java` lead to a JDK that is listed anyway.
    let homes = folders.filter_map(|folder| fs::canonicalize(folder.path()).ok());
    homes.filter_map(|home| Jdk::at(&home).ok()).filter(|jdk| jdk.java().is_some()).collect()
}

fn on_the_path() -> Option<Jdk> {
    let name = format!("java{}", env::consts::EXE_SUFFIX);
    let path = env::var_os("PATH")?;
    // A folder that depends on where we are may be a stranger's.
    let mut candidates = env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(&name));
    let java = candidates.find(|java| java.is_file())?;
    let java = fs::canonicalize(java).ok()?;
    let home = java.parent()?.parent()?;
    // The `java` of a Java 8 is in the folder `jre` of its JDK.
    Jdk::at(home).or_else(|_| Jdk::at(home.parent().unwrap_or(home))).ok()
}

fn numbers(version: &str) -> Vec<u32> {
    version.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect()
}

/// `17.0.15` is 17, and `1.8.0_392` is 8.
fn feature(version: &str) -> Option<u16> {
    let numbers = numbers(version);
    let feature = if numbers.first() == Some(&1) { numbers.get(1) } else { numbers.first() };
    feature.and_then(|&feature| u16::try_from(feature).ok())
}

#[cfg(test)]
mod tests {
    use super::{Jdk, feature, numbers};
    use crate::error::ClassError;
    use std::path::Path;

    #[test]
    fn versions() {
        assert_eq!(feature("17.0.15"), Some(17));
        assert_eq!(feature("25"), Some(25));
        assert_eq!(feature("1.8.0_392"), Some(8));
        assert_eq!(feature("9-ea"), Some(9));
        assert_eq!(feature("x"), None);
        assert!(numbers("17.0.15") > numbers("17.0.9"));
    }

    #[test]
    fn a_folder_that_is_no_jdk_is_named() {
        let error = Jdk::find(Some(Path::new("no/such/jdk"))).unwrap_err();
        assert!(
            matches!(&error, ClassError::NotAJdk { path, .. } if path.ends_with("no/such/jdk"))
        );
        assert!(error.to_string().contains("bin/"));
    }
}
