//! Every class of `java.base` of every JDK loads, links and decodes; so do the jars of the system.

use crate::workshop;
use dalang_classes::path::{ClassPath, Jdk, Library};
use dalang_classes::{Program, Shape};
use std::path::Path;
use std::time::Instant;

/// Loads and decodes these classes and says what went wrong.
fn load_all(program: &Program, classes: &[String]) -> Vec<String> {
    let start = Instant::now();
    let mut wrong = Vec::new();
    for class in classes {
        if let Err(failure) = program.load(class) {
            wrong.push(format!("{class}: {failure:?}"));
        }
    }
    let loaded = start.elapsed();
    let decoding = Instant::now();
    let [_, methods, _] = program.counts();
    let mut instructions = 0;
    let declared = program.classes().filter(|class| class.shape == Shape::Declared);
    for method in declared.flat_map(dalang_classes::Class::methods) {
        match program.code(method) {
            Ok(code) => instructions += code.map_or(0, |code| code.instructions.len()),
            Err(failure) => wrong.push(format!("{failure:?}")),
        }
    }
    let decoded = decoding.elapsed();
    eprintln!(
        "{} classes loaded and linked in {loaded:?}, {methods} methods with {instructions} \
         instructions decoded in {decoded:?}",
        classes.len()
    );
    wrong
}

fn program(jdk: &Jdk) -> Program {
    Program::new(Library::open(jdk).unwrap(), ClassPath::default()).unwrap()
}

#[test]
fn every_class_of_java_base_loads_links_and_decodes() {
    let jdks = workshop::jdks();
    assert!(jdks.iter().any(|jdk| jdk.feature == 17), "no JDK 17 found");
    for jdk in jdks {
        let program = program(&jdk);
        let classes = program.library().classes(Some("java.base")).unwrap();
        eprintln!("JDK {} in {}", jdk.version, jdk.home.display());
        assert!(classes.len() > 3000, "only {} classes", classes.len());
        let wrong = load_all(&program, &classes);
        assert_eq!(wrong, [""; 0]);
    }
}

#[test]
fn every_reference_between_classes_of_java_util_resolves() {
    let program = program(&workshop::jdk());
    let classes = program.library().classes(Some("java.base")).unwrap();
    for name in classes.iter().filter(|name| name.starts_with("java/util/")) {
        let class = program.class(program.load(name).unwrap());
        // References to classes also serve descriptions of nested classes, seen or not.
        let [_, fields, methods] = class.pool.reference_counts();
        for id in (0..fields).map(dalang_classes::FieldRefId::new) {
            program.resolve_field(class.id, id).unwrap();
        }
        for id in (0..methods).map(dalang_classes::MethodRefId::new) {
            program.resolve_method(class.id, id).unwrap();
        }
    }
}

#[test]
fn a_small_program_loads_few_classes() {
    let program = program(&workshop::jdk());
    program.load("java/util/HashMap").unwrap();
    let [classes, ..] = program.counts();
    assert!(classes < 40, "{classes} classes for one HashMap");
}

#[test]
fn jmods_hold_the_same_classes_as_the_image() {
    let Some(jdk) = workshop::jdks().into_iter().find(|jdk| jdk.home.join("jmods").is_dir()) else {
        eprintln!("no JDK with jmods here: only images are covered");
        return;
    };
    let image = Library::open(&jdk).unwrap();
    let jmods = Library::from_jmods(&jdk.home.join("jmods")).unwrap();
    // The linker of images adds classes that it made itself.
    let in_image = image.classes(Some("java.base")).unwrap();
    let missing = |name: &String| in_image.binary_search(name).is_err();
    let missing: Vec<_> =
        jmods.classes(Some("java.base")).unwrap().into_iter().filter(missing).collect();
    assert_eq!(missing, [""; 0]);
    let found = jmods.find("java/lang/String").unwrap().unwrap();
    assert_eq!(found.origin.module.as_deref(), Some("java.base"));
    let program = Program::new(jmods, ClassPath::default()).unwrap();
    let sql = program.load("java/util/logging/Logger").unwrap();
    let module = program.class(sql).origin.module.clone();
    assert_eq!(module.as_deref(), Some("java.logging"));
}

#[test]
fn other_modules_of_the_image_are_found() {
    let program = program(&workshop::jdk());
    let logger = program.load("java/util/logging/Logger").unwrap();
    assert_eq!(program.class(logger).origin.module.as_deref(), Some("java.logging"));
    // Same package, and still found after a class of the package was missing.
    assert!(program.load("java/util/logging/NoSuchThing").is_err());
    assert!(program.load("java/util/logging/Level").is_ok());
}

#[test]
fn jars_of_the_system_load_link_and_decode() {
    let folder = Path::new("/usr/share/java");
    let names = ["commons-lang3", "commons-collections4", "gson", "guava", "bcel", "commons-io"];
    let jdk = workshop::jdk();
    let jars: Vec<_> = names.map(|name| folder.join(format!("{name}.jar"))).into();
    let jars: Vec<_> = jars.into_iter().filter(|jar| jar.is_file()).collect();
    for jar in &jars {
        let path = ClassPath::open(&[jar], jdk.feature).unwrap();
        let classes = path.classes().unwrap();
        let program = Program::new(Library::open(&jdk).unwrap(), path).unwrap();
        eprintln!("{}", jar.display());
        let mut wrong = load_all(&program, &classes);
        // Optional parts extend classes of jars that are not there; java would say the same.
        wrong.retain(|wrong| !wrong.contains("NoClassDefFoundError"));
        assert_eq!(wrong, [""; 0]);
    }
    eprintln!("{} jars of the system were there", jars.len());
}
