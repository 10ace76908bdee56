//! Every class of `java.base` of every JDK loads, links and decodes.

use crate::workshop;
use dalang_classes::path::{ClassPath, Jdk, Library};
use dalang_classes::{Program, Shape};
use std::fs::File;
use std::io::{Cursor, Write};
use std::time::Instant;
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Loads and decodes these classes and says what went wrong.
pub fn load_all(program: &Program, classes: &[String]) -> Vec<String> {
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
    assert!(jdks.iter().any(|jdk| jdk.feature >= 17), "no JDK 17 or later found");
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

/// A folder of jmods with the few classes that the test looks at: JDKs come without jmods more and
/// more often.
fn small_jmods(jdk: &Jdk) -> TempDir {
    let image = Library::open(jdk).unwrap();
    let folder = TempDir::new().unwrap();
    for (module, classes) in [
        ("java.base", &["java/lang/Object", "java/lang/Runnable", "java/lang/String"][..]),
        ("java.logging", &["java/util/logging/Filter"]),
    ] {
        let mut jmod = File::create(folder.path().join(format!("{module}.jmod"))).unwrap();
        jmod.write_all(b"JM\x01\x00").unwrap();
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for class in classes {
            zip.start_file(format!("classes/{class}.class"), SimpleFileOptions::default()).unwrap();
            zip.write_all(&image.find(class).unwrap().unwrap().bytes).unwrap();
        }
        jmod.write_all(zip.finish().unwrap().get_ref()).unwrap();
    }
    folder
}

#[test]
fn jmods_are_a_library_too() {
    let folder = small_jmods(&workshop::jdk());
    let jmods = Library::from_jmods(folder.path()).unwrap();
    assert_eq!(jmods.classes(Some("java.base")).unwrap().len(), 3);
    let found = jmods.find("java/lang/String").unwrap().unwrap();
    assert_eq!(found.origin.module.as_deref(), Some("java.base"));
    let found = jmods.find("java/util/logging/Filter").unwrap().unwrap();
    assert_eq!(found.origin.module.as_deref(), Some("java.logging"));
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
fn modules_say_what_they_show() {
    for jdk in workshop::jdks().iter().filter(|jdk| jdk.feature >= 9) {
        let program = program(jdk);
        let base = program.module_info("java.base").unwrap();
        assert!(base.shows("java/lang", None, false) && !base.shows("java/lang", None, true));
        let internal = "jdk/internal/misc";
        assert!(!base.shows(internal, None, false) && !base.shows(internal, Some(""), false));
        assert!(base.shows(internal, Some("jdk.unsupported"), false));
        let unsupported = program.module_info("jdk.unsupported").unwrap();
        assert!(unsupported.shows("sun/misc", None, true));
        let service = "java/nio/file/spi/FileSystemProvider";
        assert!(
            base.provides
                .iter()
                .any(|(provided, with)| { **provided == *service && !with.is_empty() })
        );
        assert!(base.uses.iter().any(|used| **used == *service) && base.requires.is_empty());
        let sql = program.module_info("java.sql").unwrap();
        assert!(sql.requires.contains(&("java.xml".into(), true)));
        assert!(program.module_info("no.such.module").is_none());
    }
}
