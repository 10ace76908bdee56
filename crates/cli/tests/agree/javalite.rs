//! Random Javalite programs: all are read, checked and explored, every path's witness goes its way,
//! the papers' machine gives the same on it, and a JVM accepts what they are translated to.

pub mod generate;
mod machine;

use dalang_classes::javalite::compile;
use dalang_classes::path::{ClassPath, Jdk, Library};
use dalang_classes::{MethodId, Program};
use dalang_explore::{Config, Entry, Explorer, Replay, StopKind, View, Watch, Witness};
use dalang_heap::policy::Policy;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

const PROGRAMS: u64 = 200;

/// A translated program, on its own class path.
pub struct Subject {
    pub text: String,
    pub program: Program,
    pub view: View,
    pub method: MethodId,
}

impl Subject {
    pub fn new(jdk: &Jdk, folder: &TempDir, seed: u64) -> Self {
        let text = generate::program(seed);
        let file = folder.path().join(format!("seed{seed}.jl"));
        std::fs::write(&file, &text).unwrap();
        let mut path = ClassPath::default();
        let unit = path.add_javalite(&file).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let (class, method) = unit.entry.unwrap();
        let program = Program::new(Library::open(jdk).unwrap(), path).unwrap();
        let own: Vec<String> = unit.classes.into_iter().map(|(name, _)| name).collect();
        let id = program.load(&class).unwrap();
        let is_entry = |&id: &MethodId| program.names().text(program.method(id).name) == method;
        let method = program.class(id).methods().find(is_entry).unwrap();
        let view = View::new(&program, &own, &[]);
        Self { text, program, view, method }
    }

    fn explorer<'a>(
        &'a self,
        policy: Policy,
        intrinsics: &'a dalang_intrinsics::Library,
        feature: u16,
    ) -> Explorer<'a> {
        let config = Config {
            policy,
            paths: Some(400),
            time: Some(Duration::from_secs(20)),
            outcomes: true,
            retrace: true,
            ..Config::default()
        };
        Explorer::new(&self.program, intrinsics, &self.view, &config, feature).unwrap()
    }

    /// What the papers' machine gives, as a run is shown.
    fn expected(&self, witness: &Witness) -> (Option<&'static str>, Option<String>) {
        match machine::run(&self.text, witness) {
            Err(machine::Stuck) => (Some("java.lang.NullPointerException"), None),
            Ok(machine::Value::Null) => (None, Some("null".to_owned())),
            Ok(machine::Value::Truth(value)) => (None, Some(format!("Int({})", i32::from(value)))),
            Ok(machine::Value::Object(_)) => (None, Some("an object".to_owned())),
        }
    }
}

pub fn jdk() -> Jdk {
    let mut jdks = Jdk::installed();
    jdks.extend(Jdk::find(None).ok());
    let jdk = jdks.into_iter().find(|jdk| jdk.feature >= 17 && jdk.javac().is_some());
    jdk.expect("no JDK 17 or later with a compiler found")
}

#[test]
fn random_programs_do_on_every_path_what_the_papers_machine_does() {
    let (jdk, folder) = (jdk(), TempDir::new().unwrap());
    let intrinsics = dalang_intrinsics::Library::new();
    let (mut paths, mut whole) = (0, 0);
    for seed in 0..PROGRAMS {
        let subject = Subject::new(&jdk, &folder, seed);
        for policy in Policy::ALL {
            let mut explorer = subject.explorer(policy, &intrinsics, jdk.feature);
            let found = explorer.explore(Entry::Method(subject.method), &Watch::default());
            let wrong = |kind: StopKind| kind != StopKind::Paths;
            let stop = found.stops.iter().find(|stop| wrong(stop.kind));
            assert!(stop.is_none(), "{policy:?}: {stop:?}\n{}", subject.text);
            let stray = found.outcomes.iter().find(|outcome| outcome.replay != Replay::Confirmed);
            assert!(stray.is_none(), "{policy:?}: {stray:?}\n{}", subject.text);
            for outcome in &found.outcomes {
                let witness = outcome.witness.as_ref().unwrap();
                let run = explorer.run_on(Entry::Method(subject.method), witness).unwrap();
                let given = (run.exception.as_deref(), run.value);
                assert_eq!(given, subject.expected(witness), "{witness:?}\n{}", subject.text);
            }
            paths += found.paths.completed();
            whole += u64::from(found.exhaustive);
        }
    }
    println!("{paths} paths, {whole} of {} explorations whole", PROGRAMS * 3);
    // Were most of them trivial or cut off, this would test nothing.
    assert!(paths > PROGRAMS * 3 * 5, "{paths}");
    assert!(whole > PROGRAMS * 3 * 4 / 5, "{whole}");
}

#[test]
fn a_jvm_verifies_what_random_programs_become() {
    let (jdk, folder) = (jdk(), TempDir::new().unwrap());
    let mut driver = String::from(
        "public class Driver { public static void main(String[] args) throws Exception {\n",
    );
    for seed in 0..PROGRAMS {
        let text = generate::program(seed);
        assert_eq!(text, generate::program(seed));
        let unit = compile(&text, "random.jl").unwrap_or_else(|error| panic!("{error}\n{text}"));
        for (class, bytes) in unit.classes {
            std::fs::write(folder.path().join(format!("{class}.class")), bytes).unwrap();
            // Making an object initializes the class, and what is initialized is verified.
            let _ = writeln!(driver, "Class.forName(\"{class}\").newInstance();");
        }
    }
    driver.push_str("System.out.println(\"verified\"); } }\n");
    let source = folder.path().join("Driver.java");
    std::fs::write(&source, driver).unwrap();
    let none: [PathBuf; 0] = [];
    dalang_classes::path::compile(&jdk, &[source], &none, folder.path()).unwrap();
    let mut java = Command::new(jdk.home.join("bin/java"));
    let output =
        java.arg("-Xverify:all").arg("-cp").arg(folder.path()).arg("Driver").output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "verified\n", "{errors}");
}
