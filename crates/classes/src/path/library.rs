//! The class library of a JDK: a run-time image, jmods, or the `rt.jar` of a Java 8.
//!
//! An image is mapped, not read. Which module a package belongs to is found out when the package is
//! first asked for: no package is in two modules, so one answer holds for all its classes.

use super::archive::Archive;
use super::jdk::Jdk;
use super::{Found, Origin, class_of, directory};
use crate::error::ClassError;
use ristretto_jimage::Image;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

/// The classes that come with Java.
pub struct Library {
    store: Store,
    /// Where the JDK is, if it is more than its classes.
    home: Option<PathBuf>,
}

enum Store {
    Image(Box<Modules>),
    /// jmods, or the jars of a Java 8.
    Archives(Vec<Archive>),
}

struct Modules {
    place: Arc<Path>,
    image: Image,
    /// `java.base` first, because almost everything is there.
    names: Vec<Arc<str>>,
    /// The module of each package that was asked for; none if no module has it.
    packages: RwLock<FxHashMap<Box<str>, Option<Arc<str>>>>,
}

/// Parts of the library of a Java 8 that are not in `rt.jar`.
const JAVA_8_JARS: [&str; 4] = ["resources.jar", "jsse.jar", "jce.jar", "charsets.jar"];

impl Library {
    /// Opens the library of a JDK, in whichever form it has it.
    ///
    /// # Errors
    /// A JDK without a library, or with a damaged one.
    pub fn open(jdk: &Jdk) -> Result<Self, ClassError> {
        let lib = jdk.home.join("lib");
        let store = if lib.join("modules").is_file() {
            Store::Image(Box::new(Modules::open(&lib.join("modules"), &jdk.modules)?))
        } else if jdk.home.join("jmods/java.base.jmod").is_file() {
            Store::Archives(jmods(&jdk.home.join("jmods"))?)
        } else {
            let folders = [jdk.home.join("jre/lib"), lib];
            let folder = folders.iter().find(|folder| folder.join("rt.jar").is_file());
            let Some(folder) = folder else {
                let what = "neither lib/modules, jmods nor rt.jar is there".to_owned();
                return Err(ClassError::NotAJdk { path: jdk.home.clone(), what });
            };
            Store::Archives(java_8(folder, jdk.feature)?)
        };
        Ok(Self { store, home: Some(jdk.home.clone()) })
    }

    /// The library in the jmods of a folder, even if there is an image as well.
    ///
    /// # Errors
    /// A folder without jmods, or with a damaged one.
    pub fn from_jmods(folder: &Path) -> Result<Self, ClassError> {
        Ok(Self { store: Store::Archives(jmods(folder)?), home: None })
    }

    /// The class file for this class, in internal form.
    ///
    /// # Errors
    /// A class file that is there and cannot be read.
    pub fn find(&self, class: &str) -> Result<Option<Found>, ClassError> {
        match &self.store {
            Store::Image(modules) => Ok(modules.find(class)),
            Store::Archives(archives) => {
                let path = format!("{class}.class");
                for archive in archives {
                    if let Some(found) = archive.read(&path)? {
                        return Ok(Some(found));
                    }
                }
                Ok(None)
            }
        }
    }

    /// The file that describes a module.
    ///
    /// # Errors
    /// A file that is there and cannot be read.
    pub fn module_info(&self, module: &str) -> Result<Option<Found>, ClassError> {
        match &self.store {
            Store::Image(modules) => {
                let name = modules.names.iter().find(|name| ***name == *module);
                Ok(name.and_then(|name| modules.read(name, "module-info")))
            }
            Store::Archives(archives) => {
                let own = |archive: &&Archive| archive.module().is_some_and(|own| **own == *module);
                match archives.iter().find(own) {
                    Some(archive) => archive.read("module-info.class"),
                    None => Ok(None),
                }
            }
        }
    }

    /// A file that is beside the classes of a module.
    ///
    /// # Errors
    /// A file that is there and cannot be read.
    pub fn resource(&self, module: &str, path: &str) -> Result<Option<Vec<u8>>, ClassError> {
        match &self.store {
            Store::Image(modules) => modules.resource(&format!("/{module}/{path}")),
            Store::Archives(archives) => {
                let own = |archive: &&Archive| match archive.module() {
                    Some(own) => **own == *module,
                    None => module == "java.base",
                };
                for archive in archives.iter().filter(own) {
                    if let Some(found) = archive.read(path)? {
                        return Ok(Some(found.bytes));
                    }
                }
                Ok(None)
            }
        }
    }

    /// A file of the JDK that its library counts on, by its path from the JDK's folder. No other
    /// file is given.
    pub fn file(&self, path: &str) -> Option<Vec<u8>> {
        const READ: [&str; 2] = ["lib/tzdb.dat", "conf/security/java.security"];
        let home = self.home.as_ref().filter(|_| READ.contains(&path))?;
        std::fs::read(home.join(path)).ok()
    }

    /// Whether the JDK has a file, by its path from the JDK's folder.
    pub fn has_file(&self, path: &str) -> bool {
        self.home.as_ref().is_some_and(|home| home.join(path).exists())
    }

    /// The names of all modules; a Java 8 has none.
    pub fn modules(&self) -> Vec<&str> {
        match &self.store {
            Store::Image(modules) => modules.names.iter().map(|name| &**name).collect(),
            Store::Archives(archives) => {
                archives.iter().filter_map(Archive::module).map(|name| &**name).collect()
            }
        }
    }

    /// The names of all classes of a module, or of all modules, in internal form, sorted. A Java 8
    /// has no modules; all of it counts as `java.base`.
    ///
    /// # Errors
    /// A damaged library.
    pub fn classes(&self, module: Option<&str>) -> Result<Vec<String>, ClassError> {
        let mut classes = match &self.store {
            Store::Image(modules) => modules.classes(module)?,
            Store::Archives(archives) => {
                let wanted = |archive: &&Archive| match (module, archive.module()) {
                    (Some(wanted), Some(own)) => wanted == own.as_ref(),
                    (Some(wanted), None) => wanted == "java.base",
                    (None, _) => true,
                };
                archives.iter().filter(wanted).flat_map(Archive::classes).collect()
            }
        };
        classes.sort_unstable();
        classes.dedup();
        Ok(classes)
    }
}

impl Modules {
    fn open(path: &Path, modules: &[String]) -> Result<Self, ClassError> {
        let image = Image::from_file(path).map_err(|error| broken(path, &error))?;
        let mut names: Vec<Arc<str>> = vec!["java.base".into()];
        if modules.is_empty() {
            for resource in &image {
                let resource = resource.map_err(|error| broken(path, &error))?;
                if !resource.module().is_empty() && names.iter().all(|n| **n != *resource.module())
                {
                    names.push(resource.module().into());
                }
            }
        }
        names
            .extend(modules.iter().filter(|name| *name != "java.base").map(|name| name[..].into()));
        Ok(Self { place: path.into(), image, names, packages: RwLock::default() })
    }

    fn find(&self, class: &str) -> Option<Found> {
        let package = class.rsplit_once('/').map_or("", |(package, _)| package);
        let known = self.packages.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = known.get(package) {
            return self.read(module.as_ref()?, class);
        }
        drop(known);
        let found = self.names.iter().find_map(|module| self.read(module, class));
        // A class that is missing from every module does not say that its package is.
        if let Some(found) = &found {
            let mut known = self.packages.write().unwrap_or_else(PoisonError::into_inner);
            known.insert(package.into(), found.origin.module.clone());
        }
        found
    }

    fn read(&self, module: &Arc<str>, class: &str) -> Option<Found> {
        let resource = self.image.get_resource(&format!("/{module}/{class}.class")).ok()?;
        let mut origin = Origin::new(&self.place);
        origin.module = Some(Arc::clone(module));
        Some(Found { bytes: resource.data().to_vec(), origin })
    }

    /// A file by the name that the image has for it.
    fn resource(&self, name: &str) -> Result<Option<Vec<u8>>, ClassError> {
        if let Ok(resource) = self.image.get_resource(name) {
            return Ok(Some(resource.data().to_vec()));
        }
        if Path::new(name).extension().is_some() {
            return Ok(None);
        }
        // The image's index is not searched for names that have no extension.
        for resource in &self.image {
            let resource = resource.map_err(|error| broken(&self.place, &error))?;
            if resource.full_name() == name {
                return Ok(Some(resource.data().to_vec()));
            }
        }
        Ok(None)
    }

    fn classes(&self, module: Option<&str>) -> Result<Vec<String>, ClassError> {
        let mut classes = Vec::new();
        for resource in &self.image {
            let resource = resource.map_err(|error| broken(&self.place, &error))?;
            let wanted = module.is_none_or(|module| module == resource.module());
            if wanted && resource.extension() == "class" {
                classes.extend(class_of(&resource.name()).map(str::to_owned));
            }
        }
        Ok(classes)
    }
}

fn jmods(folder: &Path) -> Result<Vec<Archive>, ClassError> {
    let mut paths = directory::files(folder, "jmod")?;
    // `java.base` first, because almost everything is there.
    paths.sort_by_key(|path| (!path.ends_with("java.base.jmod"), path.clone()));
    paths.iter().map(|path| Archive::jmod(path)).collect()
}

fn java_8(folder: &Path, feature: u16) -> Result<Vec<Archive>, ClassError> {
    let mut archives = vec![Archive::jar(&folder.join("rt.jar"), feature)?];
    for name in JAVA_8_JARS {
        let path = folder.join(name);
        if path.is_file() {
            archives.push(Archive::jar(&path, feature)?);
        }
    }
    Ok(archives)
}

fn broken(path: &Path, error: &ristretto_jimage::Error) -> ClassError {
    ClassError::BrokenArchive { path: path.into(), detail: error.to_string() }
}
