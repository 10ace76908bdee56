//! Damage to what surrounds code: counts, lengths, indexes, names, flags, the place in the hierarchy.

use super::Victim;
use crate::fuzz::classes::scan::{CLASS, Constant, Table, UTF8, scan, u16_at, u32_at};

/// The most bytes that a table is blown up to.
const MOST_GROWTH: usize = 600_000;

pub fn wrong_count(victim: &mut Victim<'_>) -> Option<()> {
    let table = victim.choose(&victim.layout.tables)?;
    let old = u16_at(victim.bytes, table.count_at)?;
    let wrong = [0, old.wrapping_sub(1), old.wrapping_add(1), old.wrapping_mul(2), u16::MAX];
    let wrong = victim.choose(&wrong.map(|count| if count == old { !old } else { count }))?;
    victim.put16(table.count_at, wrong)
}

pub fn wrong_length(victim: &mut Victim<'_>) -> Option<()> {
    let at = victim.choose(&victim.layout.lengths)?;
    let old = u32_at(victim.bytes, at)?;
    let wrong = [0, old.wrapping_sub(1), old.wrapping_add(1), 1 << 31, u32::MAX];
    let wrong = victim.choose(&wrong.map(|length| if length == old { !old } else { length }))?;
    victim.put32(at, wrong)
}

pub fn bad_index(victim: &mut Victim<'_>) -> Option<()> {
    let at = victim.choose(&victim.layout.indexes)?;
    let count = victim.layout.constants.len() as u16;
    let wrong = victim.choose(&[0, count, count.saturating_add(1), u16::MAX])?;
    victim.put16(at, wrong)
}

/// An index of a constant that is there, and is likely of the wrong kind.
pub fn other_index(victim: &mut Victim<'_>) -> Option<()> {
    let at = victim.choose(&victim.layout.indexes)?;
    let index = victim.below(victim.layout.constants.len()) as u16;
    victim.put16(at, index)
}

/// Another tag, sometimes of the same size, so that the rest still stands where it did.
pub fn other_tag(victim: &mut Victim<'_>) -> Option<()> {
    const SAME_SIZE: [&[u8]; 3] = [&[7, 8, 16, 19, 20], &[3, 4, 9, 10, 11, 12, 17, 18], &[5, 6]];
    let constant = victim.choose(victim.layout.constants.get(1..)?)?;
    let same = SAME_SIZE.into_iter().find(|tags| tags.contains(&constant.tag));
    let tag = match same {
        Some(tags) if !victim.random.one_in(4) => victim.choose(tags)?,
        _ => victim.below(22) as u8,
    };
    *victim.bytes.get_mut(constant.at)? = tag;
    Some(())
}

pub fn flags(victim: &mut Victim<'_>) -> Option<()> {
    let mut places = victim.layout.member_flags.clone();
    places.push(victim.layout.flags);
    let at = victim.choose(&places)?;
    let flipped = u16_at(victim.bytes, at)? ^ (1 << victim.below(16));
    victim.put16(at, flipped)
}

pub fn version(victim: &mut Victim<'_>) -> Option<()> {
    // Old ones allow subroutines and know fewer attributes; the rest are none at all.
    let major = victim.choose(&[0, 44, 45, 48, 49, 50, 51, 52, 60, 61, 69, 70, u16::MAX])?;
    let minor = victim.choose(&[0, 0, 3, 1, u16::MAX])?;
    victim.put16(4, minor)?;
    victim.put16(6, major)
}

pub fn own_superclass(victim: &mut Victim<'_>) -> Option<()> {
    let own = u16_at(victim.bytes, victim.layout.flags + 2)?;
    victim.put16(victim.layout.flags + 4, own)
}

pub fn own_interface(victim: &mut Victim<'_>) -> Option<()> {
    let own = u16_at(victim.bytes, victim.layout.flags + 2)?;
    let at = victim.layout.flags + 6;
    let count = u16_at(victim.bytes, at)?;
    victim.put16(at, count.checked_add(1)?)?;
    victim.insert(at + 2, &own.to_be_bytes(), &[])
}

pub fn other_superclass(victim: &mut Victim<'_>) -> Option<()> {
    let class = victim.choose(&victim.layout.with_tag(&[CLASS]))?;
    victim.put16(victim.layout.flags + 4, class)
}

/// A dynamic constant among the arguments of its own bootstrap method.
pub fn endless_constant(victim: &mut Victim<'_>) -> Option<()> {
    let arguments =
        |table: &&Table| table.what == "bootstrap arguments" && table.end > table.start();
    let tables: Vec<Table> = victim.layout.tables.iter().filter(arguments).cloned().collect();
    let table = victim.choose(&tables)?;
    let sites = victim.layout.with_tag(&[17, 18]);
    let index = victim.choose(&sites)?;
    let site = victim.layout.constants[index as usize];
    *victim.bytes.get_mut(site.at)? = 17;
    victim.put16(table.start(), index)
}

/// Entries over and over, with counts and lengths that are true.
pub fn oversized_table(victim: &mut Victim<'_>) -> Option<()> {
    let full = |table: &&Table| table.what != "constant pool" && table.end > table.start();
    let tables: Vec<Table> = victim.layout.tables.iter().filter(full).cloned().collect();
    let table = victim.choose(&tables)?;
    let entries = victim.bytes.get(table.start()..table.end)?.to_vec();
    let count = u16_at(victim.bytes, table.count_at)?;
    let most = (usize::from(u16::MAX / count.max(1)) - 1).min(MOST_GROWTH / entries.len());
    let times = if victim.random.one_in(2) { most } else { 1 + victim.below(most) };
    victim.insert(table.end, &entries.repeat(times), &table.lengths)?;
    victim.put16(table.count_at, count * (times as u16 + 1))
}

/// A constant pool with as many entries as there can be.
pub fn oversized_pool(victim: &mut Victim<'_>) -> Option<()> {
    let constants: &[&[u8]] = &[&[3, 0, 0, 0, 1], &[UTF8, 0, 1, b'x'], &[CLASS, 0, 1], &[8, 0, 1]];
    let constant = victim.choose(constants)?;
    let more = usize::from(u16::MAX) - victim.layout.constants.len();
    victim.insert(victim.layout.flags, &constant.repeat(more), &[])?;
    victim.put16(8, u16::MAX)
}

/// A text that no name or descriptor should be.
pub fn hostile_text(victim: &mut Victim<'_>) -> Option<()> {
    let deep = [&b"["[..]; 256].concat();
    let texts: [&[u8]; 20] = [
        b"",
        b"\n",
        b"A\nB: all is well",
        b"\x1b[2J",
        b"../../../etc/passwd",
        b"/",
        b"a//b",
        b"[",
        b"[I",
        b"[[Ljava/lang/Object;",
        b"L;",
        b"(",
        b"()",
        b"(V)V",
        b"<init>",
        b"<clinit>",
        b"Code",
        b"java/lang/Object",
        // Half a pair of surrogates, a byte that never occurs, a letter that is cut off.
        b"\xed\xa0\x80\xff\xc3",
        &deep,
    ];
    let text = victim.choose(&texts)?;
    replace_any_text(victim, text)
}

/// A name or descriptor as long as there can be.
pub fn long_text(victim: &mut Victim<'_>) -> Option<()> {
    let parts: [&[u8]; 6] = [b"x", b"a/", b"[", b"\xe2\x82\xac", b"Lx;", b"\n"];
    let part = victim.choose(&parts)?;
    let mut text = part.repeat(usize::from(u16::MAX) / part.len() - 4);
    match victim.below(3) {
        0 => text.push(b'x'),
        1 => {
            text.insert(0, b'(');
            text.extend(b")V");
        }
        _ => {}
    }
    replace_any_text(victim, &text)
}

fn replace_any_text(victim: &mut Victim<'_>, text: &[u8]) -> Option<()> {
    let index = victim.choose(&victim.layout.with_tag(&[UTF8]))?;
    replace_text(victim.bytes, victim.layout.constants[index as usize], text)
}

fn replace_text(bytes: &mut Vec<u8>, constant: Constant, text: &[u8]) -> Option<()> {
    let length = u16::try_from(text.len()).ok()?;
    let head = [UTF8, (length >> 8) as u8, length as u8];
    bytes.splice(
        constant.at..constant.at + constant.size,
        head.into_iter().chain(text.iter().copied()),
    );
    Some(())
}

/// The class under another name. Only what names the class itself changes, descriptors do not.
pub fn renamed(bytes: &[u8], name: &str) -> Option<Vec<u8>> {
    let layout = scan(bytes)?;
    let index = layout.own_name(bytes)?;
    set_text(bytes, index, name)
}

/// The same class file with another text at this index.
pub fn set_text(bytes: &[u8], index: u16, text: &str) -> Option<Vec<u8>> {
    let constant = *scan(bytes)?.constants.get(index as usize).filter(|c| c.tag == UTF8)?;
    let mut bytes = bytes.to_vec();
    replace_text(&mut bytes, constant, text.as_bytes())?;
    Some(bytes)
}
