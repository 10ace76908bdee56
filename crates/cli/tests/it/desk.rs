//! A folder with one source file to check, and what comes out when `dalang` is run on it.

use crate::machines::{jdk, run};
use crate::process::Ended;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;

/// The sources of `dalang.Verify`.
const API: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../java/api/src");

/// A folder with a source file.
pub struct Desk {
    pub folder: TempDir,
    /// What is checked.
    target: PathBuf,
}

impl Desk {
    /// A folder with a source file of this name.
    pub fn holding(name: &str, text: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let target = folder.path().join(name);
        fs::write(&target, text).unwrap();
        Self { folder, target }
    }

    /// The same, compiled once for all that is asked of it.
    pub fn compiled(name: &str, text: &str) -> Self {
        let mut desk = Self::holding(name, text);
        let classes = desk.folder.path().join("classes");
        let mut javac = Command::new(jdk().javac().unwrap());
        javac.args(["-g", "-proc:none", "-implicit:none", "-sourcepath"]).arg(API);
        let ended = run(javac.arg("-d").arg(&classes).arg(&desk.target));
        assert_eq!(ended.code, Some(0), "{}", String::from_utf8_lossy(&ended.err));
        desk.target = classes;
        desk
    }

    /// Puts one more file into the folder.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// Runs a command on what is checked.
    pub fn on(&self, command: &str, arguments: &[&str]) -> Ended {
        let mut dalang = Command::new(env!("CARGO_BIN_EXE_dalang"));
        dalang.arg(command).arg(&self.target);
        dalang.arg("--jdk").arg(jdk().home).args(arguments);
        run(&mut dalang)
    }

    /// Runs the program that begins in a class of what was compiled.
    pub fn run(&self, class: &str) -> Ended {
        let mut dalang = Command::new(env!("CARGO_BIN_EXE_dalang"));
        dalang.args(["run", "--jdk"]).arg(jdk().home).arg("-cp").arg(&self.target);
        run(dalang.arg(class))
    }

    pub fn check(&self, arguments: &[&str]) -> Ended {
        self.on("check", arguments)
    }

    /// Runs `check` and reads the object that it prints.
    pub fn json(&self, arguments: &[&str]) -> (Value, Option<i32>) {
        let ended = self.check(&[arguments, &["--format", "json"]].concat());
        let text = String::from_utf8_lossy(&ended.out).into_owned();
        let errors = String::from_utf8_lossy(&ended.err).into_owned();
        let value = serde_json::from_str(&text);
        (value.unwrap_or_else(|error| panic!("{error}: {text}{errors}")), ended.code)
    }

    /// Runs `check` and gives what it says of the only method that was chosen.
    pub fn method(&self, arguments: &[&str]) -> Value {
        let (mut json, _) = self.json(arguments);
        let methods = json["methods"].as_array_mut().unwrap();
        assert_eq!(methods.len(), 1, "{methods:?}");
        methods.remove(0)
    }
}

/// The one message of a command that was refused.
pub fn refusal(ended: &Ended) -> String {
    let text = String::from_utf8(ended.err.clone()).unwrap();
    assert_eq!((ended.code, &*ended.out), (Some(2), &b""[..]), "{text}");
    assert!(text.starts_with("dalang: ") || text.starts_with("error: "), "{text}");
    assert!(!text.contains("panicked"), "{text}");
    text
}

/// The kinds of the stops of a method.
pub fn stops(method: &Value) -> Vec<&str> {
    method["stops"].as_array().unwrap().iter().map(|stop| stop["kind"].as_str().unwrap()).collect()
}
