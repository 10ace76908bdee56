//! The project's Java programs, and what they say of themselves in their first lines.
//!
//! `tests/fixtures/<area>/<Case>.java` begins with lines like `//@ jdk: 17`. The tests of several
//! crates include this file. A directive that nobody knows is refused: misspelt, it would be lost.

use std::fs;
use std::path::{Path, PathBuf};

/// One program.
#[allow(dead_code, reason = "each test takes what it needs of this file")]
pub struct Fixture {
    /// The source file.
    pub path: PathBuf,
    /// The class with `main`, after which the file is named.
    pub name: String,
    /// The whole source.
    pub text: String,
    /// The oldest JDK that it can be compiled and run with.
    pub jdk: u16,
    /// How it ends.
    pub exit: i32,
    /// Whether we may give up on it, saying why.
    pub may_stop: bool,
    /// The library that it needs, as Debian names the file.
    pub jar: Option<String>,
    /// Replaced methods of the JDK that it calls, such as `java.lang.Math.max(II)I`.
    pub replaces: Vec<String>,
}

impl Fixture {
    fn read(path: PathBuf) -> Self {
        let text = fs::read_to_string(&path).expect("a fixture can be read");
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned();
        let (mut exit, mut may_stop, mut jar, mut replaces) = (0, false, None, Vec::new());
        let mut jdk = None;
        for directive in text.lines().filter_map(|line| line.strip_prefix("//@ ")) {
            let (key, value) = directive.split_once(':').unwrap_or((directive, ""));
            let value = value.trim();
            let number = || value.parse().unwrap_or_else(|_| panic!("{name}: {directive}"));
            match key.trim() {
                "jdk" => jdk = Some(number()),
                "exit" => exit = i32::from(number()),
                "may-stop" => may_stop = true,
                "jar" => jar = Some(value.to_owned()),
                "replaces" => replaces.push(value.to_owned()),
                _ => panic!("{}: nobody knows the directive `{directive}`", path.display()),
            }
        }
        let jdk = jdk.unwrap_or_else(|| panic!("{} names no JDK", path.display()));
        Self { path, name, text, jdk, exit, may_stop, jar, replaces }
    }
}

/// The programs of an area, by name.
pub fn fixtures(area: &str) -> Vec<Fixture> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures").join(area);
    let entries = fs::read_dir(&folder).expect("the area is a folder");
    let paths = entries.map(|entry| entry.expect("the folder can be listed").path());
    let sources = paths.filter(|path| path.extension().is_some_and(|end| end == "java"));
    let mut fixtures: Vec<Fixture> = sources.map(Fixture::read).collect();
    fixtures.sort_by(|a, b| a.name.cmp(&b.name));
    fixtures
}
