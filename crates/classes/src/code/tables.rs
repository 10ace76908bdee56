//! What lies beside the instructions: handlers, switch tables, line numbers, names of variables.
//!
//! Handlers and switches are relied on and therefore strict. Lines and names are for people; what
//! does not fit in them is left out.

use super::Defect;
use super::raw::Cursor;
use crate::descriptor::ValueType;
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

type DebugTables = (Box<[LineNumber]>, Box<[LocalVariable]>);

/// Lines and names, from the attributes of the code.
pub(super) fn debug(
    cursor: &mut Cursor<'_>,
    places: &Places,
    pool: &Pool,
    names: &Names,
) -> Result<DebugTables, Defect> {
    let (mut lines, mut locals) = (Vec::new(), Vec::new());
    for _ in 0..cursor.u16()? {
        let name = cursor.u16()?;
        let length = cursor.u32()?;
        let content = cursor.take(length as usize)?;
        match pool.text(name).map(crate::text::Text::bytes) {
            Some(b"LineNumberTable") => read_lines(content, places, &mut lines),
            Some(b"LocalVariableTable") => read_locals(content, places, pool, names, &mut locals),
            _ => {}
        }
    }
    lines.sort_by_key(|line: &LineNumber| line.start);
    Ok((lines.into(), locals.into()))
}

fn words(content: &[u8]) -> impl Iterator<Item = u16> + '_ {
    content.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
}

fn read_lines(content: &[u8], places: &Places, lines: &mut Vec<LineNumber>) {
    let entries = content.get(2..).unwrap_or_default();
    for entry in entries.chunks_exact(4) {
        let mut words = words(entry);
        if let (Some(offset), Some(line)) = (words.next(), words.next())
            && let Some(start) = places.exact(offset)
        {
            lines.push(LineNumber { start, line });
        }
    }
}

fn read_locals(
    content: &[u8],
    places: &Places,
    pool: &Pool,
    names: &Names,
    locals: &mut Vec<LocalVariable>,
) {
    let entries = content.get(2..).unwrap_or_default();
    for entry in entries.chunks_exact(10) {
        let fields: Vec<u16> = words(entry).collect();
        let &[start, length, name, descriptor, slot] = fields.as_slice() else { continue };
        let range =
            places.bound(start.into()).zip(places.bound(u32::from(start) + u32::from(length)));
        let texts = pool.text(name).zip(pool.text(descriptor));
        let (Some((start, end)), Some((name, descriptor))) = (range, texts) else { continue };
        if let Some(value) = ValueType::parse(&descriptor.to_str(), names) {
            let name = names.intern(&name.to_str());
            locals.push(LocalVariable { start, end, slot, name, value });
        }
    }
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
