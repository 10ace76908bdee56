//! What fixtures say of themselves: `tests/fixtures/symbolic/README.md`.

use dalang_explore::Config;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A fixture.
pub struct Fixture {
    pub path: PathBuf,
    pub name: String,
    pub method: String,
    pub verdict: String,
    /// Lines and kinds of violations.
    pub marks: BTreeSet<(u32, String)>,
    /// Complete paths by policy.
    pub paths: BTreeMap<String, u64>,
    flags: Vec<String>,
}

impl Fixture {
    fn read(path: PathBuf) -> Self {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let mut fixture = Self {
            path,
            name,
            method: String::new(),
            verdict: String::new(),
            marks: BTreeSet::new(),
            paths: BTreeMap::new(),
            flags: Vec::new(),
        };
        for (number, line) in text.lines().enumerate() {
            if let Some(directive) = line.strip_prefix("//@ ") {
                fixture.direct(directive);
            }
            if let Some((_, marks)) = line.split_once("//~ ") {
                let line = number as u32 + 1;
                fixture.marks.extend(marks.split_whitespace().map(|mark| (line, mark.to_owned())));
            }
        }
        fixture
    }

    fn direct(&mut self, directive: &str) {
        let (key, value) = directive.split_once(':').unwrap_or((directive, ""));
        let value = value.trim();
        match key.trim() {
            "method" => value.clone_into(&mut self.method),
            "verdict" => value.clone_into(&mut self.verdict),
            "args" => self.flags = value.split_whitespace().map(str::to_owned).collect(),
            "paths" => {
                for pair in value.split_whitespace() {
                    let (policy, count) = pair.split_once('=').unwrap();
                    self.paths.insert(policy.to_owned(), count.parse().unwrap());
                }
            }
            _ => panic!("{}: nobody knows the directive `{directive}`", self.path.display()),
        }
    }

    /// Sets what its flags say.
    pub fn configure(&self, config: &mut Config) {
        for pair in self.flags.chunks(2) {
            let number: u32 = pair[1].parse().unwrap();
            match &*pair[0] {
                "--loop" => config.loops = number,
                "--array" => config.array = number,
                "--string" => config.string = number,
                "--calls" => config.calls = number,
                "--k" => config.k = Some(number),
                "--n" => config.n = Some(number),
                other => panic!("{}: nobody knows the flag {other}", self.path.display()),
            }
        }
    }
}

/// All fixtures, by name.
pub fn fixtures() -> Vec<Fixture> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/symbolic");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let sources = paths.filter(|path| path.extension().is_some_and(|end| end == "java"));
    let mut all: Vec<Fixture> = sources.map(Fixture::read).collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}
