//! Classes that a virtual machine's verifier refuses: never safe when checked, refused when run.

use crate::desk::stops;
use crate::machines::{dalang, java, jdks, run};
use dalang_classes::path::{Jdk, compile};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;

const SOURCE: &str = r#"
class Main {
    public static void main(String[] a) {
        System.out.println("before");
        try {
            System.out.println(Bad.twice(3));
        } catch (VerifyError e) {
            System.out.println("caught");
        }
        System.out.println(Bad.twice(4));
    }
    static int indirect(int x) { return Bad.twice(x); }
    static int direct(int x) { return 2 * x; }
    static int receiver(Child c) { return c == null ? 0 : c.hidden(); }
}
class Bad {
    static { System.out.println("initialized"); }
    static int twice(int x) { return 2 * x; }
    static String lie(Object o) { return (String) o; }
    int own() { return 1; }
}
class Child extends Bad {
    int hidden() { return 1; }
}
"#;

/// The classes, with the cast taken out of `Bad.lie`.
struct Broken {
    jdk: Jdk,
    folder: TempDir,
}

impl Broken {
    fn new(jdk: Jdk) -> Self {
        let folder = TempDir::new().unwrap();
        let source = folder.path().join("Main.java");
        fs::write(&source, SOURCE).unwrap();
        compile(&jdk, &[source], &[], folder.path()).unwrap();
        let file = folder.path().join("Bad.class");
        let mut bytes = fs::read(&file).unwrap();
        // aload_0, checkcast, areturn
        let is_cast = |part: &[u8]| part[..2] == [42, 192] && part[4] == 176;
        let at = bytes.windows(5).position(is_cast).unwrap();
        bytes[at + 1..at + 4].fill(0);
        fs::write(&file, bytes).unwrap();
        Self { jdk, folder }
    }

    fn path(&self) -> Vec<PathBuf> {
        vec![self.folder.path().to_path_buf()]
    }

    /// What `check` says of one method.
    fn check(&self, method: &str) -> Value {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dalang"));
        command.arg("check").arg(self.folder.path()).args(["--method", method]);
        command.args(["--format", "json", "--jdk"]).arg(&self.jdk.home);
        let ended = run(&mut command);
        let text = String::from_utf8_lossy(&ended.out).into_owned();
        let errors = String::from_utf8_lossy(&ended.err);
        let mut json: Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}{errors}"));
        let methods = json["methods"].as_array_mut().unwrap();
        assert_eq!(methods.len(), 1, "{methods:?}");
        methods.remove(0)
    }
}

#[test]
fn a_class_that_the_verifier_refuses_is_never_safe() {
    for jdk in jdks() {
        let broken = Broken::new(jdk);
        for method in ["Bad.twice", "Bad.own", "Child.hidden", "Main.indirect", "Main.receiver"] {
            let found = broken.check(method);
            assert_eq!(found["verdict"], "undecided", "{method}: {found}");
            assert_eq!(stops(&found), ["missing"], "{method}: {found}");
            let detail = found["stops"][0]["detail"].as_str().unwrap();
            for part in ["rejected by the JVM's verifier", "Bad.lie(Ljava/lang/Object;)", "at 4"] {
                assert!(detail.contains(part), "{method}: {detail}");
            }
        }
        let found = broken.check("Main.direct");
        assert_eq!(found["verdict"], "safe", "{found}");
    }
}

#[test]
fn running_a_class_that_the_verifier_refuses_does_what_java_does() {
    for jdk in jdks() {
        let broken = Broken::new(jdk.clone());
        let theirs = run(java(&jdk, &broken.path()).arg("Main"));
        let ours = run(dalang(&jdk, &broken.path()).arg("Main"));
        let [out, err] = [&ours.out, &ours.err].map(|bytes| String::from_utf8_lossy(bytes));
        assert_eq!((&ours.out, ours.code), (&theirs.out, theirs.code), "{err}");
        assert_eq!(out, "before\ncaught\n");
        let expected = "Exception in thread \"main\" java.lang.VerifyError";
        assert!(err.starts_with(expected), "{err}");
        assert!(String::from_utf8_lossy(&theirs.err).starts_with(expected));
    }
}
