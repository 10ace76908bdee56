//! What chores work with: the programs of `subjects`, compiled, with one exploration of one of their
//! checks; and `dalang` as users get it.

use crate::account::is_callable;
use anyhow::{Context, anyhow, bail};
use dalang_classes::path::{ClassPath, Jdk, Library, compile};
use dalang_classes::{MethodId, Program};
use dalang_explore::{Config, Entry, Exploration, Explorer, StopKind, View, Watch};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The compiled subjects and their library.
pub struct Workshop {
    jdk: Jdk,
    program: Program,
    view: View,
    /// The internal names of the classes of the subjects.
    names: Vec<String>,
    intrinsics: dalang_intrinsics::Library,
    _classes: TempDir,
}

impl Workshop {
    /// Compiles the subjects with a JDK, whose library they then use.
    pub fn open(jdk: Option<&Path>) -> anyhow::Result<Self> {
        let jdk = Jdk::find(jdk)?;
        eprintln!("JDK {} in {}", jdk.version, jdk.home.display());
        let mut sources = Vec::new();
        for folder in ["subjects", "java/api"] {
            collect(&repository().join(folder), "java", &mut sources)?;
        }
        sources.sort();
        let mut lite = Vec::new();
        collect(&repository().join("subjects"), "jl", &mut lite)?;
        lite.sort();
        let classes = TempDir::new()?;
        compile(&jdk, &sources, &[], classes.path())?;
        let mut path = ClassPath::open(&[classes.path()], jdk.feature)?;
        for file in lite {
            path.add_javalite(&file)?;
        }
        let mut names = path.classes()?;
        let program = Program::new(Library::open(&jdk)?, path)?;
        let view = View::new(&program, &names, &[]);
        names.retain(|name| !name.starts_with("dalang/"));
        let intrinsics = dalang_intrinsics::Library::new();
        Ok(Self { jdk, program, view, names, intrinsics, _classes: classes })
    }

    /// What the heading of a report says about the library.
    pub fn library(&self) -> &str {
        &self.jdk.version
    }

    /// Explores a method. Stops because of the bounds on the heap are as wanted.
    pub fn explore(
        &self,
        class: &str,
        method: &str,
        config: Config,
    ) -> anyhow::Result<Exploration> {
        self.explore_method(self.method(class, method)?, config)
    }

    /// The same, for a method that is known already.
    pub fn explore_method(&self, method: MethodId, config: Config) -> anyhow::Result<Exploration> {
        let given = vec![StopKind::N, StopKind::K, StopKind::Array];
        let config = Config { given, ..config };
        let Self { jdk, program, view, intrinsics, .. } = self;
        let mut explorer = Explorer::new(program, intrinsics, view, &config, jdk.feature)?;
        Ok(explorer.explore(Entry::Method(method), &Watch::default()))
    }

    /// Every method of the subjects that others can call, constructors aside, by its name.
    pub fn methods(&self) -> anyhow::Result<Vec<(String, MethodId)>> {
        let program = &self.program;
        let mut all = Vec::new();
        for name in &self.names {
            let class = program.load(name).map_err(|failure| anyhow!("{}", failure.message))?;
            let callable = program.class(class).methods().filter(|&id| is_callable(program, id));
            all.extend(callable.map(|id| (program.method_spelling(id), id)));
        }
        all.sort();
        Ok(all)
    }

    fn method(&self, class: &str, name: &str) -> anyhow::Result<MethodId> {
        let id = self.program.load(class).map_err(|failure| anyhow!("{}", failure.message))?;
        let is_named =
            |&id: &MethodId| self.program.names().text(self.program.method(id).name) == name;
        let found = self.program.class(id).methods().find(is_named);
        found.with_context(|| format!("{class} has no method {name}"))
    }
}

fn collect(folder: &Path, wanted: &str, sources: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let context = || format!("{} cannot be read", folder.display());
    for entry in fs::read_dir(folder).with_context(context)? {
        let path = entry.with_context(context)?.path();
        if path.is_dir() {
            collect(&path, wanted, sources)?;
        } else if path.extension().is_some_and(|extension| extension == wanted) {
            sources.push(path);
        }
    }
    Ok(())
}

/// The workspace this program was built from.
pub fn repository() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_path_buf()
}

/// Builds dalang as users get it, and says where it is.
pub fn build_dalang() -> anyhow::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(repository());
    command.args(["build", "--release", "--package", "dalang-cli", "--bin", "dalang"]);
    command.args(["--message-format", "json-render-diagnostics"]);
    let output = command.stderr(Stdio::inherit()).output().context("cargo cannot be run")?;
    if !output.status.success() {
        bail!("dalang cannot be built");
    }
    // The last artifact with an executable is the program.
    let text = String::from_utf8(output.stdout).context("cargo does not print text")?;
    let executable = |line: &str| -> Option<PathBuf> {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        Some(message.get("executable")?.as_str()?.into())
    };
    text.lines().rev().find_map(executable).context("cargo does not say where dalang is")
}
