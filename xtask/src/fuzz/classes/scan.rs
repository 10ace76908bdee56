//! A map of a class file: where its constants, counts, indexes, lengths and bodies are.
//!
//! Mutators aim with it. It trusts nothing and judges nothing: a file that cannot be walked to its
//! end has no map, and is then only hit blindly.

/// One entry of the constant pool. The second half of a `long` or `double` has the tag 0.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    pub at: usize,
    pub tag: u8,
    pub size: usize,
}

/// Entries behind a count of two bytes.
#[derive(Clone, Debug)]
pub struct Table {
    pub what: &'static str,
    pub count_at: usize,
    pub end: usize,
    /// Where the lengths of the attributes around it are: they change with its size.
    pub lengths: Vec<usize>,
}

impl Table {
    pub fn start(&self) -> usize {
        self.count_at + 2
    }
}

/// The content of a `Code` attribute.
#[derive(Clone, Debug)]
pub struct Body {
    /// Where the greatest depth of the stack is; that of the local variables is two bytes later.
    pub at: usize,
    pub code: usize,
    pub code_end: usize,
    pub lengths: Vec<usize>,
    /// The place of the handlers among the tables.
    pub handlers: usize,
}

/// Where everything is.
#[derive(Debug, Default)]
pub struct Layout {
    /// By index; the first is none.
    pub constants: Vec<Constant>,
    /// The access flags, behind the constant pool: the class and its superclass come next.
    pub flags: usize,
    pub tables: Vec<Table>,
    /// Lengths of attributes, four bytes each.
    pub lengths: Vec<usize>,
    /// Indexes into the constant pool, two bytes each.
    pub indexes: Vec<usize>,
    /// Flags of members.
    pub member_flags: Vec<usize>,
    pub bodies: Vec<Body>,
    /// Where stack maps begin and end.
    pub maps: Vec<(usize, usize)>,
}

pub const UTF8: u8 = 1;
pub const CLASS: u8 = 7;

/// The two bytes at a place.
pub fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 2)?.try_into().ok().map(u16::from_be_bytes)
}

/// The four bytes at a place.
pub fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes)
}

/// The map of a class file; none if it leads nowhere.
pub fn scan(bytes: &[u8]) -> Option<Layout> {
    let mut scanner = Scanner { bytes, at: 8, open: Vec::new(), layout: Layout::default() };
    scanner.constants()?;
    scanner.layout.flags = scanner.at;
    scanner.skip(2)?;
    scanner.index()?;
    scanner.index()?;
    scanner.table("interfaces", Scanner::index)?;
    scanner.table("fields", Scanner::member)?;
    scanner.table("methods", Scanner::member)?;
    scanner.attributes("class attributes")?;
    (scanner.at == bytes.len()).then_some(scanner.layout)
}

impl Layout {
    /// The text of a constant.
    pub fn text<'a>(&self, bytes: &'a [u8], index: u16) -> Option<&'a [u8]> {
        let constant = self.constants.get(index as usize).filter(|c| c.tag == UTF8)?;
        bytes.get(constant.at + 3..constant.at + constant.size)
    }

    /// Those constants that have one of these tags, by index.
    pub fn with_tag(&self, tags: &[u8]) -> Vec<u16> {
        let wanted = |&index: &u16| tags.contains(&self.constants[index as usize].tag);
        (1..self.constants.len() as u16).filter(wanted).collect()
    }

    /// The index of the text that is the name of the class itself.
    pub fn own_name(&self, bytes: &[u8]) -> Option<u16> {
        let class = self.constants.get(u16_at(bytes, self.flags + 2)? as usize)?;
        (class.tag == CLASS).then(|| u16_at(bytes, class.at + 1))?
    }
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The lengths of the attributes that we are in.
    open: Vec<usize>,
    layout: Layout,
}

impl Scanner<'_> {
    fn skip(&mut self, count: usize) -> Option<()> {
        self.at = self.at.checked_add(count).filter(|&at| at <= self.bytes.len())?;
        Some(())
    }

    fn u16(&mut self) -> Option<u16> {
        let value = u16_at(self.bytes, self.at)?;
        self.at += 2;
        Some(value)
    }

    fn index(&mut self) -> Option<()> {
        self.layout.indexes.push(self.at);
        self.skip(2)
    }

    fn constants(&mut self) -> Option<()> {
        let count_at = self.at;
        let count = self.u16()?;
        self.layout.constants.push(Constant { at: self.at, tag: 0, size: 0 });
        while self.layout.constants.len() < count as usize {
            let at = self.at;
            let tag = *self.bytes.get(at)?;
            let (size, indexes): (usize, &[usize]) = match tag {
                UTF8 => (3 + u16_at(self.bytes, at + 1)? as usize, &[]),
                3 | 4 => (5, &[]),
                5 | 6 => (9, &[]),
                CLASS | 8 | 16 | 19 | 20 => (3, &[1]),
                9..=12 => (5, &[1, 3]),
                15 => (4, &[2]),
                17 | 18 => (5, &[3]),
                _ => return None,
            };
            self.layout.constants.push(Constant { at, tag, size });
            if matches!(tag, 5 | 6) {
                self.layout.constants.push(Constant { at, tag: 0, size: 0 });
            }
            self.layout.indexes.extend(indexes.iter().map(|place| at + place));
            self.skip(size)?;
        }
        let table =
            Table { what: "constant pool", count_at, end: self.at, lengths: self.open.clone() };
        self.layout.tables.push(table);
        Some(())
    }

    fn table(
        &mut self,
        what: &'static str,
        entry: impl Fn(&mut Self) -> Option<()>,
    ) -> Option<usize> {
        let count_at = self.at;
        for _ in 0..self.u16()? {
            entry(self)?;
        }
        let table = Table { what, count_at, end: self.at, lengths: self.open.clone() };
        self.layout.tables.push(table);
        Some(self.layout.tables.len() - 1)
    }

    fn member(&mut self) -> Option<()> {
        self.layout.member_flags.push(self.at);
        self.skip(2)?;
        self.index()?;
        self.index()?;
        self.attributes("member attributes")
    }

    fn attributes(&mut self, what: &'static str) -> Option<()> {
        // Attributes within attributes go three deep in what compilers write.
        if self.open.len() > 8 {
            return None;
        }
        self.table(what, Self::attribute).map(drop)
    }

    fn attribute(&mut self) -> Option<()> {
        let name = u16_at(self.bytes, self.at)?;
        self.index()?;
        let length_at = self.at;
        let length = u32_at(self.bytes, length_at)?;
        self.layout.lengths.push(length_at);
        self.skip(4)?;
        let end = self.at.checked_add(length as usize).filter(|&end| end <= self.bytes.len())?;
        self.open.push(length_at);
        let bytes = self.bytes;
        match self.layout.text(bytes, name)? {
            b"Code" => self.body()?,
            b"ConstantValue" | b"Signature" | b"SourceFile" | b"NestHost" => self.index()?,
            b"EnclosingMethod" => self.index().and_then(|()| self.index())?,
            b"Exceptions" | b"NestMembers" | b"PermittedSubclasses" => {
                self.table("class list", Self::index).map(drop)?;
            }
            b"InnerClasses" => self.table("inner classes", Self::inner_class).map(drop)?,
            b"BootstrapMethods" => self.table("bootstrap methods", Self::bootstrap).map(drop)?,
            b"Record" => self.table("record components", Self::component).map(drop)?,
            b"LineNumberTable" => self.table("line numbers", |s| s.skip(4)).map(drop)?,
            b"LocalVariableTable" => self.table("local variables", Self::variable).map(drop)?,
            b"StackMapTable" => {
                self.layout.maps.push((self.at, end));
                self.at = end;
            }
            _ => self.at = end,
        }
        self.open.pop();
        (self.at == end).then_some(())
    }

    fn inner_class(&mut self) -> Option<()> {
        (0..3).try_for_each(|_| self.index())?;
        self.skip(2)
    }

    fn bootstrap(&mut self) -> Option<()> {
        self.index()?;
        self.table("bootstrap arguments", Self::index).map(drop)
    }

    fn component(&mut self) -> Option<()> {
        self.index()?;
        self.index()?;
        self.attributes("component attributes")
    }

    fn variable(&mut self) -> Option<()> {
        self.skip(4)?;
        self.index()?;
        self.index()?;
        self.skip(2)
    }

    fn body(&mut self) -> Option<()> {
        let at = self.at;
        let length = u32_at(self.bytes, at + 4)? as usize;
        let code = at + 8;
        self.skip(8)?;
        self.skip(length)?;
        let handlers = self.table("handlers", Self::handler)?;
        let lengths = self.open.clone();
        self.layout.bodies.push(Body { at, code, code_end: code + length, lengths, handlers });
        self.attributes("code attributes")
    }

    fn handler(&mut self) -> Option<()> {
        self.skip(6)?;
        self.index()
    }
}

#[cfg(test)]
mod tests {
    use super::{scan, u16_at};
    use crate::fuzz::classes::bytecode::steps;
    use crate::fuzz::classes::corpus::tests::corpus;

    #[test]
    fn every_class_of_the_corpus_has_a_map_that_fits() {
        for seed in &corpus().seeds {
            let layout = scan(&seed.bytes).unwrap_or_else(|| panic!("no map of {}", seed.name));
            let name = layout.own_name(&seed.bytes).unwrap();
            assert_eq!(layout.text(&seed.bytes, name), Some(seed.name.as_bytes()));
            for &index in &layout.indexes {
                let index = u16_at(&seed.bytes, index).unwrap() as usize;
                assert!(index < layout.constants.len(), "{}: no constant {index}", seed.name);
            }
            for body in &layout.bodies {
                assert!(steps(&seed.bytes[body.code..body.code_end]).is_some(), "{}", seed.name);
                assert_eq!(layout.tables[body.handlers].count_at, body.code_end);
            }
        }
    }

    #[test]
    fn cut_files_have_no_map() {
        let bytes = &corpus().seeds[0].bytes;
        for length in 0..bytes.len() {
            assert!(scan(&bytes[..length]).is_none(), "{length}");
        }
    }
}
