//! Damage to class files: blind, and aimed with the map of the file.
//!
//! A mutator changes the bytes and says whether it found something to change. Several may be
//! stacked; the map is drawn anew for each, and when there is none left only blind ones apply.

mod blind;
pub mod bodies;
pub mod tables;
#[cfg(test)]
mod trials;

use super::scan::{Layout, scan};
use dalang_term::sample::Random;

pub use tables::{renamed, set_text};

/// What a mutator works on.
pub struct Victim<'a> {
    pub bytes: &'a mut Vec<u8>,
    pub layout: &'a Layout,
    pub random: &'a mut Random,
}

pub type Aimed = fn(&mut Victim<'_>) -> Option<()>;

/// Rare ones make large files, which take long.
const RARE: &[(&str, Aimed)] = &[
    ("oversized table", tables::oversized_table),
    ("oversized constant pool", tables::oversized_pool),
    ("inflated code", bodies::inflate),
    ("long text", tables::long_text),
];

const AIMED: &[(&str, Aimed)] = &[
    ("wrong count", tables::wrong_count),
    ("wrong length", tables::wrong_length),
    ("bad index", tables::bad_index),
    ("index of another kind", tables::other_index),
    ("constant of another kind", tables::other_tag),
    ("hostile text", tables::hostile_text),
    ("flags", tables::flags),
    ("version", tables::version),
    ("own superclass", tables::own_superclass),
    ("own interface", tables::own_interface),
    ("other superclass", tables::other_superclass),
    ("constant that needs itself", tables::endless_constant),
    ("branch into an instruction", bodies::branch_into),
    ("branch elsewhere", bodies::branch_elsewhere),
    ("handler", bodies::handler),
    ("opcode", bodies::opcode),
    ("operand", bodies::operand),
    ("stack and locals", bodies::bounds),
    ("code length", bodies::code_length),
    ("switch", bodies::switch),
];

/// Damages a class file and gives the names of what was done.
pub fn mutate(bytes: &mut Vec<u8>, random: &mut Random) -> Vec<&'static str> {
    let rounds = if random.one_in(4) { 2 + random.below(3) } else { 1 };
    let mut done = Vec::new();
    for _ in 0..rounds {
        done.extend(mutate_once(bytes, random));
    }
    done
}

fn mutate_once(bytes: &mut Vec<u8>, random: &mut Random) -> Option<&'static str> {
    // A file may have no code or no tables; of a few attempts one nearly always fits.
    for _ in 0..8 {
        let blind = random.one_in(5);
        let layout = if blind { None } else { scan(bytes) };
        let Some(layout) = layout else {
            let (name, mutator) = random.pick(blind::BLIND);
            if mutator(bytes, random).is_some() {
                return Some(name);
            }
            continue;
        };
        let mutators = if random.one_in(40) { RARE } else { AIMED };
        let (name, mutator) = random.pick(mutators);
        if mutator(&mut Victim { bytes, layout: &layout, random }).is_some() {
            return Some(name);
        }
    }
    None
}

impl Victim<'_> {
    pub fn below(&mut self, limit: usize) -> usize {
        self.random.below(limit.max(1) as u64) as usize
    }

    /// One of some things; none if there are none.
    pub fn choose<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        let place = self.below(from.len());
        from.get(place).cloned()
    }

    pub fn put16(&mut self, at: usize, value: u16) -> Option<()> {
        self.bytes.get_mut(at..at + 2)?.copy_from_slice(&value.to_be_bytes());
        Some(())
    }

    pub fn put32(&mut self, at: usize, value: u32) -> Option<()> {
        self.bytes.get_mut(at..at + 4)?.copy_from_slice(&value.to_be_bytes());
        Some(())
    }

    /// Puts bytes in, and makes the lengths around them true again.
    pub fn insert(&mut self, at: usize, new: &[u8], lengths: &[usize]) -> Option<()> {
        for &length in lengths {
            let old = super::scan::u32_at(self.bytes, length)?;
            self.put32(length, old.checked_add(new.len() as u32)?)?;
        }
        self.bytes.splice(at..at, new.iter().copied());
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::{AIMED, RARE, Victim, mutate};
    use crate::fuzz::classes::corpus::tests::corpus;
    use crate::fuzz::classes::scan::scan;
    use dalang_term::sample::Random;

    #[test]
    fn the_seed_determines_the_damage() {
        let sound = &corpus().seeds[3].bytes;
        let damaged = |seed| {
            let mut bytes = sound.clone();
            let done = mutate(&mut bytes, &mut Random::new(seed));
            (bytes, done)
        };
        for seed in 0..50 {
            assert_eq!(damaged(seed), damaged(seed));
            assert!(!damaged(seed).1.is_empty());
        }
    }

    #[test]
    fn every_aimed_mutator_finds_something_to_change() {
        for (name, mutator) in AIMED.iter().chain(RARE) {
            let mut changed = 0;
            for (number, seed) in corpus().seeds.iter().enumerate() {
                let mut bytes = seed.bytes.clone();
                let layout = scan(&bytes).unwrap();
                let mut random = Random::new(number as u64);
                let mut victim = Victim { bytes: &mut bytes, layout: &layout, random: &mut random };
                let done = mutator(&mut victim).is_some();
                changed += usize::from(done && bytes != seed.bytes);
            }
            assert!(changed > 3, "{name} changed {changed} classes");
        }
    }
}
