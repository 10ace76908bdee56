//! What can be done to the machine that `dalang` runs on: signals at any time, streams that nobody
//! reads, files that are no files, and a stranger's plugins, jars and configurations. Nothing may be
//! started, written or left behind, and nothing may take long.

use super::Bench;
use super::child::{self, Ended};
use anyhow::{Context, bail};
use dalang_classes::path::compile;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// When a run has no end.
const LONGEST: Duration = Duration::from_mins(1);
/// How long a signal may take to be answered.
const ANSWER: Duration = Duration::from_secs(1);

const WORK: &str = "public class Work {
    static int quick(int x) { return x + 1; }
    static int slow(int[] a) {
        int s = 0;
        for (int i = 0; i < a.length; i++) { if (a[i] > s) s++; else s--; }
        return s;
    }
    static boolean hard(long x, long y, long z) {
        if (x <= 0 || y <= 0 || z <= 0 || x > 99999 || y > 99999 || z > 99999) return false;
        return x * x * x + y * y * y == z * z * z;
    }
    public static void main(String[] args) { for (int i = 0; ; i++) System.out.println(i); }
}
";

/// A folder for one case.
struct Stage<'a> {
    bench: &'a Bench,
    folder: TempDir,
}

impl<'a> Stage<'a> {
    fn new(bench: &'a Bench) -> anyhow::Result<Self> {
        let folder = TempDir::new()?;
        fs::write(folder.path().join("Work.java"), WORK)?;
        fs::create_dir(folder.path().join("tmp"))?;
        Ok(Self { bench, folder })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, name: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.bench.dalang);
        command.current_dir(self.folder.path()).env("TMPDIR", self.path("tmp"));
        command.arg(name).arg("--jdk").arg(&self.bench.jdk.home).args(arguments);
        command
    }

    fn run(&self, name: &str, arguments: &[&str]) -> anyhow::Result<Ended> {
        child::run(&mut self.command(name, arguments), LONGEST)
    }

    /// What is wrong with what is left of a run.
    fn left(&self) -> Option<String> {
        let left = fs::read_dir(self.path("tmp")).map_or(0, Iterator::count);
        (left > 0).then(|| format!("{left} temporary folders are left"))
    }
}

/// A case: its name, and what runs it and lists what is wrong.
type Case<'a> = (String, Box<dyn Fn() -> anyhow::Result<Vec<String>> + 'a>);

/// Runs those cases that were asked for, and says how each went.
fn all(bench: &Bench, cases: &[Case<'_>]) -> anyhow::Result<Vec<String>> {
    let mut findings = Vec::new();
    for (name, case) in cases.iter().filter(|(name, _)| bench.wants(name)) {
        let wrong = case().with_context(|| name.clone())?;
        println!("  {name}{}", if wrong.is_empty() { "" } else { "  <-- wrong" });
        findings.extend(wrong.into_iter().map(|what| format!("{name}: {what}")));
    }
    Ok(findings)
}

/// What makes methods take longer than anybody waits, and go wrong in no way.
const LONG: [&str; 8] =
    ["--array", "100000", "--loop", "100000", "--time", "100000", "--violations", "assert"];

/// Signals while methods are explored, at many moments, in every format.
pub(super) fn signals(bench: &Bench) -> anyhow::Result<Vec<String>> {
    let mut cases: Vec<Case<'_>> = Vec::new();
    for signal in ["INT", "TERM", "HUP"] {
        for method in ["slow", "hard"] {
            for format in ["text", "json", "jsonl"] {
                for delay in [0, 50, 700] {
                    let name = format!("{signal}-{method}-{format}-{delay}");
                    let case = move || interrupted(bench, signal, method, format, delay);
                    cases.push((name, Box::new(case)));
                }
            }
        }
        for delay in [0, 20, 300, 1500] {
            let name = format!("{signal}-run-{delay}");
            cases.push((name, Box::new(move || ended_program(bench, signal, delay))));
        }
    }
    all(bench, &cases)
}

/// Starts a command that hears signals, even where whoever runs this was started to ignore them.
fn start(command: &Command) -> anyhow::Result<Child> {
    let mut heeding = Command::new("env");
    heeding.arg("--default-signal=HUP,INT,TERM").arg(command.get_program());
    heeding.args(command.get_args());
    heeding.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(folder) = command.get_current_dir() {
        heeding.current_dir(folder);
    }
    heeding.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    heeding.spawn().context("dalang cannot be run")
}

/// Whether methods are being explored: threads have names.
fn explores(process: u32) -> bool {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let name = |folder: PathBuf| fs::read_to_string(folder.join("comm")).unwrap_or_default();
    threads.map(|thread| name(thread.path())).any(|name| name.trim() == "explore")
}

fn send(child: &Child, signal: &str) -> anyhow::Result<Instant> {
    let sent = Instant::now();
    Command::new("kill").arg(format!("-{signal}")).arg(child.id().to_string()).status()?;
    Ok(sent)
}

fn interrupted(
    bench: &Bench,
    signal: &str,
    method: &str,
    format: &str,
    delay: u64,
) -> anyhow::Result<Vec<String>> {
    let stage = Stage::new(bench)?;
    let names = ["--method", "Work.quick", "--method", &format!("Work.{method}")];
    let arguments = [&["Work.java", "--jobs", "1", "--format", format], &names[..], &LONG].concat();
    let mut child = start(&stage.command("check", &arguments))?;
    let mut out = child.stdout.take().context("no output")?;
    let mut text = String::new();
    // A whole object comes at the end, so that nothing that is printed says that exploring has begun.
    while !explores(child.id()) {
        if let Some(status) = child.try_wait()? {
            bail!("it ended before it explored anything: {status}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(delay));
    let sent = send(&child, signal)?;
    out.read_to_string(&mut text)?;
    let code = child.wait()?.code();
    let mut wrong = Vec::new();
    if sent.elapsed() > ANSWER {
        wrong.push(format!("the signal was answered after {:.2} s", sent.elapsed().as_secs_f64()));
    }
    if code != Some(3) {
        wrong.push(format!("the exit code is {code:?}"));
    }
    let is_whole = match format {
        "json" => serde_json::from_str::<serde_json::Value>(&text).is_ok(),
        "jsonl" => text.lines().last().is_some_and(|line| line.starts_with("{\"type\":\"end\"")),
        _ => text.contains("interrupted"),
    };
    if !is_whole {
        wrong.push("the output is not whole".to_owned());
    }
    wrong.extend(stage.left());
    Ok(wrong)
}

fn ended_program(bench: &Bench, signal: &str, delay: u64) -> anyhow::Result<Vec<String>> {
    let stage = Stage::new(bench)?;
    let mut child = start(&stage.command("run", &["Work.java"]))?;
    std::thread::sleep(Duration::from_millis(delay));
    let sent = send(&child, signal)?;
    let mut text = String::new();
    child.stdout.take().context("no output")?.read_to_string(&mut text)?;
    child.wait()?;
    let mut wrong: Vec<String> = stage.left().into_iter().collect();
    if sent.elapsed() > ANSWER {
        wrong.push(format!("the signal was answered after {:.2} s", sent.elapsed().as_secs_f64()));
    }
    let follows = |(number, line): (usize, &str)| number.to_string().starts_with(line);
    if !text.lines().enumerate().all(follows) {
        wrong.push("the output has a gap".to_owned());
    }
    Ok(wrong)
}

/// Streams that are full or that nobody reads.
pub(super) fn streams(bench: &Bench) -> anyhow::Result<Vec<String>> {
    let quick = ["Work.java", "--method", "Work.quick"];
    let commands: [(&str, &[&str]); 4] =
        [("check", &quick), ("compare", &quick), ("doctor", &[]), ("demo", &[])];
    let mut cases: Vec<Case<'_>> = Vec::new();
    for (name, arguments) in commands {
        let full = || OpenOptions::new().write(true).open("/dev/full");
        cases.push((
            format!("{name}-full"),
            Box::new(move || {
                let stage = Stage::new(bench)?;
                let status = stage
                    .command(name, arguments)
                    .stdout(full()?)
                    .stderr(Stdio::null())
                    .status()?;
                Ok(unless(status.code() == Some(4), format!("full: {status}")))
            }),
        ));
        cases.push((
            format!("{name}-all-full"),
            Box::new(move || {
                let stage = Stage::new(bench)?;
                let status =
                    stage.command(name, arguments).stdout(full()?).stderr(full()?).status()?;
                Ok(unless(status.code() == Some(4), format!("all full: {status}")))
            }),
        ));
        cases.push((
            format!("{name}-unread"),
            Box::new(move || {
                let stage = Stage::new(bench)?;
                let mut child = start(&stage.command(name, arguments))?;
                drop(child.stdout.take());
                let status = child.wait()?;
                Ok(unless(status.code() == Some(141), format!("a closed pipe: {status}")))
            }),
        ));
        cases.push((
            format!("{name}-closed"),
            Box::new(move || {
                let stage = Stage::new(bench)?;
                let closed = stage.command(name, arguments);
                let mut shell = Command::new("sh");
                shell.args(["-c", "exec \"$@\" <&- >&- 2>&-", "sh"]).arg(closed.get_program());
                shell.args(closed.get_args()).current_dir(stage.folder.path());
                let status = shell.env("TMPDIR", stage.path("tmp")).status()?;
                // A result that nobody can read is as lost as one that meets a full disk.
                Ok(unless(status.code() == Some(4), format!("all closed: {status}")))
            }),
        ));
    }
    all(bench, &cases)
}

fn unless(fine: bool, wrong: String) -> Vec<String> {
    if fine { Vec::new() } else { vec![wrong] }
}

/// Jars, folders and files that are not what they seem, as target and on the class path.
pub(super) fn jars(bench: &Bench) -> anyhow::Result<Vec<String>> {
    type Make = fn(&Path) -> anyhow::Result<()>;
    let files: [(&str, Make); 10] = [
        ("empty.jar", |path| Ok(File::create(path).map(drop)?)),
        ("hole.jar", |path| Ok(File::create(path)?.set_len(3 << 30)?)),
        ("sparse.jar", |path| Ok(File::create(path)?.set_len(1 << 40)?)),
        ("pipe.jar", fifo),
        ("pipe.class", fifo),
        ("pipe.java", fifo),
        ("zero.jar", |path| Ok(std::os::unix::fs::symlink("/dev/zero", path)?)),
        ("itself.jar", |path| Ok(std::os::unix::fs::symlink("itself.jar", path)?)),
        ("many.jar", |path| jar(path, (0..60_000).map(|n| (format!("a/C{n}.class"), Vec::new())))),
        ("bomb.jar", |path| jar(path, [("Bomb.class".to_owned(), vec![0; 512 << 20])].into_iter())),
    ];
    let mut cases: Vec<Case<'_>> = Vec::new();
    for (file, make) in files {
        for as_target in [true, false] {
            let name = format!("{file}-{}", if as_target { "target" } else { "class-path" });
            cases.push((
                name,
                Box::new(move || {
                    let stage = Stage::new(bench)?;
                    make(&stage.path(file))?;
                    let on_path = ["Work.java", "-cp", file, "--method", "Work.quick"];
                    let alone = [file];
                    let ended = stage.run("check", if as_target { &alone } else { &on_path })?;
                    Ok(sound(&ended).into_iter().chain(stage.left()).collect())
                }),
            ));
        }
    }
    all(bench, &cases)
}

fn fifo(path: &Path) -> anyhow::Result<()> {
    if !Command::new("mkfifo").arg(path).status()?.success() {
        bail!("no pipe can be made");
    }
    Ok(())
}

fn jar(path: &Path, entries: impl Iterator<Item = (String, Vec<u8>)>) -> anyhow::Result<()> {
    let mut zip = ZipWriter::new(File::create(path)?);
    for (name, bytes) in entries {
        zip.start_file(name, SimpleFileOptions::default())?;
        zip.write_all(&bytes)?;
    }
    zip.finish()?;
    Ok(())
}

/// A run that ends, by itself, without a defect, and says something.
fn sound(ended: &Ended) -> Option<String> {
    if ended.killed {
        return Some("it does not end".to_owned());
    }
    let said = String::from_utf8_lossy(&ended.err).into_owned();
    match ended.code {
        Some(0 | 1 | 3) => None,
        Some(2) if said.trim().lines().count() == 1 => None,
        code => Some(format!("it ends with {code:?}: {said}")),
    }
}

/// Plugins, options and configurations of strangers: none of them leaves a mark.
pub(super) fn strangers(bench: &Bench) -> anyhow::Result<Vec<String>> {
    const PLUGIN: &str = "import com.sun.source.util.*;
        public class Attack implements Plugin {
            static { try { new java.io.File(\"MARK\").createNewFile(); } catch (Exception e) { } }
            public String getName() { return \"Attack\"; }
            public boolean autoStart() { return true; }
            public void init(JavacTask task, String... args) { }
        }";
    const FOUND: [&str; 7] = [
        "solver = \"sh -c 'touch MARK'\"",
        "solver = \"./evil\"",
        "jdk = \"evil\"",
        "tree = \"MARK\"",
        "report = \"MARK\"",
        "replay = \"jvm\"",
        "trust = [\".\"]\ntree = \"MARK\"",
    ];
    let mut cases: Vec<Case<'_>> = Vec::new();
    cases.push((
        "plugin".to_owned(),
        Box::new(move || {
            let stage = Stage::new(bench)?;
            let mark = stage.path("mark");
            let source = stage.path("Attack.java");
            fs::write(&source, PLUGIN.replace("MARK", &mark.display().to_string()))?;
            compile(&bench.jdk, &[source], &[], &stage.path("services"))?;
            let services = stage.path("services/META-INF/services");
            fs::create_dir_all(&services)?;
            fs::write(services.join("com.sun.source.util.Plugin"), "Attack\n")?;
            stage.run("check", &["Work.java", "-cp", "services", "--method", "Work.quick"])?;
            stage.run("run", &["-cp", "services", "Attack.java"])?;
            Ok(unless(!mark.exists(), "the plugin ran".to_owned()))
        }),
    ));
    for (number, text) in FOUND.into_iter().enumerate() {
        cases.push((
            format!("configuration-{number}"),
            Box::new(move || {
                let stage = Stage::new(bench)?;
                let mark = stage.path("mark");
                fs::write(
                    stage.path("dalang.toml"),
                    text.replace("MARK", &mark.display().to_string()),
                )?;
                let ended = stage.run("check", &["Work.java", "--method", "Work.quick"])?;
                let mut wrong = unless(ended.code == Some(2), format!("{text}: {:?}", ended.code));
                wrong.extend(unless(!mark.exists(), format!("{text}: it left a mark")));
                Ok(wrong)
            }),
        ));
    }
    all(bench, &cases)
}
