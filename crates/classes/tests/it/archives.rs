//! Jars: plain, multi-release, lying and broken ones; a library in `rt.jar`; single class files.

use crate::workshop::{Compiled, compiled, jdk, named};
use dalang_classes::path::{ClassPath, Jdk, Library};
use dalang_classes::{ClassError, JavaError, Program};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

fn jar(folder: &Path, name: &str, entries: &[(&str, &[u8])]) -> PathBuf {
    let path = folder.join(name);
    let mut zip = ZipWriter::new(File::create(&path).unwrap());
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (entry, content) in entries {
        zip.start_file(*entry, options).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap();
    path
}

/// Class `A` whose method `v` returns this number.
fn version(number: u32) -> Vec<u8> {
    let source = format!("public class A {{ public static int v() {{ return {number}; }} }}");
    compiled(&[("A.java", &source)]).bytes("A")
}

fn open(jar: &Path, feature: u16) -> Program {
    let path = ClassPath::open(&[jar], feature).unwrap();
    Program::new(Library::open(&jdk()).unwrap(), path).unwrap()
}

fn value(program: &Program) -> String {
    let class = program.load("A").unwrap();
    crate::workshop::listing(program, named(program, class, "v"))
}

#[test]
fn multi_release_jars() {
    let folder = TempDir::new().unwrap();
    let [base, nine, seventeen, future] = [1, 109, 117, 199].map(version);
    let content: [(&str, &[u8]); 5] = [
        ("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n"),
        ("A.class", &base),
        ("META-INF/versions/9/A.class", &nine),
        ("META-INF/versions/17/A.class", &seventeen),
        ("META-INF/versions/99/A.class", &future),
    ];
    let path = jar(folder.path(), "multi.jar", &content);
    for (feature, expected) in [(8, "Int(1)"), (9, "Int(109)"), (16, "Int(109)"), (25, "Int(117)")]
    {
        let listing = value(&open(&path, feature));
        assert!(listing.contains(expected), "{feature}: {listing}");
    }
    assert_eq!(ClassPath::open(&[&path], 17).unwrap().classes().unwrap(), ["A"]);
    // Without the line in the main section of the manifest, versions are just folders.
    let mut plain = content;
    plain[0].1 = b"Manifest-Version: 1.0\n\nName: A.class\nMulti-Release: true\n";
    let path = jar(folder.path(), "plain.jar", &plain);
    assert!(value(&open(&path, 17)).contains("Int(1)"));
}

#[test]
fn entries_that_lie_and_jars_within_jars() {
    let folder = TempDir::new().unwrap();
    let bytes = version(1);
    let inner = jar(folder.path(), "inner.jar", &[("A.class", &bytes)]);
    let path = jar(
        folder.path(),
        "odd.jar",
        &[
            ("lib/inner.jar", &fs::read(inner).unwrap()),
            ("p/Wrong.class", &bytes),
            ("../Up.class", &bytes),
            ("Text.class", b"not a class"),
            ("module-info.class", &bytes),
            (".class", &bytes),
            ("a//b.class", &bytes),
            ("[I.class", &bytes),
            ("inner.jar.class", &bytes),
        ],
    );
    let program = open(&path, 17);
    let error = |class: &str| program.load(class).unwrap_err();
    assert_eq!(error("A").error, JavaError::NoClassDefFoundError);
    assert_eq!(&*error("p/Wrong").message, "p/Wrong (wrong name: A)");
    assert_eq!(error("Text").error, JavaError::ClassFormatError);
    assert!(error("Text").cause.unwrap().to_string().contains("odd.jar"));
    // What could not be the name of a class is not listed as one.
    assert_eq!(program.class_path().classes().unwrap(), ["Text", "p/Wrong"]);
}

#[test]
fn an_entry_that_inflates_without_end_is_cut_off() {
    let folder = TempDir::new().unwrap();
    let path = jar(folder.path(), "bomb.jar", &[("Bomb.class", &vec![0; 70 << 20])]);
    assert!(fs::metadata(&path).unwrap().len() < 1 << 20);
    let failure = open(&path, 17).load("Bomb").unwrap_err();
    let cause = failure.cause.unwrap();
    assert!(matches!(&*cause, ClassError::TooLarge { origin, .. } if origin.contains("Bomb")));
    // The same with a header that says the entry is tiny.
    let mut bytes = fs::read(&path).unwrap();
    let size = (70_u32 << 20).to_le_bytes();
    let places: Vec<usize> =
        (0..bytes.len() - 4).filter(|&place| bytes[place..place + 4] == size).collect();
    assert!(!places.is_empty());
    for place in places {
        bytes[place..place + 4].copy_from_slice(&100_u32.to_le_bytes());
    }
    fs::write(&path, bytes).unwrap();
    assert!(open(&path, 17).load("Bomb").is_err());
}

#[test]
fn broken_jars_are_one_clear_error() {
    let folder = TempDir::new().unwrap();
    let whole = fs::read(jar(folder.path(), "whole.jar", &[("A.class", &version(1))])).unwrap();
    let path = folder.path().join("broken.jar");
    for length in [0, 3, 30, whole.len() / 2, whole.len() - 1] {
        fs::write(&path, &whole[..length]).unwrap();
        let error = ClassPath::open(&[&path], 17).err().unwrap();
        let text = error.to_string();
        assert!(matches!(error, ClassError::BrokenArchive { .. }), "{length}: {text}");
        assert!(text.contains("broken.jar") && text.contains("again"), "{text}");
    }
    // Content that does not match its checksum is noticed when it is read.
    let mut damaged = whole.clone();
    damaged[60] ^= 0xFF;
    fs::write(&path, &damaged).unwrap();
    let failure = open(&path, 17).load("A").unwrap_err();
    assert!(matches!(*failure.cause.unwrap(), ClassError::BrokenArchive { .. }));
}

#[test]
fn damaged_jars_never_hang_or_panic() {
    let folder = TempDir::new().unwrap();
    let whole = fs::read(jar(folder.path(), "whole.jar", &[("A.class", &version(1))])).unwrap();
    let path = folder.path().join("damaged.jar");
    let mut seed = 7_u64;
    for _ in 0..500 {
        let mut bytes = whole.clone();
        for _ in 0..3 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let place = (seed >> 33) as usize % bytes.len();
            bytes[place] = (seed >> 20) as u8;
        }
        fs::write(&path, &bytes).unwrap();
        if let Ok(found) = ClassPath::open(&[&path], 17) {
            let _ = found.classes();
            let _ = found.find("A");
        }
    }
}

/// A folder laid out like a Java 8, with a library that is just large enough.
fn java_8(folder: &Path) -> Jdk {
    let image = Library::open(&jdk()).unwrap();
    let classes = image.classes(Some("java.base")).unwrap();
    let wanted = |name: &&String| name.starts_with("java/lang/") || name.starts_with("java/io/");
    let classes: Vec<(String, Vec<u8>)> = classes
        .iter()
        .filter(wanted)
        .map(|name| (format!("{name}.class"), image.find(name).unwrap().unwrap().bytes))
        .collect();
    let entries: Vec<(&str, &[u8])> =
        classes.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    fs::create_dir_all(folder.join("jre/lib")).unwrap();
    jar(&folder.join("jre/lib"), "rt.jar", &entries);
    fs::write(folder.join("release"), "JAVA_VERSION=\"1.8.0_392\"\nOS_NAME=\"Linux\"\n").unwrap();
    Jdk::at(folder).unwrap()
}

#[test]
fn a_java_8_has_its_library_in_rt_jar() {
    let folder = TempDir::new().unwrap();
    let jdk = java_8(folder.path());
    assert_eq!((jdk.feature, jdk.version.as_str()), (8, "1.8.0_392"));
    let program = Program::new(Library::open(&jdk).unwrap(), ClassPath::default()).unwrap();
    let string = program.class(program.load("java/lang/String").unwrap());
    assert!(string.origin.to_string().ends_with("rt.jar"));
}

#[test]
fn class_files_directories_and_wildcards() {
    let compiled: Compiled = compiled(&[("p/B.java", "package p; public class B { }")]);
    let file = compiled.class_file("p/B");
    // A single file is found under the name that it gives itself, wherever it is.
    let path = ClassPath::open(&[&file], 17).unwrap();
    assert_eq!(path.classes().unwrap(), ["p/B"]);
    assert!(path.find("p/B").unwrap().is_some());
    let path = ClassPath::open(&[compiled.classes()], 17).unwrap();
    assert_eq!(path.classes().unwrap(), ["p/B"]);
    assert!(path.find("../classes/p/B").unwrap().is_none(), "names do not lead elsewhere");
    let folder = TempDir::new().unwrap();
    jar(folder.path(), "one.jar", &[("p/B.class", &compiled.bytes("p/B"))]);
    let path = ClassPath::parse(&format!("{}/*", folder.path().display()), 17).unwrap();
    assert!(path.find("p/B").unwrap().is_some());
    assert!(path.resource("p/B.class").unwrap().is_some());
}
