//! Zip files whose headers do not say the truth.

#![allow(clippy::ptr_arg, clippy::unnecessary_wraps, reason = "all lies are told in one way")]

use dalang_term::sample::Random;

type Lie = fn(&mut Vec<u8>, &Places, &mut Random) -> Option<()>;

const LIES: &[(&str, Lie)] = &[
    ("wrong size", wrong_size),
    ("wrong checksum", wrong_checksum),
    ("overlapping entries", overlap),
    ("entry elsewhere", elsewhere),
    ("another method", method),
    ("entry flags", flags),
    ("wrong name length", name_length),
    ("wrong number of entries", wrong_number),
    ("directory elsewhere", directory),
    ("truncated directory", cut_directory),
    ("truncated jar", cut),
    ("something before the jar", prefix),
    ("comment length", comment),
    ("jar bits", flip),
    ("jar bytes", scribble),
];

/// Where the headers are.
struct Places {
    /// In the directory at the end.
    central: Vec<usize>,
    /// The same entries, before their content.
    local: Vec<usize>,
    /// The record at the very end.
    end: usize,
}

/// Tells a lie, and gives its name.
pub fn lie(bytes: &mut Vec<u8>, random: &mut Random) -> Option<&'static str> {
    let places = find(bytes)?;
    let (name, lie) = random.pick(LIES);
    lie(bytes, &places, random).map(|()| name)
}

/// Where they are; none in a jar without entries, or without a directory.
fn find(bytes: &[u8]) -> Option<Places> {
    let end = bytes.windows(4).rposition(|part| part == b"PK\x05\x06")?;
    let mut at = word(bytes, end + 16)? as usize;
    let (mut central, mut local) = (Vec::new(), Vec::new());
    while bytes.get(at..at + 4)? == b"PK\x01\x02" {
        central.push(at);
        local.push(word(bytes, at + 42)? as usize);
        let sizes = [28, 30, 32].map(|field| half(bytes, at + field));
        at += 46 + sizes.into_iter().sum::<Option<usize>>()?;
    }
    (!central.is_empty()).then_some(Places { central, local, end })
}

fn half(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at..at + 2)?.try_into().ok().map(|bytes| u16::from_le_bytes(bytes).into())
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes)
}

fn put(bytes: &mut [u8], at: usize, value: &[u8]) -> Option<()> {
    bytes.get_mut(at..at + value.len())?.copy_from_slice(value);
    Some(())
}

/// Changes a field of an entry, in one of its two headers or in both.
fn both(
    bytes: &mut [u8],
    places: &Places,
    random: &mut Random,
    fields: (usize, usize),
    value: &[u8],
) -> Option<()> {
    let entry = random.below(places.central.len().max(1) as u64) as usize;
    let which = random.below(4);
    if which != 0 {
        put(bytes, places.central.get(entry)? + fields.0, value)?;
    }
    if which < 2 {
        put(bytes, places.local.get(entry)? + fields.1, value)?;
    }
    Some(())
}

fn number(random: &mut Random, size: usize) -> u32 {
    let any = random.below(size as u64) as u32;
    random.pick(&[0, 1, any, size as u32, i32::MAX as u32, u32::MAX, u32::MAX - 1])
}

fn wrong_size(bytes: &mut Vec<u8>, places: &Places, random: &mut Random) -> Option<()> {
    let value = number(random, bytes.len()).to_le_bytes();
    let fields = random.pick(&[(20, 18), (24, 22)]);
    both(bytes, places, random, fields, &value)
}

fn wrong_checksum(bytes: &mut Vec<u8>, places: &Places, random: &mut Random) -> Option<()> {
    let value = random.next().to_le_bytes();
    both(bytes, places, random, (16, 14), &value[..4])
}

fn overlap(bytes: &mut Vec<u8>, places: &Places, random: &mut Random) -> Option<()> {
    let place = random.pick(&places.local) as u32 + random.pick(&[0, 0, 1, 30]);
    put(bytes, random.pick(&places.central) + 42, &place.to_le_bytes())
}

fn elsewhere(bytes: &mut Vec<u8>, places: &Places, random: &mut Random) -> Option<()> {
    let place = number(random, bytes.len()).to_le_bytes();
    put(bytes, random.pick(&places.central) + 42, &place)
}

fn method(bytes: &mut Vec<u8>, places: &Places, random: &mut Random) -> Option<()> {
    let method: u16 = random.pick(&[0, 8, 1, 9, 12, 14, 93, 95, 99, 65535]);
    both(bytes, places, random, (10, 8), &method.to_le_bytes())
}

fn flags(bytes: &mut Vec<u8>, places: &Places, random: &mut Random) -> Option<()> {
    let flags = 1_u16 << random.below(16);
    both(bytes, places, random, (8, 6), &flags.to_le_bytes())
}

fn name_length(bytes: &mut Vec<u8>, places: &Places, random: &mut Random) -> Option<()> {
    let length: u16 = random.pick(&[0, 1, 3, 255, 32767, 65535]);
    let fields = random.pick(&[(28, 26), (30, 28)]);
    both(bytes, places, random, fields, &length.to_le_bytes())
}

fn wrong_number(bytes: &mut Vec<u8>, places: &Places, random: &mut Random) -> Option<()> {
    let count: u16 = random.pick(&[0, 1, places.central.len() as u16 + 1, 65534, 65535]);
    put(bytes, places.end + 8, &count.to_le_bytes())?;
    put(bytes, places.end + 10, &count.to_le_bytes())
}

fn directory(bytes: &mut Vec<u8>, places: &Places, random: &mut Random) -> Option<()> {
    let value = number(random, bytes.len()).to_le_bytes();
    put(bytes, places.end + random.pick(&[12, 16]), &value)
}

/// Takes bytes out of the directory and leaves the record at the end.
fn cut_directory(bytes: &mut Vec<u8>, places: &Places, random: &mut Random) -> Option<()> {
    let start = *places.central.first()?;
    let size = places.end.checked_sub(start)?.max(1);
    let from = start + random.below(size as u64) as usize;
    bytes.drain(from..places.end);
    Some(())
}

fn cut(bytes: &mut Vec<u8>, _: &Places, random: &mut Random) -> Option<()> {
    let length = random.below(bytes.len() as u64) as usize;
    bytes.truncate(length);
    Some(())
}

fn prefix(bytes: &mut Vec<u8>, _: &Places, random: &mut Random) -> Option<()> {
    let junk: Vec<u8> = (0..random.below(200)).map(|_| random.next() as u8).collect();
    bytes.splice(0..0, junk);
    Some(())
}

fn comment(bytes: &mut Vec<u8>, places: &Places, random: &mut Random) -> Option<()> {
    let length: u16 = random.pick(&[1, 100, 65535]);
    put(bytes, places.end + 20, &length.to_le_bytes())?;
    if random.one_in(2) {
        // A comment that looks like the end of another jar.
        let end = bytes.get(places.end..)?.to_vec();
        bytes.extend(end);
    }
    Some(())
}

fn flip(bytes: &mut Vec<u8>, _: &Places, random: &mut Random) -> Option<()> {
    for _ in 0..=random.below(8) {
        let place = random.below(bytes.len() as u64) as usize;
        bytes[place] ^= 1 << random.below(8);
    }
    Some(())
}

/// Random bytes in the headers, where each of them means something.
fn scribble(bytes: &mut Vec<u8>, places: &Places, random: &mut Random) -> Option<()> {
    let start = *places.central.first()?;
    for _ in 0..=random.below(4) {
        let place = start + random.below((bytes.len() - start) as u64) as usize;
        bytes[place] = random.next() as u8;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::{LIES, find};
    use crate::fuzz::classes::jars::pack;
    use dalang_term::sample::Random;

    #[test]
    fn every_lie_changes_a_jar() {
        let entries = ["a", "b", "c"].map(|name| (name.to_owned(), vec![7; 100]));
        let sound = pack(&entries.to_vec(), false);
        let places = find(&sound).unwrap();
        assert_eq!((places.central.len(), places.local.len()), (3, 3));
        for (name, lie) in LIES {
            let mut changed = 0;
            for seed in 0..20 {
                let mut bytes = sound.clone();
                lie(&mut bytes, &places, &mut Random::new(seed)).unwrap();
                changed += u32::from(bytes != sound);
            }
            assert!(changed > 10, "{name} changed {changed} of 20 jars");
        }
    }
}
