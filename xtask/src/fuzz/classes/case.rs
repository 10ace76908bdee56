//! One case: a damaged class or jar, determined by the seed of the run and its own number.

use super::corpus::Corpus;
use super::exercise::{Outcome, run_class, run_jar};
use super::jars::jar;
use super::mutate::{mutate, renamed};
use super::watch::catch;
use dalang_classes::Program;
use dalang_term::sample::Random;
use std::fs;
use std::path::{Path, PathBuf};

/// What is put to the test.
pub struct Case {
    pub number: u64,
    input: Input,
    /// What was done to it.
    done: Vec<&'static str>,
    /// The sound class that it came from.
    origin: String,
}

enum Input {
    Class(Vec<u8>),
    Jar(Vec<u8>),
}

/// One case in this many is a jar.
const JARS: u64 = 8;

impl Case {
    pub fn make(corpus: &Corpus, seed: u64, number: u64) -> Self {
        let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9).wrapping_add(number));
        if random.one_in(JARS) {
            let jar = jar(corpus, &mut random);
            let input = Input::Jar(jar.bytes);
            return Self { number, input, done: jar.done, origin: jar.origin };
        }
        let seed = &corpus.seeds[random.pick(&corpus.free)];
        // A program has each name once, and many cases share a program.
        let name = format!("{}$f{number}", seed.name);
        let mut bytes = renamed(&seed.bytes, &name).unwrap_or_else(|| seed.bytes.clone());
        let done = mutate(&mut bytes, &mut random);
        Self { number, input: Input::Class(bytes), done, origin: seed.name.clone() }
    }

    /// What it is, for people.
    pub fn describe(&self) -> String {
        let sort = if matches!(self.input, Input::Class(_)) { "class" } else { "jar" };
        format!("case {}: a {sort} from {} with {}", self.number, self.origin, self.done.join(", "))
    }

    /// Writes the bytes where they can be looked at.
    pub fn save(&self, folder: &Path, seed: u64) -> anyhow::Result<PathBuf> {
        let (bytes, extension) = match &self.input {
            Input::Class(bytes) => (bytes, "class"),
            Input::Jar(bytes) => (bytes, "jar"),
        };
        fs::create_dir_all(folder)?;
        let path = folder.join(format!("seed-{seed}-case-{}.{extension}", self.number));
        fs::write(&path, bytes)?;
        Ok(path)
    }
}

/// Where cases run: what many of them share.
pub struct Bench<'a> {
    corpus: &'a Corpus,
    /// Where a jar is written to be opened.
    folder: &'a Path,
    worker: usize,
    program: Option<Program>,
}

impl<'a> Bench<'a> {
    pub fn new(corpus: &'a Corpus, folder: &'a Path, worker: usize) -> Self {
        Self { corpus, folder, worker, program: None }
    }

    /// Takes a new program for the cases to come. A program never forgets a class.
    pub fn renew(&mut self) {
        self.program = None;
    }

    /// Runs a case; a panic becomes a complaint.
    pub fn run(&mut self, case: &Case) -> anyhow::Result<Outcome> {
        let program = match self.program.take() {
            Some(program) => program,
            None => self.corpus.program()?,
        };
        let caught = match &case.input {
            Input::Class(bytes) => {
                let bytes = bytes.clone();
                let place = PathBuf::from(format!("case-{}.class", case.number));
                catch(|| Ok(run_class(&program, bytes, &place)))
            }
            Input::Jar(bytes) => {
                let place = self.folder.join(format!("worker-{}.jar", self.worker));
                catch(|| run_jar(self.corpus, bytes, &place))
            }
        };
        match caught {
            Ok(outcome) => {
                self.program = Some(program);
                outcome
            }
            // The program may be in any state after that, and is not used again.
            Err(panic) => Ok(Outcome { complaints: vec![panic], ..Outcome::default() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Case, Input};
    use crate::fuzz::classes::corpus::tests::corpus;

    #[test]
    fn seed_and_number_determine_the_case() {
        for number in 0..100 {
            let [one, other] = [0, 1].map(|_| Case::make(corpus(), 5, number));
            assert_eq!(one.describe(), other.describe());
            match (one.input, other.input) {
                (Input::Class(one), Input::Class(other)) | (Input::Jar(one), Input::Jar(other)) => {
                    assert_eq!(one, other);
                }
                _ => panic!("case {number} is of two sorts"),
            }
        }
    }
}
