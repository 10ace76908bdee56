//! What several tests need: JDKs, compiled sources, programs made of them.

use dalang_classes::path::{ClassPath, Jdk, Library, compile};
use dalang_classes::{ClassId, MethodId, Program};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Every JDK of this machine; at least one, or the test fails.
pub fn jdks() -> Vec<Jdk> {
    let mut jdks = Jdk::installed();
    if let Ok(chosen) = Jdk::find(None)
        && !jdks.iter().any(|jdk| jdk.version == chosen.version)
    {
        jdks.push(chosen);
    }
    assert!(!jdks.is_empty(), "no JDK found: these tests cannot do without one");
    jdks
}

/// The JDK that compiles and whose library is used: the oldest, so that more machines agree.
pub fn jdk() -> Jdk {
    let jdk = jdks().into_iter().find(|jdk| jdk.feature >= 17 && jdk.javac().is_some());
    let jdk = jdk.expect("no JDK 17 or later with a compiler found");
    eprintln!("using JDK {} in {}", jdk.version, jdk.home.display());
    jdk
}

/// Compiled sources, kept as long as this is.
pub struct Compiled {
    pub jdk: Jdk,
    folder: TempDir,
}

impl Compiled {
    pub fn classes(&self) -> PathBuf {
        self.folder.path().join("classes")
    }

    pub fn program(&self) -> Program {
        let path = ClassPath::open(&[self.classes()], self.jdk.feature).unwrap();
        Program::new(Library::open(&self.jdk).unwrap(), path).unwrap()
    }

    pub fn class_file(&self, class: &str) -> PathBuf {
        self.classes().join(format!("{class}.class"))
    }

    pub fn bytes(&self, class: &str) -> Vec<u8> {
        fs::read(self.class_file(class)).unwrap()
    }
}

/// Compiles sources, given as file name and text, all at once.
pub fn compiled(sources: &[(&str, &str)]) -> Compiled {
    let compiled = Compiled { jdk: jdk(), folder: TempDir::new().unwrap() };
    compiled.add(sources);
    compiled
}

impl Compiled {
    /// Compiles more sources over what is there, as one does to break a program.
    pub fn add(&self, sources: &[(&str, &str)]) {
        let source = TempDir::new().unwrap();
        let paths: Vec<PathBuf> =
            sources.iter().map(|(name, text)| write(source.path(), name, text)).collect();
        compile(&self.jdk, &paths, &[self.classes()], &self.classes()).unwrap();
    }
}

pub fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

/// A method by name and descriptor, declared in the class itself.
pub fn method(program: &Program, class: ClassId, name: &str, descriptor: &str) -> MethodId {
    let found = program
        .names()
        .find(name)
        .zip(program.names().find(descriptor))
        .and_then(|(name, descriptor)| program.class(class).declared_method(name, descriptor));
    found.unwrap_or_else(|| panic!("no {name}{descriptor} in {}", program.class_spelling(class)))
}

/// The first method with this name.
pub fn named(program: &Program, class: ClassId, name: &str) -> MethodId {
    let mut methods = program.class(class).methods();
    let found = methods.find(|&id| program.names().text(program.method(id).name) == name);
    found.unwrap_or_else(|| panic!("no {name} in {}", program.class_spelling(class)))
}

/// The listing of a method.
pub fn listing(program: &Program, method: MethodId) -> String {
    let code = program.code(method).unwrap().unwrap();
    let class = program.class(program.method(method).class);
    code.listing(&class.pool, program.names())
}
