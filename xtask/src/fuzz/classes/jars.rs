//! Jars: sound ones with odd content, and ones whose tables lie.

mod families;
mod lies;

use super::corpus::Corpus;
use super::mutate::mutate;
use dalang_term::sample::Random;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A jar and what is odd about it.
pub struct Jar {
    pub bytes: Vec<u8>,
    pub done: Vec<&'static str>,
    /// The class that it was made of.
    pub origin: String,
}

/// What goes into a jar, by path.
type Entries = Vec<(String, Vec<u8>)>;

/// A name for an entry that is made to have another entry's name later on.
const TWIN: char = '\u{1}';

/// Makes a jar of some neighbouring classes of the corpus.
pub fn jar(corpus: &Corpus, random: &mut Random) -> Jar {
    let first = random.below(corpus.seeds.len() as u64) as usize;
    let count = 1 + random.below(5) as usize;
    let last = (first + count).min(corpus.seeds.len());
    let seeds = &corpus.seeds[first..last];
    let path = |name: &str| format!("{name}.class");
    let mut entries: Entries =
        seeds.iter().map(|seed| (path(&seed.name), seed.bytes.clone())).collect();
    let mut done = Vec::new();
    if random.one_in(3) {
        let place = random.below(entries.len() as u64) as usize;
        done.extend(mutate(&mut entries[place].1, random));
    }
    if random.one_in(2) {
        let (name, content) = random.pick(CONTENT);
        content(&mut entries, random);
        done.push(name);
    }
    let twin = entries.iter().map(|(name, _)| name).find(|name| name.contains(TWIN)).cloned();
    // A bomb is small until it is opened; writing large files would only measure the disk.
    let is_small = entries.iter().map(|(_, content)| content.len()).sum::<usize>() < 1 << 20;
    let mut bytes = pack(&entries, random.one_in(4) && is_small);
    if let Some(twin) = twin {
        rename_twin(&mut bytes, &twin, &entries[0].0);
    }
    if done.is_empty() || random.one_in(3) {
        for _ in 0..=random.below(2) {
            done.extend(lies::lie(&mut bytes, random));
        }
    }
    Jar { bytes, done, origin: seeds[0].name.clone() }
}

type Content = fn(&mut Entries, &mut Random);

const CONTENT: &[(&str, Content)] = &[
    ("cyclic classes", families::cycle),
    ("cyclic interfaces", families::interface_cycle),
    ("real classes in a cycle", families::real_cycle),
    ("chain of classes", families::chain),
    ("lattice of interfaces", families::lattice),
    ("many interfaces", families::many_interfaces),
    ("jar in a jar", nested),
    ("odd entry names", odd_names),
    ("wrong class name", wrong_name),
    ("directories with content", directories),
    ("multi-release", multi_release),
    ("hostile manifest", manifest),
    ("same name twice", twins),
    ("bomb", bomb),
];

/// A zip file with these entries.
fn pack(entries: &Entries, stored: bool) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    let options = if stored {
        options.compression_method(CompressionMethod::Stored)
    } else {
        options.compression_method(CompressionMethod::Deflated).compression_level(Some(1))
    };
    for (name, content) in entries {
        // A name that occurs twice is refused; the entry is left out then.
        if zip.start_file(name.as_str(), options).is_ok() {
            let _ = zip.write_all(content);
        }
    }
    zip.finish().map(Cursor::into_inner).unwrap_or_default()
}

fn nested(entries: &mut Entries, random: &mut Random) {
    let mut inner = pack(entries, true);
    for _ in 0..random.below(4) {
        inner = pack(&vec![("inner.jar".to_owned(), inner)], true);
    }
    // As an entry, and as one that claims to be a class.
    entries.push(("lib/inner.jar".to_owned(), inner.clone()));
    entries.push(("inner.jar.class".to_owned(), inner));
}

fn odd_names(entries: &mut Entries, random: &mut Random) {
    const NAMES: [&str; 10] = [
        "../Up.class",
        "/Root.class",
        "a//b.class",
        "a/../b.class",
        ".class",
        "a\\b.class",
        "C:/x.class",
        "\u{1b}[2J\n.class",
        "META-INF/versions/9/A.class",
        "[I.class",
    ];
    let bytes = entries[0].1.clone();
    for _ in 0..3 {
        entries.push((random.pick(&NAMES).to_owned(), bytes.clone()));
    }
}

fn wrong_name(entries: &mut Entries, _: &mut Random) {
    let bytes = entries[0].1.clone();
    entries.push(("some/Other.class".to_owned(), bytes));
}

fn directories(entries: &mut Entries, _: &mut Random) {
    let (name, bytes) = entries[0].clone();
    entries.push((format!("{name}/"), bytes.clone()));
    entries.push(("Folder.class/".to_owned(), bytes));
}

fn multi_release(entries: &mut Entries, random: &mut Random) {
    const VERSIONS: [&str; 8] = ["9", "17", "8", "0", "-1", "99999999999999999999", "x", ""];
    let text = "Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n";
    entries.push(("META-INF/MANIFEST.MF".to_owned(), text.into()));
    let (name, bytes) = entries[0].clone();
    for _ in 0..3 {
        let version = random.pick(&VERSIONS);
        let mut other = bytes.clone();
        mutate(&mut other, random);
        entries.push((format!("META-INF/versions/{version}/{name}"), other));
    }
}

fn manifest(entries: &mut Entries, random: &mut Random) {
    const LINES: [&str; 6] =
        [":", "Multi-Release", "Multi-Release: true: true", " x\r\n", "\u{0}\u{0}", "\u{fffd}:\n"];
    let times = 1 << random.below(18);
    let text = random.pick(&LINES).repeat(times);
    entries.push(("META-INF/MANIFEST.MF".to_owned(), text.into()));
}

fn twins(entries: &mut Entries, random: &mut Random) {
    let (name, mut bytes) = entries[0].clone();
    mutate(&mut bytes, random);
    entries.push((format!("{TWIN}{}", &name[1..]), bytes));
}

fn rename_twin(bytes: &mut [u8], twin: &str, name: &str) {
    let places = bytes.windows(twin.len()).enumerate().filter(|(_, part)| *part == twin.as_bytes());
    let places: Vec<usize> = places.map(|(place, _)| place).collect();
    for place in places {
        bytes[place] = name.as_bytes()[0];
    }
}

/// Content that is much larger than it looks, seldom larger than what is read of an entry.
fn bomb(entries: &mut Entries, random: &mut Random) {
    let size = if random.one_in(20) { 80 << 20 } else { 1 << (14 + random.below(9)) };
    let content = vec![random.pick(&[0, 0xCA]); size];
    let name = random.pick(&["Bomb.class", "META-INF/MANIFEST.MF"]);
    entries.push((name.to_owned(), content));
}
