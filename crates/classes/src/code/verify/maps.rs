//! Stack maps (JVMS 4.7.4): what the class file says is known where paths meet.

use super::frame::{Frame, Type};
use super::{Judge, Trouble};
use crate::code::Defect;
use crate::code::instruction::Instruction;
use crate::code::raw::Cursor;
use crate::file::Slot;
use std::rc::Rc;

/// One frame. Those that follow each other mostly have the same local variables, so they share them:
/// a byte can stand for very many.
pub(super) struct Known {
    index: u16,
    pub(super) locals: Rc<[Type]>,
    pub(super) stack: Vec<Type>,
    /// Whether a constructor may have come here without calling another constructor.
    pub(super) unset_this: bool,
}

/// The frames of a stack map, in the order of the instructions that they are for.
pub(super) struct Maps {
    frames: Vec<Known>,
}

impl Maps {
    /// The frame for an instruction.
    pub(super) fn at(&self, index: u16) -> Option<&Known> {
        let place = self.frames.binary_search_by_key(&index, |known| known.index).ok()?;
        Some(&self.frames[place])
    }

    /// Reads the frames; the one for the beginning of the method is known without.
    pub(super) fn read(
        judge: &Judge<'_>,
        content: Option<&[u8]>,
        start: &Frame,
    ) -> Result<Self, Trouble> {
        let Some(content) = content else { return Ok(Self { frames: Vec::new() }) };
        let locals = start.locals.as_slice().into();
        let reader = Reader { judge, cursor: Cursor::new(content), locals, next_offset: 0 };
        Ok(Self { frames: reader.frames()? })
    }
}

struct Reader<'a> {
    judge: &'a Judge<'a>,
    cursor: Cursor<'a>,
    /// The local variables of the frame before.
    locals: Rc<[Type]>,
    /// The offset of the next frame if its distance is zero.
    next_offset: u32,
}

impl Reader<'_> {
    fn wrong(&self, what: &str) -> Defect {
        Defect::new(self.next_offset, format!("the stack map {what}"))
    }

    fn frames(mut self) -> Result<Vec<Known>, Defect> {
        let count = self.cursor.u16().map_err(Defect::of_table)?;
        let mut frames = Vec::new();
        for _ in 0..count {
            let frame = self.frame().map_err(Defect::of_table)?;
            let offset = self.next_offset - 1;
            let index = u16::try_from(offset).ok();
            // For Java this is not a damaged table, but code that breaks a rule.
            let Some(index) = index.and_then(|offset| self.judge.code.at_offset(offset)) else {
                return Err(self.wrong("has a frame where no instruction begins"));
            };
            frames.push(Known { index, ..frame });
        }
        if !self.cursor.is_at_end() {
            return Err(self.wrong("is longer than its frames").of_table());
        }
        Ok(frames)
    }

    /// The next frame, before it is known which instruction it is for.
    fn frame(&mut self) -> Result<Known, Defect> {
        let tag = self.cursor.u8()?;
        let mut stack = Vec::new();
        let distance = match tag {
            0..=63 => u16::from(tag),
            64..=127 => {
                stack = self.entries(1)?;
                u16::from(tag - 64)
            }
            128..=246 => return Err(self.wrong("has a frame of an unknown kind")),
            247 => {
                let distance = self.cursor.u16()?;
                stack = self.entries(1)?;
                distance
            }
            248..=250 => {
                let distance = self.cursor.u16()?;
                self.chop(251 - tag)?;
                distance
            }
            251 => self.cursor.u16()?,
            252..=254 => {
                let distance = self.cursor.u16()?;
                let new = self.entries(u16::from(tag - 251))?;
                self.locals = self.locals.iter().copied().chain(new).collect();
                distance
            }
            255 => {
                let distance = self.cursor.u16()?;
                let locals = self.cursor.u16()?;
                self.locals = self.entries(locals)?.into();
                let entries = self.cursor.u16()?;
                stack = self.entries(entries)?;
                distance
            }
        };
        let code = self.judge.code;
        if self.locals.len() > usize::from(code.max_locals)
            || stack.len() > usize::from(code.max_stack)
        {
            return Err(self.wrong("has more variables or a higher stack than the code"));
        }
        self.next_offset += u32::from(distance) + 1;
        let locals = Rc::clone(&self.locals);
        let unset_this = locals.contains(&Type::This);
        Ok(Known { index: 0, locals, stack, unset_this })
    }

    fn chop(&mut self, count: u8) -> Result<(), Defect> {
        let mut left = self.locals.len();
        for _ in 0..count {
            let last = left.checked_sub(1).map(|last| self.locals[last]);
            left -= match last {
                Some(Type::Second) => 2,
                Some(_) => 1,
                None => return Err(self.wrong("takes away variables that are not there")),
            };
        }
        self.locals = self.locals[..left].into();
        Ok(())
    }

    fn entries(&mut self, count: u16) -> Result<Vec<Type>, Defect> {
        let mut types = Vec::new();
        for _ in 0..count {
            let entry = self.entry()?;
            types.push(entry);
            if entry.is_wide() {
                types.push(Type::Second);
            }
        }
        Ok(types)
    }

    fn entry(&mut self) -> Result<Type, Defect> {
        Ok(match self.cursor.u8()? {
            0 => Type::Top,
            1 => Type::Int,
            2 => Type::Float,
            3 => Type::Double,
            4 => Type::Long,
            5 => Type::Null,
            6 => Type::This,
            7 => {
                let index = self.cursor.u16()?;
                let Slot::Class(class) = self.judge.class.pool.slot(index) else {
                    return Err(self.wrong("names a class that is none"));
                };
                Type::Class(self.judge.class.pool.class(class).name)
            }
            8 => {
                let offset = self.cursor.u16()?;
                let code = self.judge.code;
                let new = code.at_offset(offset);
                let is_new = |&index: &u16| {
                    matches!(code.instructions[usize::from(index)], Instruction::New(_))
                };
                match new.filter(is_new) {
                    Some(index) => Type::New(index),
                    None => return Err(self.wrong("names an object that no instruction makes")),
                }
            }
            _ => return Err(self.wrong("has an entry of an unknown kind")),
        })
    }
}
