//! Javalite: what is refused and how, and what a real JVM makes of what is translated.

use crate::workshop::{jdks, write};
use dalang_classes::Program;
use dalang_classes::javalite::{Unit, compile};
use dalang_classes::path::{self, ClassPath, Jdk, Library};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// The message about a text that is refused.
fn refusal(text: &str) -> String {
    compile(text, "a.jl").expect_err(text).to_string()
}

/// That about a body, in a method of a class with a bit of everything around it. The body begins at
/// 2:1.
fn body_refusal(body: &str) -> String {
    refusal(&format!(
        "((class A ([bool b] [A a] [B other]) ((A m [A x]\n{body})\n (bool t [bool y] y))) (class B () ()))"
    ))
}

#[test]
fn texts_that_cannot_be_read_are_refused() {
    for (text, expected) in [
        ("", "1:1: there is no program here; write `((class C"),
        ("; nothing\n  ", "2:3: there is no program here"),
        ("((class A () ())", "1:1: `(` is never closed; write `)` where its list ends"),
        ("((class A () [))", "1:15: `)` cannot close the `[` of 1:14; write `]`"),
        (")", "1:1: `)` closes nothing; remove it, or open a list before it"),
        ("((class A () ()))\n x", "2:2: something follows the program; a file is one list"),
        ("((class A+ () ()))", "1:10: `+` means nothing in Javalite; names are made of letters"),
        ("((class A () ()) :)", "1:18: `:` means nothing in Javalite"),
    ] {
        let message = refusal(text);
        assert!(message.starts_with(expected), "{text:?}: {message}");
    }
    let deep = format!("{}{}", "(".repeat(400), ")".repeat(400));
    assert!(refusal(&deep).starts_with("1:301: more than 300 lists are open here"));
    let far = format!("{}((class A () ()))", "\n".repeat(70_000));
    assert!(refusal(&far).contains("more than 65535 lines"));
    let long = format!("((class {} () ()))", "a".repeat(2000));
    assert!(refusal(&long).starts_with("1:9: a name of more than 1000 bytes"));
}

#[test]
fn forms_that_are_none_are_refused_with_the_one_that_is_meant() {
    for (text, expected) in [
        ("x", "1:1: this is no program; write `((class C"),
        ("()", "1:1: the program has no class"),
        ("(() (A m))", "1:1: the program has no class"),
        ("(class A () ())", "1:1: a program begins with its list of classes"),
        (
            "(((class A () ())) (A m) (A m))",
            "1:1: this is neither classes nor classes and an entry",
        ),
        ("(((class A () ())) A)", "1:20: this is no entry; write `(C m)`"),
        ("((class A () ()) (A m))", "1:18: this is no class; write `(class C"),
        ("((class A ()))", "1:2: this is no class; write `(class C ([T f] ...) (method ...))`"),
        ("((class A x ()))", "1:11: the fields of a class are a list"),
        ("((class A () x))", "1:14: the methods of a class are a list"),
        ("((class A ([A]) ()))", "1:12: this is not a field; write `[T f]`"),
        ("((class A () ((A m x x))))", "1:20: this is not a parameter; write `[T f]`"),
        ("((class A () ((A m [A x]))))", "1:15: this is no method; write `(T m [T x] e)`"),
        ("((class (A) () ()))", "1:9: here the name of a class is expected"),
        ("((class 7A () ()))", "1:9: `7A` cannot be the name of a class; names do not begin"),
        (
            "((class bool () ()))",
            "1:9: `bool` is a word of the language and cannot be the name of a class",
        ),
        ("((class A () ((A m [A this] this))))", "1:23: `this` is a word of the language"),
    ] {
        let message = refusal(text);
        assert!(message.starts_with(expected), "{text:?}: {message}");
    }
}

#[test]
fn expressions_that_are_none_are_refused() {
    for (body, expected) in [
        (
            "7",
            "2:1: `7`: numbers are references of the papers' machine, not of programs; write a variable",
        ),
        ("else", "2:1: `else` is a word of the language and cannot be the name of a variable"),
        ("()", "2:1: this is no expression; write x, null"),
        ("(x x)", "2:1: this is no expression"),
        ("(new A B)", "2:1: `new` takes one class; write `(new C)`"),
        ("(if true x x)", "2:1: this is no `if`; write `(if e e else e)`"),
        ("(var A y := x x)", "2:1: this is no `var`; write `(var T x := e in e)`"),
        ("(x $ a = x)", "2:1: this neither reads nor writes a field"),
        (
            "((x $ a) $ a := x)",
            "2:2: only a field of a variable can be assigned to; name the object first",
        ),
        ("(x = x x)", "2:1: `=` compares two values"),
        ("(x @ m)", "2:1: a call has an object, a method and one argument"),
        ("(x := x x)", "2:1: this is no assignment"),
        ("((new A) := x)", "2:2: here the name of a variable is expected"),
        ("(begin)", "2:1: an empty `begin` has no value"),
    ] {
        let message = body_refusal(body);
        assert!(message.starts_with(expected), "{body:?}: {message}");
    }
}

#[test]
fn names_and_types_that_do_not_fit_are_refused() {
    for (text, expected) in [
        (
            "((class A () ()) (class A () ()))",
            "1:25: a second class `A`: there is one of this name",
        ),
        (
            "((class A ([A f] [bool f]) ()))",
            "1:24: a second field `f`: the class has one of this name",
        ),
        ("((class A () ((A m [A x] x) (A m [bool y] null))))", "1:32: a second method `m`"),
        (
            "((class A ([C f]) ()))",
            "1:13: there is no class `C`; declare it in this file, which has `A`",
        ),
        ("(((class A () ())) (B m))", "1:21: there is no class `B`"),
        (
            "(((class A () ())) (A m))",
            "1:23: class `A` has no method `m`; declare it, or correct the name; it has none",
        ),
    ] {
        let message = refusal(text);
        assert!(message.starts_with(expected), "{text:?}: {message}");
    }
    for (body, expected) in [
        (
            "y",
            "2:1: there is no variable `y` here; declare it with `var`, or use one of `this`, `x`",
        ),
        ("(begin (var A y := x in y) y)", "2:28: there is no variable `y` here"),
        ("(y $ a := x)", "2:2: there is no variable `y` here"),
        ("(new C)", "2:6: there is no class `C`"),
        (
            "(x $ c)",
            "2:6: class `A` has no field `c`; declare it, or correct the name; it has `b`, `a`, `other`",
        ),
        (
            "(x @ n x)",
            "2:6: class `A` has no method `n`; declare it, or correct the name; it has `m`, `t`",
        ),
        (
            "true",
            "2:1: the body of method `m` is of type bool, and A is needed; write an expression of type A",
        ),
        ("(x $ other)", "2:1: the body of method `m` is of type B, and A is needed"),
        ("(x $ a := true)", "2:11: what is assigned to field `a` is of type bool, and A is needed"),
        ("(x := (new B))", "2:7: what is assigned to `x` is of type B, and A is needed"),
        (
            "(var bool y := null in x)",
            "2:16: what `y` begins with is of type null, and bool is needed",
        ),
        ("(x @ m false)", "2:8: the argument of `m` is of type bool, and A is needed"),
        ("(if x x else x)", "2:5: the condition is of type A, and bool is needed"),
        (
            "(if (x = x) x else true)",
            "2:1: the two branches are of the types A and bool; give both one type",
        ),
        (
            "(if (x = true) x else x)",
            "2:5: a value of type A is compared with one of bool; compare two",
        ),
        ("(null $ a)", "2:1: a value of type null has no fields; use an object of a class here"),
        ("((x = x) @ m x)", "2:1: a value of type bool has no methods"),
    ] {
        let message = body_refusal(body);
        assert!(message.starts_with(expected), "{body:?}: {message}");
    }
}

#[test]
fn methods_that_no_class_file_can_hold_are_refused() {
    let calls = "(x := (x @ m x)) ".repeat(6000);
    let message = refusal(&format!("((class A () ((A m [A x] (begin {calls} x)))))"));
    assert!(
        message.starts_with("1:18: method `m` does not fit into a class file; divide it"),
        "{message}"
    );
}

/// Each method takes an `A` and gives true if all is well.
const MEANING: &str = r"
; What each method returns is true if the rules of the papers hold.
(((class A
    ([bool b] [A a] [B other])
    ((bool fresh [A x]
       (var A n := (new A) in
         (if (n $ b) false else (if ((n $ a) = null) ((n $ other) = null) else false))))
     (bool values [A x]
       (var A n := (new A) in
         (if ((n $ a := x) = x) (if (((n $ b := true) = (n $ b)) = true) ((n := x) = x) else false)
          else false)))
     (bool written_last [A x] ; the variable is looked up after the value
       (var A old := (new A) in
         (var A n := old in
           (begin
             (n $ a := (n := (new A)))
             (if ((old $ a) = null) ((n $ a) = n) else false)))))
     (bool restored [A x] ; what a body assigns to outer variables is undone
       (var bool outer := true in
         (begin
           (var A inner := x in
             (begin (outer := false) (x := null) (if outer (this $ b := true) else (begin))))
           (if (x = null) false else outer))))
     (bool kept [A x] ; what the first value of a var assigns is not
       (var bool outer := true in
         (var bool inner := (outer := false) in (outer = false))))
     (bool shadowed [A x]
       (var bool x := true in (if x (var A x := null in (x = null)) else false)))
     (bool receiver [A x]
       (var A self := this in
         (begin (this := x) (if (this = x) ((this = self) = false) else false))))
     (bool receiver_back [A x]
       (begin (var bool y := true in (this := x)) ((this = x) = false)))
     (bool discarded [A x]
       (begin
         (if true (new A) else (new B)) (if false true else null) (x $ a) x null true
         (x = x) (x @ fresh x) (begin) (if (x = null) (begin) else (this $ b := true))
         (this $ b)))
     (bool different [A x]
       (if ((new A) = (new A)) false else (if ((x $ a) = (x $ other)) (x = x) else false)))
     (bool stacked [A x] ; values wait on the stack while branches meet
       ((if (x = this) this else x) @ same (if (x = null) null else (if (x = this) this else x))))
     (bool same [A x] (this = x))))
  (class B () ()))
 (A fresh))
";

/// The classes of a unit as files.
fn unpack(unit: &Unit, folder: &Path) {
    for (class, bytes) in &unit.classes {
        fs::write(folder.join(format!("{class}.class")), bytes).unwrap();
    }
}

fn java(jdk: &Jdk, folder: &Path, driver: &str) -> String {
    let source = write(folder, "Driver.java", driver);
    path::compile(jdk, &[source], &[folder.to_path_buf()], folder).unwrap();
    let mut command = Command::new(jdk.home.join("bin/java"));
    let output = command.arg("-Xverify:all").arg("-cp").arg(folder).arg("Driver").output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", jdk.version);
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn programs_mean_on_a_jvm_what_the_papers_say() {
    let unit = compile(MEANING, "meaning.jl").unwrap();
    assert_eq!(unit.entry, Some(("A".to_owned(), "fresh".to_owned())));
    let driver = "public class Driver {
        public static void main(String[] args) throws Exception {
            for (java.lang.reflect.Method method : A.class.getDeclaredMethods()) {
                A x = new A();
                System.out.println(method.getName() + \" \" + method.invoke(new A(), x));
            }
            try { new A().values(new A().a.a); } catch (NullPointerException e) { System.out.println(\"null\"); }
            try { new A().discarded(null); } catch (NullPointerException e) {
                StackTraceElement top = e.getStackTrace()[0];
                System.out.println(top.getFileName() + \":\" + top.getLineNumber());
            }
        }
    }";
    for jdk in jdks().iter().filter(|jdk| jdk.javac().is_some()) {
        let folder = TempDir::new().unwrap();
        unpack(&unit, folder.path());
        let printed = java(jdk, folder.path(), driver);
        let mut lines: Vec<&str> = printed.lines().collect();
        assert_eq!(lines.split_off(lines.len() - 2), ["null", "meaning.jl:36"]);
        lines.sort_unstable();
        let names = [
            "different",
            "discarded",
            "fresh",
            "kept",
            "receiver",
            "receiver_back",
            "restored",
            "same",
            "shadowed",
            "stacked",
            "values",
            "written_last",
        ];
        // `same` is called by others, and here with another object.
        let expected = names.map(|name| format!("{name} {}", name != "same"));
        assert_eq!(lines, expected, "{}", jdk.version);
    }
}

#[test]
fn many_variables_take_wide_instructions_and_all_is_decoded() {
    // Every variable is assigned to within the last body, so that each body has copies of all.
    let mut text = String::from("((class A () ((bool m [bool x0] ");
    for number in 1..=40 {
        let before = number - 1;
        let _ = write!(text, "(var bool x{number} := x{before} in ");
    }
    text += "(begin ";
    for number in 1..40 {
        let _ = write!(text, "(x{number} := false) ");
    }
    text += "(x0 := x40))";
    text += &")".repeat(40);
    text += "))))";
    let unit = compile(&text, "wide.jl").unwrap();
    let wide_load = |pair: &[u8]| pair == [0xc4, 0x15];
    assert!(unit.classes[0].1.windows(2).any(wide_load));
    for jdk in jdks().iter().filter(|jdk| jdk.javac().is_some()) {
        let folder = TempDir::new().unwrap();
        unpack(&unit, folder.path());
        let driver = "public class Driver { public static void main(String[] args) {
            System.out.println(new A().m(true) + \" \" + new A().m(false)); } }";
        assert_eq!(java(jdk, folder.path(), driver), "true false\n");
        let path = ClassPath::open(&[folder.path()], jdk.feature).unwrap();
        let program = Program::new(Library::open(jdk).unwrap(), path).unwrap();
        let class = program.load("A").unwrap();
        for method in program.class(class).methods() {
            let code = program.code(method).unwrap().expect("a body");
            assert!(!code.listing(&program.class(class).pool, program.names()).is_empty());
        }
    }
}

#[test]
fn programs_as_deep_as_can_be_are_translated() {
    for (open, close) in [
        ("(begin ", ")"),
        ("(var A y := x in ", ")"),
        ("(if (x = this) x else ", ")"),
        ("(x @ m ", ")"),
        ("(x := ", ")"),
        ("(x $ f := ", ")"),
        ("(if ((", " $ f) = x) x else x)"),
    ] {
        // A list of classes, a class, its methods, a method; and two or three lists at a time.
        let levels = if close == ")" { 290 } else { 95 };
        let body = format!("{}x{}", open.repeat(levels), close.repeat(levels));
        let text = format!("((class A ([A f]) ((A m [A x] {body}))))");
        compile(&text, "deep.jl").unwrap_or_else(|error| panic!("{open}: {error}"));
    }
}

#[test]
fn reports_can_name_parameters_and_lines() {
    let folder = TempDir::new().unwrap();
    let file =
        write(folder.path(), "named.jl", "((class A ([A f])\n ((A m [A given]\n  (given $ f)))))");
    let jdk = crate::workshop::jdk();
    let mut path = ClassPath::default();
    let unit = path.add_javalite(&file).unwrap();
    assert_eq!(unit.entry, None);
    let program = Program::new(Library::open(&jdk).unwrap(), path).unwrap();
    let class = program.load("A").unwrap();
    let method = crate::workshop::named(&program, class, "m");
    assert_eq!(program.parameter_names(method), ["given"]);
    let wrong = write(folder.path(), "wrong.jl", "((class A ()\n  (B)))");
    let message = path_error(&wrong);
    assert!(message.ends_with("wrong.jl:2:4: this is no method; write `(T m [T x] e)`: type, name, one parameter, one expression"), "{message}");
    assert!(path_error(&folder.path().join("none.jl")).contains("there is no such file"));
}

fn path_error(file: &Path) -> String {
    ClassPath::default().add_javalite(file).unwrap_err().to_string()
}

/// The tokens of a text, comments left out.
fn tokens(text: &str) -> Vec<String> {
    let plain: Vec<&str> =
        text.lines().map(|line| line.split(';').next().unwrap_or_default()).collect();
    let mut spaced = plain.join(" ");
    for bracket in ["(", ")", "[", "]"] {
        spaced = spaced.replace(bracket, &format!(" {bracket} "));
    }
    spaced.split_whitespace().map(str::to_owned).collect()
}

/// Every token of a program is left out, doubled, and exchanged for others: what comes of it is
/// refused, or it is a program whose bodies are sound.
#[test]
fn damaged_programs_are_refused_or_sound() {
    let others = ["(", ")", "x", "this", "null", "true", "A", "B", "bool", "$", ":=", "=", "begin"];
    let whole = tokens(MEANING);
    let jdk = crate::workshop::jdk();
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("damaged.jl");
    let (mut refused, mut sound) = (0, 0);
    for place in 0..whole.len() {
        let doubled = format!("{} {}", whole[place], whole[place]);
        for other in others.iter().copied().chain(["", &doubled]) {
            let mut damaged = whole.clone();
            damaged[place] = other.to_owned();
            let text = damaged.join(" ");
            if compile(&text, "damaged.jl").is_err() {
                refused += 1;
                continue;
            }
            sound += 1;
            // Opening a library takes its time, and one in four is many.
            if sound % 4 == 0 {
                fs::write(&file, &text).unwrap();
                assert_sound(&jdk, &file, &text);
            }
        }
    }
    println!("{refused} refused, {sound} sound");
    assert!(refused > 5000 && sound > 400, "{refused} refused, {sound} sound");
}

fn assert_sound(jdk: &Jdk, file: &Path, text: &str) {
    let mut path = ClassPath::default();
    let unit = path.add_javalite(file).unwrap();
    let program = Program::new(Library::open(jdk).unwrap(), path).unwrap();
    for (class, _) in unit.classes {
        let class = program.load(&class).unwrap();
        for method in program.class(class).methods() {
            program.code(method).unwrap_or_else(|error| panic!("{error:?} in {text}"));
        }
    }
}
