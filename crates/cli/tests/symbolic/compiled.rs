//! Java programs, compiled and loaded.

use crate::expected::Fixture;
use dalang_classes::path::{ClassPath, Jdk, Library, compile};
use dalang_classes::{MethodId, Program};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Compiled programs.
pub struct Subjects {
    pub program: Program,
    pub intrinsics: dalang_intrinsics::Library,
    pub feature: u16,
    names: Vec<String>,
    _folder: TempDir,
}

impl Subjects {
    /// The fixtures, with the words that they say to the verifier.
    pub fn of_fixtures(fixtures: &[Fixture]) -> Self {
        let mut sources: Vec<PathBuf> = fixtures.iter().map(|f| f.path.clone()).collect();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        sources.push(root.join("java/api/src/dalang/Verify.java"));
        Self::compile(&sources)
    }

    /// Source files.
    pub fn compile(sources: &[PathBuf]) -> Self {
        let jdk = Jdk::find(None).unwrap_or_else(|error| panic!("{error}"));
        let folder = TempDir::new().unwrap();
        compile(&jdk, sources, &[], folder.path()).unwrap_or_else(|error| panic!("{error}"));
        let path = ClassPath::open(&[folder.path()], jdk.feature).unwrap();
        let names = path.classes().unwrap();
        let program = Program::new(Library::open(&jdk).unwrap(), path).unwrap();
        let intrinsics = dalang_intrinsics::Library::new();
        Self { program, intrinsics, feature: jdk.feature, names, _folder: folder }
    }

    /// The classes of one source file: the class that it is named after and what is nested in it.
    pub fn classes_of(&self, name: &str) -> Vec<String> {
        let nested = format!("{name}$");
        let own = self.names.iter().filter(|class| *class == name || class.starts_with(&nested));
        own.cloned().collect()
    }

    /// The method of a class that has this name.
    pub fn method(&self, class: &str, name: &str) -> MethodId {
        let class = self.program.load(class).unwrap();
        let mut methods = self.program.class(class).methods();
        let is_it =
            |&id: &MethodId| self.program.names().text(self.program.method(id).name) == name;
        methods.find(is_it).unwrap_or_else(|| panic!("there is no method {name}"))
    }
}
