//! `fuzz-verifier`: damaged method bodies, judged by types here and by a virtual machine.
//!
//! A body that the virtual machine refuses must be refused here, and one that it takes must be taken.
//! A disagreement is printed with its case, and its bytes are kept; the same seed, sources and JDK
//! give the same cases.

mod damage;

use crate::Verdict;
use crate::fuzz::classes::corpus::Corpus;
use crate::fuzz::classes::mutate::set_text;
use crate::fuzz::classes::scan::{Layout, UTF8, scan};
use crate::judge::Judge;
use crate::packages::LIBRARIES;
use anyhow::Context;
use clap::Args;
use dalang_classes::path::{ClassPath, Jdk, Library, compile};
use dalang_classes::{Program, Verified};
use dalang_term::sample::Random;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// How much to try.
#[derive(Args)]
pub struct Arguments {
    /// How many damaged classes
    #[arg(long, default_value_t = 5_000)]
    count: u64,
    /// Where the random sequence starts; the same seed gives the same cases
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The JDK that judges and whose classes are used, if not the first that is found
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
    /// Damage the classes of libraries too; they must be installed
    #[arg(long)]
    libraries: bool,
}

/// The programs that are written for this.
const SOURCES: [&str; 3] = ["p/Base.java", "p/Shape.java", "q/Derived.java"];

/// Cases that one run of `java` judges.
const BATCH: u64 = 500;

/// The sound classes, and where they are.
struct Seeds {
    /// Names in internal form and bytes.
    classes: Vec<(String, Vec<u8>)>,
    folders: Vec<PathBuf>,
    _compiled: TempDir,
}

/// How the answers compare.
#[derive(Default)]
struct Tally {
    both_take: u64,
    both_refuse: u64,
    /// What they refuse with, if not the same: the virtual machine's error and ours.
    errors: BTreeMap<(String, String), (u64, String)>,
    /// Only the virtual machine refuses; only we do.
    disagreements: Vec<Disagreement>,
}

struct Disagreement {
    case: u64,
    what: String,
    file: PathBuf,
}

impl Seeds {
    fn open(jdk: &Jdk, libraries: bool) -> anyhow::Result<Self> {
        let compiled = TempDir::new()?;
        let own = compiled.path().join("own");
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/fuzz/verifier/seeds");
        let sources = SOURCES.map(|name| sources.join(name));
        compile(jdk, &sources, &[], &own)?;
        let mut folders = vec![own];
        folders.extend(Corpus::compile(jdk, compiled.path())?);
        if libraries {
            for (jar, _) in LIBRARIES {
                let path = crate::packages::look_for(jar).map_err(anyhow::Error::msg)?;
                folders.push(unpacked(&path, &compiled.path().join(jar), jdk.feature)?);
            }
        }
        let mut classes = Vec::new();
        for (place, folder) in folders.iter().enumerate() {
            let path = ClassPath::open(&[folder], jdk.feature)?;
            for name in path.classes()? {
                let found = path.find(&name)?.context("a listed class is missing")?;
                // Those that were written for this are damaged most.
                let times = if place == 0 { 60 } else { 1 };
                classes
                    .extend(std::iter::repeat_n((name, without_initializer(found.bytes)), times));
            }
        }
        Ok(Self { classes, folders, _compiled: compiled })
    }
}

/// The same class, whose initializer is a method that nobody calls.
fn without_initializer(bytes: Vec<u8>) -> Vec<u8> {
    let layout = scan(&bytes);
    let named = |layout: &Layout| {
        let texts = layout.with_tag(&[UTF8]);
        texts.into_iter().find(|&index| layout.text(&bytes, index) == Some(b"<clinit>".as_slice()))
    };
    let index = layout.as_ref().and_then(named);
    index.and_then(|index| set_text(&bytes, index, "initializer")).unwrap_or(bytes)
}

/// The classes of a jar as files, for the judge to read.
fn unpacked(jar: &Path, folder: &Path, feature: u16) -> anyhow::Result<PathBuf> {
    let path = ClassPath::open(&[jar], feature)?;
    for name in path.classes()? {
        let file = folder.join(format!("{name}.class"));
        fs::create_dir_all(file.parent().context("a class is nowhere")?)?;
        fs::write(&file, path.find(&name)?.context("a listed class is missing")?.bytes)?;
    }
    Ok(folder.to_path_buf())
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Verdict> {
    let jdk = Jdk::find(arguments.jdk.as_deref())?;
    println!("JDK {} in {}", jdk.version, jdk.home.display());
    let seeds = Seeds::open(&jdk, arguments.libraries)?;
    let kept = findings_folder()?;
    let tally = compare(&jdk, &seeds, arguments.seed, arguments.count, &kept)?;
    for found in &tally.disagreements {
        println!("case {}: {}\n  bytes in {}", found.case, found.what, found.file.display());
    }
    for ((theirs, ours), (times, example)) in &tally.errors {
        println!("{times} times {theirs} there and {ours} here\n  {example}");
    }
    println!(
        "{} cases from seed {}: both take {}, both refuse {}, {} disagreements",
        arguments.count,
        arguments.seed,
        tally.both_take,
        tally.both_refuse,
        tally.disagreements.len()
    );
    Ok(if tally.disagreements.is_empty() { Verdict::Fine } else { Verdict::Findings })
}

/// Beside the program itself, below the target directory.
fn findings_folder() -> anyhow::Result<PathBuf> {
    let program = std::env::current_exe().context("cannot tell where this program is")?;
    let target = program.parent().and_then(Path::parent).context("this program is nowhere")?;
    let folder = target.join("fuzz-verifier");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn compare(jdk: &Jdk, seeds: &Seeds, seed: u64, count: u64, kept: &Path) -> anyhow::Result<Tally> {
    let judge = Judge::new(jdk.clone()).map_err(anyhow::Error::msg)?;
    let mut tally = Tally::default();
    for first in (0..count).step_by(BATCH as usize) {
        let folder = TempDir::new()?;
        let (mut cases, mut done) = (Vec::new(), Vec::new());
        for number in first..count.min(first + BATCH) {
            let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9).wrapping_add(number));
            let (name, bytes) = &seeds.classes[random.below(seeds.classes.len() as u64) as usize];
            let mut bytes = bytes.clone();
            if random.one_in(3) {
                damage::age(&mut bytes, &mut random);
            }
            let what = damage::damage(&mut bytes, &mut random);
            let file = folder.path().join(format!("{number}.class"));
            fs::write(&file, bytes)?;
            cases.push((name.replace('/', "."), file));
            done.push((number, what));
        }
        let theirs = judge.judge(&seeds.folders, &cases).map_err(anyhow::Error::msg)?;
        for (((name, file), (number, what)), theirs) in cases.iter().zip(done).zip(theirs) {
            let ours = verdict(jdk, seeds, name, file)?;
            let of = format!("{name} with {}", what.join(", "));
            let text = match (&theirs, &ours) {
                (None, None) => {
                    tally.both_take += 1;
                    continue;
                }
                (Some(theirs), Some(ours)) => {
                    tally.both_refuse += 1;
                    let kinds = (kind(theirs).to_owned(), kind(ours).to_owned());
                    if kinds.0 != kinds.1 {
                        let example = || (0, format!("{of}: there {theirs}, here {ours}"));
                        tally.errors.entry(kinds).or_insert_with(example).0 += 1;
                    }
                    continue;
                }
                (Some(theirs), None) => format!("{of} is taken here; there {theirs}"),
                (None, Some(ours)) => format!("{of} is taken there; here {ours}"),
            };
            let saved = kept.join(format!("seed-{seed}-case-{number}.class"));
            fs::copy(file, &saved)?;
            tally.disagreements.push(Disagreement { case: number, what: text, file: saved });
        }
    }
    Ok(tally)
}

/// The name of an error, without its message.
fn kind(text: &str) -> &str {
    text.split(':').next().unwrap_or(text)
}

/// What is said here of one class: nothing if it is taken.
fn verdict(jdk: &Jdk, seeds: &Seeds, name: &str, file: &Path) -> anyhow::Result<Option<String>> {
    let mut path = ClassPath::default();
    if path.add(file, jdk.feature).is_err() {
        return Ok(Some("java.lang.ClassFormatError: it has no name".to_owned()));
    }
    path.append(ClassPath::open(&seeds.folders, jdk.feature)?);
    let program = Program::new(Library::open(jdk)?, path)?;
    let verified = match program.load(&name.replace('.', "/")) {
        Ok(id) => program.verify(id).clone(),
        Err(failure) => Verified::Refused(failure),
    };
    Ok(match verified {
        Verified::Fine => None,
        Verified::Refused(failure) | Verified::ButForHandlers(failure) => {
            Some(format!("{}: {}", failure.error.class_name().replace('/', "."), failure.message))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Seeds, compare};
    use dalang_classes::path::Jdk;
    use tempfile::TempDir;

    #[test]
    fn some_hundred_damaged_bodies_are_judged_as_java_judges_them() {
        let jdk = Jdk::find(None).expect("a JDK 17 or later is required");
        let seeds = Seeds::open(&jdk, false).unwrap();
        let kept = TempDir::new().unwrap();
        let tally = compare(&jdk, &seeds, 7, 500, kept.path()).unwrap();
        let what: Vec<&String> = tally.disagreements.iter().map(|found| &found.what).collect();
        assert_eq!(what, [""; 0]);
        // If nothing or everything is refused, the damage is too coarse or too fine.
        assert!(tally.both_take > 50 && tally.both_refuse > 200, "{} taken", tally.both_take);
    }
}
