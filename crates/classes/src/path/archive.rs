//! Jars, multi-release jars and jmods: zip files with classes in them.
//!
//! The table of contents is read once; an entry is inflated when it is asked for, up to a limit.
//! Jars within jars are not looked into, as `java` does not either.

use super::reader::{open, read_limited, unreadable};
use super::{Found, Origin, class_of, version};
use crate::error::ClassError;
use std::borrow::Cow;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use zip::ZipArchive;
use zip::result::ZipError;

/// The table of contents is looked for in all of a file, so a file must not be endless.
const MOST_ARCHIVE: u64 = 4 << 30;

const VERSIONS: &str = "META-INF/versions/";

pub(super) struct Archive {
    place: Arc<Path>,
    module: Option<Arc<str>>,
    /// What precedes every path: `classes/` in a jmod, nothing in a jar.
    prefix: &'static str,
    /// The versions of a multi-release jar that apply, newest first, as the folders that hold them.
    versions: Vec<String>,
    zip: Mutex<ZipArchive<BufReader<File>>>,
}

impl Archive {
    pub(super) fn jar(path: &Path, feature: u16) -> Result<Self, ClassError> {
        let mut archive = Self::open(path, "", None)?;
        if feature >= 9 && archive.is_multi_release()? {
            archive.versions = archive.versions_up_to(feature);
        }
        Ok(archive)
    }

    /// A jmod is a zip file behind four bytes of its own, which the search for the table of contents
    /// steps over.
    pub(super) fn jmod(path: &Path) -> Result<Self, ClassError> {
        let module = path.file_stem().map(|stem| stem.to_string_lossy().as_ref().into());
        Self::open(path, "classes/", module)
    }

    fn open(
        path: &Path,
        prefix: &'static str,
        module: Option<Arc<str>>,
    ) -> Result<Self, ClassError> {
        let file = open(path)?;
        let length = file.metadata().map_err(|error| unreadable(path, &error))?.len();
        if length > MOST_ARCHIVE {
            let origin = path.display().to_string();
            return Err(ClassError::TooLarge { origin, limit: MOST_ARCHIVE });
        }
        let zip = ZipArchive::new(BufReader::new(file)).map_err(|error| broken(path, &error))?;
        let place = Arc::from(path);
        Ok(Self { place, module, prefix, versions: Vec::new(), zip: Mutex::new(zip) })
    }

    pub(super) fn module(&self) -> Option<&Arc<str>> {
        self.module.as_ref()
    }

    pub(super) fn read(&self, path: &str) -> Result<Option<Found>, ClassError> {
        if !path.starts_with("META-INF/") {
            for version in &self.versions {
                if let Some(found) = self.read_entry(&format!("{version}{path}"))? {
                    return Ok(Some(found));
                }
            }
        }
        if self.prefix.is_empty() {
            return self.read_entry(path);
        }
        self.read_entry(&format!("{}{path}", self.prefix))
    }

    fn read_entry(&self, entry: &str) -> Result<Option<Found>, ClassError> {
        let mut zip = self.zip.lock().unwrap_or_else(PoisonError::into_inner);
        let content = match zip.by_name(entry) {
            Ok(content) => content,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(broken(&self.place, &error)),
        };
        let origin = || format!("{}!{entry}", self.place.display());
        let bytes = read_limited(content, origin, |error| ClassError::BrokenArchive {
            path: self.place.to_path_buf(),
            detail: format!("{entry}: {error}"),
        })?;
        let origin = Origin { place: Arc::clone(&self.place), module: self.module.clone() };
        Ok(Some(Found { bytes, origin }))
    }

    /// Whether the main section of the manifest says so (the sections after it do not count).
    fn is_multi_release(&self) -> Result<bool, ClassError> {
        let Some(manifest) = self.read_entry("META-INF/MANIFEST.MF")? else {
            return Ok(false);
        };
        let text = String::from_utf8_lossy(&manifest.bytes);
        let mut main = text.lines().take_while(|line| !line.is_empty());
        Ok(main.any(|line| {
            let Some((key, value)) = line.split_once(':') else { return false };
            key.eq_ignore_ascii_case("Multi-Release") && value.trim().eq_ignore_ascii_case("true")
        }))
    }

    fn versions_up_to(&self, feature: u16) -> Vec<String> {
        let zip = self.zip.lock().unwrap_or_else(PoisonError::into_inner);
        let version = |name: &str| {
            let folder = name.strip_prefix(VERSIONS)?.split('/').next()?;
            folder.parse::<u16>().ok().filter(|version| (9..=feature).contains(version))
        };
        let mut versions: Vec<u16> =
            zip.file_names().flatten().filter_map(|name| version(&name)).collect();
        versions.sort_unstable_by(|a, b| b.cmp(a));
        versions.dedup();
        versions.iter().map(|version| format!("{VERSIONS}{version}/")).collect()
    }

    /// The highest version among so many classes. Parts for newer versions of Java do not count: an
    /// older one does without them.
    pub(super) fn newest_version(&self, most: usize) -> u16 {
        let mut zip = self.zip.lock().unwrap_or_else(PoisonError::into_inner);
        let is_class = |name: &str| name.strip_prefix(self.prefix).and_then(class_of).is_some();
        let classes: Vec<String> = zip
            .file_names()
            .flatten()
            .filter(|name| is_class(name))
            .take(most)
            .map(Cow::into_owned)
            .collect();
        let versions = classes.iter().filter_map(|class| version(zip.by_name(class).ok()?));
        versions.max().unwrap_or(0)
    }

    /// The classes that can be found here, a class of a newer version among them once.
    pub(super) fn classes(&self) -> Vec<String> {
        let zip = self.zip.lock().unwrap_or_else(PoisonError::into_inner);
        let visible = |name: &str| {
            let versioned = self.versions.iter().find_map(|version| name.strip_prefix(version));
            let path = versioned.or_else(|| name.strip_prefix(self.prefix))?;
            class_of(path).map(str::to_owned)
        };
        zip.file_names().flatten().filter_map(|name| visible(&name)).collect()
    }
}

fn broken(path: &Path, error: &ZipError) -> ClassError {
    ClassError::BrokenArchive { path: path.into(), detail: error.to_string() }
}
