//! Damage that only types reveal: what is left mostly decodes, and often is still right.

use crate::fuzz::classes::bytecode::{Step, steps};
use crate::fuzz::classes::mutate::{Aimed, Victim, bodies, tables};
use crate::fuzz::classes::scan::{Body, UTF8, scan, u16_at};
use dalang_term::sample::Random;

const DAMAGE: &[(&str, Aimed)] = &[
    ("another constant", another_constant),
    ("another constant", another_constant),
    ("another variable", another_variable),
    ("another variable", another_variable),
    ("instruction of the same length", same_length),
    ("instruction of the same length", same_length),
    ("instructions changed places", swapped),
    ("nothing in the place of an instruction", nothing),
    ("stack map", map_byte),
    ("stack map", map_byte),
    ("class in a stack map", map_entry),
    ("no stack map", no_maps),
    ("another descriptor", descriptor),
    ("another descriptor", descriptor),
    ("subroutine", subroutine),
    ("subroutine", subroutine),
    ("branch elsewhere", bodies::branch_elsewhere),
    ("handler", bodies::handler),
    ("caught class", caught),
    ("opcode", bodies::opcode),
    ("operand", bodies::operand),
    ("stack and locals", bodies::bounds),
    ("flags", tables::flags),
    ("other superclass", tables::other_superclass),
];

/// Damages a class file and gives the names of what was done.
pub fn damage(bytes: &mut Vec<u8>, random: &mut Random) -> Vec<&'static str> {
    let mut done = Vec::new();
    let rounds = if random.one_in(3) { 2 + random.below(2) } else { 1 };
    for _ in 0..rounds {
        for _ in 0..8 {
            let Some(layout) = scan(bytes) else { return done };
            let (name, mutator) = random.pick(DAMAGE);
            if mutator(&mut Victim { bytes, layout: &layout, random }).is_some() {
                done.push(name);
                break;
            }
        }
    }
    done
}

/// Gives a class file the version of an old compiler, whose code is verified in another way.
pub fn age(bytes: &mut [u8], random: &mut Random) {
    let major = random.pick(&[46, 48, 49, 49, 50, 50]);
    if let Some(version) = bytes.get_mut(4..8) {
        version.copy_from_slice(&[0, 0, 0, major]);
    }
}

fn body(victim: &mut Victim<'_>) -> Option<(Body, Vec<Step>)> {
    let body = victim.choose(&victim.layout.bodies)?;
    let steps = steps(victim.bytes.get(body.code..body.code_end)?)?;
    Some((body, steps))
}

/// Another constant of the same kind, as often as there is one.
fn another_constant(victim: &mut Victim<'_>) -> Option<()> {
    let (body, steps) = body(victim)?;
    let fits = |step: &&Step| matches!(step.opcode, 18..=20 | 178..=187 | 189 | 192 | 193 | 197);
    let places: Vec<(u8, usize)> =
        steps.iter().filter(fits).map(|step| (step.opcode, body.code + step.at + 1)).collect();
    let (opcode, at) = victim.choose(&places)?;
    let index = match opcode {
        18 => u16::from(*victim.bytes.get(at)?),
        _ => u16_at(victim.bytes, at)?,
    };
    let tag = victim.layout.constants.get(usize::from(index))?.tag;
    let tags: &[u8] = match tag {
        3 | 4 | 7 | 8 if opcode <= 19 => &[3, 4, 7, 8],
        5 | 6 => &[5, 6],
        10 | 11 if victim.random.one_in(4) => &[10, 11],
        _ => &[tag],
    };
    let other = victim.choose(&victim.layout.with_tag(tags))?;
    if opcode == 18 {
        *victim.bytes.get_mut(at)? = u8::try_from(other).ok()?;
        return Some(());
    }
    victim.put16(at, other)
}

/// Another local variable, or another kind of it.
fn another_variable(victim: &mut Victim<'_>) -> Option<()> {
    let (body, steps) = body(victim)?;
    let fits = |step: &&Step| matches!(step.opcode, 21..=45 | 54..=78 | 132 | 169);
    let places: Vec<(u8, usize)> =
        steps.iter().filter(fits).map(|step| (step.opcode, body.code + step.at)).collect();
    let (opcode, at) = victim.choose(&places)?;
    match opcode {
        26..=45 => *victim.bytes.get_mut(at)? = 26 + victim.below(20) as u8,
        59..=78 => *victim.bytes.get_mut(at)? = 59 + victim.below(20) as u8,
        _ => *victim.bytes.get_mut(at + 1)? = victim.below(8) as u8,
    }
    Some(())
}

/// Instructions that take the same operand, or none.
const ALIKE: &[&[u8]] = &[
    &[0, 87, 88, 89, 90, 91, 92, 93, 94, 95, 1, 3, 9, 11, 14, 190, 191, 194, 195],
    &[46, 47, 48, 49, 50, 51, 52, 53, 79, 80, 81, 82, 83, 84, 85, 86],
    &[96, 97, 98, 99, 116, 120, 121, 126, 127, 133, 134, 135, 136, 139, 142, 145, 148, 149, 151],
    &[153, 159, 165, 166, 167, 168, 198, 199],
    &[172, 173, 174, 175, 176, 177, 191],
    &[178, 179, 180, 181],
    &[182, 183, 184],
    &[187, 189, 192, 193],
];

fn same_length(victim: &mut Victim<'_>) -> Option<()> {
    let (body, steps) = body(victim)?;
    let family = victim.choose(ALIKE)?;
    let of_family = |step: &&Step| family.contains(&step.opcode);
    let places: Vec<usize> =
        steps.iter().filter(of_family).map(|step| body.code + step.at).collect();
    let at = victim.choose(&places)?;
    *victim.bytes.get_mut(at)? = victim.choose(family)?;
    Some(())
}

/// Two instructions after each other, the other way round; jumps lead where they led.
fn swapped(victim: &mut Victim<'_>) -> Option<()> {
    let (body, steps) = body(victim)?;
    let plain = |step: &Step| step.jumps.is_empty() && !step.is_switch();
    let pairs: Vec<(usize, usize, usize)> = steps
        .windows(2)
        .filter(|pair| pair.iter().all(plain))
        .map(|pair| (pair[0].at, pair[1].at, pair[1].at + pair[1].length))
        .collect();
    let (first, second, end) = victim.choose(&pairs)?;
    let code = victim.bytes.get_mut(body.code + first..body.code + end)?;
    code.rotate_left(second - first);
    Some(())
}

fn nothing(victim: &mut Victim<'_>) -> Option<()> {
    let (body, steps) = body(victim)?;
    let place = victim.below(steps.len());
    let step = steps.get(place)?;
    let at = body.code + step.at;
    victim.bytes.get_mut(at..at + step.length)?.fill(0);
    Some(())
}

fn map_byte(victim: &mut Victim<'_>) -> Option<()> {
    let (start, end) = victim.choose(&victim.layout.maps)?;
    let at = start + victim.below(end - start);
    let old = *victim.bytes.get(at)?;
    let value = [old.wrapping_add(1), old.wrapping_sub(1), 0, 1, 5, 6, 7, 8, 64, 248, 252, 255];
    *victim.bytes.get_mut(at)? = victim.choose(&value)?;
    Some(())
}

/// Another class where a stack map has one.
fn map_entry(victim: &mut Victim<'_>) -> Option<()> {
    let (start, end) = victim.choose(&victim.layout.maps)?;
    let classes = victim.layout.with_tag(&[7]);
    let is_class = |at: &usize| {
        victim.bytes.get(*at) == Some(&7)
            && u16_at(victim.bytes, at + 1).is_some_and(|index| classes.contains(&index))
    };
    let places: Vec<usize> = (start..end.saturating_sub(2)).filter(is_class).collect();
    let at = victim.choose(&places)?;
    let class = victim.choose(&classes)?;
    victim.put16(at + 1, class)
}

/// The name of the attribute is another one, so that it means nothing.
fn no_maps(victim: &mut Victim<'_>) -> Option<()> {
    let texts = victim.layout.with_tag(&[UTF8]);
    let is_name = |&&index: &&u16| {
        victim.layout.text(victim.bytes, index) == Some(b"StackMapTable".as_slice())
    };
    let index = *texts.iter().find(is_name)?;
    let constant = victim.layout.constants[usize::from(index)];
    *victim.bytes.get_mut(constant.at + 3)? = b'T';
    Some(())
}

/// Another type in a descriptor.
fn descriptor(victim: &mut Victim<'_>) -> Option<()> {
    let texts = victim.layout.with_tag(&[UTF8]);
    let is_descriptor = |&&index: &&u16| {
        let text = victim.layout.text(victim.bytes, index).unwrap_or_default();
        text.starts_with(b"(")
            || matches!(text, [b'I' | b'J' | b'F' | b'D' | b'Z'] | [b'[' | b'L', .., _])
    };
    let fitting: Vec<u16> = texts.iter().filter(is_descriptor).copied().collect();
    let index = victim.choose(&fitting)?;
    let constant = victim.layout.constants[usize::from(index)];
    let text = constant.at + 3..constant.at + constant.size;
    let is_letter = |&at: &usize| b"IJFDZBCSV".contains(&victim.bytes[at]);
    // Names of classes have such letters as well: after a letter of lower case it is one of those.
    let starts = |&at: &usize| at == text.start || !victim.bytes[at - 1].is_ascii_lowercase();
    let places: Vec<usize> = text.clone().filter(is_letter).filter(starts).collect();
    let at = victim.choose(&places)?;
    *victim.bytes.get_mut(at)? = victim.choose(b"IJFDZBCS")?;
    Some(())
}

fn caught(victim: &mut Victim<'_>) -> Option<()> {
    let body = victim.choose(&victim.layout.bodies)?;
    let table = victim.layout.tables.get(body.handlers)?.clone();
    let count = (table.end - table.start()) / 8;
    if count == 0 {
        return None;
    }
    let entry = table.start() + 8 * victim.below(count);
    let class = victim.choose(&victim.layout.with_tag(&[7]))?;
    victim.put16(entry + 6, class)
}

/// A subroutine at the end of the code, called in the place of one or two instructions that only
/// count. There are such things in old class files only.
fn subroutine(victim: &mut Victim<'_>) -> Option<()> {
    if u16_at(victim.bytes, 6)? > 50 {
        return None;
    }
    let (body, steps) = body(victim)?;
    let counts: Vec<usize> =
        steps.iter().filter(|step| step.opcode == 132).map(|step| step.at).collect();
    let mut calls = vec![victim.choose(&counts)?];
    if victim.random.one_in(2) {
        calls.push(victim.choose(&counts)?);
    }
    let length = body.code_end - body.code;
    let slot = u8::try_from(u16_at(victim.bytes, body.at + 2)?).ok()?;
    let used = victim.below(4) as u8;
    let bodies: [Vec<u8>; 7] = [
        vec![58, slot, 169, slot],
        vec![58, slot, 3, 54, used, 169, slot],
        vec![58, slot, 1, 58, used, 169, slot],
        vec![58, slot, 21, used, 87, 169, slot],
        vec![58, slot, 3, 153, 0, 5, 169, slot, 169, slot],
        vec![87, 177],
        vec![89, 58, slot, 87, 169, slot],
    ];
    let subroutine = victim.choose(&bodies)?;
    for at in calls {
        let offset = i16::try_from(length.checked_sub(at)?).ok()?;
        *victim.bytes.get_mut(body.code + at)? = 168;
        victim.put16(body.code + at + 1, offset as u16)?;
    }
    victim.put16(body.at, u16_at(victim.bytes, body.at)?.saturating_add(2))?;
    victim.put16(body.at + 2, u16::from(slot) + 1)?;
    victim.put32(body.at + 4, (length + subroutine.len()) as u32)?;
    victim.insert(body.code_end, &subroutine, &body.lengths)
}
