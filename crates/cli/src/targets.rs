//! Targets: from what the user names to a program, and to the names of the classes to analyse.

use crate::interrupt;
use crate::scratch::Scratch;
use anyhow::{Context, bail};
use dalang_classes::Program;
use dalang_classes::path::{ClassPath, Jdk, Library, compile_while, read_file};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The class by which programs talk to us, for sources that mention it: it need not be on any path.
const VERIFY: &str = include_str!("../../../java/api/src/dalang/Verify.java");

/// A program to analyse.
pub struct Target {
    pub program: Program,
    pub jdk: Jdk,
    /// The internal names of the target's own classes, sorted.
    pub own: Vec<String>,
    /// Those of the rest of the class path.
    pub rest: Vec<String>,
    /// Own classes of programs that say what they begin with, and which of their methods are
    /// explored unless others are named: the entry, and none of the other classes.
    pub entries: BTreeMap<String, Vec<String>>,
    /// The folder that sources were compiled into lives as long as this.
    _folder: Scratch,
}

impl Target {
    /// Compiles what is source, and opens the rest.
    ///
    /// # Errors
    /// Anything that is missing, cannot be read, or is refused by the compiler; no class at all.
    pub fn open(jdk: Jdk, targets: &[PathBuf], class_path: Option<&str>) -> anyhow::Result<Self> {
        let folder = Scratch::new("compiled classes")?;
        let (lite, others): (Vec<PathBuf>, Vec<PathBuf>) =
            targets.iter().cloned().partition(|target| is_javalite(target));
        let (sources, binaries): (Vec<PathBuf>, Vec<PathBuf>) =
            others.into_iter().partition(|target| is_source(target));
        let mut path = ClassPath::default();
        if !sources.is_empty() {
            let given = class_path.map_or_else(|| Ok(Vec::new()), ClassPath::entries)?;
            let entries: Vec<PathBuf> = binaries.iter().cloned().chain(given).collect();
            path.add(&compiled(&jdk, &sources, &entries, folder.path())?, jdk.feature)?;
        }
        for binary in &binaries {
            path.add(binary, jdk.feature)?;
        }
        let entries = translated(&lite, &mut path)?;
        let mut own = path.classes()?;
        own.retain(|class| !is_ours(class));
        if own.is_empty() {
            bail!("{}", nothing(targets));
        }
        let mut others = ClassPath::default();
        for root in binaries.iter().filter_map(|binary| root(binary, &own)) {
            others.add(&root, jdk.feature)?;
        }
        if let Some(given) = class_path {
            others.append(ClassPath::parse(given, jdk.feature)?);
        }
        let mut rest = others.classes()?;
        rest.retain(|class| own.binary_search(class).is_err());
        path.append(others);
        let program = Program::new(Library::open(&jdk)?, path)?;
        Ok(Self { program, jdk, own, rest, entries, _folder: folder })
    }
}

/// Whether a target is Java source.
pub fn is_source(target: &Path) -> bool {
    target.extension().is_some_and(|extension| extension == "java")
}

/// Whether a target is a program in Javalite.
pub fn is_javalite(target: &Path) -> bool {
    target.extension().is_some_and(|extension| extension == "jl")
}

/// Puts Javalite programs on a path, each of which must have classes of its own.
fn translated(
    files: &[PathBuf],
    path: &mut ClassPath,
) -> anyhow::Result<BTreeMap<String, Vec<String>>> {
    let mut entries: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files {
        let mut added = ClassPath::default();
        let unit = added.add_javalite(file)?;
        for (class, _) in &unit.classes {
            if let Some(other) = path.find(class)? {
                let (file, place) = (file.display(), other.origin);
                bail!("{file}: class {class} is in {place} as well; rename one, or check one file");
            }
        }
        path.append(added);
        if let Some((first, method)) = unit.entry {
            for (class, _) in unit.classes {
                let methods = entries.entry(class.clone()).or_default();
                methods.extend((class == first).then(|| method.clone()));
            }
        }
    }
    Ok(entries)
}

/// What is understood by name is not analysed.
fn is_ours(class: &str) -> bool {
    class == "dalang/Verify" || class.starts_with("dalang/Verify$")
}

/// The folder of classes that `javac` made of sources.
fn compiled(
    jdk: &Jdk,
    sources: &[PathBuf],
    entries: &[PathBuf],
    folder: &Path,
) -> anyhow::Result<PathBuf> {
    let mut sources = sources.to_vec();
    let mut mentioned = false;
    for source in &sources {
        let text = read_file(source)?;
        mentioned |= String::from_utf8_lossy(&text).contains("dalang.Verify");
    }
    let given = sources.iter().any(|source| source.ends_with("dalang/Verify.java"));
    if mentioned && !given {
        let verify = folder.join("dalang/Verify.java");
        fs::create_dir_all(folder.join("dalang")).context("no room for sources")?;
        fs::write(&verify, VERIFY).context("no room for sources")?;
        sources.push(verify);
    }
    let classes = folder.join("classes");
    compile_while(jdk, &sources, entries, &classes, &|| !interrupt::is_pressed())?;
    Ok(classes)
}

/// The folder that a single class file is at its place in: its neighbours are found there.
fn root(file: &Path, own: &[String]) -> Option<PathBuf> {
    if file.extension()? != "class" {
        return None;
    }
    let file = fs::canonicalize(file).ok()?;
    let is_here = |class: &&String| file.ends_with(format!("{class}.class"));
    let class = own.iter().find(is_here)?;
    file.ancestors().nth(class.split('/').count()).map(Path::to_path_buf)
}

fn nothing(targets: &[PathBuf]) -> String {
    let names: Vec<String> = targets.iter().map(|target| target.display().to_string()).collect();
    let names = names.join(", ");
    let has_sources = |target: &PathBuf| {
        let entries = fs::read_dir(target).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).any(|path| is_source(&path) || is_javalite(&path))
    };
    if targets.iter().any(has_sources) {
        return format!(
            "{names}: no class there, but sources; name the .java files (or .jl files) themselves"
        );
    }
    format!("{names}: no class there to analyse")
}
