//! What `dalang doctor` found on a machine, and what is missing.

use crate::palette::{ASIDE, OPEN, RIGHT, paint};
use dalang_classes::one_line;
use serde::Serialize;

/// A JDK that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KnownJdk {
    /// Its folder.
    pub home: String,
    /// Its version.
    pub version: String,
    /// Its compiler, if it has one.
    pub javac: Option<String>,
    /// Whether it is the one that is used unless another is named.
    pub default: bool,
}

/// A solver that dalang can use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KnownSolver {
    /// Its name on the command line.
    pub name: String,
    /// What it says of its version; none if it was not found.
    pub version: Option<String>,
}

/// What was found on a machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Health {
    /// The version of dalang.
    pub version: String,
    /// JDKs, oldest first.
    pub jdks: Vec<KnownJdk>,
    /// Why the JDK that was to be used cannot be, if so.
    pub jdk_error: Option<String>,
    /// Other solvers; the built-in one is always there.
    pub solvers: Vec<KnownSolver>,
    /// How many threads run at once.
    pub cores: usize,
    /// The memory that can be used, in bytes; none if it could not be found out.
    pub memory_bytes: Option<u64>,
}

impl Health {
    /// What is missing and what that costs, a sentence for each.
    pub fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        let used = self.jdks.iter().find(|jdk| jdk.default);
        if let Some(error) = &self.jdk_error {
            missing.push(format!("{error}. Without a JDK nothing can be analysed."));
        } else if used.is_some_and(|jdk| jdk.javac.is_none()) {
            missing.push(
                "The JDK has no javac: class files and jars can be analysed, .java files cannot."
                    .to_owned(),
            );
        }
        if self.solvers.iter().all(|solver| solver.version.is_none()) {
            missing.push(
                "No other solver was found: the built-in one decides everything, and --solver has \
                 nothing to compare it with."
                    .to_owned(),
            );
        }
        if self.memory_bytes.is_none() {
            missing
                .push("The machine's memory is not known: name a limit with --memory.".to_owned());
        }
        missing
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut text = format!("dalang {}\n\nJDKs:\n", self.version);
        for jdk in &self.jdks {
            text.push_str(&jdk_line(jdk));
        }
        if self.jdks.is_empty() {
            text.push_str("  none\n");
        }
        text.push_str("\nSolvers:\n");
        text.push_str(&format!("  {} builtin (used unless --solver names another)\n", yes()));
        for solver in &self.solvers {
            text.push_str(&solver_line(solver));
        }
        text.push_str(&format!("\nMachine:\n  {} cores", self.cores));
        if let Some(bytes) = self.memory_bytes {
            text.push_str(&format!(", {} MiB of memory", bytes >> 20));
        }
        text.push_str("\n\n");
        let missing = self.missing();
        for sentence in &missing {
            text.push_str(&format!("{} {}\n", paint(OPEN, "missing:"), one_line(sentence)));
        }
        if missing.is_empty() {
            text.push_str("Nothing is missing.\n");
        }
        text
    }
}

fn yes() -> String {
    paint(RIGHT, "yes")
}

fn jdk_line(jdk: &KnownJdk) -> String {
    let used = if jdk.default { " (used unless --jdk names another)" } else { "" };
    let javac = if jdk.javac.is_some() { "with javac" } else { "without javac" };
    let (version, home) = (one_line(&jdk.version), one_line(&jdk.home));
    format!("  {} {version} at {home}, {javac}{used}\n", yes())
}

fn solver_line(solver: &KnownSolver) -> String {
    match &solver.version {
        Some(version) => format!("  {} {}: {}\n", yes(), solver.name, one_line(version)),
        None => format!("  {} {}\n", paint(ASIDE, "no "), solver.name),
    }
}

#[cfg(test)]
mod tests {
    use super::{Health, KnownJdk, KnownSolver};
    use crate::sample::plain;
    use expect_test::expect;

    fn healthy() -> Health {
        Health {
            version: "0.1.0".to_owned(),
            jdks: vec![KnownJdk {
                home: "/opt/jdk".to_owned(),
                version: "17.0.15".to_owned(),
                javac: Some("/opt/jdk/bin/javac".to_owned()),
                default: true,
            }],
            jdk_error: None,
            solvers: ["z3", "cvc5"]
                .map(|name| KnownSolver {
                    name: name.to_owned(),
                    version: (name == "z3").then(|| "Z3 version 4.8.12".to_owned()),
                })
                .into(),
            cores: 2,
            memory_bytes: Some(24 << 30),
        }
    }

    #[test]
    fn a_healthy_machine() {
        expect![[r#"
            dalang 0.1.0

            JDKs:
              yes 17.0.15 at /opt/jdk, with javac (used unless --jdk names another)

            Solvers:
              yes builtin (used unless --solver names another)
              yes z3: Z3 version 4.8.12
              no  cvc5

            Machine:
              2 cores, 24576 MiB of memory

            Nothing is missing.
        "#]]
        .assert_eq(&plain(&healthy().text()));
    }

    #[test]
    fn what_is_missing_has_a_price() {
        let mut health = healthy();
        health.jdks[0].javac = None;
        health.solvers.clear();
        health.memory_bytes = None;
        expect![[r#"
            The JDK has no javac: class files and jars can be analysed, .java files cannot.
            No other solver was found: the built-in one decides everything, and --solver has nothing to compare it with.
            The machine's memory is not known: name a limit with --memory."#]].assert_eq(&health.missing().join("\n"));
        health.jdk_error = Some("no JDK found".to_owned());
        assert!(health.missing()[0].starts_with("no JDK found. "));
    }
}
