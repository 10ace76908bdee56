//! Classes that do not fit together, and bytes that are no classes: which Java error, which message.

use crate::workshop::{Compiled, compiled, named};
use dalang_classes::path::{ClassPath, Library, Origin, compile};
use dalang_classes::{ClassError, JavaError, LinkFailure, MethodRefId, Program};

fn load(compiled: &Compiled, class: &str) -> LinkFailure {
    compiled.program().load(class).unwrap_err()
}

/// The failure of the first reference of a class that does not resolve.
fn first_failure(program: &Program, class: &str) -> LinkFailure {
    let class = program.class(program.load(class).unwrap());
    let [_, fields, methods] = class.pool.reference_counts();
    let fields = (0..fields).map(dalang_classes::FieldRefId::new);
    let mut fields = fields.filter_map(|id| program.resolve_field(class.id, id).err());
    let methods = (0..methods).map(MethodRefId::new);
    let mut methods = methods.filter_map(|id| program.resolve_method(class.id, id).err());
    fields.next().or_else(|| methods.next()).unwrap().clone()
}

#[test]
fn hierarchies_that_cannot_be() {
    let make = |before: &str, after: &str| {
        let compiled =
            compiled(&[("Upper.java", before), ("Lower.java", "class Lower extends Upper { }")]);
        compiled.add(&[("Upper.java", after)]);
        load(&compiled, "Lower")
    };
    let failure = make("class Upper { }", "final class Upper { }");
    assert_eq!(failure.error, JavaError::IncompatibleClassChangeError);
    assert_eq!(&*failure.message, "class Lower cannot inherit from final class Upper");
    let failure = make("class Upper { }", "interface Upper { }");
    assert_eq!(&*failure.message, "class Lower has interface Upper as super class");
    let failure = make(
        "class Upper { }",
        "sealed class Upper permits Other { } final class Other extends Upper { }",
    );
    assert_eq!(&*failure.message, "class Lower cannot inherit from sealed class Upper");
}

#[test]
fn circles_are_found() {
    let compiled =
        compiled(&[("A.java", "class A { } class B extends A { } class C extends B { }")]);
    let source = [("A.java", "class A extends C { } class C { }")];
    let other = crate::workshop::compiled(&source);
    std::fs::copy(other.class_file("A"), compiled.class_file("A")).unwrap();
    let program = compiled.program();
    for class in ["A", "C", "B"] {
        assert_eq!(
            program.load(class).unwrap_err().error,
            JavaError::ClassCircularityError,
            "{class}"
        );
    }
}

#[test]
fn missing_classes_and_missing_superclasses() {
    let compiled = compiled(&[("A.java", "class A { } class B extends A { }")]);
    std::fs::remove_file(compiled.class_file("A")).unwrap();
    let program = compiled.program();
    for class in ["B", "A", "x/y/Z"] {
        let failure = program.load(class).unwrap_err();
        assert_eq!(failure.error, JavaError::NoClassDefFoundError);
        let expected = if class == "x/y/Z" { "x/y/Z" } else { "A" };
        assert_eq!(&*failure.message, expected);
        // Asking again gives the same answer.
        assert_eq!(program.load(class).unwrap_err(), failure);
    }
}

#[test]
fn members_that_went_away() {
    let compiled = compiled(&[
        ("A.java", "class A { int f; void m(int[] a, String s) { } static void n() { } }"),
        ("Field.java", "class Field { int g(A a) { return a.f; } }"),
        ("Method.java", "class Method { void g(A a) { a.m(null, null); } }"),
        ("Private.java", "class Private { void g(A a) { a.n(); } }"),
    ]);
    compiled
        .add(&[("A.java", "class A { long f; void m(int[] a) { } private static void n() { } }")]);
    let program = compiled.program();
    let failure = first_failure(&program, "Field");
    assert_eq!((failure.error, &*failure.message), (JavaError::NoSuchFieldError, "f"));
    let failure = first_failure(&program, "Method");
    assert_eq!(failure.error, JavaError::NoSuchMethodError);
    assert_eq!(&*failure.message, "'void A.m(int[], java.lang.String)'");
    let failure = first_failure(&program, "Private");
    assert_eq!(failure.error, JavaError::IllegalAccessError);
    assert_eq!(
        &*failure.message,
        "class Private tried to access private method 'void A.n()' \
         (Private and A are in unnamed module of loader 'app')"
    );
}

#[test]
fn classes_that_became_interfaces() {
    let compiled = compiled(&[
        ("A.java", "public class A { public void m() { } }"),
        ("User.java", "class User { void g(A a) { a.m(); } }"),
    ]);
    compiled.add(&[("A.java", "public interface A { void m(); }")]);
    let failure = first_failure(&compiled.program(), "User");
    assert_eq!(failure.error, JavaError::IncompatibleClassChangeError);
    assert_eq!(&*failure.message, "Found interface A, but class was expected");
}

#[test]
fn final_methods_are_not_overridden() {
    let compiled =
        compiled(&[("A.java", "class A { void m() { } } class B extends A { void m() { } }")]);
    compiled.add(&[("A.java", "class A { final void m() { } }")]);
    // Compiling A alone leaves B as it was.
    let failure = load(&compiled, "B");
    assert_eq!(failure.error, JavaError::IncompatibleClassChangeError);
    assert_eq!(&*failure.message, "class B overrides final method A.m()V");
}

#[test]
fn wrong_names_versions_and_bytes() {
    let compiled = compiled(&[("A.java", "class A { }")]);
    std::fs::copy(compiled.class_file("A"), compiled.class_file("Other")).unwrap();
    let failure = load(&compiled, "Other");
    assert_eq!(failure.error, JavaError::NoClassDefFoundError);
    assert_eq!(&*failure.message, "Other (wrong name: A)");
    let program = compiled.program();
    let bytes = compiled.bytes("A");
    let define = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        program.define(bytes, Origin::made()).unwrap_err()
    };
    let failure = define(&|bytes| bytes[7] = 70);
    assert_eq!(failure.error, JavaError::UnsupportedClassVersionError);
    let text = failure.cause.unwrap().to_string();
    assert!(text.contains("70.0") && text.contains("--release 25"), "{text}");
    let failure = define(&|bytes| bytes.truncate(40));
    assert_eq!(failure.error, JavaError::ClassFormatError);
    assert!(matches!(*failure.cause.unwrap(), ClassError::Malformed { .. }));
    let failure = define(&|bytes| bytes.push(0));
    assert!(failure.message.contains("extra bytes"), "{}", failure.message);
    assert_eq!(define(&Vec::clear).error, JavaError::ClassFormatError);
    program.define(bytes.clone(), Origin::made()).unwrap();
    assert!(define(&|_| ()).message.contains("duplicate"));
}

#[test]
fn bad_bytecode_is_an_error_of_its_method() {
    let compiled = compiled(&[(
        "A.java",
        "class A { static int good() { return 1; } static int bad() { return 123; } }",
    )]);
    let mut bytes = compiled.bytes("A");
    let place = bytes.windows(3).position(|part| part == [16, 123, 172]).unwrap();
    bytes[place + 2] = 176;
    let program = compiled.program();
    let class = program.define(bytes, Origin::made()).unwrap();
    assert!(program.code(named(&program, class, "good")).is_ok());
    let failure = program.code(named(&program, class, "bad")).unwrap_err();
    assert_eq!(failure.error, JavaError::VerifyError);
    let text = failure.cause.as_ref().unwrap().to_string();
    assert!(text.contains("A.bad()I") && text.contains("at 2"), "{text}");
}

#[test]
fn very_high_hierarchies_are_refused() {
    let compiled = compiled(&[
        ("C00000.java", "class C00000 { }"),
        ("C00001.java", "class C00001 extends C00000 { }"),
    ]);
    let template = compiled.bytes("C00001");
    let program = compiled.program();
    program.load("C00000").unwrap();
    let numbered = |number: usize| {
        let mut bytes = template.clone();
        // The names are as long as each other, so they can be replaced in place.
        for place in 0..bytes.len() - 6 {
            let replaced = match &bytes[place..place + 6] {
                b"C00001" => number,
                b"C00000" => number - 1,
                _ => continue,
            };
            bytes[place..place + 6].copy_from_slice(format!("C{replaced:05}").as_bytes());
        }
        bytes
    };
    // On disk and asked for from below, so that the whole chain has to wait.
    for number in 1..3000 {
        std::fs::write(compiled.class_file(&format!("C{number:05}")), numbered(number)).unwrap();
    }
    let failure = program.load("C02999").unwrap_err();
    assert_eq!(failure.error, JavaError::StackOverflowError, "{failure:?}");
    assert!(program.load("C00900").is_ok());
}

#[test]
fn what_javac_says_is_passed_on() {
    let jdk = crate::workshop::jdk();
    let folder = tempfile::TempDir::new().unwrap();
    let source =
        crate::workshop::write(folder.path(), "Wrong.java", "class Wrong { int x = \"\"; }");
    let error = compile(&jdk, &[source], &[], &folder.path().join("out")).unwrap_err();
    let ClassError::Compilation { text } = &error else { panic!("{error:?}") };
    assert!(text.contains("Wrong.java:1: error: incompatible types"), "{text}");
    assert!(text.contains("1 error"), "{text}");
}

#[test]
fn entries_that_are_not_there_or_not_classes() {
    let folder = tempfile::TempDir::new().unwrap();
    let open = |name: &str| ClassPath::open(&[folder.path().join(name)], 17).err().unwrap();
    assert!(matches!(open("missing"), ClassError::Missing { .. }));
    crate::workshop::write(folder.path(), "notes.txt", "hello");
    assert!(matches!(open("notes.txt"), ClassError::NotAnEntry { .. }));
    crate::workshop::write(folder.path(), "Bad.class", "hello");
    assert!(matches!(open("Bad.class"), ClassError::Malformed { .. }));
}

#[test]
fn a_library_is_required() {
    let folder = tempfile::TempDir::new().unwrap();
    crate::workshop::write(folder.path(), "release", "JAVA_VERSION=\"17.0.1\"\n");
    let jdk = dalang_classes::path::Jdk::at(folder.path()).unwrap();
    assert_eq!(jdk.feature, 17);
    let error = Library::open(&jdk).err().unwrap();
    assert!(matches!(&error, ClassError::NotAJdk { what, .. } if what.contains("lib/modules")));
}

#[test]
fn messages_are_one_line_whatever_the_names_are() {
    let source = "class Plain { static int fieldname; static int f() { return fieldname; } }";
    let compiled = compiled(&[("Plain.java", source)]);
    let bytes = compiled.bytes("Plain");
    let name = b"fieldname";
    let place = bytes.windows(name.len()).position(|part| part == name).unwrap();
    let with_name = |new: &[u8]| {
        let mut bytes = bytes.clone();
        let length = (new.len() as u16).to_be_bytes();
        bytes.splice(place - 2..place + name.len(), length.iter().chain(new).copied());
        compiled.program().define(bytes, Origin::made()).unwrap_err()
    };
    let failure = with_name(b"two.\nlines\x1b[2J");
    assert_eq!(
        &*failure.message,
        "`two.\\u000alines\\u001b[2J` is not the name of a field in class file Plain"
    );
    assert!(!failure.cause.unwrap().to_string().contains(char::is_control));
    let failure = with_name(&b"a;".repeat(30_000));
    assert!(failure.message.len() < 2_100, "{}", failure.message);
    assert!(failure.message.ends_with("is not the name of a field in class file Plain"));
    let shown = failure.cause.unwrap().to_string();
    assert!(shown.len() < 2_000 && shown.starts_with("Plain (made at run time): "), "{shown}");
}
