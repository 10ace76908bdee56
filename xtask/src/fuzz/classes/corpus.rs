//! The classes that get damaged: those of the project's own Java programs, and some of `java.base`.

use super::mutate::renamed;
use anyhow::{Context, ensure};
use dalang_classes::Program;
use dalang_classes::path::{ClassPath, Jdk, Library, Origin, compile};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A sound class file.
pub struct Seed {
    pub name: String,
    pub bytes: Vec<u8>,
    /// Whether it can still be loaded under another name. Subclasses of sealed classes cannot.
    pub is_free: bool,
}

/// All sound class files, by name, and where their neighbours are found.
pub struct Corpus {
    pub jdk: Jdk,
    pub seeds: Vec<Seed>,
    /// The places in `seeds` of those that can be loaded under other names.
    pub free: Vec<usize>,
    /// The folders of the compiled programs.
    folders: Vec<PathBuf>,
    _compiled: TempDir,
}

const AREAS: [&str; 2] = ["jvms", "jdk"];

/// Of the classes of `java.base`, one in this many is taken.
const STRIDE: usize = 40;

/// Larger classes are mostly tables of data, and slow.
const MOST_BYTES: usize = 40_000;

/// What the stride might miss and should not.
const ALWAYS: [&str; 8] = [
    "java/lang/String",
    "java/lang/Thread",
    "java/lang/invoke/MethodHandle",
    "java/util/Collections",
    "java/util/HashMap",
    "java/util/List",
    "java/util/concurrent/ConcurrentHashMap$TreeBin",
    "java/util/regex/Pattern",
];

impl Corpus {
    /// Compiles the programs with the JDK that is asked for, or the first that is found.
    pub fn open(chosen: Option<&Path>) -> anyhow::Result<Self> {
        let jdk = Jdk::find(chosen)?;
        let compiled = TempDir::new()?;
        let mut seeds = Vec::new();
        let mut folders = Vec::new();
        for folder in Self::compile(&jdk, compiled.path())? {
            let path = ClassPath::open(&[&folder], jdk.feature)?;
            for name in path.classes()? {
                let found = path.find(&name)?.context("a listed class is missing")?;
                seeds.push(Seed { name, bytes: found.bytes, is_free: false });
            }
            folders.push(folder);
        }
        let library = Library::open(&jdk)?;
        let names = library.classes(Some("java.base"))?;
        let sampled = names.iter().step_by(STRIDE).map(String::as_str);
        for name in sampled.chain(ALWAYS) {
            let found = library.find(name)?;
            // Not every JDK has every class of the list.
            let Some(found) = found.filter(|found| found.bytes.len() <= MOST_BYTES) else {
                continue;
            };
            seeds.push(Seed { name: name.to_owned(), bytes: found.bytes, is_free: false });
        }
        seeds.sort_by(|a, b| (&a.name, &a.bytes).cmp(&(&b.name, &b.bytes)));
        let mut corpus = Self { jdk, seeds, free: Vec::new(), folders, _compiled: compiled };
        corpus.find_free()?;
        ensure!(corpus.free.len() > 100, "only {} classes to damage", corpus.free.len());
        Ok(corpus)
    }

    /// Compiles the project's own programs, and gives the folders that they are in then.
    pub fn compile(jdk: &Jdk, to: &Path) -> anyhow::Result<Vec<PathBuf>> {
        let mut folders = Vec::new();
        // Two areas may have a program of the same name, so each has its own folder.
        for area in AREAS {
            let folder = to.join(area);
            compile(jdk, &sources(area, jdk.feature)?, &[], &folder)?;
            folders.push(folder);
        }
        Ok(folders)
    }

    fn find_free(&mut self) -> anyhow::Result<()> {
        let program = self.program()?;
        for (place, seed) in self.seeds.iter_mut().enumerate() {
            let bytes = renamed(&seed.bytes, &format!("{}$free{place}", seed.name));
            let loaded = bytes.map(|bytes| program.define(bytes, Origin::made()));
            seed.is_free = matches!(loaded, Some(Ok(_)));
            self.free.extend(seed.is_free.then_some(place));
        }
        Ok(())
    }

    /// A program that finds the sound classes, for damaged ones to be defined in.
    pub fn program(&self) -> anyhow::Result<Program> {
        let path = ClassPath::open(&self.folders, self.jdk.feature)?;
        Ok(Program::new(Library::open(&self.jdk)?, path)?)
    }

    /// A program that finds the library, and what else is on this path.
    pub fn program_with(&self, path: ClassPath) -> anyhow::Result<Program> {
        Ok(Program::new(Library::open(&self.jdk)?, path)?)
    }
}

/// The programs of an area that this version of Java can compile, in order.
fn sources(area: &str, feature: u16) -> anyhow::Result<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures").join(area);
    let mut sources = Vec::new();
    let entries = fs::read_dir(&folder);
    for entry in entries.with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "java") {
            continue;
        }
        let text = fs::read_to_string(&path)?;
        let needed = text.lines().find_map(|line| line.strip_prefix("//@ jdk: "));
        let needed = needed.with_context(|| format!("{} names no JDK", path.display()))?;
        if needed.trim().parse::<u16>()? <= feature {
            sources.push(path);
        }
    }
    sources.sort();
    Ok(sources)
}

#[cfg(test)]
pub mod tests {
    use super::Corpus;
    use std::sync::OnceLock;

    /// One corpus for all tests, because javac takes its time.
    pub fn corpus() -> &'static Corpus {
        static CORPUS: OnceLock<Corpus> = OnceLock::new();
        CORPUS.get_or_init(|| Corpus::open(None).expect("a JDK 17 or later is required"))
    }

    #[test]
    fn both_sorts_of_classes_are_there() {
        let has = |name: &str| corpus().seeds.iter().any(|seed| seed.name == name);
        assert!(has("java/util/HashMap") && has("TryFinally") && has("HashMapOps"));
        assert!(corpus().free.len() > corpus().seeds.len() / 2);
        assert!(corpus().free.len() < corpus().seeds.len(), "no sealed classes?");
    }
}
