//! What lies beside the instructions: handlers, switch tables, line numbers, names of variables.
//!
//! Handlers and switches are relied on and therefore strict. Lines and names are for people; what
//! does not fit in them is left out.

use super::Defect;
use super::decode::Method;
use super::raw::Cursor;
use crate::descriptor::{ValueType, is_unqualified_name};
use crate::file::{Pool, Slot};
use crate::ids::ClassRefId;
use crate::names::{Name, Names};

/// An exception handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    /// The first instruction that it covers.
    pub start: u16,
    /// The first instruction after those that it covers.
    pub end: u16,
    /// Where it begins.
    pub target: u16,
    /// The class that it catches; none catches everything.
    pub catches: Option<ClassRefId>,
}

/// The table of a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Switch {
    /// One target for each value from `low` on.
    Table {
        /// The value of the first target.
        low: i32,
        /// The targets.
        targets: Box<[u16]>,
        /// The target of all other values.
        default: u16,
    },
    /// One target for each key.
    Lookup {
        /// The keys, rising.
        keys: Box<[i32]>,
        /// The target of each key.
        targets: Box<[u16]>,
        /// The target of all other values.
        default: u16,
    },
}

impl Switch {
    /// Where this value leads.
    pub fn target(&self, value: i32) -> u16 {
        match self {
            Self::Table { low, targets, default } => {
                let place = usize::try_from(i64::from(value) - i64::from(*low)).ok();
                place.and_then(|place| targets.get(place)).copied().unwrap_or(*default)
            }
            Self::Lookup { keys, targets, default } => {
                keys.binary_search(&value).map_or(*default, |place| targets[place])
            }
        }
    }

    /// Each value that has a target of its own, with that target.
    pub fn cases(&self) -> impl Iterator<Item = (i32, u16)> + '_ {
        let (targets, keys, low) = match self {
            Self::Table { low, targets, .. } => (targets, None, *low),
            Self::Lookup { keys, targets, .. } => (targets, Some(keys), 0),
        };
        targets.iter().enumerate().map(move |(place, &target)| {
            (keys.map_or_else(|| low.wrapping_add(place as i32), |keys| keys[place]), target)
        })
    }

    /// The target of all values that have none of their own.
    pub fn default(&self) -> u16 {
        match self {
            Self::Table { default, .. } | Self::Lookup { default, .. } => *default,
        }
    }

    /// All targets, the default last.
    pub(super) fn targets_mut(&mut self) -> impl Iterator<Item = &mut u16> {
        match self {
            Self::Table { targets, default, .. } | Self::Lookup { targets, default, .. } => {
                targets.iter_mut().chain(std::iter::once(default))
            }
        }
    }
}

/// Where a source line begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineNumber {
    /// The first instruction of the line.
    pub start: u16,
    /// The line.
    pub line: u16,
}

/// Where a local variable has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalVariable {
    /// The first instruction at which it has a value.
    pub start: u16,
    /// The first instruction after those.
    pub end: u16,
    /// The local variable.
    pub slot: u16,
    /// Its name.
    pub name: Name,
    /// Its type.
    pub value: ValueType,
}

/// From offsets in the code to indexes of instructions.
pub(super) struct Places {
    /// By offset; `NONE` where no instruction begins.
    indexes: Vec<u16>,
}

const NONE: u16 = u16::MAX;

impl Places {
    pub(super) fn new(offsets: &[u16], length: usize) -> Self {
        let mut indexes = vec![NONE; length + 1];
        for (index, &offset) in offsets.iter().enumerate() {
            indexes[offset as usize] = index as u16;
        }
        // The end of the code, for ranges that reach it.
        indexes[length] = offsets.len() as u16;
        Self { indexes }
    }

    /// The instruction at an offset.
    pub(super) fn exact(&self, offset: u16) -> Option<u16> {
        let inside = &self.indexes[..self.indexes.len() - 1];
        inside.get(offset as usize).copied().filter(|&index| index != NONE)
    }

    /// Whether the code has a byte at an offset.
    fn is_inside(&self, offset: u16) -> bool {
        usize::from(offset) + 1 < self.indexes.len()
    }

    /// The same, or the end of the code.
    fn bound(&self, offset: u32) -> Option<u16> {
        self.indexes.get(offset as usize).copied().filter(|&index| index != NONE)
    }
}

pub(super) fn handlers(
    cursor: &mut Cursor<'_>,
    places: &Places,
    pool: &Pool,
) -> Result<Box<[Handler]>, Defect> {
    let count = cursor.u16()?;
    let mut handlers = Vec::new();
    for _ in 0..count {
        let [start, end, target, catches] =
            [cursor.u16()?, cursor.u16()?, cursor.u16()?, cursor.u16()?];
        let range = places.exact(start).zip(places.bound(end.into()));
        let Some(((start, end), target)) = range.zip(places.exact(target)) else {
            return Err(Defect::new(start, "a handler does not keep to instructions"));
        };
        if start >= end {
            return Err(Defect::new(start, "a handler covers nothing"));
        }
        let catches = match (catches, pool.slot(catches)) {
            (0, _) => None,
            (_, Slot::Class(class)) => Some(class),
            _ => return Err(Defect::new(target, "a handler catches what is not a class")),
        };
        handlers.push(Handler { start, end, target, catches });
    }
    Ok(handlers.into())
}

/// What the attributes of code hold.
pub(super) struct Beside<'a> {
    pub(super) lines: Box<[LineNumber]>,
    pub(super) locals: Box<[LocalVariable]>,
    pub(super) maps: Option<&'a [u8]>,
    /// What a virtual machine would mind, although nothing here depends on it.
    pub(super) odd: Option<&'static str>,
}

/// From this version on, class files have stack maps.
const JAVA_6: u16 = 50;

/// Lines and names, and the stack map as bytes, from the attributes of the code.
pub(super) fn beside<'a>(
    cursor: &mut Cursor<'a>,
    places: &Places,
    max_locals: u16,
    method: &Method<'_>,
) -> Result<Beside<'a>, Defect> {
    let (pool, names) = (method.pool, method.names);
    let (mut lines, mut locals, mut maps, mut odd) = (Vec::new(), Vec::new(), None, None);
    for _ in 0..cursor.u16()? {
        let name = cursor.u16()?;
        let length = cursor.u32()?;
        let content = cursor.take(length as usize)?;
        match pool.text(name).map(crate::text::Text::bytes) {
            Some(b"LineNumberTable") => {
                let is_sound = read_lines(content, places, &mut lines);
                odd = odd.or((!is_sound).then_some("the table of line numbers is damaged"));
            }
            Some(b"LocalVariableTable") => {
                let is_sound = read_locals(content, places, max_locals, (pool, names), &mut locals);
                odd = odd.or((!is_sound).then_some("the table of local variables is damaged"));
            }
            Some(b"StackMapTable") if method.major >= JAVA_6 => {
                let is_second = maps.replace(content).is_some();
                odd = odd.or(is_second.then_some("there are two stack maps"));
            }
            _ => {}
        }
    }
    if !cursor.is_at_end() {
        odd = odd.or(Some("there are extra bytes after the code"));
    }
    lines.sort_by_key(|line: &LineNumber| line.start);
    Ok(Beside { lines: lines.into(), locals: locals.into(), maps, odd })
}

fn words(content: &[u8]) -> impl Iterator<Item = u16> + '_ {
    content.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
}

/// The entries of a table that begins with their count, and whether it has just those.
fn entries(content: &[u8], size: usize) -> (std::slice::ChunksExact<'_, u8>, bool) {
    let count = words(content).next().map(usize::from);
    let entries = content.get(2..).unwrap_or_default();
    (entries.chunks_exact(size), count.map(|count| count * size) == Some(entries.len()))
}

/// Gives whether a virtual machine would take the table.
fn read_lines(content: &[u8], places: &Places, lines: &mut Vec<LineNumber>) -> bool {
    let (entries, mut is_sound) = entries(content, 4);
    for entry in entries {
        let mut words = words(entry);
        if let (Some(offset), Some(line)) = (words.next(), words.next()) {
            is_sound &= places.is_inside(offset);
            if let Some(start) = places.exact(offset) {
                lines.push(LineNumber { start, line });
            }
        }
    }
    is_sound
}

/// The same for names of variables.
fn read_locals(
    content: &[u8],
    places: &Places,
    max_locals: u16,
    (pool, names): (&Pool, &Names),
    locals: &mut Vec<LocalVariable>,
) -> bool {
    let (entries, mut is_sound) = entries(content, 10);
    for entry in entries {
        let fields: Vec<u16> = words(entry).collect();
        let &[offset, length, name, descriptor, slot] = fields.as_slice() else { continue };
        let range =
            places.bound(offset.into()).zip(places.bound(u32::from(offset) + u32::from(length)));
        let texts = pool.text(name).zip(pool.text(descriptor));
        is_sound &= places.is_inside(offset);
        let (Some((start, end)), Some((name, descriptor))) = (range, texts) else {
            is_sound = false;
            continue;
        };
        let Some(value) = ValueType::parse(&descriptor.to_str(), names) else {
            is_sound = false;
            continue;
        };
        let last = u32::from(slot) + u32::from(value.kind().slots());
        is_sound &= last <= u32::from(max_locals) && is_unqualified_name(&name.to_str());
        let name = names.intern(&name.to_str());
        locals.push(LocalVariable { start, end, slot, name, value });
    }
    is_sound
}

#[cfg(test)]
mod tests {
    use super::Switch;

    #[test]
    fn switches_at_the_ends_of_int() {
        let table = Switch::Table { low: i32::MAX - 1, targets: [1, 2].into(), default: 3 };
        assert_eq!(table.target(i32::MAX), 2);
        assert_eq!(table.target(i32::MIN), 3);
        assert_eq!(table.cases().collect::<Vec<_>>(), [(i32::MAX - 1, 1), (i32::MAX, 2)]);
        let lookup =
            Switch::Lookup { keys: [i32::MIN, 7].into(), targets: [4, 5].into(), default: 6 };
        assert_eq!([lookup.target(i32::MIN), lookup.target(7), lookup.target(0)], [4, 5, 6]);
        assert_eq!(lookup.default(), 6);
    }
}
