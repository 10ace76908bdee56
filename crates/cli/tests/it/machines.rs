//! The two machines: `java` of some JDK, and `dalang` with the library of the same JDK.

use crate::process::{self, Ended};
use dalang_classes::path::Jdk;
use std::env;
use std::path::PathBuf;
use std::process::Command;

/// Every JDK of this machine that can run programs; at least one with a compiler, or the test fails.
pub fn jdks() -> Vec<Jdk> {
    let mut jdks = Jdk::installed();
    if let Ok(chosen) = Jdk::find(None)
        && !jdks.iter().any(|jdk| jdk.version == chosen.version)
    {
        jdks.push(chosen);
    }
    jdks.retain(|jdk| jdk.feature >= 17 && jdk.java().is_some());
    assert!(
        jdks.iter().any(|jdk| jdk.javac().is_some()),
        "no JDK 17 or later with `java` and `javac` found: these tests cannot do without one"
    );
    jdks
}

/// The oldest JDK with a compiler.
pub fn jdk() -> Jdk {
    jdks().into_iter().find(|jdk| jdk.javac().is_some()).unwrap()
}

/// What `java` is always told: messages that are made up from bytecode are no part of Java.
pub const JAVA_FLAGS: [&str; 1] = ["-XX:-ShowCodeDetailsInExceptionMessages"];

/// A command that runs programs with `java`.
pub fn java(jdk: &Jdk, class_path: &[PathBuf]) -> Command {
    let mut command = Command::new(jdk.java().unwrap());
    command.args(JAVA_FLAGS).arg("-cp").arg(env::join_paths(class_path).unwrap());
    command
}

/// A command that runs programs with `dalang`.
pub fn dalang(jdk: &Jdk, class_path: &[PathBuf]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dalang"));
    command.arg("run").arg("--jdk").arg(&jdk.home);
    command.arg("-cp").arg(env::join_paths(class_path).unwrap());
    command
}

/// Runs a command that is known to end.
pub fn run(command: &mut Command) -> Ended {
    process::run(command, b"").unwrap_or_else(|| panic!("{command:?} does not end"))
}
