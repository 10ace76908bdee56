//! What `javac` makes of the fixtures and what `java` prints for them, kept from run to run.
//!
//! Both are kept in cargo's folder for tests, under the hash of all that they depend on: sources,
//! the version of the JDK, libraries. A changed program is never compared with an old answer.

use crate::directives::Fixture;
use crate::machines::{self, JAVA_FLAGS};
use crate::process;
use dalang_classes::path::{Jdk, compile};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempDir};

/// What a program should do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    pub out: Vec<u8>,
    pub code: i32,
}

/// Compiles programs all at once, for this JDK, and gives the folder with their classes.
pub fn classes(jdk: &Jdk, jdks: &[Jdk], fixtures: &[&Fixture], jars: &[PathBuf]) -> PathBuf {
    let needed = fixtures.iter().map(|fixture| fixture.jdk).max().unwrap();
    let compiler = compiler(jdk, jdks, needed);
    let sources: Vec<PathBuf> = fixtures.iter().map(|fixture| fixture.path.clone()).collect();
    compiled(compiler, &sources, jars)
}

/// Compiles sources all at once, and gives the folder with their classes.
pub fn compiled(compiler: &Jdk, sources: &[PathBuf], jars: &[PathBuf]) -> PathBuf {
    let key = key(&(sources, contents(sources), &compiler.version, contents(jars)));
    let folder = place("classes").join(key);
    if !folder.is_dir() {
        let fresh = TempDir::new_in(place("classes")).unwrap();
        compile(compiler, sources, jars, fresh.path()).unwrap_or_else(|error| panic!("{error}"));
        // If another run was faster, its classes are as good.
        if let Err(error) = fs::rename(fresh.path(), &folder) {
            assert!(folder.is_dir(), "{}: {error}", folder.display());
        }
    }
    folder
}

/// The JDK itself, or the oldest that understands the sources and is not newer.
fn compiler<'j>(jdk: &'j Jdk, jdks: &'j [Jdk], needed: u16) -> &'j Jdk {
    let fits =
        |other: &&Jdk| other.javac().is_some() && (needed..=jdk.feature).contains(&other.feature);
    Some(jdk)
        .filter(fits)
        .or_else(|| jdks.iter().find(fits))
        .unwrap_or_else(|| panic!("no javac from {needed} to {} found", jdk.feature))
}

/// What `java` does with a program.
///
/// # Errors
/// It does not end, or not as the program's own head says.
pub fn java(jdk: &Jdk, path: &[PathBuf], fixture: &Fixture) -> Result<Expected, String> {
    let jars = contents(&path[1..]);
    let key = key(&(&fixture.name, &fixture.text, &jdk.version, JAVA_FLAGS, jars));
    let file = place("java").join(key);
    let expected = if let Some(expected) = recall(&file) {
        expected
    } else {
        let expected = ask(jdk, path, &fixture.name)?;
        remember(&file, &expected);
        expected
    };
    if expected.code == fixture.exit {
        Ok(expected)
    } else {
        Err(format!("java ends with {}, the fixture says {}", expected.code, fixture.exit))
    }
}

fn ask(jdk: &Jdk, path: &[PathBuf], class: &str) -> Result<Expected, String> {
    let ended = process::run(machines::java(jdk, path).arg(class), b"");
    let ended = ended.ok_or("java does not end")?;
    match ended.code {
        Some(code) => Ok(Expected { code, out: ended.out }),
        None => Err(format!("java was killed: {}", String::from_utf8_lossy(&ended.err))),
    }
}

/// The exit code on a line, then the output as it was.
fn remember(file: &Path, expected: &Expected) {
    let mut fresh = NamedTempFile::new_in(file.parent().unwrap()).unwrap();
    writeln!(fresh, "{}", expected.code).unwrap();
    fresh.write_all(&expected.out).unwrap();
    fresh.persist(file).unwrap();
}

fn recall(file: &Path) -> Option<Expected> {
    let bytes = fs::read(file).ok()?;
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let code = std::str::from_utf8(&bytes[..end]).ok()?.parse().ok()?;
    Some(Expected { code, out: bytes[end + 1..].to_vec() })
}

fn place(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn contents(files: &[PathBuf]) -> Vec<u64> {
    let hash = |file: &PathBuf| hash(&fs::read(file).unwrap());
    files.iter().map(hash).collect()
}

fn key(content: &impl Hash) -> String {
    format!("{:016x}", hash(content))
}

/// The same in every run: this hasher has no random seed.
fn hash(content: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    hasher.finish()
}

#[test]
fn what_is_remembered_comes_back() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("some");
    assert_eq!(recall(&file), None);
    for out in [&b""[..], b"\n", b"a\nb", b"\xff\n\n"] {
        let expected = Expected { code: 255, out: out.to_vec() };
        remember(&file, &expected);
        assert_eq!(recall(&file), Some(expected));
    }
}
