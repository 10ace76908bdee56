//! Damage that knows nothing of what it hits.

#![allow(clippy::ptr_arg, clippy::unnecessary_wraps, reason = "all mutators have one signature")]

use dalang_term::sample::Random;

type Blind = fn(&mut Vec<u8>, &mut Random) -> Option<()>;

pub const BLIND: &[(&str, Blind)] = &[
    ("truncation", truncate),
    ("bit flips", flip_bits),
    ("bytes", replace_bytes),
    ("splice", splice),
    ("extra bytes", extend),
];

pub fn truncate(bytes: &mut Vec<u8>, random: &mut Random) -> Option<()> {
    let length = random.below(bytes.len().max(1) as u64) as usize;
    bytes.truncate(length);
    Some(())
}

pub fn flip_bits(bytes: &mut Vec<u8>, random: &mut Random) -> Option<()> {
    for _ in 0..=random.below(4) {
        let place = random.below(bytes.len().max(1) as u64) as usize;
        *bytes.get_mut(place)? ^= 1 << random.below(8);
    }
    Some(())
}

fn replace_bytes(bytes: &mut Vec<u8>, random: &mut Random) -> Option<()> {
    const PATTERNS: [&[u8]; 6] =
        [&[0], &[0xff], &[0, 0], &[0xff, 0xff], &[0x7f, 0xff, 0xff, 0xff], &[0xff; 4]];
    let pattern = random.pick(&PATTERNS);
    let place = random.below(bytes.len().max(1) as u64) as usize;
    bytes.get_mut(place..place + pattern.len())?.copy_from_slice(pattern);
    Some(())
}

fn splice(bytes: &mut Vec<u8>, random: &mut Random) -> Option<()> {
    let size = bytes.len().max(1) as u64;
    let [from, to] = [random.below(size) as usize, random.below(size) as usize];
    let length = random.below(64) as usize;
    let piece = bytes.get(from..from + length)?.to_vec();
    if random.one_in(2) {
        bytes.splice(to..to, piece);
    } else {
        bytes.get_mut(to..to + length)?.copy_from_slice(&piece);
    }
    Some(())
}

fn extend(bytes: &mut Vec<u8>, random: &mut Random) -> Option<()> {
    let more = 1 + random.below(40);
    bytes.extend((0..more).map(|_| random.next() as u8));
    Some(())
}
