//! A virtual machine as the judge of class files: whether it links them.

use dalang_classes::path::{Jdk, compile};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const SOURCE: &str = include_str!("Judge.java");

/// A JDK's `java`, with the program that it runs.
pub struct Judge {
    jdk: Jdk,
    folder: TempDir,
}

impl Judge {
    pub fn new(jdk: Jdk) -> Result<Self, String> {
        let folder = TempDir::new().map_err(|error| error.to_string())?;
        let source = folder.path().join("Judge.java");
        fs::write(&source, SOURCE).map_err(|error| error.to_string())?;
        compile(&jdk, &[source], &[], folder.path()).map_err(|error| error.to_string())?;
        Ok(Self { jdk, folder })
    }

    /// What `java` says of each class: nothing, if it links it, or an error. Classes are given by
    /// their Java names and files; others are looked for in the folders.
    pub fn judge(
        &self,
        folders: &[PathBuf],
        cases: &[(String, PathBuf)],
    ) -> Result<Vec<Option<String>>, String> {
        let mut command = Command::new(self.jdk.home.join("bin/java"));
        command.arg("-cp").arg(self.folder.path()).arg("Judge").args(folders);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.map_err(|error| format!("java cannot be run: {error}"))?;
        let lines = cases.iter().map(|(name, file)| format!("{name} {}\n", file.display()));
        let list: String = lines.collect();
        let mut input = child.stdin.take().ok_or("java has no standard input")?;
        // It reads in pieces while it answers, so somebody else has to write.
        let writer = std::thread::spawn(move || input.write_all(list.as_bytes()));
        let output = child.wait_with_output().map_err(|error| error.to_string())?;
        if writer.join().is_err() || !output.status.success() {
            return Err(format!("java did not judge the classes: {}", output.status));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let said = |line: &str| (line != "fine").then(|| line.to_owned());
        let answers: Vec<Option<String>> = text.lines().map(said).collect();
        if answers.len() != cases.len() {
            return Err(format!("java judged {} of {} classes", answers.len(), cases.len()));
        }
        Ok(answers)
    }
}
