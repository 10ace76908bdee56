//! The command line: what users get wrong, and what passes between a program and its surroundings.

use crate::machines::{dalang, java, jdk, run};
use crate::process::{self, Ended};
use dalang_classes::path::{Jdk, compile};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::slice;
use tempfile::TempDir;

/// A folder with a source file and its classes.
struct Workshop {
    jdk: Jdk,
    folder: TempDir,
}

impl Workshop {
    fn new(source: &str) -> Self {
        let workshop = Self { jdk: jdk(), folder: TempDir::new().unwrap() };
        let source = workshop.write("Main.java", source);
        compile(&workshop.jdk, &[source], &[], workshop.folder.path()).unwrap();
        workshop
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn path(&self) -> [PathBuf; 1] {
        [self.folder.path().to_path_buf()]
    }

    fn dalang(&self, arguments: &[&str]) -> Ended {
        run(dalang(&self.jdk, &self.path()).args(arguments))
    }

    /// What both do with the same class and the same input.
    fn both(&self, arguments: &[&str], input: &[u8]) -> [Ended; 2] {
        [java, dalang].map(|machine| {
            let mut command = machine(&self.jdk, &self.path());
            process::run(command.args(arguments), input).unwrap()
        })
    }

    fn assert_same(&self, arguments: &[&str], input: &[u8]) -> Ended {
        let [theirs, ours] = self.both(arguments, input);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(text(&ours.out), text(&theirs.out), "{}", text(&ours.err));
        assert_eq!(ours.code, theirs.code, "{}", text(&ours.err));
        ours
    }
}

const NOTHING: &str = "public class Main { public static void main(String[] args) { } }";

/// The one message of a command that was refused.
fn refusal(ended: &Ended) -> String {
    let text = String::from_utf8(ended.err.clone()).unwrap();
    assert_eq!(ended.code, Some(2), "{text}");
    assert_eq!(ended.out, b"");
    let starts = |line: &&str| line.starts_with("dalang: ") || line.starts_with("error: ");
    assert_eq!(text.lines().filter(starts).count(), 1, "{text}");
    assert!(text.lines().next().is_some_and(|line| starts(&line)), "{text}");
    assert!(!text.contains("panicked"), "{text}");
    text
}

fn assert_mentions(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in {text:?}");
    }
}

#[test]
fn a_class_that_is_not_there() {
    let workshop = Workshop::new(NOTHING);
    let text = refusal(&workshop.dalang(&["some.where.Else"]));
    assert_mentions(&text, &["some.where.Else", "class path"]);
    assert_eq!(text.lines().count(), 1, "{text}");
}

#[test]
fn a_class_path_entry_that_is_not_there() {
    let workshop = Workshop::new(NOTHING);
    let missing = workshop.folder.path().join("missing.jar");
    let text = refusal(&run(dalang(&workshop.jdk, slice::from_ref(&missing)).arg("Main")));
    assert_mentions(&text, &[missing.to_str().unwrap(), "no such file"]);
    assert_eq!(text.lines().count(), 1, "{text}");
}

#[test]
fn a_jar_that_is_no_jar_and_a_class_file_that_is_none() {
    let workshop = Workshop::new(NOTHING);
    let jar = workshop.write("broken.jar", "PK\u{3}\u{4} and then nothing of the kind");
    let text = refusal(&run(dalang(&workshop.jdk, &[jar]).arg("Main")));
    assert_mentions(&text, &["broken.jar", "not a sound archive"]);
    assert_eq!(text.lines().count(), 1, "{text}");
    fs::write(workshop.folder.path().join("Main.class"), "no class").unwrap();
    let text = refusal(&workshop.dalang(&["Main"]));
    assert_mentions(&text, &["Main", "not a valid class file"]);
}

#[test]
fn a_class_without_main() {
    let mains = [
        "",
        "static void main(int[] args) { }",
        "public static int main(String[] args) { return 1; }",
    ];
    for main in mains {
        let workshop = Workshop::new(&format!("public class Main {{ {main} }}"));
        let text = refusal(&workshop.dalang(&["Main"]));
        assert_mentions(&text, &["Main", "public static void main(String[])"]);
    }
}

#[test]
fn a_folder_that_is_no_jdk() {
    let workshop = Workshop::new(NOTHING);
    let jdk = Jdk { home: workshop.folder.path().to_path_buf(), ..workshop.jdk.clone() };
    let text = refusal(&run(dalang(&jdk, &workshop.path()).arg("Main")));
    assert_mentions(&text, &[workshop.folder.path().to_str().unwrap()]);
}

#[test]
fn what_javac_refuses_is_shown_as_javac_shows_it() {
    let workshop = Workshop::new(NOTHING);
    let source = workshop.write("Wrong.java", "class Wrong {\n    int x = \"\";\n}\n");
    let mut javac = Command::new(workshop.jdk.javac().unwrap());
    let theirs = run(javac.arg("-d").arg(workshop.folder.path().join("out")).arg(&source));
    let theirs = String::from_utf8(theirs.err).unwrap();
    assert_mentions(&theirs, &["Wrong.java:2: error: incompatible types", "1 error"]);
    let ended = workshop.dalang(&[source.to_str().unwrap()]);
    assert_eq!(ended.code, Some(2));
    assert_eq!(ended.out, b"");
    let ours = String::from_utf8(ended.err).unwrap();
    assert_mentions(&ours, &[theirs.trim_end()]);
    assert_eq!(ours.matches("1 error").count(), 1, "{ours}");
}

#[test]
fn a_source_file_is_compiled_and_run() {
    let workshop = Workshop::new(NOTHING);
    let text = "class Greet { public static void main(String[] a) { System.out.println(a[0]); } }";
    let source = workshop.write("Greet.java", text);
    let ended = workshop.dalang(&[source.to_str().unwrap(), "hello"]);
    assert_eq!((&*ended.out, ended.code), (&b"hello\n"[..], Some(0)));
    let missing = workshop.folder.path().join("Missing.java");
    let ended = workshop.dalang(&[missing.to_str().unwrap()]);
    assert_eq!(ended.code, Some(2));
    assert_mentions(&String::from_utf8(ended.err).unwrap(), &["Missing.java"]);
}

#[test]
fn flags_and_commands_that_nobody_knows() {
    let workshop = Workshop::new(NOTHING);
    let text = refusal(&workshop.dalang(&["--no-such-flag", "Main"]));
    assert_mentions(&text, &["--no-such-flag"]);
    let text = refusal(&workshop.dalang(&["--frames", "many", "Main"]));
    assert_mentions(&text, &["--frames", "many"]);
    let program = env!("CARGO_BIN_EXE_dalang");
    refusal(&run(Command::new(program).arg("jump")));
    assert_mentions(&refusal(&run(Command::new(program).arg("run"))), &["CLASS"]);
}

#[test]
fn the_program_decides_how_it_ends() {
    let workshop = Workshop::new(
        "public class Main { public static void main(String[] args) {
            System.out.println(\"before\");
            System.exit(7);
            System.out.println(\"after\");
        } }",
    );
    let ended = workshop.assert_same(&["Main"], b"");
    assert_eq!((&*ended.out, &*ended.err, ended.code), (&b"before\n"[..], &b""[..], Some(7)));
}

#[test]
fn arguments_are_the_programs_own() {
    let workshop = Workshop::new(
        "public class Main { public static void main(String[] args) {
            for (String arg : args) System.out.println(arg.length() + \" \" + arg);
        } }",
    );
    let arguments = [
        "Main",
        "-cp",
        "x",
        "--jdk",
        "--",
        "-",
        "",
        "--no-such-flag",
        "-h",
        "--version",
        "a b",
        "é𝄞",
    ];
    let ended = workshop.assert_same(&arguments, b"");
    assert_eq!(ended.code, Some(0));
    assert_eq!(ended.out.split(|&byte| byte == b'\n').count(), arguments.len());
}

#[test]
fn standard_input_reaches_the_program() {
    let workshop = Workshop::new(
        "public class Main { public static void main(String[] args) throws java.io.IOException {
            int sum = 0, count = 0;
            for (int b; (b = System.in.read()) >= 0; count++) sum += b;
            System.out.println(count + \" \" + sum);
            System.out.println(System.in.read());
        } }",
    );
    let every: Vec<u8> = (0..=255).cycle().take(5000).collect();
    for input in [&b""[..], b"one line\n", &every] {
        workshop.assert_same(&["Main"], input);
    }
}

#[test]
fn uncaught_exceptions_end_with_a_trace_and_code_1() {
    let workshop = Workshop::new(
        "public class Main {
            static void fail(int depth) {
                if (depth == 0) throw new IllegalStateException(\"wrong\");
                fail(depth - 1);
            }
            public static void main(String[] args) {
                System.out.println(\"before\");
                try {
                    fail(2);
                } catch (IllegalStateException e) {
                    throw new RuntimeException(\"outer\", e);
                }
            }
        }",
    );
    let ours = workshop.assert_same(&["Main"], b"");
    assert_eq!(ours.code, Some(1));
    let [theirs, ours] = workshop.both(&["Main"], b"").map(|ended| ended.err);
    let [theirs, ours] = [theirs, ours].map(|text| String::from_utf8(text).unwrap());
    assert_mentions(&theirs, &["\"main\" java.lang.RuntimeException: outer", "Caused by: "]);
    assert_eq!(ours, theirs);
}

#[test]
fn a_small_heap_is_collected_and_never_outgrown() {
    let source = r#"public class Main {
        static Object[] tree(int depth) {
            return depth == 0 ? new Object[2] : new Object[] { tree(depth - 1), tree(depth - 1) };
        }
        static class Node { Node left, right; Node(int d) { if (d > 0) { left = new Node(d - 1); right = new Node(d - 1); } } }
        public static void main(String[] args) {
            Object[] kept = tree(10);
            int count = 0;
            for (int i = 0; i < 60; i++) count += new Node(14).left == null || tree(12)[0] == null ? 0 : 1;
            System.out.println(count + " " + (kept[1] != null));
            try { System.out.println(new int[1000][1000][1000].length); }
            catch (OutOfMemoryError e) { System.out.println(e.getMessage()); }
            String text = "xyz";
            try { while (true) text = text + text; } catch (OutOfMemoryError e) { text = ""; }
            int length = 0;
            for (int i = 0; i < 500_000; i++) length += ("a" + i).intern().length();
            System.out.println(length + text + (("a" + "b").intern() == "ab"));
        }
    }"#;
    let workshop = Workshop::new(source);
    let ended = workshop.dalang(&["--heap", "32", "Main"]);
    let out = String::from_utf8_lossy(&ended.out).into_owned();
    assert_eq!(out, "60 true\nJava heap space\n3388890true\n");
    assert_eq!(ended.code, Some(0));
}
