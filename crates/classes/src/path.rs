//! Where classes come from: directories, jars, class files and Javalite, and the library of a JDK.
//!
//! This folder is the only place in the crate that does I/O. It hands out bytes and looks into none
//! of them, except that a single class file has to say its own name. Entries of archives are read
//! up to a limit, whatever size they claim to have, and nothing is ever written.

mod archive;
mod child;
mod directory;
mod javac;
mod javalite;
mod jdk;
mod library;
mod reader;

pub use javac::{compile, compile_while};
pub use jdk::Jdk;
pub use library::Library;
pub use reader::read_file;

use crate::descriptor::is_class_name;
use crate::error::ClassError;
use crate::file;
use archive::Archive;
use reader::{check_ordinary, open};
use std::fmt;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where the bytes of a class were found.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The directory, archive or file.
    pub place: Arc<Path>,
    /// The module of the library that the class belongs to; none for the class path.
    pub module: Option<Arc<str>>,
}

impl Origin {
    pub(crate) fn new(place: &Arc<Path>) -> Self {
        Self { place: Arc::clone(place), module: None }
    }

    /// A class that came from no file, such as one that was made at run time.
    pub fn made() -> Self {
        Self { place: Arc::from(Path::new("made at run time")), module: None }
    }

    /// A class that no file describes and that is known all the same.
    pub(crate) fn stand_in() -> Self {
        Self { place: Arc::from(Path::new("known without a file")), module: None }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.place.display())?;
        self.module.as_ref().map_or(Ok(()), |module| write!(f, ", module {module}"))
    }
}

/// The bytes of one class file or resource.
#[derive(Clone, Debug)]
pub struct Found {
    /// The content.
    pub bytes: Vec<u8>,
    /// Where it was.
    pub origin: Origin,
}

impl Found {
    /// The class file version, if it is a class file.
    pub fn version(&self) -> Option<u16> {
        version(&*self.bytes)
    }
}

enum Entry {
    Directory(Arc<Path>),
    Archive(Archive),
    /// One class file, or one that was made of a source: the name of its class, and its content.
    File {
        class: String,
        bytes: Vec<u8>,
        place: Arc<Path>,
    },
}

/// A list of places that are searched in order.
#[derive(Default)]
pub struct ClassPath {
    entries: Vec<Entry>,
}

impl ClassPath {
    /// Opens every entry, and fails on the first that cannot be used. `feature` is the Java version
    /// whose parts of multi-release jars are seen.
    ///
    /// # Errors
    /// An entry that is missing, of the wrong kind, or damaged.
    pub fn open<P: AsRef<Path>>(entries: &[P], feature: u16) -> Result<Self, ClassError> {
        let mut path = Self::default();
        for entry in entries {
            path.add(entry.as_ref(), feature)?;
        }
        Ok(path)
    }

    /// Opens a class path as it is written on a command line. `dir/*` stands for the jars of a
    /// directory, and an empty entry for the current directory, as for `java`.
    ///
    /// # Errors
    /// An entry that is missing, of the wrong kind, or damaged.
    pub fn parse(text: &str, feature: u16) -> Result<Self, ClassError> {
        let mut path = Self::default();
        for entry in Self::entries(text)? {
            path.add(&entry, feature)?;
        }
        Ok(path)
    }

    /// The entries of a class path as it is written on a command line, none of them a pattern.
    ///
    /// # Errors
    /// A pattern in a directory that cannot be listed.
    pub fn entries(text: &str) -> Result<Vec<PathBuf>, ClassError> {
        let mut entries = Vec::new();
        for entry in std::env::split_paths(text) {
            if entry.as_os_str().is_empty() {
                entries.push(PathBuf::from("."));
            } else if entry.file_name().is_some_and(|name| name == "*") {
                let folder = entry.parent().unwrap_or(Path::new("."));
                entries.extend(directory::files(folder, "jar")?);
            } else {
                entries.push(entry);
            }
        }
        Ok(entries)
    }

    /// Puts one more entry at the end.
    ///
    /// # Errors
    /// An entry that is missing, of the wrong kind, or damaged.
    pub fn add(&mut self, entry: &Path, feature: u16) -> Result<(), ClassError> {
        let Ok(metadata) = fs::metadata(entry) else {
            return Err(ClassError::Missing { path: entry.into() });
        };
        if !metadata.is_dir() {
            check_ordinary(entry)?;
        }
        let extension = entry.extension().and_then(|extension| extension.to_str());
        self.entries.push(if metadata.is_dir() {
            Entry::Directory(entry.into())
        } else if extension == Some("class") {
            single(entry)?
        } else if extension == Some("jar") || extension == Some("zip") || is_zip(entry) {
            Entry::Archive(Archive::jar(entry, feature)?)
        } else {
            return Err(ClassError::NotAnEntry { path: entry.into() });
        });
        Ok(())
    }

    /// Puts another list at the end.
    pub fn append(&mut self, other: Self) {
        self.entries.extend(other.entries);
    }

    /// The first class file for this class, in internal form (`a/b/C`).
    ///
    /// # Errors
    /// A class file that is there and cannot be read.
    pub fn find(&self, class: &str) -> Result<Option<Found>, ClassError> {
        for entry in &self.entries {
            let found = match entry {
                Entry::File { class: own, bytes, place } if own == class => {
                    Some(Found { bytes: bytes.clone(), origin: Origin::new(place) })
                }
                Entry::File { .. } => None,
                _ => entry.resource(&format!("{class}.class"))?,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The first file with this path below an entry, such as `messages.properties`.
    ///
    /// # Errors
    /// A file that is there and cannot be read.
    pub fn resource(&self, path: &str) -> Result<Option<Found>, ClassError> {
        for entry in &self.entries {
            if let Some(found) = entry.resource(path)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The highest class file version among so many classes of each entry; 0 if there is none. What
    /// cannot be read is left to whoever needs it.
    pub fn newest_version(&self, most: usize) -> u16 {
        let newest = |entry: &Entry| match entry {
            Entry::Directory(place) => directory::newest_version(place, most),
            Entry::Archive(archive) => archive.newest_version(most),
            Entry::File { bytes, .. } => version(&**bytes).unwrap_or(0),
        };
        self.entries.iter().map(newest).max().unwrap_or(0)
    }

    /// The names of all classes that can be found, in internal form, sorted, each once. Descriptions
    /// of modules and packages are not classes.
    ///
    /// # Errors
    /// A directory that cannot be listed.
    pub fn classes(&self) -> Result<Vec<String>, ClassError> {
        let mut classes = Vec::new();
        for entry in &self.entries {
            match entry {
                Entry::Directory(place) => classes.extend(directory::classes(place)?),
                Entry::Archive(archive) => classes.extend(archive.classes()),
                Entry::File { class, .. } => classes.push(class.clone()),
            }
        }
        classes.sort_unstable();
        classes.dedup();
        Ok(classes)
    }
}

impl Entry {
    fn resource(&self, path: &str) -> Result<Option<Found>, ClassError> {
        match self {
            Self::Directory(place) => directory::read(place, path),
            Self::Archive(archive) => archive.read(path),
            Self::File { .. } => Ok(None),
        }
    }
}

fn single(path: &Path) -> Result<Entry, ClassError> {
    let bytes = read_file(path)?;
    let class = file::own_name(&bytes).map_err(|what| ClassError::Malformed {
        class: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        origin: path.display().to_string(),
        what,
    })?;
    Ok(Entry::File { class, bytes, place: path.into() })
}

fn is_zip(path: &Path) -> bool {
    let mut magic = [0; 4];
    open(path).is_ok_and(|mut file| file.read_exact(&mut magic).is_ok()) && magic == *b"PK\x03\x04"
}

/// The major version of a class file, which is among its first bytes.
fn version(mut source: impl Read) -> Option<u16> {
    let mut head = [0; 8];
    source.read_exact(&mut head).ok()?;
    head.starts_with(&[0xca, 0xfe, 0xba, 0xbe]).then(|| u16::from_be_bytes([head[6], head[7]]))
}

/// The class that a path below a class path entry stands for. Hostile paths such as `../A.class` and
/// `.class` stand for none: no class has such a name.
fn class_of(path: &str) -> Option<&str> {
    let class = path.strip_suffix(".class")?;
    let last = class.rsplit('/').next().unwrap_or(class);
    let is_class =
        last != "module-info" && last != "package-info" && !class.starts_with("META-INF/");
    (is_class && is_class_name(class)).then_some(class)
}
