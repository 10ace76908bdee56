//! Signals, and streams that nobody reads: what is finished is not lost, and nothing is left behind.

use crate::desk::Desk;
use crate::machines::{jdk, run};
use serde_json::Value;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

const SOURCE: &str = "public class Work {
    static int quick(int x) { return x + 1; }
    static int slow(int[] a) {
        int s = 0;
        for (int i = 0; i < a.length; i++) { if (a[i] > s) s++; else s--; }
        return s;
    }
    public static void main(String[] args) { for (int i = 0; ; i++) System.out.println(i); }
}
";

/// What makes `slow` take longer than anybody waits.
const LONG: [&str; 8] =
    ["--array", "100000", "--loop", "100000", "--time", "100000", "--violations", "assert"];

/// A desk whose temporary folders can be seen.
struct Bench {
    desk: Desk,
    temporary: PathBuf,
}

impl Bench {
    fn new() -> Self {
        let desk = Desk::holding("Work.java", SOURCE);
        let temporary = desk.folder.path().join("tmp");
        fs::create_dir(&temporary).unwrap();
        Self { desk, temporary }
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dalang"));
        command.env("TMPDIR", &self.temporary).current_dir(self.desk.folder.path());
        command.arg(name).arg("--jdk").arg(jdk().home);
        command
    }

    fn check(&self, arguments: &[&str]) -> Command {
        let mut command = self.command("check");
        command.arg("Work.java").args(arguments);
        command
    }

    fn left(&self) -> usize {
        fs::read_dir(&self.temporary).unwrap().count()
    }
}

/// Starts a command that hears signals, even where whoever runs the tests was started to ignore them.
fn start(command: &mut Command) -> Child {
    let mut heeding = Command::new("env");
    heeding.arg("--default-signal=HUP,INT,TERM").arg(command.get_program());
    heeding.args(command.get_args());
    heeding.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(folder) = command.get_current_dir() {
        heeding.current_dir(folder);
    }
    heeding.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").arg(format!("-{name}")).arg(child.id().to_string()).status();
    assert!(sent.unwrap().success());
}

/// Waits until something is so, while a child lives.
fn until(child: &mut Child, what: &str, is_so: impl Fn() -> bool) {
    while !is_so() {
        assert_eq!(child.try_wait().unwrap(), None, "it ended before {what}");
        thread::yield_now();
    }
}

/// Whether methods are being explored: threads have names.
fn explores(process: u32) -> bool {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let name = |path: PathBuf| fs::read_to_string(path.join("comm")).unwrap_or_default();
    threads.map(|thread| name(thread.path())).any(|name| name.trim() == "explore")
}

/// The lines up to the one that says that `quick` is done, and the rest of the stream.
fn quick_is_done(child: &mut Child) -> (Vec<String>, BufReader<std::process::ChildStdout>) {
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut lines = Vec::new();
    while !lines.last().is_some_and(|line: &String| line.contains("\"Work.quick(I)I\"")) {
        let mut line = String::new();
        assert_ne!(reader.read_line(&mut line).unwrap(), 0, "{lines:?}");
        lines.push(line);
    }
    (lines, reader)
}

fn parsed(lines: &[String]) -> Vec<Value> {
    lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn lines_are_written_as_methods_are_done_and_signals_end_them() {
    for (name, code) in [("INT", Some(3)), ("TERM", Some(3)), ("HUP", Some(3)), ("KILL", None)] {
        let bench = Bench::new();
        let arguments = [&LONG[..], &["--jobs", "1", "--format", "jsonl"]].concat();
        let mut child = start(&mut bench.check(&arguments));
        let (mut lines, mut reader) = quick_is_done(&mut child);
        signal(&child, name);
        let mut rest = String::new();
        reader.read_to_string(&mut rest).unwrap();
        assert_eq!(child.wait().unwrap().code(), code, "{name}");
        lines.extend(rest.lines().map(str::to_owned));
        let lines = parsed(&lines);
        assert_eq!(lines[0]["type"], "begin");
        let quick = lines.iter().find(|line| line["method"] == "Work.quick(I)I").unwrap();
        assert_eq!((&quick["type"], &quick["verdict"]), (&"method".into(), &"safe".into()));
        if code.is_some() {
            let slow = lines.iter().find(|line| line["method"] == "Work.slow([I)I").unwrap();
            assert_eq!(slow["stops"][0]["kind"], "interrupted", "{slow}");
            let end = lines.last().unwrap();
            assert_eq!((&end["type"], &end["verdict"]), (&"end".into(), &"undecided".into()));
            assert_eq!(end["interrupted"], true);
            assert_eq!(bench.left(), 0, "{name} leaves temporary folders");
        }
    }
}

#[test]
fn json_is_whole_after_a_signal() {
    for name in ["INT", "TERM", "HUP"] {
        let bench = Bench::new();
        let mut child = start(&mut bench.check(&[&LONG[..], &["--format", "json"]].concat()));
        let process = child.id();
        until(&mut child, "it explored", || explores(process));
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(3), "{json}");
        assert_eq!((&json["interrupted"], &json["verdict"]), (&true.into(), &"undecided".into()));
        assert_eq!(json["methods"].as_array().unwrap().len(), 3, "{json}");
        assert_eq!(bench.left(), 0, "{name} leaves temporary folders");
    }
}

#[test]
fn a_loop_that_does_not_end_can_be_interrupted() {
    let bench = Bench::new();
    let source =
        "class Slow { static int m(int x) { int i = 0; while (i >= 0) { i = i + 1 & 0x7fffffff; }
        return i; } }";
    bench.desk.write("Slow.java", source);
    let mut command = bench.command("check");
    let mut child = start(command.args(["Slow.java", "--time", "600", "--loop", "4000000000"]));
    let process = child.id();
    until(&mut child, "it explored", || explores(process));
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("interrupted") && text.contains("undecided: 1 method"), "{text}");
}

/// A folder that passes for a JDK, whose compiler says its number and sleeps.
fn sleepy(folder: &Path) -> PathBuf {
    let home = folder.join("jdk");
    fs::create_dir_all(home.join("bin")).unwrap();
    fs::write(home.join("release"), "JAVA_VERSION=\"17.0.1\"\n").unwrap();
    let script = format!("#!/bin/sh\necho $$ > '{}/pid'\nexec sleep 1000\n", folder.display());
    fs::write(home.join("bin/javac"), script).unwrap();
    fs::set_permissions(home.join("bin/javac"), fs::Permissions::from_mode(0o755)).unwrap();
    home
}

#[test]
fn a_signal_ends_javac_as_well() {
    for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        for command in ["check", "run"] {
            let bench = Bench::new();
            let home = sleepy(bench.desk.folder.path());
            let mut dalang = Command::new(env!("CARGO_BIN_EXE_dalang"));
            dalang.env("TMPDIR", &bench.temporary).current_dir(bench.desk.folder.path());
            let mut child = start(dalang.arg(command).arg("--jdk").arg(home).arg("Work.java"));
            let pid = bench.desk.folder.path().join("pid");
            let said = || fs::read_to_string(&pid).is_ok_and(|text| text.ends_with('\n'));
            until(&mut child, "javac ran", said);
            signal(&child, name);
            let output = child.wait_with_output().unwrap();
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(code), "{command} {name}: {text}");
            assert_eq!(output.stdout, b"");
            let compiler = fs::read_to_string(&pid).unwrap();
            assert!(!Path::new("/proc").join(compiler.trim()).exists(), "javac lives");
            assert_eq!(bench.left(), 0, "{command} {name} leaves temporary folders");
        }
    }
}

#[test]
fn a_signal_that_is_ignored_from_the_start_stays_so() {
    let bench = Bench::new();
    let dalang = env!("CARGO_BIN_EXE_dalang");
    let mut shell = Command::new("sh");
    let script = "trap '' HUP; exec \"$@\"";
    shell.args(["-c", script, "sh", dalang, "check", "Work.java", "--format", "jsonl"]);
    shell.args(LONG).args(["--jobs", "1", "--jdk"]).arg(jdk().home);
    let mut child = start(shell.current_dir(bench.desk.folder.path()));
    let (_, mut reader) = quick_is_done(&mut child);
    signal(&child, "HUP");
    signal(&child, "TERM");
    let mut rest = String::new();
    reader.read_to_string(&mut rest).unwrap();
    let errors = child.wait_with_output().unwrap();
    // Two signals would have ended it at once.
    assert_eq!(errors.status.code(), Some(3), "{errors:?}");
}

#[test]
fn a_program_loses_no_output_on_a_signal() {
    let bench = Bench::new();
    let mut child = start(bench.command("run").arg("Work.java"));
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    reader.read_line(&mut text).unwrap();
    signal(&child, "INT");
    reader.read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let whole = text.strip_suffix('\n').unwrap_or(&text);
    for (number, line) in whole.lines().enumerate() {
        assert!(number.to_string().starts_with(line), "{number}: {line}");
    }
    assert_eq!(bench.left(), 0);
}

#[test]
fn results_that_cannot_be_written_are_a_failure() {
    let bench = Bench::new();
    let quick = ["--method", "Work.quick"];
    for format in ["text", "json", "jsonl"] {
        let arguments = [&quick[..], &["--format", format]].concat();
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = bench.check(&arguments).stdout(full).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(4), "{format}: {text}");
        assert!(text.starts_with("dalang: standard output cannot be written: "), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    }
    for arguments in [&["doctor"][..], &["compare", "Work.java", "--method", "Work.quick"]] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = bench.command(arguments[0]);
        let output = command.args(&arguments[1..]).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(4), "{output:?}");
    }
    assert_eq!(bench.left(), 0);
}

#[test]
fn results_need_a_standard_output() {
    let bench = Bench::new();
    let quick = ["check", "Work.java", "--method", "Work.quick"];
    let hello = "class Hello { public static void main(String[] a) { System.out.println(7); } }";
    bench.desk.write("Hello.java", hello);
    for arguments in [&quick[..], &["run", "Hello.java"], &["doctor"], &["--help"]] {
        let mut shell = Command::new("sh");
        shell.args(["-c", "exec \"$@\" >&-", "sh", env!("CARGO_BIN_EXE_dalang")]).args(arguments);
        let output = shell.current_dir(bench.desk.folder.path()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{arguments:?} {text}");
        assert!(text.contains("standard output is closed"), "{text}");
        shell = Command::new(env!("CARGO_BIN_EXE_dalang"));
        shell.args(arguments).stdout(Stdio::null()).current_dir(bench.desk.folder.path());
        assert_eq!(shell.status().unwrap().code(), Some(0), "{arguments:?}");
    }
}

#[test]
fn a_closed_pipe_ends_the_work_in_silence() {
    let bench = Bench::new();
    for format in ["text", "json", "jsonl"] {
        let mut command = bench.check(&["--method", "Work.quick", "--format", format]);
        let mut child = start(&mut command);
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(141), "{format}: {output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
    let mut child = start(bench.command("run").arg("Work.java"));
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &*output.stderr), (Some(141), &b""[..]));
    assert_eq!(bench.left(), 0);
}

#[test]
fn nobody_need_read_standard_error() {
    let bench = Bench::new();
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    let refused = bench.check(&["--k", "0"]).stderr(full()).status().unwrap();
    assert_eq!((refused.code(), refused.signal()), (Some(2), None));
    let unclear = bench.check(&["--no-such-flag"]).stderr(full()).status().unwrap();
    assert_eq!(unclear.code(), Some(2));
    let quick = ["--method", "Work.quick"];
    assert_eq!(bench.check(&quick).stderr(full()).output().unwrap().status.code(), Some(0));
    let dalang = env!("CARGO_BIN_EXE_dalang");
    let mut shell = Command::new("sh");
    shell.args(["-c", "exec \"$@\" 2>&-", "sh", dalang, "check", "--k", "0", "Work.java"]);
    assert_eq!(shell.current_dir(bench.desk.folder.path()).status().unwrap().code(), Some(2));
    let mut shell = Command::new("sh");
    shell.args(["-c", "exec \"$@\" <&- 2>&-", "sh", dalang, "check", "Work.java"]).args(quick);
    assert_eq!(
        shell.current_dir(bench.desk.folder.path()).output().unwrap().status.code(),
        Some(0)
    );
    let mut child = start(&mut bench.check(&[&LONG[..], &["--format", "json"]].concat()));
    drop(child.stderr.take());
    let process = child.id();
    until(&mut child, "it explored", || explores(process));
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    serde_json::from_slice::<Value>(&output.stdout).unwrap();
}

const THREE: &str = "public class Three {
    static int first(int x) { return 10 / x; }
    static double second(double x) { if (x == 0.1) throw new IllegalStateException(); return x; }
    static int third(int x) { assert x != 7; return x; }
}
";

#[test]
fn a_check_goes_on_where_another_has_ended() {
    let desk = Desk::holding("Three.java", THREE);
    let run = |arguments: &[&str]| {
        let ended = desk.check(&[&["-v", "--jobs", "1"], arguments].concat());
        let text = String::from_utf8(ended.out).unwrap();
        (text, String::from_utf8(ended.err).unwrap(), ended.code)
    };
    let (lines, _, code) = run(&["--format", "jsonl"]);
    assert_eq!(code, Some(1), "{lines}");
    let all: Vec<&str> = lines.lines().collect();
    assert_eq!(all.len(), 5, "{lines}");
    // As if it had been killed while it wrote the second method.
    let half = &all[2][..all[2].len() / 2];
    let cut = desk.write("cut.jsonl", &format!("{}\n{}\n{half}", all[0], all[1]));
    let (json, errors, code) = run(&["--format", "json", "--resume", cut.to_str().unwrap()]);
    assert_eq!(code, Some(1), "{errors}");
    let resumed: Value = serde_json::from_str(&json).unwrap();
    let fresh: Value = serde_json::from_str(&run(&["--format", "json"]).0).unwrap();
    let names = |json: &Value| -> Vec<Value> {
        let methods = json["methods"].as_array().unwrap().iter();
        methods.map(|method| method["method"].clone()).collect()
    };
    assert_eq!(names(&resumed), names(&fresh));
    for part in ["verdict", "summary", "bounds", "defects", "target", "settings"] {
        assert_eq!(resumed[part], fresh[part], "{part}");
    }
    // What was there is what it was, to the last digit; what was not is new.
    let first: Value = serde_json::from_str(all[1]).unwrap();
    assert_eq!(resumed["methods"][0]["stats"], first["stats"]);
    assert_eq!(resumed["methods"][0]["violations"], fresh["methods"][0]["violations"]);
    // A whole result can be gone on from as well, and nothing is explored again.
    let whole = desk.write("whole.json", &json);
    let (again, ..) = run(&["--format", "jsonl", "--resume", whole.to_str().unwrap()]);
    let again: Vec<Value> = again.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(again.len(), 5);
    for (index, line) in again[1..4].iter().enumerate() {
        assert_eq!((&line["type"], &line["index"]), (&"method".into(), &index.into()));
        assert_eq!(line["stats"], resumed["methods"][index]["stats"]);
    }
    let (text, _, code) = run(&["--resume", whole.to_str().unwrap()]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("as found before") && text.contains("3 methods"), "{text}");
}

#[test]
fn results_of_another_check_are_refused() {
    let desk = Desk::holding("Three.java", THREE);
    let ended = desk.check(&["--format", "json", "--k", "3"]);
    let file = desk.write("old.json", &String::from_utf8(ended.out).unwrap());
    let file = file.to_str().unwrap();
    let refusal = |arguments: &[&str]| {
        crate::desk::refusal(&desk.check(&[arguments, &["--resume", file]].concat()))
    };
    for (arguments, what) in [
        (&["--k", "4"][..], "bounds"),
        (&[], "bounds"),
        (&["--k", "3", "--policy", "lazy"], "policy pose and not lazy"),
        (&["--k", "3", "--violations", "assert"], "other options"),
    ] {
        let text = refusal(arguments);
        assert!(text.contains(what) && text.contains("old.json"), "{arguments:?}: {text}");
    }
    desk.write("Three.java", &THREE.replace('7', "8"));
    assert!(refusal(&["--k", "3"]).contains("other classes"));
    for (text, what) in
        [("", "empty"), ("{}", "not the results"), ("nonsense\n", "not the results")]
    {
        fs::write(file, text).unwrap();
        assert!(refusal(&["--k", "3"]).contains(what), "{text}");
    }
    assert_eq!(run(Command::new("mkfifo").arg(desk.folder.path().join("pipe"))).code, Some(0));
    let pipe = desk.folder.path().join("pipe");
    crate::desk::refusal(&desk.check(&["--resume", pipe.to_str().unwrap()]));
    drop(File::open(file).unwrap());
}
