//! Attacks by what is checked: nothing on a class path, in a folder or in a name makes anything run,
//! and nothing is read that never ends.

use crate::desk::{Desk, refusal};
use crate::machines::{jdk, jdks, run};
use crate::process::Ended;
use dalang_classes::path::{Jdk, compile};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A plugin of javac and an annotation processor, each of which leaves a mark when it is run. Their
/// initializers do already.
const ATTACK: &str = r#"
import com.sun.source.util.*;
import java.io.File;
import java.util.Set;
import javax.annotation.processing.*;
import javax.lang.model.element.TypeElement;

public class Attack extends AbstractProcessor implements Plugin {
    static {
        try { new File("MARK").createNewFile(); } catch (java.io.IOException e) { }
    }
    public String getName() { return "Attack"; }
    public boolean autoStart() { return true; }
    public void init(JavacTask task, String... args) { }
    public Set<String> getSupportedAnnotationTypes() { return Set.of("*"); }
    public boolean process(Set<? extends TypeElement> a, RoundEnvironment r) { return false; }
}
"#;

const SERVICES: [&str; 2] = ["com.sun.source.util.Plugin", "javax.annotation.processing.Processor"];

const VICTIM: &str = "public class Victim {
    static int f(int x) { return x; }
    public static void main(String[] args) { System.out.println(f(1)); }
}
";

/// A folder with a victim, and a file in it that is there once an attack has worked.
struct Trap {
    desk: Desk,
    mark: PathBuf,
}

impl Trap {
    fn new() -> Self {
        let desk = Desk::holding("Victim.java", VICTIM);
        let mark = desk.folder.path().join("mark");
        Self { desk, mark }
    }

    /// A folder with the attack, announced to whoever asks.
    fn services(&self, jdk: &Jdk) -> PathBuf {
        let folder = self.desk.folder.path().join("services");
        let mark = self.mark.to_str().unwrap();
        let source = self.desk.write("Attack.java", &ATTACK.replace("MARK", mark));
        compile(jdk, &[source], &[], &folder).unwrap();
        fs::create_dir_all(folder.join("META-INF/services")).unwrap();
        for service in SERVICES {
            fs::write(folder.join("META-INF/services").join(service), "Attack\n").unwrap();
        }
        folder
    }

    fn is_sprung(&self) -> bool {
        self.mark.exists()
    }
}

/// A command in a folder.
fn dalang(folder: &Path, jdk: &Jdk, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dalang"));
    command.current_dir(folder).arg(arguments[0]).arg("--jdk").arg(&jdk.home);
    command.args(&arguments[1..]);
    command
}

fn assert_safe(ended: &Ended) {
    let (out, err) = (String::from_utf8_lossy(&ended.out), String::from_utf8_lossy(&ended.err));
    assert_eq!(ended.code, Some(0), "{out}{err}");
}

#[test]
fn neither_plugins_nor_processors_of_the_class_path_are_run() {
    for jdk in jdks().into_iter().filter(|jdk| jdk.javac().is_some()) {
        let trap = Trap::new();
        let services = trap.services(&jdk);
        let folder = trap.desk.folder.path();
        // The attack is a real one: javac by itself falls for it.
        let mut javac = Command::new(jdk.javac().unwrap());
        let out = folder.join("out");
        javac.arg("-cp").arg(&services).arg("-d").arg(out).arg(folder.join("Victim.java"));
        run(&mut javac);
        assert!(trap.is_sprung(), "javac {} did not run the plugin", jdk.version);
        fs::remove_file(&trap.mark).unwrap();
        let jar = folder.join("services.jar");
        let mut archiver = Command::new(jdk.home.join("bin/jar"));
        assert_safe(&run(archiver.arg("cf").arg(&jar).arg("-C").arg(&services).arg(".")));
        for path in [&services, &jar] {
            let path = path.to_str().unwrap();
            for command in ["check", "run"] {
                assert_safe(&run(&mut dalang(
                    folder,
                    &jdk,
                    &[command, "-cp", path, "Victim.java"],
                )));
                assert!(!trap.is_sprung(), "{command} -cp {path}");
            }
            // As a target, and beside where we are.
            run(&mut dalang(folder, &jdk, &["check", "Victim.java", path]));
            run(&mut dalang(&services, &jdk, &["check", "../Victim.java"]));
            assert!(!trap.is_sprung(), "{path}");
        }
    }
}

#[test]
fn variables_of_the_environment_do_not_reach_javac() {
    let (trap, jdk) = (Trap::new(), jdk());
    let services = trap.services(&jdk);
    let folder = trap.desk.folder.path();
    let path = services.to_str().unwrap();
    let logged = format!("-Xlog:all=info:file={}", trap.mark.display());
    let plugin = format!("-processorpath {path} -Xplugin:Attack");
    let attacks = [
        ("CLASSPATH", path),
        ("_JAVA_OPTIONS", &logged),
        ("JDK_JAVA_OPTIONS", &logged),
        ("JAVA_TOOL_OPTIONS", &logged),
        ("JDK_JAVAC_OPTIONS", &plugin),
    ];
    for (variable, value) in attacks {
        let mut command = dalang(folder, &jdk, &["check", "Victim.java"]);
        // The desk's own way of running programs takes these variables away.
        let output = command.env(variable, value).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{variable}: {output:?}");
        assert!(!trap.is_sprung(), "{variable}");
    }
}

#[test]
fn names_of_files_are_no_options() {
    let (trap, jdk) = (Trap::new(), jdk());
    let services = trap.services(&jdk);
    let folder = trap.desk.folder.path();
    let options = format!("-processorpath {} -Xplugin:Attack Victim.java", services.display());
    fs::write(folder.join("@x.java"), &options).unwrap();
    let log = format!("-J-Xlog:all=info:file={}", trap.mark.file_name().unwrap().display());
    let agent = format!("{log}.java");
    fs::write(folder.join(&agent), VICTIM).unwrap();
    for name in ["@x.java", &agent, "-proc:full.java"] {
        fs::write(folder.join("-proc:full.java"), VICTIM).unwrap();
        for command in ["check", "run"] {
            let arguments = [command, "-cp", services.to_str().unwrap(), "--", name];
            let ended = run(&mut dalang(folder, &jdk, &arguments));
            assert_ne!(ended.code, Some(4), "{name}: {ended:?}");
            assert!(!trap.is_sprung(), "{command} {name}");
        }
    }
    // A class path is one as well.
    fs::write(folder.join("@y"), &options).unwrap();
    refusal(&run(&mut dalang(folder, &jdk, &["check", "-cp", "@y", "Victim.java"])));
    assert!(!trap.is_sprung());
    // Files that are only called strangely are ordinary ones.
    for name in ["a b.java", "a\u{202e}b.java", "\u{1b}[31m.java", "a\nb.java", "größe.java"] {
        fs::write(folder.join(name), "class Odd { static int f(int x) { return x; } }").unwrap();
        assert_safe(&run(&mut dalang(folder, &jdk, &["check", name])));
    }
}

#[test]
fn sources_on_the_class_path_are_not_compiled() {
    let (trap, jdk) = (Trap::new(), jdk());
    let folder = trap.desk.folder.path();
    fs::write(folder.join("Other.java"), "public class Other { }").unwrap();
    fs::write(folder.join("Uses.java"), "public class Uses { Other o; }").unwrap();
    let text = refusal(&run(&mut dalang(folder, &jdk, &["check", "-cp", ".", "Uses.java"])));
    assert!(text.contains("cannot find symbol"), "{text}");
}

#[test]
fn a_program_in_the_current_folder_is_not_started() {
    let trap = Trap::new();
    let folder = trap.desk.folder.path();
    for name in ["z3", "cvc5", "bitwuzla", "java", "javac"] {
        let script = format!("#!/bin/sh\ntouch '{}'\n", trap.mark.display());
        fs::write(folder.join(name), script).unwrap();
        assert_safe(&run(Command::new("chmod").arg("+x").arg(folder.join(name))));
    }
    let system = std::env::var("PATH").unwrap();
    for path in [format!(":{system}"), format!(".:{system}"), format!("{system}:.")] {
        for arguments in [&["doctor"][..], &["check", "Victim.java"]] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_dalang"));
            command.env_remove("JAVA_HOME").env_remove("DALANG_JDK").env("PATH", &path);
            run(command.current_dir(folder).args(arguments));
            assert!(!trap.is_sprung(), "{arguments:?} with PATH={path}");
        }
    }
}

#[test]
fn what_never_ends_is_refused() {
    let desk = Desk::holding("Victim.java", VICTIM);
    let (folder, jdk) = (desk.folder.path(), jdk());
    for name in ["pipe", "pipe.jar", "pipe.class", "pipe.java", "pipe.jl"] {
        assert_safe(&run(Command::new("mkfifo").arg(folder.join(name))));
    }
    for name in ["zero.jar", "zero.class", "zero.java", "zero.jl"] {
        std::os::unix::fs::symlink("/dev/zero", folder.join(name)).unwrap();
    }
    for target in ["pipe", "pipe.jar", "pipe.class", "pipe.java", "pipe.jl"] {
        let text = refusal(&run(&mut dalang(folder, &jdk, &["check", target])));
        assert!(text.contains(target) && text.contains("a pipe"), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    }
    for target in ["zero.jar", "zero.class", "zero.java", "zero.jl", "/dev/zero"] {
        let text = refusal(&run(&mut dalang(folder, &jdk, &["check", target])));
        assert!(text.contains(target) && text.contains("a device"), "{text}");
    }
    for path in ["pipe", "pipe.jar", "pipe.class", "zero.jar", "zero.class", "/dev/zero"] {
        for command in ["check", "run"] {
            let arguments = [command, "-cp", path, "Victim.java"];
            let text = refusal(&run(&mut dalang(folder, &jdk, &arguments)));
            assert!(text.contains("not an ordinary file"), "{command} {path}: {text}");
        }
    }
    let pattern = format!("{}/*", folder.display());
    let text = refusal(&run(&mut dalang(folder, &jdk, &["check", "-cp", &pattern, "Victim.java"])));
    assert!(text.contains("pipe.jar"), "{text}");
}

#[test]
fn huge_files_are_not_read() {
    let desk = Desk::holding("Victim.java", VICTIM);
    let (folder, jdk) = (desk.folder.path(), jdk());
    for (name, size) in
        [("a.java", 65 << 20), ("a.class", 65 << 20), ("a.jl", 65 << 20), ("a.jar", 5 << 30)]
    {
        // A hole, which takes no place on the disk.
        fs::File::create(folder.join(name)).unwrap().set_len(size).unwrap();
        let text = refusal(&run(&mut dalang(folder, &jdk, &["check", name])));
        assert!(text.contains(name) && text.contains("larger than"), "{text}");
    }
}

#[test]
fn folders_that_contain_themselves_are_listed_once() {
    let desk = Desk::holding("Victim.java", VICTIM);
    let classes = desk.folder.path().join("classes");
    compile(&jdk(), &[desk.folder.path().join("Victim.java")], &[], &classes).unwrap();
    std::os::unix::fs::symlink(".", classes.join("again")).unwrap();
    std::os::unix::fs::symlink("..", classes.join("above")).unwrap();
    std::os::unix::fs::symlink("loop.class", classes.join("loop.class")).unwrap();
    assert_safe(&run(Command::new("mkfifo").arg(classes.join("Pipe.class"))));
    let path = classes.to_str().unwrap();
    let mut command = dalang(desk.folder.path(), &jdk(), &["check", path, "--class", "Victim"]);
    assert_safe(&run(&mut command));
}

/// A desk with a `dalang.toml`, and what `check` makes of it.
fn configured(text: &str, arguments: &[&str]) -> (Trap, Ended) {
    let trap = Trap::new();
    let mark = trap.mark.to_str().unwrap();
    trap.desk.write("dalang.toml", &text.replace("MARK", mark));
    let ended = run(&mut dalang(
        trap.desk.folder.path(),
        &jdk(),
        &[&["check", "Victim.java"], arguments].concat(),
    ));
    (trap, ended)
}

#[test]
fn a_configuration_that_is_found_starts_and_writes_nothing() {
    for (text, key) in [
        ("solver = \"sh -c 'touch MARK'\"", "solver"),
        ("solver = \"z3\"", "solver"),
        ("tree = \"mark\"", "tree"),
        ("jdk = \"jdk\"", "jdk"),
        ("trust = [\".\"]\nsolver = \"sh -c 'touch MARK'\"", "solver"),
    ] {
        let (trap, ended) = configured(text, &[]);
        let message = refusal(&ended);
        assert!(!trap.is_sprung(), "{text}");
        for part in [&format!("`{key}`"), "dalang.toml", "--trust", "command line"] {
            assert!(message.contains(part), "{text}: {message}");
        }
    }
    // What is trusted by name may do it.
    let (trap, ended) = configured("tree = \"mark\"", &["--trust", "."]);
    assert_safe(&ended);
    assert!(trap.is_sprung());
    // What only says how far to look is data.
    let (_trap, ended) = configured("solver = \"builtin\"\nk = 3\nno-progress = true", &[]);
    assert_safe(&ended);
}

#[test]
fn the_users_own_configuration_may_do_everything() {
    let trap = Trap::new();
    let folder = trap.desk.folder.path();
    fs::create_dir_all(folder.join("home/.config/dalang")).unwrap();
    let own = folder.join("home/.config/dalang/dalang.toml");
    fs::write(&own, format!("tree = \"{}\"\nk = 0\n", trap.mark.display())).unwrap();
    let check = |name: &str, arguments: &[&str]| {
        let mut command = dalang(folder, &jdk(), &[&["check", "Victim.java"], arguments].concat());
        command.env_remove("XDG_CONFIG_HOME").env("HOME", folder.join(name));
        run(&mut command)
    };
    assert!(refusal(&check("home", &[])).contains("--k 0"));
    assert_safe(&check("home", &["--k", "2"]));
    assert!(trap.is_sprung());
    assert_safe(&check("elsewhere", &[]));
}

#[test]
fn a_configuration_above_the_project_or_of_others_is_left_alone() {
    use std::os::unix::fs::PermissionsExt;
    let trap = Trap::new();
    let folder = trap.desk.folder.path();
    fs::write(folder.join("dalang.toml"), "k = 0\n").unwrap();
    let project = folder.join("project/src");
    fs::create_dir_all(&project).unwrap();
    fs::create_dir(folder.join("project/.git")).unwrap();
    fs::write(project.join("Victim.java"), VICTIM).unwrap();
    let check = || run(&mut dalang(&project, &jdk(), &["check", "Victim.java"]));
    let told = |ended: &Ended, why: &str| {
        assert_safe(ended);
        let text = String::from_utf8_lossy(&ended.err).into_owned();
        assert!(text.contains("dalang.toml is not read") && text.contains(why), "{text}");
    };
    told(&check(), "above the project");
    fs::write(folder.join("project/dalang.toml"), "k = 0\n").unwrap();
    assert!(refusal(&check()).contains("--k 0"));
    let open = fs::Permissions::from_mode(0o777);
    fs::set_permissions(folder.join("project"), open).unwrap();
    told(&check(), "others can write");
}

#[test]
fn a_configuration_that_never_ends_is_refused() {
    let trap = Trap::new();
    let folder = trap.desk.folder.path();
    let file = folder.join("dalang.toml");
    let check = || refusal(&run(&mut dalang(folder, &jdk(), &["check", "Victim.java"])));
    assert_safe(&run(Command::new("mkfifo").arg(&file)));
    assert!(check().contains("a pipe"));
    fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
    assert!(check().contains("a device"));
    fs::remove_file(&file).unwrap();
    fs::File::create(&file).unwrap().set_len(2 << 20).unwrap();
    assert!(check().contains("larger than"));
}

/// Characters that a terminal obeys, that turn text round, and that nobody sees.
const WILD: &str = "\u{1b}[31m\u{1b}]0;t\u{7}\u{9b}\u{202e}\u{2066}\u{200b}\u{feff}\u{61c}\u{2060}";

fn assert_tame(ended: &Ended, what: &str) {
    for bytes in [&ended.out, &ended.err] {
        let text = std::str::from_utf8(bytes).unwrap();
        let wild = text.chars().find(|&c| c != '\n' && c != '\t' && dalang_classes::is_hidden(c));
        assert_eq!(wild, None, "{what}: {text:?}");
    }
}

#[test]
fn what_terminals_obey_is_escaped_wherever_it_comes_from() {
    let trap = Trap::new();
    let (folder, jdk) = (trap.desk.folder.path(), jdk());
    let assert = |arguments: &[&str]| {
        let ended = run(&mut dalang(folder, &jdk, arguments));
        assert_tame(&ended, &format!("{arguments:?}"));
        ended
    };
    // Flags, and names of files that are not there or are none.
    for wild in [WILD.to_owned(), format!("{WILD}.java"), format!("{WILD}.jar")] {
        assert(&["check", &wild]);
        assert(&["check", "Victim.java", "--method", &wild]);
        assert(&["check", "Victim.java", "--class", &wild]);
        assert(&["check", "Victim.java", "-cp", &wild]);
        assert(&["check", "Victim.java", "--violations", &wild]);
        assert(&["check", "Victim.java", "--policy", &wild]);
        assert(&["check", "Victim.java", "--k", &wild]);
        assert(&["check", "Victim.java", &format!("--{wild}")]);
        assert(&["check", "Victim.java", "--solver", &wild]);
        assert(&["check", "Victim.java", "--tree", &format!("no/{wild}")]);
        assert(&["check", "Victim.java", "--resume", &wild]);
        assert(&["check", "Victim.java", "--trust", &wild]);
        assert(&["run", &wild]);
        run(Command::new(env!("CARGO_BIN_EXE_dalang")).arg(&wild));
        let mut doctor = Command::new(env!("CARGO_BIN_EXE_dalang"));
        assert_tame(&run(doctor.args(["doctor", "--jdk", &wild])), "doctor");
    }
    // javac's messages, which repeat the source.
    let source = format!("class Bad {{ String s = \"{WILD}\" + ; }}");
    fs::write(folder.join(format!("{WILD}.java")), source).unwrap();
    assert_eq!(assert(&["check", &format!("{WILD}.java")]).code, Some(2));
    // Class files: names, messages, values. Some compilers leave out what cannot be seen, so the name is put
    // into the class file: it is as long as the one that was compiled.
    let odd = "class Odd { static int sABCDEF(String x) {
        if (x.equals(\"\u{202e}\u{1b}[2J\")) throw new AssertionError(\"\u{2066}\u{1b}\");
        return 1; } }";
    fs::write(folder.join("Odd.java"), odd).unwrap();
    let mut javac = Command::new(jdk.home.join("bin/javac"));
    javac.args(["-g", "-encoding", "UTF-8", "Odd.java"]).current_dir(folder);
    assert_eq!(run(&mut javac).code, Some(0));
    let mut class = fs::read(folder.join("Odd.class")).unwrap();
    let at = class.windows(7).position(|bytes| bytes == b"sABCDEF").unwrap();
    class[at..at + 7].copy_from_slice("s\u{200b}\u{200d}".as_bytes());
    fs::write(folder.join("Odd.class"), class).unwrap();
    for format in ["text", "json", "jsonl"] {
        let ended = assert(&["check", "Odd.class", "-v", "--string", "6", "--format", format]);
        let text = String::from_utf8_lossy(&ended.out).into_owned();
        assert!(text.contains("s\\u200b\\u200d("), "{text}");
        if format == "json" {
            let json: serde_json::Value = serde_json::from_str(&text).unwrap();
            let method = json["methods"][0]["method"].as_str().unwrap();
            assert_eq!(method, "Odd.s\u{200b}\u{200d}(Ljava/lang/String;)I");
        }
    }
    // Configurations.
    for text in [
        format!("\"{WILD}\" = 1"),
        format!("policy = \"{WILD}\""),
        format!("method = [\"{WILD}\"]"),
        format!("class-path = \"{WILD}\""),
        format!("# {WILD}\nk = x"),
    ] {
        let escaped = text.replace(|c: char| c.is_control() && c != '\n', "\\u001B");
        for text in [text, escaped] {
            fs::write(folder.join("dalang.toml"), text).unwrap();
            assert_eq!(assert(&["check", "Victim.java"]).code, Some(2));
        }
    }
}
