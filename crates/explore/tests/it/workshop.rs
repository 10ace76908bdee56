//! What several tests need: compiled sources, and programs made of them.

use dalang_classes::path::{ClassPath, Jdk, Library, compile};
use dalang_classes::{ClassId, Program};
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, Weak};
use tempfile::TempDir;

/// The JDK that compiles and whose library is used: the oldest, so that more machines agree.
pub fn jdk() -> Jdk {
    let mut jdks = Jdk::installed();
    jdks.extend(Jdk::find(None).ok());
    let jdk = jdks.into_iter().find(|jdk| jdk.feature >= 17 && jdk.javac().is_some());
    jdk.expect("no JDK 17 or later with a compiler found")
}

/// Compiled sources, kept as long as this is.
pub struct Compiled {
    pub jdk: Jdk,
    folder: TempDir,
}

impl Compiled {
    /// Compiles sources, given as file name and text, all at once.
    pub fn new(sources: &[(String, String)]) -> Self {
        let compiled = Self { jdk: jdk(), folder: TempDir::new().unwrap() };
        let folder = compiled.folder.path().join("sources");
        fs::create_dir_all(&folder).unwrap();
        let write = |(name, text): &(String, String)| {
            let path = folder.join(name);
            fs::write(&path, text).unwrap();
            path
        };
        let paths: Vec<PathBuf> = sources.iter().map(write).collect();
        let none: [PathBuf; 0] = [];
        compile(&compiled.jdk, &paths, &none, &compiled.classes()).unwrap();
        compiled
    }

    /// One source file.
    pub fn single(name: &str, text: &str) -> Self {
        Self::new(&[(name.to_owned(), text.to_owned())])
    }

    pub fn classes(&self) -> PathBuf {
        self.folder.path().join("classes")
    }

    pub fn program(&self) -> Program {
        let path = ClassPath::open(&[self.classes()], self.jdk.feature).unwrap();
        Program::new(Library::open(&self.jdk).unwrap(), path).unwrap()
    }
}

/// What tests of one source share while one of them is at work.
pub fn shared(place: &Mutex<Weak<Compiled>>, source: &str) -> Arc<Compiled> {
    let mut place = place.lock().unwrap();
    if let Some(compiled) = place.upgrade() {
        return compiled;
    }
    let compiled = Arc::new(Compiled::single("Uses.java", source));
    *place = Arc::downgrade(&compiled);
    compiled
}

/// Classes by name.
pub fn spelled(program: &Program, classes: &[ClassId]) -> Vec<String> {
    classes.iter().map(|&class| program.class_spelling(class)).collect()
}
